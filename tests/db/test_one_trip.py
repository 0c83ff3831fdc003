"""A unit on SQLite costs one trip to the driver's thread, and means what it always did."""

from collections.abc import AsyncIterator
from contextvars import ContextVar
from pathlib import Path
from threading import get_ident

import aiosqlite
import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import create_async_engine
from sqlmodel import Session

from db.engine import Database, open_database

WHO: ContextVar[str] = ContextVar("WHO", default="nobody")


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    opened = open_database(f"sqlite+aiosqlite:///{tmp_path / 'trips.db'}")
    await opened.write(
        lambda session: session.connection().execute(text("CREATE TABLE t (n INTEGER UNIQUE)"))
    )
    yield opened
    await opened.close()


@pytest.fixture
def trips(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """What the driver's threads were asked to do."""
    made: list[object] = []
    real = aiosqlite.Connection._execute

    async def counted(self, work, *args, **kwargs):
        made.append(work)
        return await real(self, work, *args, **kwargs)

    monkeypatch.setattr(aiosqlite.Connection, "_execute", counted)
    return made


def three_statements(session: Session) -> list[int]:
    connection = session.connection()
    connection.execute(text("INSERT INTO t VALUES (:n)"), [{"n": 1}, {"n": 2}, {"n": 3}])
    assert connection.execute(text("UPDATE t SET n = n + 10 WHERE n > 1")).rowcount == 2
    return [*connection.execute(text("SELECT n FROM t ORDER BY n")).scalars()]


def all_numbers(session: Session) -> list[int]:
    return [*session.connection().execute(text("SELECT n FROM t ORDER BY n")).scalars()]


async def test_a_unit_of_several_statements_is_one_trip(database: Database, trips: list[object]):
    assert await database.write(three_statements) == [1, 12, 13]
    assert len(trips) == 1
    assert await database.read(all_numbers) == [1, 12, 13]


async def test_a_look_is_one_trip(database: Database, trips: list[object]):
    await database.read(all_numbers)  # opens the connection
    trips.clear()
    assert await database.read(all_numbers) == []
    assert len(trips) == 1


async def test_the_driver_alone_makes_four_for_a_statement(tmp_path: Path, trips: list[object]):
    """The control."""
    engine = create_async_engine(f"sqlite+aiosqlite:///{tmp_path / 'alone.db'}")
    async with engine.connect() as connection:
        await connection.execute(text("SELECT 1"))
        trips.clear()
        await connection.execute(text("SELECT 1"))
        assert len(trips) == 4
    await engine.dispose()


async def test_a_statement_that_fails_undoes_the_unit_and_leaves_the_connection_whole(
    database: Database,
):
    def twice(session: Session) -> None:
        session.connection().execute(text("INSERT INTO t VALUES (7)"))
        session.connection().execute(text("INSERT INTO t VALUES (7)"))

    with pytest.raises(IntegrityError):
        await database.write(twice)
    assert await database.read(all_numbers) == []
    assert await database.write(three_statements) == [1, 12, 13]


async def test_a_unit_runs_beside_the_event_loop_in_the_context_of_its_caller(database: Database):
    """A lease is known by the context, and has to be known where its work is written."""
    WHO.set("a lease")
    for way in (database.write, database.read):
        assert await way(lambda _: WHO.get()) == "a lease"
        assert await way(lambda _: get_ident()) != get_ident()
