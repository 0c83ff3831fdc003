"""The bare driver, for comparison: how many commits a second it carries to the disk."""

import sqlite3
import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import aiosqlite

from db.slow_disk import waiting_connection

_EVENT = "x" * 200
"""About as long as the body of an event."""
_TABLES = (
    "CREATE TABLE tables (id INTEGER PRIMARY KEY, version INTEGER)",
    "CREATE TABLE events (seq INTEGER PRIMARY KEY, body TEXT)",
    "INSERT INTO tables VALUES (1, 0)",
)


@dataclass(frozen=True, slots=True)
class Rate:
    """So many commits in so much time."""

    commits: int
    seconds: float
    cpu: float
    """Seconds of CPU, of all threads of the program."""

    @property
    def each_second(self) -> float:
        """Commits a second."""
        return self.commits / self.seconds


class Yardstick:
    """A file of its own with two tables, opened by aiosqlite alone, as durable as the bot's.

    Args:
        file: made anew.
        fsync: seconds by which the disk is to be slower.
    """

    def __init__(self, file: Path, *, fsync: float = 0.0) -> None:
        options: dict[str, Any] = {"factory": waiting_connection(fsync)} if fsync else {}
        self._connect = partial(aiosqlite.connect, file, isolation_level=None, **options)
        self._version = 0

    async def measure(self, seconds: float) -> Rate:
        """Commit one after the other for so long: an event, and the version that it makes."""
        async with self._connect() as connection:
            await connection.execute("PRAGMA journal_mode=WAL")
            await connection.execute("PRAGMA synchronous=FULL")
            await self._prepare(connection)
            first, begun, cpu = self._version, time.monotonic(), time.process_time()
            while time.monotonic() - begun < seconds:
                await self._commit(connection)
            took, used = time.monotonic() - begun, time.process_time() - cpu
        return Rate(self._version - first, took, used)

    async def _prepare(self, connection: aiosqlite.Connection) -> None:
        if self._version == 0:
            for statement in _TABLES:
                await connection.execute(statement)

    async def _commit(self, connection: aiosqlite.Connection) -> None:
        await connection.execute("BEGIN IMMEDIATE")
        await connection.execute("INSERT INTO events (body) VALUES (?)", (_EVENT,))
        swap = "UPDATE tables SET version = version + 1 WHERE id = 1 AND version = ?"
        done = await connection.execute(swap, (self._version,))
        if done.rowcount != 1:
            raise sqlite3.DatabaseError("somebody else wrote to the yardstick")
        await connection.commit()
        self._version += 1
