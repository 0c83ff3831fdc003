"""The stores on a file without a thread: what a bench relies on, and the contracts that it uses."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from sqlalchemy import text, update
from sqlalchemy.exc import OperationalError
from sqlmodel import Session

from db.inline import open_inline
from db.models import TABLES
from tests.db.contract.adjustments import AdjustmentContract
from tests.db.contract.choices import ChoiceContract
from tests.db.contract.commits import CommitContract
from tests.db.contract.outbox import OutboxContract
from tests.db.contract.timers import TimerContract
from tests.support.store import Stores, fresh_url, lobby, put, stores_over


@pytest.fixture
async def stores(tmp_path: Path) -> AsyncIterator[Stores]:
    opened = stores_over(open_inline(await fresh_url(tmp_path)))
    yield opened
    await opened.database.close()


class TestCommits(CommitContract):
    pass


class TestAdjustments(AdjustmentContract):
    pass


class TestOutbox(OutboxContract):
    pass


class TestTimers(TimerContract):
    pass


class TestChoices(ChoiceContract):
    pass


async def titles(stores: Stores) -> list[str]:
    return [row.title for row in await stores.events.live_tables_in(lobby().guild_id)]


async def test_a_unit_that_fails_is_undone(stores: Stores):
    await put(stores, lobby())

    def unit(session: Session) -> None:
        session.exec(update(TABLES).values(title="changed"))
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await stores.database.write(unit)
    assert await titles(stores) == ["Standard Hearts"]


async def test_a_look_sees_what_was_changed_after_an_earlier_look(stores: Stores):
    await put(stores, lobby())
    assert await titles(stores) == ["Standard Hearts"]
    await stores.database.write(lambda session: session.exec(update(TABLES).values(title="New")))
    assert await titles(stores) == ["New"]


async def test_a_look_cannot_write(stores: Stores):
    await put(stores, lobby())
    with pytest.raises(OperationalError, match="readonly"):
        await stores.database.read(lambda session: session.exec(update(TABLES).values(version=9)))
    assert await titles(stores) == ["Standard Hearts"]


async def test_a_commit_does_not_wait_for_the_disk(stores: Stores):
    """0 is OFF."""

    def unit(session: Session) -> object:
        return session.connection().scalar(text("PRAGMA synchronous"))

    assert await stores.database.write(unit) == 0


async def test_what_was_stored_is_there_for_the_next_program(tmp_path: Path):
    url = await fresh_url(tmp_path)
    first = stores_over(open_inline(url))
    await put(first, lobby())
    await first.database.close()
    second = stores_over(open_inline(url))
    assert await titles(second) == ["Standard Hearts"]
    await second.database.close()
