"""What timers do: robots move, late people are moved for, idle tables close."""

import pytest

from bot.rules.commands import PlayedBy
from bot.rules.dimensions import MoonPayoff
from bot.rules.events import CardPlayed
from bot.rules.state import Phase
from bot.table.errors import StaleClickError
from bot.table.ids import Human, Robot
from bot.table.state import Status
from bot.table.storing import TimerKind
from tests.support.deals import house_rules
from tests.support.tables import ANN, BEA, FOUR, Room, but_reminders

HOUR = 3600


async def test_robots_move_by_themselves_a_second_after_their_turn_came():
    room = Room()
    view = await room.started(ANN)
    assert await room.fire_due() == []
    room.clock.move(1)
    fired = await room.fire_due()
    assert {timer.kind for timer in fired} == {TimerKind.ROBOT}
    after = await room.tables.view(view.id)
    assert after.game.passed == (False, True, True, True)


async def test_robots_see_their_own_seat_alone():
    room = Room()
    await room.started(ANN)
    room.clock.move(1)
    await room.fire_due()
    assert [(level, view.seat) for level, view in room.robots.asked] == [
        ("steady", 1),
        ("steady", 2),
        ("steady", 3),
    ]


async def test_a_robot_plays_the_one_card_of_a_late_person_who_keeps_the_seat():
    room = Room()
    view = await room.started(clock="1h")
    await room.everybody_passes(view.id)
    (hand,) = await room.waited_for(view.id)
    room.clock.move(HOUR)
    await room.fire_due()
    after = await room.tables.view(view.id)
    assert after.chairs[hand.seat] == Human(hand.user_id)
    assert len(after.game.trick.plays) == 1
    events = [entry.event for entry in room.memory.shelves[view.id].events]
    assert [e.by for e in events if isinstance(e, CardPlayed)] == [PlayedBy.CLOCK]


async def test_a_robot_sits_in_for_who_misses_two_moves_in_a_row():
    room = Room()
    view = await room.started(clock="1h")
    await room.move(await room.tables.hand(view.id, ANN))
    for _ in range(5):
        room.clock.move(HOUR)
        await room.fire_due()
    after = await room.tables.view(view.id)
    late = after.chairs[1:]
    assert late == tuple(Robot("steady", keeps_for=person) for person in FOUR[1:])
    back = await room.tables.take_seat_back(room.by(BEA), view.id)
    assert not back.robot_sits_in


async def test_a_move_by_hand_in_between_keeps_the_seat():
    room = Room()
    view = await room.started(clock="1h")
    room.clock.move(HOUR)
    await room.fire_due()
    for _ in range(4):
        (hand,) = await room.waited_for(view.id)
        await room.move(hand)
    for _ in range(4):
        room.clock.move(HOUR)
        await room.fire_due()
    after = await room.tables.view(view.id)
    assert after.chairs == tuple(map(Human, FOUR))
    assert len(after.game.trick.plays) % 4 == 0


async def test_who_took_the_seat_back_may_miss_a_move_again():
    room = Room()
    view = await room.started(ANN, clock="1h")
    for _ in range(2):
        room.clock.move(HOUR)
        await room.fire_due()
        await room.robots_move(view.id)
    await room.tables.take_seat_back(room.by(ANN), view.id)
    await room.robots_move(view.id)
    room.clock.move(HOUR)
    await room.fire_due()
    assert (await room.tables.view(view.id)).chairs[0] == Human(ANN)


async def test_a_move_in_time_leaves_nothing_to_fire():
    room = Room()
    view = await room.started(clock="1h")
    await room.everybody_passes(view.id)
    (hand,) = await room.waited_for(view.id)
    room.clock.move(HOUR - 1)
    await room.move(hand)
    room.clock.move(1)
    assert await room.fire_due() == []
    assert (await room.tables.view(view.id)).chairs[hand.seat] == Human(hand.user_id)


async def test_a_timer_read_before_the_move_came_does_nothing():
    room = Room()
    view = await room.started(clock="1h")
    await room.everybody_passes(view.id)
    (hand,) = await room.waited_for(view.id)
    room.clock.move(HOUR)
    (timer,) = but_reminders(await room.work.due_timers(room.clock.now(), 10))
    await room.move(hand)
    version = (await room.tables.view(view.id)).version
    await room.tables.fire(timer)
    assert (await room.tables.view(view.id)).version == version


