"""What people chose for themselves, and changes of it that do not lose each other."""

from collections.abc import Callable
from typing import Protocol

from bot.table.absences import Absences
from bot.table.away import PRESENT, Away
from bot.table.ids import GuildId, UserId
from bot.table.ports import Settings
from bot.table.storing import PersonSettings


class Tables(Protocol):
    """What is needed here of `bot.table.manager.TableManager`."""

    async def reckon_anew(self, user_id: UserId) -> None:
        """Bring the deadlines of a person at all tables to what was chosen."""
        ...


class Persons:
    """The settings of people, in all servers alike. One for a bot."""

    def __init__(self, settings: Settings, tables: Tables) -> None:
        self._settings = settings
        self._tables = tables
        self._absences = Absences(settings)

    async def settings(self, user_id: UserId) -> PersonSettings:
        """What a person chose."""
        return await self._settings.person(user_id)

    async def away(self, guild_id: GuildId, user_id: UserId) -> Away:
        """When a person is not there, as far as it counts in a server."""
        return (await self._absences.of(guild_id, [user_id])).get(user_id, PRESENT)

    async def change(
        self, user_id: UserId, change: Callable[[PersonSettings], PersonSettings]
    ) -> PersonSettings:
        """Store what *change* makes of the settings, and let it count at once where they sit.

        Raises:
            HeartsError: as *change*; then nothing was stored.
        """
        before, after = await self._settings.change_person(user_id, change)
        if _counts_at_tables(before) != _counts_at_tables(after):
            await self._tables.reckon_anew(user_id)
        return after


def _counts_at_tables(settings: PersonSettings) -> tuple[object, ...]:
    return settings.quiet, settings.vacations, settings.plays_forced
