"""People who want to be forgotten: the wishes, and the one unit that rewrites history."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Row, Text, and_, bindparam, cast, delete, select, update
from sqlalchemy import Table as SqlTable
from sqlmodel import Session

from bot.table import traces
from bot.table.erasures import Erasure, StillSeatedError
from bot.table.ids import TableId, UserId
from bot.table.storing import OutgoingKind
from db.cut_words import forget_words
from db.engine import Database
from db.models import (
    ERASURES,
    EVENTS,
    KEEPERS,
    LIVE_STATUSES,
    MEMBERS,
    OUTBOX,
    PERSONS,
    RESULTS,
    RUNTIME,
    SEATS,
    TABLES,
)
from db.statements import insert_new, upsert

_CARRIED_OUT = "erasures"
"""Under this name: how many were carried out."""
_AT_ONCE = 500
"""Tables in one statement; databases bound how many values it may have."""
_OWN = ((KEEPERS, KEEPERS.c.owner), (PERSONS, PERSONS.c.user_id), (MEMBERS, MEMBERS.c.user_id))
"""What nobody but the person needs."""

_COLUMNS: tuple[tuple[SqlTable, Any, str], ...] = (
    (EVENTS, EVENTS.c.table_id, "actor_id"),
    (SEATS, SEATS.c.table_id, "user_id"),
    (RESULTS, RESULTS.c.table_id, "user_id"),
    (TABLES, TABLES.c.id, "host"),
)
_SET_BODY = (
    update(EVENTS)
    .where(EVENTS.c.table_id == bindparam("of"), EVENTS.c.seq == bindparam("number"))
    .values(body=bindparam("new", type_=EVENTS.c.body.type))
)


@dataclass(frozen=True, slots=True)
class _Traces:
    """Where a person stands in events."""

    tables: frozenset[TableId]
    named: Sequence[Row[Any]]
    """Events that name the person in their bodies."""


class SqlErasures:
    """`bot.table.erasures.Erasures` over SQLite or PostgreSQL."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def of(self, user_id: UserId) -> Erasure | None:
        """See `bot.table.erasures.Erasures.of`."""
        return await self._database.read(lambda session: _wish(session, user_id))

    async def add(self, erasure: Erasure) -> Erasure:
        """See `bot.table.erasures.Erasures.add`."""
        row = {
            "user_id": erasure.user_id,
            "asked_at": erasure.asked_at,
            "due_at": erasure.due_at,
        }

        def unit(session: Session) -> Erasure:
            insert_new(session, ERASURES, row, keys=("user_id",))
            return _wish(session, erasure.user_id) or erasure

        return await self._database.write(unit)

    async def withdraw(self, user_id: UserId, now: datetime) -> bool:
        """See `bot.table.erasures.Erasures.withdraw`."""
        gone = delete(ERASURES).where(ERASURES.c.user_id == user_id, ERASURES.c.due_at > now)
        return await self._database.write(
            lambda session: session.connection().execute(gone).rowcount == 1
        )

    async def due(self, now: datetime, limit: int) -> Sequence[Erasure]:
        """See `bot.table.erasures.Erasures.due`."""
        due = select(ERASURES).where(ERASURES.c.due_at <= now)
        first = due.order_by(ERASURES.c.due_at, ERASURES.c.user_id).limit(limit)
        rows = await self._database.read(lambda session: session.connection().execute(first).all())
        return [_erasure(row) for row in rows]

    async def count(self) -> int:
        """See `bot.table.erasures.Erasures.count`."""
        return await self._database.read(_count)

    async def carry_out(
        self, user_id: UserId, former: UserId, *, stuck: Collection[TableId]
    ) -> frozenset[TableId]:
        """See `bot.table.erasures.Erasures.carry_out`.

        Raises:
            StillSeatedError: the person sits at another live table. Nothing was changed.
        """
        # Looked for outside of the unit, which would hold up every move of every table meanwhile.
        found = await self._database.read(lambda session: _traces(session, user_id))

        def unit(session: Session) -> frozenset[TableId]:
            # Deleted first: whatever other process wants to do the same waits here, then leaves.
            wish = delete(ERASURES).where(ERASURES.c.user_id == user_id)
            if session.connection().execute(wish).rowcount != 1:
                return frozenset()
            _demand_unseated(session, user_id, stuck)
            _rewrite(session, found, user_id, former)
            for table, owner in _OWN:
                session.connection().execute(delete(table).where(owner == user_id))
            counted = {"key": _CARRIED_OUT, "value": str(_count(session) + 1)}
            upsert(session, RUNTIME, counted, keys=("key",))
            return found.tables

        return await self._database.write(unit)


