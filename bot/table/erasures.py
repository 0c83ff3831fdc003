"""People who want to be forgotten: asked for, waited for, and carried out once.

Nobody else loses anything by it. Games stay, and stay replayable: where the person's id stood
there is a random one afterwards, of which nothing leads back.
"""

import asyncio
import logging
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

from bot.rules.errors import HeartsError
from bot.rules.sentence import Sentence
from bot.table.ids import TableId, UserId, former_id
from bot.table.ports import Clock, Seeds
from bot.table.servers import Servers

log = logging.getLogger(__name__)

COOLING_OFF = timedelta(days=7)
"""From asking until it happens. Nothing can be undone afterwards, so that a slip, a quarrel or
somebody else at the own keyboard gets a week; and nobody slips out of a game under way by it."""
_A_PASS = 10


@dataclass(frozen=True, slots=True)
class Erasure:
    """Somebody asked to be forgotten."""

    user_id: UserId
    asked_at: datetime
    due_at: datetime


class ErasureGoneError(HeartsError):
    """There is nothing to take back: it was never asked for, or it is being carried out."""

    sentence = Sentence(
        "There is no deletion to call off. If the time had come, your data is gone already; "
        "`/privacy export` shows what is stored now."
    )


class StillSeatedError(Exception):
    """The person sits at a live table; nothing was changed."""


class Erasures(Protocol):
    """What the store keeps of them, and what it does."""

    async def of(self, user_id: UserId) -> Erasure | None:
        """What a person asked for; ``None``: nothing."""
        ...

    async def add(self, erasure: Erasure) -> Erasure:
        """Remember one; the one that is kept, which is the first of several."""
        ...

    async def withdraw(self, user_id: UserId, now: datetime) -> bool:
        """Forget one that is not due yet; whether there was one."""
        ...

    async def due(self, now: datetime, limit: int) -> Sequence[Erasure]:
        """Those whose time has come, the longest due first."""
        ...

    async def carry_out(
        self, user_id: UserId, former: UserId, *, stuck: Collection[TableId]
    ) -> frozenset[TableId]:
        """Delete all that is stored of a person, and the wish with it, in one transaction.

        In events and results *former* stands for the person afterwards.

        Args:
            user_id: who is to be forgotten; nothing happens unless that is still wished for.
            former: what `bot.table.ids.former_id` makes.
            stuck: live tables whose seat the person could not give up.

        Returns:
            The tables that are different now.

        Raises:
            StillSeatedError: the person sits at another live table. Nothing was changed.
        """
        ...

    async def count(self) -> int:
        """How many were carried out in all, by whatever process."""
        ...


class Forgetting:
    """Takes the wishes, and carries them out when they are due.

    Args:
        erasures: what is stored of them.
        servers: the tables that are left first.
        clock: the only time.
        seeds: where the random ids come from.
    """

    def __init__(self, erasures: Erasures, servers: Servers, clock: Clock, seeds: Seeds) -> None:
        self._erasures = erasures
        self._servers = servers
        self._clock = clock
        self._seeds = seeds
        self._carrying_out = asyncio.Lock()
        self._seen: int | None = None

    async def wished(self, user_id: UserId) -> Erasure | None:
        """What a person asked for; ``None``: nothing."""
        return await self._erasures.of(user_id)

    async def ask(self, user_id: UserId) -> Erasure:
        """Remember that somebody wants to be forgotten; to ask again changes nothing."""
        now = self._clock.now()
        return await self._erasures.add(Erasure(user_id, now, now + COOLING_OFF))

    async def keep(self, user_id: UserId) -> None:
        """Take the wish back.

        Raises:
            ErasureGoneError: there is none, or it is due.
        """
        if not await self._erasures.withdraw(user_id, self._clock.now()):
            raise ErasureGoneError

    async def carry_out_due(self) -> int:
        """Forget everybody whose time has come; one failure is not the others'.

        Returns:
            How many were forgotten.
        """
        async with self._carrying_out:
            due = await self._erasures.due(self._clock.now(), _A_PASS)
            done = [await self._try(erasure.user_id) for erasure in due]
        return sum(done)

    async def hear_of_others(self) -> None:
        """Drop what is remembered of tables, if another process forgot somebody meanwhile."""
        count = await self._erasures.count()
        if self._seen is not None and self._seen != count:
            self._servers.drop(None)
        self._seen = count

    async def _try(self, user_id: UserId) -> bool:
        try:
            await self._carry_out(user_id)
        except Exception:
            # Without the id: a log must not remember whom the store forgets.
            log.exception("somebody could not be forgotten; it is tried again")
            return False
        log.info("somebody was forgotten")
        return True

    async def _carry_out(self, user_id: UserId) -> None:
        stuck = await self._servers.part(user_id)
        if stuck:
            log.warning("tables %s cannot be left, and are changed as they are", sorted(stuck))
        former = former_id(self._seeds.seed())
        changed = await self._erasures.carry_out(user_id, former, stuck=stuck)
        self._servers.drop(changed)
