"""Channels, servers, permissions: rows B64 to B78 of the known cases, and B83."""

from datetime import timedelta
from typing import Any

import discord
import pytest
from simcord.backend.models import Overwrite
from simcord.enums import OverwriteType

from bot.table.ids import GuildId
from bot.table.state import Status
from bot.table.storing import ServerSettings
from cogs.permissions import INVITE
from cogs.rules_help import command_ids
from cogs.ui import ids, server_ids
from tests.support.discord import World, actions, discord_world, text_of
from tests.support.games import Watch, play
from tests.support.seated import four, in_play, in_trick, plays

EVERYTHING = INVITE | discord.Permissions(
    embed_links=True, attach_files=True, read_message_history=True, use_external_emojis=True
)


def deny(world: World, channel: Any, *names: str) -> None:
    """Deny the bot some permissions in a channel, as an override of that channel."""
    denied = discord.Permissions(**dict.fromkeys(names, True)).value
    me = world.env.backend.bot_user.id
    world.env.backend.set_overwrite(
        channel.id, Overwrite(target_id=me, type=OverwriteType.MEMBER, allow=0, deny=denied)
    )


def public_calls(world: World) -> list[tuple[str, str]]:
    """Requests that touch messages of channels, as method and path."""
    return [
        (method, path)
        for method, path, _ in world.wire.payloads
        if path.startswith("/channels/") and method != "GET"
    ]


async def test_b64_a_game_whose_channel_is_deleted_pauses_and_can_be_ended_elsewhere():
    async with discord_world() as world:
        players, player = await in_play(world)
        world.env.backend.delete_channel(world.channel.id)
        await world.env.settle()
        assert (await world.app.tables.view(player.table)).status is Status.PAUSED
        elsewhere = world.guild.create_text_channel("elsewhere")
        told = await world.slash(player.member, "hearts hand", channel=elsewhere)
        assert "paused" in text_of(told.response)
        assert "`/hearts move` takes it to another channel" in text_of(told.response)
        asked = await world.slash(players[0].member, "hearts end", channel=elsewhere)
        await world.press(players[0].member, asked.response, ids.ConfirmEnd(player.table))
        assert not await world.tables()
        await world.slash(players[0].member, "hearts start", channel=elsewhere)
        assert len(await world.tables()) == 1


async def test_b64_whoever_manages_the_server_can_end_a_game_without_a_channel():
    async with discord_world() as world:
        _, player = await in_play(world)
        role = world.guild.create_role("boss", permissions=discord.Permissions(manage_guild=True))
        boss = world.person("Boss", roles=[role])
        world.env.backend.delete_channel(world.channel.id)
        await world.env.settle()
        elsewhere = world.guild.create_text_channel("elsewhere")
        asked = await world.slash(boss, "hearts end", channel=elsewhere, table=player.table)
        await world.press(boss, asked.response, ids.ConfirmEnd(player.table))
        assert (await world.app.tables.view(player.table)).status is Status.CLOSED


async def test_b64_a_game_in_a_thread_that_is_deleted_pauses():
    async with discord_world() as world:
        thread = a_thread(world)
        ann = world.person("Ann")
        await world.slash(ann, "hearts start", channel=thread, seats=4, robots=3)
        table = await world.table_id()
        world.env.backend.delete_channel(thread.id)
        await world.env.settle()
        assert (await world.app.tables.view(table)).status is Status.PAUSED


def a_thread(world: World) -> Any:
    created = world.env.backend.create_thread(world.channel.id, "cards", world.guild.owner.id)
    [thread] = [thread for thread in world.channel.threads if thread.id == created.id]
    return thread


async def test_b66_a_channel_that_vanished_unheard_pauses_the_table_without_endless_calls():
    async with discord_world() as world:
        _, player = await in_play(world)
        world.env.inject_error("POST", "/channels/*/messages", status=404, code=10003, times=None)
        world.env.inject_error(
            "PATCH", "/channels/*/messages/*", status=404, code=10003, times=None
        )
        await player.press(plays(player)[0])
        assert (await world.app.tables.view(player.table)).status is Status.PAUSED
        world.wire.payloads.clear()
        await world.pass_time(3_600)
        assert len(public_calls(world)) <= 6


