"""The panels of rules: they fit into a message, and show what holds."""

import pytest

from bot.rules import options, variants
from bot.rules.option import Group
from bot.rules.options import offered, value_of, with_value
from bot.rules.sentence import Sentence
from bot.table.house import MOST_HOUSE_RULES
from bot.table.storing import HouseRules, ServerSettings
from cogs.ui import ids, rule_ids
from cogs.ui.customise import Notice, render_table_rules
from cogs.ui.house_rules import (
    delete_question,
    keep_form,
    new_house_form,
    rename_form,
    render_house,
    render_houses,
    render_unreadable,
)
from cogs.ui.lobby import render_opened
from cogs.ui.settings import render_settings
from cogs.ui.shelves import shelves
from tests.support.deals import house_rules
from tests.support.looks import buttons, custom_ids, menus, parts, table, texts, view_of

HOSTILE = HouseRules("1" * 19, "**@everyone** <@1> [x](http://y) `z` \u202e" + "w" * 20, {})
PRESETS = variants.names()


def lobby(ruleset, seats=None):
    return view_of(table(ruleset=ruleset, chairs=(None,) * (seats or ruleset.default_players)))


def pages(ruleset):
    view = lobby(ruleset)
    for group in Group:
        yield render_table_rules(view, group, may_save=True, notice=Notice(Sentence("No."), "1"))
        yield render_house(HOSTILE, ruleset, group, usual=False)


@pytest.mark.parametrize("preset", PRESETS)
def test_every_page_fits_into_a_message(preset):
    """discord.md 2.2: 40 parts, 4,000 characters, 25 lines in a menu."""
    for view in pages(variants.load(preset)):
        assert len(parts(view)) <= 40
        assert len(texts(view)) <= 4_000
        assert len(set(custom_ids(view))) == len(custom_ids(view))
        for menu in menus(view):
            assert 2 <= len(menu["options"]) <= 25
            assert all(1 <= len(option["label"]) <= 100 for option in menu["options"])


@pytest.mark.parametrize("preset", PRESETS)
def test_the_pages_show_every_rule_with_what_holds_and_what_it_means(preset):
    ruleset = variants.load(preset)
    view = lobby(ruleset)
    shown = {}
    for group in Group:
        page = render_table_rules(view, group)
        for menu in menus(page):
            action = ids.parse(menu["custom_id"])
            if isinstance(action, rule_ids.ChooseRule):
                marked = [each["value"] for each in menu["options"] if each.get("default")]
                shown[action.option] = marked
        for option in offered(ruleset, view.seats):
            if option.group is group:
                assert str(option.meaning) in texts(page)
    assert shown == {
        option.id: [value_of(ruleset, option, view.seats).id]
        for option in offered(ruleset, view.seats)
    }


def test_a_rule_of_its_own_is_marked_nowhere_and_called_so():
    page = render_table_rules(lobby(house_rules(end={"target": 77})), Group.END)
    [end] = [m for m in menus(page) if ids.parse(m["custom_id"]).word == "rule"][:1]
    assert end["placeholder"] == "Something of its own"
    assert not any(option.get("default") for option in end["options"])


def test_what_is_changed_is_named_and_can_be_undone():
    ruleset = with_value(variants.load("standard"), "bonus", "jack")
    changed = render_table_rules(lobby(ruleset))
    assert "changed: Bonus card" in texts(changed)
    assert "Standard Hearts · changed" in texts(changed)
    undo = {b["custom_id"]: b.get("disabled", False) for b in buttons(changed)}
    reset = ids.write(rule_ids.RestoreRules(lobby(ruleset).id))
    assert undo[reset] is False
    untouched = render_table_rules(lobby(variants.load("standard")))
    assert "no rule is changed" in texts(untouched)
    assert {b["custom_id"]: b["disabled"] for b in buttons(untouched) if "disabled" in b}[reset]


def test_only_who_may_is_offered_to_keep_the_rules():
    view = lobby(variants.load("standard"))
    save = ids.write(rule_ids.AskSaveRules(view.id))
    assert save in custom_ids(render_table_rules(view, may_save=True))
    assert save not in custom_ids(render_table_rules(view))


def test_a_refused_choice_is_another_menu_to_the_client():
    """Else it would go on showing what was chosen in vain."""
    view = lobby(variants.load("standard"))
    plain = [menu["id"] for menu in menus(render_table_rules(view))]
    notices = [Notice(Sentence("No."), press) for press in ("1", "2")]
    first, second = (
        [menu["id"] for menu in menus(render_table_rules(view, notice=notice))]
        for notice in notices
    )
    assert plain[0] == first[0]
    assert not {*plain[1:]} & {*first[1:]}
    assert not {*first[1:]} & {*second[1:]}


def test_names_of_house_rules_are_harmless():
    settings = ServerSettings(house_rules=(HOSTILE,), default_house=HOSTILE.id)
    standard = variants.load("standard")
    for view in (
        render_houses(settings),
        render_house(HOSTILE, standard, usual=True),
        render_unreadable(HOSTILE),
        delete_question(HOSTILE),
    ):
        told = texts(view)
        assert "everyone" in told
        assert "**@everyone" not in told
        assert "@everyone" not in told.replace("@\u200beveryone", "")
        assert "<@1>" not in told
        assert "](http" not in told
        assert "\u202e" not in told
    for view in (render_houses(settings), render_settings(settings)):
        for menu in menus(view):
            for option in menu.get("options", []):
                assert "\u202e" not in option["label"]


def test_a_server_full_of_house_rules_fits_into_a_message():
    houses = tuple(HouseRules(str(n), f"{n:02}" + "w" * 48, {}) for n in range(MOST_HOUSE_RULES))
    settings = ServerSettings(house_rules=houses, default_house="3")
    for view in (render_houses(settings), render_settings(settings)):
        assert len(parts(view)) <= 40
        assert len(texts(view)) <= 4_000
    new = [a for a in map(ids.parse, custom_ids(render_houses(settings))) if a.word == "house_new"]
    assert new == [], "there is no room for one more"
    assert "used by `/hearts start`" in texts(render_houses(settings))


def test_the_menus_of_presets_hold_all_of_them():
    shelved = [preset for shelf in shelves() for family in shelf for preset in family.presets]
    assert sorted(shelved) == sorted(PRESETS)
    view = render_houses(ServerSettings())
    offers = [o["value"] for menu in menus(view) for o in menu["options"]]
    assert offers == shelved
    assert all(len(menu["options"]) <= 25 for menu in menus(view))
    assert "There are none yet." in texts(view)


def test_the_forms_ask_for_a_name_of_fifty_characters():
    table_id = lobby(variants.load("standard")).id
    forms = [new_house_form("killer"), keep_form(table_id), rename_form(HOSTILE)]
    for form in forms:
        plain = form.to_dict()
        assert len(plain["title"]) <= 45
        [label] = plain["components"]
        assert len(label["label"]) <= 45
        assert label["component"]["max_length"] == 50
        assert len(label["component"].get("value") or "") <= 50


def test_who_opened_a_table_is_offered_to_customise_it():
    view = lobby(variants.load("spot"))
    offers = [ids.parse(custom_id) for custom_id in custom_ids(render_opened(view))]
    assert offers == [rule_ids.Customise(view.id), ids.ShowRules(view.id)]
    assert "Spot Hearts" in texts(render_opened(view))
    assert options.own_title(view.ruleset) == "Spot Hearts, own rules"
