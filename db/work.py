"""What is due: posts behind their table, the outbox, timers, the heartbeat."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import (
    BigInteger,
    Delete,
    Insert,
    Integer,
    Row,
    Update,
    bindparam,
    case,
    delete,
    func,
    insert,
    literal,
    type_coerce,
    update,
)
from sqlalchemy import select as plain_select
from sqlmodel import Session, col, select

from bot.table import codec
from bot.table.ids import ChannelId, MessageId, TableId, UserId
from bot.table.posting import Ping, Slot
from bot.table.state import Status
from bot.table.storing import (
    NO_SEAT,
    Outgoing,
    OutgoingKind,
    PendingPost,
    PostedState,
    Timer,
    TimerKind,
)
from db.columns import UtcDateTime, milliseconds, moment
from db.deletions import ask_deletion
from db.engine import Database
from db.event_store import timer_of
from db.models import (
    OUTBOX,
    POSTS,
    RUNTIME,
    TABLES,
    TIMERS,
    RuntimeRecord,
    TableRecord,
    TimerRecord,
)
from db.statements import upsert

_LAST_ALIVE = "last_alive"
_AT_ONCE = moment(0)
"""Due whatever the time is: a withdrawn call is deleted without asking a clock."""
_ON_ITS_WAY = timedelta(hours=1)
"""How long a withdrawn call is remembered in case its sending is still under way."""
_ORDER = {OutgoingKind.PING: 0, OutgoingKind.NOTICE: 1, OutgoingKind.DELETE: 2}
_FOR_PEOPLE = (TimerKind.ROBOT.value, TimerKind.PLAN.value, TimerKind.OUTAGE.value)
"""Timers for which nobody has less time: an outage does not move them."""
_NOWHERE = {"message_id": None, "sent_at": None, "digest": None, "attempted_at": None}
_GIVEN_UP = timedelta(days=30)
"""How long a table that has ended keeps trying to show its end in a place that refuses it."""

# What each pass of the publisher asks for is built once: building a statement takes as long as
# carrying it out.
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
_DUE_TIMERS = (
    select(TimerRecord)
    .join(TableRecord, col(TableRecord.id) == col(TimerRecord.table_id))
    .where(col(TimerRecord.due_at) <= bindparam("now", type_=UtcDateTime), _RUNS)
    .order_by(col(TimerRecord.due_at), col(TimerRecord.table_id), col(TimerRecord.seat))
    .limit(_MOST)
)
_SOONEST_TIMER = (
    select(col(TimerRecord.due_at))
    .join(TableRecord, col(TableRecord.id) == col(TimerRecord.table_id))
    .where(_RUNS)
    .order_by(col(TimerRecord.due_at))
    .limit(1)
)


class SqlWork:
    """`bot.table.ports.Work` over SQLite or PostgreSQL."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def posts_behind(self, limit: int) -> Sequence[PendingPost]:
        """See `bot.table.ports.Work.posts_behind`. The table that waits longest comes first."""
        rows = await self._database.read(
            lambda session: session.connection().execute(_BEHIND, {"most": limit}).all()
        )
        return [_pending_post(row) for row in rows]

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

        await self._database.write(unit)

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

    async def due_outbox(self, now: datetime, limit: int) -> Sequence[Outgoing]:
        """See `bot.table.ports.Work.due_outbox`. A paused table says nothing, but tidies up."""
        wanted = {"now": now, "most": limit}
        rows = await self._database.read(
            lambda session: session.connection().execute(_DUE, wanted).all()
        )
        return [_outgoing(row) for row in rows]

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
        await self._database.write(
            lambda session: ask_deletion(session, table_id, channel_id, message_id, _AT_ONCE)
        )

    async def due_timers(self, now: datetime, limit: int) -> Sequence[Timer]:
        """See `bot.table.ports.Work.due_timers`."""
        wanted = {"now": now, "most": limit}
        rows = await self._database.read(
            lambda session: session.exec(_DUE_TIMERS, params=wanted).all()
        )
        return [timer_of(row) for row in rows]

    async def next_timer(self) -> datetime | None:
        """See `bot.table.ports.Work.next_timer`."""
        return await self._database.read(lambda session: session.exec(_SOONEST_TIMER).first())

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
        beat = select(col(RuntimeRecord.value)).where(col(RuntimeRecord.key) == _LAST_ALIVE)
        value = await self._database.read(lambda session: session.exec(beat).first())
        return None if value is None else moment(int(value))

    async def beat(self, now: datetime) -> None:
        """See `bot.table.ports.Work.beat`. Also forgets what will never be carried out."""
        row = {"key": _LAST_ALIVE, "value": str(milliseconds(now))}

        def unit(session: Session) -> None:
            upsert(session, RUNTIME, row, keys=("key",))
            for statement in _forgetting(now):
                session.exec(statement)

        await self._database.write(unit)

    async def credit(self, gap: timedelta, now: datetime) -> None:
        """See `bot.table.ports.Work.credit`: all timers but `_FOR_PEOPLE` run against them."""
        length = gap // timedelta(milliseconds=1)
        later = {
            "due_at": type_coerce(TIMERS.c.due_at, BigInteger) + length,
            "credit_ms": func.coalesce(TIMERS.c.credit_ms, 0) + length,
        }
        is_outage = TIMERS.c.kind == TimerKind.OUTAGE.value
        against_people = TIMERS.c.kind.not_in(_FOR_PEOPLE)
        moved = plain_select(TIMERS.c.table_id).where(against_people)
        seconds = gap // timedelta(seconds=1)
        await self._write(
            update(TIMERS).where(against_people).values(later),
            update(POSTS)
            .where(~POSTS.c.closed, POSTS.c.table_id.in_(moved))
            .values(posted_version=POSTS.c.posted_version - 1),
            update(TIMERS).where(is_outage).values(moment=TIMERS.c.moment + seconds),
            _outage_timers(seconds, now),
        )

    async def _write(self, *statements: Insert | Update | Delete) -> None:
        def unit(session: Session) -> None:
            for statement in statements:
                session.exec(statement)

        await self._database.write(unit)


