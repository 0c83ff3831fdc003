"""Composition: the one place that knows all rooms, and the order in which they start and stop."""

import asyncio
import logging
import secrets
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from bot import OperatorError
from bot.caring import Care, build_caretaker, build_privacy, care_of
from bot.counting import (
    CountedEvents,
    CountedPoster,
    CountedTables,
    CountedThinking,
    Pulses,
    WatchedWork,
)
from bot.health import Health, Lateness, answering
from bot.rules import variants
from bot.rules.ruleset_faults import problems as faults_of
from bot.settings import TOKEN_REFUSED, Settings
from bot.stopping import Stop
from bot.table.caretaker import Caretaker
from bot.table.ids import TABLE_ID_LENGTH, TABLE_ID_LETTERS, TableId
from bot.table.manager import TableManager
from bot.table.persons import Persons
from bot.table.ports import Clock, Seeds
from bot.table.publisher import Publisher
from bot.table.reach import Reach
from bot.table.robots import Robots
from bot.table.scorekeeper import ScoreKeepers
from bot.table.storing import StoredEvent
from bot.table.tally import Tally
from bot.table.thinking import Thinking, processes
from bot.table.timekeeper import Timekeeper
from bot.table.vitals import Copies
from cogs.client import (
    CommandsRefusedError,
    DiscordUnreachableError,
    HeartsBot,
    IntentsRefusedError,
    TokenRefusedError,
    command_payloads,
    log_in,
    payload_faults,
    run_bot,
)
from cogs.services import Services
from db.backups import Backups, file_of, folder_for
from db.engine import Database, old_sqlite_warning, open_database
from db.event_store import SqlEventStore
from db.keepers import SqlKeepers
from db.migrate import problems, upgrade
from db.settings import SqlSettings
from db.standings import SqlStandings
from db.vitals import SqlVitals

log = logging.getLogger(__name__)
_PUBLISHER_LOG = logging.getLogger("bot.table.publisher")

_CLICKS_SECONDS = 2.0
"""How long a stop waits for clicks that are being answered."""
_POSTS_SECONDS = 1.5
"""How long a stop waits for posts to catch up; the next start goes on where this one ends."""
_CLOSE_SECONDS = 1.0
_DATABASE_SECONDS = 3.0
_INTENTS_REFUSED = (
    "Discord refuses the gateway an intent: open discord.com/developers/applications, your "
    "application → Bot, and look at Privileged Gateway Intents. This bot needs none of them."
)


Loop = Coroutine[Any, Any, None]


class SystemClock:
    """`bot.table.ports.Clock`: the machine's."""

    def now(self) -> datetime:
        """See `bot.table.ports.Clock.now`."""
        return datetime.now(UTC)

    async def sleep(self, seconds: float) -> None:
        """See `bot.table.ports.Clock.sleep`."""
        await asyncio.sleep(seconds)


class SecretSeeds:
    """`bot.table.ports.Seeds`: the operating system's secret randomness."""

    def seed(self) -> bytes:
        """See `bot.table.ports.Seeds.seed`."""
        return secrets.token_bytes(32)

    def table_id(self) -> TableId:
        """See `bot.table.ports.Seeds.table_id`."""
        return TableId("".join(secrets.choice(TABLE_ID_LETTERS) for _ in range(TABLE_ID_LENGTH)))

    def fraction(self) -> float:
        """See `bot.table.ports.Seeds.fraction`."""
        return secrets.randbelow(1 << 53) / (1 << 53)


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


