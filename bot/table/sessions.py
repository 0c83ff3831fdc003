"""The tables in memory: loaded when they are first touched, forgotten when they were idle."""

import logging
from collections.abc import Awaitable, Callable, Sequence
from contextvars import ContextVar
from datetime import timedelta

from bot.table.errors import UnknownTableError
from bot.table.ids import TableId
from bot.table.session import Surroundings, TableSession
from bot.table.storing import TableRow

_log = logging.getLogger(__name__)

_WORKED_FOR: ContextVar[str] = ContextVar("hearts.table")
"""The table that this task touched last. By its name the log knows what a line is about."""
MOST_SESSIONS = 1_000
IDLE = timedelta(minutes=30)
"""How long an untouched table stays in memory."""


class Sessions:
    """One session a table."""

    def __init__(self, around: Surroundings, *, most: int = MOST_SESSIONS) -> None:
        self._around = around
        self._most = most
        self._sessions: dict[TableId, TableSession] = {}
        """The one touched longest ago first."""
        self._touched: dict[TableId, float] = {}
        """When, in seconds of the clock, by table."""

    def __len__(self) -> int:
        return len(self._sessions)

    def touch(self, table_id: TableId) -> TableSession:
        """The session of a table, which need not exist yet; the log names it from here on."""
        _WORKED_FOR.set(table_id)
        session = self._sessions.pop(table_id, None) or TableSession(table_id, self._around)
        self._sessions[table_id] = session
        self._touched[table_id] = self._now()
        self._forget_idle()
        return session

    async def find(self, table_id: TableId) -> TableSession:
        """The session of a table that exists; what it believes is what is stored now.

        Raises:
            UnknownTableError: there is no such table.
        """
        session = self.touch(table_id)
        try:
            await session.look()
        except UnknownTableError:
            self.forget(table_id)
            raise
        return session

    async def at_each(
        self, rows: Sequence[TableRow], change: Callable[[TableSession], Awaitable[object]]
    ) -> None:
        """Carry out *change* at each table of *rows*; one table's refusal or fault is its own."""
        for row in rows:
            try:
                await change(await self.find(row.table_id))
            except Exception:  # noqa: BLE001  one table's fault is not the others'
                _log.exception("Table %s is left as it is.", row.table_id)

    def known(self) -> tuple[TableId, ...]:
        """The tables in memory."""
        return tuple(self._sessions)

    def forget(self, table_id: TableId) -> None:
        """Drop a session; the table is read from the store when it is touched again."""
        self._sessions.pop(table_id, None)
        self._touched.pop(table_id, None)

    def _forget_idle(self) -> None:
        """Drop what lies idle too long, and the longest idle while there are too many."""
        oldest_kept = self._now() - IDLE.total_seconds()
        for table_id in list(self._sessions)[:-1]:  # the last one was touched just now
            if len(self._sessions) <= self._most and self._touched[table_id] >= oldest_kept:
                return
            if not self._sessions[table_id].busy:
                self.forget(table_id)

    def _now(self) -> float:
        return self._around.clock.now().timestamp()
