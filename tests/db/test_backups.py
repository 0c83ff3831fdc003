"""Copies of the database on a schedule (reliability.md 5, Backup)."""

import asyncio
import logging
import os
import shutil
import sqlite3
import stat
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from threading import Event

import pytest

from db import copies
from db.backups import Backups, backups_in, file_of, folder_for
from db.copies import CopyStoppedError, copy_soundly
from tests.support.clock import NOON, HandClock
from tests.support.store import fresh_stores, lobby, put

HOUR = 3600


def a_file(folder: Path, rows: int = 3) -> Path:
    file = folder / "hearts.db"
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("CREATE TABLE moves (number INTEGER)")
        connection.executemany("INSERT INTO moves VALUES (?)", [(n,) for n in range(rows)])
        connection.commit()
    return file


def rows_in(file: Path) -> int:
    with closing(sqlite3.connect(file)) as connection:
        return int(connection.execute("SELECT count(*) FROM moves").fetchone()[0])


def tables_in(file: Path) -> int:
    with closing(sqlite3.connect(file)) as connection:
        return int(connection.execute("SELECT count(*) FROM tables").fetchone()[0])


def backups_of(
    file: Path, clock: HandClock, *, hours: float = 6, keep: int = 28, folder: Path | None = None
) -> Backups:
    into = folder_for(file, folder)
    return Backups(file, into, every=timedelta(hours=hours), keep=keep, clock=clock)


def names(file: Path) -> list[str]:
    return sorted(path.name for path in folder_for(file, None).iterdir())


class LeapingClock(HandClock):
    """Whoever sleeps has slept at once, until the time is over."""

    async def sleep(self, seconds: float) -> None:
        self.move(seconds)
        if self.now() > NOON + timedelta(hours=13):
            raise asyncio.CancelledError


async def test_a_copy_is_made_at_the_start_and_every_six_hours(tmp_path: Path):
    file = a_file(tmp_path)
    with pytest.raises(asyncio.CancelledError):
        await backups_of(file, LeapingClock()).run()
    assert names(file) == [
        "hearts-20260105T120000Z.db",
        "hearts-20260105T180000Z.db",
        "hearts-20260106T000000Z.db",
    ]


async def test_a_restart_makes_no_copy_before_its_time(tmp_path: Path):
    file, clock = a_file(tmp_path), HandClock()
    await backups_of(file, clock).step()
    clock.move(5 * HOUR)
    await backups_of(file, clock).step()
    assert len(names(file)) == 1
    clock.move(HOUR)
    await backups_of(file, clock).step()
    assert len(names(file)) == 2


async def test_what_only_the_log_holds_is_in_the_copy_of_a_database_in_use(tmp_path: Path):
    stores = await fresh_stores(tmp_path)
    await put(stores, lobby())
    file = tmp_path / "hearts.db"
    alone = tmp_path / "alone.db"
    alone.write_bytes(file.read_bytes())
    await backups_of(file, HandClock()).step()
    [backup] = backups_in(tmp_path / "backups", file)
    await stores.database.close()
    assert tables_in(backup.file) == 1
    assert tables_in(alone) == 0  # the control: a copy of the file alone loses it
    assert backup.at == NOON


@pytest.mark.case("B92")
async def test_b92_a_copy_under_way_holds_up_no_commit_and_knows_nothing_of_it(tmp_path: Path):
    stores = await fresh_stores(tmp_path)
    file, copy = tmp_path / "hearts.db", tmp_path / "copy.db"
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("CREATE TABLE ballast (number INTEGER)")
        connection.executemany("INSERT INTO ballast VALUES (?)", [(n,) for n in range(20_000)])
        connection.commit()
    begun, go_on = Event(), Event()

    def held_up() -> bool:
        begun.set()
        assert go_on.wait(timeout=30)
        return False

    copying = asyncio.create_task(asyncio.to_thread(copy_soundly, file, copy, is_unwanted=held_up))
    await asyncio.to_thread(begun.wait)
    await put(stores, lobby())
    go_on.set()
    await copying
    await stores.database.close()
    assert (tables_in(file), tables_in(copy)) == (1, 0)


