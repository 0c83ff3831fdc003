"""What is due: posts behind their table, the outbox, timers, the heartbeat."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import Delete, Insert, Update, case, delete, update
from sqlmodel import Session

from bot.table.ids import ChannelId, MessageId, TableId
from bot.table.posting import Sent, Slot
from bot.table.storing import (
    Outgoing,
    OutgoingKind,
    PendingPost,
    PostedState,
    Timer,
)
from db import due, heartbeats, late
from db.columns import moment
from db.deletions import ask_deletion
from db.engine import Database
from db.models import OUTBOX, POSTS, TIMERS

_AT_ONCE = moment(0)
"""Due whatever the time is: a withdrawn call is deleted without asking a clock."""
_NOWHERE = {"message_id": None, "sent_at": None, "digest": None, "attempted_at": None}


class SqlWork:
    """`bot.table.ports.Work` over SQLite or PostgreSQL."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def posts_behind(self, limit: int) -> Sequence[PendingPost]:
        """See `bot.table.ports.Work.posts_behind`. The table that waits longest comes first."""
        return await self._database.read(lambda session: due.posts_behind(session, limit))

    async def attempt(self, post: PendingPost, at: datetime) -> None:
        """See `bot.table.ports.Work.attempt`."""
        await self._write(_of_post(post).values(attempted_at=at))

    async def posted(self, state: PostedState) -> None:
        """See `bot.table.ports.Work.posted`."""
        shown = _of_post(state).values(
            message_id=state.message_id,
            sent_at=state.sent_at,
            digest=state.digest,
            sends=state.sends,
            posted_version=case(
                (POSTS.c.posted_version == state.before, state.version),
                else_=POSTS.c.posted_version,
            ),
            attempted_at=None,
        )
        message = state.table_id, state.channel_id, state.message_id

        def unit(session: Session) -> None:
            if session.exec(shown).rowcount == 0:
                ask_deletion(session, *message, _AT_ONCE)

        await self._database.write_in_passing(unit)

    async def shown_late(self, state: PostedState) -> None:
        """See `bot.table.ports.Work.shown_late`."""
        await self._database.write(lambda session: late.shown(session, state))

    async def called_late(self, outgoing: Outgoing, sent: Sent) -> None:
        """See `bot.table.ports.Work.called_late`."""
        await self._database.write(lambda session: late.called(session, outgoing, sent))

    async def lost(self, table_id: TableId, slot: Slot) -> None:
        """See `bot.table.ports.Work.lost`."""
        this = (POSTS.c.table_id == table_id, POSTS.c.slot == slot)
        await self._write(update(POSTS).where(*this).values(posted_version=0, **_NOWHERE))

    async def lost_message(self, table_id: TableId, message_id: MessageId) -> bool:
        """See `bot.table.ports.Work.lost_message`."""
        lost = (
            update(POSTS)
            .where(
                POSTS.c.table_id == table_id,
                POSTS.c.message_id == message_id,
                POSTS.c.closed.is_(False),
            )
            .values(posted_version=0, **_NOWHERE)
        )
        return await self._database.write(lambda session: session.exec(lost).rowcount > 0)

    async def due_outbox(
        self, now: datetime, limit: int, *, deletions: bool = True
    ) -> Sequence[Outgoing]:
        """See `bot.table.ports.Work.due_outbox`. A paused table says nothing, but tidies up."""
        return await self._database.read(
            lambda session: due.outbox(session, now, limit, deletions=deletions)
        )

    async def done(self, outgoing_id: int) -> None:
        """See `bot.table.ports.Work.done`.

        A ping that can never be sent stays, not due, until nobody wants it: else the next
        commit would make it anew.
        """
        is_ping = OUTBOX.c.kind == OutgoingKind.PING.value
        this = OUTBOX.c.id == outgoing_id
        await self._write(
            update(OUTBOX).where(this, is_ping).values(due_at=None),
            delete(OUTBOX).where(this, ~is_ping),
        )

    async def ping_sent(
        self, outgoing_id: int, channel_id: ChannelId, message_id: MessageId
    ) -> None:
        """See `bot.table.ports.Work.ping_sent`."""
        this = OUTBOX.c.id == outgoing_id
        withdrawn = OUTBOX.c.withdrawn_at.is_not(None)
        kept = {"channel_id": channel_id, "message_id": message_id, "due_at": None}
        to_delete = {
            "channel_id": channel_id,
            "message_id": message_id,
            "kind": OutgoingKind.DELETE.value,
            "due_at": _AT_ONCE,
            "withdrawn_at": None,
            "attempts": 0,
        }
        await self._write(
            update(OUTBOX).where(this, ~withdrawn).values(kept),
            update(OUTBOX).where(this, withdrawn).values(to_delete),
        )

    async def put_off(self, outgoing_id: int, until: datetime) -> None:
        """See `bot.table.ports.Work.put_off`."""
        still_due = (OUTBOX.c.id == outgoing_id) & OUTBOX.c.due_at.is_not(None)
        later = {"due_at": until, "attempts": OUTBOX.c.attempts + 1}
        await self._write(update(OUTBOX).where(still_due).values(later))

    async def ask_deletion(
        self, table_id: TableId, channel_id: ChannelId, message_id: MessageId
    ) -> None:
        """See `bot.table.ports.Work.ask_deletion`. Asking twice is asking once."""
        await self._database.write_in_passing(
            lambda session: ask_deletion(session, table_id, channel_id, message_id, _AT_ONCE)
        )

    async def due_timers(self, now: datetime, limit: int) -> Sequence[Timer]:
        """See `bot.table.ports.Work.due_timers`."""
        return await self._database.read(lambda session: due.timers(session, now, limit))

    async def next_timer(self) -> datetime | None:
        """See `bot.table.ports.Work.next_timer`."""
        return await self._database.read(due.next_timer)

    async def put_off_timer(self, timer: Timer, until: datetime) -> None:
        """See `bot.table.ports.Work.put_off_timer`."""
        same = (
            TIMERS.c.table_id == timer.table_id,
            TIMERS.c.seat == timer.seat,
            TIMERS.c.kind == timer.kind.value,
            TIMERS.c.moment == timer.moment,
        )
        await self._write(update(TIMERS).where(*same).values(due_at=until))

    async def last_alive(self) -> datetime | None:
        """See `bot.table.ports.Work.last_alive`."""
        return await self._database.read(heartbeats.last_alive)

    async def beat(self, now: datetime) -> None:
        """See `bot.table.ports.Work.beat`. Also forgets what will never be carried out."""
        await self._database.write(lambda session: heartbeats.beat(session, now))

    async def credit(self, gap: timedelta, now: datetime) -> None:
        """See `bot.table.ports.Work.credit`: all timers run against people but a few."""
        await self._database.write(lambda session: heartbeats.credit(session, gap, now))

    async def _write(self, *statements: Insert | Update | Delete) -> None:
        def unit(session: Session) -> None:
            for statement in statements:
                session.exec(statement)

        await self._database.write_in_passing(unit)


def _of_post(post: PendingPost | PostedState) -> Update:
    """Change a post, unless its table has moved to another place meanwhile."""
    return update(POSTS).where(
        POSTS.c.table_id == post.table_id,
        POSTS.c.slot == post.slot,
        POSTS.c.channel_id == post.channel_id,
    )
