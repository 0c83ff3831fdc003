"""Display names as Discord just showed them, kept so that boards and posts need no calls."""

from collections import OrderedDict
from collections.abc import Mapping

from bot.table.ids import GuildId, UserId
from bot.table.ports import EventStore, Settings
from bot.table.state import Table
from bot.table.storing import Cause
from bot.table.viewing import everybody

_MOST = 10_000
"""Names kept in mind only to save writing them again."""


class Names:
    """Writes a name down when it changed, and reads those that a table needs."""

    def __init__(self, store: EventStore, settings: Settings) -> None:
        self._store = store
        self._settings = settings
        self._written: OrderedDict[tuple[GuildId, UserId], str] = OrderedDict()

    async def keep(self, guild_id: GuildId, cause: Cause) -> None:
        """Remember the name of whoever asked, if it came along and is new."""
        if cause.user_id is None or cause.name is None:
            return
        key = (guild_id, cause.user_id)
        if self._written.get(key) == cause.name:
            return
        await self._settings.remember_name(guild_id, cause.user_id, cause.name)
        self._written[key] = cause.name
        if len(self._written) > _MOST:
            self._written.popitem(last=False)

    async def of(self, table: Table) -> Mapping[UserId, str]:
        """Last seen names of a table's people, of those who have one."""
        return await self._store.names(table.guild_id, everybody(table))
