"""Stores of their own for tests, and tables to put into them without playing a game."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import func, select
from sqlmodel import Session

from bot.rules import variants
from bot.rules.cards import Seat
from bot.table.clocks import move_clock
from bot.table.events import PostSurfaced, SeatTaken, TableEvent, TableOpened
from bot.table.ids import ChannelId, GuildId, Human, InteractionId, Occupant, TableId, UserId
from bot.table.state import Status, Table
from bot.table.storing import At, Cause, Followings
from db.engine import Database, open_database
from db.event_store import SqlEventStore
from db.keepers import SqlKeepers
from db.migrate import upgrade
from db.models import METADATA, TABLES
from db.settings import SqlSettings
from db.standings import SqlStandings
from db.work import SqlWork

START = datetime(2026, 3, 1, 12, tzinfo=UTC)
GUILD = GuildId(1_100_000_000_000_000_001)
CHANNEL = ChannelId(1_100_000_000_000_000_002)
HOST = UserId(1_100_000_000_000_000_003)
_MIGRATED: list[bytes] = []


@dataclass(frozen=True, slots=True)
class Stores:
    """Every port of the store over one database."""

    database: Database
    events: SqlEventStore
    work: SqlWork
    settings: SqlSettings
    standings: SqlStandings
    keepers: SqlKeepers


def only_to_be_read(file: Path) -> None:
    """Make an SQLite file one that may not be written, whoever asks: root may write any.

    The write version in its head (https://sqlite.org/fileformat.html, 1.3.2) is one of the future.
    """
    with file.open("r+b") as opened:
        opened.seek(18)
        opened.write(b"\x03")


def url_of(file: Path) -> str:
    return f"sqlite+aiosqlite:///{file}"


def stores_over(database: Database) -> Stores:
    return Stores(
        database,
        SqlEventStore(database),
        SqlWork(database),
        SqlSettings(database),
        SqlStandings(database),
        SqlKeepers(database),
    )


async def fresh_url(folder: Path) -> str:
    """The URL of a new SQLite file in *folder* with all tables.

    The migrations run once a process; every further file is a copy of the first.
    """
    file = folder / "hearts.db"
    if file.exists():
        raise FileExistsError(file)
    if _MIGRATED:
        file.write_bytes(_MIGRATED[0])
    else:
        await upgrade(url_of(file))
        _MIGRATED.append(file.read_bytes())
    return url_of(file)


async def fresh_stores(folder: Path) -> Stores:
    """All stores over a new SQLite file in *folder*; close their database after the test."""
    return stores_over(open_database(await fresh_url(folder)))


async def fresh_store(folder: Path) -> SqlEventStore:
    """The event store alone, over a new SQLite file in *folder*."""
    return (await fresh_stores(folder)).events


def lobby(table_id: str = "aaaa1111", **changes: Any) -> Table:
    """A lobby of four chairs with its host on the first."""
    values: dict[str, Any] = {
        "id": TableId(table_id),
        "guild_id": GUILD,
        "channel_id": CHANNEL,
        "host": HOST,
        "status": Status.LOBBY,
        "ruleset": variants.load("standard"),
        "clock": move_clock("24h"),
        "chairs": (Human(HOST), None, None, None),
        "invited": (),
        "game": None,
    }
    return Table(**values | changes)


def opening(table: Table) -> tuple[TableEvent, ...]:
    """The events that open *table* and seat all that it has."""
    opened = TableOpened(
        table=table.id,
        guild_id=table.guild_id,
        channel_id=table.channel_id,
        host=table.host,
        ruleset=table.ruleset,
        seats=len(table.chairs),
        clock=table.clock,
        invited=table.invited,
    )
    seated: Sequence[tuple[int, Occupant | None]] = tuple(enumerate(table.chairs))
    return (opened, *(SeatTaken(Seat(n), who) for n, who in seated if who is not None))


def followings(table: Table, **changes: Any) -> Followings:
    """What follows at *table*: nothing but what is asked for."""
    values: dict[str, Any] = {
        "table": table,
        "slots": ("lobby",),
        "closed_slots": (),
        "timers": (),
        "pings": (),
        "ping_not_before": START,
    }
    return Followings(**values | changes)


def cause(seconds: float = 0, *, iid: int | None = None, **changes: Any) -> Cause:
    """A person's doing, so many seconds after `START`."""
    interaction = None if iid is None else InteractionId(iid)
    asked = Cause(START + timedelta(seconds=seconds), HOST, interaction)
    return replace(asked, **changes)


async def put(stores: Stores, table: Table, why: Cause | None = None, **changes: Any) -> At:
    """Open *table* in the store; where it stands then."""
    events = opening(table)
    await stores.events.commit(
        At(table.id, 0), events, why or cause(), followings(table, **changes)
    )
    return At(table.id, len(events))


async def go_on(
    stores: Stores,
    at: At,
    table: Table,
    *events: TableEvent,
    why: Cause | None = None,
    **changes: Any,
) -> At:
    """Store what happens next; without *events*, something that changes no seat."""
    happened = events or (PostSurfaced(),)
    await stores.events.commit(at, happened, why or cause(), followings(table, **changes))
    return At(at.table_id, at.version + len(happened))


async def counts(stores: Stores) -> dict[str, int]:
    """How many rows lie in each table, and how many events each table counts."""

    def unit(session: Session) -> dict[str, int]:
        connection = session.connection()
        found = {
            name: connection.scalar(select(func.count()).select_from(table)) or 0
            for name, table in METADATA.tables.items()
        }
        return found | {"versions": connection.scalar(select(func.sum(TABLES.c.version))) or 0}

    return await stores.database.read(unit)
