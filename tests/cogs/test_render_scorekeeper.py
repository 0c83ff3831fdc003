"""The panel, the forms and the public sheet of a score keeper, without a Discord around them."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.rules.scorekeeper import (
    LARGEST,
    MOST_PLAYERS,
    KeptDeal,
    KeptRules,
    MoonForm,
    ScoreSheet,
    TooLargeError,
    WrongCountError,
)
from bot.rules.sentence import Sentence
from bot.table.ids import ChannelId, KeeperId, UserId
from bot.table.keeping import Keeper, KeptWhere
from cogs.ui import ids, keeper_ids
from cogs.ui.keeper_forms import (
    NotANumberError,
    draft_of,
    points_form,
    read_points,
    read_rules,
    rules_form,
    typed_points,
)
from cogs.ui.parts import MOST_COMPONENTS
from cogs.ui.scorekeeper import (
    close_question,
    jack_question,
    render_keeper,
    render_public_scores,
    render_to_moderator,
)
from tests.support.looks import actions, buttons, custom_ids, labels, menus, parts, texts

FOUR = ("Ana", "Ben", "Cy", "Dee")


def keeper(*deals: tuple[int, ...], players: tuple[str, ...] = FOUR, **rules: Any) -> Keeper:
    now = datetime(2026, 1, 1, tzinfo=UTC)
    sheet = ScoreSheet(players, KeptRules(**rules), tuple(KeptDeal(deal) for deal in deals))
    where = KeptWhere(ChannelId(20), UserId(1))
    return Keeper(
        id=KeeperId("K7Q2M9XA"),
        where=where,
        version=3,
        sheet=sheet,
        opened_at=now,
        changed_at=now,
    )


def test_totals_stand_best_first_with_the_deals_and_the_rules_below():
    told = texts(render_keeper(keeper((15, 4, 0, 7), (0, 0, 26, 0), moon_value=30)))
    assert told.index("**Ben**") < told.index("**Dee**") < told.index("**Ana**")
    assert "`\u20071` `15 \u20074 \u20070 \u20077`" in told
    assert "a deal adds up to 26 · a moon gives 30 to everybody else" in told
    assert "the game is over at 100" in told


def test_a_moon_is_named_at_its_deal():
    shot = KeptDeal((26, 0, 26, 26), shooter=1)
    at = replace(keeper(), sheet=ScoreSheet(FOUR, KeptRules(), (shot,)))
    assert "Ben shot the moon" in texts(render_public_scores(at, "Ann"))


def test_the_end_of_a_game_names_the_winner_and_leaves_undo():
    offered = labels(render_keeper(keeper((100, 0, 20, 30))))
    assert "Ana" not in texts(render_keeper(keeper((100, 0, 20, 30)))).splitlines()[0]
    assert "Ben wins the game" in texts(render_keeper(keeper((100, 0, 20, 30))))
    assert offered["Enter points"]["disabled"]
    assert not offered["Undo deal 1"]["disabled"]
    assert menus(render_keeper(keeper((100, 0, 20, 30)))) == []


def test_before_the_first_deal_there_is_nothing_to_undo_or_to_post():
    offered = labels(render_keeper(keeper()))
    assert offered["Undo"]["disabled"]
    assert offered["Post to channel"]["disabled"]
    assert not offered["Enter points"]["disabled"]


def test_at_most_one_button_of_a_panel_is_primary():
    styles = [each["style"] for each in buttons(render_keeper(keeper(), draft=("1", "2")))]
    assert styles.count(1) == 1


@pytest.mark.parametrize("draft", [(), ("-9999",) * MOST_PLAYERS])
def test_the_fullest_panel_keeps_to_what_discord_takes(draft):
    full = keeper(
        *[(-9_999,) * MOST_PLAYERS] * 50,
        players=tuple(f"{n}{'*_`~|' * 7}" for n in range(MOST_PLAYERS)),
        jack=True,
    )
    notice = Sentence("{words}", {"words": "x" * 200})
    views = [
        render_keeper(full, notice=notice, draft=draft),
        render_to_moderator(full),
        render_public_scores(full, "*" * 40),
        jack_question(full, keeper_ids.ChooseJack(full.id, 999_999, 9)),
        jack_question(full, keeper_ids.ChooseMissingJack(full.id, 999_999, draft)),
        close_question(full),
    ]
    for view in views:
        assert len(parts(view)) <= MOST_COMPONENTS
        assert len(texts(view)) <= 4_000
        assert all(len(each) <= ids.LONGEST_ID for each in custom_ids(view))
        assert actions(view) == [ids.parse(each) for each in custom_ids(view)]
        for menu in menus(view):
            assert all(1 <= len(option["label"]) <= 100 for option in menu["options"])


@pytest.mark.parametrize("count", [3, 5, 6, 10])
def test_forms_keep_to_what_discord_takes(count):
    at = keeper(players=tuple(f"{n}{'W' * 40}" for n in range(count)))
    for form in (points_form(at), rules_form(at)):
        payload: Any = form.to_dict()
        assert len(payload["title"]) <= 45
        assert len(payload["components"]) <= 5
        assert len(payload["custom_id"]) <= ids.LONGEST_ID
        for label in payload["components"]:
            assert len(label["label"]) <= 45
            assert len(label.get("description") or "") <= 100


def test_up_to_five_players_have_a_field_each_and_more_have_one_line():
    fields = [len(points_form(keeper(players=tuple("ABCDEFGHIJ"[:n]))).children) for n in (3, 5, 6)]
    assert fields == [3, 5, 1]


@pytest.mark.parametrize(
    ("typed", "number"),
    [("4", 4), ("+4", 4), ("-10", -10), ("−10", -10), ("–10", -10), (" 7 ", 7), ("", 0)],
)
def test_numbers_are_read_as_people_type_them(typed, number):
    sheet = keeper().sheet
    fields = {"0": typed}
    assert read_points(sheet, typed_points(sheet, fields)) == (number, 0, 0, 0)


@pytest.mark.parametrize("typed", ["four", "4.5", "--4", "4-", "٤", "²", "9999999999", "1e3"])
def test_what_is_no_whole_number_is_refused(typed):
    with pytest.raises(NotANumberError):
        read_points(keeper().sheet, (typed, "0", "0", "0"))


def test_one_line_is_cut_at_any_separator():
    sheet = keeper(players=tuple("ABCDEF")).sheet
    typed = typed_points(sheet, {"line": " 13, 1;2/3   4\t-3 "})
    assert read_points(sheet, typed) == (13, 1, 2, 3, 4, -3)
    with pytest.raises(WrongCountError):
        read_points(sheet, typed_points(sheet, {}))


@given(st.lists(st.text(max_size=5), min_size=3, max_size=10))
def test_a_draft_of_anything_fits_into_its_button(typed):
    action = keeper_ids.OpenPoints(KeeperId("K7Q2M9XA"), 999_999, draft_of(typed))
    assert len(ids.write(action)) <= ids.LONGEST_ID
    assert ids.parse(ids.write(action)) == action


def test_a_draft_keeps_what_was_typed():
    assert draft_of(("15", "−4", "", "four", "1*")) == ("15", "-4", "", "four", "1")


AS_IT_STANDS = {"total": "26", "target": "100", "value": "26", "moon": "add_others", "jack": "no"}


@pytest.mark.parametrize(
    ("typed", "rules"),
    [
        ({}, KeptRules()),
        ({"target": "50", "moon": "subtract_self"}, KeptRules(26, 50, MoonForm.SUBTRACT_SELF)),
        ({"jack": "yes"}, KeptRules(total=16, jack=True)),
        ({"jack": "yes", "total": "33"}, KeptRules(total=33, jack=True)),
        ({"moon": "sideways"}, KeptRules()),
    ],
)
def test_rules_are_read_and_an_untouched_total_follows_the_jack(typed, rules):
    """Rules.md 1.1: 26, and 16 with the jack of diamonds."""
    assert read_rules(KeptRules(), {**AS_IT_STANDS, **typed}) == rules


def test_without_the_jack_again_a_deal_adds_up_to_26_again():
    with_it = KeptRules(total=16, jack=True)
    assert read_rules(with_it, {**AS_IT_STANDS, "total": "16"}) == KeptRules()


def test_rules_out_of_bounds_are_refused():
    with pytest.raises(TooLargeError):
        read_rules(KeptRules(), {**AS_IT_STANDS, "target": str(LARGEST + 1)})
    with pytest.raises(NotANumberError):
        read_rules(KeptRules(), {**AS_IT_STANDS, "target": "a lot"})


@pytest.mark.parametrize("count", range(3, MOST_PLAYERS + 1))
def test_a_row_of_points_is_as_narrow_as_a_phone(count):
    """Beside the deal's number, 390 pixels hold 24 characters; a longer row breaks in two."""
    names = tuple(f"P{seat}" for seat in range(count))
    points = (-10, 26, 10, *[0] * (count - 3))
    lines = texts(render_keeper(keeper(points, points, players=names))).split("\n")
    figures = [line.split("` `")[1].strip("`") for line in lines if "` `" in line]
    assert max(map(len, figures)) <= 24
    assert len(" ".join(figures).split()) == 2 * count
    told = [line for line in lines if "Each deal by seat" in line]
    assert "".join(told).count("P") == count


def test_a_moon_is_told_beside_the_figures_of_its_shooter_alone():
    names = tuple(f"P{seat}" for seat in range(10))
    kept = keeper(players=names)
    moon = KeptDeal((26,) * 9 + (0,), shooter=9)
    told = texts(render_keeper(replace(kept, sheet=replace(kept.sheet, deals=(moon,)))))
    assert told.count("shot the moon") == 1
