"""The publisher shows what is stored, whatever went wrong (house.md 4.5, reliability.md 4)."""

import asyncio

import pytest

from bot.rules.sentence import Sentence
from bot.table import commands
from bot.table.budget import IN_ALL
from bot.table.delivery import nonce_of
from bot.table.errors import (
    PlaceArchivedError,
    PlaceForbiddenError,
    PlaceGoneError,
    PosterBusyError,
)
from bot.table.ids import ChannelId, UserId
from bot.table.posting import DealPost, LobbyPost, ResultPost
from bot.table.state import Status
from bot.table.storing import PendingPost
from tests.support.clock import NOON, breathe
from tests.support.showing import ShownRoom
from tests.support.tables import ANN, BEA, CHANNEL, CYD, DAN

HOUR = 3_600


async def test_posts_stand_in_the_channel_in_the_order_of_the_game():
    room = ShownRoom()
    await room.to_first_lead()
    assert room.slots() == ["lobby", "deal:1", "trick:1"]
    assert {message.channel_id for message in room.poster.messages.values()} == {CHANNEL}


async def test_only_the_newest_post_keeps_its_buttons():
    room = ShownRoom()
    await room.to_first_lead()
    live = [message.content.live for message in room.poster.messages.values()]
    assert live == [False, False, True]


async def test_a_post_that_looks_the_same_costs_no_call():
    room = ShownRoom()
    table_id = await room.to_first_lead()
    await room.tables.pause(table_id, "forbidden")
    await room.tables.resume(table_id)
    room.poster.calls.clear()
    await room.publisher.flush()
    assert room.calls("edit") == 0
    assert room.slots() == ["lobby", "deal:1", "trick:1", None], "but that it goes on is said"
    assert await room.memory.posts_behind(10) == []


async def test_a_deal_that_went_by_between_two_passes_is_sent_finished_and_once():
    room = ShownRoom()
    table_id = (await room.started()).id
    await room.play_until(table_id, deals=1)
    await room.publisher.flush()
    tricks = [f"trick:{number}" for number in range(1, 14)]
    assert room.slots() == ["lobby", "deal:1", *tricks, "sheet:1", "deal:2"]
    assert {message.edits for message in room.poster.messages.values()} == {0}


async def test_a_post_that_somebody_deleted_is_sent_again():
    room = ShownRoom()
    table_id = await room.to_first_lead()
    del room.poster.messages[room.message_of("trick:1")]
    await room.one_move(table_id)
    await room.publisher.flush()
    assert room.slots() == ["lobby", "deal:1", "trick:1"]


async def test_surfacing_brings_the_newest_post_alone_back_to_the_end():
    room = ShownRoom()
    table_id = await room.to_first_lead()
    lobby, old = room.message_of("lobby"), room.message_of("trick:1")
    await room.tables.surface(room.by(ANN), table_id)
    await room.publisher.flush()
    assert lobby in room.poster.messages
    assert old not in room.poster.messages
    assert room.slots() == ["lobby", "deal:1", "trick:1"]
    room.poster.calls.clear()
    await room.one_move(table_id)
    await room.publisher.flush()
    assert room.calls("send") == 0  # it has surfaced, and stays where it is


async def test_the_control_without_a_nonce_memory_the_lost_answer_doubles_the_post():
    room = ShownRoom()
    table_id = await room.to_first_lead()
    await room.lose_answer_of_next_trick(table_id)
    for message in room.poster.messages.values():
        message.nonce = "forgotten"
    room.clock.move(60)
    await room.publisher.flush()
    assert room.slots().count("trick:2") == 2


async def test_after_two_minutes_a_send_is_looked_for_before_it_is_repeated():
    room = ShownRoom()
    table_id = await room.to_first_lead()
    await room.lose_answer_of_next_trick(table_id)
    for message in room.poster.messages.values():
        message.nonce = "forgotten"
    await room.one_move(table_id)
    room.clock.move(121)
    room.poster.calls.clear()
    await room.another_publisher().flush()
    assert room.calls("find") == 1
    assert room.slots().count("trick:2") == 1
    trick = room.poster.messages[room.message_of("trick:2")].content
    assert len(trick.trick.plays) == 2


async def test_a_send_that_never_arrived_is_repeated_after_the_search():
    room = ShownRoom()
    table_id = (await room.open()).id
    (lobby,) = await room.memory.posts_behind(1)
    await room.memory.attempt(lobby, room.clock.now())
    room.clock.move(121)
    await room.publisher.flush()
    assert (room.slots(), room.calls("find")) == (["lobby"], 1)
    assert await room.memory.posts_behind(1) == []
    assert table_id in room.memory.shelves


