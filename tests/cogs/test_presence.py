"""Which servers are surely gone (B74: never on an outage, and never those of another process)."""

from unittest.mock import Mock, create_autospec

import discord
import pytest

from bot.table.ids import GuildId
from bot.table.reach import Reach
from cogs.presence import DiscordPresence

HERE, ELSEWHERE = GuildId(2 << 22), GuildId(3 << 22)
"""Of two shards, the servers of shard 0 and of shard 1."""


def presence(*, ready=True, lost=False, known=()) -> DiscordPresence:
    """What a process says that serves shard 0 of two."""
    client = Mock(spec=discord.AutoShardedClient)
    client.is_ready.return_value = ready
    client.shard_count, client.shards = 2, {0: object()}
    client.get_guild.side_effect = lambda guild_id: object() if guild_id in known else None
    reach = create_autospec(Reach, instance=True)
    reach.lost = lost
    return DiscordPresence(client, reach)


def test_a_server_that_is_missing_while_the_gateway_stands_is_gone():
    assert presence().is_gone(HERE)


@pytest.mark.parametrize("doubt", [{"ready": False}, {"lost": True}, {"known": (HERE,)}])
def test_in_doubt_nothing_is_gone(doubt):
    assert not presence(**doubt).is_gone(HERE)


def test_of_the_servers_of_another_process_nothing_is_known():
    assert not presence().is_gone(ELSEWHERE)


def test_a_client_without_shards_knows_all_servers():
    client = Mock(spec=discord.Client)
    client.get_guild.return_value = None
    reach = create_autospec(Reach, instance=True)
    reach.lost = False
    assert DiscordPresence(client, reach).is_gone(ELSEWHERE)
