"""How the bot is, told to programs on this machine."""

import asyncio
import re
import socket
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import aiohttp
import pytest
from aiohttp import web
from pydantic import SecretStr

from bot import OperatorError, app, health
from bot.counting import Pulses
from bot.health import Health, Lateness, answering
from bot.settings import Settings
from bot.stopping import Stop
from bot.table.tally import Tally
from bot.table.vitals import Backlog, BackupState, in_time
from cogs.client import HeartsBot
from db.backups import Backups
from tests.support.clock import NOON, HandClock
from tests.support.discord import discord_world
from tests.support.games import sit_down

IDLE = Backlog(posts_behind=0, behind_since=None, outbox_due=0, timers_due=0)


class Gateway:
    reachable = True

    def figures(self) -> Mapping[str, float]:
        return {"discord_invalid_last_10_minutes": 3}


class Queue:
    waiting = 2


class Vitals:
    """A database that answers, fails or hangs."""

    def __init__(self, backlog: Backlog | None = IDLE, *, hangs: bool = False) -> None:
        self.answer = backlog
        self.hangs = hangs

    async def backlog(self, _now: object) -> Backlog:
        if self.hangs:
            await asyncio.Event().wait()
        if self.answer is None:
            raise OSError("the disk is gone")
        return self.answer


class Copies:
    def state(self) -> BackupState:
        newest = NOON - timedelta(hours=5)
        return BackupState(on_schedule=True, newest=newest, kept=9, fault=None)


def healthy(clock: HandClock) -> Health:
    pulses, tally = Pulses(clock), Tally()
    for loop in ("publisher", "timekeeper"):
        pulses.feel(loop)
    return Health(
        gateway=Gateway(),
        vitals=Vitals(),
        copies=Copies(),
        queue=Queue(),
        pulses=pulses,
        lateness=Lateness(clock, tally),
        tally=tally,
        clock=clock,
    )


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@asynccontextmanager
async def asked(of: Health, path: str) -> AsyncIterator[tuple[int, str]]:
    async with (
        answering(of, port := free_port()),
        aiohttp.ClientSession() as session,
        session.get(f"http://127.0.0.1:{port}{path}") as answer,
    ):
        yield answer.status, await answer.text()


def port_of_ours() -> socket.socket:
    """A port that nobody else gets while the socket is open."""
    probe = socket.socket()
    probe.bind((health.HERE, 0))
    return probe


def free_port() -> int:
    with port_of_ours() as probe:
        return int(probe.getsockname()[1])


async def test_a_bot_in_good_health_says_ok(clock: HandClock):
    async with asked(healthy(clock), "/health") as told:
        assert told == (200, "ok\n")


async def test_each_thing_that_keeps_people_from_playing_is_named(clock: HandClock):
    ill = healthy(clock)
    away = Gateway()
    away.reachable = False
    clock.move(30)
    assert await ill.faults() == []
    clock.move(1)
    ill.pulses.feel("timekeeper")
    async with asked(replace(ill, gateway=away, vitals=Vitals(None)), "/health") as (status, said):
        assert status == 503
        assert said.splitlines() == [
            "gateway: not connected",
            "publisher: not heard of for too long",
            "database: no answer within 2 seconds",
        ]


async def test_a_loop_that_never_came_by_is_not_alive(clock: HandClock):
    unheard = replace(healthy(clock), pulses=Pulses(clock))
    assert len(await unheard.faults()) == 2


