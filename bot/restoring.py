"""Whether a copy of the database can be restored: it is opened, checked and played through.

On a copy of the copy, which is migrated as a restored one would be.
"""

import random
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from bot import OperatorError
from bot.table import history
from bot.table.ids import TableId
from db import inventory
from db.copies import check, copy_soundly
from db.engine import Database, DatabaseUnavailableError
from db.event_store import SqlEventStore
from db.migrate import lacking_in, opened_as_it_is, upgrade

_LOG = "-wal"
_MOST_NAMED = 5
"""Tables that are named where many are broken."""


class NotRestorableError(Exception):
    """The copy is of no use; the message says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """What came of it."""

    revision: str
    """Of the copy's tables."""
    brought_to: str
    """That of this program, to which the tables were brought for the trial."""
    rows: Mapping[str, int]
    """By the name of the SQL table."""
    versions: Mapping[TableId, int]
    """How many events each table has."""
    replayed: int
    """Games that were played through."""
    faults: Sequence[str]
    """Each table that is not as it should be, and why; no cards."""
    seconds: float


async def try_out(file: Path, *, most: int | None = None) -> Trial:
    """Restore *file* in a temporary place and play its games through.

    Args:
        file: a backup, or a database in use.
        most: how many tables are played through, picked by chance; ``None``: all.

    Raises:
        NotRestorableError: it can't be opened, is damaged, or is of a newer or another program.
        OperatorError: there is no room or no right for the temporary place.
    """
    begun = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="hearts-restore-") as folder:
        restored = Path(folder) / "hearts.db"
        revision = _restore(file, restored)
        url = f"sqlite+aiosqlite:///{restored}"
        try:
            newest = await upgrade(url)
            async with opened_as_it_is(url) as database:
                if faults := await lacking_in(database):
                    raise NotRestorableError(f"its tables are not whole: {named(faults)}")
                return await _look(database, revision, newest, most, begun)
        except DatabaseUnavailableError as error:
            raise NotRestorableError(str(error).replace(str(restored), str(file))) from error


def _restore(file: Path, restored: Path) -> str:
    """Put a copy of *file* at *restored*; the revision of its tables.

    Raises:
        NotRestorableError: it is damaged, or of another program.
        OperatorError: there is no room or no right for it.
    """
    try:
        if _is_in_use(file):
            copy_soundly(file, restored)
        else:
            shutil.copyfile(file, restored)
            check(restored)
        revision = _revision_of(restored)
    except sqlite3.Error as error:
        raise NotRestorableError(f"{file} is damaged: {error}") from error
    except OSError as error:
        raise OperatorError(f"{file} can't be copied for a trial: {error.strerror}.") from error
    if revision is None:
        raise NotRestorableError(f"{file} holds no tables of this bot: it is no backup of it")
    return revision


def _revision_of(file: Path) -> str | None:
    """Where the migrations have brought a file; an empty one is a sound database to SQLite."""
    with closing(sqlite3.connect(file)) as connection:
        found = "SELECT 1 FROM sqlite_master WHERE name = 'alembic_version'"
        if connection.execute(found).fetchone() is None:
            return None
        row = connection.execute("SELECT version_num FROM alembic_version").fetchone()
        return str(row[0]) if row else "none"


def _is_in_use(file: Path) -> bool:
    """Whether its newest commits stand in a log beside it. Backups have none."""
    log = file.with_name(file.name + _LOG)
    return log.exists() and log.stat().st_size > 0


async def _look(
    database: Database, revision: str, newest: str, most: int | None, begun: float
) -> Trial:
    found = await inventory.take(database)
    tables = sorted(found.versions)
    chosen = tables if most is None or most >= len(tables) else random.sample(tables, most)
    store = SqlEventStore(database)
    replayed = [(table_id, await _fault(store, table_id)) for table_id in chosen]
    faults = [
        *_gaps(found),
        *(
            f"table {table_id}: its {name} can't be read"
            for table_id, name in found.unreadable.items()
        ),
        *(f"table {table_id}: {fault}" for table_id, fault in replayed if fault),
    ]
    return Trial(
        revision=revision,
        brought_to=newest,
        rows=found.rows,
        versions=found.versions,
        replayed=len(chosen),
        faults=tuple(faults),
        seconds=time.perf_counter() - begun,
    )


def _gaps(found: inventory.Inventory) -> Iterator[str]:
    for table_id, version in found.versions.items():
        if found.events.get(table_id) != version:
            yield f"table {table_id}: not all of its {version} events are there"


async def _fault(store: SqlEventStore, table_id: TableId) -> str | None:
    """What is wrong with a stored game; the scores in it are compared with today's rules."""
    try:
        past = history.replay(await store.load(table_id))
    except history.DAMAGE as error:
        return type(error).__name__
    # The fault's own words may name cards.
    return None if past.fault is None else past.fault.partition(":")[0]


def named(faults: Sequence[str], between: str = "; ") -> str:
    """The first few of them, and how many more there are."""
    more = len(faults) - _MOST_NAMED
    return between.join([*faults[:_MOST_NAMED], *([f"and {more:,} more"] if more > 0 else [])])
