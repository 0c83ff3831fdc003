"""All that is stored of one person, as files that the person can read.

Own cards only: what others hold stays out of it, whoever's press dealt it out.
"""

import asyncio
import io
import json
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Protocol

from bot.rules.errors import HeartsError
from bot.table.export_of_table import own_course
from bot.table.ids import TableId, UserId
from bot.table.ports import Clock, EventStore

LARGEST_FILE = 8 * 1024 * 1024
"""Bytes. Discord takes files of 10 MiB from bots; the rest is room for how it counts."""
_NAME = "hearts-data"
_EXACT = 2**53
"""Many programs read no whole number above it exactly, so those are written as text."""

_EXPLAINED = {
    "made_at": "when this file was made; all times are UTC, in ISO form",
    "your_id": "your Discord id, by which all of this was found",
    "preferences": "what you chose with /preferences and /hearts vacation; null: nothing",
    "names": "the names under which servers last saw you, which leaderboards show",
    "results": "one entry for each game that you played to its end: place 1 is the winner",
    "tables": "every table at which you acted, sat, or were named by somebody",
    "tables.hands": "the cards that you were dealt, before passing",
    "tables.events": "what you did there and what was done about you, with what was stored of it. "
    "Seats and dealers count from 0, deals from 1. Cards are rank and suit: QS is the queen of "
    "spades, T a ten. Where somebody else is named, null stands here, as that is not your data",
    "tables.events.click": "the number that Discord gave your click, by which it counts once",
    "score_keepers": "scores that you keep with /hearts scorekeeper, with the names you typed",
    "calls": "messages that call you, waiting to be sent or standing in a channel",
    "deletion": "that you asked to be deleted, and when it will happen; null: you did not",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredTable:
    """A table as a row, without its events."""

    table_id: TableId
    values: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredAbout:
    """What lies in the store of one person, beside events; values by their names there."""

    preferences: Mapping[str, Any] | None
    names: Sequence[Mapping[str, Any]]
    results: Sequence[Mapping[str, Any]]
    tables: Sequence[StoredTable]
    score_keepers: Sequence[Mapping[str, Any]]
    calls: Sequence[Mapping[str, Any]]
    deletion: Mapping[str, Any] | None


@dataclass(frozen=True, slots=True)
class ExportFile:
    """A file in memory, with a name that says nothing of whose it is."""

    name: str
    content: bytes


class Exports(Protocol):
    """What the store tells of a person."""

    async def about(self, user_id: UserId) -> StoredAbout:
        """All but the events."""
        ...


class Exporting:
    """Makes the files, for one person at a time, since it is much work where there are many games.

    Args:
        exports: what is stored beside events.
        events: the events.
        clock: the only time.
    """

    def __init__(self, exports: Exports, events: EventStore, clock: Clock) -> None:
        self._exports = exports
        self._events = events
        self._clock = clock
        self._at_work = asyncio.Lock()

    async def files(self, user_id: UserId) -> Sequence[ExportFile]:
        """One file that people can read, or several packed ones where it would be too large."""
        async with self._at_work:
            document = await self._document(user_id)
            return await asyncio.to_thread(packed, document)

    async def _document(self, user_id: UserId) -> Mapping[str, Any]:
        about = await self._exports.about(user_id)
        return {
            "explained": _EXPLAINED,
            "made_at": self._clock.now(),
            "your_id": str(user_id),
            "preferences": about.preferences,
            "names": about.names,
            "results": about.results,
            "tables": [await self._table(each, user_id) for each in about.tables],
            "score_keepers": about.score_keepers,
            "calls": about.calls,
            "deletion": about.deletion,
        }

    async def _table(self, stored: StoredTable, user_id: UserId) -> Mapping[str, Any]:
        try:
            events = await self._events.load(stored.table_id)
            course = await asyncio.to_thread(own_course, events, user_id)
        except HeartsError as fault:
            # Its course was deleted after some time, or a newer program wrote it.
            return {**stored.values, "course": fault.sentence.text}
        return {**stored.values, **course}


def packed(document: Mapping[str, Any], largest: int = LARGEST_FILE) -> Sequence[ExportFile]:
    """Write a document as few files of at most *largest* bytes; halved until they are small."""
    written = _written(document)
    if len(written) <= largest:
        return [ExportFile(f"{_NAME}.json", written)]
    parts = _parts(document, written, largest)
    return [ExportFile(f"{_NAME}-{number}.zip", part) for number, part in enumerate(parts, 1)]


def _parts(document: Mapping[str, Any], written: bytes, largest: int) -> list[bytes]:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr(f"{_NAME}.json", written)
    tables = document["tables"]
    if archive.tell() <= largest or len(tables) < 2:
        return [archive.getvalue()]
    half = len(tables) // 2
    parts: list[bytes] = []
    for some in (tables[:half], tables[half:]):
        part = {**document, "tables": some}
        parts += _parts(part, _written(part), largest)
    return parts


def _written(document: Mapping[str, Any]) -> bytes:
    return json.dumps(_readable(document), indent=1, ensure_ascii=False).encode()


def _readable(value: Any) -> Any:  # noqa: ANN401  whatever is stored
    match value:
        case datetime():
            return value.astimezone(UTC).isoformat().replace("+00:00", "Z")
        case bool():
            return value
        case int() if abs(value) > _EXACT:
            return str(value)
        case Mapping():
            return {str(key): _readable(each) for key, each in value.items()}
        case list() | tuple():
            return [_readable(each) for each in value]
        case _:
            return value
