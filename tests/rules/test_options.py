"""Rules that people set: every option of every preset, one change at a time (rules.md 3 and 4)."""

import random
import re
from dataclasses import replace

import pytest

from bot.rules import ruleset_io, variants
from bot.rules.errors import RulesetError
from bot.rules.option import Group
from bot.rules.options import (
    CATALOGUE,
    PRESET,
    ClashError,
    UnknownOptionError,
    fault_sentence,
    label,
    offered,
    own_title,
    value_of,
    with_value,
)
from bot.rules.ruleset_faults import problems
from tests.support.deals import house_rules

PRESETS = variants.names()
_LONGEST_LABEL = 100
"""Characters of a line in a menu (discord.md 2.2)."""
_MOST_VALUES = 25


def option(ruleset, option_id):
    [found] = [each for each in offered(ruleset) if each.id == option_id]
    return found


def held(ruleset, option_id, seats=None):
    value = value_of(ruleset, option(ruleset, option_id), seats)
    return value and value.id


def changed(preset, **choices):
    ruleset = variants.load(preset)
    for option_id, value_id in choices.items():
        ruleset = with_value(ruleset, option_id, value_id)
    return ruleset


def tried(ruleset, each, value):
    """The rules after a choice, or ``None`` where it is refused as it should be."""
    try:
        return with_value(ruleset, each.id, value.id)
    except ClashError as clash:
        refused = clash
    assert names_both_sides(refused.sentence), refused
    return None


def names_both_sides(sentence):
    sides = re.findall("“[^”]+”|[^“”]+ for [^“”]+ players", str(sentence))
    return len(set(sides)) == 2 and "do not go together" in str(sentence)


@pytest.mark.parametrize("preset", PRESETS)
def test_each_choice_is_playable_and_told_again_or_refused_with_both_sides(preset):
    before = variants.load(preset)
    for each in offered(before):
        for value in each.values:
            after = tried(before, each, value)
            if after is None:
                continue
            assert problems(after) == []
            assert value_of(after, each) == value, (each.id, value.id)
            assert after.id == preset


@pytest.mark.parametrize("preset", PRESETS)
def test_choices_upon_choices_keep_to_the_same_promise(preset):
    rng = random.Random(preset)
    ruleset = variants.load(preset)
    for _ in range(12):
        each = rng.choice(offered(ruleset))
        value = rng.choice(each.values)
        after = tried(ruleset, each, value)
        if after is None:
            continue
        assert problems(after) == []
        assert value_of(after, option(after, each.id)) == value, (each.id, value.id)
        ruleset = after


@pytest.mark.parametrize("preset", PRESETS)
def test_what_a_preset_says_is_among_what_it_offers_and_choosing_it_changes_nothing(preset):
    ruleset = variants.load(preset)
    for each in offered(ruleset):
        value = value_of(ruleset, each)
        assert value is not None, each.id
        assert with_value(ruleset, each.id, value.id) == ruleset


def test_the_value_that_holds_is_the_one_whose_keys_change_nothing():
    for preset in ("standard", "spot_omnibus", "joker_hearts", "two_player"):
        ruleset = variants.load(preset)
        plain = ruleset_io.to_dict(ruleset)
        for each in offered(ruleset):
            value = value_of(ruleset, each)
            under = {**plain, "exact": {}} if "exact" in value.keys else plain
            assert ruleset_io.from_dict(ruleset_io.merge(under, value.keys)) == ruleset


def test_rules_that_are_none_of_the_choices_are_something_of_their_own():
    assert held(house_rules(end={"target": 77}), "end") is None
    assert held(house_rules(exact={"100": 50, "50": 0}), "exact") is None
    assert held(house_rules(points={"JD": -5}), "bonus") is None


@pytest.mark.parametrize("each", CATALOGUE, ids=lambda each: each.id)
def test_the_catalogue_fits_on_a_screen(each):
    ids = [value.id for value in each.values]
    assert len(set(ids)) == len(ids)
    assert len(ids) < _MOST_VALUES
    assert PRESET not in ids
    for name in (each.id, *ids):
        assert re.fullmatch("[a-z0-9_]+", name)
    assert all(len(str(value.label)) <= _LONGEST_LABEL for value in each.values)
    assert len(str(each.meaning)) <= _LONGEST_LABEL
    assert str(each.meaning).endswith(".")


def test_ids_and_titles_are_told_apart():
    assert len({each.id for each in CATALOGUE}) == len(CATALOGUE)
    for preset in PRESETS:
        titles = [str(each.title) for each in offered(variants.load(preset))]
        assert len(set(titles)) == len(titles)
    assert {each.group for each in CATALOGUE} == set(Group)


