"""A clock that stands still until a test moves it."""

import asyncio
import heapq
from datetime import UTC, datetime, timedelta
from itertools import count

NOON = datetime(2026, 1, 5, 12, tzinfo=UTC)
_BREATHS = 20
"""Rounds of the loop in which woken tasks do what they woke for, before time goes on."""


class HandClock:
    """`bot.table.ports.Clock` by hand; whoever sleeps wakes when the clock is moved far enough."""

    def __init__(self, start: datetime = NOON) -> None:
        self._now = start
        self._sleepers: list[tuple[datetime, int, asyncio.Future[None]]] = []
        self._order = count()

    def now(self) -> datetime:
        return self._now

    async def sleep(self, seconds: float) -> None:
        if seconds <= 0:
            await asyncio.sleep(0)
            return
        wakes = asyncio.get_running_loop().create_future()
        due_at = self._now + timedelta(seconds=seconds)
        heapq.heappush(self._sleepers, (due_at, next(self._order), wakes))
        await wakes

    def move(self, seconds: float) -> None:
        """Move the hands at once; sleepers whose time has come wake when the loop runs again."""
        self._now += timedelta(seconds=seconds)
        while self._sleepers and self._sleepers[0][0] <= self._now:
            _, _, wakes = heapq.heappop(self._sleepers)
            if not wakes.done():
                wakes.set_result(None)

    async def pass_time(self, seconds: float) -> None:
        """Let time go by from one sleeper's waking to the next, each with room to act."""
        end = self._now + timedelta(seconds=seconds)
        await breathe()
        while self._sleepers and self._sleepers[0][0] <= end:
            self.move((self._sleepers[0][0] - self._now).total_seconds())
            await breathe()
        self.move((end - self._now).total_seconds())
        await breathe()


async def breathe() -> None:
    """Let all other tasks run that have something to do."""
    for _ in range(_BREATHS):
        await asyncio.sleep(0)
