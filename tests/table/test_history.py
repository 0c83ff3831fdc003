"""Stored histories are replayed, and the results in them compared with what the rules say."""

from dataclasses import replace

import pytest

from bot.rules import events as game_events
from bot.rules.commands import PlayedBy
from bot.table import commands, history
from bot.table.errors import TableBrokenError
from bot.table.events import TableClosed, TableOpened
from bot.table.ids import Human
from bot.table.state import Status
from bot.table.storing import Cause, StoredEvent
from tests.support.clock import NOON
from tests.support.histories import Story, in_play, on_turn
from tests.support.tables import ANN, BEA, FOUR, Room


@pytest.fixture
async def played():
    """The stored events of a game of two people whose first deal has its score."""
    room = Room()
    view = await room.started(ANN, BEA)
    await room.play_until(view.id, deals=1)
    return room, view.id, room.memory.shelves[view.id].events


def place_of(stored, kind):
    return next(place for place, entry in enumerate(stored) if isinstance(entry.event, kind))


async def test_a_history_leads_to_the_table_that_made_it(played):
    room, table_id, stored = played
    past = history.replay(stored)
    assert past == history.Past(room.memory.state(table_id), None)


async def test_a_stored_score_that_the_rules_do_not_give_is_a_fault(played):
    _, _, stored = played
    place = place_of(stored, game_events.DealScored)
    score = stored[place].event.score
    wrong = replace(score, points=score.points[::-1], totals=score.totals[::-1])
    stored[place] = replace(stored[place], event=game_events.DealScored(wrong))
    past = history.replay(stored)
    assert past.fault is not None
    assert past.fault.startswith(f"event {stored[place].seq}: ")
    assert past.table.game.totals == wrong.totals, "history is never rewritten"


async def test_a_move_that_cannot_be_carried_out_stops_the_game_there(played):
    _, _, stored = played
    place = place_of(stored, game_events.DealBegan)
    del stored[place]
    past = history.replay(stored)
    assert past.fault is not None
    assert past.table.game.deal is None


async def test_what_happened_around_a_stopped_game_still_counts(played):
    _, _, stored = played
    del stored[place_of(stored, game_events.DealBegan)]
    stored.append(StoredEvent(len(stored) + 2, TableClosed("host"), Cause(NOON, ANN)))
    past = history.replay(stored)
    assert (past.table.status, past.table.closed_because) == (Status.CLOSED, "host")


def test_a_history_begins_with_its_opening():
    story = Story(ANN)
    with pytest.raises(ValueError, match="SeatTaken"):
        history.replay(story.stored[1:])


def test_a_table_is_opened_once():
    story = Story(ANN)
    opened = story.stored[0].event
    assert isinstance(opened, TableOpened)
    with pytest.raises(ValueError, match="twice"):
        history.evolve(story.table, opened, ANN)


def test_who_caused_a_move_is_its_last_actor_and_the_clock_is_nobody():
    story = in_play()
    person, card = on_turn(story)
    seat = story.table.chairs.index(Human(person))
    by_hand = game_events.CardPlayed(seat, card, PlayedBy.HAND)
    assert history.evolve(story.table, by_hand, person).last_actor == person
    late = replace(by_hand, by=PlayedBy.CLOCK)
    after = history.evolve(story.table, late, None)
    assert (after.last_actor, after.late_cards) == (None, {(1, seat)})


def test_a_robot_between_two_moves_of_a_person_leaves_that_person_the_last_actor():
    """Whoever moved seconds ago and plays against robots is not called at each trick (B59)."""
    story = in_play()
    person, card = on_turn(story)
    seat = story.table.chairs.index(Human(person))
    table = replace(story.table, last_actor=BEA)
    by_robot = game_events.CardPlayed(seat, card, PlayedBy.ROBOT)
    assert history.evolve(table, by_robot, None).last_actor == BEA


def test_whoever_presses_start_made_the_newest_move():
    story = Story(*FOUR)
    story.ask(commands.Start(BEA, 0.0))
    assert story.table.last_actor == BEA


async def test_a_broken_table_takes_no_moves_says_so_and_can_be_ended(played, caplog):
    room, table_id, stored = played
    del stored[place_of(stored, game_events.DealBegan)]
    stored[:] = [replace(entry, seq=seq) for seq, entry in enumerate(stored, 1)]
    again = room.another_manager()
    with pytest.raises(TableBrokenError):
        await again.leave(room.by(BEA), table_id)
    assert f"Table {table_id} is stopped: event " in caplog.text
    view = await again.end(room.by(ANN), table_id, moderator=False)
    assert view.status is Status.CLOSED
    assert (await room.another_manager().view(table_id)).status is Status.CLOSED


async def test_a_broken_table_disturbs_no_other(played):
    room, table_id, stored = played
    sound = await room.started(ANN, BEA, channel_id=12)
    del stored[place_of(stored, game_events.DealBegan)]
    again = room.another_manager()
    with pytest.raises(TableBrokenError):
        await again.leave(room.by(BEA), table_id)
    await again.leave(room.by(BEA), sound.id)
    assert [line.id for line in await again.tables_of(ANN)] == [sound.id, table_id]


async def test_the_timers_of_a_broken_table_rest(played):
    room, table_id, stored = played
    (timer, *_) = await room.store.timers_of(table_id)
    del stored[place_of(stored, game_events.DealBegan)]
    stored[:] = [replace(entry, seq=seq) for seq, entry in enumerate(stored, 1)]
    room.tables = room.another_manager()
    room.clock.move(48 * 3600)
    await room.tables.fire(timer)
    assert (await room.tables.view(table_id)).status is Status.PAUSED
    assert await room.work.due_timers(room.clock.now(), 10) == []
