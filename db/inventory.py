"""What lies in a database, counted: to look whether a copy of it is whole."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from sqlalchemy import Connection, Text, cast, func, select
from sqlmodel import Session

from bot.rules import ruleset_io
from bot.table import agreements
from bot.table.history import DAMAGE
from bot.table.ids import TableId
from bot.table.state import Status
from db.engine import Database
from db.models import EVENTS, METADATA, TABLES

_READINGS: Mapping[str, Callable[[str], object]] = {
    "status": Status,
    "rules": lambda written: ruleset_io.from_dict(json.loads(written)),
    "clock": lambda written: agreements.decode_clock(json.loads(written)),
}
"""How what stands in a column of a table's row is read."""


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
    unreadable: Mapping[TableId, str]
    """Tables whose row holds what is no value of a column, and the name of that column."""


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
        unreadable=dict(_unreadable(connection)),
    )


def _unreadable(connection: Connection) -> Iterator[tuple[TableId, str]]:
    """Read the rows of all tables as whoever works with them does, each by itself."""
    # As text: a single row that is no JSON would end the look at all of them.
    columns = [cast(TABLES.c[name], Text).label(name) for name in _READINGS]
    sound: set[tuple[str, str]] = set()
    for row in connection.execute(select(TABLES.c.id, *columns)).mappings():
        for name in _READINGS:
            if (name, row[name]) in sound:
                continue
            if _can_be_read(name, row[name]):
                sound.add((name, row[name]))  # most tables have the same rules as another
            else:
                yield TableId(row["id"]), name


def _can_be_read(name: str, value: str) -> bool:
    try:
        _READINGS[name](value)
    except DAMAGE:
        return False
    return True
