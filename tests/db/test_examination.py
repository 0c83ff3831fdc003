"""A look at a database, as the doctor takes it while the bot may be running: it changes nothing."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from db.engine import DatabaseUnavailableError
from db.examination import examine
from db.migrate import upgrade
from tests.support.clock import HandClock
from tests.support.store import url_of


def contents(folder: Path) -> dict[str, bytes]:
    """Of all files, but for what the readers of a database share in memory."""
    files = {path.name: path.read_bytes() for path in folder.iterdir()}
    return {name: b"" if name.endswith("-shm") else held for name, held in files.items()}


async def new_file(folder: Path, *statements: str) -> Path:
    await upgrade(url_of(folder / "hearts.db"))
    with closing(sqlite3.connect(folder / "hearts.db")) as connection:
        for statement in statements:
            connection.execute(statement)
    return folder / "hearts.db"


@pytest.mark.parametrize("mode", ["WAL", "DELETE"])
async def test_no_file_is_changed_made_or_taken_away(tmp_path: Path, mode: str):
    file = await new_file(tmp_path, f"PRAGMA journal_mode = {mode}")
    before = contents(tmp_path)
    found = await examine(url_of(file), HandClock())
    assert found.keeps_log == (mode == "WAL")
    assert contents(tmp_path) == before


async def left_by_a_crash(folder: Path) -> Path:
    """A file whose newest commit stands in the log beside it."""
    file = await new_file(folder / "running")
    (folder / "left").mkdir()
    with closing(sqlite3.connect(file)) as running:
        running.execute("INSERT INTO runtime (key, value) VALUES ('commands', 'abc')")
        running.commit()
        for path in file.parent.iterdir():
            (folder / "left" / path.name).write_bytes(path.read_bytes())
    return folder / "left" / "hearts.db"


async def test_a_log_that_a_crash_left_is_not_folded_into_the_file(tmp_path: Path):
    file = await left_by_a_crash(tmp_path)
    before = contents(file.parent)
    assert len(before["hearts.db-wal"]) > 0
    await examine(url_of(file), HandClock())
    assert contents(file.parent) == before


async def test_whoever_opens_and_closes_the_file_folds_the_log_into_it(tmp_path: Path):
    """The control of the test above."""
    file = await left_by_a_crash(tmp_path)
    before = contents(file.parent)
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("SELECT 1 FROM runtime").fetchall()
    assert contents(file.parent) != before


async def test_what_the_tables_lack_is_told_and_what_somebody_added_is_not(tmp_path: Path):
    file = await new_file(tmp_path, "DROP TABLE deals", "CREATE TABLE notes (said TEXT)")
    assert (await examine(url_of(file), HandClock())).lacks == ("table deals is missing",)


async def test_columns_and_indexes_that_are_missing_or_others_are_told(tmp_path: Path):
    made = "CREATE TABLE seats (table_id TEXT NOT NULL, seat TEXT, user_id BIGINT)"
    file = await new_file(tmp_path, "DROP TABLE seats", made)
    lacks = (await examine(url_of(file), HandClock())).lacks
    assert "column seats.robot is missing" in lacks
    assert "column seats.seat is of another kind" in lacks
    assert "ix_seats_user_id is missing" in lacks
    assert len(set(lacks)) == len(lacks)


async def test_a_file_of_another_program_is_no_empty_database(tmp_path: Path):
    with closing(sqlite3.connect(tmp_path / "hearts.db")) as connection:
        connection.execute("CREATE TABLE foo (a)")
    with pytest.raises(DatabaseUnavailableError, match=r"tables \(foo\) but no revision"):
        await examine(url_of(tmp_path / "hearts.db"), HandClock())
