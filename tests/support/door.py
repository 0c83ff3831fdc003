"""One press or one command at the door, by somebody in a role at a table in a phase.

The whole bot stands around it, but for what would cost time: tables are believed rather than read,
and what would be stored is noted down instead. So nothing that is tried has a consequence.
"""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from enum import Enum
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import discord

from bot.app import App, build
from bot.rules import ruleset_io
from bot.rules.errors import HeartsError
from bot.rules.scorekeeper import KeptDeal, ScoreSheet
from bot.rules.variants import load
from bot.table import commands, history
from bot.table.errors import UnknownTableError
from bot.table.ids import ChannelId, GuildId, InteractionId, KeeperId, TableId, UserId
from bot.table.keeping import Keeper, KeptWhere
from bot.table.lobby import seat_of
from bot.table.session import Belief
from bot.table.state import LIVE, Table
from bot.table.storing import (
    Cause,
    Drawer,
    HouseRules,
    PersonSettings,
    ServerSettings,
    StoredEvent,
    TableRow,
    Timer,
)
from bot.table.table import decide
from cogs.answers import Answer
from cogs.router import Router
from cogs.ui import ids
from db.engine import open_database
from db.migrate import upgrade
from tests.support.clock import NOON, HandClock
from tests.support.fakes import CountedSeeds
from tests.support.stage import CHANNEL, ELSEWHERE, GUILD, OTHER_CHANNEL, TABLE, Role
from tests.support.store import url_of
from tests.support.tables import Room


