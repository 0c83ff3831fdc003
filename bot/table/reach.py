"""Whether people can reach the bot. An outage of Discord costs nobody time (cases.md B75)."""

import asyncio
import logging
from collections.abc import Sequence
from datetime import datetime

from bot.table.ids import GuildId
from bot.table.leases import ALONE, Held
from bot.table.ports import Clock
from bot.table.servers import Servers
from bot.table.shards import working_under
from bot.table.timekeeper import OUTAGE, Timekeeper

log = logging.getLogger(__name__)


class Reach:
    """Stops the timekeeper while nobody can move, and gives the time back afterwards.

    While it is stopped no heart beats: should the process die before people are back, the next
    start gives back the time from the last heartbeat on, as after any outage.
    """

    def __init__(
        self, servers: Servers, timekeeper: Timekeeper, clock: Clock, leases: Held = ALONE
    ) -> None:
        self._servers = servers
        self._timekeeper = timekeeper
        self._clock = clock
        self._leases = leases
        self._lost_at: dict[int, datetime] = {}
        """By shard."""
        self._regaining = asyncio.Lock()

    @property
    def lost(self) -> bool:
        """Whether the gateway is away, if only for some servers."""
        return bool(self._lost_at)

    def lose(self, shard: int = 0) -> None:
        """No click of a shard comes in any more. To say so again changes nothing."""
        self._lost_at.setdefault(shard, self._clock.now())
        self._timekeeper.rest(shard)

    async def regain(self, guild_ids: Sequence[GuildId], shard: int = 0) -> None:
        """Clicks come in again. Nothing is given back for a short gap.

        Args:
            guild_ids: all servers of the shard.
            shard: whose gateway is back.
        """
        async with self._regaining:
            since = self._lost_at.pop(shard, None)
            if since is not None and self._clock.now() - since > OUTAGE:
                await self._give_back_there(guild_ids, shard, since)
            if shard not in self._lost_at:
                self._timekeeper.go_on(shard)

    async def _give_back_there(
        self, guild_ids: Sequence[GuildId], shard: int, since: datetime
    ) -> None:
        """Give time back in a shard, if this process runs its clocks and has done so all the time.

        Else whoever does gives it back, or the timekeeper when it begins.
        """
        for lease in self._leases.held():
            elsewhere = lease is not None and lease.shard != shard
            if elsewhere or not self._timekeeper.has_begun(lease):
                continue
            log.warning("nobody could reach us since %s: all deadlines move by as much", since)
            with working_under(lease):
                for guild_id in guild_ids:
                    await self._give_back(guild_id, since)

    async def _give_back(self, guild_id: GuildId, since: datetime) -> None:
        try:
            await self._servers.give_back(guild_id, since)
        except Exception:
            # Worse than time that is lost in one server are clocks that stand still in all.
            log.exception("server %s: no time could be given back", guild_id)
