"""Who plays in the arena, and with what budget."""

from random import Random

import pytest

from bot.ai import LEVELS
from bot.arena import levels
from bot.arena.at_random import AtRandom
from bot.rules.cards import Seat
from bot.rules.view import seat_view
from tests.support.deals import deal_in_play


class Thinker(AtRandom):
    """Searches, as far as budgets are concerned: a thousand cards take a second by its clock."""

    def __init__(self, moves=None):
        self.moves = moves
        self.now = [0.0]
        self.budgets = []

    def with_budget(self, moves):
        other = Thinker(moves)
        other.now, other.budgets = self.now, self.budgets
        return other

    def choose_card(self, view, rng):
        self.budgets.append(self.moves)
        self.now[0] += (self.moves or 0) * len(view.hand) / 1000
        return super().choose_card(view, rng)

    def choose_pass(self, view, rng):
        raise AssertionError("nothing is passed here")


def test_every_level_plays_and_one_without_skill_for_scale():
    assert set(levels.NAMES) == {*LEVELS, "random"}
    assert isinstance(levels.player("random"), AtRandom)
    with pytest.raises(KeyError):
        levels.player("genius")


def test_a_budget_is_for_whoever_searches(monkeypatch):
    monkeypatch.setattr(levels, "LEVELS", {"thinker": Thinker(), **LEVELS})
    assert levels.player("thinker", moves=40).moves == 40
    assert levels.player("thinker").moves is None
    assert levels.player("steady", moves=40) is LEVELS["steady"]


def test_a_budget_of_time_becomes_as_many_moves_as_fit():
    """A tenth of a second is a hundred cards, and so fifty moves with a hand of two."""
    thinker = Thinker()
    paced = levels.Paced(thinker, 0.1, lambda: thinker.now[0])
    view = seat_view(deal_in_play("2H 9H", "3C 4C", "3D 4D", "3S 4S"), Seat(0))
    for _ in range(3):
        paced.choose_card(view, Random(1))
    assert thinker.budgets[-2:] == [50, 50]


def test_a_forced_card_needs_no_budget():
    thinker = Thinker()
    paced = levels.Paced(thinker, 0.1, lambda: thinker.now[0])
    view = seat_view(deal_in_play("2H", "3C", "3D", "3S"), Seat(0))
    paced.choose_card(view, Random(1))
    assert thinker.budgets == [None]
