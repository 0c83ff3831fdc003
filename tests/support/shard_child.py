"""One of several bot processes over one database: all of a bot but its gateway.

It talks to its parent through a pipe. The parent is Discord, the people, and the hand that stops,
continues and kills this process.
"""

import asyncio
import logging
import random
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import count
from multiprocessing.connection import Connection
from typing import Any

from sqlmodel import Session

from bot.rules.errors import HeartsError
from bot.table.ids import ChannelId, GuildId, Human, InteractionId
from bot.table.leases import Leases
from bot.table.manager import OpenTable, TableManager
from bot.table.persons import Persons
from bot.table.publisher import Publisher
from bot.table.robots import Robots
from bot.table.shards import Lease, LeaseLostError, Shards
from bot.table.state import Status
from bot.table.storing import Cause
from bot.table.timekeeper import Timekeeper
from bot.table.views import TableView
from db import fences
from db.engine import open_database
from db.event_store import SqlEventStore
from db.leases import SqlLeases
from db.settings import SqlSettings
from db.work import SqlWork
from tests.support.deals import house_rules
from tests.support.fakes import CountedSeeds
from tests.support.far_discord import Answered, Asked, FarPoster
from tests.support.kill_child import Click, MachineClock, Person, _user
from tests.support.tables import without_bank

_QUICK = house_rules(end={"target": 25})
_SEATS = 4
_ROBOTS = ("casual", "casual")
_ROBOT_SCALE = 0.1
_FIRST_GUILD = 1_000_000
_TABLES_A_GUILD = 40
"""A server may have fifty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What a process is to be."""

    url: str
    shards: Shards
    owner: str
    """Its name: its role in the database, a slash, and which life of it this is."""
    life: int
    """Counted from 1 over all processes."""
    length: timedelta
    """Of a lease."""
    fenced: bool = True
    """False: the planted fault, a process whose writes do not look at its lease."""


def guild_of(channel: int, shards: int) -> GuildId:
    """The server of a channel; one channel after the other lies in the next shard."""
    full = channel // (shards * _TABLES_A_GUILD)
    return GuildId((_FIRST_GUILD + channel % shards + full * shards) << 22)


class StoredClock(MachineClock):
    """The machine's time in the steps in which stores keep it, so that equal looks are equal."""

    def now(self) -> datetime:
        now = super().now()
        return now.replace(microsecond=now.microsecond // 1000 * 1000)


class Folk(Person):
    """What people see at this process, and what they press."""

    shards: int

    async def look(self, channel: int) -> list[Click]:
        """What may be pressed now at the table of a channel; a new one where the last is over."""
        view = await self._table_in(channel)
        if view.game is None:
            seated = sum(isinstance(chair, Human) for chair in view.chairs)
            free = list(range(seated, _SEATS - len(_ROBOTS)))
            return [self._click(view, _user(channel, free[0] if free else 0), free)]
        if view.status is not Status.PLAYING:
            return []
        people = [view.chairs[seat] for seat in view.game.waiting]
        hands = [
            await self._tables.hand(view.id, each.user_id)
            for each in people
            if isinstance(each, Human)
        ]
        return [self._move(view, hand) for hand in hands]

    async def _table_in(self, channel: int) -> TableView:
        guild = guild_of(channel, self.shards)
        here = [line for line in await self._tables.tables_in(guild) if line.channel_id == channel]
        if here:
            return await self._tables.view(here[0].id)
        wish = OpenTable(
            guild_id=guild,
            channel_id=ChannelId(channel),
            ruleset=_QUICK,
            seats=_SEATS,
            clock=without_bank("live"),
            robots=_ROBOTS,
            invited=(),
        )
        number = InteractionId(next(self._numbers))
        return await self._tables.open(Cause(self._now(), _user(channel, 0), number), wish)


class Desk:
    """This end of the pipe: carries requests to Discord and presses from people."""

    def __init__(self, pipe: Connection) -> None:
        self.pipe = pipe
        self._numbers = count(1)
        self._asked: dict[int, asyncio.Future[Answered]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def ask(self, asked: Asked) -> Answered:
        """Call Discord."""
        number = next(self._numbers)
        answer = self._asked[number] = asyncio.get_running_loop().create_future()
        self.pipe.send({"ask": number, "what": asked})
        try:
            return await answer
        finally:
            del self._asked[number]

    def hear(self, folk: Folk) -> None:
        """Take in what has come."""
        while self.pipe.poll():
            heard: dict[str, Any] = self.pipe.recv()
            if "answer" in heard:
                if waiting := self._asked.get(heard["answer"]):
                    waiting.set_result(heard["what"])
            elif "press" in heard:
                self._begin(folk.carry_out(heard["press"]))
            else:
                self._begin(self._show(folk, heard["look"], heard["channel"]))

    async def _show(self, folk: Folk, number: int, channel: int) -> None:
        clicks: list[Click] = []
        # Another process has just opened a table there, or played.
        with suppress(HeartsError, IndexError):
            clicks = await folk.look(channel)
        self.pipe.send({"seen": number, "clicks": clicks})

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._end)

    def _end(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if error := task.exception():
            # Whoever pressed hears nothing: it may be stored or not.
            self.pipe.send({"failed": repr(error)})


def live(pipe: Connection, plan: Plan) -> None:
    """Serve until killed."""
    logging.disable(logging.CRITICAL)
    asyncio.run(_live(pipe, plan))


async def _live(pipe: Connection, plan: Plan) -> None:
    _tell_of_fences(pipe, fenced=plan.fenced)
    desk, clock, database = Desk(pipe), StoredClock(), open_database(plan.url)
    leases = Leases(SqlLeases(database), plan.shards, plan.owner, clock, plan.length)
    settings, work, seeds = SqlSettings(database), SqlWork(database), CountedSeeds(plan.owner)
    tables = TableManager(
        store=SqlEventStore(database, shared=True),
        settings=settings,
        clock=clock,
        seeds=seeds,
        robots=Robots(seeds, scale=_ROBOT_SCALE),
    )
    poster = FarPoster(desk.ask, clock.now, lambda _point: None)
    log, persons = logging.getLogger("bot.table.publisher"), Persons(settings, tables)
    publisher = Publisher(work, tables, persons, poster, clock, log, leases)
    timekeeper = Timekeeper(work, tables, clock, leases)
    tables.listen(publisher.wake)
    tables.listen(lambda _table: timekeeper.wake())
    folk = Folk(tables, plan.life * 1_000_000, random.Random(plan.life), pipe, clock.now)
    folk.shards = plan.shards.count
    asyncio.get_running_loop().add_reader(pipe.fileno(), desk.hear, folk)
    await leases.step()
    pipe.send({"serves": plan.life})
    await asyncio.gather(leases.run(), publisher.run(), timekeeper.run())


def _tell_of_fences(pipe: Connection, *, fenced: bool) -> None:
    """Have the parent told of each write that came too late, or let it through."""
    check: Callable[[Session, Lease], None] = fences._check

    def told(session: Session, lease: Lease) -> None:
        try:
            check(session, lease)
        except LeaseLostError:
            pipe.send({"late": lease.shard})
            if fenced:
                raise

    fences._check = told
