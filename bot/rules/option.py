"""One rule that people may change, and what they may choose for it: the form of the catalogue."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from bot.rules.sentence import Sentence

Keys = Mapping[str, object]
"""Overrides in the spelling of rules.md 3, tables by number of seats with texts as keys."""
Following = Callable[[Mapping[str, Any]], Keys]
"""From all keys of the rules with a choice made: further keys that usually go together with it."""
Presets = frozenset[str]
"""Ids of presets."""


class Group(Enum):
    """What a rule is about; the value stands in ids of buttons."""

    CARDS = "cards"
    PASSING = "passing"
    PLAY = "play"
    POINTS = "points"
    MOON = "moon"
    END = "end"

    @property
    def title(self) -> Sentence:
        """What people read."""
        return Sentence(_TITLES[self.value])


_TITLES = {
    "cards": "Players and cards",
    "passing": "Passing",
    "play": "Leading and following",
    "points": "Points",
    "moon": "Moon and sun",
    "end": "End and settlement",
}


@dataclass(frozen=True, slots=True)
class OptionValue:
    """One thing that can be chosen."""

    id: str
    """Letters, digits and underscores; unique within its option."""
    label: Sentence
    keys: Keys
    """What it means, and how it is recognised."""
    also: Keys | Following | None = None
    """What is set along with it because it usually goes together, and may be changed again."""
    only: Presets = frozenset()
    """Presets that offer it; empty: all that offer its option."""
    never: Presets = frozenset()
    """Presets that do not offer it."""
    seats: frozenset[int] = frozenset()
    """Numbers of seats for which it says anything; empty: all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One rule that may be changed."""

    id: str
    """Letters, digits and underscores; unique in the catalogue."""
    group: Group
    title: Sentence
    meaning: Sentence
    """One line on what the rule is about."""
    values: tuple[OptionValue, ...]
    """In the order in which they are offered."""
    only: Presets = frozenset()
    """Presets that offer it; empty: all."""
    never: Presets = frozenset()
    """Presets with which it makes no sense."""
