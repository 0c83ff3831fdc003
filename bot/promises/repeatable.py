"""Time and chance that come again the same: of what is measured, and of the month by post."""

from datetime import datetime, timedelta
from hashlib import sha256
from itertools import count

from bot.table.ids import TABLE_ID_LENGTH, TABLE_ID_LETTERS, TableId

_STEP = timedelta(seconds=10)
"""Longer than any robot waits."""


class MovedClock:
    """`bot.table.ports.Clock` that stands until it is moved; nobody ever sleeps."""

    def __init__(self, start: datetime) -> None:
        self._now = start

    def now(self) -> datetime:
        """See `bot.table.ports.Clock.now`."""
        return self._now

    async def sleep(self, seconds: float) -> None:
        """See `bot.table.ports.Clock.sleep`; whoever moves the clock runs nothing that sleeps.

        Raises:
            RuntimeError: always.
        """
        raise RuntimeError(f"{seconds} s of a clock that is moved by hand")

    def go_to(self, at: datetime) -> None:
        """Move the hands forward; never back."""
        self._now = max(self._now, at)

    def move_on(self) -> None:
        """Let a little time go by."""
        self._now += _STEP


class NumberedSeeds:
    """`bot.table.ports.Seeds` without secrets: the same ones for the same name."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._count = count()

    def seed(self) -> bytes:
        """See `bot.table.ports.Seeds.seed`."""
        return sha256(f"hearts-{self._name}|{next(self._count)}".encode()).digest()

    def table_id(self) -> TableId:
        """See `bot.table.ports.Seeds.table_id`."""
        letters = (TABLE_ID_LETTERS[byte % len(TABLE_ID_LETTERS)] for byte in self.seed())
        return TableId("".join(letters)[:TABLE_ID_LENGTH])

    def fraction(self) -> float:
        """See `bot.table.ports.Seeds.fraction`."""
        return int.from_bytes(self.seed()[:4]) / (1 << 32)
