"""Games in the middle of a deal, from hands in notation.

>>> from bot.rules.legal import choice
>>> game = deal_in_play("2H 9H", "3C 4C", "3D 4D", "3S 4S")
>>> choice(game).cards == cards("2H 9H")
True
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain

from bot.rules.cards import Card, Hand, Seat, parse_cards, sorted_cards
from bot.rules.commands import BeginDeal, Command, PassCards, PlayCard, SettleMoon
from bot.rules.decide import decide, new_game
from bot.rules.dimensions import Hold, MoonPayoff, PassStep, PassTo
from bot.rules.events import Event
from bot.rules.evolve import replay
from bot.rules.legal import choice, to_move
from bot.rules.passing import pass_count
from bot.rules.ruleset import Ruleset
from bot.rules.ruleset_io import from_dict
from bot.rules.settlement import Standing
from bot.rules.state import Deal, Game, Phase, Play, Trick
from bot.rules.tricks import opening_seat
from bot.rules.variants import load

STANDARD = load("standard")

Picker = Callable[[Sequence[Card], int], Iterable[Card]]
"""Takes sorted cards and says which of them, so many: `random.Random.sample` is one."""


def cards(text: str) -> Hand:
    """The cards of *text*, in no order."""
    return frozenset(parse_cards(text))


def house_rules(over: Mapping[str, object] | None = None, /, **more: object) -> Ruleset:
    """The preset ``standard`` with some keys changed, in the spelling of records."""
    return from_dict({"extends": "standard", **(over or {}), **more})


def based_on(preset: str, **over: object) -> Ruleset:
    """A preset with some keys changed, in the spelling of records."""
    return from_dict({"extends": preset, **over})


def standing(ruleset: Ruleset, totals: tuple[int, ...]) -> Standing:
    """These totals after the fifth deal."""
    return Standing(ruleset=ruleset, deal=5, totals=totals)


def deal_in_play(
    *hands: str,
    ruleset: Ruleset = STANDARD,
    leader: int = 0,
    dealer: int | None = None,
    hearts_broken: bool = False,
    totals: tuple[int, ...] | None = None,
) -> Game:
    """A game past its first trick: *leader* is to lead from these hands of any equal size.

    The first trick was won by *leader* and held only cards that nobody has and that cost nothing.
    """
    held = tuple(map(cards, hands))
    seats = len(held)
    free = [
        card
        for card in sorted_cards(frozenset(ruleset.deck(seats)) - frozenset().union(*held))
        if not ruleset.points_of(card)
    ]
    fallen = tuple(Play(Seat((leader + i) % seats), free[i]) for i in range(seats))
    gone = {play.seat: play.card for play in fallen}
    dealt = tuple(hand | {gone[Seat(i)]} for i, hand in enumerate(held))
    deal = replace(
        _deal(dealt, Hold(), _dealer(dealer, seats)),
        hands=held,
        tricks=(Trick(Seat(leader), fallen, Seat(leader)),),
        trick=Trick(Seat(leader)),
        hearts_broken=hearts_broken,
    )
    return _game(ruleset, deal, Phase.PLAYING, totals)


def deal_opening(*hands: str, ruleset: Ruleset = STANDARD, dealer: int | None = None) -> Game:
    """A game before its first lead, nothing to be passed, from hands of any equal size."""
    held = tuple(map(cards, hands))
    deal = _deal(held, Hold(), _dealer(dealer, len(held)))
    lead = Trick(opening_seat(ruleset, held, deal.dealer))
    return _game(ruleset, replace(deal, trick=lead), Phase.PLAYING, None)


def deal_to_pass(
    *hands: str,
    step: PassStep = PassTo(1, 3),  # noqa: B008  a frozen value
    ruleset: Ruleset = STANDARD,
    dealer: int | None = None,
) -> Game:
    """A game that waits for every seat's pass, from hands of any equal size."""
    held = tuple(map(cards, hands))
    deal = _deal(held, step, _dealer(dealer, len(held)))
    return _game(ruleset, deal, Phase.PASSING, None)


def order_of(hands: Sequence[Iterable[Card]], dealer: int) -> tuple[Card, ...]:
    """The deck order that deals out exactly these hands, which are all of one size."""
    seats = len(hands)
    ordered = [sorted_cards(frozenset(hands[(dealer + 1 + i) % seats])) for i in range(seats)]
    return tuple(chain.from_iterable(zip(*ordered, strict=True)))


def begun(
    order: tuple[Card, ...], ruleset: Ruleset = STANDARD, seats: int = 4, dealer: int = -1
) -> Game:
    """A new game whose first deal has been dealt; *dealer* is the last seat if not said."""
    game = new_game(ruleset, seats, Seat(dealer % seats))
    return after(game, BeginDeal(order))


def after(game: Game, *commands: Command) -> Game:
    """The game once all *commands* have been carried out."""
    for command in commands:
        game = replay(game, decide(game, command))
    return game


def played(game: Game, text: str) -> Game:
    """The game after these cards, each laid down by the seat whose turn it is."""
    for card in parse_cards(text):
        game = after(game, PlayCard(to_move(game)[0], card))
    return game


def next_command(game: Game, pick: Picker, order: tuple[Card, ...] | None = None) -> Command:
    """A legal command for a game that is not over; cards are picked by *pick*.

    The deck is dealt in *order*; left out, as it is picked.
    """
    if game.phase is Phase.DEALING:
        deck = game.ruleset.deck(game.seats)
        return BeginDeal(order or tuple(pick(deck, len(deck))))
    seat = to_move(game)[0]
    if game.phase is Phase.MOON_CHOICE:
        return SettleMoon(seat, MoonPayoff.ADD_OTHERS)
    if game.phase is Phase.PLAYING:
        (card,) = pick(sorted_cards(choice(game).cards), 1)
        return PlayCard(seat, card)
    assert game.deal is not None
    count = pass_count(game.deal.step, game.seats)
    return PassCards(seat, frozenset(pick(sorted_cards(game.deal.hands[seat]), count)))


def deal_played_out(game: Game, pick: Picker) -> tuple[Game, list[Event]]:
    """The game after the deal under way, or the next one, has its score; and what happened."""
    log: list[Event] = []
    known = len(game.scores)
    while len(game.scores) == known:
        events = decide(game, next_command(game, pick))
        log += events
        game = replay(game, events)
    return game, log


def _dealer(dealer: int | None, seats: int) -> Seat:
    return Seat(seats - 1 if dealer is None else dealer)


def _deal(hands: tuple[Hand, ...], step: PassStep, dealer: Seat) -> Deal:
    nothing: Hand = frozenset()
    return Deal(
        number=1,
        dealer=dealer,
        dealt=hands,
        step=step,
        hands=hands,
        passes=(None,) * len(hands),
        packets=((),) * len(hands),
        received=(nothing,) * len(hands),
    )


def _game(ruleset: Ruleset, deal: Deal, phase: Phase, totals: tuple[int, ...] | None) -> Game:
    seats = len(deal.hands)
    game = replace(new_game(ruleset, seats, deal.dealer), deal=deal, phase=phase)
    return game if totals is None else replace(game, totals=totals)
