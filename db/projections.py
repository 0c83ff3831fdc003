"""What follows from events, as rows, in the transaction of the events.

`bot.table.storing.Followings` says what there has to be, whole; here it becomes the least change
that brings the rows there.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from secrets import token_hex
from typing import Any

from sqlalchemy import BigInteger, Integer, Row, Text, bindparam, case, delete, func, insert, update
from sqlalchemy import Table as SqlTable
from sqlalchemy import select as plain_select
from sqlmodel import Session

from bot.rules.sentence import Sentence
from bot.table import codec
from bot.table.events import (
    GameStarted,
    PlansMade,
    SeatHandedOver,
    SeatLeft,
    SeatTaken,
    SubstituteSat,
    TableEvent,
    TableMoved,
)
from bot.table.ids import Human, Occupant
from bot.table.posting import Ping
from bot.table.state import Table
from bot.table.storing import Adjustment, Cause, Followings, OutgoingKind, Timer
from db import deals
from db.columns import UtcDateTime
from db.deletions import ask_deletion
from db.models import (
    MEMBERS,
    OUTBOX,
    POSTS,
    RESULTS,
    SEATS,
    TIMERS,
)
from db.statements import upsert

_SEATING = (SeatTaken, SeatLeft, GameStarted, SeatHandedOver, SubstituteSat)
"""The events that move somebody on or off a chair."""

_NONCE_BYTES = 6
"""So many by chance are never the same for two messages of one table."""
_LEFT_SERVER = "left_server"

# Statements are built once: building them at each commit takes longer than carrying them out.
_OF = bindparam("of", type_=Text)
_NOW = bindparam("now", type_=Integer)
_AT = bindparam("at", type_=UtcDateTime)
_IDS = bindparam("ids", type_=BigInteger, expanding=True)

_EMPTY_SEATS = delete(SEATS).where(SEATS.c.table_id == _OF)
_STOP_TIMERS = delete(TIMERS).where(TIMERS.c.table_id == _OF)

_IS_BEHIND = POSTS.c.posted_version < POSTS.c.wanted_version
_IS_OPEN = (POSTS.c.table_id == _OF) & ~POSTS.c.closed
_PUT_BEHIND = (
    update(POSTS)
    .where(_IS_OPEN)
    .values(wanted_version=_NOW, wanted_at=case((_IS_BEHIND, POSTS.c.wanted_at), else_=_AT))
)
_SLOTS = plain_select(POSTS.c.slot).where(POSTS.c.table_id == _OF)
_COUNT_POSTS = plain_select(func.count(), func.count().filter(POSTS.c.closed)).where(
    POSTS.c.table_id == _OF
)
_CLOSE_POSTS = (
    update(POSTS)
    .where(_IS_OPEN, POSTS.c.slot.in_(bindparam("slots", expanding=True)))
    .values(closed=True)
)
_SHOW_ANEW = update(POSTS).where(_IS_OPEN).values(posted_version=POSTS.c.posted_version - 1)
"""Also where a post is behind: it may be on its way, drawn before what has changed."""
_SETTLE_POSTS = (
    update(POSTS)
    .where(POSTS.c.table_id == _OF)
    .values(closed=True, wanted_version=POSTS.c.posted_version)
)

_TO = bindparam("to", type_=BigInteger)
_IS_SHOWN = (POSTS.c.table_id == _OF) & POSTS.c.message_id.is_not(None)
_SHOWN_OPEN = plain_select(POSTS.c.channel_id, POSTS.c.message_id).where(_IS_SHOWN, ~POSTS.c.closed)
_SETTLE_SHOWN = (
    update(POSTS)
    .where(_IS_SHOWN, POSTS.c.closed)
    .values(wanted_version=POSTS.c.posted_version, attempted_at=None)
)
_MOVE_POSTS = (
    update(POSTS)
    .where(POSTS.c.table_id == _OF, ~POSTS.c.closed | POSTS.c.message_id.is_(None))
    .values(
        channel_id=_TO,
        message_id=None,
        sent_at=None,
        digest=None,
        # A send under way has its nonce, to which Discord would answer with the old message.
        sends=POSTS.c.sends + case((POSTS.c.attempted_at.is_not(None), 1), else_=0),
        attempted_at=None,
        posted_version=0,
    )
)
_MOVE_NOTICES = (
    update(OUTBOX)
    .where(OUTBOX.c.table_id == _OF, OUTBOX.c.kind == OutgoingKind.NOTICE.value)
    .values(channel_id=_TO)
)

_EMPTY_OUTBOX = delete(OUTBOX).where(OUTBOX.c.table_id == _OF)
_CALLS = plain_select(
    OUTBOX.c.id,
    OUTBOX.c.message_id,
    OUTBOX.c.user_id,
    OUTBOX.c.about,
    OUTBOX.c.moment,
    OUTBOX.c.reminder,
).where(
    OUTBOX.c.table_id == _OF,
    OUTBOX.c.kind == OutgoingKind.PING.value,
    OUTBOX.c.withdrawn_at.is_(None),
)
_DELETE_CALLS = (
    update(OUTBOX)
    .where(OUTBOX.c.id.in_(_IDS))
    .values(kind=OutgoingKind.DELETE.value, due_at=_AT, attempts=0)
)
_WITHDRAW_CALLS = update(OUTBOX).where(OUTBOX.c.id.in_(_IDS)).values(withdrawn_at=_AT, due_at=None)
_ADD = {table: insert(table) for table in (OUTBOX, POSTS, RESULTS, SEATS, TIMERS)}


def store(
    session: Session,
    version: int,
    events: Sequence[TableEvent],
    cause: Cause,
    followings: Followings,
) -> None:
    """Bring all rows of a table to what *followings* says, *version* being its new version."""
    table = followings.table
    if any(isinstance(event, _SEATING) for event in events):
        _store_seats(session, table)
    _store_timers(session, table, followings.timers)
    if any(isinstance(event, TableMoved) for event in events):
        _move(session, table, cause)
    if any(not isinstance(event, PlansMade) for event in events):
        # A plan puts no post behind: one drawn anew for it could show what time has changed.
        _store_posts(session, version, cause, followings)
    if table.closed_because == _LEFT_SERVER:
        _fall_silent(session, table)
    else:
        _store_pings(session, cause, followings)
        rows = _notice_rows(table, followings.notices, cause.at)
        _insert(session, OUTBOX, list(rows))
    deals.store(session, cause, followings)
    _insert(session, RESULTS, list(_result_rows(cause, followings)))
    if cause.name is not None and cause.user_id is not None:
        member = {"guild_id": table.guild_id, "user_id": cause.user_id, "name": cause.name}
        upsert(session, MEMBERS, member, keys=("guild_id", "user_id"))


def adjust(session: Session, adjustment: Adjustment) -> None:
    """Carry out *adjustment* at a table whose version stays as it is."""
    table, at = adjustment.table, adjustment.at
    _store_timers(session, table, adjustment.timers)
    if adjustment.shown_anew:
        session.connection().execute(_SHOW_ANEW, {"of": table.id})
    present = _calls(session, table)
    replaced = [key for key in map(_key, adjustment.reminders) if key in present]
    _take_back(session, at, [present[key] for key in replaced])
    _insert(session, OUTBOX, list(_ping_rows(table, adjustment.reminders, at)))
    _insert(session, OUTBOX, list(_notice_rows(table, adjustment.notices, at)))


def _store_seats(session: Session, table: Table) -> None:
    # Taken out first: two people who change places would meet on the way.
    session.connection().execute(_EMPTY_SEATS, {"of": table.id})
    taken = [
        {"table_id": table.id, "seat": seat, **_seat_columns(occupant)}
        for seat, occupant in enumerate(table.chairs)
        if occupant is not None
    ]
    _insert(session, SEATS, taken)


def _seat_columns(occupant: Occupant) -> dict[str, Any]:
    if isinstance(occupant, Human):
        return {"user_id": occupant.user_id, "robot": None}
    return {"user_id": occupant.keeps_for, "robot": occupant.level}


def _store_timers(session: Session, table: Table, timers: Iterable[Timer]) -> None:
    session.connection().execute(_STOP_TIMERS, {"of": table.id})
    wanted = [
        {
            "table_id": table.id,
            "seat": timer.seat,
            "kind": timer.kind.value,
            "guild_id": table.guild_id,
            "moment": timer.moment,
            "due_at": timer.due_at,
            "begun_at": timer.begun_at,
            "credit_ms": timer.credit // timedelta(milliseconds=1),
        }
        for timer in timers
    ]
    _insert(session, TIMERS, wanted)


def _store_posts(session: Session, version: int, cause: Cause, followings: Followings) -> None:
    """Put the open posts behind *version*, add new ones, close those that will not change.

    What is closed now is behind too, for the last time.
    """
    table_id = followings.table.id
    session.connection().execute(_PUT_BEHIND, {"of": table_id, "now": version, "at": cause.at})
    known, closed = session.connection().execute(_COUNT_POSTS, {"of": table_id}).one()
    if known < len(followings.slots):
        present = set(session.connection().execute(_SLOTS, {"of": table_id}).scalars())
        _insert(session, POSTS, list(_new_posts(version, cause, followings, present)))
    if closed < len(followings.closed_slots):
        session.connection().execute(
            _CLOSE_POSTS, {"of": table_id, "slots": followings.closed_slots}
        )


def _move(session: Session, table: Table, cause: Cause) -> None:
    """Let all that is still to be shown or said be so in the new place.

    What stands in the old one stays as it is, even where it was to be edited: the place may be
    gone. Only the newest post and the calls are taken away, as they would lead people there.
    """
    of = {"of": table.id}
    shown = session.connection().execute(_SHOWN_OPEN, of).all()
    for row in shown:
        ask_deletion(session, table.id, row.channel_id, row.message_id, cause.at)
    session.connection().execute(_SETTLE_SHOWN, of)
    session.connection().execute(_MOVE_POSTS, {**of, "to": table.channel_id})
    session.connection().execute(_MOVE_NOTICES, {**of, "to": table.channel_id})
    _take_back(session, cause.at, list(_calls(session, table).values()))


def _new_posts(
    version: int, cause: Cause, followings: Followings, present: set[str]
) -> Iterator[dict[str, Any]]:
    table = followings.table
    for place, slot in enumerate(followings.slots):
        if slot not in present:
            yield {
                "table_id": table.id,
                "slot": slot,
                "place": place,
                "guild_id": table.guild_id,
                "channel_id": table.channel_id,
                "closed": False,
                "wanted_version": version,
                "wanted_at": cause.at,
                "posted_version": 0,
                "sends": 0,
            }


def _fall_silent(session: Session, table: Table) -> None:
    """Want nothing more in a channel that we cannot reach: the bot has left the server."""
    session.connection().execute(_EMPTY_OUTBOX, {"of": table.id})
    session.connection().execute(_SETTLE_POSTS, {"of": table.id})


_Call = tuple[int | None, str | None, int | None]
"""What makes a call the same: whom it calls, for what, and the moment of the game."""
_Calls = dict[_Call, Row[*tuple[Any, ...]]]


def _calls(session: Session, table: Table) -> _Calls:
    """The calls that are wanted or stand in a channel."""
    rows = session.connection().execute(_CALLS, {"of": table.id}).all()
    return {(row.user_id, row.about, row.moment): row for row in rows}


def _key(ping: Ping) -> _Call:
    return ping.user_id, ping.kind, ping.moment


def _store_pings(session: Session, cause: Cause, followings: Followings) -> None:
    present = _calls(session, followings.table)
    wanted = {_key(ping): ping for ping in followings.pings}
    standing = set(map(_key, followings.standing))
    kept = {
        key
        for key, row in present.items()
        if (key in wanted or (row.reminder and key in standing))
        and not (row.reminder and followings.reminders_are_wrong)
    }
    _take_back(session, cause.at, [row for key, row in present.items() if key not in kept])
    fresh = [ping for key, ping in wanted.items() if key not in kept]
    rows = _ping_rows(followings.table, fresh, followings.ping_not_before)
    _insert(session, OUTBOX, list(rows))


def _take_back(session: Session, at: datetime, needless: Sequence[Row[*tuple[Any, ...]]]) -> None:
    """Delete calls from the channel; remember those not sent yet, as one may be on its way."""
    sent = [row.id for row in needless if row.message_id is not None]
    unsent = [row.id for row in needless if row.message_id is None]
    if sent:
        session.connection().execute(_DELETE_CALLS, {"ids": sent, "at": at})
    if unsent:
        session.connection().execute(_WITHDRAW_CALLS, {"ids": unsent, "at": at})


def _ping_rows(table: Table, pings: Sequence[Ping], due_at: datetime) -> Iterator[dict[str, Any]]:
    for ping in pings:
        yield {
            "guild_id": table.guild_id,
            "table_id": table.id,
            "channel_id": ping.channel_id,
            "kind": OutgoingKind.PING.value,
            "nonce": _nonce(table),
            "due_at": due_at,
            "attempts": 0,
            "user_id": ping.user_id,
            "about": ping.kind,
            "moment": ping.moment,
            "reminder": ping.reminder,
        }


def _nonce(table: Table) -> str:
    """What makes a send recognisable when it is repeated: at most 25 characters, Discord's limit.

    By chance, since Discord tells it to everybody in the channel: a number of stored events in it
    would tell of those that are nobody's business, such as plans.
    """
    return f"{table.id}.{token_hex(_NONCE_BYTES)}"


def _notice_rows(
    table: Table, notices: Sequence[Sentence], at: datetime
) -> Iterator[dict[str, Any]]:
    for notice in notices:
        yield {
            "guild_id": table.guild_id,
            "table_id": table.id,
            "channel_id": table.channel_id,
            "kind": OutgoingKind.NOTICE.value,
            "nonce": _nonce(table),
            "due_at": at,
            "attempts": 0,
            "notice": codec.encode_sentence(notice),
        }


def _result_rows(cause: Cause, followings: Followings) -> Iterator[dict[str, Any]]:
    for result in followings.results:
        yield {
            "table_id": followings.table.id,
            "seat": result.seat,
            "guild_id": followings.table.guild_id,
            "user_id": result.user_id,
            "family": result.family,
            "place": result.place,
            "points": result.points,
            "deals": result.deals,
            "moons": result.moons,
            "rated": result.rated,
            "ended_at": cause.at,
            "low_wins": result.low_wins,
        }


def _insert(session: Session, into: SqlTable, rows: Sequence[dict[str, Any]]) -> None:
    if rows:
        session.connection().execute(_ADD[into], rows)
