"""Robots of every kind, quick enough for laws that ask them thousands of times."""

from collections.abc import Mapping

from bot.ai import LEVELS, Player
from bot.ai.search import Searcher

ROBOTS: Mapping[str, Player] = {
    "casual": LEVELS["casual"],
    "steady": LEVELS["steady"],
    "searching": Searcher(2),
}
"""By rules of thumb, and by search; levels that search differ in how long they do."""


def times(robot: str, many: int) -> int:
    """How often to look at a robot where one by rules of thumb is looked at so often."""
    return -(-many // 8) if robot == "searching" else many