def build(
    database: Database,
    *,
    clock: Clock,
    seeds: Seeds,
    robot_scale: float = 1.0,
    robot_processes: int | None = None,
    copies: Copies | None = None,
    care: Care | None = None,
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
    """
    care = care or Care()
    tally, pulses = Tally(), Pulses(clock)
    store, work = CountedEvents(database, clock, tally), WatchedWork(database, pulses)
    settings = SqlSettings(database)
    thinking = CountedThinking(clock, tally, most=processes(robot_processes))
    robots = Robots(seeds, scale=robot_scale, thinking=thinking)
    tables = TableManager(store=store, settings=settings, clock=clock, seeds=seeds, robots=robots)
    persons = Persons(settings, tables)
    timekeeper = Timekeeper(work, CountedTables(tables, clock, tally), clock)
    services = Services(
        tables=tables,
        persons=persons,
        events=store,
        work=work,
        settings=settings,
        standings=SqlStandings(database),
        keepers=ScoreKeepers(SqlKeepers(database), clock, seeds),
        clock=clock,
        reach=Reach(tables.servers, timekeeper, clock),
        privacy=build_privacy(database, tables, store, clock=clock, seeds=seeds, care=care),
        vitals=SqlVitals(database),
        copies=copies,
        tally=tally,
    )
    bot = HeartsBot(services)
    publisher = Publisher(work, tables, persons, CountedPoster(bot, tally), clock, _PUBLISHER_LOG)
    app = App(
        bot=bot,
        tables=tables,
        publisher=publisher,
        timekeeper=timekeeper,
        thinking=thinking,
        pulses=pulses,
        caretaker=build_caretaker(database, bot, care),
    )
    _have_listen(app)
    return app


def _have_listen(app: App) -> None:
    """Have everybody told of what each waits for."""
    app.tables.listen(app.publisher.wake)
    app.tables.listen(app.bot.open_hands.table_changed)
    app.tables.listen(lambda _table: app.timekeeper.wake())
    app.tables.foresight.listen(app.timekeeper.wake)


async def run(settings: Settings, stop: Stop) -> None:
    """Play until *stop* is asked for, then finish what is under way and return.

    Raises:
        OperatorError: the token, the database or the application has to be put right.
    """
    token = settings.token
    await upgrade(settings.database_url)
    database, clock = open_database(settings.database_url), SystemClock()
    backups = _backups(settings, clock)
    app = build(
        database,
        clock=clock,
        seeds=SecretSeeds(),
        robot_processes=settings.robot_processes,
        copies=backups,
        care=care_of(settings),
    )
    try:
        if not await stop.unless_asked(_started(app, settings, token)):
            return
        health = _health(app, clock)
        async with answering(health, settings.health_port):
            await _play(app, stop, (health.lateness.run, *([backups.run] if backups else [])))
    finally:
        await stop.in_time(app.bot.close(), _CLOSE_SECONDS)
        # Shielded: a unit that hangs on its disk is left to itself, and never cut in half.
        await stop.in_time(asyncio.shield(database.close()), _DATABASE_SECONDS)


async def _started(app: App, settings: Settings, token: str) -> None:
    """Do all that comes before the gateway."""
    await _logged_in(app.bot, token)
    # Not before: an operator's mistake above is told in one line, and nothing beside it.
    if warning := old_sqlite_warning(settings.database_url):
        log.warning(warning)
    await app.timekeeper.credit_outage()
    await _told_commands(app.bot, settings.dev_guild_id)


async def sync(settings: Settings, guild_id: int | None) -> str:
    """Send the commands to Discord, if they changed; say what was done.

    Raises:
        OperatorError: as `run`.
    """
    token = settings.token
    await upgrade(settings.database_url)
    database = open_database(settings.database_url)
    app = build(database, clock=SystemClock(), seeds=SecretSeeds())
    try:
        await _logged_in(app.bot, token)
        return await app.bot.sync_commands(guild_id)
    except CommandsRefusedError as error:
        raise OperatorError(f"Discord does not take the commands: {error}.") from error
    finally:
        await app.bot.close()
        await database.close()


def check() -> list[str]:
    """Build the bot without a token and name all that is wrong with it."""
    # Nothing is opened before it is needed, so no file appears.
    database = open_database("sqlite+aiosqlite:///never-opened.db")
    app = build(database, clock=SystemClock(), seeds=SecretSeeds())
    faults = payload_faults(command_payloads(app.bot))
    for name in variants.names():
        faults += [f"variants/{name}: {fault}" for fault in faults_of(variants.load(name))]
    return [*faults, *problems()]


async def load_events(settings: Settings, table_id: TableId) -> Sequence[StoredEvent]:
    """Read all that happened at a table.

    Raises:
        OperatorError: the database has to be put right.
        UnknownTableError: there is no such table.
    """
    await upgrade(settings.database_url)
    database = open_database(settings.database_url)
    try:
        return await SqlEventStore(database).load(table_id)
    finally:
        await database.close()


async def _logged_in(bot: HeartsBot, token: str) -> None:
    try:
        await log_in(bot, token)
    except TokenRefusedError as error:
        raise OperatorError(TOKEN_REFUSED) from error
    except DiscordUnreachableError as error:
        raise OperatorError(f"Discord can't be reached ({error}); try again later.") from error


async def _told_commands(bot: HeartsBot, guild_id: int | None) -> None:
    """Sync, if they changed; yesterday's commands are better than no bot."""
    try:
        log.info(await bot.sync_commands(guild_id))
    except CommandsRefusedError as error:
        log.warning("Discord does not take the commands: %s; `python -m bot sync` retries", error)


def _backups(settings: Settings, clock: Clock) -> Backups | None:
    """Who copies the database; ``None``: it is a server, which has tools of its own."""
    file = file_of(settings.database_url)
    if file is None:
        return None
    every = timedelta(hours=settings.backup_hours)
    folder = folder_for(file, settings.backup_dir)
    return Backups(file, folder, every=every, keep=settings.backup_keep, clock=clock)


def _health(app: App, clock: Clock) -> Health:
    services = app.bot.services
    return Health(
        gateway=app.bot,
        vitals=services.vitals,
        copies=services.copies,
        queue=app.thinking,
        pulses=app.pulses,
        lateness=Lateness(clock, services.tally),
        tally=services.tally,
        clock=clock,
    )


async def _play(app: App, stop: Stop, beside: Sequence[Callable[[], Loop]] = ()) -> None:
    """Run the gateway and the loops beside it until a stop is asked for or one of them ends.

    Args:
        app: logged in.
        stop: asked for by a signal.
        beside: loops that nobody plays by.
    """
    stopped = asyncio.create_task(stop.wait())
    gateway = asyncio.create_task(run_bot(app.bot))
    players = (app.publisher, app.timekeeper, app.bot.open_hands, app.caretaker)
    work = [loop.run() for loop in players]
    loops = [asyncio.create_task(loop) for loop in (*work, *(run() for run in beside))]
    try:
        ended, _ = await asyncio.wait(
            {stopped, gateway, *loops}, return_when=asyncio.FIRST_COMPLETED
        )
        if not ended & {stopped, gateway}:
            raise RuntimeError("a loop of the bot ended by itself; the log says why")
        log.info("stopping: nothing new is taken on")
        await app.bot.answers.drain(stop.left(_CLICKS_SECONDS))
    finally:
        await stop.in_time(_cancelled(loops), _CLOSE_SECONDS)
        app.thinking.close()  # what is thought now, the next start thinks again
        await stop.in_time(app.publisher.flush(), _POSTS_SECONDS)
        await stop.in_time(app.bot.close(), _CLOSE_SECONDS)
        stopped.cancel()
    await _ended(gateway, stop)


async def _ended(gateway: asyncio.Task[None], stop: Stop) -> None:
    """Hear why the gateway ended.

    Raises:
        OperatorError: Discord refuses what the bot asks to be told of.
    """
    try:
        await stop.in_time(gateway, _CLOSE_SECONDS)
    except IntentsRefusedError as error:
        raise OperatorError(_INTENTS_REFUSED) from error


async def _cancelled(tasks: Sequence[asyncio.Task[None]]) -> None:
    for task in tasks:
        task.cancel()
    for result in await asyncio.gather(*tasks, return_exceptions=True):
        if isinstance(result, Exception):
            log.error("a loop of the bot died", exc_info=result)
