"""The names of the people at a table, read once for each of its versions."""

from collections.abc import Iterable, Mapping

from bot.table import viewing
from bot.table.ids import TableId, UserId
from bot.table.ports import EventStore
from bot.table.session import Belief

_MOST_TABLES = 1_000


class Nameplates:
    """Remembers names for as long as nothing happens at their table.

    Every open hand and every post is drawn from a view of its own, so one move would read the
    same names a dozen times. A new name shows with the next event.
    """

    def __init__(self, store: EventStore) -> None:
        self._store = store
        self._read: dict[TableId, tuple[int, Mapping[UserId, str]]] = {}
        """By table: the version it had, and the names. The one read longest ago comes first."""

    async def at(self, belief: Belief) -> Mapping[UserId, str]:
        """Last seen display names of everybody at a table, raw."""
        table = belief.table
        version, names = self._read.get(table.id, (None, {}))
        if version == belief.version:
            return names
        names = await self._store.names(table.guild_id, viewing.everybody(table))
        self._read.pop(table.id, None)
        self._read[table.id] = (belief.version, names)
        if len(self._read) > _MOST_TABLES:
            del self._read[next(iter(self._read))]
        return names

    def forget(self, table_ids: Iterable[TableId] | None) -> None:
        """Read the names of tables anew when they are next asked for. ``None``: of all."""
        for table_id in list(self._read) if table_ids is None else table_ids:
            self._read.pop(table_id, None)
