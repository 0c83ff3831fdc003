"""A look at a database that changes nothing in it, for `python -m bot doctor`."""

import os
import shutil
import sqlite3
import stat
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from sqlalchemy import create_engine, make_url, text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.pool import NullPool

from bot.table.ports import Clock
from db.engine import DatabaseUnavailableError, is_sqlite, tell_each_connection
from db.migrate import lacking, standing, try_to_write

_BUSY_SECONDS = 5
_PRAGMAS = ("wal_autocheckpoint=0", "mmap_size=0")
"""Folding the log into the file is left to the bot, which may be running."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DatabaseState:
    """What was found."""

    file: Path | None
    """``None``: it is a server."""
    revision: str | None
    """``None``: it holds nothing yet, or there is no file."""
    newest: str
    """The revision of this version of the program."""
    server: str = ""
    """Which server it is, in its own words."""
    is_readable_by_all: bool = False
    """Whether others on this machine can read an SQLite file, where the system knows others."""
    keeps_log: bool = True
    """Whether an SQLite file has its log, with which readers and the writer do not wait."""
    keeps_commits: bool = True
    """Whether what a server acknowledges survives a loss of power."""
    ahead: timedelta = timedelta()
    """How far this machine's clock is ahead of a server's."""
    size: int = 0
    """Bytes of an SQLite file and its log."""
    lacks: Sequence[str] = ()
    """What is not as this program's tables are, of a database at the newest revision."""


async def examine(url: str, clock: Clock) -> DatabaseState:
    """Open a database, and take and leave the right to write in it.

    Raises:
        DatabaseUnavailableError: it can't be opened or written, is damaged, or is of a newer
            program.
    """
    address = make_url(url)
    name = address.render_as_string(hide_password=True)
    try:
        if is_sqlite(address):
            return _of_file(Path(address.database or ""), url)
        return await _of_server(url, clock)
    except (SQLAlchemyError, sqlite3.Error, OSError) as error:
        fault = str(getattr(error, "orig", None) or error).partition("\n")[0].rstrip(".")
        raise DatabaseUnavailableError(f"The database {name} can't be used: {fault}.") from error


def free_space(place: Path) -> int:
    """Bytes that are free where a file or folder is, or would be made.

    Raises:
        OSError: the disk can't be asked.
    """
    return shutil.disk_usage(_standing_part(place)).free


def may_write(folder: Path) -> bool:
    """Whether files can be made in a folder, or the folder itself where there is none."""
    part = _standing_part(folder)
    return part.is_dir() and os.access(part, os.W_OK | os.X_OK)


def _standing_part(place: Path) -> Path:
    absolute = place.absolute()
    return next(part for part in (absolute, *absolute.parents) if part.exists())


def _of_file(file: Path, url: str) -> DatabaseState:
    if not file.exists():
        if not may_write(file.parent):
            raise PermissionError(13, "no file can be made in its folder")
        return DatabaseState(file=file, revision=None, newest=standing(None, url)[1])
    engine = create_engine(
        make_url(url).set(drivername="sqlite"),
        poolclass=NullPool,
        connect_args={"timeout": _BUSY_SECONDS},
    )
    tell_each_connection(engine, _PRAGMAS, begin="BEGIN IMMEDIATE")
    with _log_left_alone(file):
        with engine.connect() as connection:  # which takes the right to write
            found, newest = standing(connection, url)
            lacks = lacking(connection) if found == newest else ()
            try_to_write(connection)
        mode = _mode_if_sound(file)
    files = [file, file.with_name(f"{file.name}-wal")]
    return DatabaseState(
        file=file,
        revision=found,
        newest=newest,
        is_readable_by_all=os.name == "posix" and bool(file.stat().st_mode & stat.S_IROTH),
        keeps_log=mode == "wal" or found is None,
        size=sum(each.stat().st_size for each in files if each.exists()),
        lacks=lacks,
    )


def _mode_if_sound(file: Path) -> str:
    """How an SQLite file keeps its journal.

    Raises:
        sqlite3.Error: it is damaged.
    """
    # Not only to read: whoever cannot write cannot take its log along when it goes.
    with _opened(file, "rw") as looking:
        (mode,) = looking.execute("PRAGMA journal_mode").fetchone()
        (verdict,) = looking.execute("PRAGMA quick_check").fetchone()
    if verdict != "ok":
        raise sqlite3.DatabaseError(f"it is damaged: {verdict}")
    return str(mode)


@contextmanager
def _log_left_alone(file: Path) -> Iterator[None]:
    """Leave a log beside an SQLite file where it is, as after a crash.

    The last connection that goes folds it into the file, but not one that may only read.
    """
    if not file.with_name(f"{file.name}-wal").exists():
        yield
        return
    with _opened(file, "ro") as looking:
        looking.execute("PRAGMA schema_version").fetchone()  # before that, nothing is opened
        yield


@contextmanager
def _opened(file: Path, mode: str) -> Iterator[sqlite3.Connection]:
    address = f"{file.absolute().as_uri()}?mode={mode}"
    with closing(sqlite3.connect(address, uri=True, timeout=_BUSY_SECONDS)) as connection:
        for pragma in _PRAGMAS:
            connection.execute(f"PRAGMA {pragma}")
        yield connection


async def _of_server(url: str, clock: Clock) -> DatabaseState:
    engine = create_async_engine(url, poolclass=NullPool, hide_parameters=True)
    async with engine.connect() as connection:
        found, newest = await connection.run_sync(standing, url)
        lacks = await connection.run_sync(lacking) if found == newest else ()
        server: str = (await connection.execute(text("SHOW server_version"))).scalar_one()
        fsync: str = (await connection.execute(text("SHOW fsync"))).scalar_one()
        asked_at = clock.now()
        theirs: datetime = (await connection.execute(text("SELECT clock_timestamp()"))).scalar_one()
        await connection.rollback()
    return DatabaseState(
        file=None,
        revision=found,
        newest=newest,
        server=f"PostgreSQL {server}",
        keeps_commits=fsync == "on",
        ahead=asked_at - theirs,
        lacks=lacks,
    )
