"""Move an installation from one database to another, whole or not at all.

What is read is one moment of the old database; what is written is one transaction in the new one,
committed when all that was read is found there again and its games replay to the same.
"""

import hashlib
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import (
    Connection,
    Row,
    Select,
    Table,
    func,
    insert,
    inspect,
    make_url,
    select,
    text,
    tuple_,
)
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection

from bot import OperatorError
from bot.table import history
from bot.table.ids import TableId
from bot.table.state import Status
from db.columns import moment
from db.engine import Database, is_missing, is_sqlite, open_database
from db.event_store import stored_event
from db.heartbeats import LAST_ALIVE
from db.migrate import first_line, refuse_other_revision, take_turn, upgrade
from db.models import EVENTS, METADATA, RUNTIME, TABLES

Progress = Callable[[str, int, int], None]
"""Told what is being done, how much of it is done, and how much there is."""

_BATCH = 500
"""Rows that are in memory at a time."""
_ALIVE = timedelta(minutes=1)
"""Twice as long as a running bot takes from one heartbeat to the next."""

_USUAL_PORT = 5432
"""Where a PostgreSQL server listens."""

_SEQUENCE = "CAST(pg_get_serial_sequence(:table, :column) AS regclass)"
_LAST_NUMBER = {
    "sqlite": "SELECT seq FROM sqlite_sequence WHERE name = :table AND :column <> ''",
    "postgresql": f"SELECT pg_sequence_last_value({_SEQUENCE})",
}
_SET_NUMBER = {
    "sqlite": (
        "DELETE FROM sqlite_sequence WHERE name = :table",
        "INSERT INTO sqlite_sequence (name, seq) VALUES (:table, :last)",
    ),
    "postgresql": (f"SELECT setval({_SEQUENCE}, :last)",),
}


class NotCopiedError(OperatorError):
    """Nothing was copied; the sentence says why."""


@dataclass(frozen=True, slots=True)
class Copied:
    """What was copied and found whole."""

    rows: Mapping[str, int]
    """By the name of the SQL table."""
    replayed: int
    """Tables of the game that were played through on both sides, to the same end."""
    broken: Sequence[TableId] = ()
    """Those that can be played through on neither side, since they are damaged or of a newer
    program. Their rows are the same."""


@dataclass(frozen=True, slots=True)
class _Tally:
    """What a table holds, in whatever order: two that differ in a value differ here."""

    rows: int = 0
    digest: int = 0

    def with_rows(self, rows: Sequence[Row[Any]]) -> "_Tally":
        values = [hashlib.sha256(repr(tuple(row)).encode()).digest() for row in rows]
        digest = self.digest + sum(map(int.from_bytes, values))
        return _Tally(self.rows + len(rows), digest % (1 << 256))


@dataclass(frozen=True, slots=True)
class _End:
    """What the events of a table lead to."""

    version: int
    status: Status | None = None
    totals: tuple[int, ...] | None = None
    fault: str | None = None


async def copy(
    origin: str, goal: str, *, now: datetime, may_run: bool, progress: Progress
) -> Copied:
    """Copy all that one database holds into another, which gets its tables first.

    Args:
        origin: URL of the database to be read. It is left as it is.
        goal: URL of the database to be filled: one without a row of ours.
        now: the present moment.
        may_run: a bot may be at work on *origin*; what it does from now on is not copied.
        progress: must not fail.

    Raises:
        NotCopiedError: a fault, or something arrived other than it was. No row of it is in *goal*.
        DatabaseUnavailableError: one of them can't be used by this program.
    """
    _refuse_same(origin, goal)
    if is_missing(origin):
        raise NotCopiedError(f"There is no file {make_url(origin).database} to copy from.")
    old, new = open_database(origin), open_database(goal)
    try:
        async with _one_moment(old) as before:
            await before.run_sync(refuse_other_revision, origin, "The database to copy from")
            if not may_run:
                await before.run_sync(_refuse_one_at_work, now)
            await _refuse_taken(new, goal)
            await upgrade(goal)
            async with new.writer.begin() as after:
                await _without_hurry(after)
                await take_turn(after)
                return await _copy_all(before, after, progress)
    except (SQLAlchemyError, OSError) as error:
        raise NotCopiedError(f"Nothing was copied: {first_line(error)}.") from error
    finally:
        await old.close()
        await new.close()