@pytest.mark.skipif(os.name != "posix", reason="file modes are a matter of POSIX systems")
async def test_nobody_else_may_read_a_copy(tmp_path: Path):
    file = a_file(tmp_path)
    file.chmod(0o644)
    before = os.umask(0o022)
    try:
        await backups_of(file, HandClock()).step()
    finally:
        os.umask(before)
    [backup] = backups_in(tmp_path / "backups", file)
    assert stat.S_IMODE(backup.file.stat().st_mode) == 0o600
    assert stat.S_IMODE(backup.file.parent.stat().st_mode) == 0o700


async def test_the_oldest_go_once_there_are_too_many(tmp_path: Path):
    file, clock = a_file(tmp_path), HandClock()
    backups = backups_of(file, clock, keep=2)
    for _ in range(4):
        await backups.step()
        clock.move(6 * HOUR)
    assert names(file) == ["hearts-20260106T000000Z.db", "hearts-20260106T060000Z.db"]
    assert backups.state().kept == 2


async def test_copies_from_the_future_push_no_new_one_out(tmp_path: Path):
    """A clock that was wrong once must not cost the copies that are made now."""
    file, clock = a_file(tmp_path), HandClock()
    for year in (2031, 2032):
        folder_for(file, None).mkdir(exist_ok=True)
        shutil.copy(file, folder_for(file, None) / f"hearts-{year}0101T000000Z.db")
    await backups_of(file, clock, keep=2).step()
    assert f"hearts-{clock.now():%Y%m%dT%H%M%SZ}.db" in names(file)


@pytest.mark.parametrize("hours", [6, 0])
async def test_nothing_that_was_deleted_lies_in_a_copy_for_more_than_30_days(
    tmp_path: Path, hours: int
):
    """Also a copy that a migration made, and where no more are made on a schedule."""
    file, clock = a_file(tmp_path), HandClock()
    await backups_of(file, clock).step()
    by_migration = tmp_path / "hearts.db.0004.bak"
    by_migration.write_bytes(b"old")
    os.utime(by_migration, (NOON.timestamp(), NOON.timestamp()))
    backups = backups_of(file, clock, hours=hours)

    clock.move(30 * 24 * HOUR)
    await backups.step()
    assert by_migration.exists()
    assert "hearts-20260105T120000Z.db" in names(file)

    clock.move(1)
    await backups.step()
    assert not by_migration.exists()
    assert "hearts-20260105T120000Z.db" not in names(file)


async def test_what_is_no_copy_of_this_database_is_left_alone(tmp_path: Path):
    file, clock = a_file(tmp_path), HandClock()
    folder = tmp_path / "backups"
    folder.mkdir()
    others = ["hearts2-20200101T000000Z.db", "notes.txt", "hearts-copy.db"]
    for other in others:
        (folder / other).touch()
    (folder / "hearts-20200101T000000Z.db.unfinished").touch()
    await backups_of(file, clock, keep=1).step()
    assert names(file) == sorted([*others, "hearts-20260105T120000Z.db"])


async def test_off_means_that_none_is_made(tmp_path: Path):
    backups = backups_of(a_file(tmp_path), HandClock(), hours=0)
    await backups.step()
    assert not (tmp_path / "backups").exists()
    state = backups.state()
    assert (state.on_schedule, state.newest, state.kept, state.fault) == (False, None, 0, None)


