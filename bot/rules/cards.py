"""Cards, their notation, and the packs they come in."""

from dataclasses import dataclass
from enum import Enum, IntEnum
from functools import cache
from typing import NewType

from bot.rules.errors import NotationError

Seat = NewType("Seat", int)
"""A place at the table, counted from 0, clockwise: seat 1 sits to the left of seat 0."""


class Suit(Enum):
    """The four suits, in the order in which hands and records are sorted."""

    CLUBS = "C"
    DIAMONDS = "D"
    SPADES = "S"
    HEARTS = "H"

    # Members are single objects; Enum's own hash is a slow call, and cards are hashed all the time.
    __hash__ = object.__hash__


class Rank(IntEnum):
    """Ranks by strength, ace high. A joker has no strength in any suit."""

    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    SIX = 6
    SEVEN = 7
    EIGHT = 8
    NINE = 9
    TEN = 10
    JACK = 11
    QUEEN = 12
    KING = 13
    ACE = 14
    JOKER = 15

    __hash__ = int.__hash__


RANK_CODES = {
    **{Rank(n): str(n) for n in range(2, 10)},
    Rank.TEN: "T",
    Rank.JACK: "J",
    Rank.QUEEN: "Q",
    Rank.KING: "K",
    Rank.ACE: "A",
    Rank.JOKER: "JK",
}
ALL_RANKS = tuple(rank for rank in Rank if rank is not Rank.JOKER)
"""The ranks of a suit, from low to high."""
RANKS = {RANK_CODES[rank]: rank for rank in ALL_RANKS}
"""The ranks of a suit by what is written for them."""
_SUIT_ORDER = {suit: place for place, suit in enumerate(Suit)}


@dataclass(frozen=True, slots=True)
class Card:
    """One physical card: two packs hold two different, equal-looking cards.

    >>> str(Card(Rank.QUEEN, Suit.SPADES, copy=2))
    'QS.2'
    >>> Card.parse("QS.2").copy
    2
    """

    rank: Rank
    suit: Suit | None
    """Printed suit; ``None`` only for a joker."""
    copy: int = 1
    """Which pack it came from, counted from 1."""

    def __str__(self) -> str:
        return self.face if self.copy == 1 else f"{self.face}.{self.copy}"

    @property
    def face(self) -> str:
        """What is printed on it, in notation and without the copy: ``QS``, ``TD``, ``JK``."""
        return RANK_CODES[self.rank] + (self.suit.value if self.suit else "")

    @property
    def order(self) -> tuple[int, int, int]:
        """Key that sorts clubs, diamonds, spades, hearts, jokers, each from low to high."""
        return (_SUIT_ORDER[self.suit] if self.suit else len(Suit), self.rank, self.copy)

    @classmethod
    def parse(cls, text: str) -> "Card":
        """Read one card in the notation of this module.

        Raises:
            NotationError: *text* is not a card; the message quotes it.
        """
        face, _, copy = text.partition(".")
        try:
            if face == RANK_CODES[Rank.JOKER]:
                card = cls(Rank.JOKER, None, int(copy or 1))
            else:
                card = cls(RANKS[face[:-1]], Suit(face[-1:]), int(copy or 1))
        except (KeyError, ValueError) as cause:
            raise NotationError(text) from cause
        if card.copy < 1 or str(card) != text:  # "QS.1", "QS.", "QS.02": one spelling a card
            raise NotationError(text)
        return card


Hand = frozenset[Card]
"""The cards one seat holds."""


def sorted_cards(cards: Hand | tuple[Card, ...]) -> tuple[Card, ...]:
    """Sort for showing and for records: by suit, then from low to high."""
    return tuple(sorted(cards, key=lambda card: card.order))


def is_queen_of_spades(card: Card) -> bool:
    """Whether it is the Black Lady, of whichever pack."""
    return card.rank is Rank.QUEEN and card.suit is Suit.SPADES


def parse_cards(text: str) -> tuple[Card, ...]:
    """Read cards separated by white space, in the order given.

    Raises:
        NotationError: one of them is not a card.
    """
    return tuple(Card.parse(word) for word in text.split())


def write_cards(cards: Hand | tuple[Card, ...]) -> str:
    """Write cards sorted and separated by single spaces; the reverse of `parse_cards`."""
    return " ".join(str(card) for card in sorted_cards(cards))


@cache
def pack(copy: int = 1) -> tuple[Card, ...]:
    """One pack of 52 cards, sorted."""
    return tuple(Card(rank, suit, copy) for suit in Suit for rank in ALL_RANKS)
