"""Promise 7: how many moves a second the store carries to the disk, beside the bare driver.

Both are measured in turns within one run, a second each, so that what else the machine does falls
on both. What decides is the store's best second: other work can only make a second worse. Where no
second was good enough, as on a machine that others keep busy, a rate is reckoned from what they
cannot take away: the CPU time of the store's commits, and the time that the bare driver waits for
the disk, or that of an ordinary one where others keep that busy, too.
"""

import asyncio
import shutil
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bot.promises.crowd import seat
from bot.promises.promise import Verdict
from bot.table.events import TableEvent
from bot.table.storing import At, Cause, Followings
from db.engine import Database, open_database
from db.event_store import SqlEventStore
from db.migrate import upgrade
from db.slow_disk import slow_down
from db.yardstick import Rate, Yardstick

PROMISED, PROMISED_SLOW = 300.0, 100.0
"""Commits a second on an ordinary disk, and on one whose fsync takes `_SLOWER` more."""
ORDINARY = 0.001
"""Seconds that an ordinary disk takes for an fsync."""
_SLOWER = 0.005
_TURN = 1.0
"""Seconds."""
_TABLES = 60
"""Those whose commits are made again and again."""


def measure(*, short: bool) -> Verdict:
    """See `bot.promises`."""
    turns = 3 if short else 20
    with tempfile.TemporaryDirectory(prefix="hearts-commits-") as folder:
        commits = asyncio.run(_recorded(Path(folder) / "recorded.db"))
        here = asyncio.run(_compared(Path(folder), commits, turns))
        slow = asyncio.run(_compared(Path(folder), commits, turns, slower_than=here))
    return Verdict(
        figure=f"here {here}; fsync +5 ms {slow}",
        kept=here.reached >= PROMISED and slow.reached >= PROMISED_SLOW,
    )


@dataclass(frozen=True, slots=True)
class Compared:
    """The store's seconds and the bare driver's, as many of each."""

    store: Sequence[Rate]
    bare: Sequence[Rate]
    disk: float
    """Seconds that a commit waits for the disk and that nobody can take away."""

    @property
    def best(self) -> float:
        """Commits in the store's best second."""
        return max(rate.each_second for rate in self.store)

    @property
    def reckoned(self) -> float:
        """Commits a second on a machine that nobody else uses."""
        return 1 / (min(rate.cpu / rate.commits for rate in self.store) + self.disk)

    @property
    def reached(self) -> float:
        """What decides."""
        return max(self.best, self.reckoned)

    def __str__(self) -> str:
        bare = max(rate.each_second for rate in self.bare)
        cpu = 1_000 * min(rate.cpu / rate.commits for rate in self.store)
        return (
            f"{self.best:.0f} a second, bare aiosqlite {bare:.0f}"
            f" ({cpu:.1f} ms of CPU a commit, {self.reckoned:.0f} a second reckoned)"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Commit:
    """What the store was once asked to write."""

    at: At
    events: Sequence[TableEvent]
    cause: Cause
    followings: Followings


class _Recorder(SqlEventStore):
    """Writes down all that it is asked to write."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self.commits: list[_Commit] = []

    async def commit(
        self, at: At, events: Sequence[TableEvent], cause: Cause, followings: Followings
    ) -> None:
        """See `bot.table.ports.EventStore.commit`."""
        self.commits.append(_Commit(at=at, events=events, cause=cause, followings=followings))
        await super().commit(at, events, cause, followings)


async def _recorded(file: Path) -> Sequence[_Commit]:
    """All commits by which some tables were opened and their games played, in order."""
    recorders: list[_Recorder] = []

    def recording(database: Database) -> _Recorder:
        recorders.append(_Recorder(database))
        return recorders[-1]

    await seat(_url(file), _TABLES, store=recording)
    return recorders[0].commits


async def _compared(
    folder: Path, commits: Sequence[_Commit], turns: int, *, slower_than: Compared | None = None
) -> Compared:
    """Measure in turns; on a disk whose fsync takes longer than in the run before, if there is one.

    The disk's own time is taken from the quicker run: in the slow one others have more of it.
    """
    fsync, empty = _SLOWER if slower_than else 0.0, folder / "empty.db"
    await upgrade(_url(empty))
    yardstick = Yardstick(folder / f"bare-{fsync}.db", fsync=fsync)
    store, bare = [], []
    for number in range(turns):
        file = folder / f"store-{fsync}-{number}.db"
        shutil.copy(empty, file)
        store.append(await _measured(file, commits, fsync))
        bare.append(await yardstick.measure(_TURN))
    disk = slower_than.disk + fsync if slower_than else min(waited(bare), ORDINARY)
    return Compared(store, bare, disk)


def waited(bare: Sequence[Rate]) -> float:
    """Seconds that a commit of the bare driver waits for the disk, in its best second."""
    return max(0.0, min((rate.seconds - rate.cpu) / rate.commits for rate in bare))


async def _measured(file: Path, commits: Sequence[_Commit], fsync: float) -> Rate:
    """Make *commits* on a fresh file, for one turn or until all are made."""
    database = open_database(_url(file))
    slow_down(database, fsync)
    store = SqlEventStore(database)
    try:
        await store.tables_of(commits[0].followings.table.host)  # connects
        made, begun, cpu = 0, time.monotonic(), time.process_time()
        for commit in commits:
            await store.commit(commit.at, commit.events, commit.cause, commit.followings)
            made += 1
            if time.monotonic() - begun >= _TURN:
                break
        return Rate(made, time.monotonic() - begun, time.process_time() - cpu)
    finally:
        await database.close()


def _url(file: Path) -> str:
    return f"sqlite+aiosqlite:///{file}"
