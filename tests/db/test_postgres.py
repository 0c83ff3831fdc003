"""All contracts of the store, on PostgreSQL (reliability.md 6.19)."""

from collections.abc import AsyncIterator

import pytest

from tests.db.contract.every import *  # noqa: F403  each class is one to be collected
from tests.support.postgres import postgres_stores
from tests.support.store import Stores

pytestmark = pytest.mark.promise(19)


@pytest.fixture
async def stores() -> AsyncIterator[Stores]:
    async with postgres_stores() as opened:
        yield opened
