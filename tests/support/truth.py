"""What lies in the store at this moment, read beside the bot and without its knowledge."""

import json
import sqlite3
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from bot.rules import legal
from bot.rules.cards import Card, Hand, Seat, Suit
from bot.rules.commands import PlayedBy
from bot.rules.events import CardPlayed, DealBegan
from bot.rules.state import Game, Phase
from bot.table import history
from bot.table.codec import EncodedEvent, decode
from bot.table.events import TableOpened
from bot.table.ids import Human, InteractionId, TableId, UserId
from bot.table.moments import moment as moment_of
from bot.table.state import Table
from bot.table.storing import Cause, StoredEvent
from db.columns import milliseconds, moment

_EVENTS = """
    SELECT seq, kind, v, body, actor_id, iid, at FROM events
    WHERE table_id = ? AND seq > ? ORDER BY seq
"""
_BEHIND = """
    SELECT slot, posted_version, wanted_version FROM posts WHERE posted_version < wanted_version
"""
_SAYING = "SELECT id, kind FROM outbox WHERE due_at <= ?"
_NEXT_DUE = """
    SELECT min(due_at) FROM (SELECT due_at FROM outbox UNION ALL SELECT due_at FROM timers)
    WHERE due_at > ?
"""
_POINTS = "SELECT points FROM results WHERE table_id = ? ORDER BY seat"
_LATE = "SELECT count(*) FROM timers WHERE due_at <= ?"


class Ledger:
    """The database file, read by sqlite3 alone."""

    def __init__(self, file: Path) -> None:
        self._file = sqlite3.connect(file)
        self._file.execute("PRAGMA query_only=ON")

    def close(self) -> None:
        self._file.close()

    def events(self, table: TableId, after: int) -> list[StoredEvent]:
        """The events of a table that come after number *after*."""
        return [
            StoredEvent(
                seq,
                decode(EncodedEvent(kind, version, json.loads(body))),
                Cause(moment(at), actor and UserId(actor), iid and InteractionId(iid)),
            )
            for seq, kind, version, body, actor, iid, at in self._file.execute(
                _EVENTS, (table, after)
            )
        ]

    def points(self, table: TableId) -> tuple[int, ...]:
        """The totals by seat that boards count."""
        return tuple(points for (points,) in self._file.execute(_POINTS, (table,)))

    def slots(self, table: TableId) -> list[str]:
        """The posts that a table has."""
        query = "SELECT slot FROM posts WHERE table_id = ? ORDER BY place"
        return [slot for (slot,) in self._file.execute(query, (table,))]

    def open_messages(self, table: TableId) -> list[int]:
        """The messages of a table in which something can still change."""
        query = "SELECT message_id FROM posts WHERE table_id = ? AND NOT closed AND message_id"
        return [message for (message,) in self._file.execute(query, (table,))]

    def to_show(self, now: datetime) -> list[tuple[object, ...]]:
        """What the publisher has to do at *now*."""
        return [
            *self._file.execute(_BEHIND),
            *self._file.execute(_SAYING, (milliseconds(now),)),
        ]

    def is_late(self, now: datetime) -> bool:
        """Whether a timer is due."""
        [(count,)] = self._file.execute(_LATE, (milliseconds(now),))
        return bool(count)

    def next_due(self, now: datetime) -> datetime | None:
        """When a timer or an outbox row becomes due after *now*."""
        [(due_at,)] = self._file.execute(_NEXT_DUE, (milliseconds(now),))
        return None if due_at is None else moment(due_at)


