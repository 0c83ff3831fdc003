"""Has robots think in processes of their own, so that nothing else of the bot waits for them."""

import asyncio
import logging
import os
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, Protocol

from bot.rules.commands import Command
from bot.rules.view import SeatView
from bot.table.ports import Clock
from bot.table.processes import ThinkingProcess
from bot.table.thought import Question

_USUAL_PROCESSES = 4
QUEUE = 24
"""Questions that may wait, for each process: where robots pass, nine at a table are asked at once.
By then each gets so little time that all are answered within about two seconds."""
PATIENCE_SECONDS = 15.0
"""After so long an answer is given up. An honest one is there in about one second, the first one of
a process in two."""
_QUESTIONS_A_LIFE = 2_000
"""After so many a process is replaced, whatever it has gathered in memory."""

_log = logging.getLogger(__name__)


class NoThoughtError(Exception):
    """No answer comes in time. Somebody quicker has to be asked."""


class Process(Protocol):
    """As `bot.table.processes.ThinkingProcess`."""

    def ask(self, question: Question) -> Future[Command]:
        """Have the process answer; starts it, if it has not been asked before."""
        ...

    def end(self) -> None:
        """End it at once."""
        ...


def processes(wished: int | None) -> int:
    """How many processes may think at once on this machine: at most one a core.

    Args:
        wished: by the operator; ``None``: a few.
    """
    return min(_USUAL_PROCESSES if wished is None else wished, os.cpu_count() or 1)


class Thinking:
    """Processes that think, started when they are first needed, and a queue that is bounded.

    The more questions wait, the less time each one gets.

    Args:
        clock: by which patience ends.
        most: how many processes think at once; 0: nobody thinks.
        start: makes a process; a test has its own.
    """

    def __init__(
        self, clock: Clock, *, most: int, start: Callable[[], Process] = ThinkingProcess
    ) -> None:
        self.most = most
        self._clock = clock
        self._start = start
        self._free = asyncio.Semaphore(most)
        self._waiting = 0
        self._idle: list[Process] = []
        """The one that has thought last comes last, and is asked first."""
        self._alive: dict[Process, int] = {}
        """All of them, and how many questions each has had."""
        self._under_way: set[asyncio.Task[Command]] = set()
        self._closed = False

    @property
    def waiting(self) -> int:
        """Questions that no process has taken yet."""
        return self._waiting

    async def ask(self, level: str, view: SeatView, seed: bytes) -> Command:
        """What a robot of *level* does in the seat of *view*, with dice of *seed*.

        Whoever is cancelled while it waits leaves the queue; a thought that has begun is ended
        first, since a process costs more to start than to let finish.

        Raises:
            NoThoughtError: too many wait, the process died or failed, or it took too long.
        """
        if self._closed or self._waiting >= self.most * QUEUE:
            if self.most and not self._closed:
                _log.warning("%d robots wait already: one plays by rule.", self._waiting)
            raise NoThoughtError("too many robots think")
        self._waiting += 1
        try:
            await self._free.acquire()
        finally:
            self._waiting -= 1
        part = 1 / (1 + self._waiting / self.most)
        question = Question(level=level, view=view, seed=seed, part=part)
        task = asyncio.create_task(self._think(question))
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)
        return await asyncio.shield(task)

    def close(self) -> None:
        """End all processes at once, and start no more."""
        self._closed = True
        for process in list(self._alive):
            self._bury(process)

    async def _think(self, question: Question) -> Command:
        """Let a process answer; it is kept only if it did."""
        process = None
        try:
            process = self._at_hand()
            command = await self._in_time(process, question)
        except Exception as error:  # noqa: BLE001  whatever a search dies of, the game goes on
            # The words of an error may name cards of a hand.
            kind = type(error).__name__
            if not self._closed:
                _log.warning("Robot %s has no answer and plays by rule: %s.", question.level, kind)
            raise NoThoughtError(kind) from None
        else:
            if not self._closed and self._alive[process] < _QUESTIONS_A_LIFE:
                self._idle.append(process)
            return command
        finally:
            if process is not None and process not in self._idle:
                self._bury(process)
            self._free.release()

    def _at_hand(self) -> Process:
        if self._closed:
            raise NoThoughtError("the bot stops")
        process = self._idle.pop() if self._idle else self._start()
        self._alive[process] = self._alive.get(process, 0) + 1
        return process

    async def _in_time(self, process: Process, question: Question) -> Command:
        if self._alive[process] > 1:
            asked = process.ask(question)
        else:  # to start it takes milliseconds, which the loop does not have
            asked = await asyncio.to_thread(process.ask, question)
        answer = asyncio.wrap_future(asked)
        alarm = asyncio.ensure_future(self._clock.sleep(PATIENCE_SECONDS))
        either: tuple[asyncio.Future[Any], ...] = (answer, alarm)
        try:
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        finally:
            alarm.cancel()
        if not answer.done():
            answer.cancel()
            raise NoThoughtError("it took too long")
        return answer.result()

    def _bury(self, process: Process) -> None:
        self._alive.pop(process, None)
        process.end()
