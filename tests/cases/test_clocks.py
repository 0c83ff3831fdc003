"""“Leaving, silence, clocks” word by word: rows B48 to B63 of the known cases, at a table."""

from dataclasses import replace

import pytest

from bot.rules.cards import Card
from bot.table import commands
from bot.table.ballots import ChangeClock
from bot.table.clocks import MOVE_CLOCKS
from bot.table.ids import Human, Robot, TableId, UserId
from bot.table.posting import Ping
from bot.table.state import Status
from bot.table.storing import Reminders, TimerKind
from bot.table.views import HandView, TableView
from tests.support.deals import house_rules
from tests.support.rooms import STORES, room_on
from tests.support.showing import ShownRoom
from tests.support.tables import (
    ANN,
    BEA,
    CYD,
    DAN,
    EVE,
    FOUR,
    Room,
    chair_of,
    seat_of,
    without_bank,
)

MINUTE, HOUR = 60, 3_600
ONE_DEAL = house_rules(end="single")


@pytest.fixture(params=STORES)
async def room(request, tmp_path):
    async with room_on(request.param, tmp_path) as built:
        yield built


async def before_the_turn_of(room: Room, table_id: TableId, person: UserId) -> HandView:
    """All others move until the game waits for *person* alone, in a trick."""
    while True:
        hands = await room.waited_for(table_id)
        others = [hand for hand in hands if hand.user_id != person]
        if others:
            await room.move(others[0])
        elif hands and seat_of(hands[0]).choice is not None:
            return hands[0]
        elif hands:
            await room.move(hands[0])
        else:
            await room.robots_move(table_id)


async def to_the_end(room: Room, view: TableView) -> TableView:
    return await room.play_until(view.id, deals=99)


@pytest.mark.parametrize("tricks", [0, 5])
async def test_b50_who_leaves_in_a_turn_of_a_trick_holds_nobody_up(room, tricks):
    view = await room.started(*FOUR)
    hand = await before_the_turn_of(room, view.id, DAN)
    while len(seat_of(hand).public.tricks) < tricks:
        await room.move(hand)
        hand = await before_the_turn_of(room, view.id, DAN)
    played = len(seat_of(hand).hand)
    await room.tables.leave(room.by(DAN), view.id)
    await room.robots_move(view.id)
    # One card, or one more where the robot took the trick and leads.
    assert len(seat_of(await room.tables.hand(view.id, DAN)).hand) < played
    assert await room.waited_for(view.id)


async def test_b50_who_leaves_when_a_deal_is_scored_passes_by_a_robot_in_the_next(room):
    view = await room.started(*FOUR)
    await room.play_until(view.id, deals=1)
    await room.tables.leave(room.by(DAN), view.id)
    for person in (ANN, BEA, CYD):
        await room.move(await room.tables.hand(view.id, person))
    await room.robots_move(view.id)
    assert all((await room.tables.view(view.id)).game.passed)


def test_b55_the_clocks_are_those_that_suit_friends_on_other_continents():
    hours = {"1h": 1, "8h": 8, "24h": 24, "72h": 72, "7d": 7 * 24}
    slow = {clock.id: clock.seconds for clock in MOVE_CLOCKS if clock.id != "live"}
    assert slow == {name: length * HOUR for name, length in hours.items()} | {"off": None}


async def fired(room: Room) -> list[TimerKind]:
    """Fire what is due, reminders too; of which kinds it was."""
    due = await room.work.due_timers(room.clock.now(), 100)
    for timer in due:
        await room.tables.fire(timer)
    return [timer.kind for timer in due]


async def agree_on(room: Room, view: TableView, clock_id: str) -> None:
    change = ChangeClock(view.clock, without_bank(clock_id))
    view = await room.tables.ask(room.by(ANN), view.id, commands.CallVote(ANN, change))
    number = view.votes[0].number
    for person in (BEA, CYD):
        cast = commands.CastVote(person, number, is_for=True)
        await room.tables.ask(room.by(person), view.id, cast)


async def test_b57_another_clock_brings_no_reminder_back_that_this_turn_has_had(room):
    view = await room.started(*FOUR, clock="1h")
    room.clock.move(31 * MINUTE)
    assert await fired(room) == [TimerKind.HALF] * 4
    await agree_on(room, view, "8h")
    kinds = []
    for _ in range(8 * 60 - 1):
        room.clock.move(MINUTE)
        kinds += await fired(room)
    assert kinds == [TimerKind.NINE_TENTHS] * 4


