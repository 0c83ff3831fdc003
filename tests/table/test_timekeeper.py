"""Timers fire once, each table by itself, and an outage costs nobody time (reliability.md 4)."""

import asyncio
from datetime import timedelta

from bot.table.ids import ChannelId, Human
from bot.table.state import Status
from bot.table.storing import Timer, TimerKind
from bot.table.timekeeper import HEARTBEAT
from tests.support.clock import NOON, breathe
from tests.support.showing import ShownRoom
from tests.support.tables import ANN, BEA, FOUR, but_reminders

HOUR = 3_600


class BrokenTables:
    """Fails for one table, counts for all, and carries out for the others."""

    def __init__(self, room: ShownRoom, broken=None) -> None:
        self._tables = room.tables
        self._broken = broken
        self.fired: list[Timer] = []

    async def fire(self, timer) -> bool:
        self.fired.append(timer)
        if timer.table_id == self._broken:
            raise RuntimeError("planted")
        return await self._tables.fire(timer)


class IdleTables:
    """Does nothing at all, so that timers stay where they are."""

    def __init__(self) -> None:
        self.fired: list[Timer] = []

    async def fire(self, timer) -> bool:
        self.fired.append(timer)
        return True


async def test_robots_move_when_their_time_has_come_and_go_on_until_a_person_is_to_move():
    room = ShownRoom()
    table_id = (await room.started(ANN)).id
    await room.timekeeper.fire_due()
    assert await passed(room, table_id) == [False, False, False, False]
    room.clock.move(1)
    await room.timekeeper.fire_due()
    assert await passed(room, table_id) == [False, True, True, True]


async def passed(room, table_id):
    game = (await room.tables.view(table_id)).game
    return list(game.passed)


async def test_a_late_person_is_played_for_exactly_once():
    room = ShownRoom()
    table_id = (await room.started()).id
    await room.everybody_passes(table_id)
    (hand,) = await room.waited_for(table_id)
    room.clock.move(24 * HOUR)
    counted = BrokenTables(room)
    room.timekeeper._tables = counted
    await asyncio.gather(room.timekeeper.fire_due(), room.timekeeper.fire_due())
    assert [timer.kind for timer in but_reminders(counted.fired)] == [TimerKind.DEADLINE]
    view = await room.tables.view(table_id)
    assert view.chairs[hand.seat] == Human(hand.user_id)
    assert len(view.game.trick.plays) == 1


async def test_a_clock_that_is_off_waits_for_ever():
    room = ShownRoom()
    table_id = (await room.started(clock="off")).id
    room.clock.move(30 * 24 * HOUR)
    await room.timekeeper.fire_due()
    view = await room.tables.view(table_id)
    assert view.status is Status.PLAYING
    assert await passed(room, table_id) == [False] * 4


async def test_a_failing_table_is_put_off_and_does_not_hold_up_the_others():
    room = ShownRoom()
    broken = (await room.started(ANN)).id
    sound = (await room.started(BEA, channel_id=ChannelId(12))).id
    tables = BrokenTables(room, broken)
    room.timekeeper._tables = tables
    room.clock.move(1)
    await room.timekeeper.fire_due()
    assert await passed(room, sound) == [False, True, True, True]
    assert sum(timer.table_id == broken for timer in tables.fired) == 3
    room.clock.move(1)
    await room.timekeeper.fire_due()
    assert sum(timer.table_id == broken for timer in tables.fired) == 3
    room.clock.move(10)
    await room.timekeeper.fire_due()
    assert sum(timer.table_id == broken for timer in tables.fired) == 6


async def test_a_table_that_recovers_moves_after_the_wait():
    room = ShownRoom()
    table_id = (await room.started(ANN)).id
    room.timekeeper._tables = BrokenTables(room, table_id)
    room.clock.move(1)
    await room.timekeeper.fire_due()
    room.timekeeper._tables = room.tables
    room.clock.move(10)
    await room.timekeeper.fire_due()
    assert await passed(room, table_id) == [False, True, True, True]


async def test_a_timer_that_stays_although_it_was_fired_is_fired_once_and_put_off():
    room = ShownRoom()
    await room.open()
    idle = IdleTables()
    room.timekeeper._tables = idle
    room.clock.move(2 * HOUR)
    await room.timekeeper.fire_due()
    assert len(idle.fired) == 1
    await room.timekeeper.fire_due()
    assert len(idle.fired) == 1


async def deadlines(room, table_id):
    timers = await room.timers(table_id)
    return {timer.due_at for timer in timers if timer.kind is TimerKind.DEADLINE}


