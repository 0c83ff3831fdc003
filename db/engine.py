"""The open database: units of work that write, and looks that only read.

A unit is a plain function over a session and is run whole, in a task of its own, so that a caller
that is cancelled can never leave it half way. The stores are the same code on both databases.

On SQLite a unit is run where its statements are carried out, in the thread of the driver's
connection (`db.one_trip`), on PostgreSQL beside the event loop. SQLite gets exactly one writing
connection in WAL mode with ``synchronous=FULL`` (a commit is on
disk when it returns), and ``BEGIN IMMEDIATE``, without which two units that read and then write
lose each other's changes. Readers are held to reading by the database itself.
"""

import asyncio
import json
import logging
import sqlite3
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import URL, Engine, StaticPool, create_engine, event, make_url
from sqlalchemy.exc import DatabaseError, OperationalError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlmodel import Session
from sqlmodel.ext.asyncio.session import AsyncSession

from bot import OperatorError
from bot.rules.errors import HeartsError
from bot.rules.sentence import Sentence
from db import one_trip, server
from db.fences import carried_out
from db.turnstile import Turnstile

log = logging.getLogger(__name__)

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
BEGIN = "BEGIN IMMEDIATE"
_LOOKS: dict[str, Any] = {
    "isolation_level": "AUTOCOMMIT",
    "skip_autocommit_rollback": True,
    "pool_reset_on_return": None,
}
"""A look needs no transaction."""

_to_json = partial(json.dumps, separators=(",", ":"), ensure_ascii=False)


def is_missing(url: str) -> bool:
    """Whether a URL names an SQLite file that is not there: a connection would make one."""
    address = make_url(url)
    return is_sqlite(address) and not Path(address.database or "").is_file()


class DatabaseUnavailableError(OperatorError):
    """The database cannot be used at all."""


class StoreBusyError(HeartsError):
    """Another program held the database for too long, or its disk is full. Nothing was stored."""

    sentence = Sentence(
        "I could not save that just now, so nothing has changed. Please try again in a moment."
    )


