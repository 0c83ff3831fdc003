"""Starting and stopping: what the operator is told, and what is finished before the end."""

import asyncio
import multiprocessing
import os
import signal
import sqlite3
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import aiohttp
import discord
import pytest
from pydantic import SecretStr

from bot import OperatorError, app
from bot.rules.cards import Seat
from bot.rules.view import seat_view
from bot.settings import TOKEN_REFUSED, Settings
from bot.stopping import Stop
from bot.table.errors import UnknownTableError
from bot.table.ids import TABLE_ID_LENGTH, TABLE_ID_LETTERS, TableId
from bot.table.leases import Leases
from bot.table.shards import Shards
from bot.table.thinking import NoThoughtError
from cogs.client import CommandsRefusedError, HeartsBot
from cogs.ui import ids
from db.engine import open_database
from db.leases import SqlLeases
from db.migrate import upgrade
from tests.support.deals import STANDARD, begun
from tests.support.discord import discord_world, text_of
from tests.support.seated import in_play, plays


def settings_for(folder: Path, **values: Any) -> Settings:
    url = f"sqlite+aiosqlite:///{folder / 'hearts.db'}"
    return Settings(
        _env_file=None, discord_token=SecretStr("abc.def.ghi"), database_url=url, **values
    )


def refusing(error: BaseException) -> Any:
    async def login(_bot: HeartsBot, _token: str) -> None:
        raise error

    return login


class Answer:
    """As much of an HTTP answer as the library's errors look at."""

    status = 503
    reason = "Service Unavailable"


@pytest.fixture
def stop() -> Iterator[Stop]:
    """Hears signals while a test runs."""
    stop = Stop()
    yield stop
    stop.close()


def playing(monkeypatch, world, stop):
    """The bot of *world* at work, on a gateway that is open until the bot closes it."""
    closed = asyncio.Event()

    async def gateway(_bot: HeartsBot) -> None:
        await closed.wait()

    async def close() -> None:
        closed.set()

    monkeypatch.setattr(app, "run_bot", gateway)
    monkeypatch.setattr(world.app.bot, "close", close)
    monkeypatch.setattr(world.clock, "sleep", asyncio.sleep, raising=False)
    return asyncio.create_task(app._play(world.app, stop))


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (discord.LoginFailure("Improper token"), TOKEN_REFUSED),
        (aiohttp.ClientConnectionError("no route"), "Discord can't be reached"),
        (OSError("no network"), "Discord can't be reached"),
        (discord.DiscordServerError(Answer(), "down"), "Discord can't be reached"),
    ],
)
@pytest.mark.parametrize("command", ["run", "sync"])
async def test_a_login_that_fails_is_one_sentence_for_the_operator(
    tmp_path, monkeypatch, command, error, said, stop
):
    monkeypatch.setattr(HeartsBot, "login", refusing(error))
    settings = settings_for(tmp_path)
    with pytest.raises(OperatorError) as told:
        await (app.run(settings, stop) if command == "run" else app.sync(settings, None))
    assert said in str(told.value)
    assert "does not look like a token, three parts with dots between them." in str(told.value)
    assert "abc.def.ghi" not in str(told.value)


async def test_nothing_is_said_of_a_token_that_looks_like_one(tmp_path, monkeypatch, stop):
    monkeypatch.setattr(HeartsBot, "login", refusing(discord.LoginFailure("Improper token")))
    token = SecretStr("MTIzNDU2Nzg5MDEyMzQ1Njc4OQ.Gplant.notARealTokenButOfTheRightShape0123")
    settings = settings_for(tmp_path).model_copy(update={"discord_token": token})
    with pytest.raises(OperatorError) as told:
        await app.run(settings, stop)
    assert str(told.value) == TOKEN_REFUSED


async def test_a_database_that_cannot_be_opened_is_one_sentence_too(tmp_path, stop):
    (tmp_path / "hearts.db").write_text("this is no database, only some text of a fair length")
    with pytest.raises(OperatorError):
        await app.run(settings_for(tmp_path), stop)


async def test_a_bot_without_a_token_says_where_to_get_one(tmp_path, stop):
    with pytest.raises(OperatorError, match="DISCORD_TOKEN is not set"):
        await app.run(Settings(_env_file=None, discord_token=None), stop)