class Effect(Enum):
    """What comes of it."""

    DOES = "something about the table or the server is stored"
    OWN = "something of the person's own is stored"
    SEES = "the person is shown something"
    REFUSED = "nothing, and the person is told why"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one press or command."""

    effect: Effect
    said: str
    """The refusal, or what kind of answer it was."""


class Notes:
    """What would have been stored."""

    def __init__(self) -> None:
        self.of_table: list[str] = []
        self.own: list[str] = []

    def clear(self) -> None:
        self.of_table.clear()
        self.own.clear()


class Believed:
    """Stands in for `bot.table.session.TableSession`: decides, and forgets what it decided."""

    def __init__(self, table: Table, notes: Notes) -> None:
        self._belief = Belief(table, 9, ())
        self._notes = notes

    async def believe(self) -> Belief:
        return self._belief

    async def look(self) -> Belief:
        return self._belief

    async def submit(
        self, command: commands.Command, cause: Cause, *, timer: Timer | None = None
    ) -> Belief:
        events = decide(self._belief.table, command)
        table = self._belief.table
        for event in events:
            table = history.evolve(table, event, cause.user_id)
        self._notes.of_table += [type(event).__name__ for event in events]
        return Belief(table, 9 + len(events), ())

    async def adjust(self, plan: Any) -> Belief:
        if plan(self._belief, {}, NOON) is not None:
            self._notes.of_table.append("adjusted")
        return self._belief


class Door:
    """The bot, and one table in whatever phase is put on."""

    def __init__(self, app: App, played: tuple[Sequence[StoredEvent], Drawer]) -> None:
        self.bot = app.bot
        self._played = played
        self._app = app
        self._notes = Notes()
        self._numbers = count(1_000)
        self._table: Table | None = None
        self._answer: Answer | None = None
        house = HouseRules("1", "Ours", ruleset_io.to_dict(load("standard")))
        self._settings = ServerSettings(house_rules=(house,))
        self._stand_in()

    def put_on(self, table: Table) -> None:
        """Have this table be the only one."""
        self._table = table

    async def press(self, role: Role, action: ids.Action, **data: Any) -> Outcome:
        """What comes of a press on a button, a choice in a menu, or a form."""
        [listener] = self.bot.extra_events["on_interaction"]
        router: Router = getattr(listener, "__self__")  # noqa: B009  no function has it for sure
        return await self._outcome(router._answer(self._asked(role, data), action))

    async def command(
        self, role: Role, name: str, *, channel: ChannelId | None = None, **options: Any
    ) -> Outcome:
        """What comes of a command; left out, it is typed where the role's people are."""
        group, _, sub = name.partition(" ")
        command: Any = self.bot.tree.get_command(group)
        if sub:
            command = command.get_command(sub)
        asked = self._asked(role, {})
        asked.channel_id = channel or asked.channel_id
        return await self._outcome(self._given(_called(command, asked, options)))

    async def _given(self, work: Any) -> Answer:
        self._answer = None
        await work
        assert self._answer is not None
        return self._answer

    async def _outcome(self, work: Any) -> Outcome:
        self._notes.clear()
        said = ""
        try:
            answer = await work
        except HeartsError as refusal:
            said = type(refusal).__name__
        if self._notes.of_table:
            return Outcome(Effect.DOES, " ".join(self._notes.of_table))
        if self._notes.own:
            return Outcome(Effect.OWN, " ".join(self._notes.own))
        return Outcome(Effect.REFUSED, said) if said else Outcome(Effect.SEES, _kind(answer))

    def _asked(self, role: Role, data: Mapping[str, Any]) -> Any:
        """An interaction, as Discord would send it."""
        stranger, next_door = role is Role.STRANGER, role is Role.NEXT_DOOR
        may = discord.Permissions.none()
        may.send_messages = may.view_channel = True
        may.manage_messages = role in {Role.MODERATOR, Role.ADMIN, Role.NEXT_DOOR, Role.OWNER}
        may.manage_guild = role in {Role.ADMIN, Role.STRANGER, Role.OWNER}
        return SimpleNamespace(
            id=InteractionId(next(self._numbers)),
            user=SimpleNamespace(id=role.user, display_name=role.name),
            guild_id=ELSEWHERE if stranger else GUILD,
            guild=None,
            type=discord.InteractionType.component,
            channel_id=OTHER_CHANNEL if stranger or next_door else CHANNEL,
            channel=None,
            permissions=may,
            app_permissions=discord.Permissions.all(),
            locale=discord.Locale.british_english,
            guild_locale=discord.Locale.british_english,
            client=self.bot,
            message=None,
            data=data,
        )

    def _stand_in(self) -> None:
        """Have the bot believe, note down and forget."""
        services = self.bot.services
        patches: list[tuple[Any, Mapping[str, Any]]] = [
            (self._app.tables._sessions, {"find": self._find, "at_each": self._at_each}),
            (services.events, {"tables_of": self._tables_of, "live_tables_in": self._tables_in}),
            (services.events, {"commit": self._commit, "load": self._load}),
            (services.events, {"drawer": self._drawer}),
            (services.settings, {"server": self._server, "save_server": self._save_server}),
            (services.settings, {"change_person": self._change_person}),
            (services.keepers._store, {"load": self._keeper, "save": self._keep}),
            (services.keepers._store, {"find": self._found_keeper, "remove": self._keep}),
            (services.keepers._store, {"add": self._keep}),
            (services.privacy.forgetting, {"ask": self._wish, "keep": self._wish}),
            (self.bot.answers, {"give": self._give}),
        ]
        for place, methods in patches:
            for name, method in methods.items():
                setattr(place, name, method)

    async def _find(self, table_id: TableId) -> Believed:
        if self._table is None or table_id != self._table.id:
            raise UnknownTableError(table_id)
        return Believed(self._table, self._notes)

    async def _at_each(self, rows: Any, change: Any) -> None:
        """Nobody's preferences change a table here."""

    async def _tables_of(self, user_id: UserId) -> Sequence[TableRow]:
        assert self._table is not None
        return self._rows() if seat_of(user_id, self._table.chairs) is not None else []

    async def _tables_in(self, guild_id: GuildId) -> Sequence[TableRow]:
        return self._rows() if guild_id == GUILD else []

    def _rows(self) -> list[TableRow]:
        """Live tables alone, as the store has it."""
        assert self._table is not None
        row = TableRow(
            table_id=TABLE,
            guild_id=GUILD,
            channel_id=CHANNEL,
            status=self._table.status.value,
            title="Hearts",
            opened_at=NOON,
            changed_at=NOON,
            newest_message=None,
        )
        return [row] if self._table.status in LIVE else []

    async def _commit(self, _at: Any, events: Sequence[Any], *_: Any) -> None:
        self._notes.of_table += [type(event).__name__ for event in events]

    async def _load(self, table_id: TableId) -> Sequence[Any]:
        if self._table is not None and table_id == self._table.id:
            return self._played[0]
        raise UnknownTableError(table_id)

    async def _drawer(self, _table_id: TableId) -> Drawer:
        return self._played[1]

    async def _server(self, _guild_id: GuildId) -> ServerSettings:
        return self._settings

    async def _save_server(self, _guild_id: GuildId, _settings: ServerSettings) -> None:
        self._notes.of_table.append("settings of the server")

    async def _change_person(
        self, _user_id: UserId, change: Callable[[PersonSettings], PersonSettings]
    ) -> tuple[PersonSettings, PersonSettings]:
        changed = change(PersonSettings())
        self._notes.own.append("preferences")
        return PersonSettings(), changed

    async def _keeper(self, keeper_id: KeeperId) -> Keeper:
        """The host's, in the channel of the table."""
        return Keeper(
            id=keeper_id,
            where=KeptWhere(CHANNEL, Role.HOST.user, GUILD),
            version=2,
            sheet=ScoreSheet(("Ana", "Ben", "Cy", "Dee"), deals=(KeptDeal((26, 0, 0, 0)),)),
            opened_at=NOON,
            changed_at=NOON,
        )

    async def _found_keeper(self, where: KeptWhere) -> Keeper | None:
        kept = await self._keeper(KeeperId("BBBB2222"))
        return kept if where == kept.where else None

    async def _keep(self, _keeper: Keeper | KeeperId) -> None:
        self._notes.own.append("score keeper")

    async def _wish(self, _user_id: UserId) -> None:
        self._notes.own.append("wish to be forgotten")

    async def _give(self, _asked: Any, work: Any, **_: Any) -> None:
        self._answer = await work


def _called(command: Any, asked: Any, options: Mapping[str, Any]) -> Any:
    of_topic = [] if command.binding is None else [command.binding]
    return command.callback(*of_topic, asked, **options)


def _kind(answer: Answer) -> str:
    """What is shown; a hand that tells why something was refused is a refusal."""
    return type(answer).__name__


_made: list[tuple[bytes, tuple[Sequence[StoredEvent], Drawer]]] = []
"""An empty database and a played deal, once for the whole run."""


@asynccontextmanager
async def door(folder: Path) -> AsyncIterator[Door]:
    """A door on an empty database."""
    file = folder / "hearts.db"
    if not _made:
        await upgrade(url_of(file))
        _made.append((file.read_bytes(), await _played_deal()))
    empty, played = _made[0]
    file.write_bytes(empty)
    database = open_database(url_of(file))
    try:
        yield Door(build(database, clock=HandClock(), seeds=CountedSeeds()), played)
    finally:
        await database.close()


async def _played_deal() -> tuple[Sequence[StoredEvent], Drawer]:
    """A game in whose past a deal is over; what is verified is read from its events."""
    room = Room()
    view = await room.started()
    await room.play_until(view.id, 1)
    return await room.store.load(view.id), await room.store.drawer(view.id)
