"""Statements that both databases have, under one spelling."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Insert, Table
from sqlalchemy.dialects import postgresql, sqlite
from sqlmodel.ext.asyncio.session import AsyncSession


def upsert(
    session: AsyncSession, table: Table, row: Mapping[str, Any], *, keys: Sequence[str]
) -> Insert:
    """Insert *row*, or give the row with the same *keys* its other values."""
    others = {name: value for name, value in row.items() if name not in keys}
    if session.get_bind().dialect.name == "sqlite":
        on_sqlite = sqlite.insert(table).values(row)
        return on_sqlite.on_conflict_do_update(index_elements=keys, set_=others)
    on_postgresql = postgresql.insert(table).values(row)
    return on_postgresql.on_conflict_do_update(index_elements=keys, set_=others)
