"""When something was stored, and when people could see it: how far channels are behind."""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from time import monotonic

from bot.table import history, posts
from bot.table.events import TableEvent
from bot.table.ids import TableId, UserId
from bot.table.posting import Ping, Slot
from bot.table.state import Table
from bot.table.storing import At, Cause, Followings, PostedState, StoredEvent
from db.engine import Database
from db.event_store import SqlEventStore
from db.work import SqlWork

PINGS_WITHIN = 5.0
"""Seconds within which a person is called; a call that nobody wants any more is late after them."""


class Phase:
    """What was noted while a bench did one thing; all times in seconds."""

    def __init__(self) -> None:
        self.by_people = 0
        """Moves of people."""
        self.by_robots = 0
        self.boards = array("d")
        """From each change on disk until every post that it concerns shows it."""
        self.pings = array("d")
        """From the move that brings somebody's turn until that person is called."""
        self.acks = array("d")
        """From the moment at which a button is to be pressed until the hand is drawn anew, the
        move on disk."""
        self.refused = 0
        """Presses that were refused; all of them are legal moves."""

    @property
    def moves(self) -> int:
        """All of them."""
        return self.by_people + self.by_robots


@dataclass(frozen=True, slots=True, kw_only=True)
class _Change:
    """A version of a table that is not shown everywhere yet."""

    version: int
    at: float
    slots: set[Slot]
    """Those that do not show it; what shows it is taken out."""
    phase: Phase


_Call = tuple[UserId, str, int]


class Ledger:
    """Hears of every commit, every post shown and every call made."""

    def __init__(self) -> None:
        self.phase = Phase()
        """Where what is stored now is noted."""
        self._changes: dict[TableId, list[_Change]] = {}
        self._settled: dict[TableId, int] = {}
        """By table, how many of its posts can change no more."""
        self._calls: dict[TableId, dict[_Call, tuple[float, Phase] | None]] = {}
        """Calls that are wanted, each with when it was first wanted, or None once it stands."""
        self._waiting: dict[TableId, None] = {}

    def next_waiting(self) -> TableId | None:
        """A table that waits for a person, the one that has waited longest first; once each."""
        first = next(iter(self._waiting), None)
        if first is not None:
            del self._waiting[first]
        return first

    def loaded(self, table_id: TableId, stored: Sequence[StoredEvent]) -> None:
        """A table was read from the store; the first time, all calls that it wants stand."""
        table = history.replay(stored).table
        standing = dict.fromkeys(map(_key, posts.calls(table)))
        self._calls.setdefault(table_id, {**standing})
        self._settled[table_id] = len(posts.closed_slots(table))
        self._note_whom_it_awaits(table)

    def committed(
        self, table_id: TableId, version: int, followings: Followings, *, by_person: bool
    ) -> None:
        """A table is on disk at *version*."""
        now = monotonic()
        if by_person:
            self.phase.by_people += 1
        else:
            self.phase.by_robots += 1
        open_slots = set(followings.slots[self._settled.get(table_id, 0) :])
        self._settled[table_id] = len(followings.closed_slots)
        change = _Change(version=version, at=now, slots=open_slots, phase=self.phase)
        self._changes.setdefault(table_id, []).append(change)
        self._want(table_id, followings.pings, now)
        self._note_whom_it_awaits(followings.table)

    def shown(self, table_id: TableId, slot: Slot, version: int) -> None:
        """A post shows its table as it was at *version*."""
        now, left = monotonic(), []
        for change in self._changes.get(table_id, ()):
            if change.version <= version:
                change.slots.discard(slot)
            if change.slots:
                left.append(change)
            else:
                change.phase.boards.append(now - change.at)
        self._changes[table_id] = left

    def called(self, ping: Ping) -> None:
        """Somebody's call stands in a channel."""
        calls = self._calls.get(ping.table_id, {})
        if noted := calls.get(_key(ping)):
            at, phase = noted
            phase.pings.append(monotonic() - at)
            calls[_key(ping)] = None

    def close(self) -> None:
        """What is not shown or said yet is late by as long as it waits."""
        now = monotonic()
        for change in (change for changes in self._changes.values() for change in changes):
            change.phase.boards.append(now - change.at)
        for noted in (noted for calls in self._calls.values() for noted in calls.values()):
            _note_unanswered(noted, now)
        self.forget()

    def forget(self) -> None:
        """Wait for nothing that is not shown or said yet."""
        self._changes.clear()
        self._calls.clear()

    def _note_whom_it_awaits(self, table: Table) -> None:
        self._waiting.pop(table.id, None)
        if posts.calls(table):
            self._waiting[table.id] = None

    def _want(self, table_id: TableId, pings: Sequence[Ping], now: float) -> None:
        before, wanted = self._calls.get(table_id, {}), set(map(_key, pings))
        for key, noted in before.items():
            if key not in wanted:
                _note_unanswered(noted, now)
        fresh = dict.fromkeys(wanted, (now, self.phase))
        self._calls[table_id] = {key: before.get(key, noted) for key, noted in fresh.items()}


class NotedStore(SqlEventStore):
    """The real store; tells the ledger what is on disk."""

    def __init__(self, database: Database, ledger: Ledger) -> None:
        super().__init__(database)
        self._ledger = ledger

    async def load(self, table_id: TableId) -> Sequence[StoredEvent]:
        """See `bot.table.ports.EventStore.load`."""
        stored = await super().load(table_id)
        self._ledger.loaded(table_id, stored)
        return stored

    async def commit(
        self, at: At, events: Sequence[TableEvent], cause: Cause, followings: Followings
    ) -> None:
        """See `bot.table.ports.EventStore.commit`."""
        await super().commit(at, events, cause, followings)
        version, by_person = at.version + len(events), cause.user_id is not None
        self._ledger.committed(at.table_id, version, followings, by_person=by_person)


class NotedWork(SqlWork):
    """The real work; tells the ledger what the channels show."""

    def __init__(self, database: Database, ledger: Ledger) -> None:
        super().__init__(database)
        self._ledger = ledger

    async def posted(self, state: PostedState) -> None:
        """See `bot.table.ports.Work.posted`."""
        self._ledger.shown(state.table_id, state.slot, state.version)
        await super().posted(state)


def _note_unanswered(noted: tuple[float, Phase] | None, now: float) -> None:
    if noted is not None:
        at, phase = noted
        if now - at > PINGS_WITHIN:
            phase.pings.append(now - at)


def _key(ping: Ping) -> _Call:
    return ping.user_id, ping.kind, ping.moment
