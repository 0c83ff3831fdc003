"""What one seat, or everybody, may know of a game: the only thing that renders and robots get."""

from dataclasses import dataclass

from bot.rules.cards import Hand, Seat
from bot.rules.legal import Choice
from bot.rules.ruleset import PassStep, Ruleset
from bot.rules.state import Phase, Score, Trick


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicView:
    """What a bystander sees: played cards, points, whose turn it is. No hand, no pass."""

    ruleset: Ruleset
    seats: int
    phase: Phase
    deal: int
    """Deal under way, counted from 1; 0 before the first."""
    dealer: Seat
    step: PassStep | None
    """How this deal passes; ``None`` before the first deal."""
    passed: tuple[bool, ...]
    """By seat: whether it has chosen its pass. All true once cards have moved."""
    waiting: tuple[Seat, ...]
    """Seats whose move the game waits for: several while passing, one in play, none when over."""
    hand_sizes: tuple[int, ...]
    tricks: tuple[Trick, ...]
    """Full tricks of this deal."""
    trick: Trick | None
    trick_number: int
    """The trick under way, counted from 1 through the whole game; 0 where there is none."""
    tricks_before: int
    """Full tricks of all deals before this one."""
    hearts_broken: bool
    taken: tuple[int, ...]
    """By seat: points of the cards captured in this deal so far, without moon."""
    totals: tuple[int, ...]
    """By seat, after the last finished deal."""
    scores: tuple[Score, ...]
    places: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatView:
    """What one seat may know."""

    public: PublicView
    seat: Seat
    hand: Hand
    dealt: Hand
    """Its own hand as dealt; empty before the first deal."""
    given: Hand
    """What it chose to pass; empty until it has chosen."""
    received: Hand
    """What came in; empty until cards have moved."""
    choice: Choice | None
    """What may be played now; ``None`` when it is not this seat's turn to play."""


