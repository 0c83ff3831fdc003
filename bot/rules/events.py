"""What happened in a game: facts in the past tense, a closed union. Stored, and replayed.

No ``repr`` shows a hidden card.
"""

from dataclasses import dataclass, field
from fractions import Fraction

from bot.rules.cards import Card, Hand, Seat
from bot.rules.commands import PlayedBy
from bot.rules.dimensions import MoonPayoff
from bot.rules.state import Score


@dataclass(frozen=True, slots=True)
class DealBegan:
    """A deck was dealt out. Replay never depends on the shuffle: the order stands here."""

    number: int
    """Counted from 1."""
    dealer: Seat
    order: tuple[Card, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class CardsPassed:
    """A seat chose its pass; a second one replaces the first. With the last one cards move."""

    seat: Seat
    cards: Hand = field(repr=False)
    packet: tuple[Card, ...] = field(default=(), repr=False)
    """*cards* in the order of the receivers where a step scatters; else empty."""


@dataclass(frozen=True, slots=True)
class CardPlayed:
    """A card fell. Tricks won, hearts broken and whose turn it is follow from it."""

    seat: Seat
    card: Card
    by: PlayedBy


@dataclass(frozen=True, slots=True)
class MoonSettled:
    """The shooter chose the payoff."""

    seat: Seat
    payoff: MoonPayoff


@dataclass(frozen=True, slots=True)
class LastDealCalled:
    """The deal under way is the last; between two deals: there is none any more."""


@dataclass(frozen=True, slots=True)
class DealScored:
    """The deal's result. It follows from the others and is compared when a game is replayed."""

    score: Score


@dataclass(frozen=True, slots=True)
class GameEnded:
    """The game is over. Follows from the others and is compared, as `DealScored`."""

    places: tuple[int, ...]
    """By seat, counted from 1; ties share the better place."""
    totals: tuple[int, ...]
    settlement: tuple[Fraction, ...] = ()
    """By seat: what changes hands; empty where the rules settle nothing beside points."""


Event = DealBegan | CardsPassed | CardPlayed | MoonSettled | LastDealCalled | DealScored | GameEnded
