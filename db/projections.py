"""What follows from events, as rows, in the transaction of the events.

`bot.table.storing.Followings` says what there has to be, whole; here it becomes the least change
that brings the rows there.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import Table as SqlTable
from sqlalchemy import case, delete, func, insert, update
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.table import codec
from bot.table.events import GameStarted, SeatHandedOver, SeatLeft, SeatTaken, TableEvent
from bot.table.ids import Human, Occupant
from bot.table.posting import Ping
from bot.table.state import Table
from bot.table.storing import Cause, Followings, OutgoingKind
from db.models import (
    DEALS,
    MEMBERS,
    OUTBOX,
    POSTS,
    RESULTS,
    SEATS,
    TIMERS,
    OutboxRecord,
)
from db.statements import upsert

_SEATING = (SeatTaken, SeatLeft, GameStarted, SeatHandedOver)
"""The events that move somebody on or off a chair."""

_LEFT_SERVER = "left_server"


async def store(
    session: AsyncSession,
    version: int,
    events: Sequence[TableEvent],
    cause: Cause,
    followings: Followings,
) -> None:
    """Bring all rows of a table to what *followings* says, *version* being its new version."""
    table = followings.table
    if any(isinstance(event, _SEATING) for event in events):
        await _store_seats(session, table)
    await _store_timers(session, followings)
    await _store_posts(session, version, cause, followings)
    if table.closed_because == _LEFT_SERVER:
        await _fall_silent(session, table)
    else:
        await _store_pings(session, version, cause, followings)
        await _insert(session, OUTBOX, list(_notice_rows(version, cause, followings)))
    await _insert(session, DEALS, list(_deal_rows(followings)))
    await _insert(session, RESULTS, list(_result_rows(cause, followings)))
    if cause.name is not None and cause.user_id is not None:
        member = {"guild_id": table.guild_id, "user_id": cause.user_id, "name": cause.name}
        await session.exec(upsert(session, MEMBERS, member, keys=("guild_id", "user_id")))


async def _store_seats(session: AsyncSession, table: Table) -> None:
    # Taken out first: two people who change places would meet on the way.
    await session.exec(delete(SEATS).where(SEATS.c.table_id == table.id))
    taken = [
        {"table_id": table.id, "seat": seat, **_seat_columns(occupant)}
        for seat, occupant in enumerate(table.chairs)
        if occupant is not None
    ]
    await _insert(session, SEATS, taken)


def _seat_columns(occupant: Occupant) -> dict[str, Any]:
    if isinstance(occupant, Human):
        return {"user_id": occupant.user_id, "robot": None}
    return {"user_id": occupant.keeps_for, "robot": occupant.level}


async def _store_timers(session: AsyncSession, followings: Followings) -> None:
    table = followings.table
    await session.exec(delete(TIMERS).where(TIMERS.c.table_id == table.id))
    wanted = [
        {
            "table_id": table.id,
            "seat": timer.seat,
            "kind": timer.kind.value,
            "guild_id": table.guild_id,
            "moment": timer.moment,
            "due_at": timer.due_at,
        }
        for timer in followings.timers
    ]
    await _insert(session, TIMERS, wanted)


async def _store_posts(
    session: AsyncSession, version: int, cause: Cause, followings: Followings
) -> None:
    """Put the open posts behind *version*, add new ones, close those that will not change.

    What is closed now is behind too, for the last time.
    """
    of_table = POSTS.c.table_id == followings.table.id
    is_behind = POSTS.c.posted_version < POSTS.c.wanted_version
    since = case((is_behind, POSTS.c.wanted_at), else_=cause.at)
    await session.exec(
        update(POSTS)
        .where(of_table, POSTS.c.closed.is_(False))
        .values(wanted_version=version, wanted_at=since)
    )
    known, closed = (
        await session.exec(
            select(func.count(), func.count().filter(POSTS.c.closed)).where(of_table)
        )
    ).one()
    if known < len(followings.slots):
        present = set(await session.exec(select(POSTS.c.slot).where(of_table)))
        await _insert(session, POSTS, list(_new_posts(version, cause, followings, present)))
    if closed < len(followings.closed_slots):
        to_close = POSTS.c.slot.in_(followings.closed_slots)
        await session.exec(
            update(POSTS).where(of_table, POSTS.c.closed.is_(False), to_close).values(closed=True)
        )


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


async def _fall_silent(session: AsyncSession, table: Table) -> None:
    """Want nothing more in a channel that we cannot reach: the bot has left the server."""
    await session.exec(delete(OUTBOX).where(OUTBOX.c.table_id == table.id))
    await session.exec(
        update(POSTS)
        .where(POSTS.c.table_id == table.id)
        .values(closed=True, wanted_version=POSTS.c.posted_version)
    )


async def _store_pings(
    session: AsyncSession, version: int, cause: Cause, followings: Followings
) -> None:
    rows = await session.exec(
        select(OutboxRecord).where(
            col(OutboxRecord.table_id) == followings.table.id,
            col(OutboxRecord.kind) == OutgoingKind.PING.value,
            col(OutboxRecord.withdrawn_at).is_(None),
        )
    )
    present = {(row.user_id, row.about, row.moment): row for row in rows}
    wanted = {(ping.user_id, ping.kind, ping.moment): ping for ping in followings.pings}
    needless = [row for key, row in present.items() if key not in wanted]
    await _take_back(session, cause, needless)
    fresh = [ping for key, ping in wanted.items() if key not in present]
    await _insert(session, OUTBOX, list(_ping_rows(version, followings, fresh)))


async def _take_back(session: AsyncSession, cause: Cause, needless: Sequence[OutboxRecord]) -> None:
    """Delete calls from the channel; remember those not sent yet, as one may be on its way."""
    sent = [row.id for row in needless if row.message_id is not None]
    unsent = [row.id for row in needless if row.message_id is None]
    if sent:
        deletion = {"kind": OutgoingKind.DELETE.value, "due_at": cause.at, "attempts": 0}
        await session.exec(update(OUTBOX).where(OUTBOX.c.id.in_(sent)).values(deletion))
    if unsent:
        withdrawn = {"withdrawn_at": cause.at, "due_at": None}
        await session.exec(update(OUTBOX).where(OUTBOX.c.id.in_(unsent)).values(withdrawn))


def _ping_rows(
    version: int, followings: Followings, pings: Sequence[Ping]
) -> Iterator[dict[str, Any]]:
    table = followings.table
    for number, ping in enumerate(pings):
        yield {
            "guild_id": table.guild_id,
            "table_id": table.id,
            "channel_id": ping.channel_id,
            "kind": OutgoingKind.PING.value,
            "nonce": f"{table.id}.p{version}.{number}",
            "due_at": followings.ping_not_before,
            "attempts": 0,
            "user_id": ping.user_id,
            "about": ping.kind,
            "moment": ping.moment,
        }


def _notice_rows(version: int, cause: Cause, followings: Followings) -> Iterator[dict[str, Any]]:
    table = followings.table
    for number, notice in enumerate(followings.notices):
        yield {
            "guild_id": table.guild_id,
            "table_id": table.id,
            "channel_id": table.channel_id,
            "kind": OutgoingKind.NOTICE.value,
            "nonce": f"{table.id}.n{version}.{number}",
            "due_at": cause.at,
            "attempts": 0,
            "notice": codec.encode_sentence(notice),
        }


def _deal_rows(followings: Followings) -> Iterator[dict[str, Any]]:
    for secret in followings.secret_deals:
        yield {
            "table_id": followings.table.id,
            "deal": secret.deal,
            "seed": secret.seed,
            "commitment": secret.commitment,
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
        }


async def _insert(session: AsyncSession, into: SqlTable, rows: Sequence[dict[str, Any]]) -> None:
    if rows:
        await session.exec(insert(into), params=rows)
