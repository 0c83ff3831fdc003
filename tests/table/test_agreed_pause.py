"""A pause by agreement on the clock: what was left of each move stays left (house.md 4.5)."""

from datetime import time, timedelta

import pytest

from bot.table import commands
from bot.table.away import QuietHours
from bot.table.ballots import ChangeClock, Pause
from bot.table.clocks import move_clock
from bot.table.events import BankDrawn
from bot.table.state import Status
from bot.table.storing import PersonSettings, TimerKind
from bot.table.timers import REMINDERS
from tests.support.deals import house_rules
from tests.support.rooms import STORES, room_on
from tests.support.tables import ANN, BEA, CYD, DAN, EVE, FOUR, chair_of, without_bank

MINUTE, HOUR, DAY = 60, 3_600, 86_400
BY_MINUTES = house_rules(end={"minutes": 30}, tie="share")


@pytest.fixture(params=STORES)
async def room(request, tmp_path):
    async with room_on(request.param, tmp_path) as built:
        yield built


async def ask(room, view, person, command, *rest, **options):
    return await room.tables.ask(room.by(person), view.id, command(person, *rest, **options))


async def pause(room, view, *people):
    """All these people agree, one after the other."""
    first, *others = people
    view = await ask(room, view, first, commands.CallVote, Pause())
    for person in others:
        number = view.votes[0].number
        view = await ask(room, view, person, commands.CastVote, number, is_for=True)
    assert view.agreed_pause
    return view


async def due(room):
    """All timers that are due, reminders too."""
    return list(await room.work.due_timers(room.clock.now(), 100))


def reminders_of(timers):
    return [timer for timer in timers if timer.kind in REMINDERS]


async def due_in(room, view, person):
    view = await room.tables.view(view.id)
    return (view.deadlines[chair_of(view, person)] - room.clock.now()).total_seconds()


async def test_no_deadline_and_no_reminder_comes_in_a_pause_however_long(room):
    view = await room.started(*FOUR, clock="1h")
    room.clock.move(20 * MINUTE)
    await pause(room, view, *FOUR)
    for _ in range(30):
        room.clock.move(DAY)
        assert await due(room) == []
    assert (await room.tables.view(view.id)).deadlines == {}


async def test_after_a_pause_every_move_has_as_much_time_left_as_before(room):
    view = await room.started(*FOUR, clock="1h")
    room.clock.move(20 * MINUTE)
    await room.move(await room.tables.hand(view.id, ANN))
    await pause(room, view, *FOUR)
    room.clock.move(3 * DAY)
    await ask(room, view, CYD, commands.EndPause)
    for person in (BEA, CYD, DAN):
        assert await due_in(room, view, person) == 40 * MINUTE
    room.clock.move(40 * MINUTE)
    fired = await room.fire_due()
    assert [t.kind for t in fired].count(TimerKind.DEADLINE) == 3


async def test_a_pause_in_a_pauses_remainder_takes_nothing_either(room):
    view = await room.started(*FOUR, clock="1h")
    for passed in (20, 10):
        room.clock.move(passed * MINUTE)
        await pause(room, view, *FOUR)
        room.clock.move(DAY)
        await ask(room, view, ANN, commands.EndPause)
    assert await due_in(room, view, BEA) == 30 * MINUTE


async def test_reminders_that_were_given_do_not_come_back(room):
    view = await room.started(*FOUR, clock="1h")
    room.clock.move(40 * MINUTE)
    assert {timer.kind for timer in await due(room)} == {TimerKind.HALF}
    await room.fire_due()
    await pause(room, view, *FOUR)
    room.clock.move(DAY)
    await ask(room, view, BEA, commands.EndPause)
    left = {timer.kind for timer in await room.store.timers_of(view.id)}
    assert left == {TimerKind.NINE_TENTHS, TimerKind.DEADLINE}


async def test_reminders_do_not_come_back_although_sleep_had_put_off_the_deadline(room):
    quiet = QuietHours("UTC", time(12, 30), time(14))
    room.settings.chosen[ANN] = PersonSettings(zone="UTC", quiet=quiet)
    view = await room.started(ANN, clock="1h")
    for minutes in (120, 45):
        room.clock.move(minutes * MINUTE)
        assert len(reminders_of(await due(room))) == 1
        await room.fire_due()
    await pause(room, view, ANN)
    room.tables = room.another_manager()
    await room.tables.pause(view.id, "forbidden")
    await room.tables.resume(view.id)
    room.clock.move(DAY)
    assert await due(room) == []
    await ask(room, view, ANN, commands.EndPause)
    assert await due_in(room, view, ANN) == 15 * MINUTE
    assert reminders_of(await room.store.timers_of(view.id)) == []


async def test_a_pause_outlives_a_restart(room):
    view = await room.started(*FOUR, clock="1h")
    room.clock.move(20 * MINUTE)
    await pause(room, view, *FOUR)
    room.tables = room.another_manager()
    room.clock.move(DAY)
    assert (await room.tables.view(view.id)).agreed_pause
    await ask(room, view, DAN, commands.EndPause)
    assert await due_in(room, view, ANN) == 40 * MINUTE


async def test_an_outage_in_a_pause_gives_and_takes_nothing(room):
    view = await room.started(*FOUR, clock="1h")
    await pause(room, view, *FOUR)
    room.clock.move(DAY)
    await room.work.credit(timedelta(days=1), room.clock.now())
    room.tables = room.another_manager()
    await room.fire_due()
    await ask(room, view, DAN, commands.EndPause)
    assert await due_in(room, view, ANN) == HOUR


