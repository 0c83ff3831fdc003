"""A pause by agreement, met by vacations, outages, a lost place or another clock.

Rule: a pause keeps what each move has left, no more and no less, and a reminder comes once
(house.md 4.5, cases.md B57, B75).
"""

from datetime import timedelta

import pytest

from bot.table import commands
from bot.table.away import Vacation
from bot.table.ballots import ChangeClock, Pause
from bot.table.storing import PersonSettings, TimerKind
from bot.table.timers import DEADLINES, REMINDERS
from tests.support.rooms import STORES, room_on
from tests.support.tables import ANN, BEA, GUILD, chair_of, without_bank

MINUTE, HOUR, DAY = 60, 3_600, 86_400


@pytest.fixture(params=STORES)
async def room(request, tmp_path):
    async with room_on(request.param, tmp_path) as built:
        yield built


async def ask(room, view, person, command, *rest, **options):
    return await room.tables.ask(room.by(person), view.id, command(person, *rest, **options))


async def pause(room, view):
    """Ann and Bea agree on one."""
    view = await ask(room, view, ANN, commands.CallVote, Pause())
    number = view.votes[0].number
    assert (await ask(room, view, BEA, commands.CastVote, number, is_for=True)).agreed_pause


async def due_in(room, view, person):
    view = await room.tables.view(view.id)
    return (view.deadlines[chair_of(view, person)] - room.clock.now()).total_seconds()


async def reminders_of(room, view, person):
    seat = chair_of(view, person)
    timers = await room.store.timers_of(view.id)
    return {timer.kind for timer in timers if timer.kind in REMINDERS and timer.seat == seat}


def away_for(room, person, *, begins, days):
    begins = room.clock.now() + timedelta(seconds=begins)
    vacation = Vacation(begins, begins + timedelta(days=days))
    room.settings.chosen[person] = PersonSettings(vacations=(vacation,))


async def test_a_vacation_that_goes_by_in_a_pause_leaves_no_time_behind(room):
    view = await room.started(ANN, BEA, clock="24h")
    away_for(room, ANN, begins=DAY / 2, days=10)
    await room.tables.reckon_anew(ANN)
    room.clock.move(6 * HOUR)
    assert await due_in(room, view, ANN) == 10 * DAY + 18 * HOUR
    await pause(room, view)
    room.clock.move(12 * DAY)
    await ask(room, view, BEA, commands.EndPause)
    assert await due_in(room, view, ANN) == 18 * HOUR
    assert await due_in(room, view, BEA) == 18 * HOUR


async def test_a_vacation_that_outlives_a_pause_stops_the_clock_to_its_own_end(
    room,
):
    away_for(room, ANN, begins=-HOUR, days=10)
    view = await room.started(ANN, BEA, clock="24h")
    await pause(room, view)
    room.clock.move(4 * DAY)
    await ask(room, view, BEA, commands.EndPause)
    assert await due_in(room, view, ANN) == 6 * DAY - HOUR + DAY
    room.settings.chosen[ANN] = PersonSettings()
    await room.tables.reckon_anew(ANN)
    assert await due_in(room, view, ANN) == DAY


async def test_a_vacation_that_ends_in_a_pause_gives_no_time_back_that_was_used_before_it(room):
    view = await room.started(ANN, BEA, clock="24h")
    away_for(room, ANN, begins=20 * HOUR, days=1)
    room.clock.move(12 * HOUR)
    await pause(room, view)
    room.clock.move(20 * HOUR)
    await ask(room, view, BEA, commands.EndPause)
    assert await due_in(room, view, ANN) == 12 * HOUR + 12 * HOUR
    assert await due_in(room, view, BEA) == 12 * HOUR


async def test_what_an_outage_gave_back_is_left_after_a_pause_and_after_the_next_outage(room):
    """B75: nobody loses by a second outage what a first one gave."""
    view = await room.started(ANN, BEA, clock="24h")
    before = room.clock.now()
    room.clock.move(3 * DAY)
    await room.tables.servers.give_back(GUILD, before)
    assert await due_in(room, view, ANN) == DAY
    room.clock.move(HOUR)
    await pause(room, view)
    await ask(room, view, BEA, commands.EndPause)
    assert await due_in(room, view, ANN) == 23 * HOUR
    since = room.clock.now()
    room.clock.move(HOUR)
    await room.tables.servers.give_back(GUILD, since)
    assert await due_in(room, view, ANN) == 23 * HOUR


@pytest.mark.parametrize("given", [0, 1])
async def test_reminders_outlive_a_pause_that_ends_while_there_is_no_place_to_post(room, given):
    view = await room.started(ANN, BEA, clock="24h")
    room.clock.move((6 + 7 * given) * HOUR)
    await room.fire_due()
    left = await reminders_of(room, view, ANN)
    assert len(left) == 2 - given
    await pause(room, view)
    await room.tables.pause(view.id, "forbidden")
    await ask(room, view, BEA, commands.EndPause)
    room.clock.move(DAY)
    await room.tables.resume(view.id)
    assert await reminders_of(room, view, ANN) == left
    assert await due_in(room, view, ANN) == (18 - 7 * given) * HOUR


@pytest.mark.parametrize("resting", [False, True])
async def test_another_clock_brings_no_reminder_back_in_a_pause_or_out_of_one(room, resting):
    view = await room.started(ANN, BEA, clock="24h")
    room.clock.move(13 * HOUR)
    await room.fire_due()
    if resting:
        await pause(room, view)
    change = ChangeClock(view.clock, without_bank("72h"))
    view = await ask(room, view, ANN, commands.CallVote, change)
    await ask(room, view, BEA, commands.CastVote, view.votes[0].number, is_for=True)
    if resting:
        await ask(room, view, BEA, commands.EndPause)
    assert await due_in(room, view, ANN) == 3 * DAY
    assert await reminders_of(room, view, ANN) == {TimerKind.NINE_TENTHS}


async def test_no_deadline_begins_in_the_future_so_that_an_outage_takes_nothing_from_it(room):
    away_for(room, ANN, begins=-HOUR, days=5)
    view = await room.started(ANN, BEA, clock="24h")
    await pause(room, view)
    room.clock.move(HOUR)
    await ask(room, view, BEA, commands.EndPause)
    deadlines = [t for t in await room.store.timers_of(view.id) if t.kind in DEADLINES]
    assert len(deadlines) == 2
    assert {timer.begun_at for timer in deadlines} == {room.clock.now()}
