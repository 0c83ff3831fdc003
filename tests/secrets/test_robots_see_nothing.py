"""Robots decide the same wherever the hidden cards lie, at every preset (row 13; B132)."""

from collections.abc import Iterator
from itertools import islice
from random import Random

import pytest

from bot.ai import Player
from bot.rules.cards import Hand, Seat, sorted_cards
from bot.rules.legal import to_move
from bot.rules.state import Game, Phase
from bot.rules.view import SeatView, seat_view
from tests.support import forms
from tests.support.hidden import otherwise
from tests.support.pairs import moments
from tests.support.robots import ROBOTS, times

POSITIONS = forms.times(1_000, 20_000)


def asked(seed: str) -> Iterator[tuple[Game, Game, Seat]]:
    """Positions in which a seat is asked, as they are and as they might be for all it knows."""
    dice = Random(seed)
    for game in moments(dice, each=6):
        if game.phase in {Phase.PASSING, Phase.PLAYING}:
            seat = dice.choice(to_move(game))
            yield game, otherwise(game, seat, dice), seat


def decision(robot: Player, view: SeatView) -> Hand:
    """What a robot does, with the same dice whatever the cards."""
    dice = Random(1)
    if view.public.phase is Phase.PASSING:
        return robot.choose_pass(view, dice)
    return frozenset({robot.choose_card(view, dice)})


@pytest.mark.promise(13)
@pytest.mark.thorough
@pytest.mark.parametrize("robot", ROBOTS)
def test_b132_no_robot_decides_otherwise_where_hidden_cards_lie_otherwise(robot: str):
    player, count = ROBOTS[robot], times(robot, POSITIONS)
    for game, other, seat in islice(asked(robot), count):
        views = seat_view(game, seat), seat_view(other, seat)
        assert views[0] == views[1]
        assert decision(player, views[0]) == decision(player, views[1]), game.ruleset.id
    print(f"promise 13: {count:,} decisions of {robot} robots, the same twice")


def test_b132_control_a_robot_that_peeks_is_found():
    def peeking(game: Game, seat: Seat) -> int:
        assert game.deal is not None
        others = [hand for each, hand in enumerate(game.deal.hands) if each != seat and hand]
        return sorted_cards(others[0])[0].order[1] if others else 0

    found = (peeking(one, seat) != peeking(other, seat) for one, other, seat in asked("peek"))
    assert any(islice(found, 50))
