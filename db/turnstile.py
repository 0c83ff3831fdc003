"""Who writes next to a file that has one writer."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

_MOST_IN_A_ROW = 10
"""After so many that were urgent, one that waits and is not gets its turn."""


class Turnstile:
    """Lets one in at a time, first come, first served; whoever is urgent goes before the others.

    A move that somebody waits for is urgent. What is only remembered of channels is not, and may
    be more: without a difference it would keep people waiting on a slow disk.
    """

    def __init__(self) -> None:
        self._taken = False
        self._urgent: deque[asyncio.Future[None]] = deque()
        self._patient: deque[asyncio.Future[None]] = deque()
        self._in_a_row = 0

    @asynccontextmanager
    async def turn(self, *, urgent: bool) -> AsyncIterator[None]:
        """Wait for one's turn, and have it until the block ends."""
        await self._enter(self._urgent if urgent else self._patient)
        try:
            yield
        finally:
            self._leave()

    async def _enter(self, queue: deque[asyncio.Future[None]]) -> None:
        if not self._taken:
            self._taken = True
            return
        mine = asyncio.get_running_loop().create_future()
        queue.append(mine)
        try:
            await mine
        except asyncio.CancelledError:
            if mine.done() and not mine.cancelled():
                self._leave()  # the turn had come, and goes on to the next
            raise

    def _leave(self) -> None:
        """Hand the turn over. Whoever was cancelled while waiting is passed by."""
        while (waiting := self._next()) is not None:
            if not waiting.done():
                waiting.set_result(None)
                return
        self._taken = False

    def _next(self) -> asyncio.Future[None] | None:
        is_enough = self._in_a_row >= _MOST_IN_A_ROW and self._patient
        if self._urgent and not is_enough:
            self._in_a_row += 1
            return self._urgent.popleft()
        self._in_a_row = 0
        return self._patient.popleft() if self._patient else None
