"""Connections: one that writes, some that only read, and what SQLite has to be told.

SQLite gets exactly one writing connection in WAL mode with ``synchronous=FULL`` (a commit is on
disk when it returns), and ``BEGIN IMMEDIATE``, without which two units that read and then write
lose each other's changes. Readers are held to reading by the database itself.
"""

import asyncio
import json
import sqlite3
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, nullcontext
from dataclasses import dataclass
from functools import partial
from typing import Any

from sqlalchemy import URL, Connection, event, make_url
from sqlalchemy.exc import OperationalError
from sqlalchemy.ext.asyncio import AsyncEngine, async_sessionmaker, create_async_engine
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.rules.errors import HeartsError
from bot.rules.sentence import Sentence

_BUSY_SECONDS = 15.0
_READERS = 4
_SAFE_SQLITE = (3, 51, 3)

_WRITER_PRAGMAS = ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "mmap_size=0")
# Two connections that checkpoint at the same moment can corrupt the log in SQLite before
# 3.51.3, so only the writer does.
_READER_PRAGMAS = ("query_only=ON", "wal_autocheckpoint=0", "mmap_size=0")

to_json = partial(json.dumps, separators=(",", ":"), ensure_ascii=False)
"""How JSON columns are written: short, and readable in any language."""


class DatabaseUnavailableError(Exception):
    """The database cannot be used at all; the message is one sentence for the operator."""


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
    write_sessions: async_sessionmaker[AsyncSession]
    read_sessions: async_sessionmaker[AsyncSession]
    turnstile: asyncio.Lock | None
    """Lets units of work write in the order in which they came; ``None`` where the database
    itself takes several at a time. The pool's own queue is not fair."""

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[AsyncSession]:
        """One unit of work: committed, and on disk, when the block ends; else rolled back.

        Raises:
            StoreBusyError: another program holds the database. Nothing was stored.
        """
        async with self.turnstile or nullcontext():
            with _busy_in_words():
                async with self.write_sessions.begin() as session:
                    yield session

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncSession]:
        """One consistent look at what has been committed."""
        async with self.read_sessions() as session:
            yield session

    async def close(self) -> None:
        """Close all connections, the writing one last: it folds the log into the file."""
        await self.reader.dispose()
        if self.writer is not self.reader:
            await self.writer.dispose()


def open_database(url: str, *, busy_seconds: float = _BUSY_SECONDS) -> Database:
    """Make ready to connect; nothing is opened before it is needed.

    Args:
        url: an SQLAlchemy URL with an asynchronous driver, whose tables `db.migrate.upgrade`
            has brought up to date.
        busy_seconds: how long a unit waits for another program that holds an SQLite file.
    """
    address = make_url(url)
    if not is_sqlite(address):
        engine = create_async_engine(
            address, json_serializer=to_json, hide_parameters=True, pool_pre_ping=True
        )
        return _database(engine, engine, None)
    writer = _sqlite_engine(address, busy_seconds, connections=1)
    _tell_each_connection(writer, _WRITER_PRAGMAS, begin="BEGIN IMMEDIATE")
    reader = _sqlite_engine(address, busy_seconds, connections=_READERS)
    _tell_each_connection(reader, _READER_PRAGMAS, begin="BEGIN")
    return _database(writer, reader, asyncio.Lock())


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


def _database(writer: AsyncEngine, reader: AsyncEngine, turnstile: asyncio.Lock | None) -> Database:
    return Database(
        writer=writer,
        reader=reader,
        write_sessions=_sessions(writer),
        read_sessions=_sessions(reader),
        turnstile=turnstile,
    )


def _sessions(engine: AsyncEngine) -> async_sessionmaker[AsyncSession]:
    return async_sessionmaker(engine, class_=AsyncSession, expire_on_commit=False, autoflush=False)


def _sqlite_engine(address: URL, busy_seconds: float, *, connections: int) -> AsyncEngine:
    return create_async_engine(
        address,
        json_serializer=to_json,
        hide_parameters=True,  # an error in the log must not quote the cards of a hand
        pool_size=connections,
        max_overflow=0,
        connect_args={"timeout": busy_seconds},
    )


def _tell_each_connection(engine: AsyncEngine, pragmas: Sequence[str], *, begin: str) -> None:
    """Set *pragmas*, which SQLite forgets with each connection, and begin units with *begin*."""

    def on_connect(connection: Any, _record: object) -> None:  # noqa: ANN401  the driver's own
        connection.isolation_level = None  # else the driver begins transactions of its own
        cursor = connection.cursor()
        for pragma in pragmas:
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    def on_begin(connection: Connection) -> None:
        connection.exec_driver_sql(begin)

    event.listen(engine.sync_engine, "connect", on_connect)
    event.listen(engine.sync_engine, "begin", on_begin)


@contextmanager
def _busy_in_words() -> Iterator[None]:
    try:
        yield
    except OperationalError as error:
        code = getattr(error.orig, "sqlite_errorcode", 0)
        if code & 0xFF != sqlite3.SQLITE_BUSY:  # the lower byte is the kind of an SQLite error
            raise
        raise StoreBusyError(str(error.orig)) from error
