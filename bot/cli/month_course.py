"""The course of the simulated month: time goes from one thing that happens to the next.

The loops of the bot are not slept through: every pass in which nothing would be due is left out,
and those in which something is come at whole seconds, as a loop that looks once a second has them.
Where calls are scarce the publisher goes on as soon as there is room for the next ones.
"""

import heapq
import logging
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from random import Random

from bot.cli.month_deeds import Agenda, Deeds, Stage
from bot.cli.month_people import Person
from bot.cli.month_record import Chronicle, Outage, Remembered, TableEnd
from bot.cli.month_tables import Plan
from bot.cli.month_world import Channels, Life, begin_life
from bot.promises.repeatable import MovedClock, NumberedSeeds
from bot.table.following import PING_DELAY
from bot.table.ids import TableId
from bot.table.publisher import IDLE_SECONDS
from bot.table.timekeeper import HEARTBEAT
from bot.table.views import TableView

DEATHS = ("at rest", "after a commit", "in a send")
"""How the program dies: with nothing to do; when something was stored and nothing of it shown;
when a message was sent and its answer not yet stored."""
_SECOND = timedelta(seconds=1)
_PLAN_FALLS = timedelta(minutes=6)
_SEEN_BEFORE = 3
"""At how many tables it is compared what was known before a death and after it."""


