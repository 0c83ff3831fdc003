"""Moving an installation to another database: whole and the same, or not at all."""

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from unittest.mock import AsyncMock

import pytest
from sqlalchemy import func, insert, make_url, select, text

from bot.__main__ import main
from bot.table.ids import UserId
from db import copying, server
from db.copying import Copied, NotCopiedError, copy
from db.engine import DatabaseUnavailableError, open_database
from db.migrate import upgrade
from db.models import OUTBOX, TABLES
from tests.support.installation import Rows, rows_in, settled_url
from tests.support.postgres import KINDS, cluster, empty_database
from tests.support.store import Stores, go_on, lobby, put, stores_over

SAME = "hearts: The database to copy from and the one to copy to are the same. Name a new one."
NOW = datetime(2026, 12, 1, 12, tzinfo=UTC)


class Said:
    """What a copy told of its progress."""

    def __init__(self) -> None:
        self.lines: list[tuple[str, int, int]] = []

    def __call__(self, what: str, done: int, total: int) -> None:
        self.lines.append((what, done, total))


async def copied(origin: str, goal: str, *, may_run: bool = False) -> Copied:
    return await copy(origin, goal, now=NOW, may_run=may_run, progress=Said())


@asynccontextmanager
async def stores_at(url: str) -> AsyncIterator[Stores]:
    stores = stores_over(open_database(url))
    yield stores
    await stores.database.close()


async def rows_at(url: str) -> Rows:
    async with stores_at(url) as stores:
        return await stores.database.read(lambda session: rows_in(session.connection()))


def in_any_order(rows: Rows) -> dict[str, list[str]]:
    """Databases differ in how they put letters in order."""
    return {name: sorted(map(repr, of_table)) for name, of_table in rows.items()}


async def obey(url: str, *statements: str) -> None:
    async with stores_at(url) as stores, stores.database.writer.begin() as connection:
        for statement in statements:
            await connection.execute(text(statement))


async def count_rows(url: str) -> int:
    return sum(map(len, (await rows_at(url)).values()))


@pytest.fixture
async def origin(tmp_path: Path) -> str:
    """The file of an installation that has been in use."""
    return await settled_url(tmp_path)


@pytest.fixture
async def another(tmp_path: Path) -> AsyncIterator[Callable[[str], Awaitable[str]]]:
    """Makes empty databases of a kind."""
    async with AsyncExitStack() as stack:
        made = iter(range(10))

        async def make(kind: str) -> str:
            folder = tmp_path / f"another_{next(made)}"
            return await stack.enter_async_context(empty_database(kind, folder))

        yield make


async def test_there_and_back_again_all_is_as_it_was(origin: str, another):
    there, back = await another("postgresql"), await another("sqlite")
    first = await copied(origin, there)
    second = await copied(there, back)
    before = in_any_order(await rows_at(origin))
    assert all(before.values())
    assert in_any_order(await rows_at(there)) == in_any_order(await rows_at(back)) == before
    assert first == second == Copied({name: len(rows) for name, rows in before.items()}, 3)


@pytest.mark.parametrize("kind", KINDS)
async def test_the_bot_goes_on_where_it_was(origin: str, another, kind: str):
    goal = await another(kind)
    await copied(origin, goal)
    async with stores_at(origin) as before, stores_at(goal) as after:
        for line in await before.events.tables_of(UserId(101)):
            stored = await before.events.load(line.table_id)
            assert await after.events.load(line.table_id) == stored
            assert await after.events.timers_of(line.table_id) == await before.events.timers_of(
                line.table_id
            )
        at = await put(after, lobby())
        await go_on(after, at, lobby())


async def last_number(url: str) -> int:
    """What number the next row of the outbox gets."""
    async with stores_at(url) as stores:
        at = await put(stores, lobby("zzzz9999"))
        row = {
            "guild_id": 1,
            "table_id": at.table_id,
            "channel_id": 1,
            "kind": "notice",
            "nonce": "n",
            "attempts": 0,
        }
        async with stores.database.writer.begin() as connection:
            await connection.execute(insert(OUTBOX), row)
            return await connection.scalar(select(func.max(OUTBOX.c.id))) or 0


@pytest.mark.parametrize("kind", KINDS)
async def test_no_number_of_a_row_that_is_gone_comes_back(origin: str, another, kind: str):
    """It may still be in a publisher's hands."""
    there = await another("postgresql")
    await obey(origin, "DELETE FROM outbox WHERE id > 5")
    await copied(origin, there)
    goal = await another(kind)
    await copied(there, goal)
    assert await last_number(goal) == await last_number(origin) > 6


