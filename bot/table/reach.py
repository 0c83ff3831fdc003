"""Whether people can reach the bot. An outage of Discord costs nobody time (cases.md B75)."""

import asyncio
import logging
from collections.abc import Sequence
from datetime import datetime

from bot.table.ids import GuildId
from bot.table.ports import Clock
from bot.table.servers import Servers
from bot.table.timekeeper import OUTAGE, Timekeeper

log = logging.getLogger(__name__)


class Reach:
    """Stops the timekeeper while nobody can move, and gives the time back afterwards.

    While it is stopped no heart beats: should the process die before people are back, the next
    start gives back the time from the last heartbeat on, as after any outage.
    """

    def __init__(self, servers: Servers, timekeeper: Timekeeper, clock: Clock) -> None:
        self._servers = servers
        self._timekeeper = timekeeper
        self._clock = clock
        self._lost_at: datetime | None = None
        self._regaining = asyncio.Lock()

    @property
    def lost(self) -> bool:
        """Whether the gateway is away."""
        return self._lost_at is not None

    def lose(self) -> None:
        """No click comes in any more. To say so again changes nothing."""
        if self._lost_at is None:
            self._lost_at = self._clock.now()
        self._timekeeper.rest()

    async def regain(self, guild_ids: Sequence[GuildId]) -> None:
        """Clicks come in again. Nothing is given back for a short gap.

        Args:
            guild_ids: all servers.
        """
        async with self._regaining:
            since, self._lost_at = self._lost_at, None
            if since is not None and self._clock.now() - since > OUTAGE:
                log.warning("nobody could reach us since %s: all deadlines move by as much", since)
                for guild_id in guild_ids:
                    await self._give_back(guild_id, since)
            if self._lost_at is None:
                self._timekeeper.go_on()

    async def _give_back(self, guild_id: GuildId, since: datetime) -> None:
        try:
            await self._servers.give_back(guild_id, since)
        except Exception:
            # Worse than time that is lost in one server are clocks that stand still in all.
            log.exception("server %s: no time could be given back", guild_id)
