"""The truth: events of tables. One commit is one transaction, and on disk when it returns."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Integer,
    Row,
    Text,
    bindparam,
    func,
    insert,
    literal,
    update,
)
from sqlalchemy import select as plain_select
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, select

from bot.rules import ruleset_io
from bot.rules.cards import Seat
from bot.table import agreements, codec
from bot.table.errors import (
    ChannelBusyError,
    RepeatedClickError,
    TableError,
    UnknownTableError,
    VersionConflictError,
)
from bot.table.events import ClockChanged, GameStarted, TableEvent
from bot.table.ids import ChannelId, GuildId, InteractionId, MessageId, TableId, UserId
from bot.table.state import LIVE, Table
from bot.table.storing import (
    Adjustment,
    At,
    Cause,
    Drawer,
    Followings,
    StoredEvent,
    TableRow,
    Timer,
    TimerKind,
)
from db import deals, projections
from db.columns import UtcDateTime
from db.engine import Database
from db.models import (
    EVENTS,
    LIVE_STATUSES,
    MEMBERS,
    POSTS,
    TABLES,
    EventRecord,
    SeatRecord,
    TableRecord,
    TimerRecord,
)

# What every card asks for is built once: building a statement takes as long as carrying it out.
_ADD_EVENTS = insert(EVENTS)
_POSTS_NEWEST_FIRST = (
    plain_select(POSTS.c.message_id)
    .where(POSTS.c.message_id.is_not(None))
    .order_by(POSTS.c.place.desc())
    .limit(1)
)
_NEWEST_MESSAGE = _POSTS_NEWEST_FIRST.where(POSTS.c.table_id == bindparam("of", type_=Text))
_NEWEST_OF_EACH = _POSTS_NEWEST_FIRST.where(POSTS.c.table_id == TABLES.c.id).scalar_subquery()
_CHANGED_AT = (
    plain_select(EVENTS.c.at)
    .where(EVENTS.c.table_id == TABLES.c.id, EVENTS.c.kind != codec.PLANS_MADE)
    .order_by(EVENTS.c.seq.desc())
    .limit(1)
    .scalar_subquery()
)
_STANDING = plain_select(TABLES.c.version, TABLES.c.adjusted).where(
    TABLES.c.id == bindparam("of", type_=Text)
)
_NAMES = plain_select(MEMBERS.c.user_id, MEMBERS.c.name).where(
    MEMBERS.c.guild_id == bindparam("guild", type_=BigInteger),
    MEMBERS.c.user_id.in_(bindparam("users", type_=BigInteger, expanding=True)),
)


# Which columns are written follows from what is given with them.
_ADVANCE = update(TABLES).where(
    TABLES.c.id == bindparam("of", type_=Text),
    TABLES.c.version == bindparam("stood_at", type_=Integer),
)
_ADVANCE_UNADJUSTED = _ADVANCE.where(
    TABLES.c.adjusted == bindparam("stood_adjusted", type_=Integer)
)

_RULES = (GameStarted, ClockChanged)
"""The events that write rules or clock of a running game."""


class _OvertakenError(Exception):
    """The compare-and-swap on the version touched no row."""


class SqlEventStore:
    """`bot.table.ports.EventStore` over SQLite or PostgreSQL.

    Args:
        database: where the tables lie.
        shared: whether other processes may write to it as well.
    """

    def __init__(self, database: Database, *, shared: bool = False) -> None:
        self._database = database
        self._shared = shared

    async def commit(
        self, at: At, events: Sequence[TableEvent], cause: Cause, followings: Followings
    ) -> None:
        """See `bot.table.ports.EventStore.commit`.

        Raises:
            ValueError: there is no event to store.
            StoreBusyError: another program holds the database. Nothing was stored.
        """
        if not events:
            raise ValueError("a commit without events")
        rows = _event_rows(at, events, cause)

        def unit(session: Session) -> None:
            _advance(session, at, events, cause, followings.table)
            session.connection().execute(_ADD_EVENTS, rows)
            projections.store(session, at.version + len(events), events, cause, followings)

        try:
            await self._database.write(unit)
        except (IntegrityError, _OvertakenError) as clash:
            refusal = await self._database.read(
                partial(_refusal, at=at, cause=cause, table=followings.table)
            )
            if refusal is None:
                raise
            raise refusal from clash

    async def adjust(self, at: At, adjustment: Adjustment) -> None:
        """See `bot.table.ports.EventStore.adjust`.

        Raises:
            VersionConflictError: the table is not at *at*. Nothing was changed.
        """

        def unit(session: Session) -> None:
            counted = update(TABLES).where(_stands(at)).values(adjusted=TABLES.c.adjusted + 1)
            if session.exec(counted).rowcount != 1:
                raise _OvertakenError
            projections.adjust(session, adjustment)

        try:
            await self._database.write(unit)
        except _OvertakenError as overtaken:
            raise VersionConflictError(f"{at.table_id} is past event {at.version}") from overtaken

    async def load(self, table_id: TableId) -> Sequence[StoredEvent]:
        """See `bot.table.ports.EventStore.load`.

        Raises:
            UnknownTableError: there is no such table.
            UnreadableEventError: an event was written by a newer program, or is damaged.
        """
        of_table = select(EventRecord).where(col(EventRecord.table_id) == table_id)
        in_order = of_table.order_by(col(EventRecord.seq))
        rows = await self._database.read(lambda session: session.exec(in_order).all())
        if not rows:
            raise UnknownTableError(f"no table {table_id}")
        return [stored_event(row) for row in rows]

    async def timers_of(self, table_id: TableId) -> Sequence[Timer]:
        """See `bot.table.ports.EventStore.timers_of`."""
        of_table = select(TimerRecord).where(col(TimerRecord.table_id) == table_id)
        in_order = of_table.order_by(col(TimerRecord.due_at), col(TimerRecord.seat))
        rows = await self._database.read(lambda session: session.exec(in_order).all())
        return [timer_of(row) for row in rows]

    async def at(self, table_id: TableId) -> At:
        """See `bot.table.ports.EventStore.at`."""
        row = await self._database.read(
            lambda session: session.connection().execute(_STANDING, {"of": table_id}).first()
        )
        return At(table_id, 0, 0) if row is None else At(table_id, row.version, row.adjusted)

    async def is_current(self, at: At) -> bool:
        """See `bot.table.ports.EventStore.is_current`."""
        return not self._shared or await self.at(at.table_id) == at

    async def is_known(self, interaction_id: InteractionId) -> bool:
        """See `bot.table.ports.EventStore.is_known`."""
        return await self._database.read(lambda session: _is_known(session, interaction_id))

    async def tables_of(self, user_id: UserId) -> Sequence[TableRow]:
        """See `bot.table.ports.EventStore.tables_of`."""
        seated = select(col(SeatRecord.table_id)).where(col(SeatRecord.user_id) == user_id)
        return await self._table_rows(col(TableRecord.id).in_(seated))

    async def live_tables_in(self, guild_id: GuildId) -> Sequence[TableRow]:
        """See `bot.table.ports.EventStore.live_tables_in`."""
        return await self._table_rows(col(TableRecord.guild_id) == guild_id)

    async def ended_tables(
        self, user_id: UserId, guild_id: GuildId | None, limit: int
    ) -> Sequence[TableRow]:
        """See `bot.table.ports.EventStore.ended_tables`."""
        seated = select(col(SeatRecord.table_id)).where(col(SeatRecord.user_id) == user_id)
        mine = col(TableRecord.id).in_(seated)
        where = mine if guild_id is None else mine | (col(TableRecord.guild_id) == guild_id)
        return await self._table_rows(where, live=False, limit=limit)

    async def _table_rows(
        self, where: ColumnElement[bool], *, live: bool = True, limit: int | None = None
    ) -> Sequence[TableRow]:
        is_live = col(TableRecord.status).in_(LIVE_STATUSES)
        newest_first = (
            select(TableRecord, _NEWEST_OF_EACH, _CHANGED_AT)
            .where(where, is_live if live else ~is_live)
            .order_by(col(TableRecord.opened_at).desc(), col(TableRecord.id))
            .limit(limit)
        )
        rows = await self._database.read(lambda session: session.exec(newest_first).all())
        return [_table_row(row, message, changed_at) for row, message, changed_at in rows]

    async def drawer(self, table_id: TableId) -> Drawer:
        """See `bot.table.ports.EventStore.drawer`."""
        return await self._database.read(partial(deals.drawer, table_id=table_id))

    async def newest_message(self, table_id: TableId) -> MessageId | None:
        """See `bot.table.ports.EventStore.newest_message`."""
        message = await self._database.read(
            lambda session: session.connection().execute(_NEWEST_MESSAGE, {"of": table_id}).scalar()
        )
        return None if message is None else MessageId(message)

    async def names(self, guild_id: GuildId, user_ids: Sequence[UserId]) -> Mapping[UserId, str]:
        """See `bot.table.ports.EventStore.names`."""
        wanted = {"guild": guild_id, "users": list(user_ids)}
        rows = await self._database.read(
            lambda session: session.connection().execute(_NAMES, wanted).all()
        )
        return {UserId(row.user_id): row.name for row in rows}


def timer_of(row: TimerRecord | Row[*tuple[Any, ...]]) -> Timer:
    """The timer that a row stands for."""
    return Timer(
        table_id=TableId(row.table_id),
        seat=Seat(row.seat),
        kind=TimerKind(row.kind),
        moment=row.moment,
        due_at=row.due_at,
        begun_at=row.begun_at,
        credit=timedelta(milliseconds=row.credit_ms or 0),
    )


def _advance(
    session: Session, at: At, events: Sequence[TableEvent], cause: Cause, table: Table
) -> None:
    """Move the table from *at* past *events*: the compare-and-swap that only one writer wins.

    Raises:
        _OvertakenError: it is not at that version any more.
    """
    values = _columns(table, events) | {"version": at.version + len(events)}
    if at.version == 0:
        first = {"id": at.table_id, "guild_id": table.guild_id, "opened_at": cause.at}
        session.exec(insert(TABLES).values(first | values))
        return
    known: dict[str, Any] = {"of": at.table_id, "stood_at": at.version}
    statement = _ADVANCE
    if at.adjusted is not None:
        statement, known = _ADVANCE_UNADJUSTED, known | {"stood_adjusted": at.adjusted}
    if table.status not in LIVE:
        ended_at = func.coalesce(TABLES.c.ended_at, literal(cause.at, UtcDateTime))
        statement = statement.values(ended_at=ended_at)
    if session.connection().execute(statement, values | known).rowcount != 1:
        raise _OvertakenError


def _stands(at: At) -> ColumnElement[bool]:
    """Whether a table stands at *at*."""
    same = (TABLES.c.id == at.table_id) & (TABLES.c.version == at.version)
    return same if at.adjusted is None else same & (TABLES.c.adjusted == at.adjusted)


def _refusal(session: Session, *, at: At, cause: Cause, table: Table) -> TableError | None:
    """Why a commit could not be stored; ``None`` if it contradicts itself."""
    if cause.interaction_id is not None and _is_known(session, cause.interaction_id):
        return RepeatedClickError(f"{at.table_id}: the interaction is already stored")
    known = plain_select(TABLES.c.id).where(TABLES.c.id == at.table_id)
    there = known.where(_stands(at)) if at.version else known
    if (session.connection().execute(there).first() is None) is (at.version > 0):
        return VersionConflictError(f"{at.table_id} is past event {at.version}")
    others = select(col(TableRecord.id)).where(
        col(TableRecord.channel_id) == table.channel_id,
        col(TableRecord.status).in_(LIVE_STATUSES),
        col(TableRecord.id) != at.table_id,
    )
    holder = session.exec(others).first()
    return None if holder is None else ChannelBusyError(TableId(holder), table.channel_id)


def _is_known(session: Session, interaction_id: InteractionId) -> bool:
    known = select(col(EventRecord.seq)).where(col(EventRecord.iid) == interaction_id)
    return session.exec(known).first() is not None


def _columns(table: Table, events: Sequence[TableEvent]) -> dict[str, Any]:
    columns: dict[str, Any] = {
        "channel_id": table.channel_id,
        "host": table.host,
        "status": table.status.value,
    }
    # Rules and clock hardly change once a game has begun, and writing them at each card would
    # cost more than all the rest.
    if table.game is None or any(isinstance(event, _RULES) for event in events):
        columns["title"] = table.ruleset.title
        columns["rules"] = ruleset_io.to_dict(table.ruleset)
        columns["clock"] = agreements.encode_clock(table.clock)
    return columns


def _event_rows(at: At, events: Sequence[TableEvent], cause: Cause) -> list[dict[str, Any]]:
    rows = []
    for number, event in enumerate(events, 1):
        encoded = codec.encode(event)
        rows.append(
            {
                "table_id": at.table_id,
                "seq": at.version + number,
                "iid": cause.interaction_id if number == 1 else None,
                "actor_id": cause.user_id,
                "at": cause.at,
                "kind": encoded.kind,
                "v": encoded.version,
                "body": encoded.body,
            }
        )
    return rows


def stored_event(row: EventRecord | Row[Any]) -> StoredEvent:
    """The event that a row stands for.

    Raises:
        UnreadableEventError: it was written by a newer program, or is damaged.
    """
    cause = Cause(
        row.at,
        None if row.actor_id is None else UserId(row.actor_id),
        None if row.iid is None else InteractionId(row.iid),
    )
    return StoredEvent(row.seq, codec.decode(codec.EncodedEvent(row.kind, row.v, row.body)), cause)


def _table_row(row: TableRecord, message: int | None, changed_at: datetime) -> TableRow:
    return TableRow(
        table_id=TableId(row.id),
        guild_id=GuildId(row.guild_id),
        channel_id=ChannelId(row.channel_id),
        status=row.status,
        title=row.title,
        opened_at=row.opened_at,
        changed_at=changed_at,
        newest_message=None if message is None else MessageId(message),
    )
