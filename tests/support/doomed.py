"""The whole bot but for Discord, to be killed at a named point between a click and its post.

Nothing in the program knows of these points: the ports that it is given tell of them. The process
talks to its parent through a pipe: it says what is clicked and answered, as
`tests.support.kill_child` does, and asks Discord, which stands on the other side.
"""

import asyncio
import logging
import os
import random
import signal
from collections.abc import Awaitable, Callable, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import datetime
from multiprocessing.connection import Connection
from typing import Any

from sqlmodel import Session

from bot.table.clocks import move_clock
from bot.table.events import TableEvent
from bot.table.ids import ChannelId, Human, MessageId, Robot, UserId
from bot.table.manager import OpenTable, TableManager
from bot.table.persons import Persons
from bot.table.publisher import Publisher
from bot.table.robots import Robots
from bot.table.state import LIVE
from bot.table.storing import At, Cause, Followings, PostedState, Timer
from bot.table.timekeeper import Timekeeper
from bot.table.views import TableView
from db.engine import Answer, Database, Unit, open_database
from db.event_store import SqlEventStore
from db.settings import SqlSettings
from db.work import SqlWork
from tests.support.clock import HandClock
from tests.support.deals import house_rules
from tests.support.fakes import CountedSeeds
from tests.support.far_discord import Answered, Asked, FarPoster
from tests.support.kill_child import GUILD, SEATS, Click, HastyStore, Person
from tests.support.tables import without_bank

POINTS = (
    "before deciding",
    "after deciding",
    "inside the transaction",
    "after the commit",
    "after believing",
    "after the answer",
    "before a timer",
    "inside a timer's transaction",
    "after a timer's commit",
    "before a send",
    "after a send",
    "after the post is stored",
    "before an edit",
    "after an edit",
    "before a call",
    "after a call",
    "after the call is stored",
    "before a deletion",
    "after a deletion",
    "after the deletion is stored",
)
"""Where a process may be killed, along the way of a click, a timer, a post and an outbox row."""
CHANNELS = 3
_STEPS = (1, 2, 4, 30)
"""Seconds that go by between two looks of everybody at the tables."""
_QUICK = house_rules(end={"target": 12})


@dataclass(slots=True)
class Doom:
    """Where this process ends."""

    point: str | None
    """``None``: it lives on."""
    passes: int
    """The how-manieth time that the point is passed."""

    def pass_by(self, point: str) -> None:
        if point == self.point:
            self.passes -= 1
            if self.passes == 0:
                os.kill(os.getpid(), signal.SIGKILL)


class _TellingDatabase:
    """Lets its caller look at the end of each transaction, right before the COMMIT."""

    def __init__(self, database: Database, before_commit: Callable[[], None]) -> None:
        self._database = database
        self._before_commit = before_commit
        self.read = database.read

    async def write(self, unit: Unit[Answer]) -> Answer:
        def watched(session: Session) -> Answer:
            answer = unit(session)
            self._before_commit()
            return answer

        return await self._database.write(watched)


_BY_TIMER: ContextVar[bool] = ContextVar("by_timer", default=False)


class _DoomedStore(SqlEventStore):
    def __init__(self, database: Database, doom: Doom) -> None:
        self._doom = doom
        watched: Any = _TellingDatabase(database, self._before_commit)
        super().__init__(watched)

    async def commit(
        self, at: At, events: Sequence[TableEvent], cause: Cause, followings: Followings
    ) -> None:
        by_timer = cause.user_id is None
        if not by_timer:
            self._doom.pass_by("after deciding")
        _BY_TIMER.set(by_timer)
        await super().commit(at, events, cause, followings)
        self._doom.pass_by("after a timer's commit" if by_timer else "after the commit")

    def _before_commit(self) -> None:
        inside = "inside a timer's transaction" if _BY_TIMER.get() else "inside the transaction"
        self._doom.pass_by(inside)


class _VeryHastyStore(HastyStore):
    late_by = 0.2


class _DoomedWork(SqlWork):
    def __init__(self, database: Database, doom: Doom) -> None:
        super().__init__(database)
        self._doom = doom

    async def posted(self, state: PostedState) -> None:
        await super().posted(state)
        self._doom.pass_by("after the post is stored")

    async def ping_sent(
        self, outgoing_id: int, channel_id: ChannelId, message_id: MessageId
    ) -> None:
        await super().ping_sent(outgoing_id, channel_id, message_id)
        self._doom.pass_by("after the call is stored")

    async def done(self, outgoing_id: int) -> None:
        await super().done(outgoing_id)
        self._doom.pass_by("after the deletion is stored")


@dataclass(frozen=True, slots=True)
class _DoomedTables:
    """What the timekeeper fires at."""

    tables: TableManager
    doom: Doom
    say: Callable[[dict[str, Any]], None]

    async def fire(self, timer: Timer) -> bool:
        self.doom.pass_by("before a timer")
        before = await self.tables.version(timer.table_id)
        done = await self.tables.fire(timer)
        if await self.tables.version(timer.table_id) != before:
            key = (timer.table_id, timer.seat, timer.kind.value, timer.moment)
            self.say({"fired": key})
        return done


@dataclass(frozen=True, slots=True, kw_only=True)
class Bot:
    """One life of the bot."""

    database: Database
    clock: HandClock
    store: SqlEventStore
    work: SqlWork
    tables: TableManager
    publisher: Publisher
    timekeeper: Timekeeper


