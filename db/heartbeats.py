"""When somebody last ran the tables of a shard, and what an outage gives back.

The heartbeat is one row for each shard whose lease the caller works under, or for all tables.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from sqlalchemy import (
    BigInteger,
    Delete,
    Insert,
    Integer,
    Update,
    delete,
    func,
    insert,
    literal,
    type_coerce,
    update,
)
from sqlalchemy import select as plain_select
from sqlmodel import Session, col, select

from bot.table.shards import present_lease
from bot.table.state import Status
from bot.table.storing import NO_SEAT, OutgoingKind, TimerKind
from db.columns import UtcDateTime, milliseconds, moment
from db.fences import ours
from db.models import OUTBOX, POSTS, RUNTIME, TABLES, TIMERS, RuntimeRecord
from db.statements import upsert

LAST_ALIVE = "last_alive"
"""How the key of every heartbeat begins, in the table `runtime`."""
_ON_ITS_WAY = timedelta(hours=1)
"""How long a withdrawn call is remembered in case its sending is still under way."""
_FOR_PEOPLE = (TimerKind.ROBOT.value, TimerKind.PLAN.value, TimerKind.OUTAGE.value)
"""Timers for which nobody has less time: an outage does not move them."""
_GIVEN_UP = timedelta(days=30)
"""How long a table that has ended keeps trying to show its end in a place that refuses it."""


def last_alive(session: Session) -> datetime | None:
    """See `bot.table.ports.Work.last_alive`.

    Whoever divided the servers otherwise served, as far as anybody knows now, all of them.
    """
    own = _heartbeat()
    rows = session.exec(select(RuntimeRecord).where(col(RuntimeRecord.key).startswith(LAST_ALIVE)))
    beats = [
        moment(int(row.value))
        for row in rows
        if row.key == own or _division(row.key) != _division(own)
    ]
    return max(beats, default=None)


def beat(session: Session, now: datetime) -> None:
    """See `bot.table.ports.Work.beat`. Also forgets what will never be carried out."""
    _beat(session, now)
    for statement in _forgetting(now):
        session.exec(statement)


def credit(session: Session, gap: timedelta, now: datetime) -> None:
    """See `bot.table.ports.Work.credit`: all timers but `_FOR_PEOPLE` run against them."""
    _beat(session, now)
    for statement in _crediting(gap, now):
        session.exec(statement)


def _heartbeat() -> str:
    """The key of the present shard's heartbeat."""
    lease = present_lease()
    if lease is None or lease.count == 1:
        return LAST_ALIVE
    return f"{LAST_ALIVE}:{lease.shard}/{lease.count}"


def _division(key: str) -> str:
    """Into how many shards the servers were divided by whoever wrote a heartbeat."""
    return key.partition("/")[2]


def _beat(session: Session, now: datetime) -> None:
    row = {"key": _heartbeat(), "value": str(milliseconds(now))}
    upsert(session, RUNTIME, row, keys=("key",))


def _crediting(gap: timedelta, now: datetime) -> Iterator[Update | Insert]:
    length = gap // timedelta(milliseconds=1)
    later = {
        "due_at": type_coerce(TIMERS.c.due_at, BigInteger) + length,
        "credit_ms": func.coalesce(TIMERS.c.credit_ms, 0) + length,
    }
    here = ours(TIMERS.c.guild_id)
    is_outage = TIMERS.c.kind == TimerKind.OUTAGE.value
    against_people = TIMERS.c.kind.not_in(_FOR_PEOPLE)
    moved = plain_select(TIMERS.c.table_id).where(against_people, here)
    seconds = gap // timedelta(seconds=1)
    # Tables first, as in every commit: two that lock rows the other way round stop each other.
    yield update(TABLES).where(TABLES.c.id.in_(moved)).values(adjusted=TABLES.c.adjusted + 1)
    yield update(TIMERS).where(against_people, here).values(later)
    yield (
        update(POSTS)
        .where(~POSTS.c.closed, POSTS.c.table_id.in_(moved))
        .values(posted_version=POSTS.c.posted_version - 1)
    )
    yield update(TIMERS).where(is_outage, here).values(moment=TIMERS.c.moment + seconds)
    yield _outage_timers(seconds, now)


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
        TABLES.c.status == Status.PLAYING.value, ~waits.exists(), ours(TABLES.c.guild_id)
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
