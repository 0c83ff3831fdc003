"""No more calls leave in any second than Discord bears (reliability.md 6.8)."""

import asyncio
from datetime import datetime, timedelta

import pytest

from bot.table.budget import IN_ALL
from bot.table.ids import UserId
from bot.table.pacing import Gate
from tests.support.clock import HandClock, breathe
from tests.support.showing import ShownRoom

SECOND = timedelta(seconds=1)


async def passed(clock: HandClock, gate: Gate, number: int) -> list[datetime]:
    """When so many calls that come at once go through, in time."""
    times: list[datetime] = []

    async def call() -> None:
        await gate.go_through()
        times.append(clock.now())

    calls = [asyncio.create_task(call()) for _ in range(number)]
    while not all(one.done() for one in calls):
        await clock.pass_time(0.1)
    return times


async def test_a_crowd_is_let_through_second_by_second():
    clock = HandClock()
    times = await passed(clock, Gate(clock, most=50), 120)
    assert len(times) == 120
    assert max(sum(at <= other < at + SECOND for other in times) for at in times) == 50
    assert times[-1] - times[0] == 2 * SECOND


async def test_a_gate_that_stands_open_counts_and_keeps_nobody():
    clock = HandClock()
    gate = Gate(clock, most=5)
    gate.stands_open = True
    assert len(set(await passed(clock, gate, 20))) == 1
    gate.stands_open = False
    assert (await passed(clock, gate, 1))[0] == clock.now()


async def test_calls_that_were_held_up_on_their_way_do_not_arrive_in_one_crowd(monkeypatch):
    """A store that stands still for two seconds, and then lets all go at once."""
    room = ShownRoom()
    for number in range(100):
        guild_id = 1 + number % 4
        await room.open(UserId(600 + number), channel_id=100 + number, guild_id=guild_id)
    held, go_on = room.memory.attempt, asyncio.Event()

    async def attempt(post, at):
        await go_on.wait()
        await held(post, at)

    sent: list[datetime] = []
    send = room.poster.send_post

    async def noted(*args):
        sent.append(room.clock.now())
        return await send(*args)

    monkeypatch.setattr(room.memory, "attempt", attempt)
    monkeypatch.setattr(room.poster, "send_post", noted)
    monkeypatch.setattr("bot.table.publisher._AT_ONCE", 100)
    loop = asyncio.create_task(room.publisher.run())
    await room.clock.pass_time(2)
    go_on.set()
    await breathe()
    most = int(IN_ALL.rate + IN_ALL.burst)
    assert len(sent) == most
    await room.clock.pass_time(3)
    assert len(sent) == 100
    assert max(sum(at <= other < at + SECOND for other in sent) for at in sent) == most
    loop.cancel()
    with pytest.raises(asyncio.CancelledError):
        await loop
