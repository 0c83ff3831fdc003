"""A table's thread sleeps, is locked or goes: what is posted, and that no hand is out of reach.

cases.md C5 33 (what a thread that is archived or locked takes) and 34 (a hand opens from anywhere).
"""

import random
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from bot.rules.sentence import Sentence
from bot.table.errors import PlaceArchivedError, PlaceForbiddenError, PlaceGoneError
from bot.table.ids import ChannelId
from bot.table.posting import PLAINLY, Ping, Post
from bot.table.state import Status
from cogs.poster import DiscordPoster
from cogs.ui import ids
from tests.cogs.test_poster import a_post, sleeping_thread
from tests.support.discord import World, actions, components_of, discord_world, text_of, walk
from tests.support.games import Player, Watch, play
from tests.support.seated import cards_of, in_trick, plays
from tests.support.threads import the_thread, want_threads

Send = Callable[[DiscordPoster, ChannelId, Post], Awaitable[Any]]


async def call(poster: DiscordPoster, place: ChannelId, post: Post) -> Any:
    table = post.table
    ping = Ping(table_id=table.id, channel_id=place, user_id=table.host, kind="turn", moment=1)
    return await poster.send_ping(place, ping, "call", PLAINLY)


SENDS: list[Send] = [
    lambda poster, place, post: poster.send_post(place, post, "post"),
    lambda poster, place, post: poster.send_notice(place, Sentence("Hello."), "notice"),
    call,
]


@pytest.mark.parametrize("send", SENDS)
async def test_what_a_sleeping_thread_refuses_is_sent_after_waking_it(send: Send):
    async with a_post() as (world, poster, _, post):
        await want_threads(world)
        thread, _ = await sleeping_thread(world, poster, post)
        path = f"/channels/{thread}/messages"
        world.env.inject_error("POST", path, status=400, code=50083)
        await send(poster, thread, post)
        assert [(method, sent) for method, sent, _ in world.wire.payloads] == [
            ("POST", path),
            ("GET", f"/channels/{thread}"),
            ("PATCH", f"/channels/{thread}"),
            ("POST", path),
        ]
        first, *_, last = (body for *_, body in world.wire.payloads)
        assert first["nonce"] == last["nonce"]


@pytest.mark.parametrize("send", SENDS)
@pytest.mark.parametrize("code", [50083, 160005])
async def test_nothing_is_sent_to_a_locked_thread_and_nobody_opens_it(send: Send, code: int):
    async with a_post() as (world, poster, _, post):
        await want_threads(world)
        thread, _ = await sleeping_thread(world, poster, post)
        world.env.backend.edit_channel(thread, {}, thread_metadata={"locked": True})
        world.env.inject_error("POST", f"/channels/{thread}/messages", status=400, code=code)
        with pytest.raises(PlaceArchivedError):
            await send(poster, thread, post)
        assert not [path for method, path, _ in world.wire.payloads if method == "PATCH"]


@pytest.mark.parametrize(
    ("method", "status", "code", "meaning"),
    [("PATCH", 403, 50013, PlaceForbiddenError), ("GET", 404, 10003, PlaceGoneError)],
)
async def test_a_thread_that_cannot_be_woken_is_a_place_that_is_lost(
    method: str, status: int, code: int, meaning: type[Exception]
):
    async with a_post() as (world, poster, _, post):
        thread, _ = await sleeping_thread(world, poster, post)
        world.env.inject_error("POST", f"/channels/{thread}/messages", status=400, code=50083)
        world.env.inject_error(method, f"/channels/{thread}", status=status, code=code)
        with pytest.raises(meaning):
            await poster.send_post(thread, post, "post")


async def a_game(world: World) -> tuple[Player, Any, Any]:
    """One person and three robots in a thread that was opened for them; the channel; the thread."""
    await want_threads(world)
    ann, channel = world.person("Ann"), world.channel
    await world.slash(ann, "hearts start", seats=4, robots=3)
    table, thread = await world.table_id(), the_thread(world)
    world.channel = thread
    await world.press(ann, world.newest_with(ids.Start(table)), ids.Start(table))
    player = Player(world, ann, table, random.Random(1))
    await player.open_hand()
    await play([player], Watch(world, table), until=in_trick(2))
    await world.let_robots_move()
    return player, channel, thread


def sleep(world: World, thread: Any, *, locked: bool = False) -> None:
    world.env.backend.edit_channel(
        thread.id, {}, thread_metadata={"archived": True, "locked": locked}
    )


def refuse_as_archived(world: World, thread: Any, times: int | None) -> None:
    for method, path in (("POST", "messages"), ("PATCH", "messages/*")):
        world.env.inject_error(
            method, f"/channels/{thread.id}/{path}", status=400, code=50083, times=times
        )


async def test_a_game_goes_on_in_a_thread_that_fell_asleep():
    async with discord_world() as world:
        player, _, thread = await a_game(world)
        await world.pass_time(3_700)  # so old a post is not edited, but comes anew
        sleep(world, thread)
        refuse_as_archived(world, thread, times=1)
        await player.open_hand()
        await player.press(plays(player)[0])
        view = await world.app.tables.view(player.table)
        assert view.status is Status.PLAYING
        assert not thread_data(world, thread).archived
        assert world.newest_with(ids.OpenHand(player.table), thread)


