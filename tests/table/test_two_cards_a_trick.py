"""A game in which each seat lays down two cards in a trick (rules.md 1.13, [S1])."""

import pytest

from bot.rules.cards import sorted_cards
from bot.rules.commands import PlayedBy
from bot.rules.events import CardPlayed
from bot.rules.variants import load
from bot.table.errors import StaleClickError
from bot.table.ids import Human, Robot
from bot.table.moments import moment, turn
from bot.table.posting import TrickPost
from bot.table.storing import TimerKind
from tests.support.tables import ANN, BEA, Room, seat_of

DRAW7 = load("draw7")
HOUR = 3600


async def two_people(room, *people, **wishes):
    return await room.started(*(people or (ANN, BEA)), seats=2, ruleset=DRAW7, **wishes)


async def first_lap(room, view):
    """Both lay down the first of their two cards; the leader's hand as it was before that."""
    (before,) = await room.waited_for(view.id)
    await room.move(before)
    (other,) = await room.waited_for(view.id)
    await room.move(other)
    return before


async def played_cards(room, table_id):
    events = [entry.event for entry in await room.store.load(table_id)]
    return [event for event in events if isinstance(event, CardPlayed)]


async def test_each_of_the_two_cards_is_a_turn_of_its_own():
    room = Room()
    view = await two_people(room)
    turns = []
    for _ in range(6):
        (hand,) = await room.waited_for(view.id)
        game = room.memory.state(view.id).game
        turns.append(moment(game))
        assert turn(seat_of(hand).public) == moment(game)
        await room.move(hand)
    assert turns == [1, 1, 2, 2, 3, 3]


async def test_b12_a_late_press_for_the_first_card_never_lays_down_the_second():
    room = Room()
    view = await two_people(room)
    before = await first_lap(room, view)
    (now,) = await room.waited_for(view.id)
    assert now.user_id == before.user_id, "it is the same person's turn again, in the same trick"
    for card in sorted_cards(seat_of(now).choice.cards):
        with pytest.raises(StaleClickError):
            await room.tables.play(room.by(ANN), view.id, card, seen_turn=1)
    assert len(await played_cards(room, view.id)) == 2


async def test_a_press_for_the_second_card_lays_it_down():
    """The control: the same press with what the person sees now."""
    room = Room()
    view = await two_people(room)
    await first_lap(room, view)
    (now,) = await room.waited_for(view.id)
    await room.move(now)
    assert len(await played_cards(room, view.id)) == 3


async def test_the_others_card_makes_nobodys_button_old():
    """A card that the leader lays down changes nothing about the other's turn."""
    room = Room()
    view = await two_people(room)
    waiting = await room.tables.hand(view.id, BEA)
    (lead,) = await room.waited_for(view.id)
    if lead.user_id == BEA:
        waiting = await room.tables.hand(view.id, ANN)
    await room.move(lead)
    now = await room.tables.hand(view.id, waiting.user_id)
    assert turn(seat_of(waiting).public) == turn(seat_of(now).public)


async def test_the_second_card_has_a_deadline_and_a_call_of_its_own():
    room = Room()
    view = await two_people(room, clock="1h")
    (lead,) = await room.waited_for(view.id)
    room.clock.move(HOUR / 2)
    await room.move(lead)
    (other,) = await room.waited_for(view.id)
    room.clock.move(HOUR / 2)
    await room.move(other)
    (timer,) = await room.timers(view.id)
    assert (timer.seat, timer.moment, timer.kind) == (lead.seat, 2, TimerKind.DEADLINE)
    assert (timer.due_at - room.clock.now()).total_seconds() == HOUR
    (ping,) = room.memory.pings()
    assert (ping.user_id, ping.moment) == (lead.user_id, 2)


async def test_the_clock_lays_down_the_second_card_of_who_is_late_with_it():
    room = Room()
    view = await two_people(room, clock="1h")
    lead = await first_lap(room, view)
    room.clock.move(HOUR)
    await room.fire_due()
    by = [event.by for event in await played_cards(room, view.id)]
    assert by == [PlayedBy.HAND, PlayedBy.HAND, PlayedBy.CLOCK]
    after = await room.tables.view(view.id)
    assert after.chairs[lead.seat] == Human(lead.user_id)
    assert room.memory.state(view.id).late_cards == {(2, lead.seat)}
    shown, _ = await room.tables.post(view.id, "trick:1")
    assert isinstance(shown, TrickPost)
    late = shown.trick.plays[2]
    assert (late.seat, shown.by_clock) == (lead.seat, {late.card})


async def test_a_robot_lays_down_both_of_its_cards():
    room = Room()
    view = await two_people(room, ANN)
    after = await room.play_until(view.id, deals=1)
    assert after.game.places
    assert len(await played_cards(room, view.id)) == 52
    assert {type(chair) for chair in after.chairs} == {Human, Robot}
