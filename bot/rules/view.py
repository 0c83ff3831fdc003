"""What one seat, or everybody, may know of a game: the only thing that renders and robots get."""

from dataclasses import dataclass, field
from fractions import Fraction
from typing import assert_never

from bot.rules.cards import Card, Hand, Seat
from bot.rules.dimensions import MoonPayoff, PassStep, WidowSeen
from bot.rules.legal import Choice, choice, to_move
from bot.rules.piles import Piles, is_played_out, piles, points_in
from bot.rules.ruleset import Ruleset
from bot.rules.scoring import safe_payoff
from bot.rules.sides import partner, side_of, sides
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
    tricks_before: int
    """Full tricks of all deals before this one."""
    hearts_broken: bool
    taken: tuple[int, ...]
    """By seat: points of the cards captured in this deal so far, without moon. A widow that not
    everybody may see counts only once the deal is over."""
    totals: tuple[int, ...]
    """By seat, after the last finished deal."""
    scores: tuple[Score, ...]
    places: tuple[int, ...]
    sides: tuple[tuple[Seat, ...], ...]
    """Who plays together, in order of lowest seats; where nobody does, each seat by itself."""
    tabled: Hand
    """Cards of full tricks that nobody won; they wait for the winner of a later one."""
    stock: int
    """How many cards are still to be drawn."""
    widow: int
    """How many cards the hands left over, drawn cards apart."""
    widow_taker: Seat | None
    """Whose the widow is; ``None`` until somebody takes it, and where it is dead."""
    widow_cards: Hand
    """The widow, where everybody may see it; else empty."""
    last_deal: bool
    """Whether the deal under way was called the last."""
    is_tiebreak: bool
    """Whether it decides a tie, and so nothing is passed."""
    settlement: tuple[Fraction, ...]
    """By seat: what changes hands beside points; empty until the end and where nothing does."""

    @property
    def trick_number(self) -> int:
        """The trick under way, counted from 1 through the whole game; 0 where there is none."""
        return 0 if self.trick is None else self.tricks_before + len(self.tricks) + 1


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
    safe_payoff: MoonPayoff | None
    """What is chosen for it if it does not choose how its moon is paid; ``None`` when it has no
    moon to choose for."""
    partner: Seat | None
    """Who plays together with it, if anybody."""
    drawn: Card | None = field(repr=False)
    """The card that it drew last, if it still holds it."""
    widow: Hand = field(repr=False)
    """The widow, where this seat may see it; else empty."""


def public_view(game: Game) -> PublicView:
    """What everybody may know."""
    deal, lie = game.deal, _lie(game)
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
        tricks_before=game.tricks_before,
        hearts_broken=deal.hearts_broken if deal else False,
        taken=_taken(game.ruleset, deal, lie) if deal and lie else (0,) * game.seats,
        totals=game.totals,
        scores=game.scores,
        places=game.places,
        sides=sides(game.ruleset, game.seats),
        tabled=lie.waiting if lie else frozenset(),
        stock=len(deal.stock) if deal else 0,
        widow=len(deal.widow) if deal else 0,
        widow_taker=lie.widow_taker if lie else None,
        widow_cards=public_widow(game.ruleset, deal) if deal else frozenset(),
        last_deal=game.last_deal,
        is_tiebreak=deal.is_tiebreak if deal else False,
        settlement=game.settlement,
    )


def seat_view(game: Game, seat: Seat) -> SeatView:
    """What *seat* may know: all that is public, and its own cards."""
    deal = game.deal
    nothing: Hand = frozenset()
    on_turn = game.phase is Phase.PLAYING and seat in to_move(game)
    chooses = game.phase is Phase.MOON_CHOICE and seat in to_move(game)
    public = public_view(game)
    return SeatView(
        public=public,
        seat=seat,
        hand=deal.hands[seat] if deal else nothing,
        dealt=deal.dealt[seat] if deal else nothing,
        given=(deal.passes[seat] or nothing) if deal else nothing,
        received=deal.received[seat] if deal else nothing,
        choice=choice(game) if on_turn else None,
        safe_payoff=safe_payoff(game) if chooses else None,
        partner=partner(game.ruleset, seat, game.seats),
        drawn=_drawn(deal, seat) if deal else None,
        widow=_widow_for(public, deal, seat) if deal else nothing,
    )


def public_widow(ruleset: Ruleset, deal: Deal) -> Hand:
    """The widow of *deal*, where everybody may see it now; else empty."""
    shown = ruleset.widow.seen is WidowSeen.ALL_AT_END and is_played_out(deal)
    return deal.widow if shown else frozenset()


def _lie(game: Game) -> Piles | None:
    return piles(game.ruleset, game.deal) if game.deal else None


def _passed(game: Game) -> tuple[bool, ...]:
    if game.deal is None:
        return (False,) * game.seats
    passing = game.phase is Phase.PASSING
    return tuple(not passing or cards is not None for cards in game.deal.passes)


def _taken(ruleset: Ruleset, deal: Deal, lie: Piles) -> tuple[int, ...]:
    hidden: Hand = frozenset() if is_played_out(deal) else deal.widow
    return tuple(points_in(ruleset, pile - hidden) for pile in lie.by_seat)


def _widow_for(public: PublicView, deal: Deal, seat: Seat) -> Hand:
    taker = public.widow_taker
    match public.ruleset.widow.seen:
        case WidowSeen.NONE | WidowSeen.ALL_AT_END:
            return public.widow_cards
        case WidowSeen.TAKER:
            may_see = seat == taker
        case WidowSeen.SIDE:
            may_see = taker is not None and seat in side_of(public.ruleset, taker, public.seats)
        case _:
            assert_never(public.ruleset.widow.seen)
    return deal.widow if may_see else frozenset()


def _drawn(deal: Deal, seat: Seat) -> Card | None:
    card = deal.drawn[seat] if deal.drawn else None
    return card if card in deal.hands[seat] else None
