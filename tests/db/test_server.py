"""A PostgreSQL server: what each connection is told, and what becomes of a unit when it fails."""

import asyncio
import signal
import traceback
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import pytest
from sqlalchemy import Update, insert, make_url, text, update
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.util import await_only
from sqlmodel import Session

from bot.rules.cards import pack, write_cards
from bot.table.errors import VersionConflictError
from bot.table.ids import ChannelId
from db import server
from db.engine import StoreAwayError, StoreBusyError, open_database
from db.models import DEALS, EVENTS, TABLES
from tests.support.postgres import Cluster, cluster, found
from tests.support.store import Stores, cause, counts, go_on, lobby, put, stores_over
from tests.support.tables import BEA, Room

END_ALL = (
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
    " WHERE datname = current_database() AND pid <> pg_backend_pid()"
)
END_MYSELF = "SELECT pg_terminate_backend(pg_backend_pid())"
IMP = f"BEGIN PERFORM {END_MYSELF[7:]}; RETURN NULL; END"
DEFERRED = "CREATE CONSTRAINT TRIGGER imp AFTER INSERT ON events DEFERRABLE INITIALLY DEFERRED"
END_AT_COMMIT = (
    f"CREATE FUNCTION imp() RETURNS trigger AS $${IMP}$$ LANGUAGE plpgsql",
    f"{DEFERRED} FOR EACH ROW EXECUTE FUNCTION imp()",
)


@pytest.fixture
async def url() -> AsyncIterator[str]:
    """Of a database that nobody uses again: tests plant faults in it."""
    async with cluster().database(await cluster().migrated()) as found_url:
        yield found_url


@pytest.fixture
async def stores(url: str) -> AsyncIterator[Stores]:
    opened = stores_over(open_database(url))
    yield opened
    await opened.database.close()


async def obey(url: str, *statements: str) -> None:
    other = open_database(url)
    async with other.writer.begin() as connection:
        for statement in statements:
            await connection.execute(text(statement))
    await other.close()


def hurry(monkeypatch: pytest.MonkeyPatch, setting: str) -> None:
    """Let a server wait a tenth of a second where it would wait for seconds."""
    told = server._EACH_CONNECTION
    [line] = [line for line in told.splitlines() if f"SET {setting} TO" in line]
    quick = told.replace(line, f"SET {setting} TO '100ms';")
    monkeypatch.setattr(server, "_EACH_CONNECTION", quick)


async def test_a_server_is_opened_only_when_it_is_needed():
    await open_database("postgresql+asyncpg://nobody@127.0.0.1:9/hearts").close()


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("synchronous_commit", "on"),  # the tests' server says off
        ("transaction_isolation", "read committed"),
        ("lock_timeout", "5s"),
        ("idle_in_transaction_session_timeout", "10s"),
    ],
)
async def test_units_do_not_depend_on_what_a_server_was_told(url: str, setting: str, value: str):
    name = make_url(url).database
    for careless in (
        "synchronous_commit = off",
        "default_transaction_isolation = serializable",
        "lock_timeout = 0",
    ):
        await obey(url, f"ALTER DATABASE {name} SET {careless}")
    stores = stores_over(open_database(url))
    shown = text(f"SHOW {setting}")
    assert await stores.database.write(lambda s: s.connection().scalar(shown)) == value
    await stores.database.close()


async def test_a_unit_that_fails_is_undone(stores: Stores):
    at = await put(stores, lobby())
    await go_on(stores, at, lobby())
    before = await counts(stores)
    with pytest.raises(VersionConflictError):
        await go_on(stores, at, lobby())
    assert await counts(stores) == before


async def test_of_rivals_at_one_moment_exactly_one_wins(stores: Stores):
    at = await put(stores, lobby())
    tries = [go_on(stores, at, lobby(), why=cause(iid=n)) for n in range(20)]
    ends = await asyncio.gather(*tries, return_exceptions=True)
    assert sum(isinstance(end, VersionConflictError) for end in ends) == 19
    assert len(await stores.events.load(at.table_id)) == at.version + 1


