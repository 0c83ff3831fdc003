"""What happens to the bot in Discord: servers joined and left, channels, threads and posts gone."""

import logging
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import replace
from typing import Any

import discord

from bot.table.errors import PostingError
from bot.table.ids import ChannelId, GuildId, Human, MessageId, TableId
from bot.table.posting import LOST, Manner, Ping
from bot.table.state import Status
from bot.table.storing import Reminders
from bot.table.views import TableView
from cogs.errors import UNREACHED
from cogs.permissions import missing_rights
from cogs.poster import DiscordPoster
from cogs.presence import DiscordPresence
from cogs.rules_help import command_ids
from cogs.services import Services
from cogs.ui.help import render_greeting

log = logging.getLogger(__name__)

_QUIETLY = Manner(silent=True)


class Upkeep:
    """Listeners. None may raise: there is nobody to tell.

    That a server is unavailable is no news for it: nothing listens to
    ``on_guild_unavailable``, and the library keeps ``on_guild_remove`` for real farewells. That
    Discord itself is away is heard of by the gateway (cases.md B75).
    """

    def __init__(self, client: discord.Client, services: Services) -> None:
        self._client = client
        self._services = services
        self._poster = DiscordPoster(client)
        self._presence = DiscordPresence(client, services.reach)

    def listeners(self) -> Iterator[Callable[..., Coroutine[Any, Any, None]]]:
        """All that the client has to call, by the names that it knows them by."""
        yield self.on_shard_disconnect
        yield self.on_shard_connect
        yield self.on_shard_resumed
        yield self.on_ready
        yield self.on_guild_join
        yield self.on_guild_available
        yield self.on_guild_remove
        yield self.on_guild_channel_delete
        yield self.on_raw_thread_delete
        yield self.on_raw_thread_update
        yield self.on_raw_message_delete
        yield self.on_raw_bulk_message_delete

    async def on_shard_disconnect(self, shard: int) -> None:
        """Stop all clocks of a shard: no click reaches us without its gateway."""
        self._services.reach.lose(shard)

    async def on_shard_connect(self, shard: int) -> None:
        """Let the clocks of a shard run again, after its gateway was opened anew."""
        guilds = [guild for guild in self._client.guilds if guild.shard_id == shard]
        await self._services.reach.regain([GuildId(guild.id) for guild in guilds], shard)

    async def on_shard_resumed(self, shard: int) -> None:
        """Let the clocks of a shard run again, after its gateway went on where it had stopped."""
        await self.on_shard_connect(shard)

    async def on_ready(self) -> None:
        """Compare the servers that Discord names with those that are stored."""
        farewells = self._services.privacy.farewells
        present = {GuildId(guild.id) for guild in self._client.guilds}
        await farewells.there(present)
        await farewells.absent(present, self._presence)

    async def on_guild_available(self, guild: discord.Guild) -> None:
        """Note that a server is there that Discord could not show before."""
        await self._services.privacy.farewells.there([GuildId(guild.id)])

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Greet once a server, where Discord itself speaks to people, or not at all."""
        await self._services.privacy.farewells.there([GuildId(guild.id)])
        settings = self._services.settings
        stored = await settings.server(GuildId(guild.id))
        if stored.greeted:
            return
        channel = guild.system_channel
        if channel is None or missing_rights(channel.permissions_for(guild.me), in_thread=False):
            return
        await settings.save_server(GuildId(guild.id), replace(stored, greeted=True))
        view = render_greeting(await command_ids(settings), guild.preferred_locale)
        view.stop()
        try:
            await channel.send(
                view=view,
                nonce=f"greeting.{guild.id % 10**16}",
                allowed_mentions=discord.AllowedMentions.none(),
            )
        except UNREACHED as failure:
            log.info("server %s was not greeted: %s", guild.id, failure)

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Close the tables of a server that sent the bot away, and give its data a month."""
        await self._services.privacy.farewells.left(GuildId(guild.id))

    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """Pause the tables of a channel that is gone."""
        await self._pause(channel.guild.id, channel.id)

    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """Pause the table of a thread that is gone."""
        await self._pause(payload.guild_id, payload.thread_id)

    async def on_raw_thread_update(self, payload: discord.RawThreadUpdateEvent) -> None:
        """Let the table of a thread go on that was taken out of the archive."""
        data: Any = payload.data
        state = data.get("thread_metadata") or {}
        if state.get("archived") or state.get("locked"):
            return
        for table_id in await self._tables_in(payload.guild_id, payload.thread_id):
            await self._services.tables.resume(table_id)

    async def on_raw_message_delete(self, payload: discord.RawMessageDeleteEvent) -> None:
        """Post again what somebody deleted."""
        await self._lost(payload.guild_id, payload.channel_id, {payload.message_id})

    async def on_raw_bulk_message_delete(self, payload: discord.RawBulkMessageDeleteEvent) -> None:
        """Post again what somebody deleted with many others."""
        await self._lost(payload.guild_id, payload.channel_id, payload.message_ids)

    async def _pause(self, guild_id: int, channel_id: int) -> None:
        tables = self._services.tables
        for table_id in await self._tables_in(guild_id, channel_id):
            await tables.pause(table_id, "channel_gone", lost=ChannelId(channel_id))
            await self._tell(await tables.view(table_id))

    async def _tell(self, table: TableView) -> None:
        """Say in private that a place is gone, which nobody reads where it was (cases.md B64).

        Without a sound, since it may be night; and once, as nothing of it is stored.
        """
        people = [chair.user_id for chair in table.chairs if isinstance(chair, Human)]
        for user_id in people if table.status is Status.PAUSED else []:
            person = await self._services.persons.settings(user_id)
            if person.reminders is Reminders.OFF or person.direct_refused:
                continue
            ping = Ping(
                table_id=table.id,
                channel_id=table.channel_id,
                user_id=user_id,
                kind=LOST,
                moment=0,
            )
            try:
                await self._poster.send_direct(ping, table, f"{table.id}.lost", _QUIETLY)
            except PostingError as refusal:
                log.info("table %s: somebody was not told of its lost place: %s", table.id, refusal)

    async def _tables_in(self, guild_id: int, channel_id: int) -> list[TableId]:
        rows = await self._services.events.live_tables_in(GuildId(guild_id))
        return [row.table_id for row in rows if row.channel_id == channel_id]

    async def _lost(self, guild_id: int | None, channel_id: int, message_ids: set[int]) -> None:
        for table_id in await self._tables_in(guild_id or 0, channel_id):
            for message_id in message_ids:
                # The publisher looks for itself every second, so nobody has to wake it.
                await self._services.work.lost_message(table_id, MessageId(message_id))
