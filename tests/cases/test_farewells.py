"""Servers that send the bot away, and outages that only look like it (B74)."""

from datetime import timedelta
from typing import Any

import pytest
from simcord.backend import serializers

from bot.table.departures import KEPT
from bot.table.ids import GuildId
from tests.cases.test_audit_channels import back, gone, stored
from tests.support.discord import World, discord_world
from tests.support.seated import in_play

MONTH = KEPT.total_seconds()


def events_of(world: World) -> int:
    """How many events are left."""
    return sum(line.startswith('INSERT INTO "events"') for line in stored(world))


def is_named(world: World) -> bool:
    """Whether the server is named anywhere."""
    return str(world.guild.id) in "".join(stored(world))


async def month_later(world: World) -> None:
    await world.pass_time(MONTH)
    await world.app.caretaker.look_after()


async def opened_anew(world: World, *guilds: Any) -> None:
    """A process begins: the gateway opens, and Discord names these servers and no others."""
    client = world.app.bot
    client._connection._guilds.clear()
    client._connection.parse_ready(ready(world, guilds))
    for guild in guilds:
        payload = serializers.guild_create_payload(world.env.backend, guild)
        world.env.backend.emit("GUILD_CREATE", payload)
    await world.env.settle()


def ready(world: World, guilds: Any) -> Any:
    user = world.app.bot.user
    assert user is not None
    return {
        "user": {"id": str(user.id), "username": user.name, "discriminator": "0", "avatar": None},
        "guilds": [{"id": str(guild.id), "unavailable": True} for guild in guilds],
        "shard": [0, 1],
        "application": {"id": str(world.app.bot.application_id), "flags": 0},
    }


async def test_b74_a_month_after_a_farewell_nothing_is_left_and_not_a_day_sooner():
    async with discord_world() as world:
        await in_play(world)
        await gone(world, unavailable=False)
        await world.pass_time(MONTH - 60)
        await world.app.caretaker.look_after()
        assert events_of(world) > 5
        await world.pass_time(60)
        await world.app.caretaker.look_after()
        assert events_of(world) == 0
        assert not is_named(world)


async def test_b74_an_outage_of_a_month_is_no_farewell():
    """The control of the test above: the same month, and everything stays."""
    async with discord_world() as world:
        await in_play(world)
        await gone(world, unavailable=True)
        before = events_of(world)
        await month_later(world)
        assert events_of(world) >= before
        assert await departures(world) == []
        await back(world)
        await month_later(world)
        assert events_of(world) >= before


async def departures(world: World) -> list[GuildId]:
    """The servers whose data is to go some day."""
    never = world.clock.now() + timedelta(days=9_999)
    store = world.app.bot.services.privacy.farewells._departures
    return [each.guild_id for each in await store.due(never, 99)]


async def test_b74_a_server_that_comes_back_keeps_everything():
    async with discord_world() as world:
        await in_play(world)
        await gone(world, unavailable=False)
        assert await departures(world) == [world.guild.id]
        before = events_of(world)
        await back(world)
        assert await departures(world) == []
        await month_later(world)
        assert events_of(world) >= before


@pytest.mark.parametrize("unavailable", [True, False])
async def test_b74_what_discord_names_when_the_gateway_opens_is_there(unavailable: bool):
    """A server that an outage hides is named with the others; one that is missing has left."""
    async with discord_world() as world:
        await in_play(world)
        upkeep_of(world)
        await opened_anew(world, *([world.guild._guild] if unavailable else []))
        await on_ready(world)
        assert await departures(world) == ([] if unavailable else [world.guild.id])


async def on_ready(world: World) -> None:
    await upkeep_of(world).on_ready()


def upkeep_of(world: World) -> Any:
    [listener] = world.app.bot.extra_events["on_ready"]
    return listener.__self__  # type: ignore[attr-defined]  # a method of it


async def test_b74_nothing_is_deleted_of_a_server_that_is_there_after_all():
    """Whatever was noted, the last look is taken in the moment of the deletion."""
    async with discord_world() as world:
        await in_play(world)
        farewells = world.app.bot.services.privacy.farewells
        before = events_of(world)
        await farewells.left(GuildId(world.guild.id))
        await month_later(world)
        assert events_of(world) >= before


async def test_b74_nothing_is_deleted_while_the_gateway_is_away():
    async with discord_world() as world:
        await in_play(world)
        await gone(world, unavailable=False)
        world.app.bot.dispatch("disconnect")
        world.app.bot.dispatch("shard_disconnect", 0)
        await world.env.settle()
        before = events_of(world)
        await month_later(world)
        assert events_of(world) == before