async def test_a_cancelled_caller_does_not_stop_its_unit(stores: Stores):
    at = await put(stores, lobby())
    commit = asyncio.create_task(go_on(stores, at, lobby()))
    await asyncio.sleep(0)
    commit.cancel()
    with pytest.raises(asyncio.CancelledError):
        await commit
    await asyncio.gather(*stores.database.under_way)
    assert len(await stores.events.load(at.table_id)) == at.version + 1


async def test_closing_waits_for_what_cancelled_callers_left(stores: Stores):
    finished: list[bool] = []

    def unit(_: Session) -> None:
        finished.append(True)

    caller = asyncio.create_task(stores.database.write(unit))
    await asyncio.sleep(0)
    caller.cancel()
    await stores.database.close()
    assert finished == [True]


async def test_connections_that_a_server_ended_meanwhile_are_replaced_unseen(
    url: str, stores: Stores
):
    at = await put(stores, lobby())
    await stores.events.load(at.table_id)
    await obey(url, END_ALL)
    at = await go_on(stores, at, lobby())
    assert len(await stores.events.load(at.table_id)) == at.version


async def test_a_unit_whose_connection_is_lost_is_refused_kindly_and_nothing_is_stored(
    stores: Stores,
):
    await put(stores, lobby())
    before = await counts(stores)

    def unit(session: Session) -> None:
        session.connection().execute(update(TABLES).values(title="changed"))
        session.connection().execute(text(END_MYSELF))

    with pytest.raises(StoreBusyError) as refused:
        await stores.database.write(unit)
    assert "nothing has changed" in str(refused.value.sentence)
    assert await counts(stores) == before
    [row] = await stores.events.live_tables_in(lobby().guild_id)
    assert row.title == "Standard Hearts"


async def test_where_a_connection_is_lost_in_the_commit_nobody_says_that_nothing_was_stored(
    url: str, stores: Stores
):
    at = await put(stores, lobby())
    await obey(url, *END_AT_COMMIT)
    with pytest.raises(DBAPIError) as lost:
        await go_on(stores, at, lobby())
    assert lost.value.connection_invalidated


async def test_a_table_looks_again_after_a_commit_that_may_have_been_stored(
    url: str, stores: Stores
):
    """Decide, store, believe: what is not known to be stored is not believed, nor denied."""
    room = Room(stores.events, stores.work)
    opened = await room.open()
    await obey(url, *END_AT_COMMIT)
    with pytest.raises(DBAPIError):
        await room.tables.join(room.by(BEA), opened.id)
    await obey(url, "DROP TRIGGER imp ON events")
    assert (await room.tables.view(opened.id)).version == opened.version


async def test_a_row_that_somebody_holds_too_long_is_said_in_words(
    url: str, monkeypatch: pytest.MonkeyPatch
):
    hurry(monkeypatch, "lock_timeout")
    stores = stores_over(open_database(url))
    at = await put(stores, lobby())
    async with stores.database.writer.begin() as other:
        await other.execute(update(TABLES).values(title="held"))
        with pytest.raises(StoreBusyError):
            await go_on(stores, at, lobby())
    await go_on(stores, at, lobby())
    await stores.database.close()


@pytest.mark.parametrize(("tries", "is_stored"), [(server.TRIES, True), (1, False)])
async def test_of_two_who_wait_for_each_other_one_makes_way_and_tries_again(
    url: str, monkeypatch: pytest.MonkeyPatch, *, tries: int, is_stored: bool
):
    """With a control that does not."""
    monkeypatch.setattr(server, "TRIES", tries)
    await obey(url, f"ALTER DATABASE {make_url(url).database} SET deadlock_timeout = '20ms'")
    stores = stores_over(open_database(url))
    await put(stores, lobby("aaaa1111"))
    await put(stores, lobby("bbbb2222", channel_id=ChannelId(5)))
    half_way, waiting = asyncio.Event(), asyncio.Event()

    def unit(session: Session) -> None:
        session.connection().execute(renamed("bbbb2222", "mine"))
        half_way.set()
        await_only(waiting.wait())
        session.connection().execute(renamed("aaaa1111", "mine"))

    async with stores.database.writer.begin() as rival:
        await rival.execute(text("SET LOCAL deadlock_timeout = '1min'"))
        await rival.execute(renamed("aaaa1111", "the rival's"))
        own = asyncio.create_task(stores.database.write(unit))
        await half_way.wait()
        waiting.set()
        await rival.execute(renamed("bbbb2222", "the rival's"))
    [end] = await asyncio.gather(own, return_exceptions=True)
    titles = {row.title for row in await stores.events.live_tables_in(lobby().guild_id)}
    assert (end is None, titles) == (is_stored, {"mine" if is_stored else "the rival's"})
    await stores.database.close()