def _outage_timers(seconds: int, now: datetime) -> Insert:
    """One for each game that has none yet."""
    columns = {
        "table_id": TABLES.c.id,
        "seat": literal(NO_SEAT, Integer),
        "kind": literal(TimerKind.OUTAGE.value),
        "guild_id": TABLES.c.guild_id,
        "moment": literal(seconds, Integer),
        "due_at": literal(now, UtcDateTime),
    }
    waits = plain_select(TIMERS.c.table_id).where(
        TIMERS.c.table_id == TABLES.c.id, TIMERS.c.kind == TimerKind.OUTAGE.value
    )
    games = plain_select(*columns.values()).where(
        TABLES.c.status == Status.PLAYING.value, ~waits.exists()
    )
    return insert(TIMERS).from_select(list(columns), games)


def _forgetting(now: datetime) -> Sequence[Update | Delete]:
    """What gives up calls withdrawn long ago, and what ended tables could not say in time."""
    given_up = now - _GIVEN_UP
    long_ended = plain_select(TABLES.c.id).where(TABLES.c.ended_at < given_up)
    return (
        delete(OUTBOX).where(
            OUTBOX.c.withdrawn_at.is_not(None), OUTBOX.c.withdrawn_at < now - _ON_ITS_WAY
        ),
        delete(OUTBOX).where(
            OUTBOX.c.due_at.is_not(None),
            OUTBOX.c.kind == OutgoingKind.NOTICE.value,
            long_ended.where(TABLES.c.id == OUTBOX.c.table_id).exists(),
        ),
        update(POSTS)
        .where(
            POSTS.c.posted_version < POSTS.c.wanted_version,
            POSTS.c.wanted_at < given_up,
            long_ended.where(TABLES.c.id == POSTS.c.table_id).exists(),
        )
        .values(wanted_version=POSTS.c.posted_version),
    )


def _of_post(post: PendingPost | PostedState) -> Update:
    """Change a post, unless its table has moved to another place meanwhile."""
    return update(POSTS).where(
        POSTS.c.table_id == post.table_id,
        POSTS.c.slot == post.slot,
        POSTS.c.channel_id == post.channel_id,
    )


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
    )


def _outgoing(row: Row[*tuple[Any, ...]]) -> Outgoing:
    return Outgoing(
        id=row.id,
        table_id=TableId(row.table_id),
        channel_id=ChannelId(row.channel_id),
        kind=OutgoingKind(row.kind),
        nonce=row.nonce,
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
