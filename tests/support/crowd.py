"""Open tables in a database file: as many as are played, or very many copies of one."""

import re
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bot.rules import variants
from bot.rules.cards import Hand, sorted_cards
from bot.table.clocks import move_clock
from bot.table.ids import ChannelId, InteractionId, TableId, UserId
from bot.table.manager import OpenTable, TableManager
from bot.table.robots import Robots
from bot.table.storing import Cause
from db.engine import Database, open_database
from db.event_store import SqlEventStore
from db.migrate import upgrade
from db.settings import SqlSettings
from db.work import SqlWork
from tests.support.fakes import CountedSeeds
from tests.support.kill_child import MachineClock
from tests.support.payloads import guild_of
from tests.support.store import url_of


@dataclass(frozen=True, slots=True)
class Passing:
    """Three cards that somebody is to pass, and where the button for it stands."""

    table: TableId
    channel: ChannelId
    user: UserId
    cards: Hand


async def tables_of_four(file: Path, channels: Sequence[int]) -> Sequence[Passing]:
    """A game of four people in each channel, and what each of them has to pass; all is shown."""
    await upgrade(url_of(file))
    return await tables_at(url_of(file), channels)


async def tables_at(url: str, channels: Sequence[int]) -> Sequence[Passing]:
    """As `tables_of_four`, in a database that is up to date."""
    database = open_database(url)
    manager = _manager(database)
    passings = [each for channel in channels for each in await _opened(manager, channel)]
    work = SqlWork(database)
    await work.beat(datetime.now(UTC))
    await database.close()
    return passings


def people_of(channel: int) -> Sequence[UserId]:
    """Who sits at the table of a channel."""
    return [UserId(channel * 10 + seat) for seat in range(4)]


def _manager(database: Database) -> TableManager:
    seeds = CountedSeeds("crowd")
    return TableManager(
        store=SqlEventStore(database),
        settings=SqlSettings(database),
        clock=MachineClock(),
        seeds=seeds,
        robots=Robots(seeds),
    )


async def _opened(manager: TableManager, channel: int) -> Sequence[Passing]:
    numbers = iter(range(channel * 100, channel * 100 + 100))
    people = people_of(channel)

    def by(user: UserId) -> Cause:
        return Cause(datetime.now(UTC), user, InteractionId(next(numbers)))

    wish = OpenTable(
        guild_id=guild_of(channel),
        channel_id=ChannelId(channel),
        ruleset=variants.load("standard"),
        seats=4,
        clock=move_clock("24h"),
        robots=(),
        invited=(),
    )
    host, *others = people
    table = (await manager.open(by(host), wish)).id
    for person in others:
        await manager.join(by(person), table)
    await manager.start(by(host), table)
    hands = [(person, await manager.hand(table, person)) for person in people]
    return [
        Passing(table, ChannelId(channel), person, frozenset(sorted_cards(hand.hand.hand)[:3]))
        for person, hand in hands
        if hand.hand is not None
    ]


def multiply(file: Path, number: int) -> None:
    """Copy the only table of *file*, with all that hangs on it, so that there are *number*.

    Each copy has a code, a channel, people and interactions of its own. All posts are shown.
    """
    with closing(sqlite3.connect(file)) as database, database:
        database.execute(
            "UPDATE posts SET posted_version = wanted_version, message_id = 1, sends = 1,"
            " sent_at = wanted_at"
        )
        database.execute("DELETE FROM outbox")
        [(table, channel)] = database.execute("SELECT id, channel_id FROM tables").fetchall()
        for name in _COPIED:
            found = database.execute(f"SELECT * FROM {name}")
            columns = [each[0] for each in found.description]
            rows = found.fetchall()
            marks = ", ".join("?" * len(columns))
            for copy in range(1, number):
                moved = _Copy(table, channel, copy)
                copies = [tuple(map(moved.cell, row, columns)) for row in rows]
                database.executemany(f"INSERT INTO {name} VALUES ({marks})", copies)


_COPIED = ("tables", "seats", "events", "deals", "posts", "timers")


class _Copy:
    """What is another in one copy."""

    def __init__(self, table: str, channel: int, number: int) -> None:
        self._number = number
        self._names: dict[object, object] = {table: f"{number:08}", channel: channel + number}
        self._names |= {user: user + 10 * number for user in people_of(channel)}
        self._inside = re.compile("|".join(rf"\b{name}\b" for name in self._names))
        self._words = {str(old): str(new) for old, new in self._names.items()}

    def cell(self, cell: Any, column: str) -> Any:
        if column == "iid" and cell is not None:
            return cell + 1_000 * self._number
        if isinstance(cell, str):
            return self._inside.sub(lambda found: self._words[found[0]], cell)
        return self._names.get(cell, cell)
