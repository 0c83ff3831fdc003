"""Copies of an SQLite file in a folder of their own, made by a schedule.

A PostgreSQL server is copied by its own tools (docs/operations.md).
"""

import asyncio
import logging
import re
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Event

from sqlalchemy import make_url

from bot.table.ports import Clock
from bot.table.vitals import BackupState
from db.copies import UNFINISHED, CopyStoppedError, copy_soundly
from db.engine import is_sqlite

log = logging.getLogger(__name__)

FOLDER = "backups"
"""Beside the file, unless another place is asked for."""
EXPIRY = timedelta(days=30)
"""Copies hold what people deleted since: none lies longer, not those made by migrations either."""
MIGRATION_COPY = ".bak"
_STAMP = "%Y%m%dT%H%M%SZ"
_STAMPED = re.compile(r"-(\d{8}T\d{6}Z)\.db$")
_LOOK = timedelta(minutes=15)
"""How often it is looked whether a copy is due; also what passes after a failure."""
_FOLDER_MODE = 0o700


@dataclass(frozen=True, slots=True)
class Backup:
    """One copy and when it was begun."""

    file: Path
    at: datetime


def backups_in(folder: Path, file: Path) -> Sequence[Backup]:
    """The whole copies of *file* in *folder*, newest first; none where there is no folder.

    Raises:
        OSError: the folder can't be read.
    """
    if not folder.is_dir():
        return []
    found = []
    for path in folder.iterdir():
        at = made_at(path)
        if at is not None and path.name == _name(file, at):
            found.append(Backup(path, at))
    return sorted(found, key=lambda backup: backup.at, reverse=True)


def made_at(backup: Path) -> datetime | None:
    """When a backup was begun, by its name; ``None``: that is not the name of one."""
    stamp = _STAMPED.search(backup.name)
    try:
        return datetime.strptime(stamp[1], _STAMP).replace(tzinfo=UTC) if stamp else None
    except ValueError:
        return None


def _name(file: Path, at: datetime) -> str:
    return f"{file.stem}-{at:{_STAMP}}.db"


def file_of(url: str) -> Path | None:
    """The SQLite file that a URL names; ``None``: it names a server."""
    address = make_url(url)
    return Path(address.database or "") if is_sqlite(address) else None


def folder_for(file: Path, wished: Path | None) -> Path:
    """Where the copies of *file* lie, if the operator wished for nothing else."""
    return wished or file.parent / FOLDER


class Backups:
    """`bot.table.vitals.Copies`: one loop that copies, and forgets what is old.

    Args:
        file: the database.
        folder: made when the first copy is; only its owner may look into it.
        every: from one copy to the next; zero: none are made, but old ones still go.
        keep: how many copies may lie there.
        clock: the only time, also in the names.
    """

    def __init__(
        self, file: Path, folder: Path, *, every: timedelta, keep: int, clock: Clock
    ) -> None:
        self._file = file
        self._folder = folder
        self._every = every
        self._keep = keep
        self._clock = clock
        self._fault: str | None = None

    def state(self) -> BackupState:
        """See `bot.table.vitals.Copies.state`."""
        try:
            backups = backups_in(self._folder, self._file)
        except OSError as error:
            return self._state((), fault=_words(error))
        return self._state(backups, fault=self._fault)

    async def run(self) -> None:
        """Go on until cancelled, whatever fails; a copy under way is given up then."""
        while True:
            await self._clock.sleep(await self.step())

    async def step(self) -> float:
        """Copy, if it is time; return the seconds until the next look. Only cancelling raises."""
        given_up = Event()
        work = asyncio.create_task(asyncio.to_thread(self._work, given_up))
        try:
            await asyncio.shield(work)
        except asyncio.CancelledError:
            given_up.set()
            await asyncio.gather(work, return_exceptions=True)
            raise
        except (sqlite3.Error, OSError) as error:
            self._fault = _words(error)
            log.error(  # noqa: TRY400  a full disk needs no traceback
                "no backup of %s into %s: %s", self._file, self._folder, self._fault
            )
        except Exception as error:
            self._fault = type(error).__name__
            log.exception("no backup of %s into %s", self._file, self._folder)
        else:
            self._fault = None
        return _LOOK.total_seconds()

    def _work(self, given_up: Event) -> None:
        """In a thread: all of it waits for the disk."""
        now = self._clock.now()
        if self._every and self._is_due(now):
            self._folder.mkdir(mode=_FOLDER_MODE, parents=True, exist_ok=True)
            copy = self._folder / _name(self._file, now)
            try:
                copy_soundly(self._file, copy, is_unwanted=given_up.is_set)
            except CopyStoppedError:
                return
            log.info("backup %s: %d bytes", copy, copy.stat().st_size)
        self._forget(now)

    def _is_due(self, now: datetime) -> bool:
        backups = backups_in(self._folder, self._file)
        # One from the future was named by a clock that was wrong.
        return not any(now - self._every < backup.at <= now for backup in backups)

    def _forget(self, now: datetime) -> None:
        """Delete what is too much or too old. Only after a copy that went well, or was not due."""
        backups = backups_in(self._folder, self._file)
        # One from the future was named by a clock that was wrong, and takes no other's place.
        for number, backup in enumerate(backup for backup in backups if backup.at <= now):
            if number >= self._keep or now - backup.at > EXPIRY:
                backup.file.unlink(missing_ok=True)
        for left in self._folder.glob(f"{self._file.stem}-*{UNFINISHED}"):
            left.unlink(missing_ok=True)  # by a process that was killed
        for path in self._file.parent.glob(f"{self._file.name}.*{MIGRATION_COPY}"):
            if now.timestamp() - path.stat().st_mtime > EXPIRY.total_seconds():
                path.unlink(missing_ok=True)

    def _state(self, backups: Sequence[Backup], *, fault: str | None) -> BackupState:
        return BackupState(
            on_schedule=bool(self._every),
            newest=backups[0].at if backups else None,
            kept=len(backups),
            fault=fault,
        )


def _words(error: sqlite3.Error | OSError) -> str:
    return (getattr(error, "strerror", None) or str(error)).rstrip(".")
