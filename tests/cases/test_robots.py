"""Known cases of robots: B104, B121, B132."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from random import Random

import pytest

from bot.rules import legal
from bot.rules.cards import Card, Hand, Seat, sorted_cards
from bot.rules.legal import to_move
from bot.rules.passing import pass_count
from bot.rules.state import Deal, Game, Phase
from bot.rules.view import seat_view
from tests.support.deals import (
    STANDARD,
    after,
    begun,
    deal_in_play,
    house_rules,
    next_command,
    played,
)
from tests.support.robots import ROBOTS, times

JACK = house_rules(points={"JD": -10})
STEADY = ROBOTS["steady"]


@pytest.mark.case("B104")
@pytest.mark.parametrize("robot", ROBOTS)
@pytest.mark.parametrize("place", range(4))
def test_b104_the_only_card_left_is_played_whatever_lies_in_the_trick(robot, place):
    """Every card of the pack as the last one, first to last to play, against many tricks."""
    dice = Random(place)
    for card in STANDARD.deck(4):
        others = [other for other in STANDARD.deck(4) if other != card]
        for _ in range(8):
            dealt = dice.sample(others, 3)
            dealt.insert(place, card)
            game = deal_in_play(*map(str, dealt), hearts_broken=True)
            game = played(game, " ".join(map(str, dealt[:place])))
            view = seat_view(game, Seat(place))
            assert ROBOTS[robot].choose_card(view, dice) == card


@pytest.mark.case("B104")
@pytest.mark.parametrize("robot", ROBOTS)
@pytest.mark.thorough
def test_b104_no_position_of_a_random_game_gets_an_empty_or_illegal_answer(robot):
    for seed in range(times(robot, 40)):
        for game in positions(Random(seed)):
            answer_is_legal(ROBOTS[robot], game, Random(seed))


def positions(dice: Random) -> Iterator[Game]:
    """Everything a game at random asks its seats during one deal."""
    game = begun(tuple(dice.sample(STANDARD.deck(4), 52)))
    while not game.scores:
        yield game
        game = after(game, next_command(game, dice.sample))


def answer_is_legal(player, game, dice):
    view = seat_view(game, to_move(game)[0])
    if game.phase is Phase.PASSING:
        passed = player.choose_pass(view, dice)
        assert passed <= view.hand
        assert len(passed) == pass_count(view.public.step, 4)
    else:
        assert player.choose_card(view, dice) in view.choice.cards


def answer(game: Game, seat: int) -> str:
    return str(STEADY.choose_card(seat_view(game, Seat(seat)), Random(1)))


@pytest.mark.case("B121")
def test_b121_a_free_jack_is_taken():
    game = deal_in_play("JD 2C", "5D 3C", "6D 4C", "3D KD 5C", ruleset=JACK)
    assert answer(played(game, "JD 5D 6D"), 3) == "KD"


@pytest.mark.case("B121")
def test_b121_a_jack_that_comes_with_the_queen_is_left_alone():
    game = deal_in_play("JD 2C", "QS 3C", "6D 4C", "3D KD 5C", ruleset=JACK)
    assert answer(played(game, "JD QS 6D"), 3) == "3D"


@pytest.mark.case("B121")
def test_b121_a_jack_that_wins_as_the_last_card_is_played():
    game = deal_in_play("5D 2C", "6D 3C", "TD 4C", "JD 2D 5C", ruleset=JACK)
    assert answer(played(game, "5D 6D TD"), 3) == "JD"


@pytest.mark.case("B132")
@pytest.mark.parametrize("robot", ROBOTS)
def test_b132_hidden_cards_may_be_swapped_and_the_decision_stays_the_same(robot):
    for seed in range(times(robot, 15)):
        for game in positions(Random(seed)):
            seat = to_move(game)[0]
            swapped = with_hidden_cards_swapped(game, seat)
            assert decision(ROBOTS[robot], game, seat) == decision(ROBOTS[robot], swapped, seat)


def decision(player, game: Game, seat: Seat) -> Hand:
    """What a robot in *seat* does, with the same dice whatever the cards."""
    view, dice = seat_view(game, seat), Random(1)
    if game.phase is Phase.PASSING:
        return player.choose_pass(view, dice)
    return frozenset({player.choose_card(view, dice)})


def with_hidden_cards_swapped(game: Game, seat: Seat) -> Game:
    """The same game, but two other seats with equally many cards have exchanged their hands."""
    deal = dealt_out(game)
    hands = list(deal.hands)
    pairs = combinations((number for number in range(4) if number != seat), 2)
    one, other = next(pair for pair in pairs if len({len(hands[number]) for number in pair}) == 1)
    hands[one], hands[other] = hands[other], hands[one]
    return replace(game, deal=replace(deal, hands=tuple(hands)))


def dealt_out(game: Game) -> Deal:
    assert game.deal is not None
    return game.deal


@pytest.mark.case("B132")
def test_b132_the_control_a_robot_that_peeks_is_seen_to_decide_otherwise():
    def peek(game: Game, seat: Seat) -> Card:
        left = dealt_out(game).hands[(seat + 1) % 4]
        highest = max(left, key=lambda card: card.order, default=None)
        choice = sorted_cards(legal.choice(game).cards)
        return choice[0] if highest is None or highest.rank > 10 else choice[-1]

    caught = 0
    for game in positions(Random(1)):
        if game.phase is Phase.PLAYING:
            seat = to_move(game)[0]
            caught += peek(game, seat) != peek(with_hidden_cards_swapped(game, seat), seat)
    assert caught > 0
