"""One loop for what is deleted: people and servers when their time has come, old things daily."""

import logging
from datetime import datetime, timedelta

from bot.table.departures import Farewells, Presence
from bot.table.erasures import Forgetting
from bot.table.ports import Clock, Settings
from bot.table.retention import Archive, Kept, tidy

log = logging.getLogger(__name__)

SECONDS_BETWEEN = 60.0
"""How often it is looked after what is due."""
_TIDIED = "tidied"
"""Under this name: when old things were last looked for, in ISO form."""
_EACH = timedelta(days=1)


class Caretaker:
    """Does what is due. All of it may be done by several processes at once, and each thing once.

    Args:
        forgetting: people.
        farewells: servers.
        presence: which servers are there.
        archive: old things.
        kept: for how long they are kept.
        settings: remembers what was done when.
        clock: the only time.
    """

    def __init__(
        self,
        *,
        forgetting: Forgetting,
        farewells: Farewells,
        presence: Presence,
        archive: Archive,
        kept: Kept,
        settings: Settings,
        clock: Clock,
    ) -> None:
        self._forgetting = forgetting
        self._farewells = farewells
        self._presence = presence
        self._archive = archive
        self._kept = kept
        self._settings = settings
        self._clock = clock

    async def run(self) -> None:
        """Go on until cancelled, whatever fails."""
        while True:
            await self.look_after()
            await self._clock.sleep(SECONDS_BETWEEN)

    async def look_after(self) -> None:
        """Do all that is due now; one failure does not keep the rest from being done."""
        for work in (self._people, self._servers, self._old_things):
            try:
                await work()
            except Exception:
                log.exception("the caretaker could not do a part of its round")

    async def _people(self) -> None:
        await self._forgetting.carry_out_due()
        await self._forgetting.hear_of_others()

    async def _servers(self) -> None:
        await self._farewells.purge_due(self._presence)

    async def _old_things(self) -> None:
        now, last = self._clock.now(), await self._settings.remembered(_TIDIED)
        if last is not None and now - datetime.fromisoformat(last) < _EACH:
            return
        await tidy(self._archive, self._kept, now)
        await self._settings.remember(_TIDIED, now.isoformat())
