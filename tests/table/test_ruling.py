"""The rules of a lobby: who sets them, until when, and what goes with its seats."""

import asyncio

import pytest

from bot.rules import variants
from bot.rules.options import ClashError, UnknownOptionError
from bot.table import commands, history, posts
from bot.table.errors import (
    RulesFixedError,
    RulesHostError,
    SeatsClashError,
    TablePausedError,
)
from bot.table.events import RulesChosen
from tests.support.histories import Story, started
from tests.support.tables import ANN, BEA, FOUR, Room

STANDARD = variants.load("standard")
SHORT = commands.ChooseRule(ANN, "end", "to_50")


def test_a_choice_of_the_host_becomes_the_rules_of_the_lobby():
    story = Story(ANN, BEA)
    [event] = story.ask(SHORT)
    assert isinstance(event, RulesChosen)
    assert story.table.ruleset.end.points == 50
    assert story.table.ruleset.id == "standard"
    assert len(story.table.chairs) == 4
    assert story.table.chairs[1] is not None, "nobody loses a seat"


def test_what_holds_already_is_no_event():
    story = Story(ANN)
    assert story.ask(commands.ChooseRule(ANN, "end", "to_100")) == ()
    assert story.ask(commands.RestoreRules(ANN)) == ()


def test_choices_add_up_and_the_presets_rules_come_back_whole():
    story = Story(ANN)
    story.ask(SHORT)
    story.ask(commands.ChooseRule(ANN, "bonus", "jack"))
    assert story.table.ruleset.end.points == 50
    story.ask(commands.RestoreRules(ANN))
    assert story.table.ruleset == STANDARD


@pytest.mark.parametrize(
    "command", [commands.ChooseRule(BEA, "end", "to_50"), commands.RestoreRules(BEA)]
)
def test_only_the_host_sets_the_rules(command):
    story = Story(ANN, BEA)
    story.ask(SHORT)
    with pytest.raises(RulesHostError):
        story.ask(command)


@pytest.mark.parametrize("command", [SHORT, commands.RestoreRules(ANN)])
def test_the_rules_of_a_running_table_never_change(command):
    story = started(*FOUR)
    with pytest.raises(RulesFixedError):
        story.ask(command)
    story.ask(commands.Pause("forbidden"))
    with pytest.raises(RulesFixedError):
        story.ask(command)


def test_the_rules_of_a_closed_lobby_do_not_change():
    story = Story(ANN)
    story.ask(commands.End(ANN, moderator=False))
    with pytest.raises(RulesFixedError):
        story.ask(SHORT)


def test_a_paused_lobby_waits_for_its_channel():
    story = Story(ANN)
    story.ask(commands.Pause("forbidden"))
    with pytest.raises(TablePausedError):
        story.ask(SHORT)


def test_a_clash_changes_nothing():
    story = Story(ANN, ruleset=variants.load("black_maria"))
    with pytest.raises(ClashError):
        story.ask(commands.ChooseRule(ANN, "hearts", "face"))
    with pytest.raises(UnknownOptionError):
        story.ask(commands.ChooseRule(ANN, "hearts", "free"))
    assert story.table.ruleset == variants.load("black_maria")


def test_rules_for_more_seats_than_the_table_has_are_refused_with_both_sides():
    """rules.md 1.9: two packs are for five players and more."""
    story = Story(*FOUR, ruleset=variants.load("joker_hearts"))
    with pytest.raises(SeatsClashError) as refused:
        story.ask(commands.ChooseRule(ANN, "packs", "two"))
    said = str(refused.value.sentence)
    assert "“Packs and jokers: Two packs, for five to nine players”" in said
    assert "a table of 4 seats" in said
    five = Story(*FOUR, seats=5, ruleset=variants.load("joker_hearts"))
    five.ask(commands.ChooseRule(ANN, "packs", "two"))
    assert five.table.ruleset.packs == 2


def test_a_game_starts_with_the_rules_that_were_chosen():
    story = Story(*FOUR)
    story.ask(commands.ChooseRule(ANN, "passing", "none"))
    story.ask(commands.Start(ANN, 0.0))
    assert story.table.game.ruleset == story.table.ruleset
    assert history.replay(story.stored).table == story.table


def test_a_host_who_just_chose_a_rule_is_not_called_to_the_full_lobby():
    story = Story(*FOUR)
    assert [ping.user_id for ping in posts.pings(story.table)] == [ANN]
    story.ask(SHORT)
    assert posts.pings(story.table) == ()


async def test_two_choices_at_once_are_both_kept_and_outlive_a_restart():
    room = Room()
    table = (await room.open(ANN)).id
    await asyncio.gather(
        room.tables.choose_rule(room.by(ANN), table, "end", "to_50"),
        room.tables.choose_rule(room.by(ANN), table, "bonus", "jack"),
    )
    again = room.another_manager()
    view = await again.view(table)
    assert (view.ruleset.end.points, len(view.ruleset.points)) == (50, 3)
    back = await again.ask(room.by(ANN), table, commands.RestoreRules(ANN))
    assert back.ruleset == STANDARD
