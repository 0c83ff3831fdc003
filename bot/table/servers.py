"""What concerns all tables of a server, or of a person, at once.

The server sends the bot away, or cannot be reached; the person is forgotten.
"""

from collections.abc import Iterable
from datetime import datetime
from functools import partial

from bot.table import adjusting, commands
from bot.table.ids import GuildId, TableId, UserId
from bot.table.nameplates import Nameplates
from bot.table.ports import Clock, EventStore
from bot.table.sessions import Sessions
from bot.table.storing import Cause


class Servers:
    """Changes live tables, each in its turn; one table's refusal is its own."""

    def __init__(
        self, store: EventStore, sessions: Sessions, names: Nameplates, clock: Clock
    ) -> None:
        self._store = store
        self._sessions = sessions
        self._names = names
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

    async def part(self, user_id: UserId) -> frozenset[TableId]:
        """Take a person off all live tables for good.

        Returns:
            The tables that could not be left, as what is stored of them cannot be read.
        """
        forget, cause = commands.Forget(user_id), Cause(at=self._clock.now())
        rows = await self._store.tables_of(user_id)
        await self._sessions.at_each(rows, lambda session: session.submit(forget, cause))
        return frozenset(row.table_id for row in await self._store.tables_of(user_id))

    def drop(self, table_ids: Iterable[TableId] | None) -> None:
        """Remember nothing of tables any more; they are read anew. ``None``: of all."""
        for table_id in self._sessions.known() if table_ids is None else table_ids:
            self._sessions.forget(table_id)
        self._names.forget(table_ids)
