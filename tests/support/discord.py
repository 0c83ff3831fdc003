"""The whole bot on a simulated Discord: real library, real store, a clock that tests move."""

import logging
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import simcord
from simcord import interactions
from simcord.backend import serializers
from simcord.results import InteractionResult, to_discord_message
from sqlalchemy import make_url

from bot.app import App, build
from bot.table.budget import Pace
from bot.table.ids import GuildId, TableId
from bot.table.storing import TimerKind
from bot.table.views import TableLine
from cogs.flood import Flood, Limits
from cogs.permissions import INVITE
from cogs.ui import ids
from db.engine import Database, open_database
from db.migrate import upgrade
from db.work import SqlWork
from tests.support.fakes import CountedSeeds
from tests.support.postgres import fresh_database
from tests.support.settling import see_the_database
from tests.support.store import url_of
from tests.support.wire import Wire, tapped

see_the_database()

_ROBOT_HORIZON = timedelta(seconds=6)
"""Robots answer within so much time; every other timer is set for later."""
_ANY = Pace(1e6, 10**9)
UNLIMITED = Limits(presses=_ANY, commands=_ANY, typing=_ANY, channel=_ANY, server=_ANY)
_EPHEMERAL = 1 << 6
_empty_database: bytes | None = None
_on_postgres = False


class SimClock:
    """`bot.table.ports.Clock`: simcord's, so that tokens and timers age together."""

    env: simcord.Env

    def now(self) -> datetime:
        return self.env.now()

    async def sleep(self, seconds: float) -> None:
        raise AssertionError("no loop of the bot runs in a test; tests move the clock themselves")


