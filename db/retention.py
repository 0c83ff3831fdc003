"""What is deleted because it has been kept for long enough."""

from datetime import datetime
from typing import Any

from sqlalchemy import Select, delete, exists, select, update
from sqlmodel import Session

from db.departures import OF_TABLES
from db.engine import Database
from db.models import EVENTS, KEEPERS, LIVE_STATUSES, RESULTS, TABLES

_GAME_STARTED = "game_started"
"""The kind of the event, as `bot.table.codec` writes it."""
_BEGAN = exists().where(EVENTS.c.table_id == TABLES.c.id, EVENTS.c.kind == _GAME_STARTED)
_COURSE = tuple(table for table in OF_TABLES if table is not RESULTS)


class SqlArchive:
    """`bot.table.retention.Archive` over SQLite or PostgreSQL."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def prune_games(self, before: datetime, limit: int) -> int:
        """See `bot.table.retention.Archive.prune_games`.

        Of a game whose results are kept one row stays, of a table at version 0.
        """
        ended = _ended(before, limit)
        return await self._database.write(lambda session: _prune(session, ended))

    async def prune_lobbies(self, before: datetime, limit: int) -> int:
        """See `bot.table.retention.Archive.prune_lobbies`."""
        ended = _ended(before, limit).where(~_BEGAN)
        return await self._database.write(lambda session: _prune(session, ended))

    async def prune_keepers(self, before: datetime) -> int:
        """See `bot.table.retention.Archive.prune_keepers`."""
        gone = delete(KEEPERS).where(KEEPERS.c.changed_at < before)
        return await self._database.write(
            lambda session: session.connection().execute(gone).rowcount
        )


def _ended(before: datetime, limit: int) -> Select[Any]:
    """Tables that ended before then, of which anything but results is stored."""
    over = TABLES.c.status.not_in(LIVE_STATUSES) & (TABLES.c.ended_at < before)
    ids = select(TABLES.c.id).where(over, TABLES.c.version > 0)
    return ids.order_by(TABLES.c.ended_at, TABLES.c.id).limit(limit)


def _prune(session: Session, ended: Select[Any]) -> int:
    connection = session.connection()
    ids = connection.execute(ended).scalars().all()
    for table in _COURSE:
        connection.execute(delete(table).where(table.c.table_id.in_(ids)))
    with_results = exists().where(RESULTS.c.table_id == TABLES.c.id)
    connection.execute(delete(TABLES).where(TABLES.c.id.in_(ids), ~with_results))
    connection.execute(update(TABLES).where(TABLES.c.id.in_(ids)).values(version=0))
    return len(ids)
