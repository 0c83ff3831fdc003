"""A sentence for a player: English with named gaps, put into words of a locale at the edge."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Sentence:
    """One whole sentence; *text* is also the key of its translations.

    >>> str(Sentence("{suit} were led.", {"suit": "Clubs"}))
    'Clubs were led.'
    """

    text: str
    facts: Mapping[str, object] = field(default_factory=lambda: MappingProxyType({}))
    """What fills the gaps, by name: numbers, cards, suits, seats or further sentences."""

    def __str__(self) -> str:
        return self.text.format_map(self.facts)