def _refuse_same(origin: str, goal: str) -> None:
    """Refuse to copy a database into itself.

    Raises:
        NotCopiedError: both URLs name the same.
    """
    if _place(origin) == _place(goal):
        raise NotCopiedError(
            "The database to copy from and the one to copy to are the same. Name a new one."
        )


def _place(url: str) -> tuple[object, ...]:
    """Where a database is, whatever driver and person it is opened with."""
    address = make_url(url)
    if is_sqlite(address):
        return (Path(address.database or "").resolve(),)
    return address.host, address.port or _USUAL_PORT, address.database


@asynccontextmanager
async def _one_moment(database: Database) -> AsyncIterator[AsyncConnection]:
    """A connection that sees the database as it is now, whatever is written meanwhile."""
    async with database.reader.connect() as connection:
        if connection.dialect.name == "sqlite":
            await connection.exec_driver_sql("BEGIN")
            yield connection
            await connection.exec_driver_sql("ROLLBACK")
            return
        await connection.execution_options(
            isolation_level="REPEATABLE READ", postgresql_readonly=True
        )
        async with connection.begin():
            await _without_hurry(connection)
            yield connection


async def _without_hurry(connection: AsyncConnection) -> None:
    """Let a server wait for us in this transaction: a copy takes as long as there are rows."""
    if connection.dialect.name == "postgresql":
        for limit in ("idle_in_transaction_session_timeout", "statement_timeout", "lock_timeout"):
            await connection.execute(text(f"SET LOCAL {limit} TO 0"))


def _refuse_one_at_work(connection: Connection, now: datetime) -> None:
    """Refuse a database that a bot is at work on.

    Raises:
        NotCopiedError: one is.
    """
    beats = connection.scalars(select(RUNTIME.c.value).where(RUNTIME.c.key.startswith(LAST_ALIVE)))
    latest = max((moment(int(beat)) for beat in beats), default=None)
    if latest is not None and now - latest < _ALIVE:
        raise NotCopiedError(
            "A bot is at work on the database to copy from, or was a moment ago: stop it and wait"
            " a minute. With --running what it stores from now on would not be copied."
        )


async def _refuse_taken(new: Database, goal: str) -> None:
    """Refuse a database that holds something, before it is brought to our tables.

    Raises:
        NotCopiedError: it does.
    """
    if is_missing(goal):
        return
    async with new.reader.connect() as connection:
        taken = await connection.run_sync(_taken)
    if taken:
        raise NotCopiedError(
            f"The database to copy to is not empty: there are rows in {', '.join(taken)}. Name a"
            " new one."
        )


def _taken(connection: Connection) -> list[str]:
    present = set(inspect(connection).get_table_names())
    return [
        table.name
        for table in METADATA.sorted_tables
        if table.name in present
        and connection.execute(select(text("1")).select_from(table).limit(1)).first()
    ]


async def _copy_all(before: AsyncConnection, after: AsyncConnection, progress: Progress) -> Copied:
    """Copy and compare; the caller commits.

    Raises:
        NotCopiedError: something arrived other than it was.
    """
    rows = {}
    for table in METADATA.sorted_tables:
        rows[table.name] = await _copy_table(before, after, table, progress)
        await _carry_counter(before, after, table)
    with_course = select(TABLES.c.id).where(TABLES.c.version != 0).order_by(TABLES.c.id)
    ids = [TableId(table_id) for table_id in await before.scalars(with_course)]
    broken = []
    for number, table_id in enumerate(ids, 1):
        if await _is_broken(before, after, table_id):
            broken.append(table_id)
        progress("replayed", number, len(ids))
    return Copied(rows, len(ids) - len(broken), tuple(broken))


async def _is_broken(before: AsyncConnection, after: AsyncConnection, table_id: TableId) -> bool:
    """Whether a table can be replayed on neither side.

    Raises:
        NotCopiedError: its events do not lead to the same on both.
    """
    end = await _end_of(before, table_id)
    if end != await _end_of(after, table_id):
        raise NotCopiedError(
            f"Nothing was copied: the events of table {table_id} would lead to something else."
        )
    return end.fault is not None


