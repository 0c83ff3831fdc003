"""Killed anywhere between a click and its post, the bot loses and doubles nothing.

Promises 1 and 4 of reliability.md 6. Discord outlives the bot and goes wrong itself: refused and
lost requests, waits. After each death another process goes on, and what was not answered is
pressed again.
"""

import multiprocessing
import random
import signal
import sqlite3
from collections import Counter
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import pytest

from bot.table import history
from bot.table.ids import TableId
from bot.table.state import Table
from db.migrate import upgrade
from tests.support import doomed
from tests.support.clock import NOON, HandClock
from tests.support.doomed import POINTS, Bot, Doom, Orders
from tests.support.fakes import CountedSeeds
from tests.support.far_discord import Answered, Asked, FarDiscord, look_of
from tests.support.forms import times
from tests.support.kill_child import Click
from tests.support.store import url_of

PROCESSES = multiprocessing.get_context("forkserver")
PROCESSES.set_forkserver_preload(["tests.support.doomed"])
KILLS = times(50, 500)
"""In each half; at every point the same number."""
FAULTS = times(0.05, 0.2)
MOST_STEPS = 80
"""A process that never comes to its point is killed all the same after so many looks."""
_SILENCE = 60
"""Seconds without a word after which a process hangs."""


@dataclass(slots=True)
class World:
    """All that outlives the processes."""

    file: Path
    discord: FarDiscord
    now: datetime = NOON
    acked: set[int] = field(default_factory=set)
    unanswered: list[Click] = field(default_factory=list)
    pressed: int = 0
    """How often the unanswered were pressed again."""
    refused: Counter[str] = field(default_factory=Counter)
    fired: Counter[tuple[Any, ...]] = field(default_factory=Counter)
    """Timers that moved a table, and how often each did."""
    deaths: Counter[str] = field(default_factory=Counter)
    """By point; those that never came to theirs under nothing."""

    def live_and_die(self, life: int, point: str, passes: int, *, hasty: bool = False) -> None:
        """Let one process play until it comes to its end."""
        orders = Orders(
            url=url_of(self.file),
            life=life,
            point=point,
            passes=passes,
            now=self.now,
            unanswered=self.unanswered,
            hasty=hasty,
        )
        self.pressed += len(self.unanswered)
        pipe, its = PROCESSES.Pipe()
        process = PROCESSES.Process(target=doomed.live, args=(its, orders))
        process.start()
        its.close()
        try:
            reached = self._attend(pipe)
        finally:
            process.kill()
            process.join()
        assert process.exitcode == -signal.SIGKILL, "it died of something else"
        self.deaths[point if reached else ""] += 1
        self.now += timedelta(seconds=2)

    def _attend(self, pipe: Connection) -> bool:
        """Be its Discord and hear what it says; return whether it died by itself."""
        steps = 0
        with pipe:
            while steps < MOST_STEPS:
                assert pipe.poll(_SILENCE), "the process says nothing any more"
                try:
                    word = pipe.recv()
                    if "ask" in word:
                        pipe.send((word["id"], self.discord.answer(word["ask"])))
                except (EOFError, ConnectionError):
                    return True
                steps += "now" in word
                self._hear(word)
        return False

    def _hear(self, word: dict[str, Any]) -> None:
        match word:
            case {"try": click}:
                self.unanswered.append(click)
            case {"ack": number}:
                self.acked.add(number)
                self._answered(number)
            case {"refused": number, "why": why}:
                self.refused[why] += 1
                self._answered(number)
            case {"now": now}:
                self.now = now
            case {"fired": key}:
                self.fired[key] += 1
            case {"complaint": said}:
                raise AssertionError(said)
            case _:
                assert "ask" in word, word

    def _answered(self, number: int) -> None:
        self.unanswered = [click for click in self.unanswered if click.number != number]

    def kill_often(self, points: tuple[str, ...], kills: int, *, hasty: bool = False) -> None:
        """One process after another, each killed at another point."""
        dice = random.Random(kills)
        for life in range(1, kills + 1):
            point = points[life % len(points)]
            self.live_and_die(life, point, dice.randint(1, 4), hasty=hasty)

    def look(self, query: str) -> list[tuple[Any, ...]]:
        """What an SQL query finds in the store, from outside."""
        with closing(sqlite3.connect(self.file)) as database:
            return database.execute(query).fetchall()

    def lost(self) -> set[int]:
        stored = {iid for (iid,) in self.look("SELECT iid FROM events WHERE iid IS NOT NULL")}
        return self.acked - stored

    async def settle(self) -> Bot:
        """A last process, in which nobody presses anything but again, shows all there is."""
        self.discord.faults = 0
        clock = HandClock(self.now)

        async def ask(asked: Asked) -> Answered:
            return self.discord.answer(asked)

        bot = doomed.build(
            url_of(self.file),
            clock=clock,
            seeds=CountedSeeds("last"),
            ask=ask,
            doom=Doom(None, 0),
            say=self._hear,
        )
        pipe: Any = _Ear(self)
        company = doomed.Company(bot.tables, 0, random.Random(0), pipe, clock.now)
        for click in tuple(self.unanswered):
            await company.carry_out(click)
        while await bot.work.posts_behind(1) or await bot.work.due_outbox(clock.now(), 1):
            await bot.publisher.flush()
            clock.move(4)
        return bot


