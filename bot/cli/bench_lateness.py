"""How late the bot's event loop wakes up while robots think in processes beside it."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from bot.rules.view import SeatView
from bot.table.thinking import Thinking

_PAUSE = 0.005
"""Seconds for which the loop sleeps, again and again."""
PROMISED = 0.005
"""Seconds by which it may be later beside a thinking process than alone, at the 99th percentile."""


class _Wall:
    """`bot.table.ports.Clock`: the machine's."""

    def now(self) -> datetime:
        return datetime.now(UTC)

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


@dataclass(frozen=True, slots=True)
class Lateness:
    """Seconds by which a loop woke up too late, each time."""

    alone: Sequence[float]
    beside: Sequence[float]
    """While one process was thinking all the time."""


def lateness(level: str, view: SeatView, times: int) -> Lateness:
    """Measure a loop so many times alone and so many beside one that thinks about *view*.

    Args:
        level: of a robot that searches.
        view: of a seat that is to move.
        times: how often the loop sleeps, in each of the two.
    """
    return asyncio.run(_measured(level, view, times))


async def _measured(level: str, view: SeatView, times: int) -> Lateness:
    thinking = Thinking(_Wall(), most=1)
    try:
        await thinking.ask(level, view, b"")  # the first one waits until the process has started
        alone = await late(times)
        enough = asyncio.Event()
        questions = asyncio.create_task(_ask_on(thinking, level, view, enough))
        beside = await late(times)
        enough.set()
        await questions
    finally:
        thinking.close()
    return Lateness(alone, beside)


async def late(times: int) -> Sequence[float]:
    """By how many seconds this loop wakes up too late, so many times."""
    found = []
    for _ in range(times):
        start = time.perf_counter()
        await asyncio.sleep(_PAUSE)
        found.append(time.perf_counter() - start - _PAUSE)
    return found


async def _ask_on(thinking: Thinking, level: str, view: SeatView, enough: asyncio.Event) -> None:
    number = 0
    while not enough.is_set():
        await thinking.ask(level, view, number.to_bytes(4))
        number += 1