async def test_what_a_running_bot_stores_meanwhile_is_left_out_whole(
    origin: str, another, monkeypatch: pytest.MonkeyPatch
):
    goal = await another("postgresql")
    before = in_any_order(await rows_at(origin))
    real = copying._copy_table

    async def with_a_move(old, new, table, progress):
        if table is TABLES:
            async with stores_at(origin) as stores:
                await go_on(stores, await put(stores, lobby()), lobby())
        return await real(old, new, table, progress)

    monkeypatch.setattr(copying, "_copy_table", with_a_move)
    await copied(origin, goal)
    assert in_any_order(await rows_at(goal)) == before
    assert await count_rows(origin) > await count_rows(goal)


def on_insert(table: str, deed: str, *, server: str) -> dict[str, tuple[str, ...]]:
    """What has a database do something by itself with each row that is put into *table*.

    Args:
        table: the name of it.
        deed: in SQLite's words, after the row was put in.
        server: in PostgreSQL's, before it is.
    """
    body = f"BEGIN {server} RETURN NEW; END"
    return {
        "sqlite": (f"CREATE TRIGGER imp AFTER INSERT ON {table} BEGIN {deed}; END",),
        "postgresql": (
            f"CREATE FUNCTION imp() RETURNS trigger AS $${body}$$ LANGUAGE plpgsql",
            f"CREATE TRIGGER imp BEFORE INSERT ON {table} FOR EACH ROW EXECUTE FUNCTION imp()",
        ),
    }


LOSES_A_ROW = on_insert(
    "members",
    "DELETE FROM members WHERE user_id = 101",
    server="IF NEW.user_id = 101 THEN RETURN NULL; END IF;",
)
CHANGES_A_VALUE = on_insert(
    "results",
    "UPDATE results SET points = points + 1 WHERE rowid = NEW.rowid AND seat = 0",
    server="IF NEW.seat = 0 THEN NEW.points := NEW.points + 1; END IF;",
)
LOSES_THE_END = on_insert(
    "events",
    "DELETE FROM events WHERE rowid = NEW.rowid AND kind = 'game_ended'",
    server="IF NEW.kind = 'game_ended' THEN RETURN NULL; END IF;",
)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("fault", "words"),
    [
        (LOSES_A_ROW, "of 5 rows in members, 4 arrived"),
        (CHANGES_A_VALUE, "rows in results arrived with other values"),
    ],
)
async def test_a_row_that_is_lost_or_changed_is_found_and_nothing_is_copied(
    origin: str, another, kind: str, fault: dict[str, tuple[str, ...]], words: str
):
    """The control: a database that does so by itself."""
    goal = await another(kind)
    await upgrade(goal)
    await obey(goal, *fault[kind])
    with pytest.raises(NotCopiedError, match=words):
        await copied(origin, goal)
    assert await count_rows(goal) == 0


async def test_a_game_that_would_end_otherwise_is_found(
    origin: str, another, monkeypatch: pytest.MonkeyPatch
):
    """The control of the second look: the first one is blind."""
    goal = await another("postgresql")
    await upgrade(goal)
    await obey(goal, *LOSES_THE_END["postgresql"])

    monkeypatch.setattr(copying, "_refuse_difference", lambda *_: None)
    with pytest.raises(NotCopiedError, match=r"events of table .* would lead to something else"):
        await copied(origin, goal)
    assert await count_rows(goal) == 0


async def test_a_table_that_no_version_can_read_is_copied_as_it_is(origin: str, another):
    goal = await another("postgresql")
    await obey(origin, "UPDATE events SET kind = 'from_the_future' WHERE seq = 2")
    found = await copied(origin, goal)
    assert (found.replayed, len(found.broken)) == (0, 3)
    assert in_any_order(await rows_at(goal)) == in_any_order(await rows_at(origin))


@pytest.mark.parametrize("is_patient", [True, False])
async def test_a_copy_may_take_longer_than_a_unit(
    origin: str, another, monkeypatch: pytest.MonkeyPatch, *, is_patient: bool
):
    """With a control: what the limits of a unit would do to it."""
    there, back = await another("postgresql"), await another("sqlite")
    await copied(origin, there)
    # Any step outlasts the short one; the other leaves a busy machine time to lift it.
    limit = "500ms" if is_patient else "1ms"
    idle = re.sub(r"(idle\w+) TO '\w+'", rf"\1 TO '{limit}'", server._EACH_CONNECTION)
    monkeypatch.setattr(server, "_EACH_CONNECTION", idle)
    if is_patient:
        assert (await copied(there, back)).replayed == 3
        return
    monkeypatch.setattr(copying, "_without_hurry", AsyncMock())
    with pytest.raises(NotCopiedError):
        await copied(there, back)


