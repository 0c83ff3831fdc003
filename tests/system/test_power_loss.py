"""What was acknowledged survives a loss of power (reliability.md 2c and 6, promise 2).

The real stores play over a disk that writes everything down; then the power is cut at random
moments, and each disk that may be found then is opened and compared with what was acknowledged.
"""

import asyncio
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from bot.table.manager import TableManager
from bot.table.robots import Robots
from db import engine
from db.engine import open_database
from db.event_store import SqlEventStore
from db.migrate import upgrade
from db.settings import SqlSettings
from tests.support.disk import Ack, Record, Step, Sync, recorded
from tests.support.fakes import CountedSeeds
from tests.support.forms import times
from tests.support.kill_child import MachineClock, Person
from tests.support.power import WAYS, Finding, Image, found_in, images
from tests.support.store import url_of

IMAGES = times(100, 3_000)
CONTROLS = IMAGES // 3
CLICKS = times(400, 2_000)
TABLES = 4


class _EnoughError(Exception):
    """As many clicks were acknowledged as are wanted."""


class _Witness:
    """Stands at the end of the pipe: an answer is written down where the disk's work is."""

    def __init__(self, record: Record) -> None:
        self._record = record
        self._left = CLICKS

    def send(self, word: dict[str, Any]) -> None:
        if "ack" in word:
            self._record.steps.append(Ack(word["ack"]))
            self._left -= 1
            if self._left == 0:
                raise _EnoughError


async def played(folder: Path) -> tuple[dict[str, bytearray], Sequence[Step]]:
    """Play at several tables at once; what the disk held before, and what was done to it."""
    file = folder / "hearts.db"
    await upgrade(url_of(file))
    before = _files_in(folder)
    with recorded(folder) as record:
        database, seeds = open_database(url_of(file)), CountedSeeds("power")
        tables = TableManager(
            store=SqlEventStore(database),
            settings=SqlSettings(database),
            clock=MachineClock(),
            seeds=seeds,
            robots=Robots(seeds),
        )
        witness: Any = _Witness(record)
        people = Person(tables, 1, random.Random(17), witness)
        sitting = [asyncio.create_task(people.sit(channel)) for channel in range(1, TABLES + 1)]
        ended, _ = await asyncio.wait(sitting, return_when=asyncio.FIRST_COMPLETED)
        for task in sitting:
            task.cancel()
        await asyncio.gather(*sitting, return_exceptions=True)
        assert all(isinstance(task.exception(), _EnoughError) for task in ended)
        steps = tuple(record.steps)  # closing writes everything back, which no power cut waits for
        await database.close()
    return before, steps


def _folders(folder: Path) -> tuple[Path, Path]:
    ran, left = folder / "ran", folder / "left"
    ran.mkdir()
    left.mkdir()
    return ran, left


def _files_in(folder: Path) -> dict[str, bytearray]:
    return {str(path): bytearray(path.read_bytes()) for path in folder.iterdir()}


async def found_after_cuts(folder: Path, number: int) -> list[tuple[Image, Finding]]:
    """Play, cut the power at random moments, and look at what each cut left."""
    ran, left = _folders(folder)
    before, steps = await played(ran)
    acks = sum(isinstance(step, Ack) for step in steps)
    syncs = sum(isinstance(step, Sync) for step in steps)
    print(f"{acks} acks, {syncs / acks:.3f} fsyncs an ack")
    cuts = images(before, steps, number, random.Random(2))
    return [(image, found_in(image, left)) for image in cuts]


@pytest.mark.promise(2)
@pytest.mark.slow
async def test_no_loss_of_power_takes_back_what_was_acknowledged(tmp_path: Path):
    found = await found_after_cuts(tmp_path, IMAGES)
    lost = [len(finding.lost) for _, finding in found if finding.lost]
    faults = [finding.faults for _, finding in found if finding.faults]
    acks = sum(len(image.acked) for image, _ in found)
    assert acks > IMAGES * CLICKS // 4, "the cuts come after something was acknowledged"
    assert {image.way for image, _ in found} == set(WAYS)
    assert (lost, faults) == ([], [])
    print(f"promise 2: 0 of {acks:,} acks lost and 0 files damaged in {len(found):,} images")


@pytest.mark.promise(2)
@pytest.mark.slow
@pytest.mark.parametrize("waits", ["NORMAL", "OFF"])
async def test_a_store_that_does_not_wait_for_the_disk_is_found_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, waits: str
):
    """The control: without a wait at each commit moves are lost, without any files are damaged."""
    less = tuple(each.replace("=FULL", f"={waits}") for each in engine._WRITER_PRAGMAS)
    assert less != engine._WRITER_PRAGMAS
    monkeypatch.setattr(engine, "_WRITER_PRAGMAS", less)
    found = await found_after_cuts(tmp_path, CONTROLS)
    losing = [len(finding.lost) for _, finding in found if finding.lost]
    damaged = sum(bool(finding.faults) for _, finding in found)
    assert len(losing) > len(found) // 2, "with FULL it is none at all"
    assert bool(damaged) is (waits == "OFF")
    print(
        f"promise 2: control with {waits}: {len(losing):,} of {len(found):,} images lose acks, up "
        f"to {max(losing)}, and {damaged:,} are damaged"
    )
