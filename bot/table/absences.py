"""When the people of a table are not there, as far as their server lets it count."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from bot.table import lobby
from bot.table.away import Away, Vacation
from bot.table.ids import GuildId, UserId
from bot.table.ports import Settings
from bot.table.state import Status, Table
from bot.table.storing import PersonSettings
from bot.table.views import Absent

_SOON = timedelta(days=14)
"""How long before its beginning the others see a vacation."""
Aways = Mapping[UserId, Away]
"""By person; who is not in it is always there."""


class Absences:
    """Reads what people chose. Nothing is remembered: they may choose anew at any time."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    async def at(self, table: Table) -> Aways:
        """Of those on the chairs of *table*. Where no clock runs, nobody is away."""
        if table.status is not Status.PLAYING:
            return {}
        aways = await self.of(table.guild_id, lobby.people(table.chairs))
        if table.clock.seconds is not None:
            return aways
        return {person: Away(plays_forced=away.plays_forced) for person, away in aways.items()}

    async def of(self, guild_id: GuildId, user_ids: Sequence[UserId]) -> Aways:
        """Of people in a server."""
        chosen = await self._settings.persons(user_ids)
        days = 0
        if any(person.vacations for person in chosen.values()):
            days = (await self._settings.server(guild_id)).vacation_days
        return {user_id: absence(person, days) for user_id, person in chosen.items()}


def absent(aways: Aways, now: datetime) -> tuple[Absent, ...]:
    """Who is on vacation at *now*, or will be within `_SOON`, in the order of *aways*."""
    return tuple(
        Absent(user_id, each.begins if each.begins > now else None, each.ends)
        for user_id, away in aways.items()
        for each in away.vacations
        if each.ends > now and each.begins < now + _SOON
    )


def absence(person: PersonSettings, vacation_days: int) -> Away:
    """What counts of a person's absences in a server that allows vacations of so many days."""
    longest = timedelta(days=vacation_days)
    allowed = (
        Vacation(each.begins, min(each.ends, each.begins + longest))
        for each in person.vacations
        if longest
    )
    return Away(person.quiet, tuple(allowed), person.plays_forced)
