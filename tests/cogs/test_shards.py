"""Several processes behind one Discord (discord.md 2.8): a press reaches any, and counts once."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import simcord

from bot.app import App, build
from bot.rules import variants
from bot.rules.cards import Seat
from bot.table.clocks import move_clock
from bot.table.ids import ChannelId, GuildId, InteractionId, UserId
from bot.table.leases import Leases
from bot.table.manager import OpenTable, TableManager
from bot.table.persons import Persons
from bot.table.publisher import Publisher
from bot.table.robots import Robots
from bot.table.shards import Shards
from bot.table.storing import Cause
from bot.table.timekeeper import Timekeeper
from bot.table.views import HandView
from cogs.ui import ids
from db.engine import Database, open_database
from db.event_store import SqlEventStore
from db.leases import SqlLeases
from db.settings import SqlSettings
from db.work import SqlWork
from tests.support.discord import SimClock, actions
from tests.support.fakes import CountedSeeds, RecordingPoster, slot_of
from tests.support.games import menu_of
from tests.support.store import fresh_url

GUILD = GuildId(7 << 22)
"""Lies in shard 1 of 2."""
CHANNEL = ChannelId(11)


class Elsewhere:
    """The process that serves the table's shard: all of a bot but its gateway."""

    def __init__(self, database: Database, clock: SimClock, shards: Shards) -> None:
        settings, seeds = SqlSettings(database), CountedSeeds("elsewhere")
        work, log = SqlWork(database), logging.getLogger("tests.publisher")
        self.clock = clock
        self.poster = RecordingPoster()
        self.leases = Leases(SqlLeases(database), shards, "elsewhere", clock)
        self.tables = TableManager(
            store=SqlEventStore(database, shared=True),
            settings=settings,
            clock=clock,
            seeds=seeds,
            robots=Robots(seeds),
        )
        persons = Persons(settings, self.tables)
        self.publisher = Publisher(work, self.tables, persons, self.poster, clock, log, self.leases)
        self.timekeeper = Timekeeper(work, self.tables, clock, self.leases)
        self._numbers = iter(range(1, 99))

    def by(self, user: int) -> Cause:
        return Cause(self.clock.now(), UserId(user), InteractionId(next(self._numbers)))

    async def table_of(self, user: int) -> HandView:
        """A game of one person and three robots, in which that person is to pass."""
        wish = OpenTable(
            guild_id=GUILD,
            channel_id=CHANNEL,
            ruleset=variants.load("standard"),
            seats=4,
            clock=move_clock("1h"),
            robots=("steady",) * 3,
            invited=(),
        )
        view = await self.tables.open(self.by(user), wish)
        await self.tables.start(self.by(user), view.id)
        await self.publisher.flush()
        return await self.tables.hand(view.id, UserId(user))

    def shown(self) -> list[str | None]:
        found = [slot_of(message.content) for message in self.poster.messages.values()]
        return [None if slot is None else slot[1] for slot in found]


class Processes:
    """One that Discord brings direct messages, and one for the shard of the table."""

    def __init__(self, env: simcord.Env, app: App, clock: SimClock, elsewhere: Elsewhere) -> None:
        self.env = env
        self.app = app
        self.clock = clock
        self.elsewhere = elsewhere
        self.ann = env.create_user("Ann", global_name="Ann")

    async def pass_time(self, seconds: float) -> None:
        await self.env.advance_time(seconds)
        await self.app.timekeeper.fire_due()
        await self.elsewhere.timekeeper.fire_due()
        await self.elsewhere.publisher.flush()


