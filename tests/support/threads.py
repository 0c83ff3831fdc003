"""Servers that want a thread for each table, and a look at the threads that were opened."""

import re
from typing import Any

import discord

from bot.table.ids import GuildId
from bot.table.storing import ServerSettings
from tests.support.discord import World

_OPENING = re.compile(r"/channels/\d+/messages/(\d+)/threads")


async def want_threads(world: World, **more: Any) -> None:
    """Have the server want a thread for each table.

    Discord lets whoever opened a thread close it, and anybody wake it who may write there; simcord
    asks for the right to manage channels.
    """
    settings = ServerSettings(threads=True, **more)
    await world.app.bot.services.settings.save_server(GuildId(world.guild.id), settings)
    for role in world.guild._guild.roles.values():
        role.permissions |= discord.Permissions(manage_channels=True).value


def threads_asked_for(world: World) -> set[int]:
    """The threads that the bot wanted to be opened, be it once or more often."""
    paths = [path for method, path, _ in world.wire.payloads if method == "POST"]
    return {int(found[1]) for path in paths if (found := _OPENING.fullmatch(path))}


async def orphans(world: World) -> set[int]:
    """Open threads in which no table stands."""
    standing = {line.channel_id for line in await world.tables()}
    stored = world.env.backend.channels.values()
    awake = {
        each.id for each in stored if each.thread_metadata and not each.thread_metadata.archived
    }
    return awake - standing


def the_thread(world: World) -> Any:
    """The only thread of the channel."""
    [thread] = world.channel.threads
    return thread


def told(world: World, channel: Any = None) -> list[Any]:
    """What the bot wrote in a channel, without what Discord itself says there."""
    return [post for post in world.posts(channel) if post.type is discord.MessageType.default]
