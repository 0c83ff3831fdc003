"""Backups made while people and robots move as fast as the disk takes it, and then restored.

What was acknowledged before a backup began has to be in it, and its games have to play through to
the scores that are stored in them.
"""

import asyncio
import tempfile
import time
from collections.abc import Coroutine, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

from bot.promises.crowd import Company, move_of, seat
from bot.promises.promise import Verdict
from bot.promises.repeatable import MovedClock, NumberedSeeds
from bot.restoring import Trial, try_out
from bot.rules.errors import HeartsError
from bot.table import history
from bot.table.events import PostSurfaced, TableEvent
from bot.table.ids import InteractionId, TableId
from bot.table.manager import TableManager
from bot.table.robots import Robots
from bot.table.storing import At, Cause, Followings
from bot.table.timekeeper import Timekeeper
from db.backups import Backups, backups_in
from db.engine import Database, open_database
from db.event_store import SqlEventStore
from db.settings import SqlSettings
from db.work import SqlWork

_PLAYERS = 4
"""So many tasks press buttons, each at tables of its own."""
_DRUMMERS = 4
"""So many tasks do nothing but commit, each at a table of its own, as fast as it goes."""
_FIRST_PRESS = 1 << 41
"""Larger than those by which the tables were made."""
_GAMES = 100
"""Of the newest backup so many are played through, of the others one."""
_WARM_UP = 0.5
"""Seconds of play before each backup."""


@dataclass(frozen=True, slots=True)
class _Size:
    tables: int
    backups: int


_SHORT, _LONG = _Size(tables=100, backups=6), _Size(tables=1_000, backups=50)


