"""What every store promises about a table that moves to another channel (cases.md B64)."""

from typing import Any

import pytest

from bot.rules.sentence import Sentence
from bot.table.errors import ChannelBusyError
from bot.table.events import TableMoved
from bot.table.ids import ChannelId, MessageId
from bot.table.storing import At, OutgoingKind
from tests.db.contract.outbox import due, ping
from tests.db.contract.posts import behind, show, show_all
from tests.support.store import CHANNEL, START, Stores, go_on, lobby, put

THERE = ChannelId(77)
ELSEWHERE = lobby(channel_id=THERE)
MUCH = 1_000


async def move(stores: Stores, at: At, **changes: Any) -> At:
    return await go_on(stores, at, ELSEWHERE, TableMoved(THERE, CHANNEL), **changes)


class MoveContract:
    async def test_the_newest_post_is_sent_anew_there_and_the_old_one_deleted(self, stores: Stores):
        at = await put(stores, lobby())
        await show_all(stores, at)
        await move(stores, at)
        (post,) = await stores.work.posts_behind(MUCH)
        assert (post.channel_id, post.message_id, post.sends) == (THERE, None, 1)
        (row,) = await due(stores, 99)
        assert (row.kind, row.channel_id) == (OutgoingKind.DELETE, CHANNEL)
        assert row.message_id == MessageId(100)

    async def test_what_stands_in_the_old_place_is_left_alone(self, stores: Stores):
        """It may be gone, and to edit a post in it would pause the table again."""
        at = await put(stores, lobby())
        await show_all(stores, at)
        both: dict[str, Any] = {"slots": ("lobby", "deal:1"), "closed_slots": ("lobby",)}
        at = await go_on(stores, at, lobby(), **both)
        assert await behind(stores) == ["lobby", "deal:1"]
        await move(stores, at, **both)
        (post,) = await stores.work.posts_behind(MUCH)
        assert (post.slot, post.channel_id) == ("deal:1", THERE)

    async def test_what_was_never_shown_is_shown_there(self, stores: Stores):
        both: dict[str, Any] = {"slots": ("lobby", "deal:1"), "closed_slots": ("lobby",)}
        at = await put(stores, lobby(), **both)
        await move(stores, at, **both)
        posts = await stores.work.posts_behind(MUCH)
        assert [(post.slot, post.channel_id) for post in posts] == [
            ("lobby", THERE),
            ("deal:1", THERE),
        ]

    async def test_calls_and_notices_go_along(self, stores: Stores):
        at = await put(stores, lobby(), pings=(ping(), ping(5)), notices=(Sentence("Now."),))
        sent, *_ = await due(stores)
        await stores.work.ping_sent(sent.id, CHANNEL, MessageId(50))
        there = (ping(channel_id=THERE), ping(5, channel_id=THERE))
        await move(stores, at, pings=there)
        rows = await due(stores, 99)
        assert sorted((row.kind.value, row.channel_id) for row in rows) == [
            ("delete", CHANNEL),
            ("notice", THERE),
            ("ping", THERE),
            ("ping", THERE),
        ]

    async def test_no_table_moves_to_where_another_stands(self, stores: Stores):
        await put(stores, lobby("bbbb2222", channel_id=THERE))
        at = await put(stores, lobby())
        with pytest.raises(ChannelBusyError) as refused:
            await move(stores, at)
        assert refused.value.table_id == "bbbb2222"
        assert (await stores.events.load(at.table_id))[-1].seq == at.version

    async def test_the_old_place_is_free(self, stores: Stores):
        at = await put(stores, lobby())
        await move(stores, at)
        await put(stores, lobby("bbbb2222"))
        rows = await stores.events.live_tables_in(ELSEWHERE.guild_id)
        assert {row.channel_id for row in rows} == {CHANNEL, THERE}

    async def test_a_send_to_the_old_place_that_ends_after_the_move_leaves_nothing_there(
        self, stores: Stores
    ):
        at = await put(stores, lobby())
        (pending,) = await stores.work.posts_behind(MUCH)
        await stores.work.attempt(pending, START)
        at = await move(stores, at)
        await show(stores, pending, message=100, version=at.version)
        (post,) = await stores.work.posts_behind(MUCH)
        assert (post.channel_id, post.message_id, post.attempted_at) == (THERE, None, None)
        (row,) = await due(stores, 99)
        assert (row.kind, row.channel_id, row.message_id) == (
            OutgoingKind.DELETE,
            CHANNEL,
            MessageId(100),
        )

    async def test_the_next_send_is_another_one_than_that_under_way(self, stores: Stores):
        """Discord answers a nonce that it knows with the message that it has: the old one."""
        at = await put(stores, lobby())
        (pending,) = await stores.work.posts_behind(MUCH)
        await stores.work.attempt(pending, START)
        await move(stores, at)
        (post,) = await stores.work.posts_behind(MUCH)
        assert post.sends == pending.sends + 1

    async def test_a_send_to_the_old_place_that_begins_after_the_move_is_no_try_of_the_next(
        self, stores: Stores
    ):
        at = await put(stores, lobby())
        (pending,) = await stores.work.posts_behind(MUCH)
        await move(stores, at)
        await stores.work.attempt(pending, START)
        (post,) = await stores.work.posts_behind(MUCH)
        assert post.attempted_at is None

    async def test_an_edit_in_the_old_place_that_ends_after_the_move_changes_nothing(
        self, stores: Stores
    ):
        at = await put(stores, lobby())
        await show_all(stores, at)
        at = await go_on(stores, at, lobby())
        (pending,) = await stores.work.posts_behind(MUCH)
        at = await move(stores, at)
        await show(stores, pending, message=100, version=at.version)
        (post,) = await stores.work.posts_behind(MUCH)
        assert (post.channel_id, post.message_id) == (THERE, None)
        (row,) = await due(stores, 99)
        assert (row.channel_id, row.message_id) == (CHANNEL, MessageId(100))

    async def test_a_table_moves_although_its_newest_post_is_to_be_deleted_already(
        self, stores: Stores
    ):
        """A crash between that and the note of the new message leaves the old one noted."""
        at = await put(stores, lobby())
        await show_all(stores, at)
        await stores.work.ask_deletion(at.table_id, CHANNEL, MessageId(100))
        await move(stores, at)
        (row,) = await due(stores, 99)
        assert (row.channel_id, row.message_id) == (CHANNEL, MessageId(100))
