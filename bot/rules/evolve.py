"""What a game is after something happened."""

from collections.abc import Iterable
from dataclasses import replace
from functools import reduce
from typing import TypeVar, assert_never

from bot.rules.cards import Card, Hand, sorted_cards
from bot.rules.events import (
    CardPlayed,
    CardsPassed,
    DealBegan,
    DealScored,
    Event,
    GameEnded,
    MoonSettled,
)
from bot.rules.moon import needs_choice
from bot.rules.passing import exchange
from bot.rules.ruleset import Hold, Ruleset
from bot.rules.selectors import fits_any
from bot.rules.state import Deal, Game, Phase, Play, Trick
from bot.rules.tricks import after, opening_seat, winner

Item = TypeVar("Item")


def evolve(game: Game, event: Event) -> Game:
    """The game after *event*, which is believed: `decide` has judged it, or a store remembers it.

    Raises:
        ValueError: the event speaks of a deal or trick that is not under way.
    """
    match event:
        case DealBegan():
            return _begin_deal(game, event)
        case CardsPassed():
            return _pass(game, event)
        case CardPlayed():
            return _play(game, event)
        case MoonSettled():
            return game  # the payoff stands in the score that follows
        case DealScored(score):
            return replace(
                game,
                phase=Phase.DEALING,
                dealer=after(game.dealer, game.seats),
                scores=(*game.scores, score),
                totals=score.totals,
            )
        case GameEnded(places):
            return replace(game, phase=Phase.OVER, dealer=_deal_of(game).dealer, places=places)
        case _:
            assert_never(event)


def replay(game: Game, events: Iterable[Event]) -> Game:
    """The game after all *events*, in order."""
    return reduce(evolve, events, game)


def _deal_of(game: Game) -> Deal:
    if game.deal is None:
        raise ValueError("no deal is under way")
    return game.deal


def _begin_deal(game: Game, event: DealBegan) -> Game:
    step = game.ruleset.step(game.seats, event.number)
    hands = _dealt_out(event, game.seats)
    none: tuple[Hand, ...] = (frozenset(),) * game.seats
    deal = Deal(
        number=event.number,
        dealer=event.dealer,
        dealt=hands,
        step=step,
        hands=hands,
        passes=(None,) * game.seats,
        packets=((),) * game.seats,
        received=none,
    )
    passing = not isinstance(step, Hold)
    done = game.deal
    return replace(
        game,
        phase=Phase.PASSING if passing else Phase.PLAYING,
        dealer=event.dealer,
        deal=deal if passing else _open_play(game.ruleset, deal),
        past=(*game.past, done) if done else (),
        tricks_before=game.tricks_before + (len(done.tricks) if done else 0),
    )


def _dealt_out(event: DealBegan, seats: int) -> tuple[Hand, ...]:
    """One card at a time, the seat after the dealer first."""
    return tuple(
        frozenset(event.order[(seat - event.dealer - 1) % seats :: seats]) for seat in range(seats)
    )


def _open_play(ruleset: Ruleset, deal: Deal) -> Deal:
    return replace(deal, trick=Trick(opening_seat(ruleset, deal.hands, deal.dealer)))


def _pass(game: Game, event: CardsPassed) -> Game:
    deal = _deal_of(game)
    packet = event.packet or sorted_cards(event.cards)
    deal = replace(
        deal,
        passes=_with(deal.passes, event.seat, event.cards),
        packets=_with(deal.packets, event.seat, packet),
    )
    if None in deal.passes:
        return replace(game, deal=deal)
    received = exchange(deal.step, deal.packets)
    hands = tuple(
        (hand - frozenset(given)) | came
        for hand, given, came in zip(deal.hands, deal.packets, received, strict=True)
    )
    moved = replace(deal, hands=hands, received=received)
    return replace(game, phase=Phase.PLAYING, deal=_open_play(game.ruleset, moved))


def _play(game: Game, event: CardPlayed) -> Game:
    deal = _deal_of(game)
    if deal.trick is None:
        raise ValueError("no trick is under way")
    broken = deal.hearts_broken or _breaks_hearts(game.ruleset, deal.trick, event.card)
    trick = replace(deal.trick, plays=(*deal.trick.plays, Play(event.seat, event.card)))
    hands = _with(deal.hands, event.seat, deal.hands[event.seat] - {event.card})
    deal = replace(deal, hands=hands, trick=trick, hearts_broken=broken)
    if len(trick.plays) < game.seats:
        return replace(game, deal=deal)
    return _close_trick(game, deal, trick)


def _breaks_hearts(ruleset: Ruleset, trick: Trick, card: Card) -> bool:
    counts = ruleset.break_on_lead or bool(trick.plays)
    return counts and fits_any(ruleset.breakers, card)


def _close_trick(game: Game, deal: Deal, trick: Trick) -> Game:
    taker = winner(trick)
    following = Trick(taker) if any(deal.hands) else None
    full = replace(trick, winner=taker)
    after_trick = replace(game, deal=replace(deal, tricks=(*deal.tricks, full), trick=following))
    if following is None and needs_choice(after_trick):
        return replace(after_trick, phase=Phase.MOON_CHOICE)
    return after_trick


def _with(items: tuple[Item, ...], place: int, item: Item) -> tuple[Item, ...]:
    return (*items[:place], item, *items[place + 1 :])
