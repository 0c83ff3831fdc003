"""A sentence for a player: English with named gaps, put into words of a locale at the edge."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Sentence:
    """One whole sentence; *text* is also the key of its translations.

    >>> str(Sentence("{suit} were led.", {"suit": "Clubs"}))
    'Clubs were led.'
    >>> str(Sentence("You took {count} point.", {"count": 2}, "You took {count} points."))
    'You took 2 points.'
    """

    text: str
    facts: Mapping[str, object] = field(default_factory=lambda: MappingProxyType({}))
    """What fills the gaps, by name: numbers, cards, suits, seats or further sentences."""
    plural: str | None = None
    """The text for more than one; then the facts have a whole number ``count``, *text* is for 1
    and −1. A catalogue is asked with both texts and the count's absolute value."""

    def __str__(self) -> str:
        facts = {name: _plain(fact) for name, fact in self.facts.items()}
        return self.wording.format_map(facts)

    @property
    def wording(self) -> str:
        """The English text for this count, its gaps still open."""
        if self.plural is None or self.facts["count"] in {1, -1}:
            return self.text
        return self.plural


def _plain(fact: object) -> object:
    """Suits and ranks by name; what else there is says itself what it is."""
    return fact.name.lower() if isinstance(fact, Enum) else fact
