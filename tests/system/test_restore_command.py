"""`python -m bot restore-check`: a backup that nobody has restored is a hope (reliability.md 5)."""

import asyncio
import shutil
import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from bot import __main__ as door
from bot import restoring
from bot.cli import restoring as command
from bot.settings import Settings
from db.backups import Backups
from db.copies import copy_soundly
from db.migrate import SCRIPTS, upgrade
from tests.support.clock import NOON, HandClock
from tests.support.store import Stores, fresh_stores, url_of
from tests.support.stored_games import store_game

FIRST = [path.name for path in SCRIPTS.glob("versions/0001*.py")]
TABLES = ("ABCD2345", "BCDE3456", "CDEF4567")


@pytest.fixture(autouse=True)
def surroundings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)
    monkeypatch.chdir(tmp_path)
    # The log's handler would keep hold of the test's standard error.
    monkeypatch.setattr("bot.logs.configure", lambda _level: None)


async def played(folder: Path) -> Stores:
    """A database with three games."""
    stores = await fresh_stores(folder)
    for seed, table_id in enumerate(TABLES, 1):
        await store_game(stores, table_id, seed=seed)
    return stores


async def with_backup(folder: Path) -> Path:
    """The newest backup of a database with three games."""
    stores = await played(folder)
    file = folder / "hearts.db"
    backups = Backups(file, folder / "backups", every=timedelta(hours=6), keep=2, clock=HandClock())
    await backups.step()
    await stores.database.close()
    return folder / "backups" / f"hearts-{NOON:%Y%m%dT%H%M%SZ}.db"


def change(file: Path, *statements: str) -> None:
    with closing(sqlite3.connect(file)) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.commit()


def told(capsys: pytest.CaptureFixture[str]) -> dict[str, str]:
    lines = capsys.readouterr().out.splitlines()
    return dict(line.split(maxsplit=1) for line in lines)


async def check(*arguments: str) -> int:
    """The command, which runs a loop of its own."""
    return await asyncio.to_thread(door.main, ["restore-check", *arguments])


async def test_the_newest_backup_is_restored_and_all_its_games_are_played_through(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    backup = await with_backup(tmp_path)
    before = backup.read_bytes()
    assert await check() == 0
    said = told(capsys)
    assert said["Backup"].startswith("backups/hearts-20260105T120000Z.db")
    assert said["Made"].startswith("2026-01-05 12:00 UTC, ")
    assert said["Rows"].startswith("3 tables, ")
    assert said["Replayed"] == "3 of 3 tables"
    assert said["Sound"].startswith("it can be restored")
    assert backup.read_bytes() == before
    assert sorted(path.name for path in backup.parent.iterdir()) == [backup.name]


async def test_some_games_may_be_enough(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    await with_backup(tmp_path)
    assert await check("--games", "2") == 0
    assert told(capsys)["Replayed"] == "2 of 3 tables"


@pytest.mark.parametrize(
    ("planted", "words"),
    [
        (
            "DELETE FROM events WHERE table_id = 'BCDE3456' AND seq = 40",
            "table BCDE3456: not all of its",
        ),
        (
            "UPDATE events SET body = '{}' WHERE table_id = 'BCDE3456' AND kind = 'deal_scored'",
            "table BCDE3456: UnreadableEventError",
        ),
        (
            (
                "UPDATE events SET body = json_set(body, '$.totals[0]', 999)"
                " WHERE table_id = 'CDEF4567' AND kind = 'deal_scored'"
            ),
            "table CDEF4567: event",
        ),
        ("UPDATE events SET at = 'noon' WHERE table_id = 'BCDE3456'", "table BCDE3456: TypeError"),
        (
            "UPDATE events SET body = substr(body, 1, 9) WHERE table_id = 'BCDE3456'",
            "table BCDE3456: JSONDecodeError",
        ),
        ("UPDATE tables SET rules = 'x' WHERE id = 'BCDE3456'", "table BCDE3456: its rules"),
        ("UPDATE tables SET rules = '{\"a\": 1}' WHERE id = 'BCDE3456'", "BCDE3456: its rules"),
        ("UPDATE tables SET clock = 'x' WHERE id = 'BCDE3456'", "table BCDE3456: its clock"),
        ("UPDATE tables SET status = 'weird' WHERE id = 'BCDE3456'", "BCDE3456: its status"),
        ("DROP TABLE deals", "its tables are not whole: table deals is missing"),
        ("ALTER TABLE tables DROP COLUMN title", "column tables.title is missing"),
        ("DROP INDEX uq_tables_live_channel", "uq_tables_live_channel is missing"),
    ],
)
async def test_a_game_that_is_not_whole_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], planted: str, words: str
):
    change(await with_backup(tmp_path), planted)
    assert await check() == 1
    assert words in told(capsys)["Broken"]


