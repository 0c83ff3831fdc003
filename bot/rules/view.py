"""What one seat, or everybody, may know of a game: the only thing that renders and robots get."""

from dataclasses import dataclass, field

from bot.rules.cards import Hand, Seat
from bot.rules.legal import Choice, choice, to_move
from bot.rules.piles import captured, points_in
from bot.rules.ruleset import PassStep, Ruleset
from bot.rules.state import Deal, Game, Phase, Score, Trick


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
    """What one seat may know. Its ``repr`` shows no hidden card."""

    public: PublicView
    seat: Seat
    hand: Hand = field(repr=False)
    dealt: Hand = field(repr=False)
    """Its own hand as dealt; empty before the first deal."""
    given: Hand = field(repr=False)
    """What it chose to pass; empty until it has chosen."""
    received: Hand = field(repr=False)
    """What came in; empty until cards have moved."""
    choice: Choice | None = field(repr=False)
    """What may be played now; ``None`` when it is not this seat's turn to play."""


def public_view(game: Game) -> PublicView:
    """What everybody may know."""
    deal = game.deal
    return PublicView(
        ruleset=game.ruleset,
        seats=game.seats,
        phase=game.phase,
        deal=deal.number if deal else 0,
        dealer=game.dealer,
        step=deal.step if deal else None,
        passed=_passed(game),
        waiting=to_move(game),
        hand_sizes=tuple(map(len, deal.hands)) if deal else (0,) * game.seats,
        tricks=deal.tricks if deal else (),
        trick=deal.trick if deal else None,
        trick_number=game.trick_number,
        tricks_before=game.tricks_before,
        hearts_broken=deal.hearts_broken if deal else False,
        taken=_taken(game.ruleset, deal) if deal else (0,) * game.seats,
        totals=game.totals,
        scores=game.scores,
        places=game.places,
    )


def seat_view(game: Game, seat: Seat) -> SeatView:
    """What *seat* may know: all that is public, and its own cards."""
    deal = game.deal
    nothing: Hand = frozenset()
    on_turn = game.phase is Phase.PLAYING and seat in to_move(game)
    return SeatView(
        public=public_view(game),
        seat=seat,
        hand=deal.hands[seat] if deal else nothing,
        dealt=deal.dealt[seat] if deal else nothing,
        given=(deal.passes[seat] or nothing) if deal else nothing,
        received=deal.received[seat] if deal else nothing,
        choice=choice(game) if on_turn else None,
    )


def _passed(game: Game) -> tuple[bool, ...]:
    if game.deal is None:
        return (False,) * game.seats
    passing = game.phase is Phase.PASSING
    return tuple(not passing or cards is not None for cards in game.deal.passes)


def _taken(ruleset: Ruleset, deal: Deal) -> tuple[int, ...]:
    return tuple(points_in(ruleset, pile) for pile in captured(deal))
