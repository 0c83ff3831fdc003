"""A thread for each table: where it is opened, where not, and that none is left without a table.

cases.md C5 32 (a thread for each game where the server wants it, with a link in the channel) and
33 (the rights that threads have of their own).
"""

import asyncio
from collections.abc import Sequence
from typing import Any

import discord
import pytest

from bot.rules.sentence import Sentence
from bot.table.errors import TooManyTablesError
from bot.table.ids import GuildId, Human, TableId, UserId
from bot.table.limits import TABLES_A_PERSON
from bot.table.manager import TableManager
from bot.table.storing import ServerSettings
from cogs import threads
from cogs.threads import Starting
from cogs.ui import ids
from tests.cases.test_channels import a_thread, deny
from tests.support.discord import World, discord_world, text_of
from tests.support.games import sit_down
from tests.support.threads import orphans, the_thread, threads_asked_for, told, want_threads

REFUSALS = [
    (403, 50013, "Create Public Threads"),
    (400, 160006, "as many open threads as Discord allows"),
    (400, 50035, "opened none just now"),
    (500, 0, "opened none just now"),
]


async def test_a_table_gets_a_thread_and_the_channel_one_line_that_leads_to_it():
    async with discord_world() as world:
        await want_threads(world)
        result = await world.slash(world.person("Ann"), "hearts start", seats=4)
        thread = the_thread(world)
        [line] = await world.tables()
        assert line.channel_id == thread.id
        assert world.newest_with(ids.Join(line.id), thread)
        [start] = told(world)
        assert f"<#{thread.id}>" in start.content
        assert "Ann" in start.content
        assert f"<#{thread.id}>" in text_of(result.response)
        assert thread.name == "Standard Hearts · Ann"
        assert await orphans(world) == set()


async def test_the_start_message_pings_nobody_and_makes_no_sound():
    async with discord_world() as world:
        await want_threads(world)
        await world.slash(world.person("Ann"), "hearts start")
        path = f"/channels/{world.channel.id}/messages"
        bodies = [body for _, sent, body in world.wire.payloads if sent.startswith(path)]
        posted = [body for body in bodies if "content" in body]
        assert len(posted) == 2  # it is sent, and gets the link
        assert all(body["allowed_mentions"] == {"parse": []} for body in posted)
        assert discord.MessageFlags._from_value(posted[0]["flags"]).suppress_notifications


async def test_people_who_are_invited_are_called_once_and_told_where():
    async with discord_world() as world:
        await want_threads(world)
        ann, bea = world.person("Ann"), world.person("Bea")
        await world.slash(ann, "hearts start", member1=bea)
        called = [post for post in world.posts() if f"<@{bea.id}>" in post.content]
        [invitation] = called
        assert f"<#{the_thread(world).id}>" in invitation.content
        assert not [
            post for post in told(world, the_thread(world)) if f"<@{bea.id}>" in post.content
        ]


async def test_a_challenge_gets_a_thread_too():
    async with discord_world() as world:
        await want_threads(world)
        ann, bea = world.person("Ann"), world.person("Bea")
        await ann.context_menu(world.channel, "Challenge to Hearts", bea)
        [line] = await world.tables()
        assert line.channel_id == the_thread(world).id


async def test_tables_in_threads_leave_their_channel_free_for_the_next():
    async with discord_world() as world:
        await want_threads(world)
        for name in ("Ann", "Bea"):
            await world.slash(world.person(name), "hearts start")
        places = {line.channel_id for line in await world.tables()}
        assert places == {thread.id for thread in world.channel.threads}
        assert len(places) == 2


def test_the_name_of_a_thread_is_plain_and_no_longer_than_discord_takes():
    name = Starting(host="*Ann*\n@everyone " * 30, title="Long " * 50, nonce="").thread_name()
    assert len(name) <= 100
    assert name.isprintable()
    assert "*Ann*" in name  # Discord reads no markdown there, and a backslash would be seen


async def test_without_the_setting_a_table_stands_in_the_channel():
    async with discord_world() as world:
        await world.slash(world.person("Ann"), "hearts start")
        [line] = await world.tables()
        assert line.channel_id == world.channel.id
        assert threads_asked_for(world) == set()


@pytest.mark.parametrize("kind", ["thread", "forum post", "voice"])
async def test_where_no_thread_can_be_opened_under_it_the_table_stands_right_there(kind: str):
    async with discord_world() as world:
        await want_threads(world)
        place = a_place(world, kind)
        result = await world.slash(world.person("Ann"), "hearts start", channel=place)
        [line] = await world.tables()
        assert line.channel_id == place.id
        assert threads_asked_for(world) == set()
        assert "wants a thread" not in text_of(result.response)


def a_place(world: World, kind: str) -> Any:
    if kind == "voice":
        return world.guild.create_voice_channel("talk")
    if kind == "thread":
        return a_thread(world)
    forum = world.guild.create_forum_channel("games")
    created = world.env.backend.create_thread(forum.id, "a post", world.guild.owner.id)
    [post] = [thread for thread in forum.threads if thread.id == created.id]
    return post


