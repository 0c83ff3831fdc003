"""The contracts of a store, for each database alike; a module of tests gives it `stores`."""

import pytest

from bot.table.ports import KeeperStore
from tests.db.contract.adjustments import AdjustmentContract
from tests.db.contract.board import BoardContract
from tests.db.contract.choices import ChoiceContract
from tests.db.contract.commits import CommitContract
from tests.db.contract.deals import DealContract
from tests.db.contract.departures import DepartureContract, RetentionContract
from tests.db.contract.erasures import ErasureContract, ExportContract
from tests.db.contract.keepers import KeeperContract
from tests.db.contract.leases import LeaseContract
from tests.db.contract.lists import ListContract
from tests.db.contract.moves import MoveContract
from tests.db.contract.outbox import OutboxContract
from tests.db.contract.posts import PostContract
from tests.db.contract.shards import ShardContract
from tests.db.contract.timers import TimerContract
from tests.db.contract.vitals import VitalsContract
from tests.support.store import Stores


class TestCommits(CommitContract):
    pass


class TestDeals(DealContract):
    pass


class TestLeases(LeaseContract):
    pass


class TestLists(ListContract):
    pass


class TestPosts(PostContract):
    pass


class TestMoves(MoveContract):
    pass


class TestOutbox(OutboxContract):
    pass


class TestAdjustments(AdjustmentContract):
    pass


class TestShards(ShardContract):
    pass


class TestTimers(TimerContract):
    pass


class TestErasures(ErasureContract):
    pass


class TestExports(ExportContract):
    pass


class TestDepartures(DepartureContract):
    pass


class TestRetention(RetentionContract):
    pass


class TestVitals(VitalsContract):
    pass


class TestChoices(ChoiceContract):
    pass


class TestBoard(BoardContract):
    pass


class TestKeepers(KeeperContract):
    @pytest.fixture
    def keepers(self, stores: Stores) -> KeeperStore:
        return stores.keepers
