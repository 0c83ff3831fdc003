"""How units run where the database takes several at a time, over a stand-in for a server."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import nullcontext
from pathlib import Path

import pytest
from sqlalchemy.ext.asyncio import create_async_engine
from sqlmodel import Session

from bot.table.errors import VersionConflictError
from db.engine import Database, open_database
from tests.support.store import Stores, cause, counts, fresh_url, go_on, lobby, put, stores_over


@pytest.fixture
async def stores(tmp_path: Path) -> AsyncIterator[Stores]:
    """One connection: the stand-in, unlike a server, would not keep rivals apart."""
    engine = create_async_engine(await fresh_url(tmp_path), pool_size=1, max_overflow=0)
    opened = stores_over(Database(writer=engine, reader=engine, one_at_a_time=nullcontext()))
    yield opened
    await opened.database.close()


def test_a_server_is_opened_only_when_it_is_needed():
    database = open_database("postgresql+asyncpg://nobody@127.0.0.1:9/hearts")
    assert database.writer is database.reader


async def test_what_was_written_is_read(stores: Stores):
    at = await put(stores, lobby(), cause(iid=5, name="Ann"))
    assert len(await stores.events.load(at.table_id)) == at.version


async def test_a_unit_that_fails_is_undone(stores: Stores):
    at = await put(stores, lobby())
    await go_on(stores, at, lobby())
    before = await counts(stores)
    with pytest.raises(VersionConflictError):
        await go_on(stores, at, lobby())
    assert await counts(stores) == before


async def test_a_cancelled_caller_does_not_stop_its_unit(stores: Stores):
    at = await put(stores, lobby())
    commit = asyncio.create_task(go_on(stores, at, lobby()))
    await asyncio.sleep(0)
    commit.cancel()
    with pytest.raises(asyncio.CancelledError):
        await commit
    left = asyncio.all_tasks() - {asyncio.current_task()}
    await asyncio.gather(*left)
    assert len(await stores.events.load(at.table_id)) == at.version + 1


async def test_closing_waits_for_what_cancelled_callers_left(stores: Stores):
    finished: list[bool] = []

    async def write() -> None:
        def unit(_: Session) -> None:
            finished.append(True)

        await stores.database.write(unit)

    caller = asyncio.create_task(write())
    await asyncio.sleep(0)
    caller.cancel()
    await stores.database.close()
    assert finished == [True]
