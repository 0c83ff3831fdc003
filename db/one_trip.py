"""Connections to SQLite files that carry each statement out in one trip to the driver's thread.

The driver alone goes there for a cursor, for the statement, for its rows and to put the cursor
away. A move is some twenty statements and a dozen looks, so on a busy machine, where each trip
waits for two turns of the processor, people would wait for little else.
"""

import sqlite3
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, Self

import aiosqlite


class _Cursor:
    """What SQLAlchemy uses of `aiosqlite.Cursor`; all rows are there when a statement is done."""

    def __init__(self, connection: "OneTripConnection") -> None:
        self._connection = connection
        self._rows: Sequence[Any] = ()
        self.description: Any = None
        self.rowcount = -1
        self.lastrowid: int | None = None
        self.arraysize = 1

    async def __aenter__(self) -> Self:
        return self

    async def execute(self, sql: str, parameters: Iterable[Any] = ()) -> "_Cursor":
        """Carry out a statement and fetch its rows."""
        await self._connection.carry_out(partial(self._run, "execute", sql, parameters))
        return self

    async def executemany(self, sql: str, parameters: Iterable[Iterable[Any]]) -> "_Cursor":
        """Carry out a statement once for each of *parameters*."""
        await self._connection.carry_out(partial(self._run, "executemany", sql, parameters))
        return self

    async def fetchall(self) -> Sequence[Any]:
        """The rows that were fetched."""
        return self._rows

    async def close(self) -> None:
        """Nothing is open any more."""

    def _run(self, how: str, sql: str, parameters: Iterable[Any], raw: sqlite3.Connection) -> None:
        """Work in the driver's thread."""
        cursor = raw.cursor()
        try:
            getattr(cursor, how)(sql, parameters)
            self.description = cursor.description
            self.rowcount, self.lastrowid = cursor.rowcount, cursor.lastrowid
            self._rows = cursor.fetchall() if cursor.description else ()
        finally:
            cursor.close()


class OneTripConnection(aiosqlite.Connection):
    """A connection of aiosqlite whose cursors need no trip of their own."""

    def cursor(self) -> _Cursor:  # type: ignore[override]  # a cursor of fewer trips
        """Make a cursor at once."""
        return _Cursor(self)

    async def carry_out(self, work: Callable[[sqlite3.Connection], None]) -> None:
        """Have the driver's thread do *work*."""
        await self._execute(work, self._conn)  # type: ignore[no-untyped-call]  # not annotated


def connect(file: str, **options: Any) -> OneTripConnection:  # noqa: ANN401  the driver's own
    """Connect as `aiosqlite.connect` does; to be awaited."""
    connection = OneTripConnection(partial(sqlite3.connect, file, **options), iter_chunk_size=64)
    # As SQLAlchemy does with the driver's own: a program may end with a connection open.
    connection._thread.daemon = True  # noqa: SLF001  there is no other way to say so
    return connection
