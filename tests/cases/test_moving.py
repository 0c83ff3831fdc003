"""Known faults of other bots, as far as lost places go: a table moves on (cases.md B64)."""

from dataclasses import replace

from bot.table.ids import UserId
from bot.table.state import Status
from bot.table.storing import Reminders
from cogs.ui import ids
from tests.cases.test_channels import a_thread, deny
from tests.support.discord import discord_world, text_of
from tests.support.games import Watch, play
from tests.support.seated import in_play, in_trick

SILENT = 1 << 12
"""Discord's flag of a message that makes no sound."""


async def test_b64_a_game_whose_channel_is_deleted_goes_on_where_its_host_moves_it():
    async with discord_world() as world:
        players, player = await in_play(world)
        watch = Watch(world, player.table)
        await play(players, watch, until=in_trick(3))
        world.env.backend.delete_channel(world.channel.id)
        await world.env.settle()
        elsewhere = world.guild.create_text_channel("elsewhere")
        refused = await world.slash(players[1].member, "hearts move", channel=elsewhere)
        assert "Only the host" in text_of(refused.response)
        moved = await world.slash(players[0].member, "hearts move", channel=elsewhere)
        assert "stands here from now on" in text_of(moved.response)
        await world.show()
        view = await world.app.tables.view(player.table)
        assert (view.status, view.channel_id) == (Status.PLAYING, elsewhere.id)
        shown = [text_of(post) for post in world.posts(elsewhere)]
        assert sum("has moved here" in words for words in shown) == 1
        assert not any("still stands there" in words for words in shown)
        assert sum("Trick 2 of 13" in words for words in shown) == 1
        assert world.newest_with(ids.OpenHand(player.table), elsewhere)


async def test_b64_people_are_told_in_private_that_their_channel_is_gone():
    """By reachable means: once each, without a sound, and robots are told nothing."""
    async with discord_world() as world:
        players, _ = await in_play(world)
        off, *others = (UserId(player.member.id) for player in players)
        await world.app.bot.services.persons.change(
            off, lambda before: replace(before, reminders=Reminders.OFF)
        )
        world.wire.payloads.clear()
        world.env.backend.delete_channel(world.channel.id)
        await world.env.settle()
        told = [body for _, _, body in world.wire.payloads if "is gone" in body.get("content", "")]
        assert len(told) == len(others)
        assert all(body["flags"] & SILENT for body in told)
        assert all("/hearts move" in body["content"] for body in told)


async def test_b64_who_takes_no_direct_messages_holds_up_nobody_who_is_told():
    async with discord_world() as world:
        players, player = await in_play(world)
        world.env.inject_error("POST", "/users/@me/channels", status=403, code=50278, times=1)
        world.wire.payloads.clear()
        world.env.backend.delete_channel(world.channel.id)
        await world.env.settle()
        told = [body for _, _, body in world.wire.payloads if "is gone" in body.get("content", "")]
        assert len(told) == len(players) - 1
        assert (await world.app.tables.view(player.table)).status is Status.PAUSED


async def test_b64_a_table_moves_into_a_thread_and_leaves_its_tricks_behind():
    async with discord_world() as world:
        players, player = await in_play(world)
        await play(players, Watch(world, player.table), until=in_trick(3))
        thread = a_thread(world)
        before = len(world.posts())
        await world.slash(players[0].member, "hearts move", channel=thread, table=player.table)
        await world.show()
        assert "Trick 2 of 13" in text_of(world.posts(thread)[-2])
        left = [text_of(post) for post in world.posts()]
        assert len(left) < before
        assert not any("Trick 2 of 13" in words for words in left)
        assert any("Trick 1 of 13" in words for words in left)
        again = await world.slash(players[0].member, "hearts move", channel=thread)
        assert "stands here already" in text_of(again.response)


async def test_b64_no_table_moves_to_where_another_stands_or_where_the_bot_is_mute():
    async with discord_world() as world:
        players, player = await in_play(world)
        busy, mute = (world.guild.create_text_channel(name) for name in ("busy", "mute"))
        await world.slash(world.person("Eve"), "hearts start", channel=busy)
        deny(world, mute, "send_messages")
        for place, why in ((busy, "already has a table"), (mute, "I am missing")):
            told = await world.slash(
                players[0].member, "hearts move", channel=place, table=player.table
            )
            assert why in text_of(told.response)
        view = await world.app.tables.view(player.table)
        assert view.channel_id == world.channel.id