async def _copy_table(
    before: AsyncConnection, after: AsyncConnection, table: Table, progress: Progress
) -> int:
    """Copy one table; the number of its rows.

    Raises:
        NotCopiedError: they do not lie there as they were read.
    """
    total = await before.scalar(select(func.count()).select_from(table)) or 0
    read = _Tally()
    async for rows in _batches(before, table):
        await after.execute(insert(table), [dict(row._mapping) for row in rows])  # noqa: SLF001  public, named so as to be no column
        read = read.with_rows(rows)
        progress(table.name, read.rows, total)
    _refuse_difference(table.name, read, await _tally(after, table))
    return read.rows


def _refuse_difference(name: str, read: _Tally, written: _Tally) -> None:
    """Compare what was read of a table with what lies in the other one.

    Raises:
        NotCopiedError: it is not the same.
    """
    if read.rows != written.rows:
        raise NotCopiedError(
            f"Nothing was copied: of {read.rows} rows in {name}, {written.rows} arrived."
        )
    if read != written:
        raise NotCopiedError(f"Nothing was copied: rows in {name} arrived with other values.")


async def _tally(connection: AsyncConnection, table: Table) -> _Tally:
    tally = _Tally()
    async for rows in _batches(connection, table):
        tally = tally.with_rows(rows)
    return tally


async def _batches(connection: AsyncConnection, table: Table) -> AsyncIterator[Sequence[Row[Any]]]:
    """All rows of a table, in the order of their keys.

    Raises:
        NotCopiedError: a row holds what is no value of its column.
    """
    keys = tuple(table.primary_key.columns)
    in_order = select(table).order_by(*keys).limit(_BATCH)
    rows = await _readable(connection, in_order, table)
    while rows:
        yield rows
        last = [getattr(rows[-1], key.name) for key in keys]
        rows = await _readable(connection, in_order.where(tuple_(*keys) > tuple_(*last)), table)


async def _readable(
    connection: AsyncConnection, some: Select[Any], table: Table
) -> Sequence[Row[Any]]:
    try:
        rows: Sequence[Row[Any]] = (await connection.execute(some)).all()
    except history.DAMAGE:
        # Without what led to it: that quotes the row, and with it the cards of a hand.
        where = await _damaged_row(connection, some, table)
        raise NotCopiedError(f"Nothing was copied: {where} is damaged.") from None
    return rows


async def _damaged_row(connection: AsyncConnection, some: Select[Any], table: Table) -> str:
    """Which of some rows of a table is the first that cannot be read, by its key."""
    keys = tuple(table.primary_key.columns)
    for row in (await connection.execute(some.with_only_columns(*keys))).all():
        try:
            (await connection.execute(select(table).where(tuple_(*keys) == tuple_(*row)))).all()
        except history.DAMAGE:
            named = ", ".join(f"{key.name} {value}" for key, value in zip(keys, row, strict=True))
            return f"the row of {table.name} with {named}"
    return f"a row of {table.name}"


async def _end_of(connection: AsyncConnection, table_id: TableId) -> _End:
    of_table = select(TABLES.c.version).where(TABLES.c.id == table_id)
    version: int = (await connection.scalars(of_table)).one()
    in_order = select(EVENTS).where(EVENTS.c.table_id == table_id).order_by(EVENTS.c.seq)
    rows = (await connection.execute(in_order)).all()
    try:
        stored = [stored_event(row) for row in rows]
        past = history.replay(stored)
        fault = past.fault if history.is_whole(stored, version) else "an event is missing"
    except history.DAMAGE as error:
        # A table that cannot be read here could not be read there either.
        return _End(len(rows), fault=str(error))
    game = past.table.game
    totals = None if game is None else game.totals
    return _End(len(rows), past.table.status, totals, fault)


async def _carry_counter(before: AsyncConnection, after: AsyncConnection, table: Table) -> None:
    """Let a table that numbers its rows go on counting where it was: no number comes back."""
    column = table.autoincrement_column
    if column is None:
        return
    of = {"table": table.name, "column": column.name}
    last = await before.scalar(text(_LAST_NUMBER[before.dialect.name]), of)
    if last is not None:
        for statement in _SET_NUMBER[after.dialect.name]:
            await after.execute(text(statement), {**of, "last": last})
