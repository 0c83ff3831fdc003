"""One table in memory: takes what is asked of it one at a time."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from bot.rules.commands import PlayedBy
from bot.rules.errors import HeartsError
from bot.rules.events import CardPlayed, CardsPassed, MoonSettled
from bot.table import commands, dealing, history, timers
from bot.table.absences import Absences, Aways
from bot.table.clocks import MoveClock
from bot.table.dealing import Dealing
from bot.table.errors import (
    RepeatedClickError,
    StaleClickError,
    TableBrokenError,
    VersionConflictError,
)
from bot.table.events import BankDrawn, TableEvent, TableOpened
from bot.table.following import followings
from bot.table.ids import TableId, UserId
from bot.table.ports import Clock, EventStore, Seeds
from bot.table.state import Table
from bot.table.storing import Adjustment, At, Cause, SecretDeal, Timer
from bot.table.table import decide

_log = logging.getLogger(__name__)

_RIVALS = 3
"""How often in a row other processes may be faster before a person is asked to press again."""
_STORED_STEP = timedelta(milliseconds=1)
"""What stores keep of a moment; they cut off the rest."""


@dataclass(frozen=True, slots=True)
class Belief:
    """What a session holds true of its table; all of it is on disk."""

    table: Table
    version: int
    """Number of stored events."""
    timers: tuple[Timer, ...]
    fault: str | None = None
    """Why the game is stopped; ``None`` for a sound one."""
    adjusted: int = 0
    """See `bot.table.storing.At.adjusted`."""

    @property
    def at(self) -> At:
        """Where its table stands."""
        return At(self.table.id, self.version, self.adjusted)


Plan = Callable[[Belief, Aways, datetime], Adjustment | None]
"""Says what to change although nothing happens; ``None``: nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """What every session needs from outside its table."""

    store: EventStore
    absences: Absences
    clock: Clock
    seeds: Seeds
    delays: Callable[[MoveClock], timers.Delays]
    """Draws how long what moves by itself waits at a table of this clock."""
    changed: Callable[[TableId], None]
    """Told after each change is on disk; must neither wait nor fail."""
    foresee: Callable[[Belief], None]
    """Told as well, of what is true now; must neither wait nor fail."""