@dataclass(slots=True)
class _Ear:
    """Stands for the pipe of a process that is this one."""

    world: World

    def send(self, word: dict[str, Any]) -> None:
        self.world._hear(word)


async def world_in(folder: Path, seed: int, **wishes: Any) -> World:
    file = folder / "hearts.db"
    await upgrade(url_of(file))
    _keep_books(file)
    discord = FarDiscord(random.Random(seed), wishes.pop("faults", FAULTS), **wishes)
    return World(file, discord)


def _keep_books(file: Path) -> None:
    """Have the database itself write down which calls were wanted, and what became of each."""
    with closing(sqlite3.connect(file)) as database:
        database.executescript(
            """
            CREATE TABLE said (nonce TEXT PRIMARY KEY, message INTEGER);
            CREATE TRIGGER wanted AFTER INSERT ON outbox WHEN new.kind = 'ping'
                BEGIN INSERT INTO said VALUES (new.nonce, NULL); END;
            CREATE TRIGGER told AFTER UPDATE OF message_id ON outbox
                WHEN new.message_id IS NOT NULL
                BEGIN UPDATE said SET message = new.message_id WHERE nonce = new.nonce; END;
            """
        )


async def assert_nothing_is_lost_or_doubled(world: World) -> Counter[str]:
    """Look at everything from outside; what was counted."""
    bot = await world.settle()
    assert not world.lost()
    twice = "SELECT iid FROM events GROUP BY iid HAVING COUNT(*) > 1 AND iid IS NOT NULL"
    assert world.look(twice) == []
    assert [key for key, fires in world.fired.items() if fires > 1] == []
    tables = [TableId(row[0]) for row in world.look("SELECT id FROM tables")]
    for table_id in tables:
        await assert_stored_is_replayed(world, bot, table_id)
        await assert_posts_tell_the_truth(world, bot, table_id)
    calls = assert_calls_are_said_once(world)
    await bot.database.close()
    return Counter(acked=len(world.acked), tables=len(tables), fired=len(world.fired), calls=calls)


async def assert_stored_is_replayed(world: World, bot: Bot, table_id: TableId) -> None:
    stored = await bot.store.load(table_id)
    past = history.replay(stored)
    assert past.fault is None
    [(version, status)] = world.look(f"SELECT version, status FROM tables WHERE id='{table_id}'")
    assert [each.seq for each in stored] == list(range(1, version + 1))
    assert past.table.status.value == status
    points = world.look(f"SELECT points FROM results WHERE table_id='{table_id}' ORDER BY seat")
    assert [row for (row,) in points] == _totals(past.table)


def _totals(table: Table) -> list[int]:
    """By seat; nothing before the end."""
    if table.game is None or table.status.value != "over":
        return []
    return list(table.game.totals)


async def assert_posts_tell_the_truth(world: World, bot: Bot, table_id: TableId) -> None:
    for (slot,) in world.look(f"SELECT slot FROM posts WHERE table_id='{table_id}'"):
        post, _ = await bot.tables.post(table_id, slot)
        looks = [message.look for message in world.discord.standing((table_id, slot))]
        assert looks == [look_of(post)], f"{table_id} {slot}"


def assert_calls_are_said_once(world: World) -> int:
    """Every call that the store holds for said was said, none twice; how many were said."""
    said = dict(world.look("SELECT nonce, message FROM said WHERE message IS NOT NULL"))
    assert [nonce for nonce in said if world.discord.made[nonce] != 1] == []
    assert [nonce for nonce, made in world.discord.made.items() if made > 1] == []
    assert world.look("SELECT id FROM outbox WHERE kind = 'ping' AND due_at IS NOT NULL") == []
    return len(said)