def test_presets_named_in_the_catalogue_are_presets():
    named = set()
    for each in CATALOGUE:
        named |= each.only | each.never
        for value in each.values:
            named |= value.only | value.never
    assert named <= set(PRESETS)


@pytest.mark.parametrize(
    ("preset", "option_id", "value_ids"),
    [
        # rules.md 1.1: the house options of standard Hearts
        ("standard", "end", {"to_50", "to_75", "to_100", "to_150", "to_250", "to_500"}),
        ("standard", "exact", {"none", "half", "zero"}),
        ("standard", "bonus", {"none", "jack", "ten"}),
        ("standard", "breakers", {"hearts", "queen"}),
        ("standard", "first_trick", {"banned", "allowed"}),
        ("standard", "moon", {"add", "subtract", "choice", "protected", "off"}),
        ("standard", "kitty", {"none", "first_trick", "first_penalty", "four_cards"}),
        ("standard", "settle", {"none", "wilson"}),
        # rules.md 1.8: the five modes of passing; 1.18: cycles of three and of five
        ("black_lady", "passing", {"none", "left", "right", "across", "alternating"}),
        ("pagat", "passing", {"sides_hold", "sides", "two_each", "long_five", "scatter"}),
        ("pagat", "void_play", {"any", "first_chance", "when_safe"}),
        ("black_maria", "moon_value", {"26", "43"}),
        ("black_maria", "moon", {"add", "off"}),
        ("plain", "moon", {"off", "add"}),
        ("plain", "moon_value", {"13", "26"}),
        # rules.md 1.9, 1.10, 1.11
        ("joker_hearts", "packs", {"one", "two"}),
        ("joker_hearts", "equal_cards", {"later", "earlier", "cancel"}),
        ("two_player", "small_deal", {"all"}),
        ("two_player", "first_lead", {"lowest_club", "left_of_dealer"}),
        ("two_player", "moon", {"add", "subtract"}),
        ("two_player", "end", {"single"}),
        ("two_player", "tiebreak_moon", {"yes", "no"}),
        ("two_player_omnibus", "bonus_of_two", {"ten", "queen"}),
        ("two_player_spot_hi", "queen_of_two", {"7", "13"}),
        ("reverse", "slam", {"points", "loses"}),
        # rules.md 1.13, 1.14, 1.15
        ("draw7", "bonus", {"none", "jack"}),
        ("draw7", "end", {"single", "to_100"}),
        ("killer", "passing_on", {"further", "more", "none"}),
        ("killer", "end", {"to_150", "deals_4", "minutes_60"}),
        ("super_hearts", "end", {"single", "open", *(f"deals_{n}" for n in (2, 4, 6, 8, 10, 12))}),
        ("omnibus_pagat", "bonus", {"jack", "ten"}),
    ],
)
def test_the_options_of_the_requirements_are_offered(preset, option_id, value_ids):
    offers = {value.id for value in option(variants.load(preset), option_id).values}
    assert value_ids <= offers


def test_two_players_have_all_patterns_of_passing():
    """rules.md 4.2, two_player_pass."""
    cycles = {
        tuple(0 if step == "hold" else step["n"] for step in value.keys["pass_cycle"]["2"])
        for value in option(variants.load("two_player"), "passing_of_two").values
    }
    assert cycles == {
        (0,),
        (1,),
        (1, 0),
        (2,),
        (2, 0),
        (3,),
        (3, 0),
        (1, 2),
        (2, 1),
        (1, 2, 0),
        (2, 1, 0),
        (1, 2, 3),
        (3, 2, 1),
    }


def test_spot_brings_its_queen_its_moon_and_its_target():
    """rules.md 1.7; the plain game has no queen (1.2)."""
    spot = variants.load("spot")
    names = {name: getattr(spot, name) for name in ("id", "title", "source", "aliases", "text")}
    assert replace(changed("black_lady", hearts="face"), **names) == spot
    plain = changed("plain", hearts="face_alone")
    assert ruleset_io.to_dict(plain)["points"]["QS"] == 0


def test_two_packs_of_joker_hearts_are_for_five_to_nine():
    """rules.md 1.9."""
    two = changed("joker_hearts", packs="two")
    assert two.players == (5, 6, 7, 8, 9)
    assert {n: len(two.deck(n)) for n in two.players} == {5: 105, 6: 108, 7: 105, 8: 104, 9: 108}
    back = with_value(two, "packs", "one")
    assert back == variants.load("joker_hearts")


