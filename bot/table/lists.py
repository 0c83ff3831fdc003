"""Lists of tables: of one person, of one server. A table that cannot be read has its line, too."""

import logging
from collections.abc import Sequence

from bot.rules.errors import HeartsError
from bot.table import viewing
from bot.table.ids import GuildId, UserId
from bot.table.nameplates import Nameplates
from bot.table.ports import EventStore
from bot.table.sessions import Sessions
from bot.table.storing import TableRow
from bot.table.views import TableLine

_log = logging.getLogger(__name__)


class Lists:
    """Live tables as lines, newest first."""

    def __init__(self, store: EventStore, sessions: Sessions, names: Nameplates) -> None:
        self._store = store
        self._sessions = sessions
        self._names = names

    async def of(self, user_id: UserId) -> Sequence[TableLine]:
        """Those at which a person has a seat."""
        rows = await self._store.tables_of(user_id)
        return [await self._line(row, user_id) for row in rows]

    async def within(self, guild_id: GuildId) -> Sequence[TableLine]:
        """Those of a server, as nobody in particular sees them."""
        rows = await self._store.live_tables_in(guild_id)
        return [await self._line(row, None) for row in rows]

    async def _line(self, row: TableRow, reader: UserId | None) -> TableLine:
        try:
            session = await self._sessions.find(row.table_id)
        except HeartsError:
            _log.exception("Table %s cannot be read.", row.table_id)
            return viewing.bare_line(row)
        belief = await session.believe()
        names = await self._names.at(belief)
        return viewing.table_line(belief.table, row, reader, timers=belief.timers, names=names)