@pytest.mark.parametrize(
    ("denied", "named"),
    [
        ("view_channel", ["View Channel"]),
        ("send_messages", ["Send Messages"]),
        ("embed_links", []),
        ("attach_files", []),
        ("read_message_history", []),
        ("send_messages_in_threads", []),
        ("create_public_threads", []),
    ],
)
async def test_b68_a_table_needs_two_rights_and_lives_without_all_others(denied, named):
    async with discord_world() as world:
        ann = world.person("Ann")
        deny(world, world.channel, denied)
        result = await world.slash(ann, "hearts start")
        for right in named:
            assert f"**{right}**" in text_of(result.response)
        assert len(await world.tables()) == (0 if named else 1)
        assert bool(world.posts()) is not bool(named)


async def test_b68_in_a_thread_the_right_to_send_there_counts_instead():
    async with discord_world() as world:
        ann, thread = world.person("Ann"), a_thread(world)
        deny(world, world.channel, "send_messages_in_threads")
        result = await world.slash(ann, "hearts start", channel=thread)
        assert "**Send Messages in Threads**" in text_of(result.response)
        deny(world, world.channel, "send_messages")
        await world.slash(ann, "hearts start", channel=thread)
        assert world.posts(thread)


async def test_b69_b70_an_override_of_the_channel_is_named_with_who_can_change_it():
    async with discord_world() as world:
        ann = world.person("Ann")
        deny(world, world.channel, "view_channel", "send_messages")
        result = await world.slash(ann, "hearts start")
        said = text_of(result.response)
        assert result.response.ephemeral
        assert world.channel.mention in said
        assert "**View Channel**" in said
        assert "**Send Messages**" in said
        assert "Somebody who may manage that channel's permissions" in said
        assert not await world.tables()


async def test_b70_a_channel_that_is_shut_later_pauses_its_table():
    async with discord_world() as world:
        _, player = await in_play(world)
        deny(world, world.channel, "send_messages", "view_channel")
        await player.press(plays(player)[0])
        assert (await world.app.tables.view(player.table)).status is Status.PAUSED


@pytest.mark.thorough
async def test_b73_nobody_is_written_to_directly():
    async with discord_world() as world:
        players, player = await in_play(world)
        await play(players, Watch(world, player.table), until=in_trick(4))
        await world.pass_time(10)
        assert [path for _, path, _ in world.wire.payloads if "users/@me/channels" in path] == []


async def test_b74_a_bot_that_was_sent_away_closes_its_tables_without_a_word():
    async with discord_world() as world:
        _, player = await in_play(world)
        await world.app.bot.services.settings.save_server(
            GuildId(world.guild.id), ServerSettings(clock="8h")
        )
        world.wire.payloads.clear()
        world.env.backend.remove_guild(world.guild.id)
        await world.env.settle()
        await world.show()
        assert (await world.app.tables.view(player.table)).status is Status.CLOSED
        assert public_calls(world) == []
        kept = await world.app.bot.services.settings.server(GuildId(world.guild.id))
        assert kept.clock == "8h"


async def test_b75_an_outage_of_discord_changes_nothing():
    async with discord_world() as world:
        _, player = await in_play(world)
        before = await world.app.tables.view(player.table)
        payload = {"id": str(world.guild.id), "unavailable": True}
        world.env.backend.emit("GUILD_DELETE", payload)
        await world.env.settle()
        assert await world.app.tables.view(player.table) == before


