"""Rooms on every store that a test should hold for."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from tests.support.store import fresh_stores
from tests.support.tables import Room

STORES = ("memory", "sqlite")


@asynccontextmanager
async def room_on(store: str, folder: Path) -> AsyncIterator[Room]:
    """A room on one of `STORES`, whose files lie in *folder*."""
    if store == "memory":
        yield Room()
        return
    stores = await fresh_stores(folder)
    try:
        yield Room(stores.events, stores.work)
    finally:
        await stores.database.close()
