"""Shows what is stored: posts behind their tables, pings, notices, deletions (house.md 4.5).

Nothing is told to the publisher but that a table changed. What there is to do it reads from the
store, so whatever a crash, an outage or a fast game left behind is made up for.
"""

import asyncio
from collections.abc import Coroutine, Hashable, Iterable, Sequence
from datetime import datetime, timedelta
from logging import Logger
from typing import Protocol

from bot.table.budget import Budget, Call, Errand, part_of_all
from bot.table.delivery import Delivery, Look, Shown
from bot.table.errors import (
    PlaceArchivedError,
    PlaceForbiddenError,
    PlaceGoneError,
    PosterBusyError,
    PostingError,
)
from bot.table.ids import ChannelId, TableId
from bot.table.leases import ALONE, Held
from bot.table.pacing import Gate, GatedPoster
from bot.table.patience import Patience
from bot.table.persons import Persons
from bot.table.ports import Clock, Poster, Work
from bot.table.posting import Slot
from bot.table.shards import LeaseLostError, present_lease, working_under
from bot.table.storing import Outgoing, OutgoingKind, PendingPost
from bot.table.waking import Bell

IDLE_SECONDS = 1.0
"""How often the store is read although nobody woke us: pings become due by themselves."""
_STUMBLE_SECONDS = 5.0
_LEAST_SECONDS = 0.02
_GLANCE = (100, 50)
"""Posts and outbox rows that are read at first: where calls are scarce, few can be started."""
_ALL_THERE_IS = (1_000, 200)
"""Those that are read if after a glance there is still room for calls."""
_GATHERED = 3
"""Calls to wait for where there is room for none: a pass reads much more than one call needs."""
_AT_ONCE = 32
_TRIES_IN_ORDER = 3
_PAUSE_REASONS: tuple[tuple[type[PostingError], str], ...] = (
    (PlaceGoneError, "channel_gone"),
    (PlaceForbiddenError, "forbidden"),
    (PlaceArchivedError, "archived"),
)
_Due = Sequence[PendingPost] | Outgoing
"""All posts of a table that are behind it, or an outbox row."""
_PLACE_LOST = (PlaceGoneError, PlaceForbiddenError, PlaceArchivedError)


class Tables(Shown, Protocol):
    """What the publisher needs of `bot.table.manager.TableManager`."""

    async def pause(self, table_id: TableId, reason: str, *, lost: ChannelId) -> None:
        """Stop a table until its place to post is back, unless it is not in *lost* any more."""
        ...


