"""Choices of servers and persons, and what the bot remembers for itself."""

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import time
from typing import Any

from sqlalchemy import BigInteger, Table, bindparam
from sqlalchemy import select as plain_select
from sqlmodel import Session, col, select

from bot.rules.errors import HeartsError
from bot.table.away import QuietHours, Vacation, find_zone
from bot.table.ids import ChannelId, GuildId, UserId
from bot.table.storing import CLAIMS, HouseRules, PersonSettings, Reminders, ServerSettings
from db.columns import milliseconds, moment
from db.engine import Database
from db.models import (
    GUILDS,
    MEMBERS,
    PERSONS,
    RUNTIME,
    RuntimeRecord,
)
from db.statements import insert_new, upsert

log = logging.getLogger(__name__)

_OF_PERSON = plain_select(PERSONS.c.settings).where(
    PERSONS.c.user_id == bindparam("of", type_=BigInteger)
)
"""Every hand that is drawn asks for it; building the statement takes as long as carrying it out."""
_OF_PERSONS = plain_select(PERSONS.c.user_id, PERSONS.c.settings).where(
    PERSONS.c.user_id.in_(bindparam("users", type_=BigInteger, expanding=True))
)
"""As many moves ask for it as hands."""
_OF_SERVER = plain_select(GUILDS.c.settings).where(
    GUILDS.c.guild_id == bindparam("of", type_=BigInteger)
)
"""As often where somebody of a table has a vacation."""
_FORMER_NAME = "House rules"


class SqlSettings:
    """`bot.table.ports.Settings` over SQLite or PostgreSQL."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def server(self, guild_id: GuildId) -> ServerSettings:
        """See `bot.table.ports.Settings.server`."""
        stored = await self._database.read(
            lambda session: session.connection().execute(_OF_SERVER, {"of": guild_id}).scalar()
        )
        return _server(stored or {})

    async def save_server(self, guild_id: GuildId, settings: ServerSettings) -> None:
        """See `bot.table.ports.Settings.save_server`."""
        value = {
            "variant": settings.variant,
            "house_rules": [
                {"id": house.id, "name": house.name, "rules": dict(house.rules)}
                for house in settings.house_rules
            ],
            "default_house": settings.default_house,
            "clock": settings.clock,
            "channels": list(settings.channels),
            "greeted": settings.greeted,
            "vacation_days": settings.vacation_days,
            "threads": settings.threads,
            "claims": settings.claims,
        }
        await self._save(GUILDS, {"guild_id": guild_id, "settings": value}, "guild_id")

    async def person(self, user_id: UserId) -> PersonSettings:
        """See `bot.table.ports.Settings.person`."""
        stored = await self._database.read(
            lambda session: session.connection().execute(_OF_PERSON, {"of": user_id}).scalar()
        )
        return _person(stored or {})

    async def persons(self, user_ids: Sequence[UserId]) -> Mapping[UserId, PersonSettings]:
        """See `bot.table.ports.Settings.persons`."""
        wanted = {"users": list(user_ids)}
        rows = await self._database.read(
            lambda session: session.connection().execute(_OF_PERSONS, wanted).all()
        )
        return {UserId(row.user_id): _person(row.settings) for row in rows}

    async def change_person(
        self, user_id: UserId, change: Callable[[PersonSettings], PersonSettings]
    ) -> tuple[PersonSettings, PersonSettings]:
        """See `bot.table.ports.Settings.change_person`."""

        def unit(session: Session) -> tuple[PersonSettings, PersonSettings]:
            # A row that is not there can't be locked, and a process of another server may be
            # about to write the first one.
            insert_new(session, PERSONS, {"user_id": user_id, "settings": {}}, keys=("user_id",))
            locked = _OF_PERSON.with_for_update()
            before = _person(session.connection().execute(locked, {"of": user_id}).scalar() or {})
            row = {"user_id": user_id, "settings": _written_person(after := change(before))}
            upsert(session, PERSONS, row, keys=("user_id",))
            return before, after

        return await self._database.write(unit)

    async def remember_name(self, guild_id: GuildId, user_id: UserId, name: str) -> None:
        """See `bot.table.ports.Settings.remember_name`."""
        row = {"guild_id": guild_id, "user_id": user_id, "name": name}
        await self._save(MEMBERS, row, "guild_id", "user_id")

    async def remembered(self, key: str) -> str | None:
        """See `bot.table.ports.Settings.remembered`."""
        stored = select(col(RuntimeRecord.value)).where(col(RuntimeRecord.key) == key)
        return await self._database.read(lambda session: session.exec(stored).first())

    async def remember(self, key: str, value: str) -> None:
        """See `bot.table.ports.Settings.remember`."""
        await self._save(RUNTIME, {"key": key, "value": value}, "key")

    async def _save(self, table: Table, row: Mapping[str, Any], *keys: str) -> None:
        await self._database.write(lambda session: upsert(session, table, row, keys=keys))


def _server(stored: Mapping[str, Any]) -> ServerSettings:
    """What was stored; a choice that did not exist then has its default."""
    defaults = ServerSettings()
    houses = tuple(
        HouseRules(each["id"], each["name"], each["rules"])
        for each in stored.get("house_rules", _former_rules(stored))
    )
    usual = stored.get("default_house", houses[0].id if _former_rules(stored) else None)
    threads, claims = stored.get("threads"), stored.get("claims")
    return ServerSettings(
        variant=stored.get("variant", defaults.variant),
        house_rules=houses,
        default_house=usual if usual in {house.id for house in houses} else None,
        clock=stored.get("clock", defaults.clock),
        channels=tuple(ChannelId(channel) for channel in stored.get("channels", ())),
        greeted=stored.get("greeted", defaults.greeted),
        vacation_days=stored.get("vacation_days", defaults.vacation_days),
        threads=threads if isinstance(threads, bool) else defaults.threads,
        claims=claims if claims in CLAIMS else defaults.claims,
    )


def _former_rules(stored: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The one set of nameless rules that a server could have before rules had names."""
    rules = stored.get("rules")
    if not rules or "house_rules" in stored:
        return []
    named = {"extends": stored.get("variant", ServerSettings().variant), **rules}
    return [{"id": "1", "name": _FORMER_NAME, "rules": named}]


