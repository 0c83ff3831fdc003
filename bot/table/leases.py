"""Takes the leases of a process's shards, keeps them, and gives them back at the end."""

import logging
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Protocol

from bot.rules.errors import HeartsError
from bot.table.ports import Clock
from bot.table.shards import Lease, Shards

LENGTH = timedelta(seconds=30)
"""How long others wait for a process that says nothing any more."""
_RENEWALS = 3
"""How often a lease is renewed in its length: two that fail are not missed."""
_LOOKS = 15
"""How often, in the length of a lease, one that somebody else holds is asked for."""

log = logging.getLogger(__name__)


class LeaseHeldError(Exception):
    """A living process has the lease, or divides the servers otherwise."""

    def __init__(self, owner: str, *, shards: int) -> None:
        self.owner = owner
        self.shards = shards
        super().__init__(f"held by {owner}, of {shards}")


class LeaseStore(Protocol):
    """Leases by the one clock that all processes share."""

    async def take(self, shard: int, shards: Shards, owner: str, length: timedelta) -> Lease:
        """Take over a lease that nobody holds now, under a new epoch.

        Raises:
            LeaseHeldError: somebody else holds it, or any lease of another number of shards, in
                which the same servers lie otherwise.
        """
        ...

    async def renew(self, lease: Lease, length: timedelta) -> bool:
        """Let a lease last for *length* from now on; false: it was taken over."""
        ...

    async def release(self, lease: Lease) -> None:
        """Let anybody take a lease from now on."""
        ...


class Held(Protocol):
    """Under which leases work may be done now."""

    @property
    def share(self) -> float:
        """Which part of all that the bot may ask of Discord falls to this process."""
        ...

    @property
    def waits(self) -> bool:
        """Whether other processes are known to hold what this one lacks."""
        ...

    def held(self) -> Sequence[Lease | None]:
        """One after the other; ``None`` stands for all there is, without a lease."""
        ...

    def lose(self, lease: Lease | None) -> None:
        """Work no more under a lease that turned out to be gone."""
        ...


class Alone:
    """`Held` of a process that surely is the only one."""

    share = 1.0
    waits = False

    def held(self) -> Sequence[Lease | None]:
        """See `Held.held`."""
        return (None,)

    def lose(self, lease: Lease | None) -> None:
        """See `Held.lose`. There is nobody to lose it to."""


ALONE = Alone()


class Leases:
    """`Held` of one process among several, and the loop that keeps it true.

    Args:
        store: where all processes look.
        shards: what this process serves.
        owner: its name, that of no process before.
        clock: this machine's time, by which the process trusts its leases a little less long than
            the store does. If it is wrong, `db.fences` still keeps out what comes too late.
        length: of a lease.
    """

    def __init__(
        self,
        store: LeaseStore,
        shards: Shards,
        owner: str,
        clock: Clock,
        length: timedelta = LENGTH,
    ) -> None:
        self._store = store
        self._shards = shards
        self._owner = owner
        self._clock = clock
        self._length = length
        self._mine: dict[int, tuple[Lease, datetime]] = {}
        """By shard: the lease, and until when it is trusted. The one used last comes last."""
        self._told: dict[int, str] = {}
        """By shard: of which other holder the log has heard."""

    @property
    def shards(self) -> Shards:
        """What this process serves."""
        return self._shards

    @property
    def share(self) -> float:
        """See `Held.share`."""
        return self._shards.share

    @property
    def waits(self) -> bool:
        """See `Held.waits`."""
        return bool(self._told)

    def held(self) -> Sequence[Lease]:
        """See `Held.held`; begins with another one each time, so that none always waits."""
        now = self._clock.now()
        trusted = [lease for lease, until in self._mine.values() if now < until]
        if trusted:
            first = trusted[0].shard
            self._mine[first] = self._mine.pop(first)
        return trusted

    def lose(self, lease: Lease | None) -> None:
        """See `Held.lose`."""
        if lease is not None and self._mine.get(lease.shard, (None,))[0] == lease:
            del self._mine[lease.shard]
            log.warning("Shard %s: another process has taken it over.", lease.shard)

    async def run(self) -> None:
        """Go on until cancelled, whatever fails."""
        while True:
            seconds = self._length.total_seconds()
            all_mine = len(self._mine) == len(self._shards.ids)
            await self._clock.sleep(seconds / (_RENEWALS if all_mine else _LOOKS))
            await self.step()

    async def step(self) -> None:
        """Renew what is held, and take what is free; a failure is tried again by the next step."""
        for shard in self._shards.ids:
            try:
                await self._renew(shard)
                await self._take(shard)
            except HeartsError as error:
                log.error(  # noqa: TRY400  it was told where it failed
                    "Shard %s: its lease could not be kept: %s", shard, error
                )
            except Exception:
                log.exception("Shard %s: its lease could not be kept.", shard)

    async def release(self) -> None:
        """Let others go on at once; called when nothing more is done."""
        mine, self._mine = self._mine, {}
        for lease, _ in mine.values():
            try:
                await self._store.release(lease)
            except Exception:
                log.exception("Shard %s: its lease has to run out.", lease.shard)

    async def _renew(self, shard: int) -> None:
        lease, trusted = self._mine.get(shard, (None, None))
        now = self._clock.now()
        if lease is None or trusted is None or trusted - now > self._length * 3 / 4:
            return
        if await self._store.renew(lease, self._length):
            self._mine[shard] = lease, now + self._length
        else:
            self.lose(lease)

    async def _take(self, shard: int) -> None:
        if shard in self._mine:
            return
        now = self._clock.now()
        try:
            lease = await self._store.take(shard, self._shards, self._owner, self._length)
        except LeaseHeldError as held:
            self._tell(shard, held)
            return
        self._mine[shard] = lease, now + self._length
        self._told.pop(shard, None)
        log.info("Shard %s of %s is ours, epoch %s.", shard, lease.count, lease.epoch)

    def _tell(self, shard: int, held: LeaseHeldError) -> None:
        """Say once of each other holder that this process waits for it."""
        if self._told.get(shard) == str(held):
            return
        self._told[shard] = str(held)
        log.warning(
            "Shard %s of %s: another process (%s, of %s) posts and fires timers; this one answers"
            " clicks and waits for that one to end.",
            shard,
            self._shards.count,
            held.owner,
            held.shards,
        )
