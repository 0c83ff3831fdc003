"""Boards, lists, settings, rules and help, each for one reader (cases.md C2, C6, C7)."""

import re
from dataclasses import replace
from pathlib import Path
from typing import get_args

import discord
import pytest

import cogs.ui
from bot.rules import families, variants
from bot.rules.sentence import Sentence
from bot.table.clocks import MOVE_CLOCKS, move_clock
from bot.table.house import MOST_HOUSE_RULES
from bot.table.ids import ChannelId, UserId
from bot.table.state import Status
from bot.table.storing import ServerSettings
from bot.table.views import PersonStats, Standing, StandingsPage
from cogs.ui import ids, server_ids
from cogs.ui.help import Topic, render_greeting, render_help
from cogs.ui.ids import Period, ServerBoard
from cogs.ui.parts import MOST_COMPONENTS
from cogs.ui.questions import end_question, leave_question
from cogs.ui.rule_ids import ChooseVariantFamily
from cogs.ui.rules import render_rules
from cogs.ui.score_sheet import render_scores
from cogs.ui.settings import render_settings
from cogs.ui.standings import render_board, render_stats
from cogs.ui.times import pace
from cogs.ui.variants import render_family, render_variants
from cogs.words import Voice
from tests.support.deals import STANDARD, deal_in_play, house_rules, played
from tests.support.house import house
from tests.support.looks import buttons, custom_ids, menus, parts, table, texts, view_of


def _standing(rank=1, name="Maya", user=1, **more):
    facts = {"games": 14, "wins": 6, "mean_points": 5.214, "moons": 3, **more}
    return Standing(rank=rank, user_id=UserId(user), name=name, **facts)


def _page(*lines, page=1, pages=1, own=None):
    return StandingsPage(lines=lines, page=page, pages=pages, own=own)


def test_a_board_tells_rank_wins_games_points_and_moons():
    told = texts(render_board(_page(_standing()), Period.ALL))
    assert "Leaderboard · all time" in told
    assert "`1` **Maya** · 6 wins\n-# 14 games · 5.21 points a deal · 3 moons" in told


def test_b129_a_board_counts_one_properly():
    one = _standing(games=1, wins=1, moons=1)
    assert "1 win\n-# 1 game · 5.21 points a deal · 1 moon" in texts(
        render_board(_page(one), Period.ALL)
    )


def test_b135_a_person_nobody_remembers_is_a_former_member():
    told = texts(render_board(_page(_standing(name=None)), Period.ALL))
    assert "**former member**" in told


def test_b136_a_board_mentions_nobody():
    told = texts(render_board(_page(_standing(name="<@5>")), Period.ALL))
    assert "<@" not in told.replace(r"\<", "")


def test_ones_own_line_is_added_when_it_stands_elsewhere():
    own = _standing(rank=12, name="Sam", user=4)
    assert "`12` **You**" in texts(render_board(_page(_standing(), own=own), Period.ALL))
    assert "You" not in texts(render_board(_page(own, own=own), Period.ALL))


def test_pages_turn_in_place_and_stop_at_the_ends():
    first = {
        button["label"]: button
        for button in buttons(render_board(_page(_standing(), pages=2), Period.DAYS_30))
    }
    assert first["Previous"]["disabled"]
    assert ids.parse(first["Next"]["custom_id"]) == ServerBoard(Period.DAYS_30, 2)
    assert ids.parse(first["Show all time"]["custom_id"]) == ServerBoard(Period.ALL, 1)
    last = {
        button["label"]: button
        for button in buttons(render_board(_page(_standing(), page=2, pages=2), Period.ALL))
    }
    assert last["Next"]["disabled"]
    assert ids.parse(last["Previous"]["custom_id"]) == ServerBoard(Period.ALL, 1)


def test_an_empty_board_says_when_a_game_counts():
    assert "when two people finish it" in texts(render_board(_page(), Period.ALL))


def _stats(**more):
    facts = {
        "games": 21, "rated_games": 14, "wins": 9, "places": {1: 9, 2: 1}, "deals": 120,
        "points": 640, "moons": 3, "best_total": 31, **more,
    }  # fmt: skip
    return PersonStats(user_id=UserId(1), **facts)


def test_stats_tell_all_that_came_of_somebodys_games():
    told = texts(render_stats(_stats(), "*Maya*"))
    assert r"Results of \*Maya\*" in told
    assert "21 games · **9 wins**" in told
    assert "place 1: 9 times · place 2: 1 time" in told
    assert "14 of them count for the leaderboard" in told
    assert "5.33 points a deal over 120 deals" in told
    assert "3 moons shot" in told
    assert "Best total at the end: 31" in told


