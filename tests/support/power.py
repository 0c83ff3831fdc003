"""Disks as they may be found after a loss of power, rebuilt from what was written down.

What was synced is there. Of the rest anything may be: nothing, what came first, any of its
sectors, or all but one of them.
"""

import random
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from tests.support.disk import Ack, Delete, Step, Sync, Truncate, Write

SECTOR = 512
"""Bytes that a disk writes whole or not at all."""
WAYS = ("nothing", "beginning", "some sectors", "all but one sector")
"""What came through of the writes that were not synced."""

_Change = Write | Truncate
_Files = dict[str, bytearray]


@dataclass(slots=True)
class _Disk:
    """What is on the disk for certain, and what may be, oldest first."""

    certain: _Files
    pending: list[_Change] = field(default_factory=list)

    def take(self, step: Step) -> None:
        match step:
            case Write() | Truncate():
                self.pending.append(step)
            case Sync(file):
                for change in self.pending:
                    if change.file == file:
                        _apply(self.certain, change)
                self.pending = [change for change in self.pending if change.file != file]
            case Delete(file):
                self.certain.pop(file, None)
                self.pending = [change for change in self.pending if change.file != file]
            case Ack():
                pass

    def found(self, way: str, dice: random.Random) -> _Files:
        """One of the disks that may be found when the power comes back."""
        files = {file: bytearray(content) for file, content in self.certain.items()}
        for change in _through(self.pending, way, dice):
            _apply(files, change)
        return files


@dataclass(frozen=True, slots=True)
class Image:
    """A disk after a loss of power, and what had been promised by then."""

    way: str
    files: dict[str, bytearray]
    acked: frozenset[int]


def images(
    before: _Files, steps: Sequence[Step], number: int, dice: random.Random
) -> Iterator[Image]:
    """Cut the power at *number* random moments, each time in one of `WAYS`.

    Args:
        before: what the files held before the first step.
        steps: all that happened, oldest first.
        number: how many images; as many of each way.
        dice: chooses moments and sectors.
    """
    moments = sorted(dice.randrange(1, len(steps) + 1) for _ in range(number))
    ways = [WAYS[place % len(WAYS)] for place in range(number)]
    dice.shuffle(ways)
    disk, acked, done = _Disk(before), set[int](), 0
    for moment, way in zip(moments, ways, strict=True):
        for step in steps[done:moment]:
            disk.take(step)
            if isinstance(step, Ack):
                acked.add(step.number)
        done = moment
        yield Image(way, disk.found(way, dice), frozenset(acked))


def _through(pending: Sequence[_Change], way: str, dice: random.Random) -> Sequence[_Change]:
    if way == "nothing":
        return ()
    if way == "beginning":
        return pending[: dice.randrange(len(pending) + 1)]
    sectors = [sector for change in pending for sector in _sectors(change)]
    if way == "some sectors":
        return [sector for sector in sectors if dice.random() < 0.5]
    if sectors:
        del sectors[dice.randrange(len(sectors))]
    return sectors


def _sectors(change: _Change) -> Iterator[_Change]:
    if isinstance(change, Truncate):
        yield change
        return
    start, end = change.offset, change.offset + len(change.content)
    while start < end:
        # Sectors lie at multiples of their size, wherever a write begins.
        stop = min(end, (start // SECTOR + 1) * SECTOR)
        yield Write(
            change.file, start, change.content[start - change.offset : stop - change.offset]
        )
        start = stop


def _apply(files: _Files, change: _Change) -> None:
    content = files.setdefault(change.file, bytearray())
    if isinstance(change, Truncate):
        del content[change.size :]
        return
    end = change.offset + len(change.content)
    if len(content) < end:
        content.extend(bytes(end - len(content)))
    content[change.offset : end] = change.content


@dataclass(frozen=True, slots=True)
class Finding:
    """What is left in an image."""

    lost: frozenset[int]
    """Acknowledged clicks that are not there."""
    faults: tuple[str, ...]
    """What SQLite finds wrong with the file, and tables whose events have gaps."""


_WITH_GAPS = """
    SELECT tables.id FROM tables LEFT JOIN events ON events.table_id = tables.id
    GROUP BY tables.id, tables.version
    HAVING COUNT(*) != tables.version OR MIN(seq) != 1 OR MAX(seq) != tables.version
"""


def found_in(image: Image, folder: Path) -> Finding:
    """Write an image into *folder*, open its database as after a start, and look."""
    for old in folder.iterdir():
        old.unlink()
    for file, content in image.files.items():
        (folder / Path(file).name).write_bytes(content)
    try:
        return _looked_through(folder / "hearts.db", image.acked)
    except sqlite3.DatabaseError as error:
        return Finding(image.acked, (str(error),))


def _looked_through(file: Path, acked: frozenset[int]) -> Finding:
    with closing(sqlite3.connect(file)) as database:
        said = [line for (line,) in database.execute("PRAGMA integrity_check")]
        gaps = [f"gaps at {table}" for (table,) in database.execute(_WITH_GAPS)]
        rows = database.execute("SELECT iid FROM events WHERE iid IS NOT NULL")
        stored = {iid for (iid,) in rows}
    faults = [line for line in (*said, *gaps) if line != "ok"]
    return Finding(acked - stored, tuple(faults))