@pytest.mark.parametrize("command", ["run", "sync"])
async def test_commands_that_discord_does_not_take_stop_the_sync_but_not_the_bot(
    tmp_path, monkeypatch, command, stop
):
    async def nothing(*_: Any) -> None:
        """Stands in for the login, and for playing until a signal."""

    async def refused(*_: Any) -> str:
        raise CommandsRefusedError("50001 Missing Access")

    monkeypatch.setattr(HeartsBot, "login", nothing)
    monkeypatch.setattr(HeartsBot, "sync_commands", refused)
    monkeypatch.setattr(app, "_play", nothing)
    settings = settings_for(tmp_path)
    if command == "run":
        await app.run(settings, stop)
    else:
        with pytest.raises(OperatorError, match="Missing Access"):
            await app.sync(settings, 5)


@pytest.mark.parametrize(("shards", "told"), [((0, 2), 1), ((1,), 0)])
async def test_of_several_processes_the_one_with_direct_messages_tells_the_commands(
    monkeypatch, shards, told
):
    """discord.md 2.8: they are the same for all servers, and one telling is enough."""
    sent = []

    async def nothing(*_: Any) -> None:
        """Stands in for the login."""

    async def sync(*_: Any) -> str:
        sent.append(1)
        return "Sent."

    async with discord_world() as world:
        monkeypatch.setattr(world.app.bot, "login", nothing)
        monkeypatch.setattr(world.app.bot, "sync_commands", sync)
        store = SqlLeases(world.database)
        leases = Leases(store, Shards(3, shards), "test", world.clock)
        await app._started(world.app, leases, Settings(_env_file=None), "token")
        assert [lease.shard for lease in leases.held()] == list(shards)
    assert len(sent) == told


async def test_a_bot_that_ends_gives_its_shards_away_at_once(tmp_path, monkeypatch, caplog, stop):
    async def nothing(*_: Any) -> None:
        """Stands in for the login, the commands, and for playing until a signal."""

    for name in ("login", "sync_commands"):
        monkeypatch.setattr(HeartsBot, name, nothing)
    monkeypatch.setattr(app, "_play", nothing)
    settings = settings_for(tmp_path)
    for _ in range(2):
        await app.run(settings, stop)
    assert "another process" not in caplog.text
    database = open_database(settings.database_url)
    lease = await SqlLeases(database).take(0, Shards(), "third", timedelta(seconds=1))
    assert lease.epoch == 3
    await database.close()


@pytest.mark.parametrize(("version", "warnings"), [((3, 51, 2), 1), ((3, 51, 3), 0)])
async def test_an_sqlite_that_two_programs_can_make_damage_a_file_is_named_at_the_start(
    tmp_path, monkeypatch, caplog, version, warnings, stop
):
    """Reliability.md 0.6."""

    async def nothing(*_: Any) -> None:
        """Stands in for the login, the commands, and for playing until a signal."""

    monkeypatch.setattr(sqlite3, "sqlite_version_info", version)
    for name in ("login", "sync_commands"):
        monkeypatch.setattr(HeartsBot, name, nothing)
    monkeypatch.setattr(app, "_play", nothing)
    await app.run(settings_for(tmp_path), stop)
    assert caplog.text.count("can damage a database") == warnings


@pytest.mark.parametrize("broken", ["login", "database"])
async def test_an_operators_mistake_is_told_without_a_warning_beside_it(
    tmp_path, monkeypatch, caplog, broken, stop
):
    """Whatever is wrong, the one line of an exit stands alone."""
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 51, 2))
    monkeypatch.setattr(HeartsBot, "login", refusing(OSError("no network")))
    settings = settings_for(tmp_path)
    if broken == "database":
        (tmp_path / "hearts.db").write_bytes(b"no database" * 1_000)
    with pytest.raises(OperatorError):
        await app.run(settings, stop)
    assert "can damage a database" not in caplog.text


def test_the_check_finds_nothing_wrong_and_leaves_no_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert app.check() == []
    assert list(tmp_path.iterdir()) == []


def test_the_check_names_what_is_planted(monkeypatch):
    monkeypatch.setattr(app, "problems", lambda: ["migrations: planted"])
    assert app.check() == ["migrations: planted"]


