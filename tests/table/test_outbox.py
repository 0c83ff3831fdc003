"""Calls, notices and deletions reach the channel, or are known to be needless (house.md 4.5)."""

import logging
from dataclasses import replace

from bot.rules.sentence import Sentence
from bot.table.dealing import Dealing
from bot.table.errors import PlaceForbiddenError, PlaceGoneError, PosterBusyError
from bot.table.following import followings
from bot.table.state import Status
from bot.table.timers import Delays
from tests.support.clock import NOON
from tests.support.showing import ShownRoom
from tests.support.tables import ANN, CHANNEL


async def test_a_person_is_called_three_seconds_after_the_turn_came():
    room = ShownRoom()
    await room.to_first_lead()
    room.clock.move(2)
    await room.publisher.flush()
    assert room.slots().count(None) == 0
    room.clock.move(1)
    await room.publisher.flush()
    assert room.slots()[-1] is None


async def test_a_call_whose_answer_was_lost_goes_with_its_turn_like_any_other():
    room = ShownRoom()
    table_id = await room.to_first_lead()
    room.clock.move(3)
    room.poster.lost_answers = [PosterBusyError(5, sent_unknown=True)]
    await room.publisher.flush()
    assert room.slots().count(None) == 1
    await room.one_move(table_id)
    await room.publisher.flush()
    assert room.slots().count(None) == 0


async def test_a_call_to_somebody_comes_after_the_post_it_is_about():
    room = ShownRoom()
    table_id = (await room.started()).id
    await room.everybody_passes(table_id)
    await room.one_move(table_id)
    room.clock.move(10)
    await room.publisher.flush()
    assert room.slots() == ["lobby", "deal:1", "trick:1", None]


async def test_a_call_in_a_channel_that_is_gone_is_dropped_and_pauses_its_table():
    room = ShownRoom()
    table_id = await room.to_first_lead()
    room.clock.move(3)
    room.poster.failures = [PlaceGoneError()]
    await room.publisher.flush()
    assert room.memory.state(table_id).status is Status.PAUSED
    assert room.memory.pings() == []


async def test_a_call_where_the_bot_may_not_post_pauses_its_table_too():
    room = ShownRoom()
    table_id = await room.to_first_lead()
    room.clock.move(3)
    room.poster.failures = [PlaceForbiddenError()]
    await room.publisher.flush()
    assert room.memory.state(table_id).status is Status.PAUSED
    assert room.slots().count(None) == 0


async def test_a_deletion_in_a_place_that_is_lost_is_no_more_wanted_and_pauses_nothing():
    room = ShownRoom()
    table_id = await room.to_first_lead()
    await room.memory.ask_deletion(table_id, CHANNEL, room.message_of("lobby"))
    room.poster.failures = [PlaceForbiddenError()]
    await room.publisher.flush()
    assert room.memory.state(table_id).status is Status.PLAYING
    assert await room.memory.due_outbox(room.clock.now(), 9) == []


async def test_a_table_that_cannot_even_be_paused_is_left_alone_for_a_while():
    room = ShownRoom()
    await room.open()
    room.memory.fail_before = [OSError("planted")]
    room.poster.failures = [PlaceGoneError() for _ in range(9)]
    await room.publisher.flush()
    assert len(room.poster.failures) == 8


async def test_an_outbox_row_that_fails_is_put_off_and_tried_again(caplog):
    room = ShownRoom()
    await room.to_first_lead()
    room.clock.move(3)
    room.poster.failures = [RuntimeError("planted")]
    with caplog.at_level(logging.CRITICAL):
        await room.publisher.flush()
    assert room.slots().count(None) == 0
    room.clock.move(5)
    await room.publisher.flush()
    assert room.slots().count(None) == 1


async def test_notices_are_said_once():
    room = ShownRoom()
    table_id = (await room.open()).id
    shelf = room.memory.shelves[table_id]
    nothing_else = followings(
        shelf.table,
        (),
        by=None,
        now=NOON,
        current=(),
        delays=Delays(1, 2),
        dealing=Dealing(),
        aways={},
    )
    hello = replace(nothing_else, notices=(Sentence("Hello."),))
    room.memory._write_outbox(shelf, room.by(ANN), hello)
    await room.publisher.flush()
    await room.publisher.flush()
    said = [m.content for m in room.poster.messages.values() if isinstance(m.content, Sentence)]
    assert said == [Sentence("Hello.")]
