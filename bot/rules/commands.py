"""What may be asked of a game: a closed union. No ``repr`` shows a hidden card."""

from dataclasses import dataclass, field
from enum import Enum

from bot.rules.cards import Card, Hand, Seat
from bot.rules.dimensions import MoonPayoff


class PlayedBy(Enum):
    """How a card came to lie there."""

    HAND = "hand"
    """The person laid it down."""
    PLAN = "plan"
    """The person had set it aside, or asked that forced cards be played."""
    ROBOT = "robot"
    """A robot that sits there did."""
    CLOCK = "clock"
    """The person was late."""
    CLAIM = "claim"
    """Nobody chose it: the rest of the deal was certain."""


@dataclass(frozen=True, slots=True)
class BeginDeal:
    """The dealer's: deal *order* out, one card at a time, to the seat after the dealer first."""

    order: tuple[Card, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class PassCards:
    """A seat chooses what it gives away; again as long as another seat has yet to choose."""

    seat: Seat
    cards: Hand = field(repr=False)
    packet: tuple[Card, ...] = field(default=(), repr=False)
    """Where a step scatters: *cards* in the order of the receivers, the next seat first. Left
    empty, they go out sorted."""


@dataclass(frozen=True, slots=True)
class PlayCard:
    """A seat lays down a card."""

    seat: Seat
    card: Card = field(repr=False)
    by: PlayedBy = PlayedBy.HAND


@dataclass(frozen=True, slots=True)
class SettleMoon:
    """The shooter decides: `MoonPayoff.ADD_OTHERS` or `MoonPayoff.SUBTRACT_SELF`.

    Of a side that shot, the seat that took the most points speaks.
    """

    seat: Seat
    payoff: MoonPayoff


@dataclass(frozen=True, slots=True)
class CallLastDeal:
    """The players', or the clock's: the deal under way is the last (rules.md 3.8).

    Only where the rules end a game that way.
    """


@dataclass(frozen=True, slots=True)
class ClaimRest:
    """The table's: lay down the rest of a deal that is certain, whatever is played."""


Command = BeginDeal | PassCards | PlayCard | SettleMoon | CallLastDeal | ClaimRest
