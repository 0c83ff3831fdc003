"""Fires due timers as ordinary moves, keeps the heartbeat, credits an outage (reliability.md 4)."""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Protocol

from bot.rules.cards import Seat
from bot.table.ids import TableId
from bot.table.leases import ALONE, Held
from bot.table.patience import Patience
from bot.table.ports import Clock, Work
from bot.table.shards import Lease, LeaseLostError, working_under
from bot.table.storing import Timer, TimerKind
from bot.table.waking import Bell

OUTAGE = timedelta(minutes=2)
"""Shorter gaps between heartbeats give nobody more time."""
HEARTBEAT = timedelta(seconds=30)
IDLE_SECONDS = 1.0
"""How often the store is asked although nobody woke us."""
_STUMBLE_SECONDS = 5.0
_TIMERS_A_PASS = 100
_AT_ONCE = 16

log = logging.getLogger(__name__)


class Tables(Protocol):
    """What the timekeeper needs of `bot.table.manager.TableManager`."""

    async def fire(self, timer: Timer) -> bool:
        """Carry out what a timer is for; its row goes in the same transaction.

        Returns whether that is done. If not, a robot thinks, and `Timekeeper.wake` is called when
        it knows what to do.
        """
        ...


class Timekeeper:
    """One loop for all timers; each table is a try of its own.

    Args:
        work: what is due, and the heartbeat.
        tables: whom a timer is for.
        clock: the only time.
        leases: for which servers this process fires.
    """

    def __init__(self, work: Work, tables: Tables, clock: Clock, leases: Held = ALONE) -> None:
        self._work = work
        self._tables = tables
        self._clock = clock
        self._leases = leases
        self._patience = Patience(timedelta(seconds=5), timedelta(minutes=10))
        self._bell = Bell()
        self._firing = asyncio.Lock()
        self._beaten_at: dict[int, datetime] = {}
        """By shard: when its heart last beat here."""
        self._begun: dict[int, int] = {}
        """By shard: the epoch of the newest lease before which the outage was given back."""
        self._rests: set[int] = set()
        """Shards whose people cannot move."""

    def wake(self) -> None:
        """Say that there may be a new timer."""
        self._bell.pull()

    def rest(self, shard: int = 0) -> None:
        """Fire nothing of a shard, and let no heart beat, until `go_on`: nobody can move there."""
        self._rests.add(shard)

    def go_on(self, shard: int = 0) -> None:
        """Fire again what is due."""
        self._rests.discard(shard)
        self.wake()

    def has_begun(self, lease: Lease | None) -> bool:
        """Whether the time in which nobody held a lease was given back."""
        return lease is None or self._begun.get(lease.shard) == lease.epoch

    async def fire_due(self) -> None:
        """Fire all timers that are due, and those that become due by it; each at most once.

        Those whose robots still think stay as they are.
        """
        for lease in self._leases.held():
            with working_under(lease):
                await self._begin_if_new(lease)
                await self._fire_here(lease)

    async def credit_outage(self) -> timedelta:
        """Give back the time in which no process was alive. To be called once, before `run`.

        What becomes due of shards that are taken over later is credited then.

        Returns:
            By how much every running deadline was moved; zero for a short gap. Each game is told
            of it by a timer of its own, so that a crash in between neither forgets nor repeats it.
        """
        credited = [timedelta()]
        for lease in self._leases.held():
            with working_under(lease):
                credited.append(await self._begin(lease))
        return max(credited)

    async def run(self) -> None:
        """Go on until cancelled, whatever fails."""
        while True:
            await self._bell.wait(self._clock, await self._pass())

    async def _pass(self) -> float:
        """Do what is due; return the seconds until something is due again."""
        waits = [await self._pass_under(lease) for lease in self._leases.held()]
        return min(waits, default=IDLE_SECONDS)

    async def _pass_under(self, lease: Lease | None) -> float:
        try:
            with working_under(lease):
                await self._begin_if_new(lease)
                await self._beat_in_time(lease)
                await self._fire_here(lease)
                return await self._seconds_left()
        except LeaseLostError:
            self._leases.lose(lease)
            return IDLE_SECONDS
        except Exception:
            log.exception("the timekeeper could not read what is due")
            return _STUMBLE_SECONDS

    async def _fire_here(self, lease: Lease | None) -> None:
        """Fire what is due under the present lease."""
        shard = _shard(lease)
        async with self._firing:
            fired: dict[Timer, bool] = {}
            while shard not in self._rests and await self._fire_some(fired):
                pass

    async def _begin_if_new(self, lease: Lease | None) -> None:
        # Where nobody can move yet, the outage is not over.
        if not self.has_begun(lease) and _shard(lease) not in self._rests:
            await self._begin(lease)

    async def _begin(self, lease: Lease | None) -> timedelta:
        """Give back the time in which nobody held the present lease."""
        now, last = self._clock.now(), await self._work.last_alive()
        gap = now - last if last is not None else timedelta()
        credited = gap if gap > OUTAGE else timedelta()
        if credited:
            log.warning("nobody was alive for %s: all deadlines move by as much", credited)
            await self._work.credit(credited, now)
        await self._beat(lease, now)
        if lease is not None:
            self._begun[lease.shard] = lease.epoch
        return credited

    async def _seconds_left(self) -> float:
        due_at = await self._work.next_timer()
        left = (due_at - self._clock.now()).total_seconds() if due_at else IDLE_SECONDS
        # One that is due and was not fired was put off, or its robot thinks: do not spin.
        return min(left, IDLE_SECONDS) if left > 0 else IDLE_SECONDS

    async def _fire_some(self, fired: dict[Timer, bool]) -> bool:
        """Fire one batch and add it to *fired*; return whether there was anything to fire.

        Args:
            fired: timers of the batches before, and whether each is done with.
        """
        now = self._clock.now()
        by_table: dict[TableId, list[Timer]] = {}
        for timer in await self._work.due_timers(now, _TIMERS_A_PASS):
            if fired.get(timer, False):
                await self._put_off(timer, "it was fired and is still there")
            elif timer not in fired and not self._patience.wait(_key(timer), now):
                by_table.setdefault(timer.table_id, []).append(timer)
        limit = asyncio.Semaphore(_AT_ONCE)
        for results in await asyncio.gather(
            *(self._fire_all(due, limit) for due in by_table.values())
        ):
            fired.update(results)
        return bool(by_table)

    async def _fire_all(
        self, timers: Sequence[Timer], limit: asyncio.Semaphore
    ) -> Mapping[Timer, bool]:
        """Fire the timers of one table; say of each whether it is done with."""
        async with limit:
            return {timer: await self._fire(timer) for timer in timers}

    async def _fire(self, timer: Timer) -> bool:
        try:
            done = await self._tables.fire(timer)
        except LeaseLostError:
            raise
        except Exception as error:  # noqa: BLE001  one table's fault is its own
            await self._put_off(timer, "it failed", error)
            return True
        self._patience.succeed(_key(timer))
        return done

    async def _put_off(self, timer: Timer, why: str, error: Exception | None = None) -> None:
        until = self._patience.fail(_key(timer), self._clock.now())
        log.error("%s: put off to %s, because %s", timer, until, why, exc_info=error)
        try:
            await self._work.put_off_timer(timer, until)
        except LeaseLostError:
            raise
        except Exception:
            log.exception("%s: could not even be put off", timer)

    async def _beat_in_time(self, lease: Lease | None) -> None:
        now, shard = self._clock.now(), _shard(lease)
        if shard in self._rests:
            return
        beaten_at = self._beaten_at.get(shard)
        if beaten_at is None or now - beaten_at >= HEARTBEAT:
            await self._beat(lease, now)

    async def _beat(self, lease: Lease | None, now: datetime) -> None:
        await self._work.beat(now)
        self._beaten_at[_shard(lease)] = now


def _shard(lease: Lease | None) -> int:
    return 0 if lease is None else lease.shard


def _key(timer: Timer) -> tuple[TableId, Seat, TimerKind, int]:
    """What stays the same of a timer that is put off."""
    return timer.table_id, timer.seat, timer.kind, timer.moment
