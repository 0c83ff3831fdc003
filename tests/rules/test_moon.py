"""Who shot the moon, and how it is paid (rules.md 3.7, 2.4.11, 4.2)."""

from dataclasses import replace

import pytest

from bot.rules.cards import Seat
from bot.rules.decide import new_game
from bot.rules.dimensions import MoonPayoff
from bot.rules.moon import needs_choice, payments, shooter
from bot.rules.scoring import safe_payoff, score
from bot.rules.selectors import Selector
from bot.rules.state import Game
from tests.support.deals import STANDARD, house_rules
from tests.support.taken import ALL_HEARTS, deal_taken

ADD, SUBTRACT = MoonPayoff.ADD_OTHERS, MoonPayoff.SUBTRACT_SELF
CHOICE_WORDS = {"payoff": "shooter_choice"}
CHOICE = house_rules(moon=CHOICE_WORDS)
JACK = {"JD": -10}
PROTECTED = {"payoff": "add_unless_shooter_then_loses"}


def moon_at(totals: tuple[int, ...], **rules: object) -> Game:
    """Seat 0 has shot the moon; *totals* are those before."""
    nothing = ("",) * (len(totals) - 1)
    ruleset = house_rules(**rules)
    return deal_taken(f"QS {ALL_HEARTS}", *nothing, ruleset=ruleset, totals=totals)


def test_every_penalty_card_in_one_pile_is_a_moon():
    assert shooter(deal_taken("", "", f"QS {ALL_HEARTS}", "")) == 2


def test_a_moon_is_not_shot_where_the_rules_have_none():
    rules = house_rules(moon={"on": False})
    game = deal_taken(f"QS {ALL_HEARTS}", "", "", "", ruleset=rules)
    assert shooter(game) is None
    assert score(game, None).points == (26, 0, 0, 0)


def test_nobody_shoots_before_the_first_deal():
    game = new_game(STANDARD, 4, Seat(0))
    assert shooter(game) is None
    assert not needs_choice(game)


def test_where_no_card_costs_anything_there_is_no_moon():
    """The bonus cards alone are none, even where they are needed."""
    game = deal_taken("JD", "", "", "", ruleset=house_rules(moon={"bonus": True}, points=JACK))
    harmless = replace(game.ruleset, points=((Selector("JD"), -10),))
    assert shooter(replace(game, ruleset=harmless)) is None


def test_a_heart_that_costs_nothing_is_not_needed():
    """rules.md 3.7: required are the cards above 0, whatever their suit."""
    rules = house_rules(points={"2H": 0})
    game = deal_taken(f"QS {ALL_HEARTS[3:]}", "2H", "", "", ruleset=rules)
    assert shooter(game) == 0


def test_a_needed_bonus_card_elsewhere_leaves_the_shooter_with_all_points():
    """rules.md 2.5.4: who takes everything but the bonus card simply scores 26."""
    rules = house_rules(points=JACK, moon={"bonus": True})
    game = deal_taken(f"QS {ALL_HEARTS}", "JD", "", "", ruleset=rules)
    assert shooter(game) is None
    assert score(game, None).points == (26, -10, 0, 0)


def test_the_choice_is_wanted_only_where_the_rules_give_it_and_a_moon_was_shot():
    assert needs_choice(deal_taken(f"QS {ALL_HEARTS}", "", "", "", ruleset=CHOICE))
    assert not needs_choice(deal_taken("QS", ALL_HEARTS, "", "", ruleset=CHOICE))
    assert not needs_choice(deal_taken(f"QS {ALL_HEARTS}", "", "", ""))


@pytest.mark.parametrize(
    ("totals", "safe"),
    [
        ((20, 30, 40, 80), ADD),
        ((20, 30, 40, 60), SUBTRACT),
        ((90, 30, 40, 80), SUBTRACT),
        ((56, 30, 40, 80), SUBTRACT),
    ],
    ids=["ends and wins", "does not end", "ends and loses", "ends in a tie and plays on"],
)
def test_the_safe_payoff_adds_only_if_that_ends_the_game_with_the_shooter_in_front(
    totals: tuple[int, ...], safe: MoonPayoff
):
    """rules.md 4.2, design note 1."""
    assert safe_payoff(moon_at(totals, moon=CHOICE_WORDS)) is safe


def test_the_safe_payoff_takes_a_shared_win():
    assert safe_payoff(moon_at((56, 30, 40, 80), moon=CHOICE_WORDS, tie="share")) is ADD


@pytest.mark.parametrize(
    ("totals", "rules", "applied"),
    [
        ((20, 30, 40, 80), {}, ADD),
        ((90, 30, 40, 60), {}, ADD),
        ((90, 30, 40, 80), {}, SUBTRACT),
        ((56, 30, 40, 80), {}, ADD),
        ((56, 30, 40, 80), {"tie": "share"}, ADD),
        ((57, 30, 40, 80), {"tie": "share"}, SUBTRACT),
        ((90, 30, 40, 74), {"exact": {"100": 0}}, ADD),
        ((90, 30, 40, 60), {"end": {"hands": 1}}, SUBTRACT),
        ((90, 30, 40, 60), {"end": {"hands": 2}}, ADD),
        ((90, 30, 40, 60), {"end": "single"}, SUBTRACT),
    ],
    ids=[
        "the shooter wins",
        "the game goes on",
        "somebody else would win",
        "a tie goes on",
        "a tie is shared",
        "one below the shooter",
        "an exact total is reset, so the game goes on",
        "the last deal",
        "the last but one",
        "the only deal",
    ],
)
def test_a_protected_moon_adds_unless_the_game_would_end_with_somebody_below_the_shooter(
    totals: tuple[int, ...], rules: dict[str, object], applied: MoonPayoff
):
    """rules.md 2.4.11."""
    result = score(moon_at(totals, moon=PROTECTED, **rules), None)
    assert result.moon is not None
    assert result.moon.payoff is applied


def test_a_card_that_takes_points_off_others_counts_before_a_moon_is_protected():
    """The jack of diamonds drops seat 3 below the target: the game goes on, so 26 are added."""
    rules = {"moon": PROTECTED, "points": JACK}
    ruleset = house_rules(rules)
    totals = (90, 35, 40, 80)
    with_jack = deal_taken(f"QS {ALL_HEARTS}", "", "", "JD", ruleset=ruleset, totals=totals)
    without = deal_taken(f"QS {ALL_HEARTS}", "", "JD", "", ruleset=ruleset, totals=totals)
    assert score(with_jack, None).totals == (90, 61, 66, 96)
    assert score(without, None).totals == (64, 35, 30, 80)


def test_there_is_nothing_to_pay_without_a_moon():
    with pytest.raises(ValueError, match="nobody shot"):
        payments(deal_taken("QS", ALL_HEARTS, "", ""), ADD)
    with pytest.raises(ValueError, match="nobody shot"):
        payments(new_game(STANDARD, 4, Seat(0)), ADD)
