"""All contracts of the store, on SQLite."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.db.contract.every import *  # noqa: F403  each class is one to be collected
from tests.support.store import Stores, fresh_stores


@pytest.fixture
async def stores(tmp_path: Path) -> AsyncIterator[Stores]:
    opened = await fresh_stores(tmp_path)
    yield opened
    await opened.database.close()
