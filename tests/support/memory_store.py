"""A store in memory, with switches for what can go wrong with a real one.

It keeps the promises of `bot.table.ports` word for word, so that what passes on it passes on a
database; the contract of the stores is tested in tests/db.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import count

from bot.table.errors import (
    ChannelBusyError,
    RepeatedClickError,
    UnknownTableError,
)
from bot.table.events import PlansMade, TableEvent, TableMoved
from bot.table.ids import (
    ChannelId,
    GuildId,
    InteractionId,
    MessageId,
    TableId,
    UserId,
)
from bot.table.posting import Ping, Slot
from bot.table.state import LIVE, Status, Table
from bot.table.storing import (
    NO_SEAT,
    Adjustment,
    At,
    Cause,
    Drawer,
    Followings,
    Outgoing,
    OutgoingKind,
    PendingPost,
    PostedState,
    StoredEvent,
    TableRow,
    Timer,
    TimerKind,
)
from tests.support.memory_shelves import (
    NOT_CREDITED,
    Row,
    Shelf,
    ShelvedPost,
    Shelves,
    due,
    key_of,
    moved,
    owners,
    pending,
    put_behind,
)


class MemoryStore(Shelves):
    """`bot.table.ports.EventStore` and `bot.table.ports.Work`."""

    def __init__(self) -> None:
        super().__init__()
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

    async def adjust(self, at: At, adjustment: Adjustment) -> None:
        await self.gate.wait()
        self.check(at)
        shelf = self.shelves[at.table_id]
        shelf.adjusted += 1
        shelf.timers = {(timer.seat, timer.kind): timer for timer in adjustment.timers}
        if adjustment.shown_anew:
            put_behind(shelf)
        present = self._calls(at.table_id)
        place = {"table_id": at.table_id, "channel_id": adjustment.table.channel_id}
        for ping in adjustment.reminders:
            if key_of(ping) in present:
                self._withdraw(present[key_of(ping)], adjustment.at)
            self._add(OutgoingKind.PING, adjustment.at, ping=ping, **place)
        for notice in adjustment.notices:
            self._add(OutgoingKind.NOTICE, adjustment.at, notice=notice, **place)

    async def load(self, table_id: TableId) -> Sequence[StoredEvent]:
        await asyncio.sleep(0)
        if table_id not in self.shelves:
            raise UnknownTableError
        return list(self.shelves[table_id].events)

    async def timers_of(self, table_id: TableId) -> Sequence[Timer]:
        return list(self.shelves[table_id].timers.values())

    async def drawer(self, table_id: TableId) -> Drawer:
        return self.shelves[table_id].drawer

    async def ended_tables(
        self, user_id: UserId, guild_id: GuildId | None, limit: int
    ) -> Sequence[TableRow]:
        rows = self._rows(live=False)
        theirs = [row for row in rows if user_id in owners(self._table(row))]
        return [row for row in rows if row in theirs or row.guild_id == guild_id][:limit]

    async def is_known(self, interaction_id: InteractionId) -> bool:
        return interaction_id in self.interactions

    async def tables_of(self, user_id: UserId) -> Sequence[TableRow]:
        return [row for row in self._live() if user_id in owners(self._table(row))]

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
            pending(table_id, slot, post)
            for table_id, shelf in self.shelves.items()
            if shelf.table.status is not Status.PAUSED
            for slot, post in sorted(shelf.posts.items(), key=lambda item: item[1].place)
            if post.message_id is None or post.posted_version < post.wanted_version
        ]
        return behind[:limit]

    async def attempt(self, post: PendingPost, at: datetime) -> None:
        if (known := self._post(post.table_id, post.slot)).channel_id == post.channel_id:
            known.attempted_at = at

    async def posted(self, state: PostedState) -> None:
        post = self._post(state.table_id, state.slot)
        if post.channel_id != state.channel_id:
            await self.ask_deletion(state.table_id, state.channel_id, state.message_id)
            return
        post.message_id, post.sent_at = state.message_id, state.sent_at
        post.digest, post.sends = state.digest, state.sends
        post.attempted_at = None
        if post.posted_version == state.before:
            post.posted_version = state.version

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

    async def due_outbox(
        self, now: datetime, limit: int, *, deletions: bool = True
    ) -> Sequence[Outgoing]:
        rows = due(self.outbox.values(), now, deletions=deletions)
        return [row for row in rows if not self._rests(row)][:limit]

    async def done(self, outgoing_id: int) -> None:
        self.outbox.pop(outgoing_id, None)

    async def ping_sent(
        self, outgoing_id: int, channel_id: ChannelId, message_id: MessageId
    ) -> None:
        row = self.outbox[outgoing_id]
        row.outgoing = replace(row.outgoing, channel_id=channel_id, message_id=message_id)
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
        at = self.shelves[table_id].opened_at
        self._ask_deletion(at, table_id=table_id, channel_id=channel_id, message_id=message_id)

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

    async def credit(self, gap: timedelta, now: datetime) -> None:
        for table_id, shelf in self.shelves.items():
            running = [key for key in shelf.timers if key[1] not in NOT_CREDITED]
            for key in running:
                shelf.timers[key] = moved(shelf.timers[key], gap)
            if running:
                shelf.adjusted += 1
                put_behind(shelf)
            if shelf.table.status is Status.PLAYING:
                known = shelf.timers.get((NO_SEAT, TimerKind.OUTAGE))
                shelf.timers[NO_SEAT, TimerKind.OUTAGE] = Timer(
                    table_id=table_id,
                    seat=NO_SEAT,
                    kind=TimerKind.OUTAGE,
                    moment=gap // timedelta(seconds=1) + (known.moment if known else 0),
                    due_at=known.due_at if known else now,
                )

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
        self.check(at)
        for row in self._live() if table.status in LIVE else ():
            if row.channel_id == table.channel_id and row.table_id != at.table_id:
                raise ChannelBusyError(row.table_id, row.channel_id)

    def _write(
        self, at: At, events: Sequence[TableEvent], cause: Cause, followings: Followings
    ) -> None:
        shelf = self.shelves.setdefault(at.table_id, Shelf(followings.table, cause.at))
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
        shelf.lock_away(followings)
        shelf.results += followings.results
        if any(isinstance(event, TableMoved) for event in events):
            self._move(shelf, cause)
        if any(not isinstance(event, PlansMade) for event in events):
            self._write_posts(shelf, followings, cause.at)
        self._write_outbox(shelf, cause, followings)

    def _move(self, shelf: Shelf, cause: Cause) -> None:
        for post in shelf.posts.values():
            if post.message_id is not None and post.closed:
                post.wanted_version, post.attempted_at = post.posted_version, None
                continue
            if post.message_id is not None:
                place = {"table_id": shelf.table.id, "channel_id": post.channel_id}
                self._ask_deletion(cause.at, message_id=post.message_id, **place)
            post.sends += post.attempted_at is not None
            post.attempted_at, post.posted_version = None, 0
            post.channel_id = shelf.table.channel_id
            post.message_id = post.sent_at = post.digest = None
        for row in self.outbox.values():
            if row.outgoing.table_id == shelf.table.id and row.outgoing.kind is OutgoingKind.NOTICE:
                row.outgoing = replace(row.outgoing, channel_id=shelf.table.channel_id)
        for row in self._calls(shelf.table.id).values():
            self._withdraw(row, cause.at)

    def _write_posts(self, shelf: Shelf, followings: Followings, at: datetime) -> None:
        version = len(shelf.events)
        for post in (post for post in shelf.posts.values() if not post.closed):
            post.want(version, at)
        channel = followings.table.channel_id
        for place, slot in enumerate(followings.slots):
            shelf.posts.setdefault(slot, ShelvedPost(channel, place, version, at))
        for slot in followings.closed_slots:
            shelf.posts[slot].closed = True
        if followings.table.closed_because == "left_server":
            for post in shelf.posts.values():
                post.wanted_version = post.posted_version
            shelf.posts = {s: p for s, p in shelf.posts.items() if p.message_id is not None}

    def _write_outbox(self, shelf: Shelf, cause: Cause, followings: Followings) -> None:
        table = shelf.table
        if table.closed_because == "left_server":
            mine = [key for key, row in self.outbox.items() if row.outgoing.table_id == table.id]
            for key in mine:
                del self.outbox[key]
            return
        present = self._calls(table.id)
        wanted, standing = set(map(key_of, followings.pings)), set(map(key_of, followings.standing))
        for call, row in present.items():
            reminds = row.outgoing.ping is not None and row.outgoing.ping.reminder > 0
            is_wrong = reminds and followings.reminders_are_wrong
            if is_wrong or call not in (wanted | standing if reminds else wanted):
                self._withdraw(row, cause.at)
        place = {"table_id": table.id, "channel_id": table.channel_id}
        for ping in followings.pings:
            if key_of(ping) not in self._calls(table.id):
                self._add(OutgoingKind.PING, followings.ping_not_before, ping=ping, **place)
        for notice in followings.notices:
            self._add(OutgoingKind.NOTICE, cause.at, notice=notice, **place)

    def _calls(self, table_id: TableId) -> dict[tuple, Row]:
        """The calls that are wanted or stand in a channel."""
        return {
            key_of(row.outgoing.ping): row
            for row in self.outbox.values()
            if row.outgoing.table_id == table_id and row.outgoing.ping and not row.withdrawn
        }

    def _withdraw(self, row: Row, at: datetime) -> None:
        row.withdrawn, row.due_at = True, None
        if row.outgoing.message_id is not None:
            self._delete_ping(row, at)

    def _delete_ping(self, row: Row, at: datetime) -> None:
        row.outgoing = replace(row.outgoing, kind=OutgoingKind.DELETE, ping=None)
        row.due_at = at

    def _ask_deletion(self, at: datetime, **message) -> None:
        rows = [row.outgoing for row in self.outbox.values()]
        if not any(row.message_id == message["message_id"] and row.ping is None for row in rows):
            self._add(OutgoingKind.DELETE, at, **message)

    def _add(self, kind: OutgoingKind, due_at: datetime, **values) -> None:
        number = next(self._ids)
        outgoing = Outgoing(id=number, kind=kind, nonce=f"n{number}", due_at=due_at, **values)
        self.outbox[number] = Row(outgoing, due_at)

    def _live(self) -> list[TableRow]:
        return self._rows(live=True)

    def _rows(self, *, live: bool) -> list[TableRow]:
        rows = [
            shelf.row(self._newest(table_id))
            for table_id, shelf in self.shelves.items()
            if (shelf.table.status in LIVE) is live
        ]
        return sorted(rows, key=lambda row: row.opened_at, reverse=True)

    def _newest(self, table_id: TableId) -> MessageId | None:
        posts = self.shelves[table_id].posts.values() if table_id in self.shelves else ()
        sent = [post for post in posts if post.message_id is not None]
        return max(sent, key=lambda post: post.place).message_id if sent else None

    def _table(self, row: TableRow) -> Table:
        return self.shelves[row.table_id].table

    def _post(self, table_id: TableId, slot: Slot) -> ShelvedPost:
        return self.shelves[table_id].posts[slot]

    def _rests(self, outgoing: Outgoing) -> bool:
        paused = self.shelves[outgoing.table_id].table.status is Status.PAUSED
        return paused and outgoing.kind is not OutgoingKind.DELETE

    def _running_timers(self) -> list[Timer]:
        return [
            timer
            for shelf in self.shelves.values()
            for timer in shelf.timers.values()
            if shelf.table.status is not Status.PAUSED or timer.kind is TimerKind.PLACE_LOST
        ]