class TableSession:
    """Takes the turns of one table, first come first served: decide, store, believe, show."""

    def __init__(self, table_id: TableId, around: Surroundings) -> None:
        self._table_id = table_id
        self._around = around
        self._belief: Belief | None = None
        """``None``: not loaded yet, or a store that failed left us not knowing."""
        self._turnstile = asyncio.Lock()
        self._turns: set[asyncio.Task[Belief]] = set()

    @property
    def busy(self) -> bool:
        """Whether a turn is being taken or waits."""
        return bool(self._turns)

    async def believe(self) -> Belief:
        """What is known of the table, read from the store where nothing is.

        Raises:
            UnknownTableError: there is no such table.
        """
        return self._belief or await self._in_turn(self._first_look())

    async def rest(self) -> Belief:
        """As `believe`, once the turn under way has ended: it may be on disk already.

        Raises:
            UnknownTableError: there is no such table.
        """
        return await self._in_turn(self._first_look())

    async def look(self) -> Belief:
        """As `believe`, but what another process did meanwhile is read as well.

        Raises:
            UnknownTableError: there is no such table.
        """
        belief = await self.believe()
        if await self._around.store.is_current(belief.at):
            return belief
        return await self._in_turn(self._look_again(belief))

    async def open(self, opened: TableOpened, seated: Sequence[TableEvent], cause: Cause) -> Belief:
        """Store a new table, and who sits there from the start.

        Raises:
            ChannelBusyError: the channel has a live table.
            RepeatedClickError: this interaction opened a table already.
            VersionConflictError: there is a table of this id.
        """
        return await self._in_turn(self._open(opened, seated, cause))

    async def submit(
        self, command: commands.Command, cause: Cause, *, timer: Timer | None = None
    ) -> Belief:
        """Carry out *command* if it is allowed now; return what is true after it.

        Args:
            command: what is asked for.
            cause: who asked, when, and by which interaction. A known interaction is a repeat:
                nothing more happens, and the present state is the answer.
            timer: the timer that asks; nothing happens unless it is still set.

        Raises:
            IllegalMoveError: the rules forbid it. Nothing was stored.
            StaleClickError: it was meant for a moment that is past. Nothing was stored.
            TableBrokenError: the game is stopped. Nothing was stored.
            TableError: this person may not do that, or not now. Nothing was stored.
        """
        return await self._in_turn(
            self._in_order(partial(self._decide_and_store, command, cause, timer))
        )

    async def adjust(self, plan: Plan) -> Belief:
        """Change what follows from the events as *plan* says; return what is true after it."""
        return await self._in_turn(self._in_order(partial(self._plan_and_store, plan)))

    async def _in_turn(self, turn: Coroutine[Any, Any, Belief]) -> Belief:
        # A turn runs in its own task: a caller that times out or is cancelled must not
        # free the turnstile while its events are half way to the disk.
        task = asyncio.create_task(turn)
        self._turns.add(task)
        task.add_done_callback(self._turn_ended)
        return await asyncio.shield(task)

    def _turn_ended(self, task: asyncio.Task[Belief]) -> None:
        self._turns.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None and not isinstance(error, HeartsError):
            # The caller may be gone: this is the one place that surely hears of it.
            _log.error("Table %s: a turn failed.", self._table_id, exc_info=error)

    async def _first_look(self) -> Belief:
        async with self._turnstile:
            return await self._known()

    async def _look_again(self, outdated: Belief) -> Belief:
        async with self._turnstile:
            if self._belief is outdated:
                self._belief = None
            belief = await self._known()
        self._around.changed(self._table_id)
        return belief

    async def _open(
        self, opened: TableOpened, seated: Sequence[TableEvent], cause: Cause
    ) -> Belief:
        async with self._turnstile:
            sealed = dealing.sealed(self._table_id, 1, self._around.seeds)
            opened = replace(opened, seal=sealed.commitment)
            before = Belief(history.opened(opened), 0, ())
            belief = await self._store(before, seated, cause, opening=(opened,), sealed=(sealed,))
        self._around.changed(self._table_id)
        return belief

    async def _in_order(self, step: Callable[[], Awaitable[Belief]]) -> Belief:
        """Take *step* when it is its turn, again where another process was faster."""
        async with self._turnstile:
            before = await self._known()
            for _ in range(_RIVALS):
                with suppress(VersionConflictError):
                    belief = await step()
                    break
                self._belief = None
            else:
                belief = await step()
        if belief is not before:
            self._around.foresee(belief)
            self._around.changed(self._table_id)
        return belief

    async def _plan_and_store(self, plan: Plan) -> Belief:
        before = await self._known()
        aways = await self._around.absences.at(before.table)
        adjustment = plan(before, aways, self._around.clock.now())
        if adjustment is None:
            return before
        await self._surely(self._around.store.adjust(before.at, adjustment))
        self._belief = replace(before, timers=adjustment.timers, adjusted=before.adjusted + 1)
        return self._belief

    async def _surely(self, storing: Coroutine[Any, Any, None]) -> None:
        try:
            await storing
        except HeartsError:
            raise
        except BaseException:
            # It may be on disk or not: what is there is read again before the next turn.
            self._belief = None
            raise

    async def _decide_and_store(
        self, command: commands.Command, cause: Cause, timer: Timer | None
    ) -> Belief:
        before = await self._known()
        try:
            events = _decide(before, command, timer)
        except HeartsError:
            # What an earlier delivery of the same click achieved is no fault of this one.
            if await self._is_repeat(cause):
                return await self._reload()
            if await self._around.store.is_current(before.at):
                raise
            raise VersionConflictError(f"{self._table_id}: refused by what is past") from None
        if not events:
            return before
        paid = await self._paid(before, events, cause.at)
        try:
            return await self._store(before, (*paid, *events), cause)
        except RepeatedClickError:
            return await self._reload()

    async def _paid(
        self, before: Belief, events: Sequence[TableEvent], now: datetime
    ) -> Sequence[BankDrawn]:
        """What the moves among *events* take from banks; absences can only make it less."""
        if not _drawn(before, events, now, {}):
            return ()
        return _drawn(before, events, now, await self._around.absences.at(before.table))

    async def _store(
        self,
        before: Belief,
        events: Sequence[TableEvent],
        cause: Cause,
        *,
        opening: tuple[TableEvent, ...] = (),
        sealed: tuple[SecretDeal, ...] = (),
    ) -> Belief:
        table, further, dealt = await self._carry_out(before.table, events, cause)
        stored = (*opening, *events, *further)
        follow = followings(
            table,
            stored,
            by=cause.user_id,
            now=cause.at,
            current=before.timers,
            delays=self._around.delays(table.clock),
            dealing=replace(dealt, drawn=(*sealed, *dealt.drawn)),
            aways=await self._around.absences.at(table),
        )
        await self._surely(self._around.store.commit(before.at, stored, cause, follow))
        version = before.version + len(stored)
        self._belief = Belief(table, version, follow.timers, before.fault, before.adjusted)
        return self._belief

    async def _carry_out(
        self, table: Table, events: Sequence[TableEvent], cause: Cause
    ) -> tuple[Table, tuple[TableEvent, ...], Dealing]:
        """The table after *events*, and all that they bring about, with its events."""
        by = cause.user_id
        table = _after(table, events, by)
        rest = dealing.rest(table)
        table = _after(table, rest, by)
        ended = dealing.ended((*events, *rest))
        if not ended and not dealing.is_due(table):
            return table, rest, Dealing()
        # Read, not drawn: however often a commit is tried, the seed is the one that was sealed.
        drawer = await self._around.store.drawer(self._table_id)
        dealt = dealing.follow(table, ended, drawer, cause, self._around.seeds)
        return _after(table, dealt.events, by), (*rest, *dealt.events), dealt

    async def _known(self) -> Belief:
        return self._belief or await self._reload()

    async def _reload(self) -> Belief:
        self._belief = None
        # First, so that what changes between these looks is found out by the next commit.
        at = await self._around.store.at(self._table_id)
        stored = await self._around.store.load(self._table_id)
        timers = await self._around.store.timers_of(self._table_id)
        past = history.replay(stored)
        if past.fault is not None:
            _log.error("Table %s is stopped: %s", self._table_id, past.fault)
        adjusted = at.adjusted or 0
        self._belief = Belief(past.table, len(stored), tuple(timers), past.fault, adjusted)
        return self._belief

    async def _is_repeat(self, cause: Cause) -> bool:
        if cause.interaction_id is None:
            return False
        return await self._around.store.is_known(cause.interaction_id)