async def test_what_somebody_added_to_the_tables_does_no_harm(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    added = ("CREATE TABLE notes (said TEXT)", "CREATE INDEX mine ON tables (title)")
    change(await with_backup(tmp_path), *added)
    assert await check() == 0
    assert told(capsys)["Revision"] == "0005"


async def test_of_an_older_backup_its_own_revision_is_told_as_well(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    backup, scripts = tmp_path / "old.db", tmp_path / "scripts"
    (scripts / "versions").mkdir(parents=True)
    for name in ("env.py", "script.py.mako", *(f"versions/{name}" for name in FIRST)):
        shutil.copyfile(SCRIPTS / name, scripts / name)
    await upgrade(url_of(backup), scripts=scripts)
    assert await check(str(backup)) == 0
    assert told(capsys)["Revision"] == "0001, brought to 0005 for this trial"


async def test_a_damaged_backup_leaves_with_1(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    backup = await with_backup(tmp_path)
    with backup.open("rb+") as file:
        file.seek(4096)
        file.write(b"\xff" * 40_000)
    assert await check() == 1
    assert "hearts-20260105T120000Z.db is damaged: " in told(capsys)["Broken"]


@pytest.mark.parametrize("statements", [(), ("CREATE TABLE shopping (item TEXT)",)])
def test_a_file_of_something_else_or_of_nothing_is_no_backup(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], statements: tuple[str, ...]
):
    """A file of no bytes is what a copy that failed leaves, and an empty database to SQLite."""
    file = tmp_path / "copied-away.db"
    file.touch()
    change(file, *statements)
    assert door.main(["restore-check", str(file)]) == 1
    assert told(capsys)["Broken"] == f"{file} holds no tables of this bot: it is no backup of it"


async def test_a_backup_of_a_newer_program_leaves_with_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    change(await with_backup(tmp_path), "UPDATE alembic_version SET version_num = '9999'")
    assert await check() == 1
    broken = told(capsys)["Broken"]
    assert "is at revision 9999, which this version does not know" in broken
    assert "hearts-restore-" not in broken


async def test_a_database_in_use_can_be_tried_out_as_well(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    """What its log alone holds is in it."""
    stores = await played(tmp_path)
    assert (tmp_path / "hearts.db-wal").stat().st_size > 0
    assert await check("hearts.db") == 0
    assert told(capsys)["Replayed"] == "3 of 3 tables"
    await stores.database.close()


@pytest.mark.parametrize(
    ("arguments", "database", "words"),
    [
        ([], "sqlite:///hearts.db", "There is no backup of hearts.db in backups."),
        (
            ["."],
            "sqlite:///hearts.db",
            ". is a folder: name a backup in it, or none for the newest",
        ),
        (["nowhere.db"], "sqlite:///hearts.db", "There is no file nowhere.db."),
        ([], "postgresql://hearts:secret@host/hearts", "backups are made by pg_dump"),
        (["--games", "0"], "sqlite:///hearts.db", "0 is less than 1"),
    ],
)
async def test_what_the_operator_got_wrong_is_one_line(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    database: str,
    words: str,
):
    monkeypatch.setenv("DATABASE_URL", database)
    assert await check(*arguments) == 2
    said = capsys.readouterr()
    assert words in said.err
    assert said.err.count("\n") == 1
    assert (said.out, "secret" in said.err) == ("", False)


async def test_a_folder_that_cannot_be_read_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    def refused(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(command, "backups_in", refused)
    assert await check() == 2
    assert "backups can't be read: Permission denied." in capsys.readouterr().err


async def test_no_room_for_the_trial_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    await with_backup(tmp_path)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(shutil, "copyfile", full)
    assert await check() == 2
    assert "can't be copied for a trial: No space left on device." in capsys.readouterr().err


def test_many_broken_tables_are_counted_not_listed():
    faults = [f"table {number}: event 3" for number in range(9)]
    assert restoring.named(faults).endswith("table 4: event 3; and 4 more")


async def test_a_backup_is_restored_by_putting_it_in_the_place_of_the_file(tmp_path: Path):
    """As docs/operations.md says: stop, copy, start."""
    backup = await with_backup(tmp_path)
    file = tmp_path / "hearts.db"
    file.write_bytes(b"lost")
    copy_soundly(backup, file)
    trial = await restoring.try_out(file)
    assert (trial.replayed, trial.faults) == (3, ())
    assert url_of(file).endswith("hearts.db")
