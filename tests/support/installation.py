"""An installation that has been in use: rows in every table, and all of them as plain values."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import JSON, BigInteger, Column, Connection, Integer, LargeBinary, MetaData, select
from sqlalchemy.types import Text
from sqlmodel import Session

from bot.table.storing import PersonSettings, ServerSettings
from db.columns import UtcDateTime
from db.models import METADATA
from tests.support.deals import house_rules
from tests.support.store import GUILD, HOST, Stores, fresh_stores, url_of
from tests.support.tables import FOUR, Room

Rows = Mapping[str, Sequence[Mapping[str, Any]]]
"""By the name of the table: its rows, in the order of their keys, as the database has them."""

_SETTLED: list[bytes] = []
_SNOWFLAKE = 1_300_000_000_000_000_000
_LONG_AGO = datetime(1999, 12, 31, 23, 59, 59, 999_000, tzinfo=UTC)


async def settle_in(stores: Stores) -> None:
    """Fill the stores: a finished game, one that is being played, a lobby, people's choices."""
    room = Room(stores.events, stores.work)
    short = house_rules(end={"hands": 1}, tie="share")
    finished = await room.started(*FOUR, ruleset=short, channel_id=_SNOWFLAKE + 1)
    await room.play_until(finished.id, deals=1)
    running = await room.started(*FOUR[:3], channel_id=_SNOWFLAKE + 2)
    await room.everybody_passes(running.id)
    for hand in await room.waited_for(running.id):
        await room.move(hand)
    await room.open(channel_id=_SNOWFLAKE + 3)
    await stores.settings.save_server(GUILD, ServerSettings(variant="omnibus"))
    await stores.settings.change_person(HOST, lambda _: PersonSettings(zone="Asia/Tokyo"))
    await stores.settings.remember_name(GUILD, HOST, "Zoë 👑 Åström")
    await stores.work.beat(_LONG_AGO)
    await stores.database.write(_fill_the_rest)


async def settled_url(folder: Path) -> str:
    """The URL of an SQLite file in *folder* in which an installation has settled.

    It settles once a process; every further file is a copy of the first.
    """
    if not _SETTLED:
        stores = await fresh_stores(folder)
        await settle_in(stores)
        await stores.database.close()
        _SETTLED.append((folder / "hearts.db").read_bytes())
    (folder / "hearts.db").write_bytes(_SETTLED[0])
    return url_of(folder / "hearts.db")


def rows_in(connection: Connection) -> Rows:
    """All rows of a database at any revision, its columns read as that revision has them."""
    tables = tables_in(connection)
    return {
        table.name: [dict(row) for row in connection.execute(in_order).mappings()]
        for table in tables.sorted_tables
        for in_order in [select(table).order_by(*table.primary_key.columns)]
    }


def tables_in(connection: Connection) -> MetaData:
    """The tables of a database as they are, not as this program expects them."""
    found = MetaData()
    found.reflect(connection)
    found.remove(found.tables["alembic_version"])
    return found


def _fill_the_rest(session: Session) -> None:
    """Two made-up rows for each table that nothing of the above has filled."""
    connection = session.connection()
    for table in METADATA.sorted_tables:
        if connection.execute(select(table).limit(1)).first() is None:
            rows = [
                {column.name: _made_up(column, number) for column in table.columns}
                for number in (1, 2)
            ]
            connection.execute(table.insert(), rows)


def _made_up(column: Column[Any], number: int) -> Any:
    match column.type:
        case UtcDateTime():
            return _LONG_AGO
        case BigInteger():
            return _SNOWFLAKE + number
        case Integer():
            return number
        case JSON():
            return {"ü": [number, None, {"deep": True}]}
        case LargeBinary():
            return bytes(range(256))
        case Text():
            return f"{column.name} {number}: “Ä” \N{BLACK SPADE SUIT}\n\t'\"\\"
        case other:
            raise AssertionError(f"no made-up value for {column} of {other!r}")