class Publisher:
    """One loop that starts what may be done now: a table's posts in order, tables side by side.

    Args:
        work: what is due.
        tables: the present state of posts; told when a table's place is lost.
        persons: how people want to be called, and when.
        poster: the channel side.
        clock: the only time.
        log: hears of all that goes wrong.
        leases: for which servers this process posts.
    """

    def __init__(
        self,
        work: Work,
        tables: Tables,
        persons: Persons,
        poster: Poster,
        clock: Clock,
        log: Logger,
        leases: Held = ALONE,
    ) -> None:
        self._work = work
        self._tables = tables
        self._clock = clock
        self._log = log
        pace = part_of_all(leases.share)
        self._gate = Gate(clock, most=int(pace.rate + pace.burst))
        self._delivery = Delivery(work, tables, persons, GatedPoster(poster, self._gate), clock)
        self._leases = leases
        self._budget = Budget(pace)
        self._patience = Patience(timedelta(seconds=1), timedelta(minutes=10))
        self._lost_places = Patience(timedelta(minutes=10), timedelta(hours=12))
        self._bell = Bell()
        self._passing = asyncio.Lock()
        self._workers: dict[Hashable, asyncio.Task[None]] = {}
        self._paid: dict[TableId, Call] = {}
        """The first call of each table that is under way, until it is made."""

    def wake(self, table_id: TableId) -> None:
        """Say that a table changed. What failed there before is tried again at once."""
        self._lost_places.retry(table_id)
        self._bell.pull()

    async def flush(self) -> None:
        """Carry out all that is due, in a hurry: the budget is counted but not waited for.

        Cancelled, it leaves nothing under way.
        """
        try:
            while True:
                await self._start(hurried=True)
                if not self._workers:
                    return
                await asyncio.wait(list(self._workers.values()))
        except asyncio.CancelledError:
            await self._stop()
            raise

    async def step(self) -> float:
        """Carry out what the budget allows now; return the seconds to wait before the next step."""
        seconds = await self._start(hurried=False)
        if self._workers:
            await asyncio.wait(list(self._workers.values()))
        return seconds

    async def run(self) -> None:
        """Go on until cancelled, whatever fails."""
        try:
            while True:
                seconds = await self._start_safely()
                await self._clock.sleep(self._budget.wait_for_some(_GATHERED, self._clock.now()))
                await self._bell.wait(self._clock, seconds)
        finally:
            await self._stop()

    async def _start_safely(self) -> float:
        try:
            return await self._start(hurried=False)
        except Exception:  # noqa: BLE001  the loop never dies
            self._log.exception("the publisher could not read what is due")
            return _STUMBLE_SECONDS

    async def _stop(self) -> None:
        workers = list(self._workers.values())
        for worker in workers:
            worker.cancel()
        await asyncio.gather(*workers, return_exceptions=True)

    async def _start(self, *, hurried: bool) -> float:
        """Begin a worker for each table and each outbox row whose turn it is.

        Returns:
            Seconds until the next pass makes sense, unless the bell rings before.
        """
        waits = [IDLE_SECONDS]
        async with self._passing:
            self._gate.stands_open = hurried
            for lease in self._leases.held():
                with working_under(lease):
                    waits += await self._start_here(hurried=hurried)
        return max(_LEAST_SECONDS, min(waits))

    async def _start_here(self, *, hurried: bool) -> Sequence[float]:
        """Begin the workers of the present lease; the seconds that each of the others waits."""
        for posts_read, rows_read in (_GLANCE, _ALL_THERE_IS):
            # What a worker does while we read is old when we have read it: leave it alone.
            busy, now = set(self._workers), self._clock.now()
            wait = 0.0 if hurried else self._budget.wait_in_all(Errand.DELETE, now)
            posts = await self._work.posts_behind(posts_read)
            rows = await self._work.due_outbox(now, rows_read, deletions=not wait)
            waits = [wait] if wait else []
            every: list[_Due] = [*_by_table(posts), *rows]
            for due in sorted(every, key=_turn):
                if (full := self._wait_for_room(hurried=hurried)) is not None:
                    return [full]
                waits += self._start_due(due, busy, hurried=hurried)
            if len(posts) < posts_read and len(rows) < rows_read:
                break
        return waits

    def _wait_for_room(self, *, hurried: bool) -> float | None:
        """Seconds until something may be started, wherever it goes; None: now."""
        if len(self._workers) >= _AT_ONCE:
            return IDLE_SECONDS  # the bell rings when one has ended
        return None if hurried else self._budget.wait_in_all(Errand.SAY, self._clock.now()) or None

    def _start_due(self, due: _Due, busy: set[Hashable], *, hurried: bool) -> list[float]:
        if not isinstance(due, Outgoing):
            if due[0].table_id not in busy:
                return self._start_table(due, hurried=hurried)
        # A ping comes after the post that it points to.
        elif due.id not in busy and not {due.table_id} & (busy | self._workers.keys()):
            return self._start_row(due, hurried=hurried)
        return []

    def _start_table(self, posts: Sequence[PendingPost], *, hurried: bool) -> list[float]:
        first = posts[0]
        errand = Errand.SEND if first.message_id is None else Errand.EDIT
        call = Call(first.table_id, first.channel_id, errand)
        lost = self._lost_places.wait(first.table_id, self._clock.now())
        ready = self._ready(posts)
        wait = max(lost, self._wait(call, hurried=hurried))
        if wait or not ready:
            return [wait or IDLE_SECONDS]
        # Paid before it is drawn: else all that is behind would be drawn for each free call.
        self._budget.spend(call, self._clock.now())
        self._paid[first.table_id] = call
        self._begin(first.table_id, self._show_table(ready, hurried=hurried))
        return []

    def _ready(self, posts: Sequence[PendingPost]) -> Sequence[PendingPost]:
        """Those that may be shown now: one that failed holds up the later ones for a while."""
        ready: list[PendingPost] = []
        for pending in posts:
            key = _key(pending)
            if not self._patience.wait(key, self._clock.now()):
                ready.append(pending)
            elif not self._is_given_up(key):
                break
        return ready

    def _start_row(self, row: Outgoing, *, hurried: bool) -> list[float]:
        errand = Errand.DELETE if row.kind is OutgoingKind.DELETE else Errand.SAY
        call = Call(row.table_id, row.channel_id, errand)
        failed = self._patience.wait(row.id, self._clock.now())
        if wait := max(failed, self._wait(call, hurried=hurried)):
            return [wait]
        self._budget.spend(call, self._clock.now())
        self._begin(row.id, self._carry_out(row))
        return []

    def _wait(self, call: Call, *, hurried: bool) -> float:
        now = self._clock.now()
        if hurried:
            return self._budget.wait_for_opening(call.channel_id, now)
        return self._budget.wait(call, now)

    def _begin(self, key: Hashable, job: Coroutine[None, None, None]) -> None:
        worker = asyncio.create_task(self._while_leased(job))
        self._workers[key] = worker
        worker.add_done_callback(lambda ended: self._end(key, ended))

    async def _while_leased(self, job: Coroutine[None, None, None]) -> None:
        try:
            await job
        except LeaseLostError:
            self._leases.lose(present_lease())

    def _end(self, key: Hashable, worker: asyncio.Task[None]) -> None:
        del self._workers[key]
        if not worker.cancelled() and (error := worker.exception()):
            self._log.error("%s: not even its failure could be stored", key, exc_info=error)
            self._patience.fail(key, self._clock.now())
        self._bell.pull()

    async def _show_table(self, posts: Sequence[PendingPost], *, hurried: bool) -> None:
        try:
            for pending in posts:
                if not await self._show(pending, hurried=hurried):
                    return
        except PosterBusyError as busy:
            self._shut(posts[0].channel_id, busy)
        except _PLACE_LOST as lost:
            await self._lose_place(posts[0], lost)
        finally:
            if unused := self._paid.pop(posts[0].table_id, None):
                self._budget.give_back(unused)

    async def _show(self, pending: PendingPost, *, hurried: bool) -> bool:
        """Bring one post up to date; return whether the next post of its table may follow."""
        key = _key(pending)
        try:
            look = await self._delivery.look(pending)
            if look.errand is None:
                await self._delivery.confirm(pending, look)
            elif not await self._call(pending, look, look.errand, hurried=hurried):
                return False
        except (LeaseLostError, PosterBusyError, *_PLACE_LOST):
            raise
        except Exception:  # noqa: BLE001  one post's fault is not the table's
            self._log.exception("table %s: post %s failed", *key)
            self._patience.fail(key, self._clock.now())
            return self._is_given_up(key)
        self._note_success(pending, look)
        return True

    async def _call(
        self, pending: PendingPost, look: Look, errand: Errand, *, hurried: bool
    ) -> bool:
        if self._paid.pop(pending.table_id, None) is None:
            call = Call(pending.table_id, pending.channel_id, errand)
            if self._wait(call, hurried=hurried):
                return False
            self._budget.spend(call, self._clock.now())
        await self._delivery.show(pending, look)
        self._lost_places.succeed(pending.table_id)
        return True

    def _note_success(self, pending: PendingPost, look: Look) -> None:
        key = _key(pending)
        if look.version < pending.version:
            # The session is a moment behind its store: asking again at once would spin.
            self._patience.fail(key, self._clock.now())
        else:
            self._patience.succeed(key)

    def _is_given_up(self, key: Hashable) -> bool:
        """Whether a post failed so often that the later ones of its table no longer wait."""
        return self._patience.failures(key) >= _TRIES_IN_ORDER

    async def _carry_out(self, row: Outgoing) -> None:
        try:
            await self._delivery.carry_out(row)
        except PosterBusyError as busy:
            self._shut(row.channel_id, busy)
        except _PLACE_LOST as lost:
            await self._lose_row(row, lost)
        except LeaseLostError:
            raise
        except Exception:  # noqa: BLE001  one row's fault is its own
            self._log.exception("table %s: outbox row %s failed", row.table_id, row.id)
            await self._work.put_off(row.id, self._patience.fail(row.id, self._clock.now()))
        else:
            self._patience.succeed(row.id)

    async def _lose_row(self, row: Outgoing, lost: PostingError) -> None:
        """A deletion needs no place any more, and in a place that is gone nothing can be said."""
        if row.kind is OutgoingKind.DELETE:
            await self._work.done(row.id)
        elif not await self._stands_there(row):
            await self._work.put_off(row.id, self._clock.now())
        else:
            if isinstance(lost, PlaceGoneError):
                await self._work.done(row.id)
            else:
                until = self._lost_places.fail(row.id, self._clock.now())
                await self._work.put_off(row.id, until)
            await self._lose_place(row, lost)

    async def _lose_place(self, tried: PendingPost | Outgoing, lost: PostingError) -> None:
        """Pause a table that has no place to post; where that is no help, look again by and by."""
        if not await self._stands_there(tried):
            return
        reason = next(reason for kind, reason in _PAUSE_REASONS if isinstance(lost, kind))
        self._log.warning("table %s: no place to post: %s", tried.table_id, reason)
        self._lost_places.fail(tried.table_id, self._clock.now())
        await self._tables.pause(tried.table_id, reason, lost=tried.channel_id)

    async def _stands_there(self, tried: PendingPost | Outgoing) -> bool:
        """Whether a table has not moved away from where something was tried."""
        return (await self._tables.view(tried.table_id)).channel_id == tried.channel_id

    def _shut(self, channel_id: ChannelId, busy: PosterBusyError) -> None:
        self._budget.shut(channel_id, self._clock.now() + timedelta(seconds=busy.seconds))


def _by_table(posts: Sequence[PendingPost]) -> Iterable[Sequence[PendingPost]]:
    found: dict[TableId, list[PendingPost]] = {}
    for pending in posts:
        found.setdefault(pending.table_id, []).append(pending)
    return found.values()


def _turn(due: _Due) -> tuple[bool, datetime]:
    """What has waited longest comes first, be it a post or a call; deletions come last."""
    if isinstance(due, Outgoing):
        return due.kind is OutgoingKind.DELETE, due.due_at
    return False, min(pending.since for pending in due)


def _key(pending: PendingPost) -> tuple[TableId, Slot]:
    return pending.table_id, pending.slot
