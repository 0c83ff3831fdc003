"""The load run: many tables at once, by the real bot on a real file, with people who do not wait.

The manager, publisher, timekeeper and stores are those of the bot, the database is a file with
every commit on disk, time is real. Discord is imagined (`bot.promises.channels`), and people press
at a fixed rate (`bot.promises.people`); about half of the moves at their tables are robots'.
"""

import asyncio
import logging
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from bot.app import SecretSeeds, SystemClock
from bot.promises.channels import Channels, Counts
from bot.promises.crowd import Company, seat
from bot.promises.ledger import Ledger, NotedStore, NotedWork, Phase
from bot.promises.people import People
from bot.promises.wellbeing import Wellbeing, busy
from bot.table.manager import TableManager
from bot.table.persons import Persons
from bot.table.publisher import Publisher
from bot.table.robots import Robots
from bot.table.timekeeper import Timekeeper
from db.engine import Database, open_database
from db.settings import SqlSettings
from db.slow_disk import slow_down

_PEOPLES_SHARE = 12 / 25
"""Of the moves at the tables of `bot.promises.crowd`."""
END = 6.0
"""Seconds in which nobody presses any more; what is not shown by their end is late."""
_PLACES_LOST = 3
"""Channels that are forbidden to the bot, and as many that are gone, while it plays."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch:
    """Something to do for a while."""

    name: str
    moves: float
    """A second, people's and robots' together."""
    seconds: float
    run_in: float = 5.0
    """Seconds before it counts: robots answer a person's move after some seconds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """How much is put on the bot."""

    tables: int
    stretches: tuple[Stretch, ...]
    fsync: float = 0.0
    """Seconds that the disk takes longer for each commit."""
    mixed: bool = False
    """See `bot.promises.crowd.seat`."""


STEADY, PEAK, CALM = "steady", "peak", "calm"


def size(*, short: bool, fsync: float = 0.0) -> Size:
    """What is put on the bot every day, or in the long form."""
    steady, peak, calm = (20, 20, 15) if short else (600, 60, 1_800)
    if fsync:
        steady = min(steady, 120)
    stretches = (
        Stretch(name=STEADY, moves=25, seconds=steady, run_in=12),
        # In between, so that what the steady stretch still has to say is not held up by the peak.
        Stretch(name=CALM, moves=10, seconds=calm),
        Stretch(name=PEAK, moves=50, seconds=peak, run_in=8),
    )
    chosen = (stretches[0], stretches[2]) if fsync else stretches
    tables = 300 if short else 1_000
    return Size(tables=tables, stretches=chosen, fsync=fsync, mixed=not short)


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """What was found in one stretch."""

    stretch: Stretch
    noted: Phase
    took: float
    """Seconds."""
    cpu: float
    """Seconds of CPU, the people's and Discord's included."""
    others: float
    """Seconds of CPU that other programs took meanwhile."""

    @property
    def mixture(self) -> str:
        """How many moves there were a second, and whose."""
        people, all_moves = self.noted.by_people / self.took, self.noted.moves / self.took
        return (
            f"{all_moves:.0f} moves a second, {people:.0f} of them people's, by "
            f"{self.cpu / self.took:.2f} cores, {self.others / self.took:.1f} taken by others"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What was found in all stretches."""

    tables: int
    stages: dict[str, Stage]
    counts: Counts
    feels: Wellbeing
    lost: int
    """Tables that lost their places on purpose."""
    seconds: float
    """From the first call to the last."""


@cache
def found(*, short: bool, fsync: float = 0.0) -> Found:
    """Run the load once in this program, whoever asks."""
    return asyncio.run(run(size(short=short, fsync=fsync)))


async def run(wanted: Size) -> Found:
    """Put *wanted* on a fresh bot."""
    with tempfile.TemporaryDirectory(prefix="hearts-load-") as folder:
        file = Path(folder) / "load.db"
        url = f"sqlite+aiosqlite:///{file}"
        companies = await seat(url, wanted.tables, mixed=wanted.mixed)
        database = open_database(url)
        slow_down(database, wanted.fsync)
        try:
            return await _run(wanted, database, companies, file)
        finally:
            await database.close()


async def _run(wanted: Size, database: Database, companies: Sequence[Company], file: Path) -> Found:
    ledger, clock, feels = Ledger(), SystemClock(), Wellbeing(file.with_name(f"{file.name}-wal"))
    channels = Channels(ledger)
    tables = manager(database, ledger)
    lost, played = companies[: 2 * _PLACES_LOST], companies[2 * _PLACES_LOST :]
    people = People(tables, played, ledger, clock)
    begun = time.monotonic()
    async with loops(database, ledger, tables, channels):
        await _lose_places(People(tables, lost, ledger, clock), channels, lost, ledger)
        await people.look()
        async with feels.watched():
            stages = [await _stage(stretch, people, ledger) for stretch in wanted.stretches]
            await asyncio.sleep(END)
    ledger.close()
    return Found(
        tables=len(played),
        stages={stage.stretch.name: stage for stage in stages},
        counts=channels.counts,
        feels=feels,
        lost=len(lost),
        seconds=time.monotonic() - begun,
    )


async def _lose_places(
    people: People, channels: Channels, lost: Sequence[Company], ledger: Ledger
) -> None:
    """Take the places of some tables away, and have people play there all the same."""
    channels.forbidden |= {company.channel_id for company in lost[:_PLACES_LOST]}
    channels.gone |= {company.channel_id for company in lost[_PLACES_LOST:]}
    await people.look()
    await people.press(len(lost), seconds=1)
    await asyncio.sleep(END)
    ledger.forget()  # nothing more is shown there


def manager(database: Database, ledger: Ledger) -> TableManager:
    """The bot's tables over an open database."""
    seeds = SecretSeeds()
    return TableManager(
        store=NotedStore(database, ledger),
        settings=SqlSettings(database),
        clock=SystemClock(),
        seeds=seeds,
        robots=Robots(seeds),
    )


@asynccontextmanager
async def loops(
    database: Database, ledger: Ledger, tables: TableManager, channels: Channels
) -> AsyncIterator[None]:
    """Let the bot's loops run as `bot.app` does."""
    clock, work = SystemClock(), NotedWork(database, ledger)
    persons = Persons(SqlSettings(database), tables)
    log = logging.getLogger("bot.table.publisher")
    publisher = Publisher(work, tables, persons, channels, clock, log)
    timekeeper = Timekeeper(work, tables, clock)
    tables.listen(publisher.wake)
    tables.listen(lambda _table: timekeeper.wake())
    loops = [asyncio.create_task(loop) for loop in (publisher.run(), timekeeper.run())]
    try:
        yield
    finally:
        for loop in loops:
            loop.cancel()
        await asyncio.gather(*loops, return_exceptions=True)


async def _stage(stretch: Stretch, people: People, ledger: Ledger) -> Stage:
    ledger.phase = Phase()
    pressed = stretch.moves * _PEOPLES_SHARE
    await people.press(pressed, stretch.run_in)
    noted = ledger.phase = Phase()
    begun, cpu, all_cpu = time.monotonic(), time.process_time(), busy()
    await people.press(pressed, stretch.seconds)
    took, used = time.monotonic() - begun, time.process_time() - cpu
    others = max(0.0, busy() - all_cpu - used)
    ledger.phase = Phase()  # what robots still do belongs to no stretch
    return Stage(stretch=stretch, noted=noted, took=took, cpu=used, others=others)
