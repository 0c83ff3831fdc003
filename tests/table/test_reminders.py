"""Reminders at half and at nine tenths of the time, and deadlines of people who are away.

Rules: cases.md B57, B58, B59; house.md 4.5; `bot.table.away` says when, this is what comes of it.
"""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, time, timedelta

import pytest

from bot.table import commands
from bot.table.away import QuietHours, Vacation
from bot.table.ballots import ChangeClock
from bot.table.clocks import move_clock
from bot.table.ids import ChannelId
from bot.table.posting import Ping
from bot.table.storing import PersonSettings, Reminders, ServerSettings, TimerKind
from bot.table.timekeeper import Timekeeper
from bot.table.timers import REMINDERS
from tests.support.clock import NOON
from tests.support.fakes import direct_channel
from tests.support.showing import ShownRoom
from tests.support.tables import ANN, BEA, GUILD

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
NIGHT = QuietHours("UTC", time(22), time(8))


async def waiting_for_one(room: ShownRoom, clock: str = "24h", seats: int = 2):
    """A game in its first trick; the person who is to lead it."""
    table_id = (await room.started(ANN, seats=4, clock=clock)).id
    await room.everybody_passes(table_id)
    while not (hands := await room.waited_for(table_id)):
        await room.robots_move(table_id)
    await show(room)
    return hands[0]


async def show(room: ShownRoom) -> None:
    await room.publisher.flush()


async def live(room: ShownRoom, length: timedelta, step: timedelta = timedelta(minutes=6)) -> None:
    """Let time go by, with all that is done in it."""
    for _ in range(int(length / step)):
        room.clock.move(step.total_seconds())
        await room.timekeeper.fire_due()
        await show(room)


def reminders(room: ShownRoom) -> list[int]:
    """Which reminders were sent, in their order."""
    sent = [content for name, content in room.poster.calls if name == "send"]
    return [each.reminder for each in sent if isinstance(each, Ping) and each.reminder]


def calls(room: ShownRoom) -> list[Ping]:
    """The calls that stand in the channels now."""
    contents = (message.content for message in room.poster.messages.values())
    return [content for content in contents if isinstance(content, Ping)]


async def choose(room: ShownRoom, **choices) -> None:
    await room.persons.change(ANN, lambda before: replace(before, **choices))


async def deadline_of(room: ShownRoom, hand) -> datetime:
    return (await room.tables.view(hand.table.id)).deadlines[hand.seat]


async def due(room: ShownRoom, hand, kind: TimerKind) -> list[datetime]:
    timers = await room.store.timers_of(hand.table.id)
    return [timer.due_at for timer in timers if timer.kind is kind]


async def test_b57_one_reminder_comes_at_half_of_the_time_and_one_at_nine_tenths():
    room = ShownRoom()
    hand = await waiting_for_one(room)
    allowed = await deadline_of(room, hand) - room.clock.now()
    begun = room.clock.now()
    await live(room, allowed / 2 - HOUR)
    assert reminders(room) == []
    await live(room, HOUR + timedelta(minutes=6))
    assert reminders(room) == [1]
    await live(room, allowed * 9 / 10 - (room.clock.now() - begun) + timedelta(minutes=6))
    assert reminders(room) == [1, 2]
    await live(room, HOUR)
    assert reminders(room) == [1, 2]


async def test_b57_a_reminder_comes_once_also_across_a_restart_and_an_outage():
    room = ShownRoom()
    hand = await waiting_for_one(room)
    allowed = await deadline_of(room, hand) - room.clock.now()
    await live(room, allowed / 2 + HOUR)
    room.tables = room.another_manager()
    room.publisher = room.another_publisher()
    await room.timekeeper.credit_outage()
    room.clock.move(6 * HOUR.total_seconds())
    room.timekeeper = Timekeeper(room.memory, room.tables, room.clock)
    assert await room.timekeeper.credit_outage() == 6 * HOUR
    await live(room, allowed * 4 / 10 + HOUR)
    assert reminders(room) == [1, 2]


async def test_a_reminder_fired_twice_at_once_comes_once():
    room = ShownRoom()
    hand = await waiting_for_one(room)
    (half,) = [
        timer for timer in await room.store.timers_of(hand.table.id) if timer.kind is TimerKind.HALF
    ]
    room.clock.move((half.due_at - room.clock.now()).total_seconds())
    await asyncio.gather(room.tables.fire(half), room.tables.fire(half))
    await show(room)
    assert reminders(room) == [1]


async def test_a_move_takes_its_reminders_with_it():
    room = ShownRoom()
    hand = await waiting_for_one(room)
    before = await room.store.timers_of(hand.table.id)
    assert {timer.kind for timer in before} == {TimerKind.DEADLINE, *REMINDERS}
    await room.move(hand)
    left = await room.store.timers_of(hand.table.id)
    assert not [
        timer for timer in left if timer.moment == before[0].moment and timer.seat == hand.seat
    ]