def test_stats_without_a_finished_game_say_so():
    assert "no finished game" in texts(render_stats(_stats(games=0), "Maya"))


def test_where_only_more_points_won_nothing_is_said_of_points_a_deal():
    told = texts(render_stats(_stats(deals=0, points=0, best_total=None), "Maya"))
    assert "a deal" not in told
    assert "Best total" not in told
    assert "3 moons shot" in told, "the control"
    line = texts(render_board(_page(_standing(mean_points=None)), Period.ALL))
    assert "a deal" not in line
    assert "14 games" in line, "the control"


def _options(view, kind):
    (menu,) = (m for m in menus(view) if isinstance(ids.parse(m["custom_id"]), kind))
    return {option["value"]: option.get("default", False) for option in menu["options"]}


def _marked(menu):
    return [each["value"] for each in menu.get("options", []) if each.get("default")]


def test_b45_the_panel_shows_what_is_stored():
    settings = ServerSettings(clock="8h", channels=(ChannelId(7),), variant="killer")
    view = render_settings(settings)
    marked = [value for menu in menus(view) for value in _marked(menu)]
    assert marked == ["killer", "8h", "21", "channel", "ask"]
    assert [value for value, on in _options(view, server_ids.ChooseClock).items() if on] == ["8h"]
    (channels,) = (m for m in menus(view) if m["type"] == 8)
    assert channels["default_values"] == [{"id": 7, "type": "channel"}] or channels[
        "default_values"
    ] == [{"id": "7", "type": "channel"}]
    assert channels["min_values"] == 0
    assert len(set(custom_ids(view))) == len(custom_ids(view))


def test_the_panel_offers_every_clock_and_a_way_back():
    view = render_settings(ServerSettings())
    assert list(_options(view, server_ids.ChooseClock)) == [clock.id for clock in MOVE_CLOCKS]
    assert server_ids.ResetSettings() in [ids.parse(custom_id) for custom_id in custom_ids(view)]


def test_the_panel_fits_in_a_message_with_all_the_house_rules_that_a_server_may_keep():
    """discord.md 2.2: 40 components; a menu's options are none."""
    houses = tuple(house(str(number), f"Rules {number}") for number in range(MOST_HOUSE_RULES))
    full = ServerSettings(house_rules=houses, default_house="1", threads=True, claims="itself")
    assert len(parts(render_settings(full))) <= MOST_COMPONENTS


def test_the_panel_says_what_a_press_has_done():
    assert "Saved." in texts(render_settings(ServerSettings(), saved=Sentence("Saved.")))


def test_rules_name_what_is_special_first_and_apart():
    told = texts(render_rules(house_rules(points={"JD": -10}), 4))
    assert told.index("Special at this table") < told.index("jack of diamonds saves you 10")
    assert told.index("jack of diamonds saves you 10") < told.index("You must follow the suit")


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_standard_rules_have_nothing_special_for_any_number(seats):
    told = texts(render_rules(STANDARD, seats))
    assert "Special" not in told
    assert f"for {seats} players" in told
    assert len(told) <= 4_000


def test_all_variants_are_listed_by_family_with_their_other_names():
    told = texts(render_variants())
    for family in families.families():
        assert f"**{family.title}**" in told
    for name in variants.names():
        for known in families.names_of(name)[:-1]:
            assert known in told
    assert len(parts(render_variants())) <= 40
    assert len(told) <= 4_000


def test_games_without_known_rules_are_listed_as_such():
    """rules.md 0: two titles, and nothing is invented."""
    told = texts(render_variants())
    assert "Two Blind Bitches and Valentine Hearts are known by title only" in told
    assert not any("Valentine" in texts(render_family(f)) for f in families.families())


@pytest.mark.parametrize("family", families.families(), ids=lambda family: family.id)
def test_a_family_introduces_each_of_its_variants(family):
    view = render_family(family)
    for name in family.presets:
        assert variants.load(name).text in texts(view).replace("\\", "")
    assert _options(view, ChooseVariantFamily)[family.id]
    assert len(parts(view)) <= 40
    assert len(texts(view)) <= 4_000


@pytest.mark.parametrize("topic", list(Topic))
def test_every_topic_of_the_help_is_told_and_marked(topic):
    view = render_help(topic)
    assert _options(view, ids.ChooseHelp) == {each.value: each is topic for each in Topic}
    assert "{" not in texts(view)
    assert len(texts(view)) <= 4_000


