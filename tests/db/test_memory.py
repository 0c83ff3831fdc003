"""What every store promises, kept by the stores in memory that stand in for it."""

from dataclasses import dataclass

import pytest

from bot.table.ports import KeeperStore
from tests.db.contract.adjustments import AdjustmentContract
from tests.db.contract.deals import DealContract
from tests.db.contract.keepers import KeeperContract
from tests.db.contract.moves import MoveContract
from tests.support.fakes import MemoryKeepers
from tests.support.memory_store import MemoryStore


@dataclass(frozen=True, slots=True)
class MemoryStores:
    """The ports that a table needs, as `tests.support.store.Stores` has them."""

    events: MemoryStore
    work: MemoryStore


@pytest.fixture
def stores() -> MemoryStores:
    memory = MemoryStore()
    return MemoryStores(memory, memory)


class TestMoves(MoveContract):
    pass


class TestDeals(DealContract):
    pass


class TestAdjustments(AdjustmentContract):
    pass


class TestKeepers(KeeperContract):
    @pytest.fixture
    def keepers(self) -> KeeperStore:
        return MemoryKeepers()