async def test_somebody_elses_move_brings_no_reminder_back():
    room = ShownRoom()
    table_id = (await room.started(ANN, BEA, clock="24h")).id
    room.clock.move(1)
    await room.fire_due()  # the robots pass
    ann, bea = await room.waited_for(table_id)
    (half, _) = await due(room, ann, TimerKind.HALF)
    room.clock.move((half - room.clock.now()).total_seconds())
    await room.timekeeper.fire_due()
    assert await due(room, ann, TimerKind.HALF) == []
    await room.tables.surface(room.by(BEA), table_id)
    assert await due(room, ann, TimerKind.HALF) == []
    assert bea.user_id == BEA


async def test_b59_a_reminder_takes_the_place_of_the_call_and_goes_with_the_move():
    room = ShownRoom()
    hand = await waiting_for_one(room)
    await live(room, (await deadline_of(room, hand) - room.clock.now()) / 2 + HOUR)
    (standing,) = calls(room)
    assert standing.reminder == 1
    await room.tables.surface(room.by(ANN), hand.table.id)
    await show(room)
    assert calls(room) == [standing]
    await room.move(hand)
    await show(room)
    assert standing not in calls(room)


async def test_a_reminder_says_until_when_there_is_time():
    room = ShownRoom()
    hand = await waiting_for_one(room)
    await live(room, (await deadline_of(room, hand) - room.clock.now()) / 2 + HOUR)
    assert room.poster.manners[-1].deadline == await deadline_of(room, hand)


async def test_b59_silent_calls_make_no_sound():
    room = ShownRoom()
    await choose(room, reminders=Reminders.SILENT)
    hand = await waiting_for_one(room)
    await live(room, await deadline_of(room, hand) - room.clock.now() - HOUR)
    assert reminders(room) == [1, 2]
    assert all(manner.silent for manner in room.poster.manners)


async def test_another_clock_takes_a_reminder_away_that_told_the_old_deadline():
    """What stands in the channel is true: the person is called anew, without a deadline."""
    room = ShownRoom()
    hand = await waiting_for_one(room)
    await live(room, 23 * HOUR)
    assert [call.reminder for call in calls(room)] == [2]
    slower = commands.CallVote(ANN, ChangeClock(hand.table.clock, move_clock("off")))
    await room.tables.ask(room.by(ANN), hand.table.id, slower)
    await live(room, HOUR)
    assert [call.reminder for call in calls(room)] in ([0], [])


async def test_who_wants_no_reminders_gets_no_call_at_all():
    room = ShownRoom()
    await choose(room, reminders=Reminders.OFF)
    hand = await waiting_for_one(room)
    await live(room, await deadline_of(room, hand) - room.clock.now() - HOUR)
    assert room.poster.manners == []


async def test_b59_direct_messages_go_to_the_person_and_are_deleted_there():
    room = ShownRoom()
    await choose(room, reminders=Reminders.DIRECT)
    hand = await waiting_for_one(room)
    await live(room, (await deadline_of(room, hand) - room.clock.now()) / 2 + HOUR)
    sent = [m.channel_id for m in room.poster.messages.values() if isinstance(m.content, Ping)]
    assert sent == [direct_channel(ANN)]
    await room.move(hand)
    await show(room)
    assert direct_channel(ANN) not in {each.channel_id for each in room.poster.messages.values()}


async def test_b73_a_refused_direct_message_becomes_a_mention_which_is_said_once():
    room = ShownRoom()
    room.poster.closed = {ANN}
    await choose(room, reminders=Reminders.DIRECT)
    hand = await waiting_for_one(room)
    await live(room, await deadline_of(room, hand) - room.clock.now() - HOUR)
    assert [manner.direct_refused for manner in room.poster.manners] == [True, False]
    assert (await room.persons.settings(ANN)).direct_refused
    channels = {m.channel_id for m in room.poster.messages.values() if isinstance(m.content, Ping)}
    assert channels == {ChannelId(11)}
    await room.move(await room.tables.hand(hand.table.id, ANN))


async def test_nothing_is_said_in_quiet_hours_and_all_of_it_after_them():
    """NOON is at 12:00 UTC: half of the time falls into the night."""
    room = ShownRoom()
    await choose(room, quiet=NIGHT, zone="UTC")
    room.clock.move(9.9 * HOUR.total_seconds())  # 21:54
    hand = await waiting_for_one(room, clock="8h")
    assert await due(room, hand, TimerKind.HALF) == []  # it came to the same moment
    assert await due(room, hand, TimerKind.NINE_TENTHS) == [NOON + 20 * HOUR]  # 8:00
    room.poster.calls.clear()
    await live(room, 10 * HOUR - timedelta(minutes=12))
    assert not [content for _, content in room.poster.calls if isinstance(content, Ping)]
    await live(room, timedelta(minutes=18))
    assert [call.reminder for call in calls(room)] == [2]


