"""Score keepers between a press and the store: who may, once, and never on old ground."""

import asyncio

import pytest

from bot.rules.scorekeeper import KeptRules, PlayersError, WrongSumError
from bot.table.errors import (
    KeeperOpenError,
    NotKeeperError,
    StaleClickError,
    UnknownKeeperError,
    VersionConflictError,
)
from bot.table.ids import ChannelId, GuildId, UserId
from bot.table.keeping import Keeper, KeptWhere, SeenKeeper
from bot.table.scorekeeper import ScoreKeepers
from tests.support.clock import NOON, HandClock
from tests.support.fakes import CountedSeeds, MemoryKeepers

ANN, BEA = UserId(1), UserId(2)
WHERE = KeptWhere(ChannelId(20), ANN, GuildId(10))


class Desk:
    """Score keepers on one store; another desk on it is the bot after a restart."""

    def __init__(self, store: MemoryKeepers | None = None) -> None:
        self.store = store or MemoryKeepers()
        self.clock = HandClock()
        self.keepers = ScoreKeepers(self.store, self.clock, CountedSeeds())

    async def opened(self) -> Keeper:
        return await self.keepers.open(WHERE, ("Ana", "Ben", "Cy"))


def seen(keeper: Keeper) -> SeenKeeper:
    return SeenKeeper(keeper.id, keeper.version)


async def test_a_new_one_begins_at_nought():
    desk = Desk()
    keeper = await desk.opened()
    assert keeper.sheet.totals == (0, 0, 0)
    assert keeper.version == 1
    assert keeper.opened_at == NOON
    assert await desk.keepers.find(WHERE) == keeper


async def test_each_change_is_a_version_and_outlives_the_process():
    desk = Desk()
    keeper = await desk.opened()
    desk.clock.move(60)
    keeper = await desk.keepers.enter(seen(keeper), ANN, (20, 6, 0))
    keeper = await desk.keepers.shoot(seen(keeper), ANN, 0, None)
    keeper = await desk.keepers.undo(seen(keeper), ANN)
    keeper = await desk.keepers.set_rules(seen(keeper), ANN, KeptRules(target=50))
    again = await Desk(desk.store).keepers.look(keeper.id, ANN)
    assert again == keeper
    assert again.version == 5
    assert again.sheet.totals == (20, 6, 0)
    assert again.sheet.rules.target == 50
    assert (again.changed_at - again.opened_at).total_seconds() == 60


async def test_a_press_counts_once():
    desk = Desk()
    keeper = await desk.opened()
    await desk.keepers.enter(seen(keeper), ANN, (26, 0, 0))
    with pytest.raises(StaleClickError):
        await desk.keepers.enter(seen(keeper), ANN, (26, 0, 0))
    stored = await desk.keepers.look(keeper.id, ANN)
    assert stored.sheet.totals == (26, 0, 0)


async def test_of_two_presses_that_race_one_counts():
    desk = Desk()
    keeper = await desk.opened()
    presses = [desk.keepers.shoot(seen(keeper), ANN, 0, None) for _ in range(2)]
    done = await asyncio.gather(*presses, return_exceptions=True)
    assert sorted(type(each).__name__ for each in done) == ["Keeper", "StaleClickError"]


async def test_a_store_that_has_moved_on_makes_the_press_stale():
    """Another process was faster between the look and the change."""
    desk = Desk()
    keeper = await desk.opened()

    async def too_late(_keeper: Keeper) -> None:
        raise VersionConflictError

    desk.store.save = too_late
    with pytest.raises(StaleClickError):
        await desk.keepers.undo(seen(await with_a_deal(desk, keeper)), ANN)


async def with_a_deal(desk: Desk, keeper: Keeper) -> Keeper:
    """The same keeper after a deal, put into the store past its `save`."""
    rival = Desk()
    rival.store.kept[keeper.id] = keeper
    after = await rival.keepers.enter(seen(keeper), ANN, (26, 0, 0))
    desk.store.kept[keeper.id] = after
    return after


async def test_the_scores_are_claimed_for_the_channel_once_a_press():
    desk = Desk()
    keeper = await desk.opened()
    after = await desk.keepers.claim_post(seen(keeper), ANN)
    assert after.sheet == keeper.sheet
    with pytest.raises(StaleClickError):
        await desk.keepers.claim_post(seen(keeper), ANN)


async def test_what_is_refused_changes_nothing():
    desk = Desk()
    keeper = await desk.opened()
    with pytest.raises(WrongSumError):
        await desk.keepers.enter(seen(keeper), ANN, (25, 0, 0))
    assert await desk.keepers.find(WHERE) == keeper
    with pytest.raises(PlayersError):
        await desk.keepers.open(KeptWhere(ChannelId(21), ANN), ("Ana", "Ben"))


async def test_only_whoever_opened_it_may_enter_and_a_moderator_may_look_and_close():
    desk = Desk()
    keeper = await desk.opened()
    with pytest.raises(NotKeeperError):
        await desk.keepers.enter(seen(keeper), BEA, (26, 0, 0))
    for refused in (desk.keepers.look, desk.keepers.close):
        with pytest.raises(NotKeeperError):
            await refused(keeper.id, BEA, moderates=ChannelId(21))
    assert await desk.keepers.look(keeper.id, BEA, moderates=WHERE.channel_id) == keeper
    await desk.keepers.close(keeper.id, BEA, moderates=WHERE.channel_id)
    assert await desk.keepers.find(WHERE) is None


async def test_closing_twice_is_closing_once_and_makes_room_for_another():
    desk = Desk()
    keeper = await desk.opened()
    with pytest.raises(KeeperOpenError):
        await desk.opened()
    for _ in range(2):
        await desk.keepers.close(keeper.id, ANN)
    with pytest.raises(UnknownKeeperError):
        await desk.keepers.enter(seen(keeper), ANN, (26, 0, 0))
    another = await desk.opened()
    assert another.id != keeper.id