async def test_an_outage_moves_deadlines_by_its_length():
    room = ShownRoom()
    table_id = (await room.started()).id
    await room.timekeeper.credit_outage()
    room.clock.move(5 * HOUR)
    assert await room.timekeeper.credit_outage() == timedelta(hours=5)
    due = await deadlines(room, table_id)
    assert due == {NOON + timedelta(hours=29)}


async def test_an_outage_is_credited_once():
    room = ShownRoom()
    table_id = (await room.started()).id
    await room.timekeeper.credit_outage()
    room.clock.move(5 * HOUR)
    await room.timekeeper.credit_outage()
    assert await room.timekeeper.credit_outage() == timedelta()
    due = await deadlines(room, table_id)
    assert due == {NOON + timedelta(hours=29)}


async def test_a_short_gap_and_a_first_start_give_nobody_more_time():
    room = ShownRoom()
    table_id = (await room.started()).id
    assert await room.timekeeper.credit_outage() == timedelta()
    room.clock.move(120)
    assert await room.timekeeper.credit_outage() == timedelta()
    due = await deadlines(room, table_id)
    assert due == {NOON + timedelta(hours=24)}


async def test_the_heartbeat_is_never_older_than_half_a_minute():
    room = ShownRoom()
    running = asyncio.create_task(room.timekeeper.run())
    for _ in range(10):
        await room.clock.pass_time(17)
        assert room.clock.now() - await room.memory.last_alive() <= HEARTBEAT
    await stop(running)


async def stop(running: asyncio.Task) -> None:
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)


async def test_the_loop_fires_a_robots_timer_within_a_twentieth_of_a_second():
    room = ShownRoom()
    running = asyncio.create_task(room.timekeeper.run())
    await breathe()
    room.tables.listen(lambda _: room.timekeeper.wake())
    table_id = (await room.started(ANN)).id
    await room.clock.pass_time(1.05)
    assert await passed(room, table_id) == [False, True, True, True]
    await stop(running)


async def test_the_loop_survives_a_store_that_fails():
    room = ShownRoom()
    table_id = (await room.started(ANN)).id
    read = room.memory.due_timers

    async def fail(now, limit):
        raise OSError("planted")

    room.memory.due_timers = fail
    running = asyncio.create_task(room.timekeeper.run())
    await room.clock.pass_time(3)
    room.memory.due_timers = read
    await room.clock.pass_time(10)
    assert await passed(room, table_id) == [False, True, True, True]
    await stop(running)


async def test_an_idle_loop_asks_no_more_than_once_a_second():
    room = ShownRoom()
    asked = []
    read = room.memory.due_timers

    async def count(now, limit):
        asked.append(now)
        return await read(now, limit)

    room.memory.due_timers = count
    running = asyncio.create_task(room.timekeeper.run())
    await room.clock.pass_time(100)
    assert len(asked) <= 102
    await stop(running)


async def test_a_lobby_that_nobody_touches_closes_after_two_hours():
    room = ShownRoom()
    table_id = (await room.open()).id
    room.clock.move(2 * HOUR - 1)
    await room.timekeeper.fire_due()
    assert (await room.tables.view(table_id)).status is Status.LOBBY
    room.clock.move(1)
    await room.timekeeper.fire_due()
    assert (await room.tables.view(table_id)).status is Status.CLOSED


async def test_a_game_that_everybody_deserted_ends_and_frees_its_channel():
    room = ShownRoom()
    table_id = (await room.started(*FOUR)).id
    for _ in range(8):
        room.clock.move(24 * HOUR)
        await room.timekeeper.fire_due()
    assert (await room.tables.view(table_id)).status is Status.CLOSED
    await room.open()


async def test_a_timer_that_is_stored_and_not_yet_believed_is_waited_for(monkeypatch, caplog):
    """On a busy machine a commit is on disk a moment before its table knows."""
    room = ShownRoom()
    lobby = await room.open(ANN, robots=3)
    stored, go_on = asyncio.Event(), asyncio.Event()
    commit = room.memory.commit

    async def slow_to_return(*args) -> None:
        await commit(*args)
        stored.set()
        await go_on.wait()

    async def nobody_else_writes(_at) -> bool:
        return True

    monkeypatch.setattr(room.memory, "commit", slow_to_return)
    monkeypatch.setattr(room.memory, "is_current", nobody_else_writes)
    starting = asyncio.create_task(room.tables.start(room.by(ANN), lobby.id))
    await stored.wait()
    room.clock.move(1)
    firing = asyncio.create_task(room.timekeeper.fire_due())
    await breathe()
    go_on.set()
    await asyncio.gather(starting, firing)
    assert await passed(room, lobby.id) == [False, True, True, True]
    assert not caplog.records
