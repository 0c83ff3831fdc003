"""What happens when something is asked of a game: events, or a refusal."""

from collections.abc import Iterator
from typing import assert_never

from bot.rules.cards import Card, Hand, Seat, sorted_cards
from bot.rules.claims import certain_rest
from bot.rules.commands import (
    BeginDeal,
    CallLastDeal,
    ClaimRest,
    Command,
    PassCards,
    PlayCard,
    PlayedBy,
    SettleMoon,
)
from bot.rules.dimensions import Hold, MoonPayoff, Scatter
from bot.rules.errors import IllegalMoveError, Reason, RulesetError
from bot.rules.events import (
    CardPlayed,
    CardsPassed,
    DealBegan,
    DealScored,
    Event,
    GameEnded,
    LastDealCalled,
    MoonSettled,
)
from bot.rules.evolve import evolve
from bot.rules.legal import choice, refusal, to_move
from bot.rules.moon import shooter
from bot.rules.passing import pass_count
from bot.rules.ruleset import Ruleset
from bot.rules.ruleset_faults import problems
from bot.rules.scoring import score
from bot.rules.settlement import Standing, ends_by_call, standing_after, standing_now
from bot.rules.state import Deal, Game, Phase
from bot.rules.tricks import led_suit, lowest_club

_PAYOFFS = (MoonPayoff.ADD_OTHERS, MoonPayoff.SUBTRACT_SELF)


def new_game(ruleset: Ruleset, seats: int, first_dealer: Seat) -> Game:
    """A game before its first deal.

    Raises:
        RulesetError: the rules cannot be played, or not with so many seats.
    """
    faults = problems(ruleset)
    if seats not in ruleset.players:
        faults.append(f"players: {seats} is not among {list(ruleset.players)}")
    if faults:
        raise RulesetError(faults)
    return Game(
        ruleset=ruleset,
        seats=seats,
        phase=Phase.DEALING,
        dealer=first_dealer,
        deal=None,
        past=(),
        scores=(),
        totals=(0,) * seats,
        tricks_before=0,
    )


def decide(game: Game, command: Command) -> tuple[Event, ...]:
    """All that follows from *command*, in order.

    The last card of a deal brings its score with it, unless the shooter has to choose first.

    Raises:
        IllegalMoveError: the rules forbid it; its reason says which.
    """
    match command:
        case BeginDeal(order):
            return _begin_deal(game, order)
        case PassCards():
            return _pass(game, command)
        case PlayCard():
            return _play(game, command)
        case SettleMoon():
            return _settle_moon(game, command)
        case CallLastDeal():
            return _call_last_deal(game)
        case ClaimRest():
            return tuple(_claim_rest(game))
        case _:
            assert_never(command)


def _begin_deal(game: Game, order: tuple[Card, ...]) -> tuple[Event, ...]:
    if game.phase is not Phase.DEALING:
        raise IllegalMoveError(Reason.NOT_NOW)
    deck = game.ruleset.deck(game.seats)
    if len(order) != len(deck) or set(order) != set(deck):
        raise IllegalMoveError(Reason.WRONG_DECK)
    return (DealBegan(len(game.scores) + 1, game.dealer, order),)


def _pass(game: Game, command: PassCards) -> tuple[Event, ...]:
    deal = game.deal
    if deal is None or game.phase is not Phase.PASSING:
        raise IllegalMoveError(_why_no_pass(game))
    _check_held(deal.hands[command.seat], command.cards)
    count = pass_count(deal.step, game.seats)
    packet = command.packet
    if len(command.cards) != count or (packet and not _same_cards(packet, command.cards)):
        raise IllegalMoveError(Reason.PASS_COUNT, count=count)
    in_order = packet if isinstance(deal.step, Scatter) else ()
    return (CardsPassed(command.seat, command.cards, in_order),)


