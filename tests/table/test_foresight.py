"""Robots that search think from the moment their turn comes, while nobody waits for them."""

import asyncio

from bot.table.ids import ChannelId, Human, Robot
from bot.table.storing import TimerKind
from bot.table.timekeeper import Timekeeper
from tests.support.clock import breathe
from tests.support.tables import ANN, BEA, FirstCards, Room


class Thinkers(FirstCards):
    """Robots who answer when a test lets them, but for those of level "steady"."""

    def __init__(self) -> None:
        super().__init__()
        self.begun: list[tuple[int, asyncio.Future[None]]] = []
        """Seats, and what each waits for."""

    def is_quick(self, level, view):
        return level == "steady"

    async def move(self, level, view):
        if level != "steady":
            self.begun.append((view.seat, asyncio.get_running_loop().create_future()))
            await self.begun[-1][1]
        return await super().move(level, view)

    async def finish(self):
        """Let all know what to do who think."""
        for _, thought in self.begun:
            if not thought.done():
                thought.set_result(None)
        await breathe()

    @property
    def at_work(self) -> list[int]:
        """Seats that think."""
        return [seat for seat, thought in self.begun if not thought.done()]


class ThinkingRoom(Room):
    def __init__(self) -> None:
        super().__init__()
        self.thinkers = Thinkers()
        self.restart()

    def restart(self) -> None:
        self.robots = self.thinkers
        self.tables = self.another_manager()
        self.timekeeper = Timekeeper(self.memory, self.tables, self.clock)

    async def with_experts(self):
        return await self.started(ANN, level="expert")

    async def passed(self, table_id):
        game = (await self.tables.view(table_id)).game
        return list(game.passed)


async def test_a_thought_begins_with_the_turn_and_the_delay_holds_it():
    room = ThinkingRoom()
    table_id = (await room.with_experts()).id
    await breathe()
    assert room.thinkers.at_work == [1, 2, 3]
    await room.thinkers.finish()
    await room.timekeeper.fire_due()
    assert await room.passed(table_id) == [False] * 4
    room.clock.move(1)
    await room.timekeeper.fire_due()
    assert await room.passed(table_id) == [False, True, True, True]
    assert len(room.thinkers.begun) == 3


async def test_an_answer_after_the_delay_falls_as_soon_as_it_is_there():
    room = ThinkingRoom()
    room.tables.foresight.listen(room.timekeeper.wake)
    running = asyncio.create_task(room.timekeeper.run())
    table_id = (await room.with_experts()).id
    await room.clock.pass_time(2)
    assert await room.passed(table_id) == [False] * 4
    await room.thinkers.finish()
    assert await room.passed(table_id) == [False, True, True, True]
    assert len(room.thinkers.begun) == 3
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)


async def test_while_a_robot_thinks_its_table_and_all_others_go_on():
    room = ThinkingRoom()
    table_id = (await room.with_experts()).id
    other = await room.started(BEA, channel_id=ChannelId(12))
    room.clock.move(1)
    await room.timekeeper.fire_due()
    assert await room.passed(other.id) == [False, True, True, True]
    await room.move(await room.tables.hand(table_id, ANN))
    assert await room.passed(table_id) == [True, False, False, False]
    assert room.thinkers.at_work == [1, 2, 3]


async def test_a_timer_whose_robot_thinks_is_not_put_off():
    room = ThinkingRoom()
    table_id = (await room.with_experts()).id
    room.clock.move(1)
    for _ in range(3):
        await room.timekeeper.fire_due()
    due = await room.work.due_timers(room.clock.now(), 10)
    assert {timer.kind for timer in due} == {TimerKind.ROBOT}
    assert len(due) == 3
    await room.thinkers.finish()
    await room.timekeeper.fire_due()
    assert await room.passed(table_id) == [False, True, True, True]


async def test_after_a_restart_a_robot_thinks_when_its_timer_goes_off():
    room = ThinkingRoom()
    table_id = (await room.with_experts()).id
    room.thinkers = Thinkers()
    room.restart()
    room.clock.move(1)
    await room.timekeeper.fire_due()
    await breathe()
    assert room.thinkers.at_work == [1, 2, 3]
    await room.thinkers.finish()
    await room.timekeeper.fire_due()
    assert await room.passed(table_id) == [False, True, True, True]


async def test_a_thought_is_dropped_when_somebody_takes_over_the_seat():
    room = ThinkingRoom()
    table_id = (await room.with_experts()).id
    await breathe()
    await room.tables.substitute(room.by(BEA), table_id, 2)
    await breathe()
    assert room.thinkers.begun[1][1].cancelled()
    await room.thinkers.finish()
    room.clock.move(1)
    await room.timekeeper.fire_due()
    assert await room.passed(table_id) == [False, True, False, True]
    assert (await room.tables.view(table_id)).chairs[2] == Human(BEA)


async def test_a_thought_is_dropped_when_its_table_ends():
    room = ThinkingRoom()
    table_id = (await room.with_experts()).id
    await breathe()
    await room.tables.end(room.by(ANN), table_id, moderator=False)
    await breathe()
    assert room.thinkers.at_work == []
    assert all(thought.cancelled() for _, thought in room.thinkers.begun)
    room.clock.move(1)
    await room.timekeeper.fire_due()
    assert room.thinkers.asked == []


async def test_an_answer_that_comes_too_late_is_dropped_where_it_is_submitted():
    """The table moves on between the thought and its turn at the table."""
    room = ThinkingRoom()
    table_id = (await room.with_experts()).id
    await breathe()
    await room.thinkers.finish()
    room.clock.move(1)
    timers = await room.work.due_timers(room.clock.now(), 10)
    ended = asyncio.create_task(room.tables.end(room.by(ANN), table_id, moderator=False))
    fired = [asyncio.create_task(room.tables.fire(timer)) for timer in timers]
    await asyncio.gather(ended, *fired)
    assert await room.passed(table_id) == [False] * 4


async def test_a_thought_that_fails_is_one_fault_of_its_timer_and_is_tried_again():
    room = ThinkingRoom()
    table_id = (await room.with_experts()).id
    await breathe()
    for _, thought in room.thinkers.begun:
        thought.set_exception(RuntimeError("planted"))
    await breathe()
    room.clock.move(1)
    await room.timekeeper.fire_due()
    room.clock.move(10)
    await room.timekeeper.fire_due()
    await breathe()
    await room.thinkers.finish()
    await room.timekeeper.fire_due()
    assert await room.passed(table_id) == [False, True, True, True]


async def test_robots_that_search_play_a_whole_deal():
    room = ThinkingRoom()
    table_id = (await room.with_experts()).id
    while not (await room.tables.view(table_id)).game.scores:
        for hand in await room.waited_for(table_id):
            await room.move(hand)
        room.clock.move(1)
        await room.timekeeper.fire_due()
        await breathe()
        await room.thinkers.finish()
        await room.timekeeper.fire_due()
    view = await room.tables.view(table_id)
    assert view.chairs[1:] == (Robot("expert"),) * 3
    assert {level for level, _ in room.thinkers.asked} == {"expert"}