def thread_data(world: World, thread: Any) -> Any:
    return world.env.backend.channels[thread.id].thread_metadata


async def locked_game(world: World) -> tuple[Player, Any, Any]:
    """A game whose thread was locked, which the bot has just found out."""
    player, channel, thread = await a_game(world)
    sleep(world, thread, locked=True)
    refuse_as_archived(world, thread, times=None)
    await player.press(plays(player)[0])
    await world.let_robots_move()
    assert (await world.app.tables.view(player.table)).status is Status.PAUSED
    return player, channel, thread


async def test_a_game_in_a_locked_thread_pauses_and_says_how_it_goes_on():
    async with discord_world() as world:
        player, channel, _ = await locked_game(world)
        shown = await world.slash(player.member, "hearts hand", channel=channel)
        assert "paused because I cannot post" in text_of(shown.response)
        moved = await world.slash(player.member, "hearts move", channel=channel)
        assert "stands here from now on" in text_of(moved.response)
        view = await world.app.tables.view(player.table)
        assert (view.status, view.channel_id) == (Status.PLAYING, channel.id)
        assert world.newest_with(ids.OpenHand(player.table), channel)


async def test_a_card_in_a_paused_game_is_refused_with_the_way_out():
    async with discord_world() as world:
        player, channel, _ = await locked_game(world)
        shown = await world.slash(player.member, "hearts hand", channel=channel)
        old = ids.PlayCard(player.table, 1, next(iter(await cards_of(player))))
        refused = await world.forge(player.member, shown.response, ids.write(old))
        assert "`/hearts move`" in text_of(refused.response)


@pytest.mark.parametrize("state", ["open", "asleep", "locked", "gone"])
@pytest.mark.thorough
async def test_a_hand_opens_in_another_channel_and_in_private_whatever_became_of_the_thread(
    state: str,
):
    async with discord_world() as world:
        player, channel, thread = await a_game(world)
        held = cards_shown(player.hand)
        assert len(held) > 1
        if state == "gone":
            world.env.backend.delete_channel(thread.id)
        elif state != "open":
            sleep(world, thread, locked=state == "locked")
        await world.env.settle()
        elsewhere = await world.slash(player.member, "hearts hand", channel=channel)
        alone = await player.member.user.slash("hearts hand")
        assert alone.acknowledged
        assert cards_shown(elsewhere.response) == cards_shown(alone.response) == held
        assert elsewhere.response is not None
        assert elsewhere.response.ephemeral


async def test_b64_a_channel_that_is_deleted_pauses_the_tables_in_its_threads():
    async with discord_world() as world:
        player, channel, thread = await a_game(world)
        elsewhere = world.guild.create_text_channel("elsewhere")
        world.env.backend.delete_channel(channel.id)
        await world.env.settle()
        assert (await world.app.tables.view(player.table)).status is Status.PAUSED
        del world.env.backend.channels[thread.id]  # Discord takes it along without a word
        await world.slash(player.member, "hearts move", channel=elsewhere)
        view = await world.app.tables.view(player.table)
        assert (view.status, view.channel_id) == (Status.PLAYING, elsewhere.id)


def cards_shown(message: Any) -> set[str]:
    """The lines of a hand that name its cards by suit."""
    lines = (line.removeprefix("-# ") for line in text_of(message).splitlines())
    suits = ("Clubs", "Diamonds", "Spades", "Hearts")
    of_suits = [line for line in lines if any(f" {suit} " in line for suit in suits)]
    return {line for line in of_suits if not line.endswith(".")}  # but no sentence on the rules


async def test_a_table_moves_from_its_thread_to_the_channel_and_back():
    async with discord_world() as world:
        player, channel, thread = await a_game(world)
        for place in (channel, thread):
            await world.slash(player.member, "hearts move", channel=place)
            view = await world.app.tables.view(player.table)
            assert (view.channel_id, view.status) == (place.id, Status.PLAYING)
            assert world.newest_with(ids.OpenHand(player.table), place)


async def test_the_list_of_games_and_the_hand_lead_into_the_thread():
    async with discord_world() as world:
        player, channel, thread = await a_game(world)
        listed = await world.slash(player.member, "hearts games", channel=channel)
        assert f"/channels/{world.guild.id}/{thread.id}/" in everything(listed.response)
        shown = await world.slash(player.member, "hearts hand", channel=channel)
        assert f"/channels/{world.guild.id}/{thread.id}/" in everything(shown.response)


def everything(message: Any) -> str:
    """All words and addresses of a message."""
    return "\n".join(
        str(part.get(key, ""))
        for part in walk(components_of(message))
        for key in ("content", "url")
    )


async def test_the_result_of_a_game_stays_in_its_thread():
    async with discord_world() as world:
        player, channel, thread = await a_game(world)
        asked = await world.slash(player.member, "hearts end", channel=channel)
        await world.press(player.member, asked.response, ids.ConfirmEnd(player.table))
        assert world.newest_with(ids.Rematch(player.table), thread)
        assert not any(ids.Rematch(player.table) in actions(post) for post in world.posts(channel))
