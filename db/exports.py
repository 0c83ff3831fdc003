"""What lies in the store of one person, beside the events of tables."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import ColumnElement, select
from sqlalchemy import Table as SqlTable
from sqlmodel import Session

from bot.table.exporting import StoredAbout, StoredTable
from bot.table.ids import TableId, UserId
from db.columns import moment
from db.engine import Database
from db.erasures import tables_with
from db.models import ERASURES, KEEPERS, MEMBERS, OUTBOX, PERSONS, RESULTS, TABLES

_OF_TABLE = ("id", "guild_id", "channel_id", "status", "title", "opened_at", "ended_at")
_AT_ONCE = 500
"""Tables in one statement; databases bound how many values it may have."""


class SqlExports:
    """`bot.table.exporting.Exports` over SQLite or PostgreSQL."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def about(self, user_id: UserId) -> StoredAbout:
        """See `bot.table.exporting.Exports.about`."""
        return await self._database.read(lambda session: _about(session, user_id))


def _about(session: Session, user_id: UserId) -> StoredAbout:
    settings = _rows(session, PERSONS, PERSONS.c.user_id == user_id)
    erasure = _rows(session, ERASURES, ERASURES.c.user_id == user_id)
    return StoredAbout(
        preferences=_preferences(settings[0]["settings"]) if settings else None,
        names=_rows(session, MEMBERS, MEMBERS.c.user_id == user_id),
        results=_rows(session, RESULTS, RESULTS.c.user_id == user_id),
        tables=_tables(session, user_id),
        score_keepers=_rows(session, KEEPERS, KEEPERS.c.owner == user_id),
        calls=_rows(session, OUTBOX, OUTBOX.c.user_id == user_id),
        deletion=erasure[0] if erasure else None,
    )


def _rows(
    session: Session, table: SqlTable, where: ColumnElement[bool]
) -> Sequence[Mapping[str, Any]]:
    rows = session.connection().execute(select(table).where(where)).mappings()
    return [dict(row) for row in rows]


def _preferences(stored: Mapping[str, Any]) -> Mapping[str, Any]:
    """What was chosen, the moments of vacations as moments."""
    vacations = [list(map(moment, row)) for row in stored.get("vacations", ())]
    return {**stored, "vacations": vacations}


def _tables(session: Session, user_id: UserId) -> Sequence[StoredTable]:
    ids = sorted(tables_with(session, user_id))
    columns = [TABLES.c[name] for name in _OF_TABLE]
    found: list[StoredTable] = []
    for start in range(0, len(ids), _AT_ONCE):
        some = select(*columns, TABLES.c.host).where(TABLES.c.id.in_(ids[start : start + _AT_ONCE]))
        for row in session.connection().execute(some).mappings():
            values = {name: row[name] for name in _OF_TABLE}
            hosting = {"you_are_host": row["host"] == user_id}
            found.append(StoredTable(table_id=TableId(row["id"]), values=values | hosting))
    return sorted(found, key=lambda each: each.values["opened_at"])
