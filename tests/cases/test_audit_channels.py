"""What an outage and a farewell leave in the store: rows B74 and B75 of the known cases."""

import sqlite3
from contextlib import closing

import pytest
from simcord.backend import serializers

from bot.table.ids import GuildId
from tests.support.discord import World, discord_world
from tests.support.house import server_playing
from tests.support.seated import cards_of, in_play, plays


def stored(world: World) -> list[str]:
    """All that lies in the database, as SQL."""
    with closing(sqlite3.connect(world.file)) as database:
        return list(database.iterdump())


async def gone(world: World, *, unavailable: bool) -> None:
    """Discord says that the server is not there any more."""
    notice = {"id": str(world.guild.id)} | ({"unavailable": True} if unavailable else {})
    world.env.backend.emit("GUILD_DELETE", notice)
    await world.env.settle()
    await world.show()


async def back(world: World) -> None:
    """The outage is over."""
    backend = world.env.backend
    backend.emit("GUILD_CREATE", serializers.guild_create_payload(backend, world.guild._guild))
    await world.env.settle()
    await world.show()


@pytest.mark.case("B74")
@pytest.mark.case("B75")
async def test_b75_an_outage_of_discord_changes_no_row_and_a_farewell_does():
    async with discord_world() as world:
        _, player = await in_play(world)
        settings = world.app.bot.services.settings
        chosen = server_playing({"end": {"target": 50}}, clock="8h")
        await settings.save_server(GuildId(world.guild.id), chosen)
        before = stored(world)
        await gone(world, unavailable=True)
        assert stored(world) == before
        await back(world)
        assert stored(world) == before
        [card, *_] = plays(player)
        await player.press(card)
        assert card.card not in await cards_of(player)

        before = stored(world)
        await gone(world, unavailable=False)
        assert stored(world) != before
        assert await settings.server(GuildId(world.guild.id)) == chosen