def strays(world: World) -> int:
    """Calls that stand in a channel although the store does not know where.

    A call that was delivered in the moment of a death is asked for anew at the next start. Where
    Discord refuses that too, and the turn passes meanwhile, nobody deletes it: it is old, but
    neither missing nor doubled.
    """
    known = {message for (message,) in world.look("SELECT message_id FROM outbox")}
    calls = {key for key, each in world.discord.messages.items() if each.mark[1] == "ping"}
    return len(calls - known)


def _said_of(world: World, counts: Counter[str]) -> None:
    deaths = sum(world.deaths.values())
    print(
        f"promise 1: 0 of {counts['acked']:,} acked moves lost in {deaths} kills at "
        f"{len(world.deaths)} points, {world.pressed:,} pressed again, "
        f"{counts['fired']:,} timers fired once each"
    )
    print(
        f"promise 4: {counts['calls']:,} calls said once each, {strays(world)} of them stand on "
        f"after their turn, all posts of {counts['tables']} tables true; of "
        f"{world.discord.orders.total():,} requests {world.discord.orders['down']:,} were refused, "
        f"{world.discord.orders['lost']:,} done without an answer, "
        f"{world.discord.orders['busy']:,} told to wait"
    )


@pytest.mark.kill
@pytest.mark.slow
@pytest.mark.promise(1)
@pytest.mark.promise(4)
@pytest.mark.parametrize("half", [0, 1])
async def test_a_kill_at_any_point_loses_nothing_and_doubles_nothing(tmp_path: Path, half: int):
    world = await world_in(tmp_path, seed=half)
    points = POINTS[half::2]
    world.kill_often(points, KILLS)
    counts = await assert_nothing_is_lost_or_doubled(world)
    assert set(world.refused) <= {"StaleClickError"}, "a press that is sent again is no fault"
    assert set(points) <= set(world.deaths), "each point is come to"
    assert counts["acked"] > KILLS
    assert counts["calls"], "people were called"
    assert strays(world) <= times(KILLS // 2, KILLS)
    _said_of(world, counts)


@pytest.mark.kill
@pytest.mark.slow
@pytest.mark.promise(4)
async def test_a_discord_without_a_memory_for_nonces_shows_what_they_are_good_for(tmp_path: Path):
    """The control: the same look finds calls and posts that were sent twice."""
    world = await world_in(tmp_path, seed=3, faults=0.2, remembers=timedelta(0))
    world.kill_often(("after a send", "after a call"), 8)
    bot = await world.settle()
    with pytest.raises(AssertionError):
        assert_calls_are_said_once(world)
    await bot.database.close()
    doubled = sum(made - 1 for made in world.discord.made.values())
    print(f"promise 4: control without nonces: {doubled} messages doubled in 8 kills")


@pytest.mark.kill
@pytest.mark.promise(1)
async def test_a_store_that_answers_too_early_is_found_out_at_every_point(tmp_path: Path):
    """The control: acknowledged before the commit, a move may be gone."""
    world = await world_in(tmp_path, seed=4, faults=0)
    world.kill_often(("after the answer", "after believing"), 6, hasty=True)
    assert world.lost()
    print(f"promise 1: control with a hasty store: {len(world.lost())} acked moves lost in 6 kills")


@pytest.mark.kill
@pytest.mark.promise(4)
async def test_a_post_that_tells_no_truth_is_found_out(tmp_path: Path):
    """The control of the look at the posts: one is changed, one is there twice."""
    world = await world_in(tmp_path, seed=5, faults=0)
    world.live_and_die(1, "after the post is stored", 6)
    bot = await world.settle()
    tables = [TableId(row[0]) for row in world.look("SELECT id FROM tables")]
    shown = [message for message in world.discord.messages.values() if message.mark[1] == "lobby"]
    await assert_posts_tell_the_truth(world, bot, tables[0])
    world.discord.messages[1] = replace(shown[0])
    with pytest.raises(AssertionError):
        await assert_posts_tell_the_truth(world, bot, TableId(shown[0].mark[0]))
    del world.discord.messages[1]
    shown[0].look = "another"
    with pytest.raises(AssertionError):
        await assert_posts_tell_the_truth(world, bot, TableId(shown[0].mark[0]))
    await bot.database.close()
