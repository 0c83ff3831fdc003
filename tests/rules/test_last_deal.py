"""Games that end by a call: of the players, or of the clock (rules.md 3.8)."""

from dataclasses import replace
from random import Random

import pytest

from bot.rules.commands import BeginDeal, CallLastDeal
from bot.rules.decide import decide, new_game
from bot.rules.errors import IllegalMoveError, Reason
from bot.rules.events import GameEnded, LastDealCalled
from bot.rules.evolve import replay
from bot.rules.state import Game, Phase
from tests.support.deals import after, begun, deal_played_out, house_rules

BY_CALL = [{"minutes": 60}, {"hands": "open"}]


def under_way(end: object, tie: str = "share") -> Game:
    rules = house_rules(end=end, tie=tie)
    return begun(rules.deck(4), rules)


@pytest.mark.parametrize("end", BY_CALL)
def test_without_a_call_the_game_goes_on(end: object):
    game = under_way(end)
    for _ in range(20):
        game, _ = deal_played_out(game, Random(5).sample)
    assert max(game.totals) > 100
    assert game.phase is Phase.DEALING


@pytest.mark.parametrize("end", BY_CALL)
def test_the_deal_under_way_is_played_out_and_is_the_last(end: object):
    game = after(under_way(end), CallLastDeal())
    assert game.last_deal
    assert game.phase is Phase.PASSING
    game, _ = deal_played_out(game, Random(5).sample)
    assert game.phase is Phase.OVER
    assert len(game.scores) == 1


@pytest.mark.parametrize("end", BY_CALL)
def test_between_two_deals_the_call_ends_the_game(end: object):
    game, _ = deal_played_out(under_way(end), Random(5).sample)
    events = decide(game, CallLastDeal())
    assert events[0] == LastDealCalled()
    assert isinstance(events[1], GameEnded)
    assert replay(game, events).phase is Phase.OVER


def test_a_tie_is_played_off_after_the_last_deal():
    """rules.md 3.8: extra deals, as for a target."""
    game, _ = deal_played_out(under_way({"minutes": 60}, tie="extra_hands"), Random(5).sample)
    best = min(game.totals)
    tied = replace(game, totals=(best, best, best + 1, best + 2))
    assert decide(tied, CallLastDeal()) == (LastDealCalled(),)


@pytest.mark.parametrize(
    "end", [{"target": 100}, {"hands": 4}, "single"], ids=["target", "deals", "single"]
)
def test_where_the_rules_say_the_end_nobody_calls_it(end: object):
    with pytest.raises(IllegalMoveError) as refused:
        decide(under_way(end), CallLastDeal())
    assert refused.value.reason is Reason.NOT_NOW


def test_it_is_called_once_and_not_before_the_first_deal():
    rules = house_rules(end={"hands": "open"})
    for game in (new_game(rules, 4, 0), after(under_way({"hands": "open"}), CallLastDeal())):
        with pytest.raises(IllegalMoveError) as refused:
            decide(game, CallLastDeal())
        assert refused.value.reason is Reason.NOT_NOW


def test_what_is_over_stays_over():
    game = after(under_way({"hands": "open"}), CallLastDeal())
    game, _ = deal_played_out(game, Random(5).sample)
    for command in (CallLastDeal(), BeginDeal(game.ruleset.deck(4))):
        with pytest.raises(IllegalMoveError):
            decide(game, command)
