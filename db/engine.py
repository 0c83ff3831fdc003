"""The open database: units of work that write, and looks that only read.

A unit is a plain function over a session, run whole in one place: on SQLite in the one thread
that writes, on PostgreSQL over one of several connections. So the stores are the same code on
both, and a caller that is cancelled can never leave a unit half way.

SQLite gets exactly one writing connection in WAL mode with ``synchronous=FULL`` (a commit is on
disk when it returns), and ``BEGIN IMMEDIATE``, without which two units that read and then write
lose each other's changes. Readers are held to reading by the database itself.
"""

import asyncio
import json
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol, TypeVar

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import OperationalError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlmodel import Session
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.rules.errors import HeartsError
from bot.rules.sentence import Sentence

Answer = TypeVar("Answer")
Unit = Callable[[Session], Answer]
"""What is done in one transaction. It may be run in another thread: it keeps to its session."""

BUSY_SECONDS = 15.0
"""How long a unit waits for another program that holds an SQLite file."""
_READERS = 4
_SAFE_SQLITE = (3, 51, 3)

_WRITER_PRAGMAS = ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "mmap_size=0")
# Two connections that checkpoint at the same moment can corrupt the log in SQLite before
# 3.51.3, so only the writer does.
_READER_PRAGMAS = ("query_only=ON", "wal_autocheckpoint=0", "mmap_size=0")

_to_json = partial(json.dumps, separators=(",", ":"), ensure_ascii=False)


class DatabaseUnavailableError(Exception):
    """The database cannot be used at all; the message is one sentence for the operator."""


class StoreBusyError(HeartsError):
    """Another program held the database for too long. Nothing was stored."""

    sentence = Sentence(
        "I could not save that just now, so nothing has changed. Please try again in a moment."
    )