async def test_an_attempt_is_stored_before_the_send():
    room = ShownRoom()
    await room.open()
    seen = []
    send = room.poster.send_post

    async def look_first(channel_id, post, nonce):
        (pending,) = await room.memory.posts_behind(1)
        seen.append(pending.attempted_at)
        return await send(channel_id, post, nonce)

    room.poster.send_post = look_first
    await room.publisher.flush()
    assert seen == [room.clock.now()]


def pending_post(table_id="ABCDEFGH", slot="trick:9999", sends=99_999) -> PendingPost:
    return PendingPost(
        table_id=table_id,
        slot=slot,
        channel_id=CHANNEL,
        message_id=None,
        sent_at=None,
        digest=None,
        sends=sends,
        attempted_at=None,
        shown=0,
        version=1,
        since=NOON,
    )


def test_nonces_are_short_enough_and_differ_by_table_slot_and_sending():
    assert len(nonce_of(pending_post())) <= 25
    slots = ("lobby", "deal:1", "trick:1", "sheet:1", "result")
    nonces = {nonce_of(pending_post(slot=slot, sends=sends)) for slot in slots for sends in (0, 1)}
    assert len(nonces) == 10


@pytest.mark.parametrize(
    ("lost", "reason"),
    [
        (PlaceGoneError, "channel_gone"),
        (PlaceForbiddenError, "forbidden"),
        (PlaceArchivedError, "archived"),
    ],
)
async def test_a_table_without_a_place_to_post_pauses_at_the_first_refusal(lost, reason):
    room = ShownRoom()
    table_id = await room.to_first_lead()
    await room.one_move(table_id)
    room.poster.failures = [lost()]
    await room.publisher.flush()
    await room.publisher.flush()
    assert room.memory.state(table_id).status is Status.PAUSED
    paused = [entry.event for entry in room.memory.shelves[table_id].events][-1]
    assert paused.reason == reason
    assert room.poster.failures == []


@pytest.mark.parametrize("sends", ["send_post", "send_notice"])
@pytest.mark.parametrize("lost", [PlaceGoneError, PlaceForbiddenError])
async def test_a_table_that_moved_meanwhile_does_not_mind_that_its_old_place_is_lost(sends, lost):
    room = ShownRoom()
    table_id = (await room.started()).id
    await room.tables.pause(table_id, "forbidden")
    await room.tables.resume(table_id)
    moved_to = ChannelId(12)
    send = getattr(room.poster, sends)

    async def move_first(channel_id, content, nonce):
        if channel_id == moved_to:
            return await send(channel_id, content, nonce)
        move = commands.MoveTable(ANN, moved_to, moderator=False)
        await room.tables.ask(room.by(ANN), table_id, move)
        raise lost

    setattr(room.poster, sends, move_first)
    await room.publisher.flush()
    await room.publisher.flush()
    assert room.memory.state(table_id).status is Status.PLAYING
    there = [m.content for m in room.poster.messages.values() if m.channel_id == moved_to]
    assert any(isinstance(content, DealPost) for content in there)
    said = [content.text for content in there if isinstance(content, Sentence)]
    assert said.count("This table goes on. All deadlines begin anew.") == 1


async def test_a_table_that_goes_on_catches_up_at_once():
    room = ShownRoom()
    table_id = await room.to_first_lead()
    await room.one_move(table_id)
    room.poster.failures = [PlaceForbiddenError()]
    await room.publisher.flush()
    await room.tables.resume(table_id)
    await room.publisher.flush()
    assert len(room.poster.messages[room.message_of("trick:1")].content.trick.plays) == 2


async def test_an_ended_table_without_a_place_is_not_tried_again_and_again():
    room = ShownRoom()
    table_id = await room.to_first_lead()
    await room.tables.end(room.by(ANN), table_id, moderator=False)
    room.poster.failures = [PlaceGoneError() for _ in range(100)]
    for _ in range(60):
        await room.publisher.step()
        room.clock.move(60)
    assert 100 - len(room.poster.failures) <= 4


async def test_a_busy_channel_is_left_alone_as_long_as_discord_asks():
    room = ShownRoom()
    await room.open()
    room.poster.failures = [PosterBusyError(30)]
    await room.publisher.flush()
    room.clock.move(29)
    await room.publisher.flush()
    assert room.slots() == []
    room.clock.move(1)
    await room.publisher.flush()
    assert room.slots() == ["lobby"]