async def test_a_database_that_hangs_is_not_waited_for(
    clock: HandClock, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(in_time, "__defaults__", (0.0,))
    hanging = replace(healthy(clock), vitals=Vitals(hangs=True))
    assert await hanging.faults() == ["database: no answer within 2 seconds"]
    assert (await hanging.figures())["database_answers"] == 0


async def test_numbers_are_plain_lines(clock: HandClock):
    busy = Backlog(
        posts_behind=4, behind_since=NOON - timedelta(seconds=1.5), outbox_due=7, timers_due=0
    )
    state = replace(healthy(clock), vitals=Vitals(busy))
    state.tally.count("clicks_total", 123_456_789)
    state.tally.count("refusals_total", kind="StaleClickError")
    async with asked(state, "/metrics") as (status, said):
        assert status == 200
    lines = dict(line.rsplit(" ", 1) for line in said.splitlines())
    assert lines["hearts_clicks_total"] == "123456789"
    assert lines['hearts_refusals_total{kind="StaleClickError"}'] == "1"
    assert lines["hearts_posts_behind"] == "4"
    assert lines["hearts_posts_lag_seconds"] == "1.5"
    assert lines["hearts_backup_age_seconds"] == "18000"
    assert lines["hearts_backup_failing"] == "0"
    assert lines["hearts_robots_waiting"] == "2"
    assert lines["hearts_gateway_connected"] == "1"
    assert lines["hearts_discord_invalid_last_10_minutes"] == "3"


async def test_without_a_port_nothing_listens(clock: HandClock, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(web, "AppRunner", None)
    async with answering(healthy(clock), None):
        pass


async def test_a_port_that_is_taken_is_the_operators_mistake(clock: HandClock):
    with port_of_ours() as taken:
        taken.listen()
        port = int(taken.getsockname()[1])
        with pytest.raises(OperatorError, match=f"HEALTH_PORT {port} can't be opened"):
            async with answering(healthy(clock), port):
                pass


def files_in(folder: Path) -> list[Path]:
    return list(folder.iterdir())


async def test_a_taken_port_is_told_before_the_database_is_touched(tmp_path: Path, monkeypatch):
    async def login(*_: object) -> None:
        raise AssertionError("logged in")

    monkeypatch.setattr(HeartsBot, "login", login)
    with port_of_ours() as taken, closing(Stop()) as stop:
        taken.listen()
        settings = Settings(
            _env_file=None,
            discord_token=SecretStr("a.b.c"),
            database_url=f"sqlite+aiosqlite:///{tmp_path / 'hearts.db'}",
            health_port=int(taken.getsockname()[1]),
        )
        with pytest.raises(OperatorError, match="HEALTH_PORT"):
            await app.run(settings, stop)
    assert files_in(tmp_path) == []


async def test_the_event_loops_lateness_is_measured(clock: HandClock):
    lateness = Lateness(clock, Tally())
    loop = asyncio.create_task(lateness.run())
    await asyncio.sleep(0)
    clock.move(0.8)  # the task wished for half a second
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    loop.cancel()
    assert lateness.latest == pytest.approx(0.3)


async def test_a_game_is_counted_and_no_person_place_or_card_stands_in_the_numbers():
    async with discord_world() as world:
        [ann] = await sit_down(world, [world.person("Ann")], robots=3)
        await world.let_robots_move()
        figures = await app._health(world.app, world.clock).figures()
        silent = await app._health(world.app, world.clock).faults()
        await world.app.timekeeper._pass()
        assert await app._health(world.app, world.clock).faults() == []
    assert silent == ["timekeeper: not heard of for too long"]  # the loops do not run in a test
    for name in (
        "commits_total",
        "events_total",
        'interactions_total{kind="component"}',
        "posts_sent_total",
        "posts_edited_total",
        'timers_fired_total{kind="robot"}',
    ):
        assert figures[name] > 0, name
    assert figures["database_answers"] == 1
    assert figures["posts_behind"] == 0
    words = " ".join(figures)
    assert not re.search(r"\d{5,}", words)
    assert ann.table not in words
    assert all(re.fullmatch(r'[a-z0-9_]+(\{[a-z]+="\w+"\})?', name) for name in figures)


async def test_while_the_bot_runs_backups_are_made_and_programs_are_answered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """The whole program but for Discord; its gateway looks around and ends it."""
    port, copied = free_port(), asyncio.Event()
    seen: dict[str, object] = {}
    step = Backups.step

    async def copy_and_tell(backups: Backups) -> float:
        seconds = await step(backups)
        copied.set()
        return seconds

    async def nothing(*_: object) -> None:
        """Stands in for the login and the commands."""

    async def gateway(_bot: HeartsBot) -> None:
        await copied.wait()
        async with aiohttp.ClientSession() as session:
            for path in ("health", "metrics"):
                async with session.get(f"http://127.0.0.1:{port}/{path}") as answer:
                    seen[path] = await answer.text()

    monkeypatch.setattr(Backups, "step", copy_and_tell)
    for name in ("login", "sync_commands"):
        monkeypatch.setattr(HeartsBot, name, nothing)
    monkeypatch.setattr(app, "run_bot", gateway)
    url = f"sqlite+aiosqlite:///{tmp_path / 'hearts.db'}"
    settings = Settings(
        _env_file=None, discord_token=SecretStr("a.b.c"), database_url=url, health_port=port
    )
    stop = Stop()
    try:
        await app.run(settings, stop)
    finally:
        stop.close()
    assert "gateway: not connected" in str(seen["health"])
    assert "hearts_backups_kept 1" in str(seen["metrics"])
    assert len(list((tmp_path / "backups").iterdir())) == 1
