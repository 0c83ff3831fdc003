"""How long each seat was waited for in a simulated month, read from the stored events alone."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import Enum
from math import ceil

from bot.cli import month_reckoning
from bot.cli.month_record import Chronicle, Outage
from bot.rules.cards import Seat
from bot.rules.commands import PlayedBy
from bot.rules.events import CardPlayed, CardsPassed, MoonSettled
from bot.rules.legal import to_move
from bot.rules.state import Phase
from bot.table import history, lobby
from bot.table.events import ClockChanged, TableOpened
from bot.table.ids import Human, TableId, UserId
from bot.table.moments import moment
from bot.table.state import Status, Table
from bot.table.storing import PersonSettings, StoredEvent

_PURPOSES = {Phase.PASSING: "pass", Phase.MOON_CHOICE: "moon"}


class Over(Enum):
    """What ended a wait."""

    HAND = "hand"
    PLAN = "plan"
    """The person's move, set aside before."""
    ROBOT = "robot"
    CLOCK = "clock"
    PAUSE = "pause"
    CLOCK_CHANGED = "clock changed"
    OTHER = "other"
    """Another sits there, or the deal or the table ended."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wait:
    """A time in which a table waited for one seat."""

    table_id: TableId
    seat: Seat
    user_id: UserId | None
    """``None``: a robot."""
    purpose: str
    """As `bot.table.posting.Ping.kind`."""
    moment: int
    since: datetime
    kept: timedelta
    """What a pause before it left beyond what clock and bank give; mostly below zero."""
    clock: int | None
    """Seconds a move."""
    bank: timedelta
    called_from: datetime | None
    """Since when the newest move is another's; ``None``: it is the person's own all the time."""
    planned: bool
    """Whether the person had set something aside at any time of it."""
    goes_on: bool = False
    """Whether it continues one that a pause or another clock broke off."""
    until: datetime | None = None
    """``None``: it lasts at the end of the month."""
    over: Over | None = None

    def takes_call_back(self, *, reminded: bool) -> bool:
        """Whether its end took the call away, so that the person is called anew after it.

        A pause does, and another clock once the person was reminded of a deadline by the old one.
        """
        return self.over is Over.PAUSE or (self.over is Over.CLOCK_CHANGED and reminded)


@dataclass(frozen=True, slots=True)
class Told:
    """What is needed of a month to tell when somebody is late."""

    chronicle: Chronicle

    def settings(self, user_id: UserId, at: datetime) -> PersonSettings:
        """What a person had chosen by then."""
        chosen = [after for when, after in self.chronicle.chosen.get(user_id, ()) if when <= at]
        return chosen[-1] if chosen else PersonSettings()

    def chose_within(self, wait: Wait) -> datetime | None:
        """When the person last chose something while the table waited; ``None``: never."""
        known = self.chronicle.chosen.get(wait.user_id, ()) if wait.user_id is not None else ()
        until = wait.until or self.chronicle.ends_at
        return max((when for when, _ in known if wait.since < when <= until), default=None)

    def outages(self, wait: Wait) -> Sequence[Outage]:
        """Those that fell into the wait."""
        until = wait.until or self.chronicle.ends_at
        return [
            outage
            for outage in self.chronicle.outages
            if wait.since < outage.ended_at and until >= outage.ended_at
        ]

    def due(self, wait: Wait, at: datetime) -> datetime | None:
        """When the person of a wait is late, as it stands at *at*; ``None``: never."""
        if wait.user_id is None or wait.clock is None:
            return None
        credit = sum((outage.length for outage in self.outages(wait)), timedelta())
        allowed = timedelta(seconds=wait.clock) + wait.bank + wait.kept + credit
        person = self.settings(wait.user_id, at)
        return month_reckoning.deadline(person, wait.since, allowed, wait.clock)

    def left(self, wait: Wait, at: datetime) -> timedelta | None:
        """What the person of a wait has left at *at*, vacations apart; ``None``: any time."""
        due = self.due(wait, at)
        if due is None or wait.user_id is None:
            return None
        own = month_reckoning.own_time(self.settings(wait.user_id, at), at, max(at, due))
        return timedelta(seconds=max(1, ceil(own.total_seconds())))


def waits(chronicle: Chronicle, table_id: TableId) -> Sequence[Wait]:
    """All waits of a table, in the order in which they ended."""
    reader = _Reader(Told(chronicle), chronicle.tables[table_id].stored)
    return reader.read()


def commits(stored: Sequence[StoredEvent]) -> Iterator[Sequence[StoredEvent]]:
    """The events that were stored together."""
    begun = 0
    for place in range(1, len(stored) + 1):
        if place == len(stored) or _begins_anew(stored[place - 1], stored[place]):
            yield stored[begun:place]
            begun = place


def _begins_anew(before: StoredEvent, entry: StoredEvent) -> bool:
    one, other = before.cause, entry.cause
    return other.interaction_id is not None or (one.at, one.user_id) != (other.at, other.user_id)


class _Reader:
    """Follows one table from its first event to its last."""

    def __init__(self, told: Told, stored: Sequence[StoredEvent]) -> None:
        first = stored[0].event
        if not isinstance(first, TableOpened):
            raise TypeError(first)
        self._table = history.opened(first)
        self._stored = stored
        self._told = told
        self._open: dict[Seat, Wait] = {}
        self._left: dict[Seat, timedelta] = {}
        """What seats have left while their table is paused by agreement."""
        self._resumed = False
        self._found: list[Wait] = []

    def read(self) -> Sequence[Wait]:
        for commit in commits(self._stored):
            before = self._table
            for entry in commit:
                if entry.seq > 1:
                    self._table = history.evolve(self._table, entry.event, entry.cause.user_id)
            self._settle(before, commit)
        return [*self._found, *self._open.values()]

    def _settle(self, before: Table, commit: Sequence[StoredEvent]) -> None:
        at, table = commit[0].cause.at, self._table
        wanted = dict(_wanted(table))
        new_clock = any(isinstance(entry.event, ClockChanged) for entry in commit)
        self._keep_left(table, new_clock=new_clock)
        broken_off: set[Seat] = set()
        for seat, wait in list(self._open.items()):
            over = _over(wait, commit, table, new_clock=new_clock)
            if over is not None or wanted.get(seat) != _key(wait):
                self._close(wait, at, over or Over.OTHER)
                if over is Over.CLOCK_CHANGED:
                    broken_off.add(seat)
            else:
                self._open[seat] = self._seen_again(wait, at)
        goes_on = before.agreed_pause and not table.agreed_pause
        for seat in wanted:
            if seat not in self._open:
                self._begin(seat, at, goes_on=goes_on or seat in broken_off)
        if goes_on:
            self._left.clear()

    def _seen_again(self, wait: Wait, at: datetime) -> Wait:
        """A wait that goes on although something happened at its table."""
        moved = wait.called_from is None and self._table.last_actor != wait.user_id
        planned = wait.planned or bool(self._table.plans.get(wait.seat))
        return replace(wait, called_from=at if moved else wait.called_from, planned=planned)

    def _keep_left(self, table: Table, *, new_clock: bool) -> None:
        if new_clock:
            self._left.clear()
        for seat in list(self._left):
            if not isinstance(table.chairs[seat], Human):
                del self._left[seat]

    def _close(self, wait: Wait, at: datetime, over: Over) -> None:
        ended = replace(wait, until=at, over=over)
        if over is Over.PAUSE and (left := self._told.left(ended, at)) is not None:
            self._left[wait.seat] = left
        del self._open[wait.seat]
        self._found.append(ended)

    def _begin(self, seat: Seat, at: datetime, *, goes_on: bool) -> None:
        table, user_id = self._table, _person(self._table, seat)
        bank, clock = table.banks[seat], table.clock.seconds
        kept = timedelta()
        if seat in self._left and goes_on and clock is not None:
            kept = self._left[seat] - timedelta(seconds=clock) - bank
        game = table.game
        self._open[seat] = Wait(
            table_id=table.id,
            seat=seat,
            user_id=user_id,
            purpose=_PURPOSES.get(game.phase, "turn") if game else "",
            moment=moment(game) if game else 0,
            since=at,
            kept=kept,
            clock=clock,
            bank=bank,
            called_from=None if user_id is not None and table.last_actor == user_id else at,
            planned=bool(table.plans.get(seat)),
            goes_on=goes_on,
        )


_Key = tuple[UserId | None, str, int]


def _key(wait: Wait) -> _Key:
    return wait.user_id, wait.purpose, wait.moment


def _wanted(table: Table) -> Iterator[tuple[Seat, _Key]]:
    """Whom a table waits for; robots do not play on among themselves."""
    game = table.game
    if game is None or table.status is not Status.PLAYING or table.agreed_pause:
        return
    if lobby.people(table.chairs):
        purpose = _PURPOSES.get(game.phase, "turn")
        for seat in to_move(game):
            yield seat, (_person(table, seat), purpose, moment(game))


def _person(table: Table, seat: Seat) -> UserId | None:
    chair = table.chairs[seat]
    return chair.user_id if isinstance(chair, Human) else None


def _over(
    wait: Wait, commit: Sequence[StoredEvent], table: Table, *, new_clock: bool
) -> Over | None:
    """What of a commit ended a wait; ``None``: none of its events by itself."""
    movers = (_mover(wait, entry) for entry in commit)
    if (mover := next(filter(None, movers), None)) is not None:
        return mover
    if table.agreed_pause:
        return Over.PAUSE
    return Over.CLOCK_CHANGED if new_clock and wait.user_id is not None else None


_MOVERS: Mapping[PlayedBy, Over] = {
    PlayedBy.HAND: Over.HAND,
    PlayedBy.PLAN: Over.PLAN,
    PlayedBy.CLAIM: Over.OTHER,
    PlayedBy.ROBOT: Over.ROBOT,
    PlayedBy.CLOCK: Over.CLOCK,
}


def _mover(wait: Wait, entry: StoredEvent) -> Over | None:
    """Who made the move that was waited for; ``None``: the event is none."""
    event, by_hand = entry.event, entry.cause.user_id is not None
    if not isinstance(event, CardPlayed | CardsPassed | MoonSettled) or event.seat != wait.seat:
        return None
    if isinstance(event, CardPlayed):
        return _MOVERS[event.by]
    if by_hand:
        return Over.HAND
    return Over.ROBOT if wait.user_id is None else Over.CLOCK
