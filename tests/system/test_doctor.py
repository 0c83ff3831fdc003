"""`python -m bot doctor`, with a server on loopback in Discord's place."""

import asyncio
import json
import os
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import discord
import pytest
from aiohttp import web

from bot import __main__ as door
from bot import examining
from bot.cli import doctor
from bot.settings import Settings
from bot.table.ports import Clock
from cogs.client import DiscordUnreachableError
from cogs.permissions import INVITE
from db.backups import Backups
from db.examination import DatabaseState
from db.migrate import upgrade
from tests.support.clock import NOON, HandClock
from tests.support.postgres import fresh_database
from tests.support.store import only_to_be_read, url_of

TOKEN = "MTIzNDU2Nzg5MDEyMzQ1Njc4OQ.Gplant.notARealTokenButOfTheRightShape0123"
HEALTHY = ("Python", ".env", "Token", "Intents", "Rights", "Clock", "Database", "Disk", "Backups")


@dataclass
class FakeDiscord:
    """What it says; each test changes what it is about."""

    accepts: bool = True
    ahead: timedelta = timedelta()
    """How far its clock is ahead of ours."""
    application: dict[str, Any] = field(default_factory=dict)
    servers: list[tuple[str, int]] = field(default_factory=lambda: [("Card Club", INVITE.value)])
    starts_left: int = 1_000
    shards: int = 1

    def answer(self, path: str, query: Any) -> Any:
        user = {"id": "9", "username": "hearts", "discriminator": "0", "avatar": None}
        if path.endswith("/users/@me"):
            return user
        if path.endswith("/users/@me/guilds"):
            first = int(query.get("after", 0))
            page = list(enumerate(self.servers, 1))[first : first + 200]
            return [
                {"id": str(number), "name": name, "permissions": str(granted)}
                for number, (name, granted) in page
            ]
        if path.endswith("/gateway/bot"):
            starts = {"total": 1_000, "remaining": self.starts_left, "reset_after": 0}
            limit = starts | {"max_concurrency": 1}
            return {"url": "wss://x", "shards": self.shards, "session_start_limit": limit}
        return {
            "id": "9",
            "name": "Hearts",
            "icon": None,
            "description": "",
            "bot_public": True,
            "bot_require_code_grant": False,
            "owner": user,
            "verify_key": "",
            "flags": 0,
            **self.application,
        }


@asynccontextmanager
async def instead_of_discord(fake: FakeDiscord) -> AsyncIterator[None]:
    async def answer(request: web.Request) -> web.Response:
        date = format_datetime(datetime.now(UTC) + fake.ahead, usegmt=True)
        if not fake.accepts or request.headers.get("Authorization") != f"Bot {TOKEN}":
            return web.json_response({"code": 0, "message": "401"}, status=401)
        said = json.dumps(fake.answer(request.path, request.query)).encode()
        return web.Response(body=said, content_type="application/json", headers={"Date": date})

    application = web.Application()
    application.router.add_get("/{path:.*}", answer)
    runner = web.AppRunner(application)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    [(_, port)] = runner.addresses
    before, discord.http.Route.BASE = discord.http.Route.BASE, f"http://127.0.0.1:{port}/api/v10"
    try:
        yield
    finally:
        discord.http.Route.BASE = before
        await runner.cleanup()


@pytest.fixture(autouse=True)
def surroundings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("bot.logs.configure", lambda *_, **__: None)
    monkeypatch.setattr(examining, "old_sqlite_warning", lambda _url: None)


@dataclass
class Told:
    """What the doctor printed."""

    code: int
    lines: list[tuple[str, str, str]]

    def about(self, subject: str) -> list[tuple[str, str]]:
        return [(verdict, words) for verdict, about, words in self.lines if about == subject]

    def the(self, subject: str) -> tuple[str, str]:
        """The gravest finding about something."""
        order = ["fault", "warning", "ok"]
        return min(self.about(subject), key=lambda each: order.index(each[0]))


def here(name: str) -> Path:
    """Something in the folder in which the doctor looks."""
    return Path(name)


