import json
import string
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.rules import presets, variants
from bot.rules.cards import Card, parse_cards
from bot.rules.dimensions import (
    BonusScore,
    DealCount,
    FirstLead,
    FirstTrickExempt,
    HeartsLead,
    Hold,
    LeadExempt,
    MoonPayoff,
    PassTo,
    Scatter,
    Single,
    Target,
    Tie,
)
from bot.rules.errors import RulesetError
from bot.rules.ruleset_faults import problems
from bot.rules.ruleset_io import from_dict, to_dict
from bot.rules.selectors import Selector
from tests.support.deals import STANDARD, house_rules
from tests.support.rulesets import keys_of_rulesets, rulesets


@given(rulesets())
def test_rules_survive_being_written_and_read(rules):
    assert from_dict(json.loads(json.dumps(to_dict(rules)))) == rules


@pytest.mark.parametrize(
    "points",
    [
        (("rank:Q", 13),),
        (("S*", 1), ("H*", 2)),
        (("S*", 1), ("QS", 0), ("rank:Q", 13)),
        (("2H", 1),),
    ],
)
def test_rules_without_the_entries_of_base_survive_too(points):
    """rules.md 4.0 values hearts and the queen of spades; these rules do not, or otherwise."""
    entries = tuple((Selector(text), value) for text, value in points)
    rules = replace(STANDARD, points=entries, players=(4, 3), default_players=3)
    assert from_dict(to_dict(rules)) == rules


@given(keys_of_rulesets())
def test_reading_does_not_change_what_it_reads(keys):
    before = json.dumps(keys)
    house_rules(keys)
    assert json.dumps(keys) == before
    assert from_dict({"extends": "standard"}) == STANDARD


def test_what_no_preset_says_is_base():
    """rules.md 4.0: no ban on the first trick, hearts alone break, a moon is the sum."""
    rules = from_dict({})
    assert rules.first_trick_ban == ()
    assert rules.breakers == (Selector("H*"),)
    assert rules.moon.value is None
    assert rules.end == Target(100)
    assert rules.players == (3, 4, 5, 6)


def test_standard_is_base_with_the_changes_of_its_line():
    """rules.md 4.2: standard bans penalty cards first, the queen breaks, a moon is 26."""
    base = from_dict({})
    hearts_and_queen = (Selector("H*"), Selector("QS"))
    changed = replace(
        base,
        id="standard",
        title="Standard Hearts",
        source="rules.md 1.1 [S3]",
        aliases=STANDARD.aliases,
        text=STANDARD.text,
        first_trick_ban=hearts_and_queen,
        breakers=hearts_and_queen,
        moon=replace(base.moon, value=26),
    )
    assert changed == STANDARD


def test_nested_tables_merge_key_by_key():
    """record.md: `"points": {"JD": -10}` keeps the hearts and the queen."""
    rules = house_rules(points={"JD": -10}, moon={"payoff": "shooter_choice"})
    assert sum(map(rules.points_of, rules.deck(4))) == 16
    assert rules.moon.payoff is MoonPayoff.SHOOTER_CHOICE
    assert rules.moon.value == 26


def test_nought_takes_a_card_out_of_points():
    """rules.md 3."""
    assert house_rules(points={"QS": 0}).points == ((Selector("H*"), 1),)


def test_lists_plain_values_and_the_end_are_replaced_whole():
    """rules.md 3."""
    rules = house_rules(breakers=["QS"], end={"hands": 4}, pass_cycle={"4": ["hold"]})
    assert rules.breakers == (Selector("QS"),)
    assert rules.end == DealCount(4)
    assert rules.pass_cycle[4] == (Hold(),)
    assert rules.pass_cycle[3] == STANDARD.pass_cycle[3]


def test_one_list_holds_for_every_number_of_seats():
    """rules.md 3.2: `{N: [cards]}`, or one list for every N."""
    cycle = house_rules(pass_cycle=[{"to": 1, "n": 2}]).pass_cycle
    assert cycle == {seats: (PassTo(1, 2),) for seats in (3, 4, 5, 6)}
    stripped = house_rules(players=[3, 4], remove=["2C", "2D", "3C", "3D"])
    assert stripped.remove == {seats: parse_cards("2C 2D 3C 3D") for seats in (3, 4)}


def test_pass_steps_in_the_spelling_of_records():
    """record.md: `"hold"`, `{"to": 1, "n": 3}`, `{"scatter": 1}`; rules.md 3.3: across = +N/2."""
    steps = ["hold", {"to": -1, "n": 2}, {"scatter": 1}, {"to": "across", "n": 4}]
    rules = house_rules(pass_cycle={"4": steps, "6": [{"to": "across", "n": 1}]})
    assert rules.pass_cycle[4] == (Hold(), PassTo(-1, 2), Scatter(1), PassTo(2, 4))
    assert rules.pass_cycle[6] == (PassTo(3, 1),)


