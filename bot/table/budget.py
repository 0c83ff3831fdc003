"""How fast we may call Discord: in all, for a channel, for a table (discord.md 2.4, 3)."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import Enum

from bot.table.ids import ChannelId, TableId


@dataclass(frozen=True, slots=True)
class Pace:
    """So many calls a second over time, and so many at once after a rest."""

    rate: float
    burst: int


IN_ALL = Pace(45, 5)
"""Discord bears 50 calls in any second; answers to interactions do not count."""
_IN_A_SECOND = IN_ALL.rate + IN_ALL.burst
_LEAST_BURST = 3
A_CHANNEL = Pace(1, 5)
A_TABLE = Pace(1, 3)
"""Of posts; the end of a deal is three calls: the last trick, the sheet, the next opening."""
TABLE_EDITS = Pace(1, 1)

_FORGET_ABOVE = 1_000


class Errand(Enum):
    """What a call is for."""

    SEND = "send"
    EDIT = "edit"
    SAY = "say"
    """A ping or a notice."""
    DELETE = "delete"


_LEAVES = {Errand.SEND: 0, Errand.EDIT: 0, Errand.SAY: 0, Errand.DELETE: 2}
"""How many calls of `IN_ALL` it leaves to what is more urgent."""


@dataclass(frozen=True, slots=True)
class Call:
    """One call to be made."""

    table_id: TableId
    channel_id: ChannelId
    errand: Errand


_Key = tuple[str, object]
_ALL: _Key = ("all", None)


@dataclass(slots=True)
class Budget:
    """Remembers the calls made, and says how long the next one has to wait."""

    _in_all: Pace = IN_ALL
    _next: dict[_Key, datetime] = field(default_factory=dict)
    """When a pace would be fully rested again; a key that is not here is rested."""
    _shut: dict[ChannelId, datetime] = field(default_factory=dict)

    def wait(self, call: Call, now: datetime) -> float:
        """Seconds until *call* may be made; 0: now."""
        limits = _limits(call, self._in_all)
        waits = [self._wait(key, pace, left, now) for key, pace, left in limits]
        return max(self.wait_for_opening(call.channel_id, now), *waits)

    def wait_in_all(self, errand: Errand, now: datetime) -> float:
        """Seconds until there is room for a call of this kind, wherever it goes; 0: now."""
        return max(0.0, self._wait(_ALL, self._in_all, _LEAVES[errand], now))

    def wait_for_some(self, calls: int, now: datetime) -> float:
        """Seconds until there is room for so many calls, at most a burst; 0: for one there is."""
        if not self.wait_in_all(Errand.SAY, now):
            return 0.0
        return self._wait(_ALL, self._in_all, calls - 1, now)

    def wait_for_opening(self, channel_id: ChannelId, now: datetime) -> float:
        """Seconds until a channel is no longer shut, whatever was spent; 0: it is open."""
        return max(0.0, (self._shut.get(channel_id, now) - now).total_seconds())

    def spend(self, call: Call, now: datetime) -> None:
        """Count a call that is made now, whether or not `wait` allowed it."""
        self._forget_rested(now)
        for key, pace, _ in _limits(call, self._in_all):
            rested = max(self._next.get(key, now), now)
            self._next[key] = rested + timedelta(seconds=1 / pace.rate)

    def give_back(self, call: Call) -> None:
        """Count a call that was spent and is not made after all."""
        for key, pace, _ in _limits(call, self._in_all):
            if key in self._next:
                self._next[key] -= timedelta(seconds=1 / pace.rate)

    def shut(self, channel_id: ChannelId, until: datetime) -> None:
        """Make no call to a channel before *until*: Discord asked us to wait."""
        self._shut[channel_id] = until

    def _wait(self, key: _Key, pace: Pace, left: int, now: datetime) -> float:
        debt = (self._next.get(key, now) - now).total_seconds()
        return debt - (pace.burst - 1 - left) / pace.rate

    def _forget_rested(self, now: datetime) -> None:
        if len(self._next) + len(self._shut) > _FORGET_ABOVE:
            self._next = {key: at for key, at in self._next.items() if at > now}
            self._shut = {channel: at for channel, at in self._shut.items() if at > now}


def part_of_all(share: float) -> Pace:
    """What one of several processes of the same bot may call, so that `IN_ALL` holds for them all.

    Args:
        share: of the work that falls to this process, above 0 and up to 1.
    """
    burst = max(_LEAST_BURST, round(IN_ALL.burst * share))
    return Pace(max(1.0, _IN_A_SECOND * share - burst), burst)


def _limits(call: Call, in_all: Pace) -> Iterator[tuple[_Key, Pace, int]]:
    yield _ALL, in_all, _LEAVES[call.errand]
    yield ("channel", call.channel_id), A_CHANNEL, 0
    if call.errand in {Errand.SEND, Errand.EDIT}:
        yield ("table", call.table_id), A_TABLE, 0
    if call.errand is Errand.EDIT:
        yield ("edits", call.table_id), TABLE_EDITS, 0
