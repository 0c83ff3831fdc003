"""Which servers count the bot among their members."""

import discord

from bot.table.ids import GuildId
from bot.table.reach import Reach
from bot.table.shards import shard_of


class DiscordPresence:
    """`bot.table.departures.Presence` by what the gateway has told.

    When it opens, Discord names all servers at once, those that an outage keeps from being shown
    among them. So a server that is missing although the gateway stands is none of ours.
    """

    def __init__(self, client: discord.Client, reach: Reach) -> None:
        self._client = client
        self._reach = reach

    def is_gone(self, guild_id: GuildId) -> bool:
        """See `bot.table.departures.Presence.is_gone`."""
        knows = self._client.is_ready() and not self._reach.lost and self._serves(guild_id)
        return knows and self._client.get_guild(guild_id) is None

    def _serves(self, guild_id: GuildId) -> bool:
        """Whether this process would have been told of the server."""
        if not isinstance(self._client, discord.AutoShardedClient):
            return True
        return shard_of(guild_id, self._client.shard_count or 1) in self._client.shards
