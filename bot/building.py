"""Puts the bot together; `bot.app` starts and stops it."""

import logging
from dataclasses import dataclass

from bot.caring import Care, build_caretaker, build_privacy
from bot.counting import (
    CountedEvents,
    CountedPoster,
    CountedTables,
    CountedThinking,
    Pulses,
    WatchedWork,
)
from bot.sharing import WatchedLeases
from bot.table.caretaker import Caretaker
from bot.table.leases import ALONE, Held, Leases
from bot.table.manager import TableManager
from bot.table.persons import Persons
from bot.table.ports import Clock, Seeds
from bot.table.publisher import Publisher
from bot.table.reach import Reach
from bot.table.robots import Robots
from bot.table.scorekeeper import ScoreKeepers
from bot.table.shards import ALL
from bot.table.tally import Tally
from bot.table.thinking import Thinking, processes
from bot.table.timekeeper import Timekeeper
from bot.table.vitals import Copies
from cogs.client import HeartsBot
from cogs.services import Services
from db.engine import Database
from db.keepers import SqlKeepers
from db.settings import SqlSettings
from db.standings import SqlStandings
from db.vitals import SqlVitals

_PUBLISHER_LOG = logging.getLogger("bot.table.publisher")


@dataclass(frozen=True, slots=True, kw_only=True)
class App:
    """The whole bot, built and not yet started."""

    bot: HeartsBot
    tables: TableManager
    publisher: Publisher
    timekeeper: Timekeeper
    thinking: Thinking
    """To be closed before the program ends."""
    pulses: Pulses
    caretaker: Caretaker


@dataclass(frozen=True, slots=True, kw_only=True)
class _Ground:
    """What everything else stands on."""

    database: Database
    clock: Clock
    seeds: Seeds
    care: Care
    tally: Tally
    pulses: Pulses
    held: Held
    store: CountedEvents
    work: WatchedWork


def build(
    database: Database,
    *,
    clock: Clock,
    seeds: Seeds,
    robot_scale: float = 1.0,
    robot_processes: int | None = None,
    copies: Copies | None = None,
    care: Care | None = None,
    leases: Leases | None = None,
) -> App:
    """Put the bot together; nothing is opened, sent or started.

    Args:
        database: already at this program's schema.
        clock: the only time in it.
        seeds: the only chance in it.
        robot_scale: what the robots' delays are multiplied by.
        robot_processes: how many processes may think for robots that search, but at most one a
            core; ``None``: a few. They start when the first such robot is to move.
        copies: who knows of backups, if the bot makes them.
        care: what the operator decided about people's data.
        leases: what several processes over one database divide by; ``None``: there are no others.
    """
    ground = _ground(database, clock, seeds, care or Care(), leases)
    thinking = CountedThinking(clock, ground.tally, most=processes(robot_processes))
    tables = TableManager(
        store=ground.store,
        settings=SqlSettings(database),
        clock=clock,
        seeds=seeds,
        robots=Robots(seeds, scale=robot_scale, thinking=thinking),
    )
    counted = CountedTables(tables, clock, ground.tally)
    timekeeper = Timekeeper(ground.work, counted, clock, ground.held)
    services = _services(ground, tables, timekeeper, copies)
    bot = HeartsBot(services, leases.shards if leases else ALL)
    app = _app(ground, bot, timekeeper, thinking)
    _have_listen(app)
    return app


def _ground(
    database: Database, clock: Clock, seeds: Seeds, care: Care, leases: Leases | None
) -> _Ground:
    tally, pulses = Tally(), Pulses(clock)
    return _Ground(
        database=database,
        clock=clock,
        seeds=seeds,
        care=care,
        tally=tally,
        pulses=pulses,
        held=WatchedLeases(leases or ALONE, pulses),
        store=CountedEvents(database, clock, tally, shared=leases is not None),
        work=WatchedWork(database, pulses),
    )


def _services(
    on: _Ground, tables: TableManager, timekeeper: Timekeeper, copies: Copies | None
) -> Services:
    settings, clock, seeds = SqlSettings(on.database), on.clock, on.seeds
    return Services(
        tables=tables,
        persons=Persons(settings, tables),
        events=on.store,
        work=on.work,
        settings=settings,
        standings=SqlStandings(on.database),
        keepers=ScoreKeepers(SqlKeepers(on.database), clock, seeds),
        clock=clock,
        reach=Reach(tables.servers, timekeeper, clock, on.held),
        privacy=build_privacy(
            on.database, tables, on.store, clock=clock, seeds=seeds, care=on.care
        ),
        vitals=SqlVitals(on.database),
        copies=copies,
        tally=on.tally,
    )


def _app(on: _Ground, bot: HeartsBot, timekeeper: Timekeeper, thinking: Thinking) -> App:
    tables, persons = bot.services.tables, bot.services.persons
    poster = CountedPoster(bot, on.clock, on.tally)
    return App(
        bot=bot,
        tables=tables,
        publisher=Publisher(on.work, tables, persons, poster, on.clock, _PUBLISHER_LOG, on.held),
        timekeeper=timekeeper,
        thinking=thinking,
        pulses=on.pulses,
        caretaker=build_caretaker(on.database, bot, on.care),
    )


def _have_listen(app: App) -> None:
    """Have everybody told of what each waits for."""
    app.tables.listen(app.publisher.wake)
    app.tables.listen(app.bot.open_hands.table_changed)
    app.tables.listen(lambda _table: app.timekeeper.wake())
    app.tables.foresight.listen(app.timekeeper.wake)