@dataclass(slots=True)
class Truth:
    """One table as its events tell it, up to the newest in the store."""

    ledger: Ledger
    id: TableId
    stored: list[StoredEvent] = field(default_factory=list)
    tricks: dict[int, list[list[Card]]] = field(default_factory=dict)
    """By deal: its tricks in order, each with the cards that lie in it."""
    decks: dict[int, Hand] = field(default_factory=dict)
    _table: Table | None = None
    _since: dict[Seat, tuple[Phase, int, datetime]] = field(default_factory=dict)
    """For each seat the game waits for: for what it waits, and since when."""

    @property
    def table(self) -> Table:
        assert self._table is not None
        return self._table

    @property
    def game(self) -> Game | None:
        return self._table.game if self._table else None

    @property
    def now(self) -> Game:
        """The game that has begun."""
        assert self._table is not None
        assert self._table.game is not None
        return self._table.game

    def look(self) -> "Truth":
        """Read what was stored since the last look."""
        for entry in self.ledger.events(self.id, len(self.stored)):
            if self._table is None:
                assert isinstance(entry.event, TableOpened)
                self._table = history.opened(entry.event)
            else:
                self._table = history.evolve(self._table, entry.event, entry.cause.user_id)
            self._count(entry)
            self.stored.append(entry)
        return self

    def by_clock(self) -> Hand:
        """All cards that the clock has played."""
        plays = [entry.event for entry in self.stored if isinstance(entry.event, CardPlayed)]
        return frozenset(play.card for play in plays if play.by is PlayedBy.CLOCK)

    def played(self, deal: int) -> Hand:
        """The cards that lie or lay on the table in a deal."""
        return frozenset(card for trick in self.tricks.get(deal, ()) for card in trick)

    @property
    def last_by_hand(self) -> UserId | None:
        """Who made the newest move by hand; ``None`` if the clock made one since."""
        for entry in reversed(self.stored):
            if entry.cause.user_id is not None:
                return entry.cause.user_id
            if isinstance(entry.event, CardPlayed) and entry.event.by is PlayedBy.CLOCK:
                return None
        return None

    def others_since(self, person: UserId) -> datetime | None:
        """When somebody else first moved by hand after the newest move of *person*, if at all."""
        since = None
        for entry in reversed(self.stored):
            if entry.cause.user_id == person:
                break
            if entry.cause.user_id is not None:
                since = entry.cause.at
        return since

    def awaited(self) -> tuple[UserId, ...]:
        """The people whom the game waits for; not those a robot plays for."""
        if self.game is None:
            return ()
        chairs = [self.table.chairs[seat] for seat in legal.to_move(self.game)]
        return tuple(chair.user_id for chair in chairs if isinstance(chair, Human))

    @property
    def turn(self) -> tuple[str, int]:
        """What the game waits for: the kind, and the trick or deal."""
        return self.now.phase.value, moment_of(self.now)

    def awaited_since(self, person: UserId) -> datetime:
        """When the turn came to a person whom the game waits for."""
        return self._since[Seat(self.table.chairs.index(Human(person)))][-1]

    def _count(self, entry: StoredEvent) -> None:
        match entry.event:
            case DealBegan(number, _, order):
                self.decks[number] = frozenset(order)
                self.tricks[number] = []
            case CardPlayed(_, card):
                self._lay(card)
            case _:
                pass
        if (game := self.game) is not None:
            turn = (game.phase, moment_of(game))
            seats = {seat: self._since.get(seat) for seat in legal.to_move(game)}
            self._since = {
                seat: known if known and known[:2] == turn else (*turn, entry.cause.at)
                for seat, known in seats.items()
            }

    def _lay(self, card: Card) -> None:
        tricks = self.tricks[max(self.tricks)]
        if not tricks or len(tricks[-1]) == len(self.table.chairs):
            tricks.append([])
        tricks[-1].append(card)


def counted(truth: Truth) -> tuple[int, ...]:
    """The totals by seat, counted from the cards alone, by the rules of plain Hearts.

    A heart is one point, the queen of spades thirteen; who takes all 26 gives each other seat 26
    instead.
    """
    seats = len(truth.table.chairs)
    totals = [0] * seats
    plays = [entry.event for entry in truth.stored if isinstance(entry.event, CardPlayed)]
    for deal in truth.tricks.values():
        taken = [0] * seats
        for trick in deal:
            mine, plays = plays[: len(trick)], plays[len(trick) :]
            led = [play for play in mine if play.card.suit is mine[0].card.suit]
            winner = max(led, key=lambda play: play.card.rank.value)
            taken[winner.seat] += sum(map(_points, trick))
        if max(taken) == 26:
            taken = [26 - points for points in taken]
        totals = [total + points for total, points in zip(totals, taken, strict=True)]
    return tuple(totals)


def _points(card: Card) -> int:
    if card.suit is Suit.HEARTS:
        return 1
    return 13 if str(card) == "QS" else 0
