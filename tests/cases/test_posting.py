"""Known cases of “Limits and duplicates” and of turns that are called: posts and pings."""

import pytest

from bot.rules.cards import Seat
from bot.table import posts
from bot.table.errors import PostTooOldError
from bot.table.posting import Ping, TrickPost
from tests.support.deals import cards, deal_in_play, played
from tests.support.showing import ShownRoom, post_of, table_of
from tests.support.tables import ANN, BEA, CHANNEL, DAN

HOUR = 3_600


@pytest.mark.case("B56")
def test_b56_a_card_that_the_clock_played_is_marked_in_its_trick():
    game = played(deal_in_play("2C 3C", "4C QS", "5H 6H", "7C 8C"), "3C 4C 6H")
    table = table_of(game, late_cards=frozenset({(2, Seat(1)), (1, Seat(0))}))
    post = post_of(table, "trick:2")
    assert isinstance(post, TrickPost)
    assert post.by_clock == cards("4C")


@pytest.mark.case("B58")
def test_b58_whoever_has_to_play_is_called():
    game = played(deal_in_play("2C 3C", "4C QS", "5H 6H", "7C 8C"), "3C")
    assert posts.pings(table_of(game, last_actor=ANN)) == (
        Ping(table_id="TABLE234", channel_id=CHANNEL, user_id=BEA, kind="turn", moment=2),
    )


@pytest.mark.case("B59")
def test_b59_nobody_is_called_who_made_the_move_before():
    game = played(deal_in_play("2C 3C", "4C QS", "5H 6H", "7C 8C"), "3C 4C 6H 8C")
    assert posts.pings(table_of(game, last_actor=DAN)) == ()
    (ping,) = posts.pings(table_of(game, last_actor=None))
    assert ping.user_id == DAN


@pytest.mark.case("B80")
async def test_b80_several_moves_between_two_passes_make_one_edit():
    room = ShownRoom()
    table_id = await room.to_first_lead()
    for _ in range(3):
        await room.one_move(table_id)
    room.poster.calls.clear()
    await room.publisher.flush()
    assert room.calls("edit") == 1
    trick = room.poster.messages[room.message_of("trick:1")].content
    assert isinstance(trick, TrickPost)
    assert len(trick.trick.plays) == 4


@pytest.mark.case("B79")
async def test_b79_a_post_older_than_55_minutes_moves_instead_of_being_edited():
    room = ShownRoom()
    table_id = await room.to_first_lead()
    old = room.message_of("trick:1")
    room.clock.move(HOUR)
    await room.one_move(table_id)
    room.poster.calls.clear()
    await room.publisher.flush()
    assert room.calls("edit") == 0
    assert old not in room.poster.messages
    assert room.slots()[-1] == "trick:1"


@pytest.mark.case("B79")
async def test_b79_a_younger_post_that_discord_finds_too_old_moves_too():
    room = ShownRoom()
    table_id = await room.to_first_lead()
    old = room.message_of("trick:1")
    await room.one_move(table_id)
    room.poster.failures = [PostTooOldError()]
    await room.publisher.flush()
    assert old not in room.poster.messages
    assert room.slots()[-1] == "trick:1"


@pytest.mark.case("B79")
@pytest.mark.parametrize("refused", [False, True])
async def test_b79_an_old_post_that_only_loses_its_buttons_stays_where_it_is(refused: bool):
    room = ShownRoom()
    table_id = await room.to_first_lead()
    for _ in range(3):
        await room.one_move(table_id)
    await room.publisher.flush()
    old = room.message_of("trick:1")
    room.clock.move(HOUR)
    await room.one_move(table_id)
    room.poster.failures = [PostTooOldError()] if refused else []
    await room.publisher.flush()
    assert room.message_of("trick:1") == old
    assert room.slots()[-2:] == ["trick:1", "trick:2"]
    trick = room.poster.messages[old].content
    assert isinstance(trick, TrickPost)
    assert trick.live is refused
    assert await room.memory.posts_behind(10) == []


@pytest.mark.case("B83")
async def test_b83_a_send_whose_answer_was_lost_leaves_one_message_that_shows_the_newest_state():
    room = ShownRoom()
    table_id = (await room.started()).id
    await room.publisher.flush()
    await room.everybody_passes(table_id)
    await room.one_move(table_id)
    await room.publisher.flush()
    await room.lose_answer_of_next_trick(table_id)
    await room.one_move(table_id)
    room.clock.move(60)
    await room.publisher.flush()
    assert room.slots().count("trick:2") == 1
    trick = room.poster.messages[room.message_of("trick:2")].content
    assert len(trick.trick.plays) == 2


@pytest.mark.case("B59")
async def test_b59_a_call_whose_turn_has_passed_is_never_sent_and_a_sent_one_is_deleted():
    room = ShownRoom()
    table_id = await room.to_first_lead()
    room.clock.move(2)
    await room.one_move(table_id)
    room.clock.move(2)
    await room.publisher.flush()
    assert room.slots().count(None) == 0
    room.clock.move(1)
    await room.publisher.flush()
    assert room.slots().count(None) == 1
    await room.one_move(table_id)
    await room.publisher.flush()
    assert room.slots().count(None) == 0
