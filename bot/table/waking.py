"""How the loops of this room wait, and who is told that a table changed."""

import asyncio
import logging
from collections.abc import Callable

from bot.table.ids import TableId
from bot.table.ports import Clock

_log = logging.getLogger(__name__)

Listener = Callable[[TableId], None]
"""Told of a table that changed; must not wait."""


class Listeners:
    """Tells everybody who listens of a table that changed."""

    def __init__(self) -> None:
        self._listeners: list[Listener] = []

    def add(self, listener: Listener) -> None:
        """Have *listener* told from now on."""
        self._listeners.append(listener)

    def tell(self, table_id: TableId) -> None:
        """Tell them all; the change is on disk, whatever a listener does."""
        for listener in self._listeners:
            try:
                listener(table_id)
            except Exception:  # noqa: BLE001  one listener's fault is not the others'
                _log.exception("Table %s: somebody could not be told of a change.", table_id)


class Bell:
    """Rings once for however many pulls; whoever waits is woken, or will not wait at all."""

    def __init__(self) -> None:
        self._rung = asyncio.Event()

    def pull(self) -> None:
        """Wake the one who waits, now or as soon as it waits."""
        self._rung.set()

    async def wait(self, clock: Clock, seconds: float) -> None:
        """Return when the bell was pulled, or after so many seconds of *clock*."""
        waits = (
            asyncio.ensure_future(self._rung.wait()),
            asyncio.ensure_future(clock.sleep(seconds)),
        )
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for wait in waits:
                wait.cancel()
            await asyncio.gather(*waits, return_exceptions=True)
        self._rung.clear()
