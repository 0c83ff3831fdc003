"""Leases in memory, by the clock that tests move, and processes that hold what a test says."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from bot.table.leases import LeaseHeldError
from bot.table.ports import Clock
from bot.table.shards import Lease, Shards


class MemoryLeases:
    """`bot.table.leases.LeaseStore` for processes that divide the servers alike."""

    def __init__(self, clock: Clock) -> None:
        self.rows: dict[int, tuple[Lease, datetime]] = {}
        self.failures: list[BaseException] = []
        """Raised by the next questions, one each."""
        self._clock = clock

    async def take(self, shard: int, shards: Shards, owner: str, length: timedelta) -> Lease:
        self._fail()
        before, until = self.rows.get(shard, (None, self._clock.now()))
        if before is not None and until > self._clock.now() and before.owner != owner:
            raise LeaseHeldError(before.owner, shards=before.count)
        epoch = 1 if before is None else before.epoch + 1
        lease = Lease(shard=shard, count=shards.count, owner=owner, epoch=epoch)
        self.rows[shard] = lease, self._clock.now() + length
        return lease

    async def renew(self, lease: Lease, length: timedelta) -> bool:
        self._fail()
        if self.rows[lease.shard][0] != lease:
            return False
        self.rows[lease.shard] = lease, self._clock.now() + length
        return True

    async def release(self, lease: Lease) -> None:
        if self.rows[lease.shard][0] == lease:
            self.rows[lease.shard] = lease, self._clock.now()

    def _fail(self) -> None:
        if self.failures:
            raise self.failures.pop(0)


class Holding:
    """`bot.table.leases.Held` of what a test says."""

    share = 0.5
    waits = True

    def __init__(self, *shards: int, epoch: int = 1) -> None:
        self.leases = [self.lease(shard, epoch) for shard in shards]
        self.lost: list[Lease | None] = []

    @staticmethod
    def lease(shard: int, epoch: int) -> Lease:
        return Lease(shard=shard, count=2, owner="test", epoch=epoch)

    def held(self) -> Sequence[Lease | None]:
        return tuple(self.leases)

    def lose(self, lease: Lease | None) -> None:
        self.lost.append(lease)
        self.leases = [each for each in self.leases if each != lease]