async def test_a_copy_that_fails_is_told_in_one_line_and_the_bot_goes_on(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
):
    file, clock = a_file(tmp_path), HandClock()
    blocked = tmp_path / "no-folder"
    blocked.touch()
    backups = backups_of(file, clock, folder=blocked)
    assert await backups.step() == 15 * 60
    [record] = [record for record in caplog.records if record.levelno == logging.ERROR]
    assert record.getMessage() == f"no backup of {file} into {blocked}: File exists"
    assert record.exc_info is None
    assert backups.state().fault == "File exists"

    blocked.unlink()
    await backups.step()
    assert backups.state().fault is None
    assert backups.state().newest == NOON


async def test_a_full_disk_leaves_the_older_copies_and_no_half_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    file, clock = a_file(tmp_path), HandClock()
    backups = backups_of(file, clock, keep=1)
    await backups.step()
    clock.move(6 * HOUR)

    def full(_path: Path, **_: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(copies, "check", full)
    await backups.step()
    assert names(file) == ["hearts-20260105T120000Z.db"]
    assert backups.state().fault == "database or disk is full"


async def test_what_nobody_foresaw_does_not_end_the_loop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    backups = backups_of(a_file(tmp_path), HandClock())
    monkeypatch.setattr(backups, "_work", lambda _given_up: 1 / 0)
    assert await backups.step() == 15 * 60
    assert backups.state().fault == "ZeroDivisionError"
    assert "ZeroDivisionError" in caplog.text


async def test_a_stop_does_not_wait_for_a_copy_under_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """SIGTERM has five seconds; a large file takes longer (reliability.md 4)."""
    file = a_file(tmp_path, rows=50_000)
    begun = asyncio.Event()
    loop = asyncio.get_running_loop()
    real = copies._write

    def write_and_tell(of, to, is_unwanted):
        loop.call_soon_threadsafe(begun.set)
        while not is_unwanted():
            pass
        real(of, to, is_unwanted)

    monkeypatch.setattr(copies, "_write", write_and_tell)
    step = asyncio.create_task(backups_of(file, HandClock()).step())
    await begun.wait()
    step.cancel()
    with pytest.raises(asyncio.CancelledError):
        await step
    assert names(file) == []


def test_a_copy_that_is_not_wanted_any_more_is_no_fault_of_the_database(tmp_path: Path):
    file, copy = a_file(tmp_path, rows=50_000), tmp_path / "copy.db"
    with pytest.raises(CopyStoppedError):
        copy_soundly(file, copy, is_unwanted=lambda: True)
    assert not copy.exists()
    copy_soundly(file, copy)  # the control: it is large enough to be stopped, and sound
    assert rows_in(copy) == 50_000


def test_what_a_killed_process_left_half_done_is_no_hindrance(tmp_path: Path):
    file, copy = a_file(tmp_path), tmp_path / "copy.db"
    (tmp_path / "copy.db.unfinished").write_bytes(b"half a copy")
    copy_soundly(file, copy)
    assert rows_in(copy) == 3
    assert not (tmp_path / "copy.db.unfinished").exists()


def test_looking_whether_a_copy_is_sound_is_given_up_as_well(tmp_path: Path):
    file = a_file(tmp_path, rows=50_000)
    with pytest.raises(sqlite3.OperationalError, match="interrupted"):
        copies.check(file, is_unwanted=lambda: True)
    copies.check(file)  # the control: it is sound


async def test_a_folder_that_cannot_be_read_is_a_fault_to_be_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    file = a_file(tmp_path)
    (tmp_path / "backups").mkdir()

    def refused(_path: Path) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "iterdir", refused)
    assert backups_of(file, HandClock()).state().fault == "Permission denied"


def test_only_a_file_can_be_copied_by_the_bot(tmp_path: Path):
    assert file_of(f"sqlite+aiosqlite:///{tmp_path}/hearts.db") == tmp_path / "hearts.db"
    assert file_of("postgresql+asyncpg://user:password@host/hearts") is None
    assert folder_for(Path("a/hearts.db"), None) == Path("a/backups")
    assert folder_for(Path("a/hearts.db"), Path("/b")) == Path("/b")