def _decide(before: Belief, command: commands.Command, timer: Timer | None) -> Sequence[TableEvent]:
    if timer is not None and not is_set(before, timer):
        raise StaleClickError
    if before.fault is not None and not isinstance(command, commands.WholeCommand):
        raise TableBrokenError
    return decide(before.table, command)


def _after(table: Table, events: Sequence[TableEvent], by: UserId | None) -> Table:
    for event in events:
        table = history.evolve(table, event, by)
    return table


def _drawn(
    before: Belief, events: Sequence[TableEvent], now: datetime, aways: Aways
) -> tuple[BankDrawn, ...]:
    moved = [
        event.seat
        for event in events
        if isinstance(event, CardsPassed | MoonSettled)
        or (isinstance(event, CardPlayed) and event.by is not PlayedBy.CLAIM)
    ]
    amounts = [timers.drawn(before.table, before.timers, seat, now, aways) for seat in moved]
    return tuple(
        BankDrawn(seat, amount // _STORED_STEP)
        for seat, amount in zip(moved, amounts, strict=True)
        if amount >= _STORED_STEP
    )


def is_set(belief: Belief, timer: Timer) -> bool:
    """Whether a timer that went off is still wanted: not withdrawn, and not set for later."""
    return any(
        (mine.kind, mine.seat, mine.moment) == (timer.kind, timer.seat, timer.moment)
        and mine.due_at - timer.due_at < _STORED_STEP
        for mine in belief.timers
    )
