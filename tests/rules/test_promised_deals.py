"""Promise 12 (reliability.md 6): deals of every variant at random, and actions against the rules.

Every result is held against a second reading of the rules, and so is every state of one deal in
fifty.
"""

import pickle
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

from bot.rules import variants
from bot.rules.cards import Card, Seat, sorted_cards
from bot.rules.commands import BeginDeal, Command, PassCards, PlayCard, SettleMoon
from bot.rules.decide import decide
from bot.rules.dimensions import MoonPayoff
from bot.rules.errors import HeartsError
from bot.rules.legal import choice, to_move
from bot.rules.state import Game, Phase
from tests.support.forms import times
from tests.support.rulesets import EVERY_TABLE
from tests.support.second_reading import check_score, check_state
from tests.support.seeded import course

DEALS = times(10_000, 200_000)
SHARES = 4
"""Parts into which the variants are divided, for the machine to play at once."""
EACH_LOOKED_AT = 50
"""Every so many deals, each of its states is looked at."""
DEALS_A_GAME = 10
EACH_REFUSED = 55
"""Every so many commands on average, another is tried first that the rules forbid."""


def hand_of(game: Game, seat: Seat) -> tuple[Card, ...]:
    return () if game.deal is None else tuple(sorted_cards(game.deal.hands[seat]))


def illegal(game: Game, dice: Random) -> Iterator[Command]:
    """What the rules forbid in a state of a game, one of each kind that there is."""
    seat = Seat(dice.randrange(game.seats))
    deck = game.ruleset.deck(game.seats)
    if game.phase is Phase.PLAYING:
        turn = to_move(game)[0]
        allowed, held = choice(game).cards, hand_of(game, turn)
        if kept_back := [card for card in held if card not in allowed]:
            yield PlayCard(turn, dice.choice(kept_back))
        yield PlayCard(turn, dice.choice([card for card in deck if card not in held]))
        other = Seat((turn + 1) % game.seats)
        if cards := hand_of(game, other):
            yield PlayCard(other, dice.choice(cards))
        yield PassCards(seat, frozenset(hand_of(game, seat)[:3]))
    if game.phase is Phase.PASSING:
        yield PlayCard(seat, hand_of(game, seat)[0])
        yield PassCards(seat, frozenset())
        yield PassCards(seat, frozenset(hand_of(game, seat)))
    if game.phase is not Phase.MOON_CHOICE:
        yield SettleMoon(seat, MoonPayoff.ADD_OTHERS)
    yield BeginDeal(deck[1:] if game.phase is Phase.DEALING else deck)


def is_refused(game: Game, command: Command) -> bool:
    """Whether a command is refused and leaves the game as it was."""
    before = pickle.dumps((game.phase, game.deal, game.scores))
    try:
        decide(game, command)
    except HeartsError:
        return pickle.dumps((game.phase, game.deal, game.scores)) == before
    return False


def played(name: str, seats: int, deals: int, dice: Random, counts: Counter[str]) -> None:
    """So many deals of a preset, and an action against the rules in each of them."""
    begun = 0
    while begun < deals:
        most = min(DEALS_A_GAME, deals - begun)
        for game, _ in course(variants.load(name), seats, dice, deals=most):
            is_over = game.phase in {Phase.DEALING, Phase.OVER}
            number = begun + len(game.scores) - is_over
            if is_over:
                check_score(game)
            if number % EACH_LOOKED_AT == 0:
                check_state(game)
            if dice.random() < 1 / EACH_REFUSED:
                command = dice.choice([*illegal(game, dice)])
                assert is_refused(game, command), f"{name} for {seats}: {type(command).__name__}"
                counts["refused"] += 1
        begun += len(game.scores)
        counts["deals"] += len(game.scores)


@pytest.mark.promise(12)
@pytest.mark.thorough
@pytest.mark.parametrize("share", range(SHARES))
def test_no_card_and_no_point_is_lost_and_what_is_forbidden_changes_nothing(share: int):
    counts: Counter[str] = Counter()
    each = -(-DEALS // len(EVERY_TABLE))
    for number, (name, seats) in [*enumerate(EVERY_TABLE)][share::SHARES]:
        played(name, seats, each, Random(number), counts)
    tables = len(EVERY_TABLE[share::SHARES])
    print(
        f"promise 12: {counts['deals']:,} deals of {tables} games, "
        f"{counts['refused']:,} actions refused"
    )
    assert counts["refused"] >= counts["deals"]


def test_a_wrong_total_in_a_deal_would_be_noticed():
    """The control."""
    *_, (game, _) = course(variants.load("standard"), 4, Random(0), deals=1)
    check_score(game)
    score = game.scores[-1]
    wrong = replace(score, points=(*score.points[:-1], score.points[-1] + 1))
    with pytest.raises(AssertionError):
        check_score(replace(game, scores=(wrong,)))


def test_an_action_that_is_allowed_would_be_noticed():
    """The control."""
    game = next(
        game
        for game, _ in course(variants.load("standard"), 4, Random(0), deals=1)
        if game.phase is Phase.PLAYING
    )
    assert not is_refused(game, PlayCard(to_move(game)[0], sorted_cards(choice(game).cards)[0]))