async def examined(
    capsys: pytest.CaptureFixture[str], fake: FakeDiscord | None = None, *, healthy: bool = True
) -> Told:
    """Let the doctor look, after an installation was made as it should be."""
    if healthy:
        file = here("hearts.db")
        await upgrade(url_of(file))
        clock = HandClock(datetime.now(UTC))
        await Backups(file, here("backups"), every=timedelta(hours=6), keep=2, clock=clock).step()
    async with instead_of_discord(fake or FakeDiscord()):
        code = await asyncio.to_thread(door.main, ["doctor"])
    said = capsys.readouterr()
    assert TOKEN not in said.out + said.err
    assert "Traceback" not in said.err
    lines = [line.split(maxsplit=2) for line in said.out.splitlines()]
    return Told(code, [(verdict, about, words) for verdict, about, words in lines])


async def test_an_installation_in_good_order_gets_ok_on_every_line(capsys):
    here(".env").touch(0o600)
    here(".env").chmod(0o600)
    told = await examined(capsys)
    assert told.code == 0
    assert {verdict for verdict, _, _ in told.lines} == {"ok"}
    assert {about for _, about, _ in told.lines} == set(HEALTHY)
    assert told.the("Token") == ("ok", "accepted: it is the bot of Hearts")
    assert "revision 0005, the newest" in told.the("Database")[1]


async def test_a_token_that_is_refused_says_where_to_get_one(capsys):
    told = await examined(capsys, FakeDiscord(accepts=False))
    verdict, words = told.the("Token")
    assert (told.code, verdict) == (1, "fault")
    assert "Reset Token" in words
    assert told.about("Backups")  # the control: the rest was looked at all the same


async def test_a_missing_token_and_one_of_strange_form_are_told(capsys, monkeypatch):
    monkeypatch.setenv("DISCORD_TOKEN", "")
    assert "DISCORD_TOKEN is not set" in (await examined(capsys)).the("Token")[1]
    monkeypatch.setenv("DISCORD_TOKEN", "secret")
    told = await examined(capsys)
    assert "does not look like a token" in told.about("Token")[0][1]
    assert "secret" not in str(told)


async def test_without_a_network_it_says_so_and_goes_on(capsys, monkeypatch):
    monkeypatch.setattr(discord.http.Route, "BASE", "http://127.0.0.1:1/api/v10")
    monkeypatch.setattr(examining.discord_side, "examine", unreachable)
    told = await examined(capsys)
    assert told.code == 1
    assert "see whether this machine has a network" in told.the("Discord")[1]
    assert told.the("Database")[0] == "ok"


async def unreachable(*_: object) -> None:
    raise DiscordUnreachableError("ClientConnectorError")


async def test_what_answers_in_discords_place_is_no_discord(capsys):
    """As the page of a hotel's network that wants a password."""

    class Page(FakeDiscord):
        def answer(self, path: str, query: Any) -> Any:
            return ["Welcome"]

    assert "Discord can't be reached" in (await examined(capsys, Page())).the("Discord")[1]


async def test_a_server_that_does_not_answer_is_one_that_cannot_be_reached():
    """The way to it is really tried: nothing listens there."""
    base = discord.http.Route.BASE
    discord.http.Route.BASE = "http://127.0.0.1:1/api/v10"
    try:
        with pytest.raises(DiscordUnreachableError):
            await examining.discord_side.examine(TOKEN, HandClock())
    finally:
        discord.http.Route.BASE = base


async def test_servers_are_named_in_which_rights_are_lacking(capsys):
    no_send = INVITE.value & ~discord.Permissions(send_messages=True).value
    no_history = INVITE.value & ~discord.Permissions(read_message_history=True).value
    boss = discord.Permissions(administrator=True).value
    servers = [("Mute\x1b[31m Club", no_send), ("Forgetful", no_history), ("Boss", boss)]
    servers += [(f"Club {n}", INVITE.value) for n in range(250)]
    told = await examined(capsys, FakeDiscord(servers=servers))
    found = told.about("Rights")
    assert len(found) == 2
    assert found[0][0] == "fault"
    assert "no Send Messages; open the invitation" in found[0][1]
    assert "\x1b" not in found[0][1]
    assert found[1][0] == "warning"
    assert found[1][1].startswith("Forgetful: no Read Message History; open the invitation")
    assert told.code == 1


