"""Score keepers for games with real cards: each change is stored before anybody sees it."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from bot.rules import scorekeeper
from bot.rules.scorekeeper import KeptRules, ScoreSheet
from bot.table.errors import (
    NotKeeperError,
    StaleClickError,
    UnknownKeeperError,
    VersionConflictError,
)
from bot.table.ids import ChannelId, KeeperId, UserId
from bot.table.keeping import Keeper, KeptWhere, SeenKeeper
from bot.table.ports import Clock, KeeperStore, Seeds


class ScoreKeepers:
    """All score keepers. Nothing of them is in memory.

    A change counts only for the version that was seen, and makes the next one: a button that
    is pressed twice does once what it says.
    """

    def __init__(self, store: KeeperStore, clock: Clock, seeds: Seeds) -> None:
        self._store = store
        self._clock = clock
        self._seeds = seeds

    async def open(self, where: KeptWhere, players: Sequence[str]) -> Keeper:
        """Begin to keep the score of *players*, who are named in seat order.

        Raises:
            PlayersError: too few or too many, or two of one name.
            KeeperOpenError: this person keeps a score there already.
        """
        now = self._clock.now()
        keeper = Keeper(
            id=KeeperId(self._seeds.table_id()),
            where=where,
            version=1,
            sheet=ScoreSheet(tuple(players)),
            opened_at=now,
            changed_at=now,
        )
        await self._store.add(keeper)
        return keeper

    async def find(self, where: KeptWhere) -> Keeper | None:
        """The score keeper of a person in a channel, if there is one."""
        return await self._store.find(where)

    async def look(
        self, keeper_id: KeeperId, user_id: UserId, *, moderates: ChannelId | None = None
    ) -> Keeper:
        """Show a score keeper to the person whose it is, or to somebody who moderates there.

        Args:
            keeper_id: which.
            user_id: who asks.
            moderates: a channel in which that person may manage messages.

        Raises:
            UnknownKeeperError: it has been closed.
            NotKeeperError: the person may not look at it.
        """
        keeper = await self._store.load(keeper_id)
        if keeper.where.owner != user_id and keeper.where.channel_id != moderates:
            raise NotKeeperError
        return keeper

    async def enter(self, seen: SeenKeeper, user_id: UserId, points: Sequence[int]) -> Keeper:
        """Keep a deal without a moon.

        Raises:
            UnknownKeeperError: it has been closed.
            NotKeeperError: it is somebody else's.
            StaleClickError: it has changed since it was seen. Nothing was stored.
            ScoreKeeperError: as `bot.rules.scorekeeper.enter`. Nothing was stored.
        """
        return await self._change(seen, user_id, lambda sheet: scorekeeper.enter(sheet, points))

    async def enter_without_jack(
        self, seen: SeenKeeper, user_id: UserId, points: Sequence[int], jack: int | None
    ) -> Keeper:
        """Keep a deal; the arguments are those of `bot.rules.scorekeeper.enter_without_jack`.

        Raises:
            HeartsError: as `enter`.
        """
        return await self._change(
            seen, user_id, lambda sheet: scorekeeper.enter_without_jack(sheet, points, jack)
        )

    async def shoot(
        self, seen: SeenKeeper, user_id: UserId, shooter: int, jack: int | None
    ) -> Keeper:
        """Keep a deal with a moon; the arguments are those of `bot.rules.scorekeeper.shoot`.

        Raises:
            HeartsError: as `enter`.
        """
        return await self._change(
            seen, user_id, lambda sheet: scorekeeper.shoot(sheet, shooter, jack)
        )

    async def undo(self, seen: SeenKeeper, user_id: UserId) -> Keeper:
        """Take the newest deal back.

        Raises:
            HeartsError: as `enter`.
        """
        return await self._change(seen, user_id, scorekeeper.undo)

    async def set_rules(self, seen: SeenKeeper, user_id: UserId, rules: KeptRules) -> Keeper:
        """Go on by other rules.

        Raises:
            HeartsError: as `enter`.
        """
        return await self._change(seen, user_id, lambda sheet: scorekeeper.with_rules(sheet, rules))

    async def claim_post(self, seen: SeenKeeper, user_id: UserId) -> Keeper:
        """Count a press that wants the scores in the channel, so that it posts them once.

        Raises:
            HeartsError: as `enter`.
        """
        return await self._change(seen, user_id, lambda sheet: sheet)

    async def close(
        self, keeper_id: KeeperId, user_id: UserId, *, moderates: ChannelId | None = None
    ) -> None:
        """Forget a score keeper; one that is closed already stays so.

        The arguments are those of `look`.

        Raises:
            NotKeeperError: the person may not close it.
        """
        try:
            await self.look(keeper_id, user_id, moderates=moderates)
        except UnknownKeeperError:
            return
        await self._store.remove(keeper_id)

    async def _change(
        self, seen: SeenKeeper, user_id: UserId, step: Callable[[ScoreSheet], ScoreSheet]
    ) -> Keeper:
        keeper = await self.look(seen.id, user_id)
        if keeper.version != seen.version:
            raise StaleClickError
        after = replace(
            keeper,
            sheet=step(keeper.sheet),
            version=keeper.version + 1,
            changed_at=self._clock.now(),
        )
        try:
            await self._store.save(after)
        except VersionConflictError as faster:
            raise StaleClickError from faster
        return after
