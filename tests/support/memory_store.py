"""A store in memory, with switches for what can go wrong with a real one.

It keeps the promises of `bot.table.ports` word for word, so that what passes on it passes on a
database; the contract of the stores is tested in tests/db.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import count

from bot.table.errors import (
    ChannelBusyError,
    RepeatedClickError,
    UnknownTableError,
    VersionConflictError,
)
from bot.table.events import TableEvent
from bot.table.ids import (
    ChannelId,
    GuildId,
    Human,
    InteractionId,
    MessageId,
    Robot,
    TableId,
    UserId,
)
from bot.table.posting import Ping, Slot
from bot.table.state import LIVE, Status, Table
from bot.table.storing import (
    At,
    Cause,
    Followings,
    GameResult,
    Outgoing,
    OutgoingKind,
    PendingPost,
    PostedState,
    SecretDeal,
    StoredEvent,
    TableRow,
    Timer,
    TimerKind,
)


@dataclass(slots=True)
class _Post:
    channel_id: ChannelId
    place: int
    wanted_version: int
    closed: bool = False
    posted_version: int = 0
    message_id: MessageId | None = None
    sent_at: datetime | None = None
    digest: str | None = None
    sends: int = 0
    attempted_at: datetime | None = None


@dataclass(slots=True)
class _Row:
    outgoing: Outgoing
    due_at: datetime | None
    withdrawn: bool = False


@dataclass(slots=True)
class _Shelf:
    """All that is stored of one table."""

    table: Table
    opened_at: datetime
    events: list[StoredEvent] = field(default_factory=list)
    timers: dict[tuple[int, TimerKind], Timer] = field(default_factory=dict)
    posts: dict[Slot, _Post] = field(default_factory=dict)
    secrets: list[SecretDeal] = field(default_factory=list)
    results: list[GameResult] = field(default_factory=list)


class MemoryStore:
    """`bot.table.ports.EventStore` and `bot.table.ports.Work`."""

    def __init__(self) -> None:
        self.shelves: dict[TableId, _Shelf] = {}
        self.outbox: dict[int, _Row] = {}
        self.members: dict[tuple[GuildId, UserId], str] = {}
        self.interactions: set[InteractionId] = set()
        self.fail_before: list[BaseException] = []
        """Raised by the next commits, one each; nothing is stored."""
        self.fail_after: list[BaseException] = []
        """Raised by the next commits, one each, although all is stored."""
        self.gate = asyncio.Event()
        """Commits wait while it is not set."""
        self.gate.set()
        self.commits = 0
        self._ids = count(1)
        self._heartbeat: datetime | None = None

    async def commit(
        self, at: At, events: Sequence[TableEvent], cause: Cause, followings: Followings
    ) -> None:
        await self.gate.wait()
        await asyncio.sleep(0)
        if self.fail_before:
            raise self.fail_before.pop(0)
        self._check(at, cause, followings.table)
        self._write(at, events, cause, followings)
        self.commits += 1
        if self.fail_after:
            raise self.fail_after.pop(0)

    async def load(self, table_id: TableId) -> Sequence[StoredEvent]:
        await asyncio.sleep(0)
        if table_id not in self.shelves:
            raise UnknownTableError
        return list(self.shelves[table_id].events)

    async def timers_of(self, table_id: TableId) -> Sequence[Timer]:
        return list(self.shelves[table_id].timers.values())

    async def is_known(self, interaction_id: InteractionId) -> bool:
        return interaction_id in self.interactions

    async def tables_of(self, user_id: UserId) -> Sequence[TableRow]:
        return [row for row in self._live() if user_id in _owners(self._table(row))]

    async def live_tables_in(self, guild_id: GuildId) -> Sequence[TableRow]:
        return [row for row in self._live() if row.guild_id == guild_id]

    async def newest_message(self, table_id: TableId) -> MessageId | None:
        return self._newest(table_id)

    async def names(self, guild_id: GuildId, user_ids: Sequence[UserId]) -> Mapping[UserId, str]:
        return {
            user_id: self.members[guild_id, user_id]
            for user_id in user_ids
            if (guild_id, user_id) in self.members
        }

    async def posts_behind(self, limit: int) -> Sequence[PendingPost]:
        behind = [
            _pending(table_id, slot, post)
            for table_id, shelf in self.shelves.items()
            if shelf.table.status is not Status.PAUSED
            for slot, post in sorted(shelf.posts.items(), key=lambda item: item[1].place)
            if post.message_id is None or post.posted_version < post.wanted_version
        ]
        return behind[:limit]

    async def attempt(self, post: PendingPost, at: datetime) -> None:
        self._post(post.table_id, post.slot).attempted_at = at

    async def posted(self, state: PostedState) -> None:
        post = self._post(state.table_id, state.slot)
        post.channel_id, post.message_id = state.channel_id, state.message_id
        post.sent_at, post.digest, post.sends = state.sent_at, state.digest, state.sends
        post.posted_version, post.attempted_at = state.version, None

    async def lost(self, table_id: TableId, slot: Slot) -> None:
        post = self._post(table_id, slot)
        post.message_id = post.sent_at = post.digest = None
        post.posted_version = 0

    async def lost_message(self, table_id: TableId, message_id: MessageId) -> bool:
        for slot, post in self.shelves[table_id].posts.items():
            if post.message_id == message_id and not post.closed:
                await self.lost(table_id, slot)
                return True
        return False

    async def due_outbox(self, now: datetime, limit: int) -> Sequence[Outgoing]:
        order = {kind: place for place, kind in enumerate(OutgoingKind)}
        due = [row for row in self.outbox.values() if row.due_at and row.due_at <= now]
        rows = [row.outgoing for row in due if not self._rests(row.outgoing)]
        return sorted(rows, key=lambda row: (order[row.kind], row.id))[:limit]

    async def done(self, outgoing_id: int) -> None:
        self.outbox.pop(outgoing_id, None)

    async def ping_sent(self, outgoing_id: int, message_id: MessageId) -> None:
        row = self.outbox[outgoing_id]
        row.outgoing = replace(row.outgoing, message_id=message_id)
        row.due_at = None
        if row.withdrawn:
            self._delete_ping(row, self.shelves[row.outgoing.table_id].opened_at)

    async def put_off(self, outgoing_id: int, until: datetime) -> None:
        row = self.outbox[outgoing_id]
        row.due_at = until
        row.outgoing = replace(row.outgoing, attempts=row.outgoing.attempts + 1)

    async def ask_deletion(
        self, table_id: TableId, channel_id: ChannelId, message_id: MessageId
    ) -> None:
        self._add(
            OutgoingKind.DELETE,
            self.shelves[table_id].opened_at,
            table_id=table_id,
            channel_id=channel_id,
            message_id=message_id,
        )

    async def due_timers(self, now: datetime, limit: int) -> Sequence[Timer]:
        due = [timer for timer in self._running_timers() if timer.due_at <= now]
        return sorted(due, key=lambda timer: timer.due_at)[:limit]

    async def next_timer(self) -> datetime | None:
        return min((timer.due_at for timer in self._running_timers()), default=None)

    async def put_off_timer(self, timer: Timer, until: datetime) -> None:
        timers = self.shelves[timer.table_id].timers
        if timers.get((timer.seat, timer.kind)) == timer:
            timers[timer.seat, timer.kind] = replace(timer, due_at=until)

    async def last_alive(self) -> datetime | None:
        return self._heartbeat

    async def beat(self, now: datetime) -> None:
        self._heartbeat = now

    async def credit(self, gap: timedelta) -> None:
        for shelf in self.shelves.values():
            moved = [
                key for key, timer in shelf.timers.items() if timer.kind is not TimerKind.ROBOT
            ]
            for key in moved:
                timer = shelf.timers[key]
                shelf.timers[key] = replace(timer, due_at=timer.due_at + gap)
            for post in shelf.posts.values():
                if moved and not post.closed and post.posted_version == post.wanted_version:
                    post.posted_version -= 1

    def state(self, table_id: TableId) -> Table:
        return self.shelves[table_id].table

    def pings(self) -> list[Ping]:
        return [
            row.outgoing.ping
            for row in self.outbox.values()
            if row.outgoing.ping is not None and not row.withdrawn
        ]

    def _check(self, at: At, cause: Cause, table: Table) -> None:
        if cause.interaction_id in self.interactions:
            raise RepeatedClickError
        shelf = self.shelves.get(at.table_id)
        if (0 if shelf is None else len(shelf.events)) != at.version:
            raise VersionConflictError
        for row in self._live() if shelf is None else ():
            if row.channel_id == table.channel_id:
                raise ChannelBusyError(row.table_id, row.channel_id)

    def _write(
        self, at: At, events: Sequence[TableEvent], cause: Cause, followings: Followings
    ) -> None:
        shelf = self.shelves.setdefault(at.table_id, _Shelf(followings.table, cause.at))
        shelf.table = followings.table
        rest = replace(cause, interaction_id=None)
        for number, event in enumerate(events):
            entry = StoredEvent(at.version + number + 1, event, rest if number else cause)
            shelf.events.append(entry)
        if cause.interaction_id is not None:
            self.interactions.add(cause.interaction_id)
        if cause.user_id is not None and cause.name is not None:
            self.members[followings.table.guild_id, cause.user_id] = cause.name
        shelf.timers = {(timer.seat, timer.kind): timer for timer in followings.timers}
        shelf.secrets += followings.secret_deals
        shelf.results += followings.results
        self._write_posts(shelf, followings)
        self._write_outbox(shelf, cause, followings)

    def _write_posts(self, shelf: _Shelf, followings: Followings) -> None:
        version = len(shelf.events)
        for post in shelf.posts.values():
            if not post.closed:
                post.wanted_version = version
        for place, slot in enumerate(followings.slots):
            shelf.posts.setdefault(slot, _Post(followings.table.channel_id, place, version))
        for slot in followings.closed_slots:
            shelf.posts[slot].closed = True
        if followings.table.closed_because == "left_server":
            for post in shelf.posts.values():
                post.wanted_version = post.posted_version
            shelf.posts = {s: p for s, p in shelf.posts.items() if p.message_id is not None}

    def _write_outbox(self, shelf: _Shelf, cause: Cause, followings: Followings) -> None:
        table = shelf.table
        if table.closed_because == "left_server":
            mine = [key for key, row in self.outbox.items() if row.outgoing.table_id == table.id]
            for key in mine:
                del self.outbox[key]
            return
        present = {
            row.outgoing.ping: row
            for row in self.outbox.values()
            if row.outgoing.table_id == table.id and row.outgoing.ping and not row.withdrawn
        }
        for ping, row in present.items():
            if ping not in followings.pings:
                self._withdraw(row, cause.at)
        place = {"table_id": table.id, "channel_id": table.channel_id}
        for ping in followings.pings:
            if ping not in present:
                self._add(OutgoingKind.PING, followings.ping_not_before, ping=ping, **place)
        for notice in followings.notices:
            self._add(OutgoingKind.NOTICE, cause.at, notice=notice, **place)

    def _withdraw(self, row: _Row, at: datetime) -> None:
        row.withdrawn, row.due_at = True, None
        if row.outgoing.message_id is not None:
            self._delete_ping(row, at)

    def _delete_ping(self, row: _Row, at: datetime) -> None:
        row.outgoing = replace(row.outgoing, kind=OutgoingKind.DELETE, ping=None)
        row.due_at = at

    def _add(self, kind: OutgoingKind, due_at: datetime, **values) -> None:
        number = next(self._ids)
        outgoing = Outgoing(id=number, kind=kind, nonce=f"n{number}", **values)
        self.outbox[number] = _Row(outgoing, due_at)

    def _live(self) -> list[TableRow]:
        rows = [
            TableRow(
                table_id=table_id,
                guild_id=shelf.table.guild_id,
                channel_id=shelf.table.channel_id,
                status=shelf.table.status.value,
                title=shelf.table.ruleset.title,
                opened_at=shelf.opened_at,
                newest_message=self._newest(table_id),
            )
            for table_id, shelf in self.shelves.items()
            if shelf.table.status in LIVE
        ]
        return sorted(rows, key=lambda row: row.opened_at, reverse=True)

    def _newest(self, table_id: TableId) -> MessageId | None:
        posts = self.shelves[table_id].posts.values() if table_id in self.shelves else ()
        sent = [post for post in posts if post.message_id is not None]
        return max(sent, key=lambda post: post.place).message_id if sent else None

    def _table(self, row: TableRow) -> Table:
        return self.shelves[row.table_id].table

    def _post(self, table_id: TableId, slot: Slot) -> _Post:
        return self.shelves[table_id].posts[slot]

    def _rests(self, outgoing: Outgoing) -> bool:
        paused = self.shelves[outgoing.table_id].table.status is Status.PAUSED
        return paused and outgoing.kind is not OutgoingKind.DELETE

    def _running_timers(self) -> list[Timer]:
        return [
            timer
            for shelf in self.shelves.values()
            if shelf.table.status is not Status.PAUSED
            for timer in shelf.timers.values()
        ]


def _pending(table_id: TableId, slot: Slot, post: _Post) -> PendingPost:
    return PendingPost(
        table_id=table_id,
        slot=slot,
        channel_id=post.channel_id,
        message_id=post.message_id,
        sent_at=post.sent_at,
        digest=post.digest,
        sends=post.sends,
        attempted_at=post.attempted_at,
        version=post.wanted_version,
    )


def _owners(table: Table) -> set[UserId]:
    owners: set[UserId] = set()
    for chair in table.chairs:
        match chair:
            case Human(user_id):
                owners.add(user_id)
            case Robot(_, keeps_for) if keeps_for is not None:
                owners.add(keeps_for)
            case _:
                continue
    return owners
