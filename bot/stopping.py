"""How the program ends: asked by a signal, within the time that every host grants.

Nothing depends on it. What a stop leaves undone, the next start does, as after a death; a stop is
only kinder to those who have just pressed something (reliability.md 4, "SIGTERM").
"""

import asyncio
import logging
import os
import signal
import socket
import threading
import time
from collections.abc import Awaitable
from contextlib import suppress
from types import FrameType
from typing import Any

log = logging.getLogger(__name__)

SECONDS = 4.0
"""In so many seconds after the first signal all is done that can be done: hosts grant ten, and
some fewer."""
HARD_SECONDS = 8.0
"""After so many the process ends itself, whatever it hangs on."""
_LAST_WORDS_SECONDS = 0.5
_SIGNALS = (signal.SIGTERM, signal.SIGINT)


class Stop:
    """Hears the signals that ask for the end. From the first one on, time runs out.

    It hears from the moment it is made and to the end of the process, so that a signal that comes
    early or late is no sudden death. Signals after the first change nothing.

    Raises:
        ValueError: it is not made in the main thread.
    """

    def __init__(self) -> None:
        self._asked = threading.Event()
        self._ends_at = 0.0
        self._watch: threading.Timer | None = None
        # A signal may come to any thread; written to a socket, it wakes the loop all the same.
        self._ear, self._mouth = socket.socketpair()
        for end in (self._ear, self._mouth):
            end.settimeout(0)
        self._woken_before = signal.set_wakeup_fd(self._mouth.fileno(), warn_on_full_buffer=False)
        self._before = {number: signal.signal(number, self._hear) for number in _SIGNALS}

    @property
    def asked(self) -> bool:
        """Whether a signal has come."""
        return self._asked.is_set()

    async def wait(self) -> None:
        """Return once a signal has come."""
        loop = asyncio.get_running_loop()
        while not self.asked:
            with suppress(BlockingIOError):
                await loop.sock_recv(self._ear, 1)

    async def unless_asked(self, work: Awaitable[Any]) -> bool:
        """Carry out *work*, and leave it where a signal comes first; whether it was carried out."""
        doing, waiting = asyncio.ensure_future(work), asyncio.create_task(self.wait())
        try:
            await asyncio.wait({doing, waiting}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            waiting.cancel()
            if not doing.done():
                doing.cancel()
        with suppress(asyncio.CancelledError):
            await doing
        return not doing.cancelled()

    def left(self, most: float) -> float:
        """*most* seconds, or fewer where a stop has not as many left."""
        return min(most, max(0.0, self._ends_at - time.perf_counter())) if self.asked else most

    async def in_time(self, work: Awaitable[Any], most: float) -> None:
        """Wait for *work* no longer than `left`; the store is whole anyway."""
        seconds = self.left(most)
        try:
            await asyncio.wait_for(work, seconds)
        except TimeoutError:
            log.warning("stopping: something took more than %.1f s and was left", seconds)

    def close(self) -> None:
        """Hear nothing more, for a program that goes on."""
        for number, before in self._before.items():
            signal.signal(number, before)
        signal.set_wakeup_fd(self._woken_before)
        if self._watch is not None:
            self._watch.cancel()
        for end in (self._ear, self._mouth):
            end.close()

    def _hear(self, _number: int, _frame: FrameType | None) -> None:
        if self.asked:
            return
        self._ends_at = time.perf_counter() + SECONDS
        self._watch = threading.Timer(HARD_SECONDS, _end_by_force)
        self._watch.daemon = True
        self._watch.start()
        self._asked.set()


def _end_by_force() -> None:
    """End the process where it is; a death is what the store is made for."""
    # What hangs may be the log itself, whose reader is gone: nobody waits for that.
    saying = threading.Thread(target=_say_so, daemon=True)
    saying.start()
    saying.join(_LAST_WORDS_SECONDS)
    os._exit(1)


def _say_so() -> None:
    log.error("stopping took more than %s s: ended by force, and nothing is lost", HARD_SECONDS)
    logging.shutdown()
