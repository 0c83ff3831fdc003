"""What a game is after something happened."""

from collections.abc import Iterable
from dataclasses import replace
from functools import reduce
from typing import TypeVar, assert_never

from bot.rules.cards import Card, Hand, Seat, sorted_cards
from bot.rules.dealing import deal_out
from bot.rules.dimensions import Draw, Hold
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
from bot.rules.moon import needs_choice
from bot.rules.passing import exchange
from bot.rules.ruleset import Ruleset
from bot.rules.selectors import fits_any
from bot.rules.settlement import is_tiebreak
from bot.rules.state import Deal, Game, Phase, Play, Trick
from bot.rules.tricks import after, led_suit, opening_seat, winner

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
        case LastDealCalled():
            return replace(game, last_deal=True)
        case GameEnded(places, _, settlement):
            return replace(
                game,
                phase=Phase.OVER,
                dealer=_deal_of(game).dealer,
                places=places,
                settlement=settlement,
            )
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
    tiebreak = is_tiebreak(game)
    step = Hold() if tiebreak else game.ruleset.step(game.seats, event.number)
    dealt = deal_out(game.ruleset, game.seats, event.dealer, event.order)
    none: tuple[Hand, ...] = (frozenset(),) * game.seats
    deal = Deal(
        number=event.number,
        dealer=event.dealer,
        dealt=dealt.hands,
        widow=dealt.widow,
        stock=dealt.stock,
        step=step,
        hands=dealt.hands,
        passes=(None,) * game.seats,
        packets=((),) * game.seats,
        received=none,
        is_tiebreak=tiebreak,
        drawn=(None,) * game.seats if dealt.stock else (),
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
    rules, trick = game.ruleset, deal.trick
    broken = deal.hearts_broken or _breaks_hearts(rules, trick, event.card)
    trick = Trick(trick.leader, (*trick.plays, Play(event.seat, event.card)))
    hands = _with(deal.hands, event.seat, deal.hands[event.seat] - {event.card})
    if rules.draw is Draw.AFTER_EACH_CARD:
        deal = _draw(replace(deal, hands=hands), event.seat)
        hands = deal.hands
    if len(trick.plays) == game.seats * rules.cards_per_player:
        return _close_trick(game, deal, trick, hands, hearts_broken=broken)
    return replace(game, deal=replace(deal, hands=hands, trick=trick, hearts_broken=broken))


def _draw(deal: Deal, seat: Seat) -> Deal:
    if not deal.stock:
        return replace(deal, drawn=_with(deal.drawn, seat, None))
    card, *stock = deal.stock
    return replace(
        deal,
        hands=_with(deal.hands, seat, deal.hands[seat] | {card}),
        stock=tuple(stock),
        drawn=_with(deal.drawn, seat, card),
    )


def _breaks_hearts(ruleset: Ruleset, trick: Trick, card: Card) -> bool:
    # A card that fixes the suit after led jokers is led, too (rules.md 2.1.2a).
    counts = ruleset.break_on_lead or led_suit(trick) is not None
    return counts and fits_any(ruleset.breakers, card)


def _close_trick(
    game: Game, deal: Deal, trick: Trick, hands: tuple[Hand, ...], *, hearts_broken: bool
) -> Game:
    taker = winner(game.ruleset, trick)
    # Where nobody wins, the same seat leads again (rules.md 3.5, `carry_same_leader`).
    following = Trick(trick.leader if taker is None else taker) if any(hands) else None
    after_trick = replace(
        game,
        deal=replace(
            deal,
            hands=hands,
            tricks=(*deal.tricks, Trick(trick.leader, trick.plays, taker)),
            trick=following,
            hearts_broken=hearts_broken,
        ),
    )
    if following is None and needs_choice(after_trick):
        return replace(after_trick, phase=Phase.MOON_CHOICE)
    return after_trick


def _with(items: tuple[Item, ...], place: int, item: Item) -> tuple[Item, ...]:
    return (*items[:place], item, *items[place + 1 :])
