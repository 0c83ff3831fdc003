"""Calling once more whom a table waits for: once for a move, and at most every six hours."""

from dataclasses import replace
from datetime import time, timedelta

import pytest

from bot.table import commands
from bot.table.away import QuietHours
from bot.table.ballots import Pause
from bot.table.errors import NotOneOfUsError
from bot.table.posting import NUDGE, Ping
from bot.table.seat_errors import NobodyToNudgeError, NudgedError
from bot.table.storing import PersonSettings, Reminders
from tests.support.rooms import STORES, room_on
from tests.support.showing import ShownRoom
from tests.support.tables import ANN, BEA, EVE, FOUR

HOUR = 3_600


@pytest.fixture(params=STORES)
async def room(request, tmp_path):
    async with room_on(request.param, tmp_path) as built:
        yield built


async def lead_wanted(room, clock="7d"):
    """A game of four whose first card is awaited; its hand."""
    table_id = (await room.started(*FOUR, clock=clock)).id
    await room.everybody_passes(table_id)
    (hand,) = await room.waited_for(table_id)
    return hand


def somebody_else(hand):
    return next(person for person in FOUR if person != hand.user_id)


async def nudge(room, hand):
    await room.tables.nudge(room.by(somebody_else(hand)), hand.table.id)


async def calls(room):
    """The calls that are to be made an hour from now, of people and reminders."""
    rows = await room.work.due_outbox(room.clock.now() + timedelta(hours=1), 99)
    return [(row.ping.user_id, row.ping.reminder) for row in rows if row.ping]


async def test_whoever_is_waited_for_is_called_once_more(room):
    hand = await lead_wanted(room)
    assert await calls(room) == [(hand.user_id, 0)]
    await nudge(room, hand)
    assert await calls(room) == [(hand.user_id, NUDGE)]


async def test_a_move_is_nudged_about_once_however_long_it_takes(room):
    hand = await lead_wanted(room)
    await nudge(room, hand)
    for _ in range(5):
        with pytest.raises(NudgedError):
            await nudge(room, hand)
        room.clock.move(6 * HOUR)
        await room.fire_due()


async def test_for_the_next_move_the_table_rests_six_hours(room):
    hand = await lead_wanted(room)
    await nudge(room, hand)
    room.clock.move(6 * HOUR - 1)
    for _ in range(4):
        (now,) = await room.waited_for(hand.table.id)
        await room.move(now)
    (after,) = await room.waited_for(hand.table.id)
    with pytest.raises(NudgedError):
        await nudge(room, after)
    room.clock.move(1)
    await room.fire_due()
    await nudge(room, after)


async def test_a_nudge_is_remembered_over_a_restart(room):
    hand = await lead_wanted(room)
    await nudge(room, hand)
    room.tables = room.another_manager()
    with pytest.raises(NudgedError):
        await nudge(room, hand)


async def test_nobody_nudges_themselves_and_no_bystander_anybody(room):
    hand = await lead_wanted(room)
    with pytest.raises(NobodyToNudgeError):
        await room.tables.nudge(room.by(hand.user_id), hand.table.id)
    with pytest.raises(NotOneOfUsError):
        await room.tables.nudge(room.by(EVE), hand.table.id)
    await nudge(room, hand)


async def test_while_cards_are_passed_all_others_who_have_not_are_called(room):
    view = await room.started(*FOUR, clock="7d")
    await room.move(await room.tables.hand(view.id, BEA))
    await room.tables.nudge(room.by(ANN), view.id)
    asked = {person for person, reminder in await calls(room) if reminder == NUDGE}
    assert asked == set(FOUR) - {ANN, BEA}


async def test_in_a_pause_and_in_a_lobby_nobody_is_nudged(room):
    lobby = await room.open(ANN, channel_id=99)
    with pytest.raises(NobodyToNudgeError):
        await room.tables.nudge(room.by(ANN), lobby.id)
    view = await room.started(ANN, BEA)
    voted = await room.tables.ask(room.by(ANN), view.id, commands.CallVote(ANN, Pause()))
    number = voted.votes[0].number
    await room.tables.ask(room.by(BEA), view.id, commands.CastVote(BEA, number, is_for=True))
    with pytest.raises(NobodyToNudgeError):
        await room.tables.nudge(room.by(ANN), view.id)


async def sent(room):
    """The nudges that stand in the channels."""
    await room.publisher.flush()
    contents = [message.content for message in room.poster.messages.values()]
    return [each for each in contents if isinstance(each, Ping) and each.reminder == NUDGE]


async def choose(room, person, **chosen):
    await room.settings.change_person(person, lambda _: replace(PersonSettings(), **chosen))


async def test_a_nudge_waits_for_the_end_of_quiet_hours():
    room = ShownRoom()
    hand = await lead_wanted(room)
    now = room.clock.now()
    quiet = QuietHours("UTC", time(now.hour), time(now.hour + 2))
    await choose(room, hand.user_id, quiet=quiet)
    await nudge(room, hand)
    assert await sent(room) == []
    room.clock.move(2 * HOUR)
    assert await sent(room) == [], "a reminder of the same moment goes first"
    room.clock.move(3)
    assert [ping.user_id for ping in await sent(room)] == [hand.user_id]


async def test_who_wants_no_calls_gets_no_nudge():
    room = ShownRoom()
    hand = await lead_wanted(room)
    await choose(room, hand.user_id, reminders=Reminders.OFF)
    await nudge(room, hand)
    assert await sent(room) == []


async def test_once_the_move_is_made_the_nudge_is_deleted():
    room = ShownRoom()
    hand = await lead_wanted(room)
    await nudge(room, hand)
    assert len(await sent(room)) == 1
    await room.move(hand)
    assert await sent(room) == []
