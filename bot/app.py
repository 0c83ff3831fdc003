"""Composition: the one place that knows all rooms, and the order in which they start and stop."""

import asyncio
import logging
import secrets
from collections.abc import Callable, Coroutine, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from bot import OperatorError
from bot.building import App, build
from bot.caring import care_of
from bot.health import Health, Lateness, answering, refuse_taken
from bot.rules import variants
from bot.rules.ruleset_faults import problems as faults_of
from bot.settings import STRANGE_FORM, TOKEN_REFUSED, Settings, looks_like_token
from bot.sharing import leases_of
from bot.stopping import Stop
from bot.table import history
from bot.table.errors import UnknownTableError
from bot.table.ids import TABLE_ID_LENGTH, TABLE_ID_LETTERS, TableId
from bot.table.leases import Leases
from bot.table.ports import Clock
from bot.table.shards import DIRECT_MESSAGES
from bot.table.storing import StoredEvent
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
from db.backups import Backups, file_of, folder_for
from db.engine import StoreAwayError, old_sqlite_warning, open_database
from db.event_store import SqlEventStore
from db.migrate import opened_as_it_is, problems, upgrade

__all__ = [
    "App",
    "DamagedTableError",
    "SecretSeeds",
    "SystemClock",
    "build",
    "check",
    "load_events",
    "run",
    "sync",
]

log = logging.getLogger(__name__)

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


class DamagedTableError(OperatorError):
    """The stored events of a table are not as they were written."""

    def __init__(self, table_id: TableId) -> None:
        super().__init__(
            f"The events of table {table_id} are damaged, or a newer version wrote them: see with"
            " `python -m bot restore-check` whether they are whole in a backup."
        )


async def run(settings: Settings, stop: Stop) -> None:
    """Play until *stop* is asked for, then finish what is under way and return.

    Raises:
        OperatorError: the token, the database or the application has to be put right.
    """
    token = settings.token
    refuse_taken(settings.health_port)  # before the database is changed for a start that fails
    await upgrade(settings.database_url)
    database, clock = open_database(settings.database_url), SystemClock()
    backups, leases = _backups(settings, clock), leases_of(settings, database, clock)
    app = build(
        database,
        clock=clock,
        seeds=SecretSeeds(),
        robot_processes=settings.robot_processes,
        copies=backups,
        care=care_of(settings),
        leases=leases,
    )
    try:
        health = _health(app, clock)
        beside = (health.lateness.run, leases.run, *([backups.run] if backups else []))
        async with answering(health, settings.health_port):
            if await stop.unless_asked(_started(app, leases, settings, token)):
                await _play(app, stop, beside)
    finally:
        await stop.in_time(app.bot.close(), _CLOSE_SECONDS)
        await stop.in_time(leases.release(), _CLOSE_SECONDS)
        # Shielded: a unit that hangs on its disk is left to itself, and never cut in half.
        await stop.in_time(asyncio.shield(database.close()), _DATABASE_SECONDS)


async def _started(app: App, leases: Leases, settings: Settings, token: str) -> None:
    """Do all that comes before the gateway."""
    await _logged_in(app.bot, token)
    # Not before: an operator's mistake above is told in one line, and nothing beside it.
    if warning := old_sqlite_warning(settings.database_url):
        log.warning(warning)
    await leases.step()
    await app.timekeeper.credit_outage()
    if DIRECT_MESSAGES in leases.shards.ids:  # of several processes, one is enough
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
    """Read all that happened at a table. Nothing is changed, and no file is made.

    Raises:
        OperatorError: there is no database, or it has to be put right.
        DamagedTableError: not all of the events are there and can be read.
        UnknownTableError: there is no such table.
    """
    async with opened_as_it_is(settings.database_url) as database:
        store = SqlEventStore(database)
        version = (await store.at(table_id)).version
        if not version:
            raise UnknownTableError(f"no table {table_id}")
        try:
            stored = await store.load(table_id)
        except StoreAwayError as error:
            raise OperatorError(f"The database does not answer: {error}.") from error
        except history.DAMAGE:
            raise DamagedTableError(table_id) from None
    if not history.is_whole(stored, version):
        raise DamagedTableError(table_id)
    return stored


async def _logged_in(bot: HeartsBot, token: str) -> None:
    try:
        await log_in(bot, token)
    except TokenRefusedError as error:
        raise OperatorError(f"{TOKEN_REFUSED}{_form_of(token)}") from error
    except DiscordUnreachableError as error:
        words = f"Discord can't be reached ({error}); try again later.{_form_of(token)}"
        raise OperatorError(words) from error


def _form_of(token: str) -> str:
    """Whether Discord takes a token is for Discord to say; this is said beside it."""
    return "" if looks_like_token(token) else f" {STRANGE_FORM}."


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