async def test_of_many_servers_without_rights_a_few_are_named(capsys):
    told = await examined(capsys, FakeDiscord(servers=[(f"Club {n}", 0) for n in range(15)]))
    assert len(told.about("Rights")) == 11
    assert "5 more servers lack rights" in told.about("Rights")[-1][1]


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(30, "s behind that of Discord"), (-30, "s ahead of that of Discord"), (1, "as that of")],
)
async def test_a_clock_that_is_wrong_by_more_than_two_seconds_is_told(capsys, seconds, words):
    told = await examined(capsys, FakeDiscord(ahead=timedelta(seconds=seconds)))
    assert words in told.the("Clock")[1]
    assert told.the("Clock")[0] == ("ok" if abs(seconds) < 2 else "warning")


async def test_what_the_portal_has_wrong_is_told(capsys):
    fake = FakeDiscord(
        application={"bot_public": False, "interactions_endpoint_url": "https://elsewhere"},
        starts_left=7,
        shards=3,
    )
    told = await examined(capsys, fake)
    assert [verdict for verdict, _ in told.about("Portal")] == ["fault", "warning"]
    assert "7 times more today" in told.the("Starts")[1]
    assert "3 shards" in told.the("Shards")[1]


@pytest.mark.parametrize(
    ("statement", "verdict", "words"),
    [
        ("UPDATE alembic_version SET version_num = '9999'", "fault", "a newer one wrote it"),
        ("UPDATE alembic_version SET version_num = '0001'", "warning", "brings it to 0005"),
        ("PRAGMA journal_mode = DELETE", "warning", "no write-ahead log"),
        ("DROP TABLE deals", "fault", "revision 0005, but table deals is missing: restore"),
    ],
)
async def test_what_is_wrong_with_the_database_is_told(capsys, statement, verdict, words):
    await upgrade(url_of(here("hearts.db")))
    with closing(sqlite3.connect("hearts.db")) as connection:
        connection.execute(statement)
        connection.commit()
    told = await examined(capsys, healthy=False)
    assert told.the("Database")[0] == verdict
    assert words in told.the("Database")[1]


@pytest.mark.skipif(os.name != "posix", reason="no such rights there")
async def test_hands_that_everybody_can_read_are_told(capsys):
    await upgrade(url_of(here("hearts.db")))
    here("hearts.db").chmod(0o640)
    assert "can read the hands" not in str(await examined(capsys, healthy=False))
    here("hearts.db").chmod(0o644)
    found = (await examined(capsys, healthy=False)).about("Database")
    assert (
        "warning",
        "everybody on this machine can read the hands in hearts.db: chmod 600 it",
    ) in found


async def test_a_file_that_is_no_database_is_a_fault(capsys):
    here("hearts.db").write_bytes(b"no database" * 1_000)
    told = await examined(capsys, healthy=False)
    assert "can't be used: file is not a database" in told.the("Database")[1]


async def test_a_file_that_may_only_be_read_is_a_fault(capsys):
    await upgrade(url_of(here("hearts.db")))
    only_to_be_read(here("hearts.db"))
    verdict, words = (await examined(capsys, healthy=False)).the("Database")
    assert verdict == "fault"
    assert "attempt to write a readonly database" in words


async def test_a_file_with_broken_pages_is_a_fault_though_it_opens(capsys):
    await upgrade(url_of(here("hearts.db")))
    with here("hearts.db").open("r+b") as file:
        file.seek(20 * 4096)
        file.write(b"\xa5" * 4096 * 8)
    verdict, words = (await examined(capsys, healthy=False)).the("Database")
    assert verdict == "fault"
    assert "damaged" in words or "malformed" in words


