"""Moving an installation in which something is damaged: what arrives all the same, and what not."""

import asyncio
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import make_url

from bot.__main__ import main
from bot.cli.copying import words_for
from db.copying import Copied, NotCopiedError, copy
from db.engine import DatabaseUnavailableError
from tests.support.installation import settled_url
from tests.support.store import url_of

NOW = datetime(2026, 12, 1, 12, tzinfo=UTC)


@pytest.fixture
async def origin(tmp_path: Path) -> str:
    """The file of an installation that has been in use."""
    return await settled_url(tmp_path)


@pytest.fixture
def goal(tmp_path: Path) -> str:
    """A file that is not there yet."""
    return url_of(tmp_path / "new.db")


async def copied(origin: str, goal: str) -> Copied:
    return await copy(origin, goal, now=NOW, may_run=False, progress=lambda *_: None)


def obey(url: str, *statements: str) -> None:
    with closing(sqlite3.connect(make_url(url).database or "")) as connection, connection:
        for statement in statements:
            connection.execute(statement)


def rows_of(url: str, table: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(make_url(url).database or "")) as connection:
        return connection.execute(f"SELECT * FROM {table} ORDER BY 1, 2").fetchall()


def a_table_in(url: str) -> str:
    """The code of one with a course."""
    return str(rows_of(url, "events")[0][0])


@pytest.mark.parametrize(
    "deed",
    [
        "UPDATE events SET kind = 'from_the_future' WHERE seq = 2",
        "UPDATE events SET v = 99 WHERE seq = 2",
        "UPDATE events SET body = '{}' WHERE seq = 2",
        "DELETE FROM events WHERE seq = 3",
        "UPDATE tables SET version = version + 1 WHERE version > 1",
    ],
)
async def test_a_table_that_can_be_replayed_on_neither_side_is_no_table_that_replays_the_same(
    origin: str, goal: str, deed: str
):
    """Such a copy is the test of a dump (docs/operations.md), and it is made all the same."""
    broken = a_table_in(origin)
    key = "id" if deed.startswith("UPDATE tables") else "table_id"
    obey(origin, f"{deed} AND {key} = '{broken}'")
    found = await copied(origin, goal)
    assert (found.replayed, found.broken) == (2, (broken,))
    assert rows_of(goal, "events") == rows_of(origin, "events")


async def test_a_table_whose_course_was_deleted_after_some_time_is_not_broken(
    origin: str, goal: str
):
    gone = a_table_in(origin)
    obey(
        origin,
        f"DELETE FROM events WHERE table_id = '{gone}'",
        f"UPDATE tables SET version = 0 WHERE id = '{gone}'",
    )
    found = await copied(origin, goal)
    assert (found.replayed, found.broken) == (2, ())


@pytest.mark.parametrize(
    ("deed", "row"),
    [
        (
            "UPDATE events SET body = substr(body, 1, 9) WHERE seq = 2 AND table_id = '{code}'",
            "events with table_id {code}, seq 2",
        ),
        (
            "UPDATE events SET at = 'noon' WHERE seq = 2 AND table_id = '{code}'",
            "events with table_id {code}, seq 2",
        ),
        ("UPDATE tables SET rules = 'x' WHERE id = '{code}'", "tables with id {code}"),
        ("UPDATE tables SET clock = 'x' WHERE id = '{code}'", "tables with id {code}"),
    ],
)
async def test_a_row_that_cannot_be_read_is_named_and_nothing_is_copied(
    origin: str, goal: str, deed: str, row: str
):
    code = a_table_in(origin)
    obey(origin, deed.replace("{code}", code))
    with pytest.raises(NotCopiedError) as told:
        await copied(origin, goal)
    where = row.replace("{code}", code)
    assert str(told.value) == f"Nothing was copied: the row of {where} is damaged."
    assert rows_of(goal, "tables") == rows_of(goal, "events") == []


@pytest.mark.parametrize("is_origin", [True, False])
async def test_a_file_of_another_program_is_neither_copied_nor_filled(
    origin: str, goal: str, *, is_origin: bool
):
    obey(goal, "CREATE TABLE foo (a)")
    between = (goal, origin) if is_origin else (origin, goal)
    with pytest.raises(DatabaseUnavailableError, match=r"tables \(foo\) but no revision"):
        await copied(*between)
    assert rows_of(goal, "sqlite_master") == [("table", "foo", "foo", 2, "CREATE TABLE foo (a)")]


def test_the_command_names_what_can_be_replayed_on_neither_side_and_leaves_with_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    origin = asyncio.run(settled_url(tmp_path))
    code = a_table_in(origin)
    obey(origin, f"UPDATE events SET v = 99 WHERE seq = 2 AND table_id = '{code}'")
    assert main(["copy-db", origin, f"sqlite:///{tmp_path / 'new.db'}"]) == 1
    words = f"; 2 tables replay the same, and 1 can be replayed in neither database: {code}.\n"
    assert capsys.readouterr().out.endswith(words)


def test_of_many_broken_tables_five_are_named():
    codes = [f"ABCD234{number}" for number in range(7)]
    few = "ABCD2340, ABCD2341, ABCD2342, ABCD2343, ABCD2344, and 2 more."
    assert words_for({"tables": 9}, 2, codes).endswith(
        f"7 can be replayed in neither database: {few}"
    )