async def test_one_broken_table_does_not_hold_up_another():
    room = ShownRoom()
    broken = await room.open()
    await room.open(BEA, channel_id=12)
    digest = room.poster.digest

    def fail_for_one(post):
        if post.table.id == broken.id:
            raise RuntimeError("planted")
        return digest(post)

    room.poster.digest = fail_for_one
    await room.publisher.flush()
    assert [message.channel_id for message in room.poster.messages.values()] == [ChannelId(12)]
    room.poster.digest = digest
    room.clock.move(60)
    await room.publisher.flush()
    assert len(room.poster.messages) == 2


async def test_a_post_that_fails_for_good_holds_up_the_later_ones_of_its_table_only_for_a_while():
    room = ShownRoom()
    table_id = await room.to_first_lead()
    await room.one_move(table_id)
    digest = room.poster.digest

    def fail_for_deals(post):
        if isinstance(post, DealPost):
            raise OSError("planted")
        return digest(post)

    room.poster.digest = fail_for_deals
    other = await room.started(ANN, BEA, CYD, DAN, channel_id=13)
    for _ in range(5):
        await room.publisher.flush()
        room.clock.move(60)
    await room.everybody_passes(other.id)
    await room.one_move(other.id)
    await room.publisher.flush()
    assert room.slots().count("trick:1") == 2


async def test_a_store_that_fails_stops_nothing_for_good():
    room = ShownRoom()
    await room.open()
    read = room.memory.posts_behind

    async def fail(limit):
        raise OSError("planted")

    room.memory.posts_behind = fail
    running = asyncio.create_task(room.publisher.run())
    await room.clock.pass_time(1)
    room.memory.posts_behind = read
    await room.clock.pass_time(10)
    assert room.slots() == ["lobby"]
    await stop(running)


async def stop(running: asyncio.Task) -> None:
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)


async def test_the_loop_shows_a_change_as_soon_as_it_is_woken():
    room = ShownRoom()
    running = asyncio.create_task(room.publisher.run())
    await breathe()
    await room.open()
    await breathe()
    assert room.slots() == ["lobby"]
    await stop(running)


async def test_the_result_is_shown_when_a_game_was_ended():
    room = ShownRoom()
    table_id = await room.to_first_lead()
    await room.tables.end(room.by(ANN), table_id, moderator=False)
    await room.publisher.flush()
    result = list(room.poster.messages.values())[-1].content
    assert isinstance(result, ResultPost)
    assert await room.memory.posts_behind(10) == []


async def test_a_closed_lobby_loses_its_buttons():
    room = ShownRoom()
    view = await room.open()
    await room.publisher.flush()
    await room.tables.end(room.by(ANN), view.id, moderator=False)
    await room.publisher.flush()
    (message,) = room.poster.messages.values()
    assert isinstance(message.content, LobbyPost)
    assert not message.content.live


async def test_steps_keep_a_table_that_robots_rush_through_within_its_pace():
    room = ShownRoom()
    table_id = (await room.started()).id
    await room.play_until(table_id, deals=1)
    stamps = []
    for _ in range(60):
        before = len(room.poster.calls)
        await room.publisher.step()
        stamps += [room.clock.now()] * (len(room.poster.calls) - before)
        room.clock.move(1)
    assert len([slot for slot in room.slots() if slot]) == 17
    assert max(stamps.count(stamp) for stamp in stamps) <= 3
    assert (stamps[-1] - stamps[0]).total_seconds() >= len(stamps) - 5


async def test_no_more_tables_are_drawn_than_there_are_calls_for_them():
    """Else all that is behind is drawn once more for each call that becomes free."""
    room = ShownRoom()
    for number in range(12):
        await room.open(UserId(600 + number), channel_id=100 + number)
    drawn, digest = set(), room.poster.digest

    def noted(post):
        drawn.add(post.table.id)
        return digest(post)

    room.poster.digest = noted
    await room.publisher.step()
    assert len(drawn) == len(room.poster.messages) == IN_ALL.burst


async def test_a_post_that_needs_no_call_leaves_it_to_the_next():
    room = ShownRoom()
    view = await room.open()
    await room.publisher.flush()
    await room.tables.join(room.by(BEA), view.id)
    await room.tables.leave(room.by(BEA), view.id)
    for number in range(IN_ALL.burst):
        await room.open(UserId(600 + number), channel_id=100 + number)
    room.clock.move(60)
    await room.publisher.step()
    await room.publisher.step()
    assert len(room.poster.messages) == 1 + IN_ALL.burst
