"""Tables in memory, and locks by key."""

import asyncio

import pytest

from bot.table.errors import StaleClickError, UnknownTableError
from bot.table.ids import TableId, UserId
from bot.table.locks import KeyedLocks
from bot.table.sessions import IDLE, Sessions
from tests.support.clock import breathe
from tests.support.tables import ANN, BEA, Room


@pytest.fixture
def room():
    return Room()


def sessions_of(room, **limits):
    return Sessions(room.tables._sessions._around, **limits)


async def three_tables(room):
    return [(await room.open(UserId(n), channel_id=n)).id for n in (1, 2, 3)]


async def test_a_table_has_one_session(room):
    (table_id, *_) = await three_tables(room)
    sessions = sessions_of(room)
    one, other = await asyncio.gather(sessions.find(table_id), sessions.find(table_id))
    assert one is other


async def test_an_idle_table_leaves_memory_and_comes_back(room):
    first, second, third = await three_tables(room)
    sessions = sessions_of(room)
    session = await sessions.find(first)
    await sessions.find(second)
    room.clock.move(IDLE.total_seconds() / 2)
    await sessions.find(second)
    room.clock.move(IDLE.total_seconds() / 2 + 1)
    await sessions.find(third)
    assert len(sessions) == 2
    again = await sessions.find(first)
    assert again is not session
    assert await again.believe() == await session.believe()


async def test_the_longest_idle_goes_when_there_are_too_many(room):
    first, second, third = await three_tables(room)
    sessions = sessions_of(room, most=2)
    kept = await sessions.find(first)
    gone = await sessions.find(second)
    await sessions.find(first)
    await sessions.find(third)
    assert len(sessions) == 2
    assert await sessions.find(first) is kept
    assert await sessions.find(second) is not gone


async def test_a_table_in_the_middle_of_a_turn_stays(room):
    first, second, _ = await three_tables(room)
    room.tables._sessions._most = 1
    room.memory.gate.clear()
    joining = asyncio.create_task(room.tables.join(room.by(BEA), first))
    await breathe()
    busy = room.tables._sessions._sessions[first]
    await room.tables.view(second)
    assert room.tables._sessions._sessions[first] is busy
    room.memory.gate.set()
    await joining


@pytest.mark.parametrize("fault", [StaleClickError, RuntimeError])
async def test_what_cannot_be_changed_at_one_table_is_changed_at_the_others(room, fault):
    first, second, third = await three_tables(room)
    rows = [row for n in (1, 2, 3) for row in await room.store.tables_of(UserId(n))]
    seen = []

    async def change(session):
        seen.append((await session.believe()).table.id)
        if len(seen) == 1:
            raise fault

    await sessions_of(room).at_each(rows, change)
    assert seen == [first, second, third]


async def test_what_does_not_exist_is_not_kept(room):
    sessions = sessions_of(room)
    with pytest.raises(UnknownTableError):
        await sessions.find(TableId("NOWHERE2"))
    assert len(sessions) == 0


async def test_a_refused_opening_leaves_no_session(room):
    await room.open(ANN)
    with pytest.raises(Exception, match="has table"):
        await room.open(BEA)
    assert len(room.tables._sessions) == 1


async def test_a_keyed_lock_is_held_by_one_and_forgotten_afterwards():
    locks, order = KeyedLocks(), []

    async def hold(key, name):
        async with locks.holding(key):
            order.append(f"{name} in")
            await asyncio.sleep(0)
            order.append(f"{name} out")

    await asyncio.gather(hold(1, "a"), hold(1, "b"), hold(2, "c"))
    assert order.index("a out") < order.index("b in")
    assert order.index("c in") < order.index("a out"), "another key does not wait"
    assert not locks._locks