class Database(Protocol):
    """An open database. Hand it to the stores, and close it last."""

    async def write(self, unit: Unit[Answer]) -> Answer:
        """Run *unit*; what it wrote is on disk on return, and undone if it raises.

        A caller that is cancelled does not know whether the unit was stored; it was either
        stored whole or not at all.

        Raises:
            StoreBusyError: another program holds the database. Nothing was stored.
        """
        ...

    async def read(self, unit: Unit[Answer]) -> Answer:
        """Run *unit* over one consistent look at what has been committed."""
        ...

    async def close(self) -> None:
        """Finish what is under way and close all connections."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class SqliteDatabase:
    """A file. Its writers come one after the other, in the order in which they asked."""

    writer: Engine
    reader: Engine
    writing: ThreadPoolExecutor
    """One thread."""
    looking: ThreadPoolExecutor

    async def write(self, unit: Unit[Answer]) -> Answer:
        """See `Database.write`."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self.writing, _in_transaction, self.writer, unit)

    async def read(self, unit: Unit[Answer]) -> Answer:
        """See `Database.read`."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self.looking, _in_transaction, self.reader, unit)

    async def close(self) -> None:
        """See `Database.close`. The writer goes last: it folds the log into the file."""
        await asyncio.to_thread(self._close)

    def _close(self) -> None:
        self.looking.shutdown()
        self.reader.dispose()
        self.writing.shutdown()
        self.writer.dispose()


@dataclass(frozen=True, slots=True)
class PostgresqlDatabase:
    """A server, which takes several units at a time."""

    engine: AsyncEngine
    under_way: set[asyncio.Task[Any]]
    """Units that are being written, also for callers that no longer wait."""

    async def write(self, unit: Unit[Answer]) -> Answer:
        """See `Database.write`."""
        # A cancelled caller must not tear a connection out of its transaction.
        task = asyncio.create_task(self._write(unit))
        self.under_way.add(task)
        task.add_done_callback(self._end)
        return await asyncio.shield(task)

    def _end(self, task: asyncio.Task[Any]) -> None:
        self.under_way.discard(task)
        if not task.cancelled():
            task.exception()  # the caller hears of it, or has left and does not mind

    async def _write(self, unit: Unit[Answer]) -> Answer:
        async with self._session() as session, session.begin():
            return await session.run_sync(lambda _: unit(session.sync_session))

    async def read(self, unit: Unit[Answer]) -> Answer:
        """See `Database.read`."""
        async with self._session() as session:
            return await session.run_sync(lambda _: unit(session.sync_session))

    async def close(self) -> None:
        """See `Database.close`."""
        await asyncio.gather(*self.under_way, return_exceptions=True)
        await self.engine.dispose()

    def _session(self) -> AsyncSession:
        return AsyncSession(self.engine, expire_on_commit=False, autoflush=False)


def open_database(url: str, *, busy_seconds: float = BUSY_SECONDS) -> Database:
    """Make ready to connect; nothing is opened before it is needed.

    Args:
        url: an SQLAlchemy URL, whose tables `db.migrate.upgrade` has brought up to date. Of
            SQLite only the file counts, not the driver.
        busy_seconds: see `BUSY_SECONDS`.
    """
    address = make_url(url)
    if not is_sqlite(address):
        # An error in the log must not quote the cards of a hand, hence no parameters.
        engine = create_async_engine(
            address, json_serializer=_to_json, hide_parameters=True, pool_pre_ping=True
        )
        return PostgresqlDatabase(engine, set())
    writer = _sqlite_engine(address, busy_seconds, connections=1)
    tell_each_connection(writer, _WRITER_PRAGMAS, begin="BEGIN IMMEDIATE")
    reader = _sqlite_engine(address, busy_seconds, connections=_READERS)
    tell_each_connection(reader, _READER_PRAGMAS, begin="BEGIN")
    return SqliteDatabase(
        writer=writer,
        reader=reader,
        writing=ThreadPoolExecutor(1, thread_name_prefix="store-writer"),
        looking=ThreadPoolExecutor(_READERS, thread_name_prefix="store-reader"),
    )


def is_sqlite(address: URL) -> bool:
    """Whether a URL names an SQLite file."""
    return address.get_backend_name() == "sqlite"


def old_sqlite_warning(url: str) -> str | None:
    """Say that this SQLite has a known fault that two writing programs can set off, if it has."""
    if not is_sqlite(make_url(url)) or sqlite3.sqlite_version_info >= _SAFE_SQLITE:
        return None
    return (
        f"SQLite {sqlite3.sqlite_version} can damage a database that two programs write to at"
        " the same moment (fixed in 3.51.3): while the bot runs, open the file with nothing else."
    )


def tell_each_connection(engine: Engine, pragmas: Sequence[str], *, begin: str) -> None:
    """Set *pragmas*, which SQLite forgets with each connection, and begin units with *begin*."""

    def on_connect(connection: Any, _record: object) -> None:  # noqa: ANN401  the driver's own
        connection.isolation_level = None  # else the driver begins and commits as it likes
        for pragma in pragmas:
            connection.execute(f"PRAGMA {pragma}")

    def on_begin(connection: Connection) -> None:
        connection.exec_driver_sql(begin)

    event.listen(engine, "connect", on_connect)
    event.listen(engine, "begin", on_begin)


def _sqlite_engine(address: URL, busy_seconds: float, *, connections: int) -> Engine:
    return create_engine(
        address.set(drivername="sqlite"),
        json_serializer=_to_json,
        hide_parameters=True,
        pool_size=connections,
        max_overflow=0,
        connect_args={"timeout": busy_seconds},
    )


def _in_transaction(engine: Engine, unit: Unit[Answer]) -> Answer:
    with (
        _busy_in_words(),
        Session(engine, expire_on_commit=False, autoflush=False) as session,
        session.begin(),
    ):
        return unit(session)


@contextmanager
def _busy_in_words() -> Iterator[None]:
    try:
        yield
    except OperationalError as error:
        code = getattr(error.orig, "sqlite_errorcode", 0)
        if code & 0xFF != sqlite3.SQLITE_BUSY:  # the lower byte is the kind of an SQLite error
            raise
        raise StoreBusyError(str(error.orig)) from error
