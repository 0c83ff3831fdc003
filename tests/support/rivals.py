"""Several bot processes over one database, and all that happens to them.

Here are Discord, which outlives every process, the people, whose presses now and then reach the
wrong process or two at once, and the hand that stops, continues and kills processes.
"""

import asyncio
import multiprocessing
import os
import random
import signal
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import timedelta
from itertools import count
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from typing import Any

from bot.table.shards import Shards
from tests.support.far_discord import Answered, Asked, FarDiscord
from tests.support.kill_child import Click
from tests.support.shard_child import Plan, guild_of, live

LENGTH = timedelta(seconds=2)
"""Of a lease, so that many are taken over in a short while."""
_FIRST_PRESS = 10**12
_PATIENCE = 3.0
"""Seconds after which nobody waits for an answer any more; Discord does as much."""
_START = 60.0
"""Seconds in which a process has to take presses, on however busy a machine."""
_KILLS = 0.15
"""Which part of all rough treatment ends a process; the rest stops it for a while."""
Holder = Callable[[], Awaitable[str]]
"""Reads who has the lease of shard 0: `Plan.owner`."""
_SPAWN = multiprocessing.get_context("spawn")


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """What is played, and how roughly."""

    processes: int
    tables: int
    seconds: float
    shards: Sequence[Shards]
    """What each process serves."""
    seed: int = 1
    thinks: float = 0.25
    """The longest that people think before they look again, in seconds."""
    faults: float = 0.02
    """See `FarDiscord`."""
    fenced: bool = True


@dataclass(slots=True)
class Life:
    """One process."""

    number: int
    """Which of the processes it is, counted from 0."""
    process: SpawnProcess
    pipe: Connection
    serves: asyncio.Event = field(default_factory=asyncio.Event)
    """Set once it takes presses."""
    stopped: bool = False
    killed: bool = False
    held_back: list[Mapping[str, Any]] | None = None
    """Answers of Discord's that it does not get yet."""

    def send(self, message: Mapping[str, Any]) -> None:
        with suppress(OSError):  # it was killed a moment ago
            self.pipe.send(message)


@dataclass(slots=True)
class Records:
    """What was pressed, and what was said about it."""

    pressed: dict[int, Click] = field(default_factory=dict)
    answers: defaultdict[int, list[str]] = field(default_factory=lambda: defaultdict(list))
    """By press: what each delivery of it got; nothing, where nobody ever answered."""
    deliveries: Counter[int] = field(default_factory=Counter)
    done: Counter[str] = field(default_factory=Counter)
    """Stops, continuations, kills, and writes that came too late."""
    failures: list[str] = field(default_factory=list)