class Course:
    """One month, from its first day to what is found at its end.

    Args:
        url: a database that is up to date and empty.
        chronicle: where all is written down.
        seed: the same month for the same number.
    """

    def __init__(self, url: str, chronicle: Chronicle, seed: int, people: Sequence[Person]) -> None:
        self._url = url
        self._chronicle = chronicle
        self._clock = MovedClock(chronicle.begun_at)
        self._dice = Random(seed)  # noqa: S311  a repeatable month is wanted
        self._seeds = NumberedSeeds(f"month|{seed}")
        closed = frozenset(person.user_id for person in people if not person.takes_direct)
        self._channels = Channels(self._clock, chronicle, closed)
        self._agenda = Agenda()
        self._wakes: list[datetime] = []
        self._room_at: datetime | None = None
        """When there is room for more calls, if some had to wait for it."""
        self._changed: set[TableId] = set()
        self._passed_at = chronicle.begun_at
        self._due: datetime | None = None
        self._due_is_old = True
        self._death: str | None = None
        self._heard = 0
        self._life = self._born()
        stage = Stage(
            clock=self._clock,
            agenda=self._agenda,
            chronicle=chronicle,
            dice=self._dice,
            life=lambda: self._life,
        )
        self._deeds = Deeds(stage, people)

    async def run(
        self,
        plans: Sequence[Plan],
        *,
        restarts: int,
        outage: timedelta,
        each_day: Callable[[int], None],
    ) -> None:
        """Live through the month, and write down how every table is found at its end.

        Args:
            plans: tables that are opened by themselves; rematches come on top.
            restarts: how often the program dies and is started anew at once.
            outage: how long it stays dead once, in the middle of the month.
            each_day: told how many days are over.
        """
        heard = _Complaints(self._chronicle.complaints)
        logging.getLogger("bot").addHandler(heard)
        try:
            await self._life.timekeeper.credit_outage()
            await self._deeds.move_in(plans)
            self._plan_deaths(restarts, outage)
            self._plan_days(each_day)
            await self._go_on()
            await self._take_stock()
        finally:
            logging.getLogger("bot").removeHandler(heard)
            await self._life.database.close()

    async def _go_on(self) -> None:
        while (at := await self._next_at()) < self._chronicle.ends_at:
            self._clock.go_to(at)
            if self._agenda.next_at <= at:
                await self._agenda.take()()
                await self._after_deed()
            elif at == self._room_at:
                await self._publish()
            else:
                await self._pass()

    async def _next_at(self) -> datetime:
        """When something happens next: a deed, or the next pass of a loop that finds something."""
        if self._due_is_old:
            self._due, self._due_is_old = await self._life.work.next_timer(), False
        times = [*([self._due] if self._due else []), *self._wakes[:1]]
        # A loop that found something it could not do looks again a second later.
        passes = [max(_whole_second(time), self._passed_at + _SECOND) for time in times]
        room = [self._room_at] if self._room_at else []
        return min([self._agenda.next_at, *passes, *room])

    async def _after_deed(self) -> None:
        """What a person did is shown at once: the bell rings."""
        if self._changed and not await self._dies("after a commit"):
            await self._publish()

    async def _pass(self) -> None:
        """One pass of both loops."""
        self._passed_at = self._clock.now()
        while self._wakes and self._wakes[0] <= self._passed_at:
            heapq.heappop(self._wakes)
        self._due_is_old = True
        await self._life.timekeeper.fire_due()
        if self._changed and await self._dies("after a commit"):
            return
        await self._publish()

    async def _publish(self) -> None:
        """Let the publisher do all that it may do now."""
        if self._changed:
            self._wake_at(self._clock.now() + PING_DELAY)
            self._changed.clear()
        before = None
        while before != self._done_by_publisher():
            before = self._done_by_publisher()
            seconds = await self._life.publisher.step()
            if self._channels.is_dead:
                await self._die("in a send")
                return
            waits = timedelta(seconds=seconds) if seconds < IDLE_SECONDS else None
            self._room_at = None if waits is None else self._clock.now() + waits
        await self._react()

    def _done_by_publisher(self) -> int:
        """Grows with all that it does; as long as it does something there may be more."""
        return self._channels.calls + self._life.work.shown

    async def _react(self) -> None:
        """People hear of what was sent."""
        called = self._chronicle.called
        while self._heard < len(called):
            self._deeds.hear(called[self._heard])
            self._heard += 1
        while self._channels.ended:
            await self._deeds.end_well(self._channels.ended.pop())

    def _note_change(self, table_id: TableId) -> None:
        self._changed.add(table_id)
        self._due_is_old = True

    def _wake_at(self, at: datetime) -> None:
        heapq.heappush(self._wakes, at)

    def _put_off(self, until: datetime) -> None:
        # The short ones wait for a planned card to fall.
        if until - self._clock.now() > _PLAN_FALLS:
            self._chronicle.put_off.append(until)
        self._wake_at(until)

    def _plan_days(self, each_day: Callable[[int], None]) -> None:
        days = (self._chronicle.ends_at - self._chronicle.begun_at).days
        for day in range(1, days):
            at = self._chronicle.begun_at + timedelta(days=day)
            self._agenda.add(at, partial(self._end_day, day, each_day))
        self._agenda.add(self._chronicle.ends_at, partial(self._end_day, days, each_day))

    async def _end_day(self, day: int, each_day: Callable[[int], None]) -> None:
        await self._beat()
        each_day(day)

    def _plan_deaths(self, restarts: int, outage: timedelta) -> None:
        begun_at, length = (
            self._chronicle.begun_at,
            self._chronicle.ends_at - self._chronicle.begun_at,
        )
        for number in range(restarts):
            at = begun_at + length * (number + self._dice.random()) / (restarts + 1)
            self._agenda.add(at, partial(self._doom, DEATHS[number % len(DEATHS)]))
        if outage:
            self._agenda.add(begun_at + length * 0.6, partial(self._stay_dead, outage))

    async def _doom(self, how: str) -> None:
        self._death = how
        self._channels.dies_at_send = how == "in a send"
        await self._dies("at rest")

    async def _dies(self, how: str) -> bool:
        """Die, if that is how the program is to die next."""
        if self._death != how:
            return False
        await self._die(how)
        return True

    async def _die(self, how: str) -> None:
        """Forget all that is in memory, and start anew a moment later."""
        known = [await self._life.tables.view(table_id) for table_id in self._some_tables()]
        await self._end_life()
        self._clock.go_to(self._clock.now() + timedelta(seconds=self._dice.uniform(0.5, 3)))
        self._life = self._born()
        await self._life.timekeeper.credit_outage()
        self._chronicle.restarts.append((self._clock.now(), how))
        await self._compare(known)
        await self._pass()

    async def _stay_dead(self, length: timedelta) -> None:
        await self._end_life()
        last = _beat_before(self._clock.now())
        self._clock.go_to(self._clock.now() + length)
        self._life = self._born()
        credited = await self._life.timekeeper.credit_outage()
        self._chronicle.outages.append(Outage(last, self._clock.now(), credited))
        await self._pass()

    async def _end_life(self) -> None:
        # What was stored and not yet shown has its calls still to come.
        self._wake_at(self._clock.now() + PING_DELAY)
        self._death = None
        self._channels.is_dead = self._channels.dies_at_send = False
        self._changed.clear()
        await self._beat()
        await self._life.database.close()

    async def _beat(self) -> None:
        """The newest heartbeat that the timekeeper's loop would have given."""
        await self._life.work.beat(_beat_before(self._clock.now()))

    async def _compare(self, known: Sequence[TableView]) -> None:
        for before in known:
            after = await self._life.tables.view(before.id)
            self._chronicle.remembered.append(Remembered(self._clock.now(), before, after))

    def _some_tables(self) -> Sequence[TableId]:
        opened = self._deeds.opened
        return self._dice.sample(opened, min(_SEEN_BEFORE, len(opened)))

    def _born(self) -> Life:
        return begin_life(
            self._url,
            channels=self._channels,
            seeds=self._seeds,
            put_off=self._put_off,
            changed=self._note_change,
        )

    async def _take_stock(self) -> None:
        """Look at everything once more when the month is over."""
        self._clock.go_to(self._chronicle.ends_at)
        await self._pass()
        await self._life.publisher.flush()
        behind = await self._life.work.posts_behind(1_000)
        self._chronicle.posts_behind.extend(f"{post.table_id} {post.slot}" for post in behind)
        standing = Counter(
            f"{each.table_id} {each.slot}"
            for each in self._channels.messages.values()
            if each.slot is not None
        )
        self._chronicle.posts_doubled.extend(slot for slot, times in standing.items() if times > 1)
        for table_id in self._deeds.opened:
            self._chronicle.tables[table_id] = TableEnd(
                stored=await self._life.store.load(table_id),
                timers=await self._life.store.timers_of(table_id),
                view=await self._life.tables.view(table_id),
            )


class _Complaints(logging.Handler):
    """Writes down every error that the bot logs."""

    def __init__(self, complaints: list[str]) -> None:
        super().__init__(logging.ERROR)
        self._complaints = complaints

    def emit(self, record: logging.LogRecord) -> None:
        fault = record.exc_info[1] if record.exc_info else None
        self._complaints.append(record.getMessage() + (f" ({fault!r})" if fault else ""))


def _whole_second(at: datetime) -> datetime:
    whole = at.replace(microsecond=0)
    return whole if whole == at else whole + _SECOND


def _beat_before(at: datetime) -> datetime:
    since = at - datetime(2000, 1, 1, tzinfo=UTC)
    return at - since % HEARTBEAT