@asynccontextmanager
async def processes(folder: Path) -> AsyncIterator[Processes]:
    url, clock = await fresh_url(folder), SimClock()
    here, there = open_database(url), open_database(url)
    leases = Leases(SqlLeases(here), Shards(2, (0,)), "here", clock)
    app = build(here, clock=clock, seeds=CountedSeeds("here"), leases=leases)
    run = simcord.run(app.bot)
    env = clock.env = run._env
    async with run:
        elsewhere = Elsewhere(there, clock, Shards(2, (1,)))
        await leases.step()
        await elsewhere.leases.step()
        await env.settle()
        await app.bot.sync_commands()
        yield Processes(env, app, clock, elsewhere)
    await here.close()
    await there.close()


async def passed_in_private(both: Processes) -> Any:
    """Ann asks for her hand in a direct message and passes three cards there."""
    hand = await both.ann.slash("hearts hand")
    [menu] = [each for each in actions(hand.response) if isinstance(each, ids.ChoosePass)]
    values, count = menu_of(hand.response, menu)
    await both.ann.select(hand.response, values[:count], custom_id=ids.write(menu))
    [confirm] = [each for each in actions(hand.response) if isinstance(each, ids.ConfirmPass)]
    return await both.ann.click(hand.response, custom_id=ids.write(confirm))


async def test_a_press_in_a_direct_message_plays_at_a_table_of_another_process(tmp_path: Path):
    async with processes(tmp_path) as both:
        before = await both.elsewhere.table_of(both.ann.id)
        assert (await passed_in_private(both)).acknowledged
        after = await both.elsewhere.tables.view(before.table.id)
        assert after.version == before.table.version + 1, "its process knows at the next look"
        assert after.game is not None
        assert Seat(0) not in after.game.waiting


async def test_the_process_of_the_table_shows_it_and_goes_on_and_the_other_does_not(
    tmp_path: Path,
):
    async with processes(tmp_path) as both:
        before = await both.elsewhere.table_of(both.ann.id)
        await passed_in_private(both)
        requests = len(both.env.http_requests)
        await both.app.publisher.flush()
        await both.app.timekeeper.fire_due()
        assert len(both.env.http_requests) == requests, "nothing here is its work"
        for _ in range(6):
            await both.pass_time(5)
        assert "trick:1" in both.elsewhere.shown()
        view = await both.app.tables.view(before.table.id)
        assert view == await both.elsewhere.tables.view(before.table.id)
        assert view.game is not None


async def test_a_press_that_reaches_both_processes_counts_once(tmp_path: Path):
    async with processes(tmp_path) as both:
        before = await both.elsewhere.table_of(both.ann.id)
        assert before.hand is not None
        cards = frozenset(sorted(before.hand.hand, key=str)[:3])
        cause = both.elsewhere.by(both.ann.id)
        table = before.table.id
        hands = await asyncio.gather(
            both.elsewhere.tables.pass_cards(cause, table, cards, seen_deal=1),
            both.app.tables.pass_cards(cause, table, cards, seen_deal=1),
        )
        assert [hand.table.version for hand in hands] == [before.table.version + 1] * 2


async def test_two_shards_of_one_process_have_gateways_and_clocks_of_their_own(tmp_path: Path):
    clock = SimClock()
    database = open_database(await fresh_url(tmp_path))
    leases = Leases(SqlLeases(database), Shards(2, (0, 1)), "both", clock)
    app = build(database, clock=clock, seeds=CountedSeeds(), leases=leases)
    run = simcord.run(app.bot)
    clock.env = run._env
    async with run:
        assert list(app.bot.shards) == [0, 1]
        await leases.step()
        guilds = [run._env.create_guild(f"server {n}", shard_id=n) for n in range(2)]
        await run._env.settle()
        assert {guild.id for guild in app.bot.guilds} == {guild.id for guild in guilds}
        assert {guild.shard_id for guild in app.bot.guilds} == {0, 1}
        app.bot.dispatch("shard_disconnect", 1)
        await run._env.settle()
        assert app.timekeeper._rests == {1}
        app.bot.dispatch("shard_resumed", 1)
        await run._env.settle()
        assert app.timekeeper._rests == set()
    await database.close()
