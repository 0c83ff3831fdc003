"""Players play games without a table (house.md 4.2)."""

from random import Random

import pytest

from bot.ai import LEVELS
from bot.arena import match
from bot.rules.decide import new_game
from bot.rules.errors import IllegalMoveError, RulesetError
from bot.rules.events import DealBegan, GameEnded, LastDealCalled
from bot.rules.evolve import replay
from bot.rules.state import Phase
from tests.support.deals import STANDARD, house_rules

STEADY = [LEVELS["steady"]] * 4


def test_as_many_deals_are_played_as_wanted_in_as_many_games_as_they_take():
    games = list(match.play(house_rules(end={"hands": 3}), STEADY, Random(1), deals=7))
    assert [len(game.scores) for game in games] == [3, 3, 1]


def test_a_game_stops_at_its_end_although_more_deals_are_wanted():
    rules = house_rules(end="single", tie="share")
    game = match.play_game(rules, STEADY, Random(1), deals=9)
    assert len(game.scores) == 1


@pytest.mark.parametrize("end", [{"hands": "open"}, {"minutes": 60}])
def test_a_game_that_nobody_ends_is_called_over(end):
    """rules.md 3.8: the end is the players' word or the clock's, and nobody is there to say it."""
    game = match.play_game(house_rules(end=end, tie="share"), STEADY, Random(1), deals=99)
    assert len(game.scores) == match.CALLED_AFTER
    assert isinstance(game.events[-1], GameEnded)
    assert LastDealCalled() in game.events


def test_the_events_of_a_game_replay_to_its_scores():
    game = match.play_game(STANDARD, STEADY, Random(2), deals=2)
    first = next(event for event in game.events if isinstance(event, DealBegan))
    after = replay(new_game(STANDARD, 4, first.dealer), game.events)
    assert after.scores == game.scores
    assert after.phase is Phase.DEALING


def test_a_shooter_is_asked_how_the_moon_is_paid():
    choice = house_rules(moon={"payoff": "shooter_choice"}, points={"H*": 0, "QS": 13})
    game = match.play_game(choice, STEADY, Random(3), deals=2)
    assert all(score.moon is not None for score in game.scores)


def test_a_cheat_is_caught():
    class Cheat:
        def choose_pass(self, view, rng):
            return frozenset()

        choose_card = choose_moon = choose_pass

    with pytest.raises(IllegalMoveError):
        match.play_game(STANDARD, [Cheat(), *STEADY[1:]], Random(1), deals=1)


def test_two_seats_do_not_make_a_game_for_three_to_six():
    with pytest.raises(RulesetError):
        match.play_game(STANDARD, STEADY[:2], Random(1), deals=1)
