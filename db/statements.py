"""Statements that both databases have, under one spelling."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from sqlalchemy import Insert, Table
from sqlalchemy.dialects import postgresql, sqlite
from sqlmodel import Session


def upsert(
    session: Session, table: Table, row: Mapping[str, Any], *, keys: tuple[str, ...]
) -> None:
    """Insert *row*, or give the row with the same *keys* its other values."""
    names = tuple(row)
    session.exec(_upsert(session.get_bind().dialect.name, table, names, keys), params=row)


def insert_new(
    session: Session, table: Table, row: Mapping[str, Any], *, keys: tuple[str, ...]
) -> None:
    """Insert *row*, unless one with the same *keys* is there already."""
    session.exec(_insert_new(session.get_bind().dialect.name, table, keys), params=row)


@cache
def _insert_new(dialect: str, table: Table, keys: tuple[str, ...]) -> Insert:
    insert = (sqlite if dialect == "sqlite" else postgresql).insert(table)
    fresh: Insert = insert.on_conflict_do_nothing(index_elements=keys)
    return fresh


@cache
def _upsert(dialect: str, table: Table, names: tuple[str, ...], keys: tuple[str, ...]) -> Insert:
    insert = (sqlite if dialect == "sqlite" else postgresql).insert(table)
    new = {name: insert.excluded[name] for name in names if name not in keys}
    upsert: Insert = insert.on_conflict_do_update(index_elements=keys, set_=new)
    return upsert
