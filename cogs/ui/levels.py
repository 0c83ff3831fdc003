"""What robots of each level are called, and how they play."""

from dataclasses import dataclass

from bot.rules.sentence import Sentence
from bot.table.robots import LEVEL_NAMES


@dataclass(frozen=True, slots=True)
class Level:
    """A level as people see it."""

    title: Sentence
    """One word, which also stands in the middle of a line."""
    manner: Sentence
    """How it plays; at most 90 characters, as Discord shows it in a menu and beside a choice."""


_WORDS = {
    "casual": Level(
        Sentence("casual"),
        Sentence("Plays for fun: forgets cards, and now and then sees a moon too late."),
    ),
    "steady": Level(
        Sentence("steady"),
        Sentence("Plays by good rules of thumb and never forgets a card."),
    ),
    "sharp": Level(
        Sentence("sharp"),
        Sentence("Thinks a little ahead before each card."),
    ),
    "expert": Level(
        Sentence("expert"),
        Sentence("Thinks far ahead, and is the hardest to beat."),
    ),
}

LEVELS = {name: _WORDS[name] for name in LEVEL_NAMES}
"""All that a table may have, the weakest first."""


def title_of(name: str) -> Sentence:
    """What a level is called; one that no robot has any more keeps its bare name."""
    return LEVELS[name].title if name in LEVELS else Sentence(name)