@pytest.mark.parametrize("back", ["shard_connect", "shard_resumed"])
async def test_b75_deadlines_move_by_the_time_the_gateway_was_away(back: str):
    async with discord_world() as world:
        _, player = await in_play(world)
        before = await world.app.tables.view(player.table)
        world.app.bot.dispatch("shard_disconnect", 0)
        await world.env.advance_time(4 * 24 * 3_600)
        await world.app.timekeeper.fire_due()
        assert (await world.app.tables.view(player.table)).deadlines == before.deadlines
        world.app.bot.dispatch(back, 0)
        await world.env.settle()
        await world.show()
        after = await world.app.tables.view(player.table)
        moved = {after.deadlines[seat] - at for seat, at in before.deadlines.items()}
        assert moved == {timedelta(days=4)}
        assert "I was not there for 4 days" in "\n".join(map(text_of, world.posts()))


async def test_b76_a_server_is_greeted_once_where_discord_itself_speaks():
    async with discord_world() as world:
        greetings = [await joined(world, world.guild) for _ in range(2)]
        assert greetings == [0, 0]  # it has no system channel
        second, channel = await with_system_channel(world)
        assert [await joined(world, second) for _ in range(2)] == [1, 0]
        [greeting] = channel.history()
        assert ids.ShowHelp() in actions(greeting)


async def test_b76_a_greeting_that_may_not_be_said_is_left_out():
    async with discord_world() as world:
        guild, channel = await with_system_channel(world)
        deny(world, channel, "send_messages")
        await world.env.settle()
        assert await joined(world, guild) == 0


async def test_b76_a_greeting_that_discord_refuses_raises_nothing():
    async with discord_world() as world:
        guild, _ = await with_system_channel(world)
        world.env.inject_error("POST", "/channels/*/messages", status=403, code=50013)
        assert await joined(world, guild) == 1


async def with_system_channel(world: World) -> tuple[Any, Any]:
    """Another server, with the channel where Discord welcomes people."""
    guild = world.env.create_guild("Second")
    channel = guild.create_text_channel("welcome")
    world.env.backend.edit_guild(guild.id, {"system_channel_id": channel.id})
    await world.env.settle()
    return guild, channel


async def joined(world: World, guild: Any) -> int:
    """Tell the bot that it came to a server; how many messages it sent."""
    world.wire.payloads.clear()
    cached = world.app.bot.get_guild(guild.id)
    assert cached is not None
    with world.env._bot_scope():
        world.app.bot.dispatch("guild_join", cached)
    await world.env.settle()
    return len(public_calls(world))


async def test_b78_settings_are_for_those_who_manage_the_server_at_every_press():
    async with discord_world() as world:
        manager = world.guild.create_role(
            "manager", permissions=discord.Permissions(manage_guild=True)
        )
        boss, guest = world.person("Boss", roles=[manager]), world.person("Guest")
        assert not any("settings" in each for each in guest.available_commands(world.channel))
        panel = (await world.slash(boss, "settings")).response
        await world.choose(boss, panel, server_ids.ChooseClock(), ["8h"])
        settings = world.app.bot.services.settings
        assert (await settings.server(GuildId(world.guild.id))).clock == "8h"
        refused = await world.forge(
            guest, panel, ids.write(server_ids.ChooseClock()), component_type=3, values=["1h"]
        )
        assert "may manage this server" in text_of(refused.response)
        assert (await settings.server(GuildId(world.guild.id))).clock == "8h"


async def test_b78_a_manager_who_is_none_any_more_is_refused_on_the_open_panel():
    async with discord_world() as world:
        manager = world.guild.create_role(
            "manager", permissions=discord.Permissions(manage_guild=True)
        )
        boss = world.person("Boss", roles=[manager])
        panel = (await world.slash(boss, "settings")).response
        world.guild._guild.members[boss.id].role_ids.clear()
        refused = await world.press(boss, panel, server_ids.ResetSettings())
        assert "may manage this server" in text_of(
            refused.followups[-1] if refused.followups else refused.response
        )


async def test_b78_whom_the_servers_integrations_let_in_may_press():
    async with discord_world() as world:
        helper = world.person("Helper")
        known = await command_ids(world.app.bot.services.settings)
        world.guild.set_command_permissions(known["settings"], {helper: True})
        panel = (await world.slash(helper, "settings")).response
        await world.choose(helper, panel, server_ids.ChooseClock(), ["1h"])
        settings = world.app.bot.services.settings
        assert (await settings.server(GuildId(world.guild.id))).clock == "1h"