class StoreAwayError(HeartsError):
    """The server did not answer, or not in time."""

    sentence = Sentence("I could not look that up just now. Please try again in a moment.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Database:
    """An open database. Hand it to the stores, and close it last."""

    writer: AsyncEngine
    reader: AsyncEngine
    """The writer itself, where the database keeps looks and units apart."""
    one_at_a_time: AbstractAsyncContextManager[None]
    """What a unit waits for before it begins. A lock is first come, first served; the pool of a
    single connection is not, and lets some wait for ever."""
    looks: AbstractAsyncContextManager[None] = field(default_factory=nullcontext)
    """The same for looks."""
    under_way: set[asyncio.Task[Any]] = field(default_factory=set)
    """Units that are being written, also for callers that no longer wait."""

    async def write(self, unit: Unit[Answer]) -> Answer:
        """Run *unit*; what it wrote is on disk on return, and undone if it raises.

        A caller that is cancelled does not know whether the unit was stored; it was either
        stored whole or not at all.

        Raises:
            LeaseLostError: it is the work of a lease that is gone. Nothing was stored.
            StoreBusyError: another program holds the database, its disk is full, or the server
                is away. Nothing was stored.
        """
        return await self._to_its_end(self._write(unit))

    async def write_in_passing(self, unit: Unit[Answer]) -> Answer:
        """As `write`, for what nobody waits for: what people wait for may go before it."""
        return await self.write(unit)

    async def _to_its_end(self, writing: Coroutine[Any, Any, Answer]) -> Answer:
        # A cancelled caller must not tear a connection out of its transaction.
        task = asyncio.create_task(writing)
        self.under_way.add(task)
        task.add_done_callback(self._end)
        return await asyncio.shield(task)

    async def read(self, unit: Unit[Answer]) -> Answer:
        """Run *unit*; each statement of it sees all that had been committed when it began.

        Raises:
            StoreAwayError: the server does not answer, or not now.
        """
        async with self.looks, _session(self.reader) as session:
            with _passing_in_words(StoreAwayError):
                return await session.run_sync(lambda _: unit(session.sync_session))

    async def close(self) -> None:
        """Finish what is under way and close all connections.

        The writer goes last: it folds SQLite's log into the file.
        """
        await asyncio.gather(*self.under_way, return_exceptions=True)
        await self.reader.dispose()
        await self.writer.dispose()

    async def _write(self, unit: Unit[Answer]) -> Answer:
        async with self.one_at_a_time:
            for _ in range(server.TRIES - 1):
                try:
                    return await self._write_once(unit)
                except StoreBusyError as busy:
                    if not server.made_way(busy.__cause__):
                        raise
            return await self._write_once(unit)

    async def _write_once(self, unit: Unit[Answer]) -> Answer:
        async with _session(self.writer) as session:
            with _passing_in_words(StoreBusyError):
                answer = await session.run_sync(lambda _: carried_out(session.sync_session, unit))
            # A server that goes away now may have stored the unit or not: no words for that.
            await session.commit()
            return answer

    def _end(self, task: asyncio.Task[Any]) -> None:
        self.under_way.discard(task)
        if not task.cancelled():
            task.exception()  # the caller hears of it, or has left and does not mind


@dataclass(frozen=True, slots=True, kw_only=True)
class FileDatabase(Database):
    """An open SQLite file: every unit is run whole in the thread of a connection."""

    turnstile: Turnstile = field(default_factory=Turnstile)

    async def read(self, unit: Unit[Answer]) -> Answer:
        """See `Database.read`."""

        def work(engine: Engine) -> Answer:
            with _inner_session(engine) as session:
                return unit(session)

        return await self._in_thread(self.reader, partial(_inside, begin=None, **_LOOKS), work)

    async def write_in_passing(self, unit: Unit[Answer]) -> Answer:
        """See `Database.write_in_passing`."""
        return await self._to_its_end(self._write(unit, urgent=False))

    async def _write(self, unit: Unit[Answer], *, urgent: bool = True) -> Answer:
        def work(engine: Engine) -> Answer:
            with _inner_session(engine) as session, session.begin():
                return carried_out(session, unit)

        async with self.turnstile.turn(urgent=urgent):
            with _busy_in_words():
                return await self._in_thread(self.writer, partial(_inside, begin=BEGIN), work)

    async def _in_thread(
        self,
        engine: AsyncEngine,
        make_engine: Callable[[sqlite3.Connection], Engine],
        work: Callable[[Engine], Answer],
    ) -> Answer:
        with _damage_in_words(self.writer.url.database or ""):
            async with engine.connect() as connection:
                driver = (await connection.get_raw_connection()).driver_connection
                if not isinstance(driver, one_trip.OneTripConnection):
                    raise TypeError(f"{driver!r} has no thread of ours")
                return await driver.run(make_engine, work)


def open_database(url: str, *, busy_seconds: float = BUSY_SECONDS) -> Database:
    """Make ready to connect; nothing is opened before it is needed.

    Args:
        url: an SQLAlchemy URL, whose tables `db.migrate.upgrade` has brought up to date. Of
            SQLite only the file counts, not the driver.
        busy_seconds: see `BUSY_SECONDS`.
    """
    address = make_url(url)
    if not is_sqlite(address):
        return _open_server(address)
    file = address.set(drivername="sqlite+aiosqlite")
    patience = {"timeout": busy_seconds}
    # What was begun in a thread was ended there, so nothing has to be reset here.
    pool = {"max_overflow": 0, "connect_args": patience}
    writer = _engine(file, pool_size=1, pool_reset_on_return=None, **pool)
    reader = _engine(file, pool_size=_READERS, **pool, **_LOOKS)
    for engine, pragmas in ((writer, _WRITER_PRAGMAS), (reader, _READER_PRAGMAS)):
        event.listen(engine.sync_engine, "do_connect", _through_one_trip)
        tell_each_connection(engine.sync_engine, pragmas, begin=None)
    _begin_with(writer.sync_engine, BEGIN)
    return FileDatabase(writer=writer, reader=reader, one_at_a_time=nullcontext())


def _open_server(address: URL) -> Database:
    writer = _engine(address, pool_size=server.WRITERS, **server.POOL)
    reader = _engine(address, pool_size=server.READERS, **server.POOL, **_LOOKS)
    for engine in (writer, reader):
        server.tell_each_connection(engine.sync_engine)
    return Database(
        writer=writer,
        reader=reader,
        one_at_a_time=asyncio.Semaphore(server.WRITERS),
        looks=asyncio.Semaphore(server.READERS),
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


def tell_each_connection(engine: Engine, pragmas: Sequence[str], *, begin: str | None) -> None:
    """Set *pragmas*, which SQLite forgets with each connection, and begin units with *begin*."""

    def on_connect(connection: Any, _record: object) -> None:  # noqa: ANN401  the driver's own
        connection.isolation_level = None  # else the driver begins and commits as it likes
        cursor = connection.cursor()
        for pragma in pragmas:
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    event.listen(engine, "connect", on_connect)
    if begin is not None:
        _begin_with(engine, begin)


def _begin_with(engine: Engine, begin: str) -> None:
    event.listen(engine, "begin", lambda connection: connection.exec_driver_sql(begin))


def _through_one_trip(
    _dialect: object, _record: object, _file: object, how: dict[str, Any]
) -> None:
    """Have SQLAlchemy connect by our kind of connection."""
    how["async_creator_fn"] = one_trip.connect


def _inside(connection: sqlite3.Connection, *, begin: str | None, **options: Any) -> Engine:  # noqa: ANN401  the library's own
    """An engine that knows one connection, which is set up already, for use in its thread."""
    engine = create_engine(
        "sqlite://",
        creator=lambda: connection,
        poolclass=StaticPool,
        json_serializer=_to_json,
        hide_parameters=True,
        **options,
    )
    if begin is not None:
        _begin_with(engine, begin)
    return engine


def _inner_session(engine: Engine) -> Session:
    return Session(engine, expire_on_commit=False, autoflush=False)


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
        kind = _kind(error)
        if kind not in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_FULL}:
            raise
        if kind == sqlite3.SQLITE_FULL:
            log.error(  # noqa: TRY400  a full disk needs no traceback
                "nothing can be stored, so nobody can play: %s", error.orig
            )
        raise StoreBusyError(str(error.orig)) from error


@contextmanager
def _damage_in_words(file: str) -> Iterator[None]:
    try:
        yield
    except DatabaseError as error:
        if _kind(error) not in {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}:
            raise
        raise DatabaseUnavailableError(
            f"The database {file} is damaged ({error.orig}): stop the bot and restore a backup, as"
            " docs/operations.md tells."
        ) from error


def _kind(error: DatabaseError) -> int:
    """Of an SQLite error, which is its lower byte; 0 for another database's."""
    code: int = getattr(error.orig, "sqlite_errorcode", 0)
    return code & 0xFF


@contextmanager
def _passing_in_words(words: type[HeartsError]) -> Iterator[None]:
    try:
        yield
    except Exception as error:
        if not server.is_passing(error):
            raise
        raise words(str(getattr(error, "orig", error))) from error