async def test_a_pause_that_nobody_is_left_to_end_is_over_after_three_days_with_its_table(room):
    view = await room.started(ANN, clock="1h", ruleset=BY_MINUTES)
    await pause(room, view, ANN)
    room.clock.move(HOUR)
    await ask(room, view, EVE, commands.RemovePerson, ANN)
    room.clock.move(HOUR)
    await room.tables.surface(room.by(EVE), view.id)
    room.clock.move(3 * DAY - HOUR - 1)
    assert [timer.kind for timer in await room.fire_due()] == [TimerKind.ABANDONED_WARNING]
    room.clock.move(1)
    assert [timer.kind for timer in await room.fire_due()] == [TimerKind.ABANDONED]
    assert (await room.tables.view(view.id)).status is Status.CLOSED


async def test_who_sits_down_in_a_pause_that_was_left_to_robots_may_take_days_and_more(room):
    view = await room.started(ANN, clock="1h")
    await pause(room, view, ANN)
    await ask(room, view, EVE, commands.RemovePerson, ANN)
    await room.tables.substitute(room.by(BEA), view.id, chair_of(view, ANN))
    room.clock.move(4 * DAY)
    assert await room.fire_due() == []
    assert (await room.tables.view(view.id)).agreed_pause


async def test_a_game_by_minutes_keeps_its_time_too(room):
    view = await room.started(*FOUR, clock="24h", ruleset=BY_MINUTES)
    room.clock.move(10 * MINUTE)
    await pause(room, view, *FOUR)
    room.clock.move(DAY)
    assert await room.fire_due() == []
    assert (await room.tables.view(view.id)).time_up is None
    after = await ask(room, view, ANN, commands.EndPause)
    assert after.time_up == room.clock.now() + timedelta(minutes=20)


async def test_robots_wait_in_a_pause_and_go_on_after_it(room):
    view = await room.started(ANN)
    await pause(room, view, ANN)
    room.clock.move(HOUR)
    assert await room.fire_due() == []
    await ask(room, view, ANN, commands.EndPause)
    room.clock.move(1)
    assert {t.kind for t in await room.fire_due()} == {TimerKind.ROBOT}


async def test_a_place_that_is_lost_in_a_pause_and_found_again_changes_nothing(room):
    view = await room.started(*FOUR, clock="1h")
    room.clock.move(20 * MINUTE)
    await pause(room, view, *FOUR)
    await room.tables.pause(view.id, "forbidden")
    assert (await room.tables.view(view.id)).status is Status.PAUSED
    room.clock.move(HOUR)
    await room.tables.surface(room.by(ANN), view.id)
    room.clock.move(HOUR)
    assert await room.fire_due() == []
    await ask(room, view, BEA, commands.EndPause)
    assert await due_in(room, view, ANN) == 40 * MINUTE


async def test_a_substitute_in_a_pause_has_the_whole_time(room):
    view = await room.started(*FOUR, clock="1h")
    room.clock.move(20 * MINUTE)
    await pause(room, view, *FOUR)
    await room.tables.leave(room.by(BEA), view.id)
    await room.tables.substitute(room.by(EVE), view.id, 1)
    await ask(room, view, ANN, commands.EndPause)
    assert await due_in(room, view, EVE) == HOUR
    assert await due_in(room, view, ANN) == 40 * MINUTE


async def test_nobody_is_called_in_a_pause_and_who_is_waited_for_is_called_after_it():
    async with room_on("memory", None) as room:
        view = await room.started(*FOUR, clock="1h")
        assert room.memory.pings()
        await pause(room, view, *FOUR)
        assert room.memory.pings() == []
        await ask(room, view, ANN, commands.EndPause)
        assert {ping.user_id for ping in room.memory.pings()} >= {BEA, CYD, DAN}


@pytest.mark.case("B55")
@pytest.mark.parametrize("resting", [False, True])
async def test_b55_a_change_of_clock_moves_the_current_deadline(room, resting):
    view = await room.started(*FOUR, clock="1h")
    room.clock.move(50 * MINUTE)
    if resting:
        await pause(room, view, *FOUR)
    change = ChangeClock(view.clock, without_bank("8h"))
    view = await ask(room, view, ANN, commands.CallVote, change)
    number = view.votes[0].number
    for person in (BEA, CYD):
        await ask(room, view, person, commands.CastVote, number, is_for=True)
    if resting:
        await ask(room, view, DAN, commands.EndPause)
    after = await room.tables.view(view.id)
    assert after.clock == without_bank("8h")
    assert set(after.deadlines.values()) == {room.clock.now() + timedelta(hours=8)}
    room.clock.move(10 * MINUTE)
    assert await room.fire_due() == []
    other = room.another_manager()
    assert (await other.view(view.id)).deadlines == after.deadlines


async def test_a_bank_pays_after_a_pause_for_what_it_would_have_paid_without_one(room):
    view = await room.started(*FOUR, clock="1h", with_banks=True)
    room.clock.move(20 * MINUTE)
    await pause(room, view, *FOUR)
    room.clock.move(DAY)
    await ask(room, view, DAN, commands.EndPause)
    assert await due_in(room, view, ANN) == 2 * HOUR + 40 * MINUTE
    room.clock.move(HOUR)
    await room.move(await room.tables.hand(view.id, ANN))
    stored = await room.store.load(view.id)
    drawn = [entry.event for entry in stored if isinstance(entry.event, BankDrawn)]
    assert drawn == [BankDrawn(chair_of(view, ANN), 20 * MINUTE * 1_000)]


async def test_with_another_clock_a_bank_is_as_full_as_it_was(room):
    view = await room.started(ANN, clock="1h", with_banks=True)
    await ask(room, view, ANN, commands.CallVote, ChangeClock(view.clock, move_clock("8h")))
    after = await room.tables.view(view.id)
    assert after.banks == (timedelta(hours=12),) * 4
    assert set(after.deadlines.values()) == {room.clock.now() + timedelta(hours=20)}
