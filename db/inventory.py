"""What lies in a database, counted: to look whether a copy of it is whole."""

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import func, select
from sqlmodel import Session

from bot.table.ids import TableId
from db.engine import Database
from db.models import EVENTS, METADATA, TABLES


@dataclass(frozen=True, slots=True, kw_only=True)
class Inventory:
    """One moment of a database."""

    rows: Mapping[str, int]
    """By the name of the SQL table."""
    versions: Mapping[TableId, int]
    """How many events each table of the game says it has. One whose course was deleted after some
    time has none, and is left out."""
    events: Mapping[TableId, int]
    """How many it has, and none is missing between them."""


async def take(database: Database) -> Inventory:
    """Count all that there is."""
    return await database.read(_take)


def _take(session: Session) -> Inventory:
    connection = session.connection()
    rows = {
        name: connection.scalar(select(func.count()).select_from(table)) or 0
        for name, table in METADATA.tables.items()
    }
    with_course = select(TABLES.c.id, TABLES.c.version).where(TABLES.c.version > 0)
    versions = connection.execute(with_course).all()
    last = select(EVENTS.c.table_id, func.count(), func.max(EVENTS.c.seq))
    events = connection.execute(last.group_by(EVENTS.c.table_id)).all()
    return Inventory(
        rows=rows,
        versions={TableId(table_id): version for table_id, version in versions},
        events={TableId(table_id): count for table_id, count, top in events if count == top},
    )