def _wish(session: Session, user_id: UserId) -> Erasure | None:
    wanted = select(ERASURES).where(ERASURES.c.user_id == user_id)
    row = session.connection().execute(wanted).first()
    return None if row is None else _erasure(row)


def _erasure(row: Row[Any]) -> Erasure:
    return Erasure(UserId(row.user_id), row.asked_at, row.due_at)


def _count(session: Session) -> int:
    stored = select(RUNTIME.c.value).where(RUNTIME.c.key == _CARRIED_OUT)
    return int(session.connection().execute(stored).scalar() or 0)


def tables_with(session: Session, user_id: UserId) -> frozenset[TableId]:
    """All tables in whose rows a person stands, be it only named by somebody else."""
    return _traces(session, user_id).tables


def _traces(session: Session, user_id: UserId) -> _Traces:
    named = [row for row in _rows_like(session, user_id) if _names(row, user_id)]
    acted = select(EVENTS.c.table_id).where(EVENTS.c.actor_id == user_id).distinct()
    seated = select(SEATS.c.table_id).where(SEATS.c.user_id == user_id)
    finished = select(RESULTS.c.table_id).where(RESULTS.c.user_id == user_id)
    there = session.connection().execute(acted.union(seated, finished)).scalars()
    return _Traces(frozenset(map(TableId, (*there, *(row.table_id for row in named)))), named)


def _rows_like(session: Session, user_id: UserId) -> Sequence[Row[*tuple[Any, ...]]]:
    """Events of the kinds that name people, with the digits of the id somewhere inside."""
    columns = (EVENTS.c.table_id, EVENTS.c.seq, EVENTS.c.kind, EVENTS.c.body)
    alike = select(*columns).where(
        EVENTS.c.kind.in_(traces.PATHS), cast(EVENTS.c.body, Text).contains(str(user_id))
    )
    return session.connection().execute(alike).all()


def _names(row: Row[Any], user_id: UserId) -> bool:
    return user_id in traces.users_in(row.kind, row.body)


def _demand_unseated(session: Session, user_id: UserId, stuck: Collection[TableId]) -> None:
    """Make sure that nobody is left in a live game as a former player who cannot move.

    Raises:
        StillSeatedError: the person sits somewhere.
    """
    seats = (
        select(SEATS.c.table_id)
        .join(TABLES, TABLES.c.id == SEATS.c.table_id)
        .where(SEATS.c.user_id == user_id, TABLES.c.status.in_(LIVE_STATUSES))
    )
    if set(session.connection().execute(seats).scalars()) - set(stuck):
        raise StillSeatedError


def _rewrite(session: Session, found: _Traces, user_id: UserId, former: UserId) -> None:
    """Put *former* wherever the person stands in what the others' games are made of."""
    connection = session.connection()
    if bodies := [_rewritten(row, user_id, former) for row in found.named]:
        connection.execute(_SET_BODY, bodies)
    for tables in _in_parts(sorted(found.tables)):
        forget_words(session, tables, user_id)
        for table, of, column in _COLUMNS:
            there = and_(of.in_(tables), table.c[column] == user_id)
            connection.execute(update(table).where(there).values({column: former}))
        _drop_notices(session, tables, user_id)
    _drop_calls(session, user_id, former)


def _rewritten(row: Row[Any], user_id: UserId, former: UserId) -> dict[str, Any]:
    def change(each: UserId) -> UserId:
        return former if each == user_id else each

    body = traces.with_users(row.kind, row.body, change)
    return {"of": row.table_id, "number": row.seq, "new": body}


def _in_parts(tables: Sequence[TableId]) -> Iterator[Sequence[TableId]]:
    for start in range(0, len(tables), _AT_ONCE):
        yield tables[start : start + _AT_ONCE]


def _drop_calls(session: Session, user_id: UserId, former: UserId) -> None:
    """Call nobody any more.

    What may be on its way this moment stays as a row, so that it is deleted once it stands.
    """
    calls = OUTBOX.c.user_id == user_id
    unsent = and_(
        calls,
        OUTBOX.c.kind == OutgoingKind.PING.value,
        OUTBOX.c.message_id.is_(None),
        OUTBOX.c.withdrawn_at.is_(None),
    )
    session.connection().execute(delete(OUTBOX).where(unsent))
    session.connection().execute(update(OUTBOX).where(calls).values(user_id=former))


def _drop_notices(session: Session, tables: Sequence[TableId], user_id: UserId) -> None:
    """Say nothing any more that names the person."""
    named = cast(OUTBOX.c.notice, Text).contains(str(user_id))
    session.connection().execute(delete(OUTBOX).where(OUTBOX.c.table_id.in_(tables), named))
