"""Answers in time, in the right place, and to the right eyes, however long the work takes."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
import pytest

from cogs.ui import ids
from tests.support.discord import World, discord_world, text_of
from tests.support.seated import four, in_play, plays

WAIT_PRIVATELY, WAIT_IN_PLACE = 5, 6
"""Discord's numbers for "thinking…" in a message of its own, and for changing this one later."""

_PATIENCE = 0.01
_SLOW_SECONDS = 0.1


@pytest.fixture(autouse=True)
def little_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that slow work need not take seconds."""
    monkeypatch.setattr("cogs.answers.PATIENCE", _PATIENCE)


@asynccontextmanager
async def slow_store(world: World, monkeypatch: Any) -> AsyncIterator[None]:
    """A store that needs longer for each look at settings than an answer may wait."""
    services = world.app.bot.services
    with monkeypatch.context() as patch:
        for port, name in ((services.settings, "server"), (services.settings, "person")):
            patch.setattr(port.__class__, name, slowly(getattr(port.__class__, name)))
        yield


def slowly(real: Any) -> Any:
    async def slow(self: Any, *args: Any) -> Any:
        await asyncio.sleep(_SLOW_SECONDS)
        return await real(self, *args)

    return slow


def callbacks(world: World) -> list[int]:
    """The kinds of all first answers, in order."""
    return [body["type"] for _, path, body in world.wire.payloads if path.endswith("/callback")]


async def test_a_slow_command_is_announced_and_then_answered_in_private(monkeypatch):
    async with discord_world() as world:
        ann = world.person("Ann")
        async with slow_store(world, monkeypatch):
            result = await world.slash(ann, "hearts start")
        assert callbacks(world) == [WAIT_PRIVATELY]
        assert result.ephemeral
        assert "is open" in text_of(result.response)
        assert result.followups == []


async def test_a_slow_hand_comes_as_a_new_private_message_and_is_kept_fresh(monkeypatch):
    async with discord_world() as world:
        players, player = await in_play(world)
        watching = players[players.index(player) - 1]
        async with slow_store(world, monkeypatch):
            await watching.open_hand()
        before = text_of(watching.hand)
        await player.press(plays(player)[0])
        assert text_of(watching.hand) != before


async def test_a_slow_press_that_is_refused_keeps_its_reason_private(monkeypatch):
    async with discord_world() as world:
        players = await four(world)
        eve = world.person("Eve")
        post = world.newest_with(ids.OpenHand(players[0].table))
        real = world.app.tables.hand

        async def slow(*args: Any) -> Any:
            await asyncio.sleep(_SLOW_SECONDS)
            return await real(*args)

        monkeypatch.setattr(world.app.tables, "hand", slow)
        result = await world.press(eve, post, ids.OpenHand(players[0].table))
        assert callbacks(world)[-1] == WAIT_PRIVATELY
        assert result.response.ephemeral
        assert "do not sit" in text_of(result.response)


async def test_a_slow_press_on_a_public_post_changes_the_post_and_nothing_else(monkeypatch):
    async with discord_world() as world:
        ann, bea = world.person("Ann"), world.person("Bea")
        await world.slash(ann, "hearts start", seats=4)
        table = await world.table_id()
        real = world.app.tables.join

        async def slow(*args: Any) -> Any:
            await asyncio.sleep(_SLOW_SECONDS)
            return await real(*args)

        monkeypatch.setattr(world.app.tables, "join", slow)
        result = await world.press(bea, world.newest_with(ids.Join(table)), ids.Join(table))
        assert callbacks(world)[-1] == WAIT_IN_PLACE
        assert result.followups == []
        assert "**Bea**" in text_of(world.posts()[-1])
        again = await world.press(bea, world.newest_with(ids.Join(table)), ids.Join(table))
        [reason] = again.followups
        assert reason.ephemeral
        assert "already sit" in text_of(reason)


async def test_an_invitation_that_cannot_be_said_leaves_the_table_open(caplog):
    async with discord_world() as world:
        ann, bea = world.person("Ann"), world.person("Bea")
        world.env.inject_error("POST", "/webhooks/*", status=403, code=50013)
        with caplog.at_level(logging.WARNING, "cogs"):
            result = await world.slash(ann, "hearts start", member1=bea)
        assert "is open" in text_of(result.response)
        assert "announcement was lost" in caplog.text


@pytest.mark.parametrize(
    ("status", "code"), [(404, 10062), (400, 40060), (401, 50027), (404, 10015)]
)
async def test_an_answer_that_discord_does_not_take_any_more_is_let_go(status, code):
    async with discord_world() as world:
        _, player = await in_play(world)
        [card, *_] = plays(player)
        world.env.inject_error("POST", "/interactions/*", status=status, code=code)
        click = world.send_raw(player.member, player.hand, ids.write(card))
        await world.env.settle()
        assert not click.acknowledged
        view = await world.app.tables.view(player.table)
        assert [play.card for play in view.game.trick.plays] == [card.card]


def disconnecting(real: Any, path: str, *, times: int) -> Any:
    """A Discord that hangs up before anything is done, so often."""
    left = [None] * times

    def dispatch(backend: Any, method: str, asked: str, **rest: Any) -> Any:
        if asked.startswith(path) and left:
            left.pop()
            raise aiohttp.ServerDisconnectedError
        return real(backend, method, asked, **rest)

    return dispatch


@pytest.mark.parametrize("times", [1, 2])
async def test_an_answer_that_discord_fails_to_take_is_told_and_is_no_incident(times):
    """The move is stored; with a second failure nobody can be told, and nothing is raised."""
    async with discord_world() as world:
        _, player = await in_play(world)
        [card, *_] = plays(player)
        world.wire.real = disconnecting(world.wire.real, "/interactions/", times=times)
        click = world.send_raw(player.member, player.hand, ids.write(card))
        await world.env.settle()
        view = await world.app.tables.view(player.table)
        assert [play.card for play in view.game.trick.plays] == [card.card]
        assert click.acknowledged is (times == 1)
        if click.response is not None:
            assert "Discord did not take my answer" in text_of(click.response)


async def test_a_server_error_of_discords_is_no_incident_either():
    async with discord_world() as world:
        _, player = await in_play(world)
        world.env.inject_error("POST", "/interactions/*", status=503)
        click = world.send_raw(player.member, player.hand, ids.write(plays(player)[0]))
        await world.env.settle()
        assert "Discord did not take my answer" in text_of(click.response)


@pytest.mark.thorough
async def test_what_cannot_be_announced_is_answered_all_the_same(monkeypatch):
    """The request for patience fails, the answer comes through."""
    async with discord_world() as world:
        _, player = await in_play(world)
        world.env.inject_error("POST", "/interactions/*", status=503)
        async with slow_store(world, monkeypatch):
            click = world.send_raw(player.member, player.hand, ids.write(plays(player)[0]))
            await world.env.settle()
            await asyncio.sleep(_SLOW_SECONDS * 3)
            await world.env.settle()
        assert click.acknowledged


async def test_a_log_never_says_which_card_was_refused(caplog):
    async with discord_world() as world:
        _, player = await in_play(world)
        with caplog.at_level(logging.DEBUG, "cogs"):
            await world.forge(player.member, player.hand, f"h1:play:{player.table}:1:{'QS'}")
        assert "QS" not in caplog.text
        assert "queen" not in caplog.text
