"""Servers that are gone, and the one unit that deletes all that is stored of one."""

from collections.abc import Collection, Sequence
from datetime import datetime

from sqlalchemy import delete, select, union
from sqlmodel import Session

from bot.table.departures import Departure
from bot.table.ids import GuildId
from db.engine import Database
from db.models import (
    DEALS,
    DEPARTURES,
    EVENTS,
    GUILDS,
    KEEPERS,
    MEMBERS,
    OUTBOX,
    POSTS,
    RESULTS,
    SEATS,
    TABLES,
    TIMERS,
)
from db.statements import insert_new

OF_TABLES = (RESULTS, TIMERS, OUTBOX, POSTS, DEALS, EVENTS, SEATS)
"""Where rows of tables lie beside `TABLES` itself, which has to outlive them."""
_OF_SERVERS = (TABLES, KEEPERS, MEMBERS, GUILDS)
_NOTED = select(DEPARTURES.c.guild_id)


class SqlDepartures:
    """`bot.table.departures.Departures` over SQLite or PostgreSQL."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, departure: Departure) -> None:
        """See `bot.table.departures.Departures.add`."""
        row = {
            "guild_id": departure.guild_id,
            "left_at": departure.left_at,
            "due_at": departure.due_at,
        }
        await self._database.write(
            lambda session: insert_new(session, DEPARTURES, row, keys=("guild_id",))
        )

    async def withdraw(self, guild_ids: Collection[GuildId]) -> None:
        """See `bot.table.departures.Departures.withdraw`."""
        # Looked up first: hardly ever is there anything to write.
        noted = await self._database.read(
            lambda session: session.connection().execute(_NOTED).scalars().all()
        )
        for guild_id in set(noted) & set(guild_ids):
            await self._withdraw(guild_id)

    async def _withdraw(self, guild_id: GuildId) -> None:
        gone = delete(DEPARTURES).where(DEPARTURES.c.guild_id == guild_id)
        await self._database.write(lambda session: session.connection().execute(gone).rowcount)

    async def due(self, now: datetime, limit: int) -> Sequence[Departure]:
        """See `bot.table.departures.Departures.due`."""
        due = select(DEPARTURES).where(DEPARTURES.c.due_at <= now)
        first = due.order_by(DEPARTURES.c.due_at, DEPARTURES.c.guild_id).limit(limit)
        rows = await self._database.read(lambda session: session.connection().execute(first).all())
        return [Departure(GuildId(row.guild_id), row.left_at, row.due_at) for row in rows]

    async def known(self) -> frozenset[GuildId]:
        """See `bot.table.departures.Departures.known`."""
        everywhere = union(*(select(table.c.guild_id).distinct() for table in _OF_SERVERS))
        found = await self._database.read(
            lambda session: session.connection().execute(everywhere).scalars().all()
        )
        return frozenset(GuildId(guild_id) for guild_id in found if guild_id is not None)

    async def purge(self, guild_id: GuildId, now: datetime) -> bool:
        """See `bot.table.departures.Departures.purge`."""
        due = delete(DEPARTURES).where(
            DEPARTURES.c.guild_id == guild_id, DEPARTURES.c.due_at <= now
        )
        tables = select(TABLES.c.id).where(TABLES.c.guild_id == guild_id)

        def unit(session: Session) -> bool:
            connection = session.connection()
            if connection.execute(due).rowcount != 1:
                return False
            for table in OF_TABLES:
                connection.execute(delete(table).where(table.c.table_id.in_(tables)))
            for table in _OF_SERVERS:
                connection.execute(delete(table).where(table.c.guild_id == guild_id))
            return True

        return await self._database.write(unit)