async def test_b57_another_clock_has_the_reminders_that_this_turn_has_not_had(room):
    """The control of the row above."""
    view = await room.started(*FOUR, clock="1h")
    room.clock.move(10 * MINUTE)
    await agree_on(room, view, "8h")
    kinds = {timer.kind for timer in await room.store.timers_of(view.id)}
    assert kinds == {TimerKind.HALF, TimerKind.NINE_TENTHS, TimerKind.DEADLINE}


def calls(room: ShownRoom, person: UserId) -> int:
    """How often somebody was called until now."""
    sent = [content for name, content in room.poster.calls if name == "send"]
    return sum(isinstance(each, Ping) and each.user_id == person for each in sent)


async def click_around(room: ShownRoom, table_id: TableId, person: UserId) -> None:
    """Somebody is plainly there, but makes no move."""
    await room.tables.hand(table_id, person)
    await room.tables.surface(room.by(person), table_id)


async def test_b58_every_turn_that_comes_to_somebody_else_is_called_whatever_they_clicked():
    room = ShownRoom()
    await room.persons.change(DAN, lambda before: replace(before, reminders=Reminders.OFF))
    view = await room.started(*FOUR)
    await room.everybody_passes(view.id)
    called = dict.fromkeys(FOUR, 0)
    for _ in range(24):
        (hand,) = await room.waited_for(view.id)
        for person in FOUR:
            await click_around(room, view.id, person)
        await room.move(hand)
        (after,) = await room.waited_for(view.id)
        await click_around(room, view.id, after.user_id)
        room.clock.move(4)
        await room.publisher.flush()
        called[after.user_id] += after.user_id not in {hand.user_id, DAN}
        assert {person: calls(room, person) for person in FOUR} == called
    assert all(called[person] for person in (ANN, BEA, CYD))


async def misses(room: Room, view: TableView, person: UserId, times: int) -> None:
    """Somebody lets the clock run out at so many turns of theirs; the others play on."""
    for _ in range(times):
        await before_the_turn_of(room, view.id, person)
        room.clock.move(HOUR)
        await room.fire_due()


async def test_b62_a_robot_that_finishes_makes_the_game_unrated_for_that_seat_alone():
    room = Room()
    view = await room.started(*FOUR, clock="1h", ruleset=ONE_DEAL)
    await misses(room, view, BEA, 2)
    seat = view.chairs.index(Human(BEA))
    kept = await room.tables.view(view.id)
    assert kept.chairs[seat] == Robot("steady", keeps_for=BEA)
    assert (await to_the_end(room, view)).status is Status.OVER
    results = room.memory.shelves[view.id].results
    assert [result.rated for result in results] == [each != seat for each in range(4)]
    assert results[seat].user_id is None


async def test_b62_a_seat_that_was_taken_back_is_rated_like_the_others():
    room = Room()
    view = await room.started(*FOUR, clock="1h", ruleset=ONE_DEAL)
    await misses(room, view, BEA, 2)
    await room.tables.take_seat_back(room.by(BEA), view.id)
    assert chair_of(await room.tables.view(view.id), BEA) == view.chairs.index(Human(BEA))
    await to_the_end(room, view)
    results = room.memory.shelves[view.id].results
    assert {(result.user_id, result.rated) for result in results} == {(who, True) for who in FOUR}


async def test_b63_a_substitute_has_the_result_and_whoever_sat_there_before_has_none():
    room = Room()
    view = await room.started(*FOUR, ruleset=ONE_DEAL)
    await before_the_turn_of(room, view.id, BEA)
    await room.tables.leave(room.by(BEA), view.id)
    seat = view.chairs.index(Human(BEA))
    hand = await room.tables.substitute(room.by(EVE), view.id, seat)
    others = unplayed(room, view, seat)
    assert not others & cards_in(hand)
    await to_the_end(room, view)
    results = room.memory.shelves[view.id].results
    assert {result.user_id for result in results} == {ANN, EVE, CYD, DAN}
    assert results[seat].user_id == EVE


def unplayed(room: Room, view: TableView, seat: int) -> set[Card]:
    """What the other seats hold."""
    game = room.memory.state(view.id).game
    assert game is not None
    assert game.deal is not None
    hands = [hand for place, hand in enumerate(game.deal.hands) if place != seat]
    assert all(hands)
    return {card for hand in hands for card in hand}


def cards_in(hand: HandView) -> set[Card]:
    """The cards that somebody is shown to hold."""
    return set(seat_of(hand).hand)
