"""Buttons that live as long as their message: rows B01 to B09 of the known cases."""

import ast
import asyncio
from pathlib import Path
from typing import Any

import pytest

from bot import app
from bot.rules.cards import Hand
from bot.table.ids import UserId
from cogs.ui import ids
from db.engine import open_database
from tests.support.discord import World, actions, discord_world, text_of
from tests.support.seated import NAMES, cards_of, four, in_play, plays

COGS = Path(__file__).parents[2] / "cogs"


async def test_b01_buttons_of_yesterdays_process_work_in_todays():
    async with discord_world() as world:
        players, player = await in_play(world)
        before = await cards_of(player)
        await world.restart()
        [card, *_] = plays(player)
        await player.press(card)
        assert await cards_of(player) == before - {card.card}
        hand = await world.press(
            players[0].member,
            world.newest_with(ids.OpenHand(player.table)),
            ids.OpenHand(player.table),
        )
        assert hand.response.ephemeral


def test_b01_the_door_for_clicks_hangs_on_the_bot_before_it_logs_in():
    database = open_database("sqlite+aiosqlite:///never-opened.db")
    bot = app.build(database, clock=app.SystemClock(), seeds=app.SecretSeeds()).bot
    [door] = bot.extra_events["on_interaction"]
    assert door.__qualname__ == "Router.on_interaction"


@pytest.mark.parametrize("minutes", [4, 16, 48 * 60])
async def test_b02_buttons_outlive_every_timeout_of_the_library(minutes):
    async with discord_world() as world:
        people = [world.person(name) for name in NAMES]
        await world.slash(people[0], "hearts start", seats=4, clock="off")
        table = await world.table_id()
        for person in people[1:]:
            await world.env.advance_time(min(minutes, 20) * 60)
            await world.press(person, world.newest_with(ids.Join(table)), ids.Join(table))
        await world.press(people[0], world.newest_with(ids.Start(table)), ids.Start(table))
        await world.env.advance_time(minutes * 60)
        [hand, menu] = await self_opened(world, people[0], table)
        await world.env.advance_time(minutes * 60)
        cards = [str(card) for card in sorted(await cards_in(world, people[0], table), key=str)][:3]
        chosen = await world.choose(people[0], hand, menu, cards)
        await world.env.advance_time(minutes * 60)
        [confirm] = [each for each in actions(chosen.response) if isinstance(each, ids.ConfirmPass)]
        await world.press(people[0], chosen.response, confirm)
        view = await world.app.tables.view(table)
        assert view.game.passed == (True, False, False, False)


async def self_opened(world: World, person: Any, table: Any) -> tuple[Any, ids.ChoosePass]:
    result = await world.press(person, world.newest_with(ids.OpenHand(table)), ids.OpenHand(table))
    [menu] = [each for each in actions(result.response) if isinstance(each, ids.ChoosePass)]
    return result.response, menu


async def cards_in(world: World, person: Any, table: Any) -> Hand:
    view = await world.app.tables.hand(table, UserId(person.id))
    assert view.hand is not None
    return view.hand.hand


def default_timeouts(source: str) -> list[int]:
    """Lines where a view is made without saying that it never times out."""
    return [
        node.lineno
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call)
        and ast.unparse(node.func).rpartition(".")[2] in {"View", "LayoutView"}
        and "timeout=None" not in ast.unparse(node)
    ]


def test_b02_no_view_keeps_the_default_timeout():
    assert default_timeouts("view = ui.LayoutView()") == [1]
    found = {path.name: default_timeouts(path.read_text()) for path in COGS.rglob("*.py")}
    assert {name: lines for name, lines in found.items() if lines} == {}


async def test_b03_a_card_on_a_hand_of_twenty_minutes_ago_is_played():
    async with discord_world() as world:
        _, player = await in_play(world)
        [card, *_] = plays(player)
        await world.env.advance_time(20 * 60)
        await player.press(card)
        assert card.card not in await cards_of(player)


async def test_b04_a_click_at_one_table_never_touches_another():
    async with discord_world() as world:
        _, player = await in_play(world)
        others = [world.person(name) for name in ("Eve", "Fay", "Gus", "Hal")]
        second = world.guild.create_text_channel("second")
        await world.slash(others[0], "hearts start", channel=second, seats=4, robots=3)
        [other] = [line.id for line in await world.tables() if line.id != player.table]
        await world.press(others[0], world.newest_with(ids.Start(other), second), ids.Start(other))
        before = await world.app.tables.view(other)
        await player.press(plays(player)[0])
        assert await world.app.tables.view(other) == before


def wrong(*_args: object, **_options: object) -> Any:
    raise RuntimeError("planted")


@pytest.mark.parametrize("place", ["parse", "check", "answer"])
async def test_b05_an_unforeseen_error_becomes_a_private_sentence_with_a_logged_number(
    place, monkeypatch
):
    async with discord_world() as world:
        players = await four(world)
        if place == "parse":
            monkeypatch.setattr(ids, "parse", wrong)
        elif place == "check":
            monkeypatch.setattr(world.app.tables, "hand", wrong)
        else:
            monkeypatch.setattr("cogs.play.hand_message", wrong)
        post = world.newest_with(ids.OpenHand(players[0].table))
        monkeypatch.setattr(world, "show", nothing)
        result = await world.press(players[0].member, post, ids.OpenHand(players[0].table))
        assert result.response.ephemeral
        record = world.incidents.take()
        assert record.exc_info[1].args == ("planted",)
        assert str(record.args[0]) in text_of(result.response)


async def nothing() -> None:
    """Stands in for what would fail as well while an error is planted."""


async def test_b07_b08_no_view_stays_behind_in_the_library():
    async with discord_world() as world:
        players, player = await in_play(world)
        await player.press(plays(player)[0])
        await world.slash(players[0].member, "hearts end")
        store = world.app.bot._connection._view_store
        assert (store._views, store._synced_message_views, store._dynamic_items) == ({}, {}, {})


async def test_b08_the_end_of_one_game_leaves_the_buttons_of_another_alone():
    async with discord_world() as world:
        _, player = await in_play(world)
        eve = world.person("Eve")
        second = world.guild.create_text_channel("second")
        await world.slash(eve, "hearts start", channel=second, seats=4, robots=3)
        [other] = [line.id for line in await world.tables() if line.id != player.table]
        asked = await world.slash(eve, "hearts end", channel=second)
        await world.press(eve, asked.response, ids.ConfirmEnd(other))
        await player.press(plays(player)[0])
        assert not plays(player)


async def test_b09_a_slow_store_is_waited_for_and_the_move_counts_once(monkeypatch):
    async with discord_world() as world:
        _, player = await in_play(world)
        before = await cards_of(player)
        commit = world.app.bot.services.events.commit

        async def stalled(*args: Any) -> None:
            await asyncio.sleep(5)
            await commit(*args)

        monkeypatch.setattr(type(world.app.bot.services.events), "commit", staticmethod(stalled))
        [card, *_] = plays(player)
        click = world.send_raw(player.member, player.hand, ids.write(card))
        await world.env.advance_time(1.6)
        assert click.acknowledged
        assert click.deferred
        assert before == await cards_of(player)
        await world.env.advance_time(5)
        assert await cards_of(player) == before - {card.card}
        assert card not in player.offers
        monkeypatch.undo()
