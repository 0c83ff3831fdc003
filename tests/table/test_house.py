"""A server's named house rules."""

from dataclasses import replace

import pytest

from bot.rules import variants
from bot.rules.errors import RulesetError
from bot.rules.options import ClashError
from bot.rules.ruleset_io import from_dict
from bot.table import house
from bot.table.house import HouseNameError, TooManyHouseRulesError, UnknownHouseRulesError
from bot.table.storing import ServerSettings
from tests.support.house import house as rules_called

KILLER = variants.load("killer")
NONE = ServerSettings()


def test_rules_are_kept_whole_and_played_under_their_name():
    after = house.saved(NONE, "7", "Friday night", KILLER)
    [kept] = after.house_rules
    assert from_dict(kept.rules) == KILLER
    assert house.ruleset_of(kept) == replace(KILLER, title="Friday night")
    assert after.default_house is None
    assert house.usual_rules(after) == variants.load("standard")


def test_the_usual_rules_are_a_preset_or_house_rules():
    assert house.usual_rules(ServerSettings(variant="killer")) == KILLER
    usual = house.made_usual(house.saved(NONE, "7", "Friday", KILLER), "7")
    assert house.usual_rules(usual).title == "Friday"
    with pytest.raises(UnknownHouseRulesError):
        house.made_usual(NONE, "7")


def test_the_same_press_delivered_twice_keeps_rules_once():
    once = house.saved(NONE, "7", "Friday", KILLER)
    assert house.saved(once, "7", "Friday", KILLER) == once


@pytest.mark.parametrize(
    "name",
    [
        "",
        "   ",
        "x" * 51,
        "FRIDAY  night",
        "friday night",
        "killer",
        "Killer  Hearts",
        "GREEK Hearts",
    ],
)
def test_names_are_short_and_told_apart(name):
    settings = house.saved(NONE, "7", " Friday \n night ", KILLER)
    assert settings.house_rules[0].name == "Friday night"
    with pytest.raises(HouseNameError):
        house.saved(settings, "8", name, KILLER)
    with pytest.raises(HouseNameError):
        house.renamed(house.saved(settings, "8", "Sunday", KILLER), "8", name)


def test_rules_may_keep_their_own_name_when_they_are_renamed():
    settings = house.saved(NONE, "7", "Friday", KILLER)
    assert house.renamed(settings, "7", "FRIDAY").house_rules[0].name == "FRIDAY"


def test_a_server_keeps_twenty_five():
    settings = NONE
    for number in range(25):
        settings = house.saved(settings, str(number), f"Rules {number}", KILLER)
    with pytest.raises(TooManyHouseRulesError) as refused:
        house.saved(settings, "25", "One more", KILLER)
    assert "25" in str(refused.value.sentence)


def test_a_change_is_one_rule_of_one_set():
    settings = house.saved(house.saved(NONE, "7", "Friday", KILLER), "8", "Sunday", KILLER)
    after = house.with_rule(settings, "8", "end", "to_50")
    assert after.house_rules[0] == settings.house_rules[0]
    assert house.ruleset_of(after.house_rules[1]).end.points == 50
    assert after.house_rules[1].name == "Sunday"
    back = house.with_presets_rules(after, "8")
    assert house.ruleset_of(back.house_rules[1]) == replace(KILLER, title="Sunday")


def test_a_clash_is_refused_and_changes_nothing():
    settings = house.saved(NONE, "7", "Maria", variants.load("black_maria"))
    with pytest.raises(ClashError):
        house.with_rule(settings, "7", "hearts", "face")


def test_deleted_rules_are_the_usual_ones_no_more():
    settings = house.made_usual(house.saved(NONE, "7", "Friday", KILLER), "7")
    assert house.deleted(settings, "7") == NONE
    assert house.deleted(settings, "8") == settings
    with pytest.raises(UnknownHouseRulesError):
        house.find(NONE, "7")


def test_rules_that_cannot_be_played_any_more_say_so():
    with pytest.raises(RulesetError):
        house.ruleset_of(rules_called(luck="good"))


def test_rules_are_found_by_name_however_it_is_typed():
    settings = house.saved(NONE, "7", "Friday night", KILLER)
    assert house.called(settings, " friday  NIGHT ") == settings.house_rules[0]
    assert house.called(settings, "Friday") is None
