"""An outage of Discord takes no time from anybody (cases.md B75)."""

from datetime import datetime, timedelta

import pytest

from bot.rules.sentence import Sentence
from bot.table.ids import GuildId
from bot.table.reach import Reach
from bot.table.storing import TimerKind
from bot.table.timekeeper import OUTAGE, Timekeeper
from bot.table.views import TableView
from cogs.words import say
from tests.support.showing import ShownRoom
from tests.support.tables import ANN, BEA, FOUR, GUILD, chair_of

MINUTE, HOUR = 60, 3_600


class Gateway(ShownRoom):
    """A room with a gateway that can be lost."""

    def __init__(self) -> None:
        super().__init__()
        self.reach = Reach(self.tables.servers, self.timekeeper, self.clock)

    async def live(self, seconds: float) -> None:
        """Let time go by, with a heartbeat each minute and all that is done in it."""
        for _ in range(round(seconds / MINUTE)):
            self.clock.move(MINUTE)
            await self.timekeeper._pass()
            await self.publisher.flush()

    async def away(self, seconds: float) -> None:
        """Lose the gateway for so long."""
        self.reach.lose()
        await self.live(seconds)
        await self.reach.regain([GUILD])

    def said(self) -> list[str]:
        contents = (message.content for message in self.poster.messages.values())
        return [say(content) for content in contents if isinstance(content, Sentence)]


@pytest.fixture
async def room() -> Gateway:
    return Gateway()


def due(view: TableView) -> set[datetime]:
    return set(view.deadlines.values())


async def test_b75_deadlines_move_by_the_time_the_gateway_was_away_and_it_is_said_once(room):
    view = await room.started(ANN, BEA, clock="1h")
    await room.live(30 * MINUTE)
    await room.away(3 * HOUR)
    await room.live(2 * MINUTE)
    after = await room.tables.view(view.id)
    assert due(after) == {at + timedelta(hours=3) for at in due(view)}
    late = "I was not there for 3 hours, so every deadline is that much later."
    assert room.said() == [f"{late} The game waits for <@{ANN}> and <@{BEA}>."]
    post, _ = await room.tables.post(view.id, "deal:1")
    assert due(post.table) == due(after)


async def test_b75_nobody_is_late_while_no_click_can_come_in(room):
    view = await room.started(*FOUR, clock="1h")
    await room.away(3 * HOUR)
    assert not any((await room.tables.view(view.id)).game.passed)
    await room.live(HOUR + MINUTE)
    assert all((await room.tables.view(view.id)).game.passed)


async def test_b75_a_short_gap_gives_nobody_more_time(room):
    view = await room.started(*FOUR, clock="1h")
    await room.away(OUTAGE.total_seconds())
    assert due(await room.tables.view(view.id)) == due(view)
    assert room.said() == []
    await room.live(HOUR)
    assert all((await room.tables.view(view.id)).game.passed)


async def test_b75_who_could_move_for_a_part_of_it_has_that_part_given_back(room):
    view = await room.started(*FOUR, clock="1h")
    room.reach.lose()
    await room.live(HOUR)
    await room.everybody_passes(view.id)  # on their way when the gateway went
    [before] = due(await room.tables.view(view.id))
    await room.live(HOUR)
    await room.reach.regain([GUILD])
    assert due(await room.tables.view(view.id)) == {before + timedelta(hours=1)}


async def test_b75_reminders_move_with_their_deadlines(room):
    view = await room.started(*FOUR, clock="1h")
    before = {timer.kind: timer.due_at for timer in await room.store.timers_of(view.id)}
    await room.away(3 * HOUR)
    after = {timer.kind: timer.due_at for timer in await room.store.timers_of(view.id)}
    assert set(after) == {TimerKind.HALF, TimerKind.NINE_TENTHS, TimerKind.DEADLINE}
    assert after == {kind: at + timedelta(hours=3) for kind, at in before.items()}


async def test_b75_a_process_that_dies_meanwhile_gives_all_of_it_back_at_its_next_start(room):
    view = await room.started(*FOUR, clock="8h")
    await room.live(HOUR)
    room.reach.lose()
    await room.live(2 * HOUR)
    room.tables = room.another_manager()
    starting = Timekeeper(room.memory, room.tables, room.clock)
    assert await starting.credit_outage() == timedelta(hours=2)
    after = await room.tables.view(view.id)
    assert after.deadlines[chair_of(after, ANN)] == due(view).pop() + timedelta(hours=2)


async def test_b75_the_clocks_run_again_although_time_could_not_be_given_back_everywhere(
    room, monkeypatch
):
    """One server's fault is its own, and no fault stops all clocks for good."""
    view = await room.started(*FOUR, clock="1h")
    listed, broken = room.store.live_tables_in, GuildId(GUILD + 1)

    async def list_or_fail(guild_id):
        if guild_id == broken:
            raise RuntimeError("the disk is full")
        return await listed(guild_id)

    monkeypatch.setattr(room.store, "live_tables_in", list_or_fail)
    room.reach.lose()
    await room.live(3 * HOUR)
    await room.reach.regain([broken, GUILD])
    assert due(await room.tables.view(view.id)) == {at + timedelta(hours=3) for at in due(view)}
    await room.live(HOUR + MINUTE)
    assert all((await room.tables.view(view.id)).game.passed)


async def test_b75_to_hear_of_it_twice_is_to_hear_of_it_once(room):
    view = await room.started(*FOUR, clock="1h")
    room.reach.lose()
    await room.live(HOUR)
    room.reach.lose()
    await room.live(HOUR)
    await room.reach.regain([GUILD])
    await room.reach.regain([GUILD])
    assert due(await room.tables.view(view.id)) == {at + timedelta(hours=2) for at in due(view)}