def test_spot_and_black_maria_are_refused_by_name():
    """rules.md 2.5.7."""
    with pytest.raises(ClashError) as refused:
        changed("black_maria", hearts="face")
    said = str(refused.value.sentence)
    assert "Spot" in said
    assert "Black Maria" in said
    with pytest.raises(ClashError) as other_way_round:
        changed("spot", high_spades="maria")
    assert names_both_sides(other_way_round.value.sentence)


def test_a_needed_bonus_card_is_refused_while_there_is_none():
    with pytest.raises(ClashError) as refused:
        changed("standard", moon_bonus="needed")
    assert "“The bonus card in a moon:" in str(refused.value.sentence)
    assert "“Bonus card: None”" in str(refused.value.sentence)
    assert changed("standard", bonus="jack", moon_bonus="needed").moon.bonus


def test_a_table_is_offered_only_what_says_something_with_its_seats():
    pagat = variants.load("pagat")
    passing = {
        seats: {v.id for each in offered(pagat, seats) if each.id == "passing" for v in each.values}
        for seats in (3, 4, 5)
    }
    assert "two_each" in passing[3]
    assert "sides_hold" not in passing[3], "with three players it is the usual cycle"
    assert not {"two_each", "long_five"} & passing[4]
    assert "long_five" in passing[5]


def test_rules_of_ones_own_say_so_in_their_title_and_the_presets_rules_do_not():
    own = changed("black_lady", end="to_50")
    assert (own.id, own.title) == ("black_lady", "Black Lady, own rules")
    assert own.title == own_title(own)
    assert with_value(own, "end", "to_100") == variants.load("black_lady")


@pytest.mark.parametrize(
    ("option_id", "value_id"),
    [("end", "to_51"), ("luck", "good"), ("slam", "loses"), ("passing", "two_player"), ("", "")],
)
def test_what_is_not_offered_is_not_chosen(option_id, value_id):
    with pytest.raises(UnknownOptionError):
        with_value(variants.load("standard"), option_id, value_id)


def test_faults_found_elsewhere_are_told_in_the_words_of_the_catalogue():
    with pytest.raises(RulesetError) as refused:
        house_rules(moon={"bonus": True})
    assert names_both_sides(fault_sentence(refused.value))
    with pytest.raises(RulesetError) as alone:
        house_rules(end={"target": 0})
    assert "“The end of the game”" in str(fault_sentence(alone.value))
    unknown = RulesetError(["sauce: no such key"])
    assert "cannot be played together" in str(fault_sentence(unknown))
    clash = ClashError(["x"], fault_sentence(unknown))
    assert fault_sentence(clash) is clash.sentence


def test_rules_of_no_preset_keep_their_title_and_have_the_general_options():
    """A record may bring rules under a name of its own (record.md)."""
    rules = house_rules(id="ours", title="Ours", end={"target": 77})
    assert held(rules, "end") is None
    after = with_value(rules, "end", "to_50")
    assert (after.id, after.title) == ("ours", "Ours")
    assert own_title(after) == "Ours, own rules"


def test_an_option_as_the_catalogue_has_it_is_read_for_the_seats_there_are():
    [passing] = [each for each in CATALOGUE if each.id == "passing"]
    own = house_rules(players=[4], pass_cycle=[{"to": 1, "n": 2}])
    assert value_of(own, passing) is None
    assert value_of(variants.load("black_lady"), passing).id == "alternating"


def test_a_choice_that_clashes_with_the_cards_alone_names_the_game():
    """With two cards each nobody has three to pass."""
    gone = {"4": [f"{rank}{suit}" for suit in "CDS" for rank in "789TJQKA"]}
    keys = {"remove": gone, "points": {"QS": 0}, "pass_cycle": ["hold"]}
    tiny = ruleset_io.from_dict({"extends": "small", **keys})
    assert tiny.hand_size(4) == 2
    with pytest.raises(ClashError) as refused:
        with_value(tiny, "passing", "left")
    assert "Small Hearts" in str(refused.value.sentence)
    assert names_both_sides(refused.value.sentence)


def test_groups_have_titles():
    assert [str(group.title) for group in Group][:2] == ["Players and cards", "Passing"]


def test_a_choice_is_told_with_what_it_is_a_choice_of():
    """In a log of a table nobody sees the menu that a value stood in."""
    ruleset = variants.load("standard")
    said = label(ruleset, "first_trick", "allowed")
    [option] = [each for each in offered(ruleset) if each.id == "first_trick"]
    [value] = [each for each in option.values if each.id == "allowed"]
    assert str(said) == f"{option.title}: {value.label}"