def build(
    url: str,
    *,
    clock: HandClock,
    seeds: CountedSeeds,
    ask: Callable[[Asked], Awaitable[Answered]],
    doom: Doom,
    say: Callable[[dict[str, Any]], None],
    hasty: bool = False,
) -> Bot:
    """Put it together as `bot.app.build` does."""
    database = open_database(url)
    store = _VeryHastyStore(database) if hasty else _DoomedStore(database, doom)
    settings, work = SqlSettings(database), _DoomedWork(database, doom)
    tables = TableManager(
        store=store, settings=settings, clock=clock, seeds=seeds, robots=Robots(seeds)
    )
    poster = FarPoster(ask, clock.now, doom.pass_by)
    log = logging.getLogger("bot.table.publisher")
    publisher = Publisher(work, tables, Persons(settings, tables), poster, clock, log)
    timekeeper = Timekeeper(work, _DoomedTables(tables, doom, say), clock)
    tables.listen(lambda _table: doom.pass_by("after believing"))
    tables.listen(publisher.wake)
    return Bot(
        database=database,
        clock=clock,
        store=store,
        work=work,
        tables=tables,
        publisher=publisher,
        timekeeper=timekeeper,
    )


class Company(Person):
    """Everybody who plays here: some take their time, some sleep, and some press twice."""

    doom: Doom

    async def send(self, click: Click) -> None:
        self._pipe.send({"try": click})
        self.doom.pass_by("before deciding")
        presses = 2 if self._dice.random() < 0.15 else 1
        await asyncio.gather(*(self.carry_out(click) for _ in range(presses)))
        self.doom.pass_by("after the answer")

    async def look(self, channel: int) -> list[Click]:
        """What the people of a channel press now; a new table where the last one is over."""
        view = await self._table_in(channel)
        return await self._clicks(view, channel)

    def _wish(self, channel: int) -> OpenTable:
        robots = ("casual",) * (channel % 3)
        return OpenTable(
            guild_id=GUILD,
            channel_id=ChannelId(channel),
            ruleset=_QUICK,
            seats=SEATS,
            clock=without_bank("live") if channel % 2 else move_clock("24h"),
            robots=robots,
            invited=(),
        )

    async def _clicks(self, view: TableView, channel: int) -> list[Click]:
        if view.game is None:
            return await super()._clicks(view, channel)
        if view.status not in LIVE:
            return []
        clicks: list[Click] = []
        for seat in view.game.waiting:
            chair = view.chairs[seat]
            if isinstance(chair, Human) and self._dice.random() < 0.6:
                clicks.append(self._move(view, await self._tables.hand(view.id, chair.user_id)))
        return clicks + [
            self._back(view, chair.keeps_for)
            for chair in view.chairs
            if isinstance(chair, Robot) and chair.keeps_for and self._dice.random() < 0.3
        ]

    def _back(self, view: TableView, user: UserId) -> Click:
        return Click(next(self._numbers), view.id, user, "back")


@dataclass(frozen=True, slots=True, kw_only=True)
class Orders:
    """What one process has to do."""

    url: str
    life: int
    """The processes, counted from 1."""
    point: str | None
    """Where it is killed, one of `POINTS`; ``None``: it is killed from outside."""
    passes: int
    """The how-manieth time that it comes there."""
    now: datetime
    unanswered: Sequence[Click]
    """What the process before it left without an answer; pressed again first."""
    hasty: bool = False
    """Whether the store answers before its commit."""


class _Complaints(logging.Handler):
    """Tells the parent of every error that the bot logs."""

    def __init__(self, say: Callable[[dict[str, Any]], None]) -> None:
        super().__init__(logging.ERROR)
        self._say = say

    def emit(self, record: logging.LogRecord) -> None:
        fault = record.exc_info[1] if record.exc_info else None
        self._say({"complaint": f"{record.getMessage()} ({fault!r})"})


@dataclass(slots=True)
class _Line:
    """Asks Discord through the pipe, several requests at once."""

    pipe: Connection
    _waiting: dict[int, asyncio.Future[Answered]] = field(default_factory=dict)
    _asked: int = 0

    def open(self) -> None:
        asyncio.get_running_loop().add_reader(self.pipe.fileno(), self._hear)

    async def ask(self, asked: Asked) -> Answered:
        self._asked += 1
        answer = self._waiting[self._asked] = asyncio.get_running_loop().create_future()
        self.pipe.send({"ask": asked, "id": self._asked})
        return await answer

    def _hear(self) -> None:
        while self.pipe.poll():
            number, answered = self.pipe.recv()
            self._waiting.pop(number).set_result(answered)


def live(pipe: Connection, orders: Orders) -> None:
    """Play until killed."""
    asyncio.run(_live(pipe, orders))


async def _live(pipe: Connection, orders: Orders) -> None:
    line, clock = _Line(pipe), HandClock(orders.now)
    line.open()
    logging.getLogger("bot").addHandler(_Complaints(pipe.send))
    doom, dice = Doom(orders.point, orders.passes), random.Random(orders.life)
    bot = build(
        orders.url,
        clock=clock,
        seeds=CountedSeeds(f"life {orders.life}"),
        ask=line.ask,
        doom=doom,
        say=pipe.send,
        hasty=orders.hasty,
    )
    company = Company(bot.tables, orders.life * 1_000_000, dice, pipe, clock.now)
    company.doom = doom
    await bot.timekeeper.credit_outage()
    # Nobody's click can come in before the gateway is open, and by then this is done.
    await bot.publisher.flush()
    pressed = [company.carry_out(click) for click in orders.unanswered]
    while True:
        await asyncio.gather(bot.timekeeper.fire_due(), bot.publisher.step(), *pressed)
        clock.move(dice.choice(_STEPS))
        pipe.send({"now": clock.now()})
        await bot.work.beat(clock.now())
        looks = await asyncio.gather(*map(company.look, range(1, CHANNELS + 1)))
        pressed = [company.send(click) for clicks in looks for click in clicks]
