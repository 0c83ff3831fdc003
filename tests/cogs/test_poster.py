"""The channel side of posts: what is sent, and what each fault of Discord means."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import discord
import pytest

from bot.rules.sentence import Sentence
from bot.table.errors import (
    PlaceArchivedError,
    PlaceForbiddenError,
    PlaceGoneError,
    PosterBusyError,
    PostGoneError,
    PostTooOldError,
)
from bot.table.ids import ChannelId, MessageId
from bot.table.posting import PLAINLY, Ping, Post
from cogs.poster import DiscordPoster
from tests.support.discord import World, discord_world, text_of

NONCE = "abc.l.0"


@asynccontextmanager
async def a_post() -> AsyncIterator[tuple[World, DiscordPoster, Any, Post]]:
    """A poster, its channel, and a lobby to post in it a second time."""
    async with discord_world() as world:
        await world.slash(world.person("Ann"), "hearts start", seats=4)
        post, _ = await world.app.tables.post(await world.table_id(), "lobby")
        poster = DiscordPoster(world.app.bot)
        world.wire.payloads.clear()
        yield world, poster, ChannelId(world.channel.id), post


async def test_a_post_is_sent_silently_with_its_nonce_and_pings_nobody():
    async with a_post() as (world, poster, channel, post):
        message_id = await poster.send_post(channel, post, NONCE)
        [(method, path, body)] = world.wire.payloads
        assert (method, path) == ("POST", f"/channels/{channel}/messages")
        assert discord.MessageFlags._from_value(body["flags"]).suppress_notifications
        assert (body["nonce"], body["enforce_nonce"]) == (NONCE, True)
        assert body["allowed_mentions"] == {"parse": []}
        assert world.posts()[-1].id == message_id


async def test_a_send_that_is_repeated_gives_the_message_that_is_there():
    async with a_post() as (world, poster, channel, post):
        sent = [await poster.send_post(channel, post, NONCE) for _ in range(2)]
        assert len(set(sent)) == 1
        assert len(world.posts()) == 2


async def test_an_edit_says_again_that_it_pings_nobody():
    async with a_post() as (world, poster, channel, post):
        await poster.edit_post(channel, MessageId(world.posts()[-1].id), post)
        [(method, _, body)] = world.wire.payloads
        assert method == "PATCH"
        assert body["allowed_mentions"] == {"parse": []}


async def test_a_call_is_plain_text_that_pings_one_person_aloud():
    async with a_post() as (world, poster, channel, post):
        host = post.table.host
        ping = Ping(table_id=post.table.id, channel_id=channel, user_id=host, kind="turn", moment=1)
        await poster.send_ping(channel, ping, NONCE, PLAINLY)
        [(_, _, body)] = world.wire.payloads
        assert body["content"].startswith(f"<@{host}>")
        assert body["allowed_mentions"]["users"] == [host]
        assert not body.get("flags")


async def test_a_notice_is_one_silent_sentence():
    async with a_post() as (world, poster, channel, _):
        await poster.send_notice(channel, Sentence("Everybody has more time."), NONCE)
        assert "Everybody has more time." in text_of(world.posts()[-1])


async def test_a_post_of_unknown_outcome_is_found_by_its_table_and_slot():
    async with a_post() as (world, poster, channel, post):
        table = post.table.id
        [lobby] = world.posts()
        assert await poster.find_sent(channel, table, "lobby") == lobby.id
        assert await poster.find_sent(channel, table, "trick:1") is None
        assert await poster.find_sent(channel, type(table)("OTHER123"), "lobby") is None


async def test_without_the_right_to_read_back_nothing_is_found():
    async with a_post() as (world, poster, channel, post):
        world.env.inject_error("GET", "/channels/*/messages", status=403, code=50013)
        assert await poster.find_sent(channel, post.table.id, "lobby") is None


async def test_a_message_of_somebody_else_is_never_taken_for_a_post(monkeypatch):
    async with a_post() as (_, poster, channel, post):
        monkeypatch.setattr(poster, "_is_ours", lambda _message: False)
        assert await poster.find_sent(channel, post.table.id, "lobby") is None


async def test_equal_looks_have_equal_digests_and_others_have_not():
    async with a_post() as (world, poster, _, post):
        before = poster.digest(post)
        assert poster.digest(post) == before
        again, _ = await world.app.tables.post(post.table.id, "lobby")
        assert poster.digest(again) == before
        assert poster.digest(replace(post, live=False)) != before


FAULTS = [
    (404, 10008, PostGoneError),
    (404, 10003, PlaceGoneError),
    (404, 10004, PlaceGoneError),
    (403, 50001, PlaceForbiddenError),
    (403, 50013, PlaceForbiddenError),
    (403, 0, PlaceForbiddenError),
    (429, 30046, PostTooOldError),
    (400, 30046, PostTooOldError),
    (403, 160005, PlaceArchivedError),
    (429, 0, PosterBusyError),
    (500, 0, PosterBusyError),
    (503, 0, PosterBusyError),
]


@pytest.mark.parametrize(("status", "code", "meaning"), FAULTS)
async def test_each_fault_of_discord_has_a_meaning_for_the_post(status, code, meaning):
    async with a_post() as (world, poster, channel, post):
        message = MessageId(world.posts()[-1].id)
        world.env.inject_error("*", "/channels/*/messages*", status=status, code=code, times=None)
        with pytest.raises(meaning):
            await poster.edit_post(channel, message, post)
        with pytest.raises(meaning) as sent:
            await poster.send_post(channel, post, NONCE)
        if meaning is PosterBusyError:
            assert sent.value.sent_unknown is (status >= 500)


async def test_a_wait_that_is_longer_than_the_library_waits_is_waited_for_here(monkeypatch):
    async with a_post() as (_, poster, channel, post):

        async def limited(*_: Any, **__: Any) -> None:
            raise discord.RateLimited(47.0)

        monkeypatch.setattr(discord.abc.Messageable, "send", limited)
        with pytest.raises(PosterBusyError) as sent:
            await poster.send_post(channel, post, NONCE)
        assert (sent.value.seconds, sent.value.sent_unknown) == (47.0, False)


async def test_an_answer_that_never_came_leaves_it_open_whether_the_message_stands():
    async with a_post() as (world, poster, channel, post):
        world.wire.lose_answer("POST", "/channels/*/messages")
        with pytest.raises(PosterBusyError) as lost:
            await poster.send_post(channel, post, NONCE)
        assert lost.value.sent_unknown
        assert len(world.posts()) == 2


async def test_a_request_that_is_wrong_in_itself_is_no_fault_of_the_place():
    async with a_post() as (world, poster, channel, post):
        world.env.inject_error("POST", "/channels/*/messages", status=400, code=50035)
        with pytest.raises(discord.HTTPException, match="50035"):
            await poster.send_post(channel, post, NONCE)


@pytest.mark.parametrize("code", [10008, 10003])
async def test_deleting_what_is_gone_already_is_fine(code):
    async with a_post() as (world, poster, channel, _):
        world.env.inject_error("DELETE", "/channels/*", status=404, code=code)
        await poster.delete(channel, MessageId(world.posts()[-1].id))


async def test_deleting_in_a_thread_that_sleeps_lets_it_sleep():
    async with a_post() as (world, poster, channel, _):
        world.env.inject_error("DELETE", "/channels/*", status=400, code=50083)
        await poster.delete(channel, MessageId(world.posts()[-1].id))
        assert [method for method, _, _ in world.wire.payloads] == ["DELETE"]


async def test_a_post_in_a_thread_that_sleeps_is_edited_after_waking_it():
    async with a_post() as (world, poster, _, post):
        # Discord lets anybody wake a thread who may write there; simcord asks for more.
        for role in world.guild._guild.roles.values():
            role.permissions |= discord.Permissions(manage_channels=True).value
        thread, message = await sleeping_thread(world, poster, post)
        await poster.edit_post(thread, message, post)
        calls = world.wire.payloads
        assert ("PATCH", f"/channels/{thread}", {"archived": False}) in calls
        assert calls[-1][:2] == ("PATCH", f"/channels/{thread}/messages/{message}")


async def test_a_locked_thread_is_left_alone():
    async with a_post() as (world, poster, _, post):
        thread, message = await sleeping_thread(world, poster, post)
        world.env.backend.edit_channel(thread, {}, thread_metadata={"locked": True})
        with pytest.raises(PlaceArchivedError):
            await poster.edit_post(thread, message, post)


async def sleeping_thread(
    world: World, poster: DiscordPoster, post: Post
) -> tuple[ChannelId, MessageId]:
    """A thread with a post in it, archived; the next edit there fails as in Discord."""
    created = world.env.backend.create_thread(world.channel.id, "cards", world.guild.owner.id)
    thread = ChannelId(created.id)
    message = await poster.send_post(thread, post, "thread")
    world.env.backend.edit_channel(thread, {}, thread_metadata={"archived": True})
    await world.env.settle()
    world.wire.payloads.clear()
    world.env.inject_error("PATCH", f"/channels/{thread}/messages/*", status=400, code=50083)
    return thread, message