async def test_a_move_that_comes_while_the_robot_thinks_wins():
    room = Room()
    view = await room.started(clock="1h")
    await room.everybody_passes(view.id)
    (hand,) = await room.waited_for(view.id)
    room.clock.move(HOUR)
    (timer,) = but_reminders(await room.work.due_timers(room.clock.now(), 10))
    think = room.robots.stand_in

    async def think_long(temper, seen):
        move = await think(temper, seen)
        await room.move(hand)
        return move

    room.robots.stand_in = think_long
    await room.tables.fire(timer)
    after = await room.tables.view(view.id)
    assert after.chairs[hand.seat] == Human(hand.user_id)
    assert len(after.game.trick.plays) == 1


async def misses_two_moves(room, table_id):
    """The one person at a table of robots lets the time of two moves run out."""
    for _ in range(2):
        await room.robots_move(table_id)
        room.clock.move(HOUR)
        await room.fire_due()


async def test_people_who_are_late_to_pass_are_each_passed_for():
    room = Room()
    view = await room.started(clock="1h")
    await room.move(await room.tables.hand(view.id, ANN))
    room.clock.move(HOUR)
    assert len(await room.fire_due()) == 3
    after = await room.tables.view(view.id)
    assert all(after.game.passed)
    assert after.chairs == tuple(map(Human, FOUR))


async def test_robots_wait_for_somebody_to_come_back_and_then_close():
    room = Room()
    view = await room.started(ANN, clock="1h")
    await misses_two_moves(room, view.id)
    waiting = await room.tables.view(view.id)
    assert waiting.status is Status.PLAYING
    room.clock.move(HOUR)
    assert await room.fire_due() == []
    room.clock.move(71 * HOUR)
    await room.fire_due()
    assert room.memory.state(view.id).closed_because == "empty"


async def test_who_comes_back_to_waiting_robots_plays_on():
    room = Room()
    view = await room.started(ANN, clock="1h")
    await misses_two_moves(room, view.id)
    await room.tables.take_seat_back(room.by(ANN), view.id)
    after = await room.play_until(view.id, deals=1)
    assert len(after.game.scores) == 1


async def test_all_people_vanish_and_the_channel_is_free_again():
    room = Room()
    view = await room.started(*FOUR, clock="live")
    for _ in range(100):
        room.clock.move(HOUR)
        await room.fire_due()
    assert room.memory.state(view.id).status is Status.CLOSED
    await room.open(BEA)


async def test_an_idle_lobby_closes_after_two_hours():
    room = Room()
    view = await room.open()
    room.clock.move(2 * HOUR - 1)
    assert await room.fire_due() == []
    room.clock.move(1)
    await room.fire_due()
    assert room.memory.state(view.id).closed_because == "idle"


QUEEN_IS_A_MOON = house_rules(points={"QS": 13, "H*": 0}, moon={"payoff": "shooter_choice"})


async def shot(room, *people):
    """A game of such rules in which somebody has just shot the moon."""
    view = await room.started(*people, ruleset=QUEEN_IS_A_MOON, clock="1h")
    while (await room.tables.view(view.id)).game.phase is not Phase.MOON_CHOICE:
        hands = await room.waited_for(view.id)
        for hand in hands:
            await room.move(hand)
        if not hands:
            room.clock.move(1)
            await room.fire_due()
    return await room.tables.view(view.id)


async def test_the_shooter_chooses_how_the_moon_is_paid():
    room = Room()
    view = await shot(room, *FOUR)
    (hand,) = await room.waited_for(view.id)
    after = await room.tables.settle_moon(
        room.by(hand.user_id), view.id, MoonPayoff.SUBTRACT_SELF, seen_deal=1
    )
    assert after.table.game.totals[hand.seat] == -26
    assert after.table.game.deal == 2


async def test_a_choice_for_an_earlier_moon_is_stale():
    room = Room()
    view = await shot(room, *FOUR)
    (hand,) = await room.waited_for(view.id)
    with pytest.raises(StaleClickError):
        await room.tables.settle_moon(
            room.by(hand.user_id), view.id, MoonPayoff.SUBTRACT_SELF, seen_deal=2
        )


async def test_a_shooter_who_is_late_is_chosen_for_and_keeps_the_seat():
    room = Room()
    view = await shot(room, *FOUR)
    (hand,) = await room.waited_for(view.id)
    room.clock.move(HOUR)
    (timer,) = await room.fire_due()
    assert timer.kind is TimerKind.MOON
    after = await room.tables.view(view.id)
    assert after.game.scores[0].moon.seats == (hand.seat,)
    assert after.chairs[hand.seat] == Human(hand.user_id)
