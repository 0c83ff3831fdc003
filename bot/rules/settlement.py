"""From the points of a deal to totals, the end of the game, and places (rules.md 3.8)."""

from collections.abc import Sequence
from typing import assert_never

from bot.rules.ruleset import DealCount, Ruleset, Single, Target, Tie
from bot.rules.state import Game, Score


def totals_after(game: Game, points: Sequence[int]) -> tuple[int, ...]:
    """By seat: the totals once *points* are added and exact totals are reset."""
    added = (total + more for total, more in zip(game.totals, points, strict=True))
    return tuple(game.ruleset.exact.get(total, total) for total in added)


def is_over(game: Game, score: Score) -> bool:
    """Whether the game ends with the deal that *score* is the result of.

    A tie for the best total puts the end off where the rules want further deals; each of those
    is asked anew, so that totals which fall below the target again simply play on (rules.md
    2.4.9).
    """
    return ends(game.ruleset, score.deal, score.totals)


def ends(ruleset: Ruleset, deal: int, totals: tuple[int, ...]) -> bool:
    """As `is_over`, for the *totals* after deal number *deal*, counted from 1."""
    tied = totals.count(min(totals)) > 1
    return _end_reached(ruleset, deal, totals) and not (tied and ruleset.tie is Tie.EXTRA_HANDS)


def places(totals: Sequence[int]) -> tuple[int, ...]:
    """By seat, counted from 1: the lowest total is first, ties share the better place.

    >>> places([103, 52, 97, 52])
    (4, 1, 3, 1)
    """
    return tuple(1 + sum(other < total for other in totals) for total in totals)


def _end_reached(ruleset: Ruleset, deal: int, totals: tuple[int, ...]) -> bool:
    match ruleset.end:
        case Target(points):
            return max(totals) >= points
        case DealCount(deals):
            return deal >= deals
        case Single():
            return True
        case _:
            assert_never(ruleset.end)