async def test_b83_a_send_whose_answer_is_lost_leaves_one_message():
    async with discord_world() as world:
        players = await four(world)
        await play(players, Watch(world, players[0].table), until=in_trick(1))
        await world.pass_time(10)
        before = len(world.posts())
        player = next(each for each in players if plays(each))
        world.wire.lose_answer("POST", "/channels/*/messages")
        await player.press(plays(player)[0])
        await world.pass_time(30)
        tricks = [post for post in world.posts() if "Trick 1 " in text_of(post)]
        assert len(tricks) == 1
        assert len(world.posts()) <= before + 2


async def test_b83_without_nonces_the_same_fault_leaves_two(monkeypatch):
    async with discord_world() as world:
        players = await four(world)
        await play(players, Watch(world, players[0].table), until=in_trick(1))
        player = next(each for each in players if plays(each))
        world.wire.forgetful = True
        world.wire.lose_answer("POST", "/channels/*/messages")
        await player.press(plays(player)[0])
        await world.pass_time(30)
        assert len([post for post in world.posts() if "Trick 1 " in text_of(post)]) == 2


async def test_a_post_that_somebody_deletes_comes_back():
    async with discord_world() as world:
        _, player = await in_play(world)
        await player.press(plays(player)[0])
        post = world.newest_with(ids.OpenHand(player.table))
        world.env.backend.delete_message(world.channel.id, post.id)
        await world.env.settle()
        await world.show()
        again = world.newest_with(ids.OpenHand(player.table))
        assert again.id != post.id
        assert text_of(again) == text_of(post)


@pytest.mark.thorough
async def test_an_old_post_that_somebody_deletes_stays_away():
    async with discord_world() as world:
        players, player = await in_play(world)
        await play(players, Watch(world, player.table), until=in_trick(3))
        old = next(post for post in world.posts() if "Trick 1 " in text_of(post))
        world.env.backend.delete_message(world.channel.id, old.id)
        await world.env.settle()
        await world.show()
        assert not any("Trick 1 " in text_of(post) for post in world.posts())


async def test_a_table_in_a_thread_that_was_locked_goes_on_when_the_thread_is_opened():
    async with discord_world() as world:
        thread = a_thread(world)
        ann = world.person("Ann")
        await world.slash(ann, "hearts start", channel=thread, seats=4, robots=2)
        table = await world.table_id()
        world.env.inject_error("PATCH", "/channels/*/messages/*", status=400, code=50083)
        world.env.backend.edit_channel(
            thread.id, {}, thread_metadata={"archived": True, "locked": True}
        )
        await world.press(ann, world.newest_with(ids.AddRobot(table), thread), ids.AddRobot(table))
        assert (await world.app.tables.view(table)).status is Status.PAUSED
        world.env.backend.edit_channel(
            thread.id, {}, thread_metadata={"archived": False, "locked": False}
        )
        await world.env.settle()
        await world.show()
        assert (await world.app.tables.view(table)).status is Status.LOBBY
        assert ids.Start(table) in actions(world.newest_with(ids.Start(table), thread))
        assert "goes on" in text_of(world.posts(thread)[-1])


async def test_many_messages_deleted_at_once_take_no_post_away():
    async with discord_world() as world:
        _, player = await in_play(world)
        posts = [post.id for post in world.posts()]
        for message_id in posts:
            del world.env.backend.messages[world.channel.id][message_id]
        payload = {
            "ids": [str(message_id) for message_id in posts],
            "channel_id": str(world.channel.id),
            "guild_id": str(world.guild.id),
        }
        world.env.backend.emit("MESSAGE_DELETE_BULK", payload)
        await world.env.settle()
        await world.show()
        assert world.newest_with(ids.OpenHand(player.table))