class _Acknowledged:
    """What the bot has told people to be on disk."""

    def __init__(self) -> None:
        self.versions: dict[TableId, int] = {}
        self.seconds: list[float] = []
        """How long each commit took."""

    def hear(self, table_id: TableId, version: int, seconds: float) -> None:
        """A commit has returned."""
        self.versions[table_id] = max(version, self.versions.get(table_id, 0))
        self.seconds.append(seconds)

    @property
    def slow(self) -> float:
        """Seconds within which 99 % of the commits returned."""
        return sorted(self.seconds)[len(self.seconds) * 99 // 100] if self.seconds else 0.0


class _NotedStore(SqlEventStore):
    def __init__(self, database: Database, heard: _Acknowledged) -> None:
        super().__init__(database)
        self._heard = heard

    async def commit(
        self, at: At, events: Sequence[TableEvent], cause: Cause, followings: Followings
    ) -> None:
        """See `SqlEventStore.commit`."""
        begun = time.monotonic()
        await super().commit(at, events, cause, followings)
        self._heard.hear(at.table_id, at.version + len(events), time.monotonic() - begun)


@dataclass(frozen=True, slots=True)
class _Restored:
    """A backup that was tried out."""

    expected: Mapping[TableId, int]
    """By table, the events that were acknowledged before it began."""
    trial: Trial

    @property
    def missing(self) -> int:
        """How many of them are not in it."""
        found = self.trial.versions
        return sum(max(0, n - found.get(table_id, 0)) for table_id, n in self.expected.items())


def measure(*, short: bool) -> Verdict:
    """Make backups beside the busiest bot there can be, and restore each."""
    with tempfile.TemporaryDirectory(prefix="hearts-restores-") as folder:
        return asyncio.run(_measure(Path(folder), _SHORT if short else _LONG))


async def _measure(folder: Path, size: _Size) -> Verdict:
    file = folder / "hearts.db"
    url = f"sqlite+aiosqlite:///{file}"
    companies = await seat(url, size.tables)
    database, heard = open_database(url), _Acknowledged()
    clock = MovedClock(datetime.now(UTC))
    into, every = folder / "backups", timedelta(seconds=1)
    backups = Backups(file, into, every=every, keep=size.backups, clock=clock)
    begun, expected = time.monotonic(), list[dict[TableId, int]]()
    players = [asyncio.create_task(work) for work in _players(database, heard, companies)]
    try:
        for _ in range(size.backups):
            await asyncio.sleep(_WARM_UP)
            expected.append(dict(heard.versions))
            clock.move_on()
            await backups.step()
        seconds = time.monotonic() - begun
    finally:
        for player in players:
            player.cancel()
        await asyncio.gather(*players, return_exceptions=True)
        await database.close()
    made = backups_in(into, file)[::-1]
    restored = [
        _Restored(before, await try_out(backup.file, most=_GAMES if backup is made[-1] else 1))
        for before, backup in zip(expected, made, strict=False)
    ]
    return _verdict(restored, heard, seconds, failed=backups.state().fault is not None)


def _verdict(
    restored: Sequence[_Restored], heard: _Acknowledged, seconds: float, *, failed: bool
) -> Verdict:
    expected = sum(sum(each.expected.values()) for each in restored)
    missing = sum(each.missing for each in restored)
    replayed = sum(each.trial.replayed for each in restored)
    faults = sum(len(each.trial.faults) for each in restored)
    figure = (
        f"{missing} of {expected:,} acknowledged events missing in {len(restored)} backups beside "
        f"{len(heard.seconds) / seconds:,.0f} commits/s, 99 % of them within "
        f"{heard.slow * 1000:,.0f} ms; {replayed:,} games replayed, {faults} differ"
    )
    busy = expected > 0 and replayed >= _GAMES
    return Verdict(figure=figure, kept=busy and not (failed or missing or faults))


def _players(
    database: Database, heard: _Acknowledged, companies: Sequence[Company]
) -> Sequence[Coroutine[None, None, None]]:
    clock, seeds = MovedClock(datetime.now(UTC)), NumberedSeeds("restores")
    store = _NotedStore(database, heard)
    tables = TableManager(
        store=store,
        settings=SqlSettings(database),
        clock=clock,
        seeds=seeds,
        robots=Robots(seeds),
    )
    timekeeper = Timekeeper(SqlWork(database), tables, clock)
    presses = count(_FIRST_PRESS)
    played = companies[_DRUMMERS:]
    shares = [played[number::_PLAYERS] for number in range(_PLAYERS)]
    people = [_people(tables, share, clock, presses) for share in shares]
    # No robot moves where the drummers are, once these have taken its timers away.
    begun = asyncio.Barrier(_DRUMMERS + 1)
    drummers = [_drum(store, company.table_id, begun) for company in companies[:_DRUMMERS]]
    return [*people, *drummers, _robots(timekeeper, clock, begun)]


async def _people(
    tables: TableManager, companies: Sequence[Company], clock: MovedClock, presses: "count[int]"
) -> None:
    """Move wherever one of these people may, without an end."""
    while True:
        for company in companies:
            for person in company.people:
                # Between look and press a robot may have moved.
                with suppress(HeartsError):
                    held = await tables.hand(company.table_id, person)
                    if (move := move_of(held)) is not None:
                        number = InteractionId(next(presses))
                        await move.carry_out(tables, Cause(clock.now(), person, number))


async def _robots(timekeeper: Timekeeper, clock: MovedClock, begun: asyncio.Barrier) -> None:
    """Let all robots move that may, without an end."""
    await begun.wait()
    while True:
        clock.move_on()
        await timekeeper.fire_due()


async def _drum(store: SqlEventStore, table_id: TableId, begun: asyncio.Barrier) -> None:
    """Commit one event after the other that changes nothing in the game, without an end."""
    stored = await store.load(table_id)
    table, now = history.replay(stored).table, datetime.now(UTC)
    nothing = Followings(
        table=table, slots=(), closed_slots=(), timers=(), pings=(), ping_not_before=now
    )
    for seq in count(len(stored)):
        await store.commit(At(table_id, seq), (PostSurfaced(),), Cause(now), nothing)
        if seq == len(stored):
            await begun.wait()
