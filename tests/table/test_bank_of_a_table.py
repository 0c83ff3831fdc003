"""The time bank of each seat at a table: what long moves cost, and that a replay gives the same."""

from dataclasses import replace
from datetime import time, timedelta

from bot.rules.cards import Seat
from bot.table import history
from bot.table.away import QuietHours, Vacation
from bot.table.events import BankDrawn
from bot.table.ids import Human
from bot.table.storing import TimerKind
from tests.support.showing import ShownRoom
from tests.support.tables import ANN, BEA, FOUR, Room

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
FULL = 2 * HOUR
TOP_UP = FULL / 12


async def first_lead(room: Room, **wishes):
    """Everybody has passed at once; the hand of who is to lead."""
    table_id = (await room.started(*FOUR, clock="1h", with_banks=True, **wishes)).id
    await room.everybody_passes(table_id)
    (hand,) = await room.waited_for(table_id)
    return hand


async def banks(room: Room, table_id) -> tuple[timedelta, ...]:
    return (await room.tables.view(table_id)).banks


async def drawn(room: Room, table_id) -> list[BankDrawn]:
    stored = await room.store.load(table_id)
    return [entry.event for entry in stored if isinstance(entry.event, BankDrawn)]


def wait(room: Room, length: timedelta) -> None:
    room.clock.move(length.total_seconds())


async def test_every_seat_begins_with_a_full_bank_and_may_use_it():
    room = Room()
    hand = await first_lead(room)
    assert await banks(room, hand.table.id) == (FULL,) * 4
    view = await room.tables.view(hand.table.id)
    assert view.deadlines[hand.seat] == room.clock.now() + HOUR + FULL


async def test_a_move_within_the_time_of_the_clock_costs_nothing():
    room = Room()
    hand = await first_lead(room)
    wait(room, HOUR)
    await room.move(hand)
    assert await drawn(room, hand.table.id) == []
    assert await banks(room, hand.table.id) == (FULL,) * 4


async def test_what_goes_beyond_is_taken_from_the_bank_and_the_move_puts_a_little_back():
    room = Room()
    hand = await first_lead(room)
    wait(room, HOUR * 3 / 2)
    await room.move(hand)
    assert await drawn(room, hand.table.id) == [BankDrawn(hand.seat, 30 * 60 * 1_000)]
    left = await banks(room, hand.table.id)
    assert left[hand.seat] == FULL - HOUR / 2 + TOP_UP
    assert left.count(FULL) == 3


async def test_the_next_deadline_of_the_seat_is_shorter_by_what_was_used():
    room = Room()
    hand = await first_lead(room)
    table_id = hand.table.id
    wait(room, HOUR * 3 / 2)
    await room.move(hand)
    for _ in range(3):
        (other,) = await room.waited_for(table_id)
        await room.move(other)
    (leader,) = await room.waited_for(table_id)
    view = await room.tables.view(table_id)
    allowed = view.deadlines[leader.seat] - room.clock.now()
    assert allowed == HOUR + view.banks[leader.seat]


async def test_a_move_that_the_clock_makes_leaves_only_what_is_put_back():
    room = Room()
    hand = await first_lead(room)
    wait(room, HOUR + FULL)
    await room.fire_due()
    view = await room.tables.view(hand.table.id)
    assert view.chairs[hand.seat] == Human(hand.user_id)
    assert view.banks[hand.seat] == TOP_UP


async def test_a_robot_neither_uses_nor_fills_the_bank_of_its_seat():
    room = Room()
    table_id = (await room.started(ANN, BEA, clock="1h", with_banks=True)).id
    hand = await room.tables.hand(table_id, ANN)
    wait(room, HOUR * 3 / 2)
    await room.move(hand)
    used = await banks(room, table_id)
    await room.tables.leave(room.by(ANN), table_id)
    await room.tables.take_seat_back(room.by(ANN), table_id)
    await room.robots_move(table_id)
    assert await banks(room, table_id) == used


async def test_a_pass_that_is_chosen_anew_fills_no_bank():
    room = Room()
    table_id = (await room.started(*FOUR, clock="1h", with_banks=True)).id
    wait(room, HOUR * 3 / 2)
    hand = await room.tables.hand(table_id, BEA)
    for _ in range(3):
        await room.move(hand)
    assert (await banks(room, table_id))[hand.seat] == FULL - HOUR / 2 + TOP_UP


async def test_a_replay_of_the_events_gives_the_same_banks():
    room = Room()
    hand = await first_lead(room)
    table_id = hand.table.id
    for minutes in (0, 61, 170, 5, 90, 240, 3, 75):
        hands = await room.waited_for(table_id)
        wait(room, timedelta(minutes=minutes))
        if not await room.fire_due():
            await room.move(hands[0])
    again = history.replay(await room.store.load(table_id))
    assert again.fault is None
    assert again.table.banks == await banks(room, table_id)
    assert len(set(again.table.banks)) > 1


async def test_an_outage_and_a_vacation_cost_nothing():
    room = ShownRoom()
    hand = await first_lead(room)
    begun = room.clock.now()
    journey = Vacation(begun, begun + 2 * DAY)
    await room.persons.change(hand.user_id, lambda each: replace(each, vacations=(journey,)))
    wait(room, 2 * DAY)
    await room.timekeeper.credit_outage()
    wait(room, 6 * HOUR)
    room.tables = room.another_manager()
    room.timekeeper._tables = room.tables
    await room.timekeeper.credit_outage()
    await room.timekeeper.fire_due()
    wait(room, HOUR)
    await room.move(await room.tables.hand(hand.table.id, hand.user_id))
    assert await drawn(room, hand.table.id) == []


async def test_a_night_in_which_the_time_would_end_costs_nothing():
    """NOON is at 12:00 UTC: the hour would end at 12:30, in quiet hours."""
    room = ShownRoom()
    quiet = QuietHours("UTC", time(12, 15), time(20))
    wait(room, -HOUR / 2)
    for person in FOUR:
        await room.persons.change(person, lambda each: replace(each, zone="UTC", quiet=quiet))
    hand = await first_lead(room)
    wait(room, 9 * HOUR + HOUR / 2)  # 21:00
    await room.move(hand)
    assert await drawn(room, hand.table.id) == []


async def test_without_a_clock_there_is_no_bank():
    room = Room()
    view = await room.started(*FOUR, clock="off", with_banks=True)
    assert view.banks == (timedelta(),) * 4
    wait(room, 30 * DAY)
    await room.everybody_passes(view.id)
    assert await drawn(room, view.id) == []


async def test_a_deadline_of_before_there_were_banks_draws_on_none():
    """Its timer has no beginning, so nobody knows how long the move took."""
    room = Room()
    hand = await first_lead(room)
    shelf = room.memory.shelves[hand.table.id]
    shelf.timers = {
        key: replace(timer, begun_at=None)
        for key, timer in shelf.timers.items()
        if timer.kind is TimerKind.DEADLINE
    }
    room.tables = room.another_manager()
    wait(room, HOUR * 2)
    await room.move(hand)
    assert await drawn(room, hand.table.id) == []
    assert (await banks(room, hand.table.id))[Seat(0)] == FULL
