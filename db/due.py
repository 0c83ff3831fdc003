"""What is due, of all tables or of the shard whose lease the caller works under.

What each pass of the loops asks for is built once: building a statement takes as long as carrying
it out.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Integer, Row, Select, bindparam, case, func
from sqlalchemy import select as plain_select
from sqlmodel import Session

from bot.table import codec
from bot.table.ids import ChannelId, MessageId, TableId, UserId
from bot.table.posting import Ping
from bot.table.shards import present_lease
from bot.table.state import Status
from bot.table.storing import Outgoing, OutgoingKind, PendingPost, Timer, TimerKind
from db.columns import UtcDateTime
from db.event_store import timer_of
from db.fences import in_shard
from db.models import OUTBOX, POSTS, TABLES, TIMERS

_ORDER = {OutgoingKind.PING: 0, OutgoingKind.NOTICE: 1, OutgoingKind.DELETE: 2}
_MOST = bindparam("most", type_=Integer)
_IS_PAUSED = TABLES.c.status == Status.PAUSED.value
_RUNS = ~_IS_PAUSED | (TIMERS.c.kind == TimerKind.PLACE_LOST.value)
"""A paused table's timers rest, but for the one that ends it."""
_BEHIND = (
    plain_select(POSTS, TABLES.c.version)
    .join(TABLES, TABLES.c.id == POSTS.c.table_id)
    .where(POSTS.c.posted_version < POSTS.c.wanted_version, ~_IS_PAUSED)
    .order_by(
        func.min(POSTS.c.wanted_at).over(partition_by=POSTS.c.table_id),
        POSTS.c.table_id,
        POSTS.c.place,
    )
    .limit(_MOST)
)
_DUE = (
    plain_select(OUTBOX)
    .join(TABLES, TABLES.c.id == OUTBOX.c.table_id)
    .where(
        OUTBOX.c.due_at.is_not(None),
        OUTBOX.c.due_at <= bindparam("now", type_=UtcDateTime),
        ~_IS_PAUSED | (OUTBOX.c.kind == OutgoingKind.DELETE.value),
    )
    .order_by(
        case({kind.value: place for kind, place in _ORDER.items()}, value=OUTBOX.c.kind),
        OUTBOX.c.due_at,
        OUTBOX.c.id,
    )
    .limit(_MOST)
)
_DUE_WORDS = _DUE.where(OUTBOX.c.kind != OutgoingKind.DELETE.value)
"""Thousands of deletions may wait while there is much to say."""
_DUE_TIMERS = (
    plain_select(TIMERS)
    .join(TABLES, TABLES.c.id == TIMERS.c.table_id)
    .where(TIMERS.c.due_at <= bindparam("now", type_=UtcDateTime), _RUNS)
    .order_by(TIMERS.c.due_at, TIMERS.c.table_id, TIMERS.c.seat)
    .limit(_MOST)
)
_SOONEST_TIMER = (
    plain_select(TIMERS.c.due_at)
    .join(TABLES, TABLES.c.id == TIMERS.c.table_id)
    .where(_RUNS)
    .order_by(TIMERS.c.due_at)
    .limit(1)
)

_Statement = Select[*tuple[Any, ...]]
_OF_SHARD: Mapping[_Statement, _Statement] = {
    _BEHIND: _BEHIND.where(in_shard(POSTS.c.guild_id)),
    _DUE: _DUE.where(in_shard(OUTBOX.c.guild_id)),
    _DUE_WORDS: _DUE_WORDS.where(in_shard(OUTBOX.c.guild_id)),
    _DUE_TIMERS: _DUE_TIMERS.where(in_shard(TIMERS.c.guild_id)),
    _SOONEST_TIMER: _SOONEST_TIMER.where(in_shard(TIMERS.c.guild_id)),
}


def posts_behind(session: Session, limit: int) -> Sequence[PendingPost]:
    """See `bot.table.ports.Work.posts_behind`. The table that waits longest comes first."""
    return [_pending_post(row) for row in _rows(session, _BEHIND, {"most": limit})]


def outbox(session: Session, now: datetime, limit: int, *, deletions: bool) -> Sequence[Outgoing]:
    """See `bot.table.ports.Work.due_outbox`. A paused table says nothing, but tidies up."""
    statement = _DUE if deletions else _DUE_WORDS
    return [_outgoing(row) for row in _rows(session, statement, {"now": now, "most": limit})]


def timers(session: Session, now: datetime, limit: int) -> Sequence[Timer]:
    """See `bot.table.ports.Work.due_timers`."""
    return [timer_of(row) for row in _rows(session, _DUE_TIMERS, {"now": now, "most": limit})]


def next_timer(session: Session) -> datetime | None:
    """See `bot.table.ports.Work.next_timer`."""
    return next((row.due_at for row in _rows(session, _SOONEST_TIMER, {})), None)


def _rows(
    session: Session, statement: _Statement, values: Mapping[str, Any]
) -> Sequence[Row[*tuple[Any, ...]]]:
    """What *statement* finds, in the shard of the present lease if there is one."""
    lease = present_lease()
    if lease is not None and lease.count > 1:
        statement = _OF_SHARD[statement]
        values = {**values, "shard": lease.shard, "shards": lease.count}
    return session.connection().execute(statement, values).all()


def _pending_post(row: Row[*tuple[Any, ...]]) -> PendingPost:
    return PendingPost(
        table_id=TableId(row.table_id),
        slot=row.slot,
        channel_id=ChannelId(row.channel_id),
        message_id=None if row.message_id is None else MessageId(row.message_id),
        sent_at=row.sent_at,
        digest=row.digest,
        sends=row.sends,
        attempted_at=row.attempted_at,
        shown=row.posted_version,
        version=row.version,
        since=row.wanted_at,
    )


def _outgoing(row: Row[*tuple[Any, ...]]) -> Outgoing:
    return Outgoing(
        id=row.id,
        table_id=TableId(row.table_id),
        channel_id=ChannelId(row.channel_id),
        kind=OutgoingKind(row.kind),
        nonce=row.nonce,
        due_at=row.due_at,
        ping=_ping(row),
        notice=None if row.notice is None else codec.decode_sentence(row.notice),
        message_id=None if row.message_id is None else MessageId(row.message_id),
        attempts=row.attempts,
    )


def _ping(row: Row[*tuple[Any, ...]]) -> Ping | None:
    if row.kind != OutgoingKind.PING.value or row.user_id is None:
        return None
    return Ping(
        table_id=TableId(row.table_id),
        channel_id=ChannelId(row.channel_id),
        user_id=UserId(row.user_id),
        kind=row.about or "",
        moment=row.moment or 0,
        reminder=row.reminder or 0,
    )
