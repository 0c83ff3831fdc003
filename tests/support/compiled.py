"""Deals played by `bot.rules` and by the compiled rules at once, card by card.

In half the deals one seat is dealt the high cards and grabs tricks, so that moons are among them.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from random import Random

from bot.ai.compiled import CompiledRules
from bot.ai.position import NOBODY, Position
from bot.ai.reckoning import Reckoning
from bot.rules.cards import Card, Seat, sorted_cards
from bot.rules.commands import BeginDeal, Command, PassCards
from bot.rules.decide import decide, new_game
from bot.rules.dimensions import MoonPayoff
from bot.rules.events import CardPlayed, Event
from bot.rules.evolve import replay
from bot.rules.legal import choice, to_move
from bot.rules.passing import pass_count
from bot.rules.piles import piles
from bot.rules.ruleset import Ruleset
from bot.rules.state import Deal, Game, Phase, Score
from tests.support import seeded

Plant = Callable[[CompiledRules, Reckoning], None]
"""Spoils the compiled rules."""


def no_plant(_: CompiledRules, __: Reckoning) -> None:
    """The rules as they are."""


def follow(
    ruleset: Ruleset, seats: int, dice: Random, *, deals: int, plant: Plant = no_plant
) -> Counter[str]:
    """Play so many deals both ways; how many cards fell and moons were shot.

    Raises:
        AssertionError: they differ in a choice, a pile or a score.
    """
    rules = CompiledRules(ruleset, seats)
    reckoning = Reckoning(rules)
    plant(rules, reckoning)
    met: Counter[str] = Counter()
    while met["deals"] < deals:
        game = new_game(ruleset, seats, Seat(dice.randrange(seats)))
        while game.phase is not Phase.OVER and met["deals"] < deals:
            game = _follow_deal(rules, reckoning, game, dice, met)
    return met


def _follow_deal(
    rules: CompiledRules, reckoning: Reckoning, game: Game, dice: Random, met: Counter[str]
) -> Game:
    grabber = Seat(dice.randrange(game.seats)) if dice.random() < 0.5 else None
    at, known = None, len(game.scores)
    while len(game.scores) == known and game.phase is not Phase.OVER:
        before = game
        events = decide(game, _command(game, dice, grabber))
        game = replay(game, events)
        if at is not None:
            _follow_events(rules, at, events)
        if game.phase is Phase.PLAYING:
            at = at or position_of(rules, game)
            _compare_choice(rules, at, game)
        met["cards"] += sum(isinstance(event, CardPlayed) for event in events)
    if at is not None and len(game.scores) > known:
        _compare_points(reckoning, at, before.totals, game.scores[-1])
        _compare_piles(rules, at, game)
        met["deals"] += 1
        met["moons"] += game.scores[-1].moon is not None
    return game


def dealt(rules: CompiledRules, dice: Random) -> Position:
    """A random deal before its first card."""
    game = new_game(rules.ruleset, rules.seats, Seat(dice.randrange(rules.seats)))
    while game.phase is not Phase.PLAYING:
        game = replay(game, decide(game, seeded.command(game, dice)))
    return position_of(rules, game)


def position_of(rules: CompiledRules, game: Game) -> Position:
    """The deal under way, of which no card has fallen yet, for the compiled rules."""
    deal = deal_of(game)
    at = rules.begin([rules.set_of(hand) for hand in deal.hands], deal.dealer)
    at.widow = rules.set_of(deal.widow)
    at.stock = [rules.bit[card] for card in reversed(deal.stock)]
    at.moon_counts = game.ruleset.tiebreak_moon or not deal.is_tiebreak
    return at


def deal_of(game: Game) -> Deal:
    assert game.deal is not None
    return game.deal


def _command(game: Game, dice: Random, grabber: Seat | None) -> Command:
    if grabber is not None and game.phase is Phase.PASSING and grabber in to_move(game):
        deal = deal_of(game)
        low = sorted(deal.hands[grabber], key=lambda card: (card.rank, card.order))
        return PassCards(grabber, frozenset(low[: pass_count(deal.step, game.seats)]))
    command = seeded.command(game, dice, grabber)
    if grabber is not None and isinstance(command, BeginDeal):
        return BeginDeal(_rigged(command.order, game, grabber, dice))
    return command


def _rigged(order: Sequence[Card], game: Game, grabber: Seat, dice: Random) -> tuple[Card, ...]:
    """The same cards, with high ones where the cards of *grabber* come from."""
    seats = game.seats
    places = [*range((grabber - game.dealer - 1) % seats, len(order), seats)]
    luck = {card: (card.suit is not None) * card.rank + dice.random() for card in order}
    best = sorted(order, key=lambda card: luck[card])[-len(places) :]
    rest = iter([card for card in order if card not in best])
    mine = iter(best)
    return tuple(next(mine) if n in places else next(rest) for n in range(len(order)))


def _follow_events(rules: CompiledRules, at: Position, events: Sequence[Event]) -> None:
    for event in events:
        if isinstance(event, CardPlayed):
            rules.play(at, rules.bit[event.card])


def _compare_choice(rules: CompiledRules, at: Position, game: Game) -> None:
    assert (at.turn,) == to_move(game)
    assert sorted_cards(rules.cards_of(rules.legal(at))) == sorted_cards(choice(game).cards)
    if not at.laid:
        _compare_piles(rules, at, game)


def _compare_piles(rules: CompiledRules, at: Position, game: Game) -> None:
    lie = piles(game.ruleset, deal_of(game))
    found = list(at.piles)
    if at.widow_taker != NOBODY:
        found[at.widow_taker] |= at.widow
    assert found == [rules.set_of(pile) for pile in lie.by_seat]
    assert at.tabled == rules.set_of(lie.waiting | lie.dead)


def _compare_points(
    reckoning: Reckoning, at: Position, totals: Sequence[int], score: Score
) -> None:
    assert at.is_over
    payoff = score.moon.payoff if score.moon else MoonPayoff.ADD_OTHERS
    assert tuple(reckoning.points(at, payoff, totals)) == score.points