class Rivals:
    """Runs a course.

    Args:
        course: of what.
        url: of the database, once for each process: by its own role there.
    """

    def __init__(self, course: Course, urls: Sequence[str]) -> None:
        self.records = Records()
        self.dice = random.Random(course.seed)
        self.discord = FarDiscord(self.dice, course.faults)
        self.senders: defaultdict[str, list[tuple[Life, Answered]]] = defaultdict(list)
        """By nonce: who had a message sent, and what came back."""
        self._course = course
        self._urls = urls
        self._lives: list[Life] = []
        self._born = count(1)
        self._numbers = count(_FIRST_PRESS)
        self._looks: dict[int, asyncio.Future[list[Click]]] = {}
        self._waits: dict[int, asyncio.Event] = {}
        self._people: list[asyncio.Task[None]] = []
        self._stops: list[asyncio.Task[None]] = []
        self._over = False

    async def run(self, holder: Holder) -> None:
        """Play until the time is over; then all processes live and go on posting.

        Whatever chance did before, one of them is overtaken at the end.
        """
        await self.begin()
        await self._treat_roughly()
        await asyncio.gather(*self._stops, self._all_serve())
        await self.overtake(holder)
        await self.calm_down()

    async def begin(self) -> None:
        """Start all processes, and have the people play."""
        self._lives = [self._start(number) for number in range(self._course.processes)]
        await self._all_serve()
        channels = range(1, self._course.tables + 1)
        self._people = [asyncio.create_task(self._play(channel)) for channel in channels]

    async def calm_down(self) -> None:
        """Stop nobody any more, and let the people finish what they began."""
        await asyncio.gather(*self._stops, self._all_serve())
        self._over = True
        await asyncio.gather(*self._people)

    async def _all_serve(self) -> None:
        async with asyncio.timeout(_START):
            await asyncio.gather(*(life.serves.wait() for life in self._lives))

    async def overtake(self, holder: Holder) -> None:
        """Stop the process that works, in the middle of a post, until another has its leases."""
        async with asyncio.timeout(_START):
            await self._overtake(holder)

    async def _overtake(self, holder: Holder) -> None:
        before = await holder()
        life = self._lives[int(before.partition("/")[0].removeprefix("bot"))]
        life.held_back = []
        while not life.held_back:  # noqa: ASYNC110  the process does the work
            await asyncio.sleep(0.05)
        self._signal(life, signal.SIGSTOP)
        while await holder() == before:  # noqa: ASYNC110  the other one does the work
            await asyncio.sleep(0.1)
        self._signal(life, signal.SIGCONT)
        answers, life.held_back = life.held_back, None
        for answer in answers:
            life.send(answer)

    def may_be_forgotten(self, nonce: str) -> bool:
        """Whether nobody could know of a message: its sender was killed, or never heard of it."""
        return any(life.killed or answered.fault for life, answered in self.senders[nonce])

    def end(self) -> None:
        """Kill whoever is left."""
        for life in self._lives:
            life.killed = True
            life.process.kill()
            self._bury(life)
        self._lives.clear()

    def _start(self, number: int) -> Life:
        here, there = _SPAWN.Pipe()
        born = next(self._born)
        plan = Plan(
            url=self._urls[number],
            shards=self._course.shards[number],
            owner=f"bot{number}/{born}",
            life=born,
            length=LENGTH,
            fenced=self._course.fenced,
        )
        process = _SPAWN.Process(target=live, args=(there, plan), daemon=True)
        process.start()
        there.close()
        life = Life(number, process, here)
        asyncio.get_running_loop().add_reader(here.fileno(), self._hear, life)
        return life

    def _hear(self, life: Life) -> None:
        try:
            while life.pipe.poll():
                self._take(life, life.pipe.recv())
        except (EOFError, OSError):
            with suppress(OSError, ValueError):
                asyncio.get_running_loop().remove_reader(life.pipe.fileno())

    def _take(self, life: Life, said: Mapping[str, Any]) -> None:
        if "ask" in said:
            self._answer(life, said["ask"], said["what"])
        elif "seen" in said:
            if (look := self._looks.pop(said["seen"], None)) and not look.done():
                look.set_result(said["clicks"])
        elif "serves" in said:
            life.serves.set()
        elif "late" in said:
            self.records.done["late"] += 1
        elif "failed" in said:
            self.records.failures.append(said["failed"])
        else:
            number = said.get("ack") or said["refused"]
            self.records.answers[number].append("ack" if "ack" in said else said["why"])
            if waits := self._waits.get(number):
                waits.set()

    def _answer(self, life: Life, number: int, asked: Asked) -> None:
        """Discord's answer takes a moment, before and after it is carried out."""
        loop = asyncio.get_running_loop()
        there, back = self.dice.uniform(0.005, 0.05), self.dice.uniform(0.005, 0.05)

        def carry_out() -> None:
            answered: Answered = self.discord.answer(asked)
            if asked.nonce:
                self.senders[asked.nonce].append((life, answered))
            if life.held_back is not None:
                life.held_back.append({"answer": number, "what": answered})
            else:
                loop.call_later(back, life.send, {"answer": number, "what": answered})

        loop.call_later(there, carry_out)

    async def _treat_roughly(self) -> None:
        loop = asyncio.get_running_loop()
        until = loop.time() + self._course.seconds
        while loop.time() < until:
            await asyncio.sleep(self.dice.uniform(1, 3))
            life = self.dice.choice(self._lives)
            if life.stopped or not life.serves.is_set():
                continue
            if not self.records.done["kills"] or self.dice.random() < _KILLS:
                await self._kill(life)
            else:
                stop = self._stop(life, self.dice.choice((0.3, 1, 3, 4)))
                self._stops.append(asyncio.create_task(stop))

    async def _stop(self, life: Life, seconds: float) -> None:
        self._signal(life, signal.SIGSTOP)
        life.stopped = True
        self.records.done["stops"] += 1
        await asyncio.sleep(seconds)
        self._signal(life, signal.SIGCONT)
        life.stopped = False

    async def _kill(self, life: Life) -> None:
        self._signal(life, signal.SIGKILL)
        life.killed = True
        self.records.done["kills"] += 1
        await asyncio.sleep(self.dice.uniform(0, 0.5))
        self._bury(life)
        self._lives[self._lives.index(life)] = self._start(life.number)

    def _bury(self, life: Life) -> None:
        life.process.join()
        asyncio.get_running_loop().remove_reader(life.pipe.fileno())
        life.pipe.close()

    def _signal(self, life: Life, number: signal.Signals) -> None:
        if life.process.pid is not None and life.process.is_alive():
            os.kill(life.process.pid, number)

    async def _play(self, channel: int) -> None:
        """The people of one channel press what they see, until the time is over."""
        while not self._over:
            for click in await self._look(channel):
                numbered = replace(click, number=next(self._numbers))
                self.records.pressed[numbered.number] = numbered
                await self._press(numbered, channel)
            await asyncio.sleep(self.dice.uniform(0.2, 1) * self._course.thinks)

    async def _look(self, channel: int) -> list[Click]:
        number = next(self._numbers)
        seen = asyncio.get_running_loop().create_future()
        self._looks[number] = seen
        self._reached(channel).send({"look": number, "channel": channel})
        try:
            return await asyncio.wait_for(seen, _PATIENCE)
        except TimeoutError:
            return []

    async def _press(self, click: Click, channel: int) -> None:
        """Press once; the press reaches one process, two at once, or comes once more later."""
        fate = self.dice.random()
        first = self._reached(channel)
        reached = [first] if fate > 0.1 else self._lives
        await self._deliver(click, reached)
        if fate > 0.9:
            await self._deliver(click, [self.dice.choice(self._lives)])

    async def _deliver(self, click: Click, reached: Sequence[Life]) -> None:
        heard = self._waits[click.number] = asyncio.Event()
        for life in reached:
            self.records.deliveries[click.number] += 1
            life.send({"press": click})
        with suppress(TimeoutError):
            await asyncio.wait_for(heard.wait(), _PATIENCE)
        del self._waits[click.number]

    def _reached(self, channel: int) -> Life:
        """Mostly a process of the channel's shard; a direct message reaches another one."""
        shard = (guild_of(channel, self._course.shards[0].count) >> 22) % self._course.processes
        return self.dice.choice(self._lives) if self.dice.random() < 0.2 else self._lives[shard]