def _why_no_pass(game: Game) -> Reason:
    if game.deal is None or game.phase in {Phase.DEALING, Phase.OVER}:
        return Reason.NOT_NOW
    return Reason.NO_PASSING if isinstance(game.deal.step, Hold) else Reason.PASS_CLOSED


def _same_cards(packet: tuple[Card, ...], cards: Hand) -> bool:
    return len(packet) == len(cards) and frozenset(packet) == cards


def _play(game: Game, command: PlayCard) -> tuple[Event, ...]:
    deal = _deal_in(game, Phase.PLAYING)
    _check_turn(game, command.seat)
    _check_held(deal.hands[command.seat], frozenset({command.card}))
    reason = refusal(game, command.card)
    if reason is not None:
        raise IllegalMoveError(reason, **_facts(deal, reason))
    played = CardPlayed(command.seat, command.card, command.by)
    if sum(map(len, deal.hands)) > 1:
        return (played,)  # somebody is still to play, so nothing follows yet
    then = evolve(game, played)
    return (played,) if to_move(then) else (played, *_closing(then, None))


def _settle_moon(game: Game, command: SettleMoon) -> tuple[Event, ...]:
    _deal_in(game, Phase.MOON_CHOICE)
    if command.seat != shooter(game):
        raise IllegalMoveError(Reason.NOT_YOUR_TURN, whom=shooter(game))
    if command.payoff not in _PAYOFFS:
        raise IllegalMoveError(Reason.UNKNOWN_PAYOFF)
    settled = MoonSettled(command.seat, command.payoff)
    return (settled, *_closing(evolve(game, settled), command.payoff))


def _closing(game: Game, payoff: MoonPayoff | None) -> tuple[Event, ...]:
    result = score(game, payoff)
    scored = DealScored(result)
    then = standing_after(game, result)
    return (scored, _ending(then)) if then.is_end() else (scored,)


def _call_last_deal(game: Game) -> tuple[Event, ...]:
    if (
        game.last_deal
        or not ends_by_call(game.ruleset)
        or game.deal is None
        or game.phase is Phase.OVER
    ):
        raise IllegalMoveError(Reason.NOT_NOW)
    called = LastDealCalled()
    then = standing_now(evolve(game, called))
    between_deals = game.phase is Phase.DEALING
    return (called, _ending(then)) if between_deals and then.is_end() else (called,)


def _claim_rest(game: Game) -> Iterator[Event]:
    """The cards that are left, as they may fall; which ones fall first makes no difference."""
    if certain_rest(game) is None:
        raise IllegalMoveError(Reason.NOT_NOW)
    while game.phase is Phase.PLAYING:
        seat, first = to_move(game)[0], sorted_cards(choice(game).cards)[0]
        for event in _play(game, PlayCard(seat, first, PlayedBy.CLAIM)):
            yield event
            game = evolve(game, event)


def _ending(standing: Standing) -> GameEnded:
    return GameEnded(standing.places(), standing.totals, standing.settlement())


def _deal_in(game: Game, phase: Phase) -> Deal:
    if game.deal is None or game.phase is not phase:
        raise IllegalMoveError(Reason.NOT_NOW)
    return game.deal


def _check_turn(game: Game, seat: Seat) -> None:
    waiting = to_move(game)
    if seat not in waiting:
        raise IllegalMoveError(Reason.NOT_YOUR_TURN, whom=waiting[0])


def _check_held(hand: Hand, cards: Hand) -> None:
    for card in sorted_cards(cards):
        if card not in hand:
            raise IllegalMoveError(Reason.NOT_IN_HAND, card=card)


def _facts(deal: Deal, reason: Reason) -> dict[str, object]:
    """What fills the gaps of the reason's sentence."""
    if reason is Reason.OPENING_CARD:
        return {"card": lowest_club(deal.hands)}
    if reason is Reason.MUST_FOLLOW and deal.trick is not None:
        return {"suit": led_suit(deal.trick)}
    return {}
