"""Choices of servers and persons, and what the bot remembers for itself."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import BigInteger, Table, bindparam
from sqlalchemy import select as plain_select
from sqlmodel import col, select

from bot.table.ids import ChannelId, GuildId, UserId
from bot.table.storing import HouseRules, PersonSettings, ServerSettings
from db.engine import Database
from db.models import (
    GUILDS,
    MEMBERS,
    PERSONS,
    RUNTIME,
    GuildRecord,
    RuntimeRecord,
)
from db.statements import upsert

_OF_PERSON = plain_select(PERSONS.c.settings).where(
    PERSONS.c.user_id == bindparam("of", type_=BigInteger)
)
"""Every hand that is drawn asks for it; building the statement takes as long as carrying it out."""
_FORMER_NAME = "House rules"


class SqlSettings:
    """`bot.table.ports.Settings` over SQLite or PostgreSQL."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def server(self, guild_id: GuildId) -> ServerSettings:
        """See `bot.table.ports.Settings.server`."""
        chosen = select(col(GuildRecord.settings)).where(col(GuildRecord.guild_id) == guild_id)
        stored = await self._database.read(lambda session: session.exec(chosen).first())
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
        }
        await self._save(GUILDS, {"guild_id": guild_id, "settings": value}, "guild_id")

    async def person(self, user_id: UserId) -> PersonSettings:
        """See `bot.table.ports.Settings.person`."""
        stored = await self._database.read(
            lambda session: session.connection().execute(_OF_PERSON, {"of": user_id}).scalar()
        )
        return PersonSettings(confirm_cards=bool((stored or {}).get("confirm_cards", False)))

    async def save_person(self, user_id: UserId, settings: PersonSettings) -> None:
        """See `bot.table.ports.Settings.save_person`."""
        value = {"confirm_cards": settings.confirm_cards}
        await self._save(PERSONS, {"user_id": user_id, "settings": value}, "user_id")

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
    return ServerSettings(
        variant=stored.get("variant", defaults.variant),
        house_rules=houses,
        default_house=usual if usual in {house.id for house in houses} else None,
        clock=stored.get("clock", defaults.clock),
        channels=tuple(ChannelId(channel) for channel in stored.get("channels", ())),
        greeted=stored.get("greeted", defaults.greeted),
    )


def _former_rules(stored: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The one set of nameless rules that a server could have before rules had names."""
    rules = stored.get("rules")
    if not rules or "house_rules" in stored:
        return []
    named = {"extends": stored.get("variant", ServerSettings().variant), **rules}
    return [{"id": "1", "name": _FORMER_NAME, "rules": named}]
