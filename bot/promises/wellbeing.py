"""How a process feels: memory, open files, the database's log, the event loop, errors."""

import asyncio
import logging
import time
from array import array
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from os import sysconf
from pathlib import Path

_SELF, _ALL = Path("/proc/self"), Path("/proc/stat")
_PAUSE = 0.02
"""Seconds for which the loop sleeps, again and again."""
_LOOK_EACH = 1.0


class _Errors(logging.Handler):
    """Keeps the first line of everything that is logged as an error."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.heard: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        first, *_ = [*record.getMessage().splitlines(), ""]
        error = record.exc_info[1] if record.exc_info else None
        self.heard.append(first if error is None else f"{first} ({error!r})")


class Wellbeing:
    """Looks at its own process while something runs in its event loop.

    Args:
        log: the file of the database's log, which need not exist yet.
    """

    def __init__(self, log: Path) -> None:
        self._log = log
        self._errors = _Errors()
        self.lags = array("d")
        """Seconds by which the loop woke up too late, each time."""
        self.memory = array("q")
        """Bytes that lie in memory, each second."""
        self.files = array("q")
        """How many files were open, each second."""
        self.largest_log = 0
        """Bytes."""

    @property
    def errors(self) -> list[str]:
        """What went wrong and was noticed by nobody but the log."""
        return self._errors.heard

    @asynccontextmanager
    async def watched(self) -> AsyncIterator[None]:
        """Look on until the block ends."""
        logging.getLogger().addHandler(self._errors)
        watcher = asyncio.create_task(self._watch())
        try:
            yield
        finally:
            watcher.cancel()
            await asyncio.gather(watcher, return_exceptions=True)
            logging.getLogger().removeHandler(self._errors)

    async def _watch(self) -> None:
        looked = float("-inf")
        while True:
            begun = time.monotonic()
            await asyncio.sleep(_PAUSE)
            self.lags.append(max(0.0, time.monotonic() - begun - _PAUSE))
            if begun - looked >= _LOOK_EACH:
                looked = begun
                self._look()

    def _look(self) -> None:
        self.memory.append(memory())
        self.files.append(open_files())
        if self._log.exists():
            self.largest_log = max(self.largest_log, self._log.stat().st_size)


def memory() -> int:
    """Bytes of this process that lie in memory; 0 where the system does not say."""
    try:
        pages = (_SELF / "statm").read_text(encoding="ascii").split()[1]
    except OSError:
        return 0
    return int(pages) * sysconf("SC_PAGE_SIZE")


def busy() -> float:
    """Seconds of CPU that all programs of this machine have used; 0 where nobody says."""
    try:
        first = _ALL.read_text(encoding="ascii").partition("\n")[0]
    except OSError:
        return 0.0
    user, nice, system, _idle, _waiting, *interrupts = map(int, first.split()[1:9])
    return (user + nice + system + sum(interrupts)) / sysconf("SC_CLK_TCK")


def open_files() -> int:
    """Files that this process has open; 0 where the system does not say."""
    try:
        return len(list((_SELF / "fd").iterdir()))
    except OSError:
        return 0
