"""A process that thinks: started for it, nice to others, and gone when this one is."""

import multiprocessing
import os
import signal
import threading
from concurrent.futures import Future, ProcessPoolExecutor
from multiprocessing.connection import wait
from multiprocessing.context import SpawnContext, SpawnProcess
from typing import Any

from bot.rules.commands import Command
from bot.table.thought import Question, answer

_NICENESS = 10
"""By how much it stands back where the bot itself wants the core (of 19 at most)."""


class ThinkingProcess:
    """One process of its own. It is started by the first question, which takes milliseconds.

    Spawned, never forked: a fork would inherit the locks of an event loop and its threads.
    """

    def __init__(self) -> None:
        self._context = _RememberingContext()
        self._executor = ProcessPoolExecutor(1, self._context, _settle_down)

    def ask(self, question: Question) -> Future[Command]:
        """Have the process answer.

        The future raises `BrokenExecutor` where the process dies over it.

        Raises:
            BrokenExecutor: it has died before.
        """
        return self._executor.submit(answer, question)

    def end(self) -> None:
        """End the process at once, also in the middle of a thought."""
        # First of all, so that a question which is on its way starts no process any more.
        self._executor.shutdown(wait=False, cancel_futures=True)
        for process in self._context.made:
            if process.pid is not None:
                process.kill()


class _RememberingContext(SpawnContext):
    """Remembers its processes: an executor has no way to end one that works.

    One that the system refused to start has no pid.
    """

    def __init__(self) -> None:
        super().__init__()
        self.made: list[SpawnProcess] = []

    def Process(self, *args: Any, **kwargs: Any) -> SpawnProcess:  # type: ignore[override]  # noqa: ANN401, N802  as the library has it
        process = SpawnProcess(*args, **kwargs)
        self.made.append(process)
        return process


def _settle_down() -> None:
    """Prepare this process, which is the one that thinks."""
    # A terminal and some hosts signal all processes. The bot decides, when it has drained.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    if (nice := getattr(os, "nice", None)) is not None:  # not on Windows
        nice(_NICENESS)
    end_with_parent()


def end_with_parent() -> None:
    """Have this process end at once when the one that started it is gone, even if it was killed.

    Of itself an executor's process would wait for that one for ever.
    """
    threading.Thread(target=_wait_for_parent, daemon=True).start()


def _wait_for_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(0)
