"""The open database: units of work that write, and looks that only read.

A unit is a plain function over a session and is run whole, in a task of its own, so that a caller
that is cancelled can never leave it half way. The stores are the same code on both databases.

SQLite gets exactly one writing connection in WAL mode with ``synchronous=FULL`` (a commit is on
disk when it returns), and ``BEGIN IMMEDIATE``, without which two units that read and then write
lose each other's changes. Readers are held to reading by the database itself.
"""

import asyncio
import json
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

from sqlalchemy import URL, Engine, event, make_url
from sqlalchemy.exc import OperationalError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlmodel import Session
from sqlmodel.ext.asyncio.session import AsyncSession

from bot import OperatorError
from bot.rules.errors import HeartsError
from bot.rules.sentence import Sentence
from db import one_trip
from db.fences import carried_out

Answer = TypeVar("Answer")
Unit = Callable[[Session], Answer]
"""What is done in one transaction. It keeps to its session."""

BUSY_SECONDS = 15.0
"""How long a unit waits for another program that holds an SQLite file."""
_READERS = 4
_SAFE_SQLITE = (3, 51, 3)

_WRITER_PRAGMAS = ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "mmap_size=0")
# Two connections that checkpoint at the same moment can corrupt the log in SQLite before
# 3.51.3, so only the writer does.
_READER_PRAGMAS = ("query_only=ON", "wal_autocheckpoint=0", "mmap_size=0")

_to_json = partial(json.dumps, separators=(",", ":"), ensure_ascii=False)


class DatabaseUnavailableError(OperatorError):
    """The database cannot be used at all."""


class StoreBusyError(HeartsError):
    """Another program held the database for too long. Nothing was stored."""

    sentence = Sentence(
        "I could not save that just now, so nothing has changed. Please try again in a moment."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Database:
    """An open database. Hand it to the stores, and close it last."""

    writer: AsyncEngine
    reader: AsyncEngine
    """The writer itself, where the database keeps looks and units apart."""
    one_at_a_time: AbstractAsyncContextManager[None]
    """What a unit waits for before it begins. A lock is first come, first served; the pool of a
    single connection is not, and lets some wait for ever."""
    under_way: set[asyncio.Task[Any]] = field(default_factory=set)
    """Units that are being written, also for callers that no longer wait."""

    async def write(self, unit: Unit[Answer]) -> Answer:
        """Run *unit*; what it wrote is on disk on return, and undone if it raises.

        A caller that is cancelled does not know whether the unit was stored; it was either
        stored whole or not at all.

        Raises:
            LeaseLostError: it is the work of a lease that is gone. Nothing was stored.
            StoreBusyError: another program holds the database. Nothing was stored.
        """
        # A cancelled caller must not tear a connection out of its transaction.
        task = asyncio.create_task(self._write(unit))
        self.under_way.add(task)
        task.add_done_callback(self._end)
        return await asyncio.shield(task)

    async def read(self, unit: Unit[Answer]) -> Answer:
        """Run *unit*; each statement of it sees all that had been committed when it began."""
        async with _session(self.reader) as session:
            return await session.run_sync(lambda _: unit(session.sync_session))

    async def close(self) -> None:
        """Finish what is under way and close all connections.

        The writer goes last: it folds SQLite's log into the file.
        """
        await asyncio.gather(*self.under_way, return_exceptions=True)
        await self.reader.dispose()
        await self.writer.dispose()

    async def _write(self, unit: Unit[Answer]) -> Answer:
        async with self.one_at_a_time, _session(self.writer) as session:
            with _busy_in_words():
                async with session.begin():
                    return await session.run_sync(lambda _: carried_out(session.sync_session, unit))

    def _end(self, task: asyncio.Task[Any]) -> None:
        self.under_way.discard(task)
        if not task.cancelled():
            task.exception()  # the caller hears of it, or has left and does not mind


def open_database(url: str, *, busy_seconds: float = BUSY_SECONDS) -> Database:
    """Make ready to connect; nothing is opened before it is needed.

    Args:
        url: an SQLAlchemy URL, whose tables `db.migrate.upgrade` has brought up to date. Of
            SQLite only the file counts, not the driver.
        busy_seconds: see `BUSY_SECONDS`.
    """
    address = make_url(url)
    if not is_sqlite(address):
        server = _engine(address, pool_pre_ping=True)
        return Database(writer=server, reader=server, one_at_a_time=nullcontext())
    file = address.set(drivername="sqlite+aiosqlite")
    patience = {"timeout": busy_seconds}
    writer = _engine(file, pool_size=1, max_overflow=0, connect_args=patience)
    tell_each_connection(writer.sync_engine, _WRITER_PRAGMAS, begin="BEGIN IMMEDIATE")
    # A look needs no transaction, and each step of one costs a trip to the driver's thread.
    reader = _engine(
        file,
        pool_size=_READERS,
        max_overflow=0,
        connect_args=patience,
        pool_reset_on_return=None,
        isolation_level="AUTOCOMMIT",
        skip_autocommit_rollback=True,
    )
    tell_each_connection(reader.sync_engine, _READER_PRAGMAS, begin=None)
    return Database(writer=writer, reader=reader, one_at_a_time=asyncio.Lock())


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


def tell_each_connection(engine: Engine, pragmas: Sequence[str], *, begin: str | None) -> None:
    """Set *pragmas*, which SQLite forgets with each connection, and begin units with *begin*."""

    def on_connect(connection: Any, _record: object) -> None:  # noqa: ANN401  the driver's own
        connection.isolation_level = None  # else the driver begins and commits as it likes
        cursor = connection.cursor()
        for pragma in pragmas:
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    def before_connect(
        _dialect: object, _record: object, _file: object, how: dict[str, Any]
    ) -> None:
        how["async_creator_fn"] = one_trip.connect

    if engine.dialect.is_async:
        event.listen(engine, "do_connect", before_connect)
    event.listen(engine, "connect", on_connect)
    if begin is not None:
        event.listen(engine, "begin", lambda connection: connection.exec_driver_sql(begin))


def _engine(address: URL, **options: Any) -> AsyncEngine:  # noqa: ANN401  the library's own
    # An error in the log must not quote the cards of a hand, hence no parameters.
    return create_async_engine(address, json_serializer=_to_json, hide_parameters=True, **options)


def _session(engine: AsyncEngine) -> AsyncSession:
    return AsyncSession(engine, expire_on_commit=False, autoflush=False)


@contextmanager
def _busy_in_words() -> Iterator[None]:
    try:
        yield
    except OperationalError as error:
        code = getattr(error.orig, "sqlite_errorcode", 0)
        if code & 0xFF != sqlite3.SQLITE_BUSY:  # the lower byte is the kind of an SQLite error
            raise
        raise StoreBusyError(str(error.orig)) from error
