"""Who was not to be disturbed is called once when that is over, not twice in one moment."""

from dataclasses import replace
from datetime import time, timedelta

from bot.table.away import QuietHours
from bot.table.posting import Ping
from tests.support.showing import ShownRoom
from tests.support.tables import ANN, BEA

EVENING = QuietHours("UTC", time(12), time(20))
"""Rooms begin at 12:00 UTC."""


async def a_turn_comes_in_the_quiet_hours(room: ShownRoom) -> None:
    """It becomes Bea's turn after Ann's move, and half of her time is over before 20:00."""
    await room.persons.change(BEA, lambda before: replace(before, zone="UTC", quiet=EVENING))
    table_id = (await room.started(BEA, ANN, clock="8h")).id
    while [hand.user_id for hand in await room.waited_for(table_id)] != [BEA]:
        for hand in await room.waited_for(table_id):
            await room.move(hand)
        await room.robots_move(table_id)
    assert room.memory.state(table_id).last_actor == ANN
    assert await heard_at(room, 4) == [], "the call is due by now, and put off"


async def heard_at(room: ShownRoom, seconds: float) -> list[int]:
    """What Bea is sent then, by the number of the reminder; 0 is the call itself.

    The publisher looks first, which is the worse of the two orders.
    """
    room.clock.move(seconds)
    await room.publisher.flush()
    await room.timekeeper.fire_due()
    await room.publisher.flush()
    sent = [content for name, content in room.poster.calls if name == "send"]
    room.poster.calls.clear()
    return [each.reminder for each in sent if isinstance(each, Ping) and each.user_id == BEA]


async def test_a_reminder_that_waited_for_the_same_moment_takes_the_place_of_the_call():
    room = ShownRoom()
    await a_turn_comes_in_the_quiet_hours(room)
    until = room.clock.now().replace(hour=20, minute=0, second=0) - room.clock.now()
    assert await heard_at(room, until.total_seconds()) == [1]
    for _ in range(10):
        assert await heard_at(room, 1) == []


async def test_a_call_that_no_reminder_replaces_comes_in_the_same_seconds():
    """The control: it gives way, and is not lost."""
    room = ShownRoom()
    await a_turn_comes_in_the_quiet_hours(room)
    until = room.clock.now().replace(hour=20, minute=0, second=0) - room.clock.now()
    room.timekeeper.rest()
    room.clock.move((until + timedelta(seconds=4)).total_seconds())
    await room.publisher.flush()
    sent = [each for _, each in room.poster.calls if isinstance(each, Ping)]
    assert [(each.user_id, each.reminder) for each in sent] == [(BEA, 0)]
