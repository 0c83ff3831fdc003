"""Selectors: short texts that name cards in a ruleset, as ``QS``, ``H*`` or ``rank:Q``."""

from dataclasses import dataclass

from bot.rules.cards import RANK_CODES, Card, Suit
from bot.rules.errors import NotationError

_RANK_PREFIX = "rank:"
_FACES = {*(RANK_CODES[rank] for rank in RANK_CODES)}


@dataclass(frozen=True, slots=True)
class Selector:
    """Names one card face (``QS``), a whole suit (``H*``) or a rank in all suits (``rank:Q``).

    Copies are never told apart: ``QS`` fits the queens of spades of both packs.
    """

    text: str

    def __post_init__(self) -> None:
        if self.text.startswith(_RANK_PREFIX):
            if self.text.removeprefix(_RANK_PREFIX) not in _FACES:
                raise NotationError(self.text)
        elif self.text.endswith("*"):
            if self.text[:-1] not in {suit.value for suit in Suit}:
                raise NotationError(self.text)
        elif "." in self.text:
            raise NotationError(self.text)
        else:
            Card.parse(self.text)

    def fits(self, card: Card) -> bool:
        """Whether *card* is one of the cards named."""
        if self.text.startswith(_RANK_PREFIX):
            return RANK_CODES[card.rank] == self.text.removeprefix(_RANK_PREFIX)
        if self.text.endswith("*"):
            return card.suit is not None and card.suit.value == self.text[:-1]
        return card.face == self.text

    @property
    def precision(self) -> int:
        """How narrow it is: a card before a rank before a suit. The narrowest that fits counts."""
        if self.text.startswith(_RANK_PREFIX):
            return 1
        return 0 if self.text.endswith("*") else 2


def fits_any(selectors: tuple[Selector, ...], card: Card) -> bool:
    """Whether one of *selectors* names *card*."""
    return any(selector.fits(card) for selector in selectors)
