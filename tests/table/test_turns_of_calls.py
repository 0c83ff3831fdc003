"""In which order Discord is called where calls are scarce (reliability.md 6.5)."""

import asyncio

import pytest

from bot.table.budget import IN_ALL
from bot.table.errors import PosterBusyError
from bot.table.ids import UserId
from tests.support.clock import breathe
from tests.support.showing import ShownRoom


async def many_lobbies(room: ShownRoom) -> None:
    """More new posts than there are calls for at once."""
    for number in range(3 * IN_ALL.burst):
        await room.open(UserId(600 + number), channel_id=100 + number)


async def test_when_calls_are_scarce_who_has_waited_longest_is_called_before_newer_posts():
    """Reliability.md 6.5: people are called within 5 s, however much there is to show."""
    room = ShownRoom()
    await room.to_first_lead()
    room.clock.move(60)
    await many_lobbies(room)
    await room.publisher.step()
    assert room.slots().count(None) == 1
    assert len(room.poster.messages) == 3 + IN_ALL.burst


async def test_a_post_that_has_waited_longer_comes_before_a_call():
    room = ShownRoom()
    await room.to_first_lead()
    await many_lobbies(room)
    room.clock.move(60)
    await room.publisher.step()
    assert room.slots().count(None) == 0


async def test_a_deletion_waits_however_old_it_is_and_comes_when_there_is_room():
    room = ShownRoom()
    table_id = await room.to_first_lead()
    room.clock.move(3)
    await room.publisher.flush()
    await room.one_move(table_id)
    await room.publisher.flush()
    assert room.slots().count(None) == 0  # the control: in a hurry it goes at once
    room.clock.move(60)
    await room.publisher.flush()
    await room.one_move(table_id)
    room.clock.move(60)
    await many_lobbies(room)
    await room.publisher.step()
    assert room.slots().count(None) > 0
    for _ in range(5):
        room.clock.move(1)
        await room.publisher.step()
    assert room.slots().count(None) == 1, "what is left calls whoever is next"


async def test_those_that_cannot_be_called_do_not_hide_the_ones_behind_them(monkeypatch):
    """However few are read at first."""
    monkeypatch.setattr("bot.table.publisher._GLANCE", (3, 3))
    room = ShownRoom()
    for number in range(IN_ALL.burst):
        await room.open(UserId(600 + number), channel_id=100 + number)
    room.poster.failures = [PosterBusyError(30) for _ in range(IN_ALL.burst)]
    await room.publisher.step()
    room.clock.move(1)
    await room.open(UserId(700), channel_id=200)
    await room.publisher.step()
    assert {message.channel_id for message in room.poster.messages.values()} == {200}


async def passes_and_calls_in_a_second(monkeypatch) -> tuple[int, int]:
    """How often all that is behind is read, and how many calls are made, where much is behind."""
    room, passes = ShownRoom(), 0
    for number in range(100):
        guild_id = 1 + number % 4
        await room.open(UserId(600 + number), channel_id=100 + number, guild_id=guild_id)
    read = room.memory.posts_behind

    async def counted(limit):
        nonlocal passes
        passes += 1
        return await read(limit)

    monkeypatch.setattr(room.memory, "posts_behind", counted)
    loop = asyncio.create_task(room.publisher.run())
    await breathe()
    await room.clock.pass_time(1)
    loop.cancel()
    await asyncio.gather(loop, return_exceptions=True)
    return passes, len(room.poster.messages)


@pytest.mark.parametrize(("gathered", "passes"), [(3, range(10, 20)), (1, range(45, 100))])
async def test_where_calls_are_scarce_a_pass_makes_several_and_no_call_less_is_made(
    monkeypatch, gathered: int, passes: range
):
    """Reading what is behind for each call would fill a core; the control does it for each."""
    monkeypatch.setattr("bot.table.publisher._GATHERED", gathered)
    made, calls = await passes_and_calls_in_a_second(monkeypatch)
    assert made in passes
    assert calls in range(int(IN_ALL.rate), int(IN_ALL.rate + IN_ALL.burst) + 1)