def test_nobody_hears_of_voice_that_is_not_installed(monkeypatch, caplog):
    """With the control beside it: the library's own client, made as the first of a process."""
    for lacking in ("warn_nacl", "warn_dave"):
        monkeypatch.setattr(discord.VoiceClient, lacking, True)
    discord.Client(intents=discord.Intents.none())
    assert "voice will NOT be supported" in caplog.text
    caplog.clear()
    for lacking in ("warn_nacl", "warn_dave"):
        monkeypatch.setattr(discord.VoiceClient, lacking, True)
    assert app.check() == []
    assert "voice" not in caplog.text


async def test_events_of_a_table_are_read_without_discord(tmp_path):
    await upgrade(settings_for(tmp_path).database_url)
    with pytest.raises(UnknownTableError):
        await app.load_events(settings_for(tmp_path), TableId("AAAA1111"))


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.thorough
async def test_a_signal_lets_a_click_finish_and_the_posts_catch_up(monkeypatch, number, stop):
    async with discord_world() as world:
        _, player = await in_play(world)
        app_ = world.app
        commit = app_.bot.services.events.commit

        async def slow(*args: Any) -> None:
            os.kill(os.getpid(), number)
            await asyncio.sleep(0.2)
            await commit(*args)

        running = playing(monkeypatch, world, stop)
        await asyncio.sleep(0.05)
        monkeypatch.setattr(type(app_.bot.services.events), "commit", staticmethod(slow))
        [card, *_] = plays(player)
        click = world.send_raw(player.member, player.hand, ids.write(card))
        await asyncio.wait_for(running, 10)
        assert click.acknowledged
        view = await app_.tables.view(player.table)
        assert [play.card for play in view.game.trick.plays] == [card.card]
        assert any("led the" in text for text in map(str, texts(world)))
        monkeypatch.undo()


def texts(world: Any) -> list[str]:
    return [text_of(post) for post in world.posts()]


async def test_a_loop_that_dies_ends_the_process_with_an_error(monkeypatch, stop):
    async with discord_world() as world:

        async def dead() -> None:
            raise ValueError("planted")

        async def gateway(_bot: HeartsBot) -> None:
            await asyncio.sleep(30)

        monkeypatch.setattr(app, "run_bot", gateway)
        monkeypatch.setattr(world.app.timekeeper, "run", dead)
        monkeypatch.setattr(world.clock, "sleep", asyncio.sleep, raising=False)
        with pytest.raises(RuntimeError, match="loop of the bot"):
            await app._play(world.app, stop)
        assert "planted" in str(world.incidents.take().exc_info)


async def test_a_gateway_that_fails_is_heard_of(monkeypatch, stop):
    async with discord_world() as world:

        async def gateway(_bot: HeartsBot) -> None:
            raise ConnectionError("planted")

        monkeypatch.setattr(app, "run_bot", gateway)
        monkeypatch.setattr(world.clock, "sleep", asyncio.sleep, raising=False)
        with pytest.raises(ConnectionError, match="planted"):
            await app._play(world.app, stop)


def test_seeds_are_long_secret_and_codes_are_readable():
    seeds = app.SecretSeeds()
    assert len(seeds.seed()) == 32
    assert seeds.seed() != seeds.seed()
    code = seeds.table_id()
    assert len(code) == TABLE_ID_LENGTH
    assert set(code) <= set(TABLE_ID_LETTERS)
    assert 0 <= seeds.fraction() < 1


async def test_a_signal_ends_the_bot_while_a_robot_thinks_and_leaves_no_process(monkeypatch, stop):
    async with discord_world() as world:
        app_, running = world.app, playing(monkeypatch, world, stop)
        view = seat_view(begun(STANDARD.deck(4)), Seat(0))
        others = set(multiprocessing.active_children())
        thoughts = [
            asyncio.create_task(app_.thinking.ask("expert", view, bytes(32))) for _ in range(6)
        ]
        await thoughts[0]
        children = set(multiprocessing.active_children()) - others
        os.kill(os.getpid(), signal.SIGTERM)
        await asyncio.wait_for(running, 5)
        ends = await asyncio.gather(*thoughts, return_exceptions=True)
        assert isinstance(ends[-1], NoThoughtError)
        assert children
        for child in children:
            child.join(30)
            assert not child.is_alive()
        monkeypatch.undo()
