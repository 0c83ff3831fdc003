"""What every store promises, kept by the stores in memory that stand in for it."""

import pytest

from bot.table.ports import KeeperStore
from tests.db.contract.keepers import KeeperContract
from tests.support.fakes import MemoryKeepers


class TestKeepers(KeeperContract):
    @pytest.fixture
    def keepers(self) -> KeeperStore:
        return MemoryKeepers()