def _person(stored: Mapping[str, Any]) -> PersonSettings:
    """What was stored, each choice by itself: one that is not valid any more is the default."""
    defaults = PersonSettings()
    known = {each.value for each in Reminders}
    reminders = stored.get("reminders")
    return PersonSettings(
        confirm_cards=bool(stored.get("confirm_cards", defaults.confirm_cards)),
        reminders=Reminders(reminders) if reminders in known else defaults.reminders,
        direct_refused=bool(stored.get("direct_refused", defaults.direct_refused)),
        plays_forced=bool(stored.get("plays_forced", defaults.plays_forced)),
        zone=_read_zone(stored.get("zone")),
        quiet=_read_hours(stored.get("zone"), stored.get("quiet")),
        vacations=tuple(_read_vacations(stored.get("vacations", ()))),
    )


def _written_person(settings: PersonSettings) -> Mapping[str, Any]:
    return {
        "confirm_cards": settings.confirm_cards,
        "reminders": settings.reminders.value,
        "direct_refused": settings.direct_refused,
        "plays_forced": settings.plays_forced,
        "zone": settings.zone,
        "quiet": None if settings.quiet is None else _written_hours(settings.quiet),
        "vacations": [
            [milliseconds(each.begins), milliseconds(each.ends)] for each in settings.vacations
        ],
    }


def _written_hours(quiet: QuietHours) -> list[str]:
    return [quiet.begins.isoformat("minutes"), quiet.ends.isoformat("minutes")]


def _read_zone(stored: str | None) -> str | None:
    """A zone that the newest list of zones has dropped is one that was never said."""
    try:
        return None if stored is None else find_zone(stored)
    except HeartsError:
        log.warning("nobody knows the time zone %r any more", stored)
        return None


def _read_hours(zone: str | None, stored: Sequence[str] | None) -> QuietHours | None:
    known = _read_zone(zone)
    if known is None or stored is None:
        return None
    try:
        begins, ends = map(time.fromisoformat, stored)
        return QuietHours(known, begins, ends)
    except (HeartsError, TypeError, ValueError):
        log.warning("quiet hours that may not be: %r", stored)
        return None


def _read_vacations(stored: Sequence[Sequence[int]]) -> Iterator[Vacation]:
    for row in stored:
        try:
            begins, ends = map(moment, row)
            yield Vacation(begins, ends)
        except (OverflowError, TypeError, ValueError):
            log.warning("a vacation that cannot be: %r", row)
