"""Rules that no preset has and a table may still choose: how they are read and told."""

from dataclasses import replace

import pytest

from bot.rules.describe import describe
from bot.rules.dimensions import Duplicates, NoTrickBonus
from bot.rules.errors import RulesetError
from bot.rules.ruleset_io import from_dict
from bot.rules.scoring import safe_payoff
from tests.support.deals import deal_in_play, house_rules

ALL_HEARTS = [f"{rank}H" for rank in "23456789TJQKA"]


def told(rules, seats=4):
    return " ".join(str(sentence) for sentence in describe(rules, seats))


@pytest.mark.parametrize(
    ("keys", "path"),
    [
        ({"remove": {"4": ["2C.2"]}}, "remove.4"),
        ({"remove": {"4": ["JK"]}}, "remove.4"),
        ({"ranks": "2X"}, "ranks"),
        ({"widow": {"positions": ["last", "first"]}}, "widow.positions"),
    ],
)
def test_a_value_that_no_rule_knows_is_named_by_its_path(keys, path):
    """record.md: a fault has the path of its key."""
    with pytest.raises(RulesetError) as refused:
        house_rules(keys)
    assert refused.value.faults[0].startswith(f"{path}: ")


def test_a_bonus_that_is_off_is_none():
    """rules.md 3.6."""
    assert house_rules(no_trick_bonus="off").no_trick_bonus == NoTrickBonus()


def test_every_copy_of_a_card_may_be_put_aside():
    two_packs = {"packs": 2, "duplicates": "later_wins", "players": [6]}
    rules = house_rules(two_packs, remove={"6": ["2C", "2C"]})
    assert "every 2C" in told(rules, 6)
    one = house_rules(two_packs, remove={"6": ["2C", "2D"]})
    assert "every 2C" not in told(one, 6)


def test_a_widow_can_go_with_the_first_card_that_brings_points():
    over = {"hand": 12, "rest": "widow", "widow": {"take": "first_penalty"}}
    assert "first card that brings points" in told(from_dict({"extends": "reverse", **over}))


def test_a_cycle_that_begins_with_a_scatter_does_not_go_further_each_deal():
    on = [{"to": to, "n": 3} for to in (1, 2, 3, 1)]
    scattered = house_rules(players=[4], pass_cycle=[{"scatter": 1}, *on, "hold"])
    assert "every other player" in told(scattered)


def test_hearts_that_cost_nothing_are_said_to():
    assert "Hearts are worth no points." in told(house_rules(points={"H*": 0}))
    assert "Hearts are worth no points." not in told(house_rules())


def test_nothing_is_said_of_hearts_where_there_are_none():
    none = house_rules(players=[3], remove={"3": ALL_HEARTS}, points={"H*": 0})
    assert "Hearts are worth no points." not in told(none, 3)


def test_no_queen_is_forced_out_where_there_is_none():
    rules = {"ranks": "3456789TJKA", "points": {"QS": 0}, "players": [4], "remove": []}
    forced = house_rules(rules, void_play="qs_first_chance")
    assert told(forced) == told(house_rules(rules))


def test_equal_cards_without_a_rule_are_not_spoken_of():
    """Validation refuses such rules; a description must not fail on them all the same."""
    rules = house_rules(packs=2, duplicates="later_wins", players=[6], remove={"6": ["2C", "2D"]})
    assert told(replace(rules, duplicates=Duplicates.NONE), 6) != told(rules, 6)


def test_a_moon_needs_no_card_of_a_widow_that_nobody_gets():
    """Rules.md 3.3: dead cards count for nobody, so they stop no moon unless the rules say so."""
    kitty = {"remove": {"4": []}, "rest": {"4": "widow"}, "widow": {"size": 4, "take": "dead"}}
    excused = house_rules({**kitty, "hand": {"4": 12}}, moon={"widow_points_void": False})
    assert "Cards in the widow are not needed." in told(excused)


def test_a_moon_needs_no_card_of_a_widow_that_nobody_happened_to_get():
    """Where cancelled pairs can leave the last trick without a winner (rules.md 2.3)."""
    kitty = {"rest": {"6": "widow"}, "widow": {"size": 4, "take": "last_trick"}}
    two_packs = {"packs": 2, "duplicates": "cancel_pairs", "no_winner_last": "dead"}
    over = {**kitty, **two_packs, "players": [6], "hand": {"6": 16}}
    rules = house_rules(over, moon={"widow_points_void": False})
    assert "If nobody gets the widow, its cards are not needed." in told(rules, 6)


def test_nobody_is_asked_how_a_moon_is_paid_that_was_not_shot():
    with pytest.raises(ValueError, match="nobody shot the moon"):
        safe_payoff(deal_in_play("2C", "3C", "4C", "5C"))
