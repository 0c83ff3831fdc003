"""The client: what Discord refuses becomes our own errors, and what people write is not read."""

import discord
import pytest

from cogs.client import IntentsRefusedError, run_bot
from tests.support.discord import discord_world
from tests.support.seated import in_play


async def test_refused_intents_become_an_error_of_our_own(monkeypatch):
    async with discord_world() as world:

        async def refused() -> None:
            raise discord.PrivilegedIntentsRequired(None)

        monkeypatch.setattr(world.app.bot, "connect", refused)
        with pytest.raises(IntentsRefusedError):
            await run_bot(world.app.bot)


async def test_what_people_write_is_neither_kept_nor_answered():
    async with discord_world() as world:
        ann = world.person("Ann")
        before = len(world.wire.payloads)
        await ann.send(world.channel, f"<@{world.app.bot.user.id}> help")
        assert len(world.wire.payloads) == before
        assert list(world.app.bot.cached_messages) == []


async def test_a_gateway_that_says_three_times_that_it_is_ready_changes_and_sends_nothing():
    """Discord opens a session anew whenever it likes, and each begins with that word."""
    async with discord_world() as world:
        _, player = await in_play(world)
        before = await world.app.tables.view(player.table)
        world.wire.payloads.clear()
        for _ in range(3):
            world.app.bot.dispatch("ready")
        await world.env.settle()
        await world.show()
        assert await world.app.tables.view(player.table) == before
        assert world.wire.payloads == []
