"""Score keepers, one row each."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from sqlalchemy import Row, delete, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session

from bot.rules.scorekeeper import KeptDeal, KeptRules, MoonForm, ScoreSheet
from bot.table.errors import KeeperOpenError, UnknownKeeperError, VersionConflictError
from bot.table.ids import ChannelId, GuildId, KeeperId, UserId
from bot.table.keeping import Keeper, KeptWhere
from db.engine import Database
from db.models import KEEPERS


class SqlKeepers:
    """`bot.table.ports.KeeperStore` over SQLite or PostgreSQL."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, keeper: Keeper) -> None:
        """See `bot.table.ports.KeeperStore.add`."""

        def unit(session: Session) -> None:
            session.connection().execute(insert(KEEPERS), _row(keeper))

        try:
            await self._database.write(unit)
        except IntegrityError as clash:
            raise KeeperOpenError from clash

    async def find(self, where: KeptWhere) -> Keeper | None:
        """See `bot.table.ports.KeeperStore.find`."""
        wanted = select(KEEPERS).where(
            KEEPERS.c.channel_id == where.channel_id, KEEPERS.c.owner == where.owner
        )
        row = await self._database.read(
            lambda session: session.connection().execute(wanted).first()
        )
        return None if row is None else _keeper(row)

    async def load(self, keeper_id: KeeperId) -> Keeper:
        """See `bot.table.ports.KeeperStore.load`."""
        wanted = select(KEEPERS).where(KEEPERS.c.id == keeper_id)
        row = await self._database.read(
            lambda session: session.connection().execute(wanted).first()
        )
        if row is None:
            raise UnknownKeeperError
        return _keeper(row)

    async def save(self, keeper: Keeper) -> None:
        """See `bot.table.ports.KeeperStore.save`."""
        change = (
            update(KEEPERS)
            .where(KEEPERS.c.id == keeper.id, KEEPERS.c.version == keeper.version - 1)
            .values(_row(keeper))
        )
        changed = await self._database.write(
            lambda session: session.connection().execute(change).rowcount
        )
        if changed != 1:
            raise VersionConflictError(f"score keeper {keeper.id} is past {keeper.version - 1}")

    async def remove(self, keeper_id: KeeperId) -> None:
        """See `bot.table.ports.KeeperStore.remove`."""
        gone = delete(KEEPERS).where(KEEPERS.c.id == keeper_id)
        await self._database.write(lambda session: session.connection().execute(gone).rowcount)


def _row(keeper: Keeper) -> dict[str, Any]:
    return {
        "id": keeper.id,
        "guild_id": keeper.where.guild_id,
        "channel_id": keeper.where.channel_id,
        "owner": keeper.where.owner,
        "version": keeper.version,
        "sheet": _written(keeper.sheet),
        "opened_at": keeper.opened_at,
        "changed_at": keeper.changed_at,
    }


def _keeper(row: Row[Any]) -> Keeper:
    guild_id = None if row.guild_id is None else GuildId(row.guild_id)
    return Keeper(
        id=KeeperId(row.id),
        where=KeptWhere(ChannelId(row.channel_id), UserId(row.owner), guild_id),
        version=row.version,
        sheet=_read(row.sheet),
        opened_at=row.opened_at,
        changed_at=row.changed_at,
    )


def _written(sheet: ScoreSheet) -> dict[str, Any]:
    return {
        "players": list(sheet.players),
        "rules": asdict(sheet.rules) | {"moon": sheet.rules.moon.value},
        "deals": [{"points": deal.points, "shooter": deal.shooter} for deal in sheet.deals],
    }


def _read(stored: Mapping[str, Any]) -> ScoreSheet:
    rules = stored["rules"]
    return ScoreSheet(
        players=tuple(stored["players"]),
        rules=KeptRules(**rules | {"moon": MoonForm(rules["moon"])}),
        deals=tuple(KeptDeal(tuple(deal["points"]), deal["shooter"]) for deal in stored["deals"]),
    )
