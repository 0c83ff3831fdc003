"""How the loops of this room wait: until somebody rings, or so much time has passed."""

import asyncio

from bot.table.ports import Clock


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
