"""The state of a game: immutable values, changed only by `evolve`."""

from dataclasses import dataclass, field
from enum import Enum

from bot.rules.cards import Card, Hand, Seat
from bot.rules.ruleset import MoonPayoff, PassStep, Ruleset


@dataclass(frozen=True, slots=True)
class Play:
    """One card laid down by one seat."""

    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class Trick:
    """The cards of one trick in the order played; empty right before its lead."""

    leader: Seat
    plays: tuple[Play, ...] = ()
    winner: Seat | None = None
    """Known once the trick is full; ``None`` before, and for a trick that nobody takes."""


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """Why a seat's total moved.

    *what* is a card face (``QS``), ``hearts``, or a named reason (``moon``, ``exact``).
    """

    seat: Seat
    what: str
    points: int
    count: int = 1
    """How many cards it sums up: nine hearts are one line."""


@dataclass(frozen=True, slots=True)
class Moon:
    """A moon that was shot, and how it was paid."""

    seats: tuple[Seat, ...]
    payoff: MoonPayoff
    """What was applied: `MoonPayoff.ADD_OTHERS` or `MoonPayoff.SUBTRACT_SELF`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """The result of one deal."""

    deal: int
    """Counted from 1."""
    points: tuple[int, ...]
    """By seat: what this deal added to the total."""
    lines: tuple[ScoreLine, ...]
    """Sum by seat to *points*; an exact-total reset is not among them."""
    moon: Moon | None
    totals: tuple[int, ...]
    """By seat, after this deal and after the exact-total reset."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Deal:
    """One dealing-out, from the deck order to its score. Its ``repr`` shows no hidden card."""

    number: int
    """Counted from 1."""
    dealer: Seat
    dealt: tuple[Hand, ...] = field(repr=False)
    """By seat: the hands as dealt, before passing."""
    step: PassStep
    hands: tuple[Hand, ...] = field(repr=False)
    """By seat: what is held now. While cards are passed: all cards dealt."""
    passes: tuple[Hand | None, ...] = field(repr=False)
    """By seat: what it gives away; ``None`` until it has chosen (and in a hold deal)."""
    packets: tuple[tuple[Card, ...], ...] = field(repr=False)
    """By seat: what it gives away in the order of the receivers, the next seat first; sorted where
    all goes to one seat; empty until it has chosen."""
    received: tuple[Hand, ...] = field(repr=False)
    """By seat: what came in; empty until all have chosen."""
    tricks: tuple[Trick, ...] = ()
    """Full tricks, in order."""
    trick: Trick | None = None
    """The trick under way; ``None`` while cards are passed and after the last trick."""
    hearts_broken: bool = False


class Phase(Enum):
    """What the game waits for."""

    DEALING = "dealing"
    """A shuffled deck."""
    PASSING = "passing"
    PLAYING = "playing"
    MOON_CHOICE = "moon_choice"
    """The shooter's choice between the two payoffs."""
    OVER = "over"


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """Deals until the end. No names of people in it."""

    ruleset: Ruleset
    seats: int
    phase: Phase
    dealer: Seat
    """Of the deal under way, or of the next one while `Phase.DEALING`."""
    deal: Deal | None
    """The deal under way, kept after its last trick until the next deal begins."""
    past: tuple[Deal, ...]
    """Finished deals before *deal*, in order."""
    scores: tuple[Score, ...]
    """Results of all finished deals, in order."""
    totals: tuple[int, ...]
    """By seat."""
    tricks_before: int
    """Full tricks of all deals before this one; with the deal's own they number a trick."""
    places: tuple[int, ...] = ()
    """By seat, counted from 1, ties share the better place; empty until `Phase.OVER`."""

    @property
    def trick_number(self) -> int:
        """The trick under way, counted from 1 through the whole game; 0 where there is none."""
        if self.deal is None or self.deal.trick is None:
            return 0
        return self.tricks_before + len(self.deal.tricks) + 1
