"""What SQLite is told, and what becomes of it when it is not (reliability.md 0, 2, 3)."""

import asyncio
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from sqlalchemy import create_engine, select, text, update
from sqlalchemy.exc import IntegrityError, OperationalError
from sqlmodel import Session

from bot.rules.cards import Seat, pack, write_cards
from bot.rules.events import DealBegan
from bot.table.errors import VersionConflictError
from bot.table.storing import At, SecretDeal
from db import engine, event_store
from db.engine import (
    Database,
    DatabaseUnavailableError,
    StoreBusyError,
    old_sqlite_warning,
    open_database,
)
from db.models import RUNTIME, TABLES
from tests.support.store import (
    Stores,
    cause,
    counts,
    fresh_stores,
    fresh_url,
    go_on,
    lobby,
    put,
    stores_over,
    url_of,
)


@pytest.fixture
async def stores(tmp_path: Path):
    opened = await fresh_stores(tmp_path)
    yield opened
    await opened.database.close()


@contextmanager
def held(file: Path) -> Iterator[sqlite3.Connection]:
    """Another program that holds the right to write."""
    with closing(sqlite3.connect(file, isolation_level=None, check_same_thread=False)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield other


async def pragma(stores: Stores, name: str, *, writing: bool) -> object:
    def unit(session: Session) -> object:
        return session.connection().scalar(text(f"PRAGMA {name}"))

    database = stores.database
    return await (database.write(unit) if writing else database.read(unit))


@pytest.mark.parametrize(
    ("name", "value"),
    [("journal_mode", "wal"), ("synchronous", 2), ("foreign_keys", 1), ("busy_timeout", 15_000)],
)
async def test_the_writer_is_told(stores: Stores, name: str, value: object):
    """2 is FULL: the log is on the disk at every commit, not only at the next checkpoint."""
    assert await pragma(stores, name, writing=True) == value


@pytest.mark.parametrize(("name", "value"), [("query_only", 1), ("wal_autocheckpoint", 0)])
async def test_readers_are_told(stores: Stores, name: str, value: object):
    assert await pragma(stores, name, writing=False) == value


async def test_a_reader_cannot_write(stores: Stores):
    await put(stores, lobby())
    with pytest.raises(OperationalError, match="readonly"):
        await stores.database.read(lambda session: session.exec(update(TABLES).values(version=9)))


async def test_readers_do_not_wait_for_the_writer(stores: Stores):
    """Reliability.md 3.7: a look during an open write sees what was there before."""
    await put(stores, lobby())
    async with stores.database.writer.begin() as writing:
        await writing.execute(update(TABLES).values(title="changed"))
        rows = await stores.events.live_tables_in(lobby().guild_id)
    assert [row.title for row in rows] == ["Standard Hearts"]


async def test_units_are_written_in_the_order_in_which_they_came(stores: Stores):
    """An unfair queue lets some wait for ever (reliability.md 2a)."""
    order: list[int] = []

    def unit(number: int) -> Callable[[Session], None]:
        return lambda _: order.append(number)

    await asyncio.gather(*(stores.database.write(unit(number)) for number in range(50)))
    assert order == list(range(50))


async def test_a_unit_that_fails_is_undone(stores: Stores):
    await put(stores, lobby())

    def unit(session: Session) -> None:
        session.exec(update(TABLES).values(title="changed"))
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await stores.database.write(unit)
    rows = await stores.events.live_tables_in(lobby().guild_id)
    assert [row.title for row in rows] == ["Standard Hearts"]


def read_then_write(session: Session) -> None:
    """What a careless program does: it writes what it has read, plus one."""
    connection = session.connection()
    version = connection.scalar(select(TABLES.c.version)) or 0
    connection.execute(update(TABLES).values(version=version + 1))


async def rivals(first: Database, second: Database, turns: int) -> int:
    """Let two programs count up side by side; how many of them failed."""
    units = [database.write(read_then_write) for _ in range(turns) for database in (first, second)]
    outcomes = await asyncio.gather(*units, return_exceptions=True)
    assert {type(error) for error in outcomes if error} <= {StoreBusyError}
    return sum(outcome is not None for outcome in outcomes)


def opened(url: str) -> Database:
    return open_database(url)


async def test_two_programs_that_read_and_then_write_lose_nothing(tmp_path: Path):
    url = await fresh_url(tmp_path)
    first, second = opened(url), opened(url)
    await put(stores_over(first), lobby())
    failed = await rivals(first, second, 50)
    version = await first.read(lambda s: s.connection().scalar(select(TABLES.c.version)))
    await first.close()
    await second.close()
    assert (failed, version) == (0, 2 + 100)


async def test_without_begin_immediate_they_fail(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """The control (reliability.md 3.5): the documented recipe ends in locked databases."""
    url = await fresh_url(tmp_path)
    monkeypatch.setattr(engine, "BEGIN", "BEGIN")
    first, second = opened(url), opened(url)
    await put(stores_over(first), lobby())
    failed = await rivals(first, second, 50)
    await first.close()
    await second.close()
    assert failed > 0


async def test_with_the_drivers_own_transactions_they_lose_updates(tmp_path: Path):
    """The control (reliability.md 3.4): no error, and fewer counted than acknowledged."""
    stores = await fresh_stores(tmp_path)
    await put(stores, lobby())
    await stores.database.close()
    careless = create_engine(f"sqlite:///{tmp_path / 'hearts.db'}", pool_size=4)
    meet = threading.Barrier(4, timeout=30)

    def program() -> int:
        acknowledged = 0
        meet.wait()
        for _ in range(50):
            with Session(careless) as session, session.begin():
                read_then_write(session)
                acknowledged += 1
        return acknowledged

    acknowledged = sum(await asyncio.gather(*(asyncio.to_thread(program) for _ in range(4))))
    with Session(careless) as session:
        version = session.connection().scalar(select(TABLES.c.version)) or 0
    careless.dispose()
    assert version - 2 < acknowledged


async def test_without_the_comparison_the_key_of_the_log_still_refuses(
    stores: Stores, monkeypatch: pytest.MonkeyPatch
):
    """Two walls: who decided on an old version would write an event's number a second time."""

    def careless(session: Session, at: At, events, *_) -> None:
        session.exec(update(TABLES).values(version=TABLES.c.version + len(events)))

    at = await put(stores, lobby())
    await go_on(stores, at, lobby(), why=cause(1))
    before = await counts(stores)
    monkeypatch.setattr(event_store, "_advance", careless)
    with pytest.raises(VersionConflictError):
        await go_on(stores, at, lobby(), why=cause(2))
    assert await counts(stores) == before


async def test_a_lock_that_ends_in_time_is_waited_for(tmp_path: Path):
    stores = stores_over(open_database(await fresh_url(tmp_path)))
    with held(tmp_path / "hearts.db") as other:
        threading.Timer(0.2, other.execute, ["ROLLBACK"]).start()
        await put(stores, lobby())
    await stores.database.close()


async def test_a_lock_that_stays_is_said_in_words_and_nothing_is_stored(tmp_path: Path):
    stores = stores_over(open_database(await fresh_url(tmp_path), busy_seconds=0.1))
    at = await put(stores, lobby())
    before = await counts(stores)
    with held(tmp_path / "hearts.db"), pytest.raises(StoreBusyError) as refused:
        await go_on(stores, at, lobby(), why=cause(1, iid=5))
    assert "try again" in str(refused.value.sentence)
    assert await counts(stores) == before
    await go_on(stores, at, lobby(), why=cause(1, iid=5))
    await stores.database.close()


async def test_a_full_disk_is_said_in_words_and_nothing_is_stored(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
):
    """SQLite's own limit of pages stands for the disk: both end in SQLITE_FULL."""
    stores = await fresh_stores(tmp_path)
    at = await put(stores, lobby())
    before = await counts(stores)

    def room(pages: int) -> Callable[[Session], object]:
        return lambda session: session.connection().execute(
            text(f"PRAGMA max_page_count = {pages}")
        )

    def fill(session: Session) -> None:
        row = {"key": "much", "value": "x" * 100_000}
        session.connection().execute(RUNTIME.insert(), row)

    await stores.database.write(room(1))
    with pytest.raises(StoreBusyError) as refused:
        await stores.database.write(fill)
    assert "nothing has changed" in str(refused.value.sentence)
    assert "disk is full" in caplog.text
    assert await counts(stores) == before
    await stores.database.write(room(1_000_000))
    await stores.database.write(fill)
    await go_on(stores, at, lobby(), why=cause(1, iid=5))
    await stores.database.close()


async def test_a_damaged_file_is_told_with_what_to_do(tmp_path: Path):
    stores = await fresh_stores(tmp_path)
    await put(stores, lobby())
    await stores.database.close()
    file = tmp_path / "hearts.db"
    sound = file.read_bytes()
    file.write_bytes(sound[:8_192] + b"\xa5" * (len(sound) - 8_192))
    damaged = stores_over(open_database(url_of(file)))
    with pytest.raises(DatabaseUnavailableError, match="restore a backup"):
        await counts(damaged)
    with pytest.raises(DatabaseUnavailableError, match="restore a backup"):
        await put(damaged, lobby("bbbb2222", channel_id=9))
    await damaged.database.close()


async def test_an_error_of_the_database_quotes_no_card_and_no_seed(stores: Stores):
    """It goes to the log while the hands are still secret (reliability.md 5)."""
    at = await put(stores, lobby())
    began = DealBegan(1, Seat(0), pack())
    twice = SecretDeal(deal=1, seed=b"\xabthirty-two secret bytes of a deal", commitment="c" * 64)
    with pytest.raises(IntegrityError) as refused:
        await go_on(stores, at, lobby(), began, secret_deals=(twice, twice))
    for secret in ("QS", "thirty-two", write_cards(pack())[:20]):
        assert secret not in str(refused.value)


async def test_closing_folds_the_log_into_the_file(tmp_path: Path):
    stores = await fresh_stores(tmp_path)
    await put(stores, lobby())
    log = tmp_path / "hearts.db-wal"
    assert log.exists()
    await stores.database.close()
    assert not log.exists()


async def test_closing_waits_for_what_is_under_way(tmp_path: Path):
    stores = await fresh_stores(tmp_path)
    commit = asyncio.create_task(put(stores, lobby()))
    await asyncio.sleep(0)
    commit.cancel()
    await stores.database.close()
    reopened = stores_over(open_database(f"sqlite:///{tmp_path / 'hearts.db'}"))
    assert (await counts(reopened))["versions"] == (await counts(reopened))["events"]
    await reopened.database.close()


@pytest.mark.thorough
def test_a_program_that_forgets_to_close_still_ends(tmp_path: Path):
    """Reliability.md 3.17: a driver's thread must not keep the process alive."""
    program = (
        "import asyncio, sys\n"
        "from db.engine import open_database\n"
        "from db.migrate import upgrade\n"
        "from db.work import SqlWork\n"
        "async def main(url):\n"
        "    await upgrade(url)\n"
        "    print(await SqlWork(open_database(url)).last_alive())\n"
        "asyncio.run(main(sys.argv[1]))\n"
    )
    command = [sys.executable, "-c", program, f"sqlite+aiosqlite:///{tmp_path / 'hearts.db'}"]
    root = Path(__file__).parents[2]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "None\n"


@pytest.mark.parametrize(
    ("version", "warned"), [((3, 40, 1), True), ((3, 51, 2), True), ((3, 51, 3), False)]
)
def test_an_sqlite_with_the_known_fault_is_named(
    monkeypatch: pytest.MonkeyPatch, version: tuple[int, int, int], warned: bool
):
    """Reliability.md 0.6: 3.7.0 to 3.51.2 can damage a database that two connections write."""
    monkeypatch.setattr(sqlite3, "sqlite_version_info", version)
    assert (old_sqlite_warning("sqlite+aiosqlite:///hearts.db") is not None) is warned
    assert old_sqlite_warning("postgresql+asyncpg://localhost/hearts") is None