def renamed(table_id: str, title: str) -> Update:
    return update(TABLES).where(TABLES.c.id == table_id).values(title=title)


async def test_who_stops_half_way_holds_a_table_for_a_while_and_stores_nothing(
    url: str, monkeypatch: pytest.MonkeyPatch
):
    """As a process that was stopped, and goes on when another has taken its place."""
    hurry(monkeypatch, "idle_in_transaction_session_timeout")
    stopped, other = stores_over(open_database(url)), stores_over(open_database(url))
    at = await put(stopped, lobby())
    async with AsyncExitStack() as stack:
        sleeping = await stack.enter_async_context(stopped.database.writer.connect())
        await sleeping.execute(update(TABLES).values(title="half done"))
        await go_on(other, at, lobby())
        with pytest.raises(DBAPIError):
            await sleeping.commit()
    [row] = await other.events.live_tables_in(lobby().guild_id)
    assert row.title == "Standard Hearts"
    await stopped.database.close()
    await other.database.close()


@pytest.mark.kill
async def test_while_a_server_is_away_everything_is_refused_kindly_and_then_goes_on():
    own = Cluster(next(iter(found().values())), durable=True)
    try:
        async with own.database(await own.migrated()) as url:
            stores = stores_over(open_database(url))
            at = await put(stores, lobby())
            for way in (signal.SIGINT, signal.SIGKILL):
                own.stop(way)
                with pytest.raises(StoreBusyError):
                    await go_on(stores, at, lobby())
                with pytest.raises(StoreAwayError):
                    await stores.events.load(at.table_id)
                own.start()
                at = await go_on(stores, at, lobby())
                assert len(await stores.events.load(at.table_id)) == at.version
            await stores.database.close()
    finally:
        own.end()


async def test_a_unit_that_finds_no_free_connection_is_refused_kindly(
    url: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setitem(server.POOL, "pool_timeout", 0.05)
    stores = stores_over(open_database(url))
    async with AsyncExitStack() as stack:
        for _ in range(server.WRITERS):
            await stack.enter_async_context(stores.database.writer.connect())
        with pytest.raises(StoreBusyError):
            await put(stores, lobby())
    await put(stores, lobby())
    await stores.database.close()


def all_of(error: BaseException) -> str:
    return "".join(traceback.format_exception(error))


@pytest.mark.parametrize("table", [DEALS, EVENTS])
async def test_an_error_of_the_server_quotes_no_card_and_no_seed(stores: Stores, table):
    """It goes to the log while the hands are still secret; a server likes to show the whole row."""
    at = await put(stores, lobby())
    deck = write_cards(pack())
    row = {
        DEALS: {"table_id": at.table_id, "deal": 1, "seed": b"thirty-two", "commitment": None},
        EVENTS: {"table_id": at.table_id, "seq": 9, "at": None, "body": deck, "kind": "x", "v": 1},
    }[table]
    with pytest.raises(IntegrityError) as refused:
        await stores.database.write(lambda s: s.connection().execute(insert(table), row))
    said = all_of(refused.value)
    assert "NotNullViolation" in str(refused.value)
    assert "violates not-null constraint" in said
    for secret in (deck[:20], b"thirty-two".hex(), "thirty-two"):
        assert secret not in said


async def test_a_server_says_the_row_where_nobody_stops_it(
    url: str, monkeypatch: pytest.MonkeyPatch
):
    """The control."""
    monkeypatch.setattr(server, "_say_less", lambda _context: None)
    stores = stores_over(open_database(url))
    at = await put(stores, lobby())
    row = {"table_id": at.table_id, "deal": 1, "seed": b"thirty-two", "commitment": None}
    with pytest.raises(IntegrityError) as refused:
        await stores.database.write(lambda s: s.connection().execute(insert(DEALS), row))
    assert b"thirty-two".hex() in all_of(refused.value)
    await stores.database.close()