@pytest.mark.parametrize(
    ("key", "value", "field", "meaning"),
    [
        ("first_lead", "holder_any_club", "first_lead", FirstLead.HOLDER_ANY_CLUB),
        ("first_lead", "left_of_dealer", "first_lead", FirstLead.LEFT_OF_DEALER),
        ("first_lead", "lowest_club_in_hands", "first_lead", FirstLead.LOWEST_CLUB),
        ("first_trick_exempt", "qs_first", "first_trick_exempt", FirstTrickExempt.QS_FIRST),
        ("hearts_lead", "free", "hearts_lead", HeartsLead.FREE),
        ("break_on_lead", False, "break_on_lead", False),
        ("lead_exempt", "hearts_or_qs", "lead_exempt", LeadExempt.HEARTS_OR_QS),
        ("end", "single", "end", Single()),
        ("end", {"target": 50}, "end", Target(50)),
        ("exact", {"100": 50}, "exact", {100: 50}),
        ("tie", "share", "tie", Tie.SHARE),
        ("title", "Ours", "title", "Ours"),
    ],
)
def test_keys_have_the_spelling_of_records(key, value, field, meaning):
    """record.md, "rules"."""
    assert getattr(house_rules({key: value}), field) == meaning


def test_all_keys_of_the_moon():
    """record.md, "moon"."""
    moon = house_rules(
        points={"TD": -10},
        moon={
            "on": True,
            "bonus": True,
            "bonus_score": "absorbed",
            "payoff": "subtract_self",
            "value": "sum",
        },
    ).moon
    assert (moon.on, moon.bonus, moon.value) == (True, True, None)
    assert moon.bonus_score is BonusScore.ABSORBED
    assert moon.payoff is MoonPayoff.SUBTRACT_SELF


def test_a_record_may_spell_out_what_no_rule_can_change():
    """record.md spells `required` and `scope` of the moon out; rules.md 4.0 the rest of BASE."""
    spelled = house_rules(
        packs=1, sides="solo", moon={"required": "all_positive", "scope": "player"}
    )
    assert spelled == STANDARD


def test_who_narrows_the_players_need_not_name_a_default():
    assert house_rules(players=[3]).default_players == 3
    assert house_rules(players=[3, 4]).default_players == 4
    with pytest.raises(RulesetError, match="default_players"):
        house_rules(players=[3], default_players=5)


