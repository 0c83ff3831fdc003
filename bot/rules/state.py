"""The state of a game: immutable values, changed only by `evolve`."""

from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction

from bot.rules.cards import Card, Hand, Seat
from bot.rules.dimensions import MoonPayoff, PassStep
from bot.rules.ruleset import Ruleset


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
    """Known once the trick is full; ``None`` before, and for a trick that nobody takes: its cards
    wait for the winner of a later one."""


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """Why a seat's total moved.

    *what* is a card face (``QS``), ``hearts``, or a named reason (``moon``, ``sun``,
    ``no_trick``).
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
    """The shooter, or all seats of the shooting side."""
    payoff: MoonPayoff
    """What was applied: `MoonPayoff.ADD_OTHERS`, `SUBTRACT_SELF` or `LOSE_VALUE`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """The result of one deal."""

    deal: int
    """Counted from 1."""
    points: tuple[int, ...]
    """By seat: what this deal added to the total. Partners with one total show the same."""
    lines: tuple[ScoreLine, ...]
    """By seat what it captured itself; their sum over a side is its *points*. An exact-total
    reset is not among them, and a payment to a side stands with its lowest seat."""
    moon: Moon | None
    totals: tuple[int, ...]
    """By seat, after this deal and after the exact-total reset."""
    money: tuple[Fraction, ...] = ()
    """By seat: what changed hands for this deal; empty where deals are not settled one by one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Deal:
    """One dealing-out, from the deck order to its score. Its ``repr`` shows no hidden card."""

    number: int
    """Counted from 1."""
    dealer: Seat
    dealt: tuple[Hand, ...] = field(repr=False)
    """By seat: the hands as dealt, before passing."""
    widow: Hand = field(default=frozenset(), repr=False)
    """Cards that nobody was dealt and nobody draws."""
    stock: tuple[Card, ...] = field(default=(), repr=False)
    """Cards still to be drawn, the next one first."""
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
    is_tiebreak: bool = False
    """Whether it decides a tie, and so nothing is passed (`Tie.TIEBREAK_NO_PASS`)."""
    drawn: tuple[Card | None, ...] = field(default=(), repr=False)
    """By seat: the card it drew last; no seats at all where nobody draws."""


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
    last_deal: bool = False
    """Somebody called the deal under way the last: the players, or the clock."""
    places: tuple[int, ...] = ()
    """By seat, counted from 1, ties share the better place; empty until `Phase.OVER`."""
    settlement: tuple[Fraction, ...] = ()
    """By seat: what changes hands in all; empty until `Phase.OVER` and where nothing does."""

    @property
    def trick_number(self) -> int:
        """The trick under way, counted from 1 through the whole game; 0 where there is none."""
        if self.deal is None or self.deal.trick is None:
            return 0
        return self.tricks_before + len(self.deal.tricks) + 1