async def test_a_call_that_an_outage_held_up_waits_for_the_end_of_quiet_hours_too():
    room = ShownRoom()
    await choose(room, quiet=NIGHT, zone="UTC")
    room.clock.move(9 * HOUR.total_seconds())
    table_id = (await room.started(ANN, clock="24h")).id
    room.clock.move(2 * HOUR.total_seconds())  # 23:00, and nothing was sent
    await show(room)
    await room.robots_move(table_id)
    await show(room)
    assert calls(room) == []


async def test_the_deadline_of_a_slow_clock_falls_an_hour_after_quiet_hours():
    room = ShownRoom()
    await choose(room, quiet=NIGHT, zone="UTC")
    hand = await waiting_for_one(room, clock="1h")
    assert (await deadline_of(room, hand)).time() < time(22)
    await room.persons.change(
        ANN, lambda before: replace(before, quiet=QuietHours("UTC", time(12), time(20)))
    )
    assert await deadline_of(room, hand) == datetime(2026, 1, 5, 21, tzinfo=UTC)


async def test_a_vacation_stops_the_own_clock_and_no_other():
    room = ShownRoom()
    table_id = (await room.started(ANN, BEA, clock="24h")).id
    room.clock.move(1)
    await room.fire_due()
    before = (await room.tables.view(table_id)).deadlines
    journey = Vacation(room.clock.now(), room.clock.now() + 5 * DAY)
    await choose(room, vacations=(journey,))
    after = (await room.tables.view(table_id)).deadlines
    ann, bea = [(await room.tables.hand(table_id, person)).seat for person in (ANN, BEA)]
    assert after[ann] == before[ann] + 5 * DAY
    assert after[bea] == before[bea]


async def test_a_vacation_that_is_broken_off_starts_the_clock_again():
    room = ShownRoom()
    hand = await waiting_for_one(room)
    before = await deadline_of(room, hand)
    begins = room.clock.now()
    await choose(room, vacations=(Vacation(begins, begins + 5 * DAY),))
    await live(room, DAY, HOUR)
    await choose(room, vacations=(Vacation(begins, room.clock.now()),))
    assert await deadline_of(room, hand) == before + DAY


@pytest.mark.parametrize(("days", "counted"), [(3, 3), (21, 5), (0, 0)])
async def test_a_server_says_how_long_a_vacation_may_stop_a_clock(days: int, counted: int):
    room = ShownRoom()
    await room.settings.save_server(GUILD, ServerSettings(vacation_days=days))
    hand = await waiting_for_one(room)
    before, now = await deadline_of(room, hand), room.clock.now()
    await choose(room, vacations=(Vacation(now, now + 5 * DAY),))
    assert await deadline_of(room, hand) == before + counted * DAY


async def test_what_was_chosen_without_the_tables_knowing_counts_when_a_deadline_fires():
    """A crash between the choice and the tables that it is for."""
    room = ShownRoom()
    hand = await waiting_for_one(room)
    before, now = await deadline_of(room, hand), room.clock.now()
    journey = Vacation(now, now + 2 * DAY)
    await room.settings.change_person(ANN, lambda _: PersonSettings(vacations=(journey,)))
    room.clock.move((before - now).total_seconds())
    await room.timekeeper.fire_due()
    assert await deadline_of(room, hand) == before + 2 * DAY
    room.clock.move(2 * DAY.total_seconds())
    await room.timekeeper.fire_due()
    assert (await room.tables.view(hand.table.id)).deadlines != {hand.seat: before + 2 * DAY}


async def test_nobody_is_late_at_once_by_wanting_no_quiet_hours_any_more():
    """The time ran out in the night, and only the quiet hours kept the deadline up."""
    room = ShownRoom()
    room.clock.move(4 * HOUR.total_seconds())
    await choose(room, quiet=NIGHT, zone="UTC")
    hand = await waiting_for_one(room, clock="8h")
    while (late_at := await deadline_of(room, hand)) - room.clock.now() > 2 * HOUR:
        room.clock.move(HOUR.total_seconds())
    assert late_at.hour == 9
    await choose(room, quiet=None)
    assert await deadline_of(room, hand) == late_at
    room.clock.move((late_at - room.clock.now()).total_seconds() - 1)
    await room.timekeeper.fire_due()
    assert await deadline_of(room, hand) == late_at
    room.clock.move(1)
    await room.timekeeper.fire_due()
    assert (await room.tables.view(hand.table.id)).deadlines.get(hand.seat) != late_at


async def test_quiet_hours_that_begin_late_bring_no_reminder_back():
    room = ShownRoom()
    hand = await waiting_for_one(room)
    await live(room, (await deadline_of(room, hand) - room.clock.now()) / 2 + HOUR)
    await choose(room, quiet=NIGHT, zone="UTC")
    assert await due(room, hand, TimerKind.HALF) == []
    assert len(await due(room, hand, TimerKind.NINE_TENTHS)) == 1