def test_commands_are_links_where_their_ids_are_known():
    assert "</hearts start:77>" in texts(render_help(command_ids={"hearts": 77}))
    assert "`/hearts start`" in texts(render_help())


def test_a_greeting_leads_to_the_help():
    view = render_greeting({"hearts": 77})
    assert "</hearts start:77>" in texts(view)
    assert [ids.parse(custom_id) for custom_id in custom_ids(view)] == [ids.ShowHelp()]


def test_leaving_and_ending_are_asked_once_more_with_the_consequence():
    at = view_of(table(deal_in_play("2C 3H", "AC 4H", "QS 5H", "9C 6H")))
    leave, end = leave_question(at), end_question(at)
    assert [ids.parse(each) for each in custom_ids(leave)] == [ids.ConfirmLeave(at.id)]
    assert [ids.parse(each) for each in custom_ids(end)] == [ids.ConfirmEnd(at.id)]
    assert "A robot will play for you" in texts(leave)
    assert "for everybody" in texts(end)
    assert buttons(end)[0]["style"] == discord.ButtonStyle.danger.value


def test_leaving_and_ending_a_lobby_have_other_consequences():
    at = view_of(table())
    assert "Your seat becomes free" in texts(leave_question(at))
    assert "The lobby is closed" in texts(end_question(at))


def test_a_host_who_leaves_may_end_the_game_instead():
    at = view_of(table(deal_in_play("2C 3H", "AC 4H", "QS 5H", "9C 6H")))
    for asker, offered in ((at.host, True), (UserId(2), False)):
        view = leave_question(at, asker=asker)
        assert (ids.AskEnd(at.id) in map(ids.parse, custom_ids(view))) is offered


def test_where_the_players_say_when_it_ends_the_host_may_call_the_last_deal():
    rules = house_rules(end={"hands": "open"})
    game = deal_in_play("2C 3H", "AC 4H", "QS 5H", "9C 6H", ruleset=rules)
    at = view_of(table(game))
    call = ids.CallLastDeal(at.id, 1)
    offered = end_question(at, asker=at.host)
    assert [ids.parse(each) for each in custom_ids(offered)] == [call, ids.ConfirmEnd(at.id)]
    assert "Instead you can call this deal the last" in texts(offered)
    by_moderator = end_question(at, asker=UserId(2))
    called = end_question(view_of(table(replace(game, last_deal=True))), asker=at.host)
    standard = end_question(view_of(table(replace(game, ruleset=STANDARD))), asker=at.host)
    for view in (by_moderator, called, standard):
        assert [ids.parse(each) for each in custom_ids(view)] == [ids.ConfirmEnd(at.id)]


def test_scores_list_every_deal():
    rules = house_rules(moon={"on": False})
    game = played(deal_in_play("AH", "2H", "3H", "QS", ruleset=rules), "AH 2H 3H QS")
    told = texts(render_scores(view_of(table(game, status=Status.PLAYING))))
    assert "Each deal · 1 Maya · 2 Theo · 3 Priya · 4 Sam" in told
    assert "` 1  16   0   0   0`" in told.replace("\u2007", " ")
    assert "`16` **Maya**" in told


@pytest.mark.parametrize("at", [table(), table(deal_in_play("2C", "3C", "4C", "5C"))])
def test_scores_before_the_first_deal_is_over(at):
    assert "No deal has been finished yet." in texts(render_scores(view_of(at)))


def test_clocks_are_told_in_days_hours_and_minutes():
    told = [pace(Voice(), move_clock(clock_id)) for clock_id in ("live", "1h", "72h", "7d", "off")]
    assert told == [
        "1 minute for a move",
        "1 hour for a move",
        "72 hours for a move",
        "7 days for a move",
        "no time limit",
    ]


def test_no_action_of_the_grammar_is_without_a_button():
    """Every action is drawn somewhere: a word that nothing writes would be dead."""
    known = {kind.__name__ for kind in get_args(ids.Action)}
    drawn = _names_in_renders()
    assert known <= drawn


def _names_in_renders():
    (folder,) = cogs.ui.__path__
    files = (path for path in Path(folder).glob("*.py") if not path.name.endswith("ids.py"))
    source = "\n".join(path.read_text("utf-8") for path in files)
    called = re.findall(r"\b(?:ids\.)?([A-Z][A-Za-z]+)\(", source)
    handed_on = re.findall(r"[( ]rule_ids\.([A-Z][A-Za-z]+)[,)]", source)
    return {*called, *handed_on}
