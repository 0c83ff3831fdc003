"""What concerns all tables of a server at once: it sends the bot away, or cannot be reached."""

from datetime import datetime
from functools import partial

from bot.table import adjusting, commands
from bot.table.ids import GuildId
from bot.table.ports import Clock, EventStore
from bot.table.sessions import Sessions
from bot.table.storing import Cause


class Servers:
    """Changes the live tables of a server, each in its turn; one table's refusal is its own."""

    def __init__(self, store: EventStore, sessions: Sessions, clock: Clock) -> None:
        self._store = store
        self._sessions = sessions
        self._clock = clock

    async def close(self, guild_id: GuildId) -> None:
        """Close all tables of a server that the bot had to leave."""
        close, cause = commands.Close("left_server"), Cause(at=self._clock.now())
        rows = await self._store.live_tables_in(guild_id)
        await self._sessions.at_each(rows, lambda session: session.submit(close, cause))

    async def give_back(self, guild_id: GuildId, since: datetime) -> None:
        """Let every deadline fall later by the time from *since* on in which nobody could move."""
        plan = partial(adjusting.given_back, since=since)
        rows = await self._store.live_tables_in(guild_id)
        await self._sessions.at_each(rows, lambda session: session.adjust(plan))
