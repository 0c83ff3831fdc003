"""Servers that sent the bot away: what they left behind is deleted a month later.

An outage is no farewell. A server that Discord cannot show for a while is still named by it, and
whatever is heard of a server in the month, or its mere presence at the end of it, calls the
deletion off.
"""

import logging
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

from bot.table.ids import GuildId
from bot.table.ports import Clock
from bot.table.servers import Servers

log = logging.getLogger(__name__)

KEPT = timedelta(days=30)
"""How long the data of a server waits for it to come back."""
_A_PASS = 10


@dataclass(frozen=True, slots=True)
class Departure:
    """A server is not there any more."""

    guild_id: GuildId
    left_at: datetime
    """When it was noticed."""
    due_at: datetime


class Departures(Protocol):
    """What the store keeps of them, and what it does."""

    async def add(self, departure: Departure) -> None:
        """Remember one; of several of one server the first stays."""
        ...

    async def withdraw(self, guild_ids: Collection[GuildId]) -> None:
        """Forget those of servers that are there."""
        ...

    async def due(self, now: datetime, limit: int) -> Sequence[Departure]:
        """Those whose time has come, the longest due first."""
        ...

    async def known(self) -> frozenset[GuildId]:
        """All servers of which anything is stored."""
        ...

    async def purge(self, guild_id: GuildId, now: datetime) -> bool:
        """Delete all that is stored of a server, in one transaction.

        Returns:
            Whether it was; not if the departure was forgotten meanwhile.
        """
        ...


class Presence(Protocol):
    """Who is there."""

    def is_gone(self, guild_id: GuildId) -> bool:
        """Whether Discord, asked just now, surely does not count the server as one of ours."""
        ...


class Farewells:
    """Remembers servers that are gone, and deletes what they left behind when it is due.

    Args:
        departures: what is stored of them.
        servers: their tables, which are closed first.
        clock: the only time.
    """

    def __init__(self, departures: Departures, servers: Servers, clock: Clock) -> None:
        self._departures = departures
        self._servers = servers
        self._clock = clock

    async def left(self, guild_id: GuildId) -> None:
        """A server sent the bot away: its tables end, and its data has a month."""
        await self._servers.close(guild_id)
        now = self._clock.now()
        await self._departures.add(Departure(guild_id, now, now + KEPT))

    async def there(self, guild_ids: Collection[GuildId]) -> None:
        """Servers are there, whatever was thought of them."""
        await self._departures.withdraw(guild_ids)

    async def absent(self, present: Collection[GuildId], presence: Presence) -> None:
        """Remember servers that are stored and neither *present* nor known to be elsewhere.

        Nothing else happens to them, not even to their tables, until the month is over.
        """
        now = self._clock.now()
        for guild_id in sorted(await self._departures.known() - set(present)):
            if presence.is_gone(guild_id):
                await self._departures.add(Departure(guild_id, now, now + KEPT))

    async def purge_due(self, presence: Presence) -> int:
        """Delete what is due of servers that are gone; one failure is not the others'.

        Returns:
            How many servers were deleted.
        """
        due = await self._departures.due(self._clock.now(), _A_PASS)
        gone = [each.guild_id for each in due if presence.is_gone(each.guild_id)]
        return sum([await self._try(guild_id) for guild_id in gone])

    async def _try(self, guild_id: GuildId) -> bool:
        try:
            await self._servers.close(guild_id)
            purged = await self._departures.purge(guild_id, self._clock.now())
        except Exception:
            log.exception("server %s could not be deleted; it is tried again", guild_id)
            return False
        if purged:
            log.info("server %s: all that was stored of it is deleted", guild_id)
        return purged
