"""Opens tables, new ones and rematches, and lets people in, within the limits."""

from dataclasses import replace

from bot.table import commands, lobby, opening
from bot.table.errors import (
    RematchGoneError,
    RepeatedClickError,
    TableError,
    UnknownTableError,
    VersionConflictError,
)
from bot.table.ids import ChannelId, GuildId, TableId, UserId, rematch_id
from bot.table.limits import Limits
from bot.table.locks import KeyedLocks
from bot.table.opening import OpenTable
from bot.table.ports import EventStore, Seeds
from bot.table.session import TableSession
from bot.table.sessions import Sessions
from bot.table.state import LIVE, Status
from bot.table.storing import Cause

_NO_TABLE = TableId("")


class Hosting:
    """All that adds a table, or a person to one."""

    def __init__(self, store: EventStore, seeds: Seeds, sessions: Sessions) -> None:
        self._store = store
        self._seeds = seeds
        self._sessions = sessions
        self._limits = Limits(store, sessions)
        self._locks = KeyedLocks()

    async def open(self, cause: Cause, host: UserId, wish: OpenTable) -> TableSession:
        """Open a table.

        Raises:
            ChannelBusyError: the channel has one.
            RulesetError: the rules cannot be played.
            TooManyInvitedError: there are not as many chairs.
            TooManyTablesError: the host or the server has as many as allowed.
        """
        try:
            return await self._open(cause, host, wish, self._seeds.table_id())
        except TableError:
            # What an earlier delivery of the same click achieved is no fault of this one.
            if await self._is_repeat(cause):
                return await self._opened_before(cause, wish.guild_id)
            raise

    async def would_open(self, cause: Cause, host: UserId, wish: OpenTable | TableId) -> bool:
        """Whether a new table would be opened, or the rematch of the one named.

        Raises:
            TableError: as `open` and `rematch`, as far as the channel plays no part.
        """
        if await self._is_repeat(cause):
            return False
        if not isinstance(wish, OpenTable):
            before = (await (await self._sessions.find(wish)).believe()).table
            again = rematch_id(wish)
            wish = opening.rematch(before, host)
            if await self._exists(again):
                return False
        opening.opened(wish, _NO_TABLE, host)
        await self._limits.check_server(wish.guild_id)
        await self._limits.check_person(host)
        return True

    async def join(self, cause: Cause, user_id: UserId, table_id: TableId) -> TableSession:
        """Let a person sit down.

        Raises:
            TooManyTablesError: the person sits at as many tables as allowed.
            TableError: not at this one, or not now.
        """
        return await self._sit(cause, commands.Join(user_id), table_id)

    async def substitute(
        self, cause: Cause, command: commands.Substitute, table_id: TableId
    ) -> TableSession:
        """Let a person take over a seat from a robot.

        Raises:
            TooManyTablesError: the person sits at as many tables as allowed.
            TableError: not at this one, or not now.
        """
        return await self._sit(cause, command, table_id)

    async def rematch(
        self, cause: Cause, user_id: UserId, table_id: TableId, place: ChannelId | None = None
    ) -> TableSession:
        """Open the one rematch of a table in *place*, or sit down in it if it is open.

        Raises:
            NotOneOfUsError: the person did not sit at the table.
            RematchGoneError: the rematch is no lobby any more.
            WrongPhaseError: the table is not over yet, or never began.
            TableError: as `open` and `join`.
        """
        session = await self._sessions.find(table_id)
        wish = opening.rematch((await session.believe()).table, user_id)
        wish = replace(wish, channel_id=place or wish.channel_id)
        again = rematch_id(table_id)
        async with self._locks.holding(("table", again)):
            if await self._exists(again):
                return await self._join_rematch(cause, user_id, again)
            return await self._open_rematch(cause, user_id, wish, again)

    async def _open(
        self, cause: Cause, host: UserId, wish: OpenTable, table_id: TableId
    ) -> TableSession:
        opened = opening.opened(wish, table_id, host)
        seated = opening.seated(opened, wish.robots)
        server, person = ("server", wish.guild_id), ("person", host)
        async with self._locks.holding(server), self._locks.holding(person):
            await self._limits.check_server(wish.guild_id)
            await self._limits.check_person(host)
            session = self._sessions.touch(table_id)
            try:
                await session.open(opened, seated, cause)
            except BaseException:
                self._sessions.forget(table_id)
                raise
        return session

    async def _sit(
        self, cause: Cause, command: commands.Join | commands.Substitute, table_id: TableId
    ) -> TableSession:
        user_id = command.user_id
        async with self._locks.holding(("person", user_id)):
            session = await self._sessions.find(table_id)
            table = (await session.believe()).table
            # Where nobody can join any more, or the person sits, the table has the better word.
            joins_late = isinstance(command, commands.Join) and table.status is not Status.LOBBY
            if not joins_late and lobby.seat_of(user_id, table.chairs) is None:
                await self._limits.check_person(user_id)
            await session.submit(command, cause)
        return session

    async def _is_repeat(self, cause: Cause) -> bool:
        if cause.interaction_id is None:
            return False
        return await self._store.is_known(cause.interaction_id)

    async def _exists(self, table_id: TableId) -> bool:
        try:
            await self._sessions.find(table_id)
        except UnknownTableError:
            return False
        return True

    async def _opened_before(self, cause: Cause, guild_id: GuildId) -> TableSession:
        """The table that an earlier delivery of the same click opened, wherever it stands."""
        for row in await self._store.live_tables_in(guild_id):
            first = (await self._store.load(row.table_id))[0]
            if first.cause.interaction_id == cause.interaction_id:
                return await self._sessions.find(row.table_id)
        raise UnknownTableError

    async def _open_rematch(
        self, cause: Cause, user_id: UserId, wish: OpenTable, again: TableId
    ) -> TableSession:
        try:
            return await self._open(cause, user_id, wish, again)
        except (VersionConflictError, RepeatedClickError):
            pass  # another process, or this very click before it, opened it
        return await self._join_rematch(cause, user_id, again)

    async def _join_rematch(self, cause: Cause, user_id: UserId, again: TableId) -> TableSession:
        session = await self._sessions.find(again)
        table = (await session.believe()).table
        if lobby.seat_of(user_id, table.chairs) is not None and table.status in LIVE:
            return session
        if table.status is not Status.LOBBY:
            raise RematchGoneError
        return await self.join(cause, user_id, again)