class Incidents(logging.Handler):
    """Errors that the bot logged. A test that means to cause one takes it out."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(record)

    def take(self) -> logging.LogRecord:
        return self.records.pop(0)


class World:
    """A server with people, a channel, and the bot on a database of its own."""

    env: simcord.Env
    app: App
    guild: Any
    channel: Any

    def __init__(self, url: str, wire: Wire, incidents: Incidents, clock: SimClock) -> None:
        self.wire = wire
        self.incidents = incidents
        self.clock = clock
        self.seeds = CountedSeeds()
        self.limits = UNLIMITED
        """How fast people may ask; here time stands still between their presses."""
        self.url = url
        self._database: Database | None = None

    def build(self) -> App:
        """Another bot on the same database."""
        self._database = open_database(self.url)
        app = build(self._database, clock=self.clock, seeds=self.seeds)
        app.bot.flood = Flood(self.clock, self.limits)
        return app

    @property
    def file(self) -> Path:
        """The file of the database, where it is one."""
        return Path(make_url(self.url).database or "")

    @property
    def database(self) -> Database:
        assert self._database is not None
        return self._database

    @property
    def work(self) -> SqlWork:
        return SqlWork(self.database)

    async def close(self) -> None:
        if self._database is not None:
            await self._database.close()

    async def restart(self) -> None:
        """End the process and start another one on the same database."""
        await self.close()
        self.app = self.build()
        await self.env.restart_bot(self.app.bot)

    def person(self, name: str, **options: Any) -> Any:
        """A new member of the server."""
        return self.guild.add_member(self.env.create_user(name, global_name=name), **options)

    async def slash(
        self, person: Any, command: str, *, channel: Any = None, **options: Any
    ) -> InteractionResult:
        """Type a command; it was answered in time, and everything it led to is shown."""
        result = await person.slash(channel or self.channel, command, **options)
        return await self._answered(result, command)

    async def press(self, person: Any, message: Any, action: ids.Action) -> InteractionResult:
        """Press a button that stands in *message* and is not disabled."""
        result = await person.click(message, custom_id=ids.write(action))
        return await self._answered(result, ids.write(action))

    async def choose(
        self, person: Any, message: Any, action: ids.Action, values: Sequence[Any]
    ) -> InteractionResult:
        """Choose in a menu that stands in *message*."""
        result = await person.select(message, values, custom_id=ids.write(action))
        return await self._answered(result, ids.write(action))

    async def forge(
        self, person: Any, message: Any, custom_id: str, **data: Any
    ) -> InteractionResult:
        """Send a click that no client would send: on a button that is gone or never was there."""
        result = self.send_raw(person, message, custom_id, **data)
        await self.env.settle()
        return await self._answered(result, custom_id)

    def send_raw(self, person: Any, message: Any, custom_id: str, **data: Any) -> InteractionResult:
        """Let a click arrive and go on at once; several of them race."""
        backend = self.env.backend
        record, payload = interactions.base_payload(
            backend,
            type=3,
            channel_id=message.channel_id if hasattr(message, "channel_id") else message.channel.id,
            guild_id=self.guild.id,
            user_id=person.id,
            data={"custom_id": custom_id, "component_type": 2, **data},
        )
        stored = backend.get_message(record.channel_id, message.id)
        payload["message"] = dict(serializers.message_payload(backend, stored))
        record.source_message_id = message.id
        backend.emit("INTERACTION_CREATE", payload)
        return InteractionResult(self.env, record)

    async def _answered(self, result: InteractionResult, what: str) -> InteractionResult:
        assert result.acknowledged, f"{what} was not acknowledged"
        await self.show()
        return result

    async def show(self) -> None:
        """Let the publisher and the open hands catch up with the store."""
        await self.app.publisher.flush()
        await self.app.bot.open_hands.flush()

    async def pass_time(self, seconds: float) -> None:
        """Let time go by from timer to timer, and show what came of each."""
        end = self.clock.now() + timedelta(seconds=seconds)
        while True:
            due_at = await self.work.next_timer()
            if due_at is None or due_at > end:
                break
            await self._move_to(due_at)
            await self.app.timekeeper.fire_due()
            await self.show()
        await self._move_to(end)
        await self.show()

    async def _move_to(self, moment: datetime) -> None:
        left = (moment - self.clock.now()).total_seconds()
        if left > 0:
            await self.env.advance_time(left)

    async def let_robots_move(self) -> None:
        """Let time go by until no robot is to move."""
        while True:
            soon = await self.work.due_timers(self.clock.now() + _ROBOT_HORIZON, limit=100)
            due = [timer.due_at for timer in soon if timer.kind is TimerKind.ROBOT]
            if not due:
                return
            # A millisecond more: the store keeps whole ones.
            await self.pass_time((min(due) - self.clock.now()).total_seconds() + 0.001)

    def posts(self, channel: Any = None) -> list[Any]:
        """What everybody sees in a channel, oldest first."""
        history = (channel or self.channel).history()
        return [message for message in history if not message.flags.ephemeral]

    def newest_with(self, action: ids.Action, channel: Any = None) -> Any:
        """The newest public message that offers *action*."""
        custom_id = ids.write(action)
        stored = self.env.backend.messages.get((channel or self.channel).id, {})
        for message in sorted(stored.values(), key=lambda message: message.id, reverse=True):
            if not message.flags & _EPHEMERAL and custom_id in custom_ids(message):
                return to_discord_message(self.env, message)
        offers = [custom_ids(post) for post in self.posts(channel)]
        raise AssertionError(f"no post offers {custom_id}: {offers}")

    async def tables(self) -> Sequence[TableLine]:
        """The live tables of the server, newest first."""
        return await self.app.tables.tables_in(GuildId(self.guild.id))

    async def table_id(self) -> TableId:
        """The id of the only table."""
        [line] = await self.tables()
        return line.id


@asynccontextmanager
async def discord_world() -> AsyncIterator[World]:
    """A server with one channel and the bot in it, its commands synced, on a fresh database.

    At the end nothing may have gone wrong unseen: no error in the log, none in the library, and
    no request that Discord's own description does not allow.
    """
    clock, incidents = SimClock(), Incidents()
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory()))
        wire = stack.enter_context(tapped(clock.now))
        stack.enter_context(_listening(incidents))
        world = World(await _fresh(folder, stack), wire, incidents, clock)
        stack.push_async_callback(world.close)
        world.app = world.build()
        run = simcord.run(world.app.bot)
        clock.env = world.env = run._env
        await stack.enter_async_context(run)
        world.guild = _server(world.env)
        world.channel = world.guild.create_text_channel("hearts")
        await world.env.settle()
        await world.app.bot.sync_commands()
        yield world
        assert not incidents.records, [r.getMessage() for r in incidents.records]
        assert not wire.faults, wire.faults[:5]


def _server(env: simcord.Env) -> Any:
    """A server where the bot has exactly the permissions that its invitation asks for."""
    guild = env.create_guild("Card Club")
    for role in guild._guild.roles.values():
        if role.managed:
            role.permissions = INVITE.value
    return guild


@contextmanager
def _listening(incidents: Incidents) -> Iterator[None]:
    loggers = [logging.getLogger(name) for name in ("bot", "cogs", "db")]
    for logger in loggers:
        logger.addHandler(incidents)
    try:
        yield
    finally:
        for logger in loggers:
            logger.removeHandler(incidents)


@contextmanager
def on_postgres() -> Iterator[None]:
    """Let every world that begins meanwhile have its database on a server."""
    global _on_postgres  # noqa: PLW0603  flows ask for a world without saying on what
    _on_postgres = True
    try:
        yield
    finally:
        _on_postgres = False


async def _fresh(folder: Path, stack: AsyncExitStack) -> str:
    if _on_postgres:
        return await stack.enter_async_context(fresh_database())
    return url_of(await _fresh_file(folder))


async def _fresh_file(folder: Path) -> Path:
    """A database file with all tables in it; they are made once, then copied."""
    global _empty_database  # noqa: PLW0603  one copy for the whole run
    file = folder / "hearts.db"
    if _empty_database is None:
        await upgrade(url_of(file))
        _empty_database = file.read_bytes()
    else:
        file.write_bytes(_empty_database)
    return file


def custom_ids(message: Any) -> list[str]:
    """Custom ids of all enabled buttons and menus in *message*, in order."""
    return [
        part["custom_id"]
        for part in walk(components_of(message))
        if part.get("custom_id") and not part.get("disabled")
    ]


def actions(message: Any) -> list[ids.Action]:
    """What *message* offers, in order."""
    return [ids.parse(custom_id) for custom_id in custom_ids(message)]


def text_of(message: Any) -> str:
    """All words of *message*, in order."""
    texts = [part["content"] for part in walk(components_of(message)) if "content" in part]
    return "\n".join([text for text in (message.content, *texts) if text])


def components_of(message: Any) -> list[dict[str, Any]]:
    """The raw components, of a public message or of an answer."""
    raw = message.components
    return [part if isinstance(part, dict) else part.to_dict() for part in raw]


def walk(parts: Sequence[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """All components, nested ones included, in order."""
    for part in parts:
        yield part
        yield from walk(part.get("components", []))
        if "accessory" in part:
            yield from walk([part["accessory"]])
