"""Sound copies of an SQLite file, also of one that a program is writing to.

``VACUUM INTO`` takes one moment of the file, with all that its log holds, and holds up no writer.
A copy of the file alone would lack what is only in the log, and a backup page by page begins
anew with each commit of somebody else (reliability.md 2c).
"""

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

UNFINISHED = ".unfinished"
"""The end of the name of a copy that is not known to be whole."""
OWNER_ALONE = 0o600
"""A copy holds the seeds and hands of games under way: nobody else may read it."""
_STEPS = 10_000
"""After so many of SQLite's steps it is asked whether to go on: about a millisecond."""


class CopyStoppedError(Exception):
    """Whoever wanted a copy does not want it any more."""


def copy_soundly(
    file: Path, copy: Path, *, is_unwanted: Callable[[], bool] = lambda: False
) -> None:
    """Make *copy* a whole copy of *file*, checked and on disk, or leave what was there before.

    May run in any thread.

    Args:
        file: an SQLite file.
        copy: replaced, if it exists.
        is_unwanted: asked again and again; the copy is given up once it says so.

    Raises:
        sqlite3.Error: *file* can't be read, the copy can't be written or is not sound.
        OSError: there is no right to write it.
        CopyStoppedError: it was given up.
    """
    unfinished = copy.with_name(copy.name + UNFINISHED)
    unfinished.unlink(missing_ok=True)
    try:
        _write(file, unfinished, is_unwanted)
        check(unfinished, is_unwanted=is_unwanted)
        _settle(unfinished)
        unfinished.replace(copy)
        _settle(copy.parent)
    except sqlite3.Error as error:
        unfinished.unlink(missing_ok=True)
        if is_unwanted():
            raise CopyStoppedError from error
        raise
    except OSError:
        unfinished.unlink(missing_ok=True)
        raise


def check(file: Path, *, is_unwanted: Callable[[], bool] = lambda: False) -> None:
    """Make sure that an SQLite file that nobody writes to is sound.

    Raises:
        sqlite3.DatabaseError: it is not, or nobody wants to know any more.
    """
    with closing(sqlite3.connect(file)) as connection:
        connection.set_progress_handler(is_unwanted, _STEPS)
        (verdict,) = connection.execute("PRAGMA quick_check").fetchone()
    if verdict != "ok":
        raise sqlite3.DatabaseError(f"the copy is broken: {verdict}")


def _write(file: Path, unfinished: Path, is_unwanted: Callable[[], bool]) -> None:
    os.close(os.open(unfinished, os.O_CREAT | os.O_EXCL | os.O_WRONLY, OWNER_ALONE))
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        # Two connections that fold the log into the file at the same moment can damage it in
        # SQLite before 3.51.3: that is left to the writer.
        connection.execute("PRAGMA wal_autocheckpoint = 0")
        connection.set_progress_handler(is_unwanted, _STEPS)
        connection.execute("VACUUM INTO ?", (str(unfinished),))


def _settle(path: Path) -> None:
    """Have a file, or the names in a folder, on disk on return."""
    if os.name != "posix" and path.is_dir():
        return  # Windows opens no folders, and keeps their names by itself
    written = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(written)
    finally:
        os.close(written)
