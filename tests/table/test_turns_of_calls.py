"""In which order Discord is called where calls are scarce (reliability.md 6.5)."""

from bot.table.budget import IN_ALL
from bot.table.ids import UserId
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