@pytest.mark.parametrize(
    ("denied", "named"),
    [
        ("create_public_threads", "Create Public Threads"),
        ("send_messages_in_threads", "Send Messages in Threads"),
    ],
)
async def test_without_a_right_the_table_stands_in_the_channel_and_the_right_is_named(
    denied: str, named: str
):
    async with discord_world() as world:
        await want_threads(world)
        deny(world, world.channel, denied)
        result = await world.slash(world.person("Ann"), "hearts start")
        [line] = await world.tables()
        assert line.channel_id == world.channel.id
        assert f"I am missing **{named}** here" in text_of(result.response)
        assert threads_asked_for(world) == set()
        assert len(told(world)) == 1  # the lobby alone


@pytest.mark.parametrize(("status", "code", "said"), REFUSALS)
async def test_where_discord_refuses_the_table_stands_in_the_channel_and_nothing_else_does(
    status: int, code: int, said: str
):
    async with discord_world() as world:
        await want_threads(world)
        world.env.inject_error(
            "POST", "/channels/*/messages/*/threads", status=status, code=code, times=None
        )
        result = await world.slash(world.person("Ann"), "hearts start")
        [line] = await world.tables()
        assert line.channel_id == world.channel.id
        assert said in text_of(result.response)
        assert len(told(world)) == 1
        assert await orphans(world) == set()


@pytest.mark.parametrize("path", ["/channels/*/messages", "/channels/*/messages/*/threads"])
async def test_an_answer_that_is_lost_makes_neither_a_second_line_nor_a_second_thread(path: str):
    async with discord_world() as world:
        await want_threads(world)
        world.wire.lose_answer("POST", path)
        await world.slash(world.person("Ann"), "hearts start")
        [line] = await world.tables()
        assert {line.channel_id} == threads_asked_for(world)
        assert len(told(world)) == 1


async def test_a_thread_that_is_there_already_is_the_one_for_the_table():
    """Discord opens no second one under a message (160004); simcord would."""
    async with discord_world() as world:
        await want_threads(world)
        backend = world.env.backend

        def opened_before(request: Any) -> None:
            if request.path.endswith("/threads"):
                start = int(request.path.split("/")[-2])
                me = backend.bot_user.id
                backend.create_thread(world.channel.id, "there", me, message_id=start)

        world.wire.listeners.append(opened_before)
        world.env.inject_error(
            "POST", "/channels/*/messages/*/threads", status=400, code=160004, times=None
        )
        await world.slash(world.person("Ann"), "hearts start")
        [line] = await world.tables()
        assert line.channel_id == the_thread(world).id


@pytest.mark.thorough
async def test_no_thread_is_opened_for_somebody_who_sits_at_too_many_tables():
    async with discord_world() as world:
        await want_threads(world)
        ann = world.person("Ann")
        for number in range(TABLES_A_PERSON):
            place = world.guild.create_voice_channel(f"talk {number}")
            await world.slash(ann, "hearts start", channel=place)
        refused = await world.slash(ann, "hearts start")
        assert "Finish or leave one of them first" in text_of(refused.response)
        assert threads_asked_for(world) == set()


