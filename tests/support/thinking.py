"""Processes that think, without a process: a test says what they answer, and when."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from bot.rules.commands import Command
from bot.table.thinking import Thinking
from bot.table.thought import Question, answer
from tests.support.clock import HandClock


class FakeProcess:
    """`bot.table.thinking.Process`: it answers when a test wants it to."""

    def __init__(self) -> None:
        self.asked: list[Question] = []
        self.answers: list[Future[Command]] = []
        self.ended = False

    def ask(self, question: Question) -> Future[Command]:
        future: Future[Command] = Future()
        self.answers.append(future)
        self.asked.append(question)  # last of all: a test looks for it
        return future

    def end(self) -> None:
        """As a process that is killed: what it was asked comes to nothing."""
        self.ended = True
        for answer_ in self.answers:
            if not answer_.done():
                answer_.set_exception(BrokenProcessPool())

    def finish(self) -> Command:
        """Answer the newest question as a process would."""
        command = answer(self.asked[-1])
        self.answers[-1].set_result(command)
        return command

    def die(self, error: BaseException) -> None:
        """Have the newest question fail."""
        self.answers[-1].set_exception(error)


class FakeProcesses:
    """All processes that were started."""

    def __init__(self) -> None:
        self.started: list[FakeProcess] = []

    def start(self) -> FakeProcess:
        self.started.append(FakeProcess())
        return self.started[-1]

    def thinking(self, clock: HandClock | None = None, **settings: Any) -> Thinking:
        return Thinking(clock or HandClock(), start=self.start, **({"most": 1} | settings))

    @property
    def asked(self) -> list[Question]:
        return [question for process in self.started for question in process.asked]


async def until(seen: Callable[[], bool]) -> None:
    """Let everything else run until something is seen, a helping thread included."""
    for _ in range(100_000):
        if seen():
            return
        await asyncio.sleep(0)
    raise AssertionError("never seen")