@pytest.mark.parametrize(
    ("keys", "path"),
    [
        ({"nonsense": 1}, "nonsense"),
        ({"moon": {"walk": True}}, "moon.walk"),
        ({"extends": "no_such_game"}, "extends"),
        ({"extends": "_base"}, "extends"),
        ({"extends": 4}, "extends"),
        ({"extends": ["standard"]}, "extends"),
        ({"id": 5}, "id"),
        ({"title": "x" * 201}, "title"),
        ({"players": 4}, "players"),
        ({"players": []}, "players"),
        ({"players": ["4"]}, "players.0"),
        ({"players": [4, True]}, "players.1"),
        ({"players": [[4]]}, "players.0"),
        ({"default_players": 4.0}, "default_players"),
        ({"remove": 7}, "remove"),
        ({"remove": {"4": "2C"}}, "remove.4"),
        ({"remove": {"four": []}}, "remove.four"),
        ({"remove": {"٤": []}}, "remove.٤"),
        ({"remove": {"04": []}}, "remove.04"),
        ({"remove": {4: []}}, "remove"),
        ({"remove": {"4": ["2C", "2X"]}}, "remove.4.1"),
        ({"remove": {"4": [2]}}, "remove.4.0"),
        ({"pass_cycle": {"4": "hold"}}, "pass_cycle.4"),
        ({"pass_cycle": {"4": ["left"]}}, "pass_cycle.4.0"),
        ({"pass_cycle": {"4": [{"to": 1}]}}, "pass_cycle.4.0"),
        ({"pass_cycle": {"4": [{"to": 1, "n": 3, "m": 3}]}}, "pass_cycle.4.0"),
        ({"pass_cycle": {"4": [{"to": "across", "n": 3, "m": 3}]}}, "pass_cycle.4.0"),
        ({"pass_cycle": {"4": [{"scatter": 1, "n": 3}]}}, "pass_cycle.4.0"),
        ({"pass_cycle": {"4": [{"to": 1, "n": True}]}}, "pass_cycle.4.0.n"),
        ({"pass_cycle": {"4": [{"to": "left", "n": 3}]}}, "pass_cycle.4.0.to"),
        ({"pass_cycle": {"4": [{"to": "across", "n": "3"}]}}, "pass_cycle.4.0.n"),
        ({"pass_cycle": {"4": [{"scatter": None}]}}, "pass_cycle.4.0.scatter"),
        ({"pass_cycle": {"5": [{"to": "across", "n": 3}]}}, "pass_cycle.5.0"),
        ({"first_lead": "bidder"}, "first_lead"),
        ({"first_lead": ["lowest_club"]}, "first_lead"),
        ({"first_trick_ban": "H*"}, "first_trick_ban"),
        ({"first_trick_ban": ["H*", "X*"]}, "first_trick_ban.1"),
        ({"breakers": [13]}, "breakers.0"),
        ({"break_on_lead": 1}, "break_on_lead"),
        ({"points": 5}, "points"),
        ({"points": {"JD": "-10"}}, "points.JD"),
        ({"points": {"JD": False}}, "points.JD"),
        ({"points": {"JD": 10**9}}, "points.JD"),
        ({"points": {"XX": 1}}, "points.XX"),
        ({"moon": True}, "moon"),
        ({"moon": {"on": "yes"}}, "moon.on"),
        ({"moon": {"payoff": "negate"}}, "moon.payoff"),
        ({"moon": {"value": "total"}}, "moon.value"),
        ({"end": "never"}, "end"),
        ({"end": {"target": 100, "hands": 4}}, "end"),
        ({"end": {"hands": 4, "target": 100}}, "end"),
        ({"end": {"target": "100"}}, "end.target"),
        ({"end": {"hands": 4.5}}, "end.hands"),
        ({"exact": {"x": 50}}, "exact.x"),
        ({"exact": {"100": None}}, "exact.100"),
        ({"exact": [100, 50]}, "exact"),
        ({"tie": None}, "tie"),
        ({"packs": 3}, "packs"),
        ({"packs": True}, "packs"),
        ({"moon": {"scope": "table"}}, "moon.scope"),
        ({"sides": ["solo"]}, "sides"),
    ],
)
def test_what_is_not_a_rule_is_named_by_its_path(keys, path):
    """record.md: every other unknown key is a fault; house.md 4.2: errors with a path."""
    with pytest.raises(RulesetError) as refused:
        house_rules(keys)
    assert refused.value.faults[0].startswith(f"{path}: ")


def test_all_faults_are_named_at_once():
    with pytest.raises(RulesetError) as refused:
        house_rules(nonsense=1, moon={"on": 0, "walk": 1}, tie="never")
    paths = [fault.partition(":")[0] for fault in refused.value.faults]
    assert sorted(paths) == ["moon.on", "moon.walk", "nonsense", "tie"]
    assert "moon.walk" in str(refused.value.sentence)


def test_rules_that_contradict_each_other_are_refused():
    with pytest.raises(RulesetError, match=r"remove\.3: QS is taken out, but points"):
        house_rules(remove={"3": ["QS"]})


@pytest.mark.parametrize("rules", [None, 5, "standard", ["standard"], {4: "hold"}])
def test_what_is_no_table_of_rules_is_refused(rules):
    with pytest.raises(RulesetError, match="rules: "):
        from_dict(rules)


PLAIN = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | st.sampled_from(["H*", "QS", "hold", "sum", "single", "4", "standard"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(string.printable, max_size=4) | st.just("4"), inner, max_size=3)
    ),
    max_leaves=6,
)


@given(st.dictionaries(st.sampled_from([*to_dict(STANDARD), "extends", "x"]), PLAIN, max_size=4))
def test_nothing_but_a_ruleset_error_comes_from_hostile_rules(keys):
    try:
        rules = from_dict(keys)
    except RulesetError:
        return
    assert problems(rules) == []


def test_a_fault_is_short_however_deep_the_value():
    deep = ["hold"]
    for _ in range(5000):
        deep = [deep]
    with pytest.raises(RulesetError) as refused:
        house_rules(tie=deep)
    assert len(str(refused.value)) < 120


def test_every_preset_file_is_a_game_that_can_be_played():
    for name in variants.names():
        rules = variants.load(name)
        assert problems(rules) == []
        assert rules.id == name
        assert variants.title(name) == rules.title


def test_the_menu_has_standard_and_not_base():
    assert "standard" in variants.names()
    assert presets.BASE not in variants.names()


def test_an_unknown_preset_is_refused():
    with pytest.raises(RulesetError, match="no preset is called 'poker'"):
        variants.load("poker")


def test_a_preset_is_read_once():
    assert variants.load("standard") is variants.load("standard")


def test_removed_cards_are_read_as_cards():
    assert house_rules(remove={"3": ["2S"]}).remove[3] == (Card.parse("2S"),)