async def test_a_new_installation_has_nothing_to_complain_of_but_its_backups(capsys):
    told = await examined(capsys, healthy=False)
    assert told.code == 0
    assert "the bot makes its tables" in told.the("Database")[1]
    assert told.the("Backups")[0] == "warning"
    assert sorted(path.name for path in here(".").iterdir()) == []  # it changes nothing


async def test_backups_that_are_old_off_or_cannot_be_made_are_told(capsys, monkeypatch):
    await examined(capsys)
    [newest] = here("backups").iterdir()
    newest.rename(newest.with_name("hearts-20200101T000000Z.db"))
    assert "its log says why" in (await examined(capsys, healthy=False)).the("Backups")[1]
    [old] = here("backups").iterdir()
    old.rename(old.with_name("hearts-29990101T000000Z.db"))
    assert "clock is or was wrong" in (await examined(capsys, healthy=False)).the("Backups")[1]
    monkeypatch.setenv("BACKUP_HOURS", "0")
    assert "BACKUP_HOURS is 0" in (await examined(capsys, healthy=False)).the("Backups")[1]
    monkeypatch.setenv("BACKUP_HOURS", "6")
    here("file").touch()
    monkeypatch.setenv("BACKUP_DIR", "file")
    told = await examined(capsys, healthy=False)
    assert told.the("Backups")[0] == "fault"
    assert "set BACKUP_DIR" in told.the("Backups")[1]


@pytest.mark.parametrize(("free", "verdict"), [(10**9, "ok"), (10**8, "warning"), (10**7, "fault")])
async def test_a_disk_that_is_nearly_full_is_told(capsys, monkeypatch, free, verdict):
    monkeypatch.setattr(examining.database_side, "free_space", lambda _place: free)
    told = await examined(capsys)
    assert {each for each, _ in told.about("Disk")} == {verdict}


async def test_a_disk_that_cannot_be_asked_is_a_warning(capsys, monkeypatch):
    def refused(_place: Path) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(examining.database_side, "free_space", refused)
    assert "can't be asked" in (await examined(capsys)).the("Disk")[1]


async def test_a_server_that_is_no_sqlite_needs_none_of_our_backups(capsys, monkeypatch):
    monkeypatch.setenv("DATABASE_URL", "postgresql://hearts:s3cret@127.0.0.1:1/hearts")
    told = await examined(capsys, healthy=False)
    assert told.the("Database")[0] == "fault"
    assert "s3cret" not in str(told)
    assert told.the("Backups") == ("ok", "pg_dump makes them (docs/operations.md)")


@pytest.mark.thorough
async def test_a_postgresql_that_keeps_nothing_or_whose_clock_differs_is_told(capsys, monkeypatch):
    async with fresh_database() as url:
        monkeypatch.setenv("DATABASE_URL", url)
        hasty = await examined(capsys, healthy=False)  # the tests' own server, which is in a hurry
        real = examining.database_side.examine

        async def careful(of: str, clock: Clock) -> DatabaseState:
            return replace(await real(of, clock), keeps_commits=True)

        monkeypatch.setattr(examining.database_side, "examine", careful)
        monkeypatch.setattr(doctor, "SystemClock", lambda: HandClock(NOON))
        sound = await examined(capsys, healthy=False)
    assert "fsync is off" in hasty.the("Database")[1]
    assert ("ok", "as that of the database") in hasty.about("Clock")
    assert hasty.code == 1
    assert {verdict for verdict, _ in sound.about("Database")} == {"ok"}
    assert sound.about("Database")[1][1].startswith("PostgreSQL ")
    assert "s behind that of the database" in sound.about("Clock")[1][1]


async def test_an_env_that_others_can_read_is_a_warning(capsys):
    here(".env").touch()
    here(".env").chmod(0o644)
    assert "chmod 600 .env" in (await examined(capsys)).the(".env")[1]


def test_settings_that_are_wrong_are_one_line(capsys, monkeypatch):
    monkeypatch.setenv("BACKUP_KEEP", "none")
    monkeypatch.setattr(doctor, "findings", None)
    assert door.main(["doctor"]) == 2
    assert capsys.readouterr().err.startswith("hearts: BACKUP_KEEP is a whole number")
