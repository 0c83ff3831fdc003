"""Cases of `cases.md` that the store has to answer: B34, B92, B93, B96, B135 and B136."""

import asyncio
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import Engine, event

from bot.rules.cards import Seat
from bot.rules.state import Phase
from bot.table.errors import AlreadySeatedError, VersionConflictError
from bot.table.ids import Human, UserId
from bot.table.storing import GameResult, Timer, TimerKind
from db.engine import StoreBusyError, open_database
from db.migrate import upgrade
from db.models import METADATA
from tests.db.test_migrate import NEWEST, schema_of, scripts_with
from tests.support.store import (
    GUILD,
    HOST,
    START,
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
from tests.support.tables import ANN, BEA, Room, seat_of

ROOT = Path(__file__).parents[2]


@pytest.fixture
async def stores(tmp_path: Path) -> AsyncIterator[Stores]:
    opened = await fresh_stores(tmp_path)
    yield opened
    await opened.database.close()


async def test_b34_a_person_who_joins_twice_has_one_seat(stores: Stores):
    """By double click, by rejoining, and in two processes that do not know of each other."""
    room = Room(stores.events, stores.work)
    table_id = (await room.open(ANN)).id
    other = room.another_manager()
    joins = [manager.join(room.by(BEA), table_id) for manager in (room.tables, other) * 3]
    outcomes = await asyncio.gather(*joins, return_exceptions=True)
    refused = {type(error) for error in outcomes if isinstance(error, BaseException)}
    assert refused <= {AlreadySeatedError, VersionConflictError}

    await room.tables.leave(room.by(BEA), table_id)
    view = await room.tables.join(room.by(BEA), table_id)

    assert [chair for chair in view.chairs if chair == Human(BEA)] == [Human(BEA)]
    assert [row.table_id for row in await stores.events.tables_of(BEA)] == [table_id]


@pytest.mark.thorough
async def test_b92_200_moves_at_50_tables_at_once_meet_no_lock(tmp_path: Path):
    """All four people of every table pass in the same moment; nothing is refused or lost."""
    stores = await fresh_stores(tmp_path)
    room = Room(stores.events, stores.work)
    people = [UserId(1_000 + number) for number in range(200)]
    tables = [
        (await room.started(*people[4 * n : 4 * n + 4], channel_id=100 + n)).id for n in range(50)
    ]
    hands = [hand for table_id in tables for hand in await room.waited_for(table_id)]
    assert len(hands) == 200

    await asyncio.gather(*(room.move(hand) for hand in hands))

    for table_id in tables:
        game = (await room.tables.view(table_id)).game
        assert game is not None
        assert game.phase is Phase.PLAYING
    await stores.database.close()


async def test_b92_a_lock_by_force_gives_a_sentence_and_half_a_move_nowhere(tmp_path: Path):
    stores = stores_over(open_database(await fresh_url(tmp_path), busy_seconds=0.1))
    room = Room(stores.events, stores.work)
    table_id = (await room.started()).id
    (hand, *_) = await room.waited_for(table_id)
    before = await counts(stores)

    with closing(sqlite3.connect(tmp_path / "hearts.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreBusyError) as refused:
            await room.move(hand)

    assert str(refused.value.sentence) == (
        "I could not save that just now, so nothing has changed. Please try again in a moment."
    )
    assert await counts(stores) == before
    (again, *_) = await room.waited_for(table_id)
    assert seat_of(again) == seat_of(hand)
    await room.move(again)
    await stores.database.close()


async def test_b93_every_way_leads_to_the_same_schema(tmp_path: Path):
    """An empty database, each released one, one whose migration was killed, and a second run."""
    later = scripts_with(tmp_path)
    files = {name: tmp_path / f"{name}.db" for name in ("empty", "released", "killed")}

    await upgrade(url_of(files["released"]))
    kill_in_migration(files["killed"], tmp_path)
    for file in files.values():
        await upgrade(url_of(file), scripts=later)
        await upgrade(url_of(file), scripts=later)

    empty, released, killed = (schema_of(file) for file in files.values())
    assert empty == released == killed
    assert len(empty) > len(METADATA.tables)
    assert (tmp_path / f"released.db.{NEWEST}.bak").exists()


def kill_in_migration(file: Path, folder: Path) -> None:
    """Begin to migrate *file* in a process that is killed right before the last step's end."""
    deadly = scripts_with(folder / "deadly", last="import os; os.kill(os.getpid(), 9)")
    program = (
        "import asyncio, pathlib, sys\n"
        "from db.migrate import upgrade\n"
        "asyncio.run(upgrade(sys.argv[1], scripts=pathlib.Path(sys.argv[2])))\n"
    )
    command = [sys.executable, "-c", program, url_of(file), str(deadly)]
    done = subprocess.run(command, cwd=ROOT, check=False, timeout=60)
    assert done.returncode == -signal.SIGKILL


ZONES = ("Asia/Kathmandu", "Europe/Berlin", "America/New_York")
CHANGES = (
    datetime(2026, 3, 29, 1, tzinfo=UTC),  # Berlin goes from two to three o'clock
    datetime(2026, 10, 25, 1, tzinfo=UTC),  # and back: half past two is twice
    datetime(2026, 11, 1, 6, tzinfo=UTC),  # New York goes back
)


@pytest.fixture(params=ZONES)
def zone(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch):
    """The machine stands elsewhere."""
    monkeypatch.setenv("TZ", request.param)
    time.tzset()
    yield request.param
    monkeypatch.undo()
    time.tzset()


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="the zone of a process is a matter of POSIX")
async def test_b96_moments_are_the_same_wherever_the_machine_stands(stores: Stores, zone: str):
    """Half an hour before, at, and after each change of the clocks, and in whole milliseconds."""
    steps = [timedelta(minutes=30) * n + timedelta(milliseconds=n) for n in range(-2, 4)]
    moments = [change + step for change in CHANGES for step in steps]
    at = await put(stores, lobby())
    for moment in moments:
        timer = Timer(
            table_id=at.table_id,
            seat=Seat(0),
            kind=TimerKind.DEADLINE,
            moment=1,
            due_at=moment,
        )
        at = await go_on(stores, at, lobby(), why=cause(at=moment), timers=(timer,))
        assert await stores.events.timers_of(at.table_id) == [timer]
        assert await stores.work.due_timers(moment - timedelta(milliseconds=1), 9) == []
        assert await stores.work.due_timers(moment, 9) == [timer]
        await stores.work.beat(moment)
        assert await stores.work.last_alive() == moment, zone
    loaded = await stores.events.load(at.table_id)
    assert [entry.cause.at for entry in loaded[2:]] == moments


async def test_b96_an_hour_is_an_hour_also_when_the_clocks_change(stores: Stores, zone: str):
    change = CHANGES[1]
    timer = Timer(
        table_id=lobby().id, seat=Seat(0), kind=TimerKind.DEADLINE, moment=1, due_at=change
    )
    await put(stores, lobby(), timers=(timer,))
    await stores.work.credit(timedelta(hours=1), START)
    assert await stores.work.next_timer() == change + timedelta(hours=1), zone


async def test_b96_all_stored_moments_are_integers_of_milliseconds(tmp_path: Path):
    """Whatever was done: the file is read without our types."""
    stores = await fresh_stores(tmp_path)
    room = Room(stores.events, stores.work)
    table_id = (await room.started()).id
    await room.everybody_passes(table_id)
    (post, *_) = await stores.work.posts_behind(9)
    await stores.work.attempt(post, room.clock.now())
    for row in await stores.work.due_outbox(room.clock.now() + timedelta(days=1), 99):
        await stores.work.put_off(row.id, room.clock.now())
    await room.tables.end(room.by(ANN), table_id, moderator=False)
    await stores.work.credit(timedelta(hours=1), START)
    await stores.database.close()

    moments = [(t.name, c.name) for t in METADATA.tables.values() for c in t.c if is_moment(c.name)]
    with closing(sqlite3.connect(tmp_path / "hearts.db")) as connection:
        kinds = {
            (table, column): {
                kind
                for (kind,) in connection.execute(f"SELECT DISTINCT typeof({column}) FROM {table}")
            }
            for table, column in moments
        }
        (opened_at,) = connection.execute("SELECT opened_at FROM tables").fetchone()
    assert {place for place, found in kinds.items() if not found <= {"integer", "null"}} == set()
    assert kinds["tables", "ended_at"] == {"integer"}
    assert opened_at == 1_767_614_400_000  # noon of 5 January 2026, where the test's clock stands


def is_moment(column: str) -> bool:
    return column == "at" or column.endswith("_at")


def result(user: UserId, place: int) -> GameResult:
    return GameResult(
        seat=Seat(place - 1),
        user_id=user,
        family="standard",
        place=place,
        points=10 * place,
        deals=4,
        moons=0,
        rated=True,
        low_wins=True,
    )


async def three_on_the_board(stores: Stores) -> None:
    people = (UserId(11), UserId(12), UserId(13))
    for place, person in enumerate(people, 1):
        await stores.settings.remember_name(GUILD, person, f"Person {place}")
    results = tuple(result(person, place) for place, person in enumerate(people, 1))
    await put(stores, lobby(), results=results)


async def test_b135_the_board_stands_when_its_best_player_is_gone(stores: Stores):
    """Left, banned or deleted: the stored name is shown, and nobody is asked for it."""
    await three_on_the_board(stores)
    page = await stores.standings.board(GUILD, since=None, page=1, asking=HOST)
    assert [line.name for line in page.lines] == ["Person 1", "Person 2", "Person 3"]


async def test_b135_who_has_no_name_any_more_keeps_the_line(stores: Stores):
    """The name may go on the person's wish; the results of the others stay as they are."""
    await three_on_the_board(stores)
    await stores.database.write(
        lambda session: session.connection().exec_driver_sql("DELETE FROM members").rowcount
    )
    page = await stores.standings.board(GUILD, since=None, page=1, asking=HOST)
    assert [(line.rank, line.name) for line in page.lines] == [(1, None), (2, None), (3, None)]


async def test_b136_a_page_of_names_costs_one_look_at_the_store(stores: Stores):
    """However many people, the names come with their lines."""
    await three_on_the_board(stores)
    asked: list[str] = []

    def hear(_connection, _cursor, statement, *_):
        asked.append(statement)

    event.listen(Engine, "before_cursor_execute", hear)
    await stores.standings.board(GUILD, since=None, page=1, asking=HOST)
    event.remove(Engine, "before_cursor_execute", hear)
    assert len([statement for statement in asked if statement.startswith("SELECT")]) == 2


async def test_b136_a_name_is_the_last_one_seen_in_that_server(stores: Stores):
    at = await put(stores, lobby(), cause(name="Annie"), results=(result(HOST, 1),))
    await go_on(stores, at, lobby(), why=cause(1, name="Ann"))
    page = await stores.standings.board(GUILD, since=None, page=1, asking=HOST)
    assert page.own is not None
    assert page.own.name == "Ann"