async def refuse_to_open(world: World, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A table is refused after its thread was opened: somebody else was faster."""

    async def refused(*_args: object) -> None:
        raise TooManyTablesError(Sentence("You sit at too many tables."))

    await want_threads(world)
    monkeypatch.setattr(world.app.tables, "open", refused)
    return await world.slash(world.person("Ann"), "hearts start")


async def test_a_thread_whose_table_could_not_be_opened_goes_again(monkeypatch):
    async with discord_world() as world:
        await refuse_to_open(world, monkeypatch)
        assert len(threads_asked_for(world)) == 1
        assert await orphans(world) == set()
        assert world.channel.threads == []
        assert told(world) == []


async def test_a_thread_that_may_not_be_deleted_is_closed_instead(monkeypatch):
    async with discord_world() as world:
        world.env.inject_error("DELETE", "/channels/*", status=403, code=50013)
        await refuse_to_open(world, monkeypatch)
        assert await orphans(world) == set()
        [asked] = threads_asked_for(world)
        assert ("PATCH", f"/channels/{asked}", {"archived": True}) in world.wire.payloads
        assert told(world) == []


async def test_a_thread_that_is_left_without_a_table_is_noticed(monkeypatch):
    """The control: the same look, with nobody who undoes the thread."""

    async def nothing(*_args: object) -> None:
        return

    monkeypatch.setattr(threads, "_take_back", nothing)
    async with discord_world() as world:
        await refuse_to_open(world, monkeypatch)
        assert await orphans(world) == threads_asked_for(world) != set()


async def deliver_twice(world: World, monkeypatch: pytest.MonkeyPatch, *, at_once: bool) -> None:
    """Let one `/hearts start` arrive twice, at once or once the first is answered."""
    await want_threads(world)
    ann, backend, delivered = world.person("Ann"), world.env.backend, []
    emit = backend.emit
    if at_once:
        both_ask_before_either_opens(monkeypatch)

    def heard(*event: Any) -> None:
        delivered.append(event)
        for _ in range(2 if at_once else 1):
            emit(*event)

    with monkeypatch.context() as patch:
        patch.setattr(backend, "emit", lambda *event: _one_kind(event, heard, emit))
        await world.slash(ann, "hearts start")
    if not at_once:
        emit(*delivered[0])
    await world.env.settle()
    await world.show()


def both_ask_before_either_opens(monkeypatch: pytest.MonkeyPatch) -> None:
    """Which of two deliveries is faster is chance; here neither is."""
    barrier, real = asyncio.Barrier(2), TableManager.would_open

    async def asked(self: TableManager, *args: Any) -> bool:
        would = await real(self, *args)
        await barrier.wait()
        return would

    monkeypatch.setattr(TableManager, "would_open", asked)


def _one_kind(event: tuple[Any, ...], heard: Any, emit: Any) -> None:
    (heard if event[0] == "INTERACTION_CREATE" else emit)(*event)


@pytest.mark.parametrize("at_once", [True, False])
async def test_a_repeated_click_makes_one_thread_and_one_table(monkeypatch, at_once: bool):
    async with discord_world() as world:
        await deliver_twice(world, monkeypatch, at_once=at_once)
        [line] = await world.tables()
        assert threads_asked_for(world) == {line.channel_id}
        assert len(told(world)) == 1
        assert await orphans(world) == set()


async def test_a_second_thread_for_one_click_is_noticed(monkeypatch):
    """The control: the same look, where Discord forgets what was sent with which nonce."""
    async with discord_world() as world:
        world.wire.forgetful = True
        await deliver_twice(world, monkeypatch, at_once=True)
        assert len(threads_asked_for(world)) == 2
        assert await orphans(world) == set()


async def ended_early(world: World, people: Sequence[Any]) -> TableId:
    """A game that began and was ended by its host: its result offers a rematch."""
    host = people[0]
    table = (await sit_down(world, people, robots=4 - len(people)))[0].table
    asked = await world.slash(host, "hearts end")
    await world.press(host, asked.response, ids.ConfirmEnd(table))
    return table


async def test_a_rematch_gets_a_thread_and_the_others_sit_down_there():
    async with discord_world() as world:
        people = [world.person(name) for name in ("Ann", "Bea")]
        before = await ended_early(world, people)
        await want_threads(world)
        result = world.newest_with(ids.Rematch(before))
        answers = [await world.press(each, result, ids.Rematch(before)) for each in people]
        [line] = await world.tables()
        assert threads_asked_for(world) == {line.channel_id}
        assert all(f"<#{line.channel_id}>" in text_of(answer.response) for answer in answers)
        view = await world.app.tables.view(line.id)
        assert {Human(UserId(each.id)) for each in people} <= set(view.chairs)


async def test_two_people_who_want_a_rematch_at_once_get_one_thread():
    async with discord_world() as world:
        people = [world.person(name) for name in ("Ann", "Bea")]
        before = await ended_early(world, people)
        await want_threads(world)
        result = world.newest_with(ids.Rematch(before))
        for person in people:
            world.send_raw(person, result, ids.write(ids.Rematch(before)))
        await world.env.settle()
        await world.show()
        [line] = await world.tables()
        assert threads_asked_for(world) == {line.channel_id}
        assert await orphans(world) == set()


async def test_a_rematch_that_gets_no_thread_says_why():
    async with discord_world() as world:
        people = [world.person(name) for name in ("Ann", "Bea")]
        before = await ended_early(world, people)
        await want_threads(world)
        deny(world, world.channel, "create_public_threads")
        result = world.newest_with(ids.Rematch(before))
        answer = await world.press(people[0], result, ids.Rematch(before))
        said = text_of(answer.response)
        assert "You sit at the rematch" in said
        assert "**Create Public Threads**" in said
        [line] = await world.tables()
        assert line.channel_id == world.channel.id


async def test_a_rematch_in_a_thread_stays_in_the_thread():
    async with discord_world() as world:
        thread = a_thread(world)
        parent, world.channel = world.channel, thread
        people = [world.person(name) for name in ("Ann", "Bea")]
        before = await ended_early(world, people)
        await want_threads(world)
        await world.press(people[0], world.newest_with(ids.Rematch(before)), ids.Rematch(before))
        [line] = await world.tables()
        assert line.channel_id == thread.id
        assert len(parent.threads) == 1


async def test_a_thread_is_as_open_as_its_channel_where_the_server_chose_channels():
    async with discord_world() as world:
        settings = ServerSettings(threads=True, channels=(world.channel.id,))
        await world.app.bot.services.settings.save_server(GuildId(world.guild.id), settings)
        await world.slash(world.person("Ann"), "hearts start")
        [line] = await world.tables()
        assert line.channel_id == the_thread(world).id