@pytest.mark.parametrize("kind", KINDS)
async def test_a_database_that_holds_something_is_refused_and_left_as_it_is(
    origin: str, another, kind: str
):
    goal = await another(kind)
    await upgrade(goal)
    await obey(goal, "INSERT INTO runtime (key, value) VALUES ('commands', 'abc')")
    before = await rows_at(goal)
    with pytest.raises(NotCopiedError, match="is not empty: there are rows in runtime"):
        await copied(origin, goal)
    assert await rows_at(goal) == before


async def test_a_bot_at_work_is_noticed(origin: str, another):
    goal = await another("sqlite")
    async with stores_at(origin) as stores:
        await stores.work.beat(NOW - timedelta(seconds=59))
    with pytest.raises(NotCopiedError, match="A bot is at work"):
        await copied(origin, goal)
    assert (await copied(origin, goal, may_run=True)).replayed == 3


async def test_a_bot_that_was_stopped_a_minute_ago_is_not_at_work(origin: str, another):
    async with stores_at(origin) as stores:
        await stores.work.beat(NOW - timedelta(seconds=60))
    assert (await copied(origin, await another("sqlite"))).replayed == 3


async def test_a_file_that_is_not_there_is_not_made(tmp_path: Path, another):
    missing = f"sqlite+aiosqlite:///{tmp_path / 'typo.db'}"
    with pytest.raises(NotCopiedError, match="There is no file"):
        await copied(missing, await another("sqlite"))
    assert not (tmp_path / "typo.db").exists()


async def test_an_older_version_has_to_be_brought_up_first(origin: str, another):
    await obey(origin, "UPDATE alembic_version SET version_num = '0001'")
    with pytest.raises(DatabaseUnavailableError, match=r"at revision 0001.*python -m bot migrate"):
        await copied(origin, await another("sqlite"))


async def test_a_newer_version_is_refused(origin: str, another):
    await obey(origin, "UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(DatabaseUnavailableError, match="newer"):
        await copied(origin, await another("sqlite"))


async def test_a_server_that_goes_away_is_told_in_one_line(origin: str, another):
    goal = (await another("postgresql")).replace("/test_", "/nowhere_")
    with pytest.raises(NotCopiedError, match=r"Nothing was copied: database .* does not exist"):
        await copied(origin, goal)


async def test_a_dump_of_a_server_is_restored_by_its_own_tools(origin: str, another):
    """As docs/operations.md tells to do, with the last look: a copy into a file."""
    there, restored, file = [await another(kind) for kind in ("postgresql", "postgresql", "sqlite")]
    await copied(origin, there)
    dump = f"{cluster().folder}/hearts.dump"
    cluster().run("pg_dump", "--format=custom", f"--file={dump}", str(make_url(there).database))
    target = f"--dbname={make_url(restored).database}"
    cluster().run("pg_restore", "--no-owner", "--exit-on-error", target, dump)
    await copied(restored, file, may_run=True)
    assert in_any_order(await rows_at(file)) == in_any_order(await rows_at(origin))


def complaint(capsys: pytest.CaptureFixture[str]) -> str:
    said = capsys.readouterr()
    assert said.out == ""
    return said.err.strip()


def test_the_command_copies_and_says_what(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("NEW_DATABASE", f"sqlite:///{tmp_path / 'new.db'}")
    assert main(["copy-db", asyncio.run(settled_url(tmp_path)), "NEW_DATABASE"]) == 0
    said = capsys.readouterr()
    assert said.out.startswith("Copied and compared: ")
    assert said.out.endswith("; 3 tables replay the same.\n")
    assert "replayed: 3 of 3\n" in said.err


@pytest.mark.parametrize(
    ("urls", "words"),
    [
        (["mysql://x", "sqlite:///a.db"], "hearts: FROM must begin with sqlite"),
        (["sqlite:///a.db", "NOT_A_VARIABLE"], "hearts: TO must begin with sqlite"),
        (["sqlite://", "sqlite:///b.db"], "hearts: FROM names no file"),
        (["sqlite:////nowhere/a.db", "sqlite:///b.db"], "hearts: There is no file /nowhere/a.db"),
        (["sqlite:///a.db", "sqlite+aiosqlite:///./a.db"], SAME),
        (["postgres://u:x@host/h", "postgresql://v:y@host:5432/h?ssl=require"], SAME),
        (["sqlite:///a.db"], "hearts: copy-db: the following arguments are required: TO"),
    ],
)
def test_a_wrong_url_is_told_in_one_line(
    capsys: pytest.CaptureFixture[str], urls: list[str], words: str
):
    assert main(["copy-db", *urls]) == 2
    said = complaint(capsys)
    assert said.startswith(words)
    assert "\n" not in said
