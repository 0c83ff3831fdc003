"""When a person is not there: quiet hours, vacations, and what they do to a deadline. Pure.

All moments are aware; those that are handed out are in UTC.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from importlib.resources import files
from zoneinfo import ZoneInfo

from bot.table.errors import LongQuietError, UnknownZoneError

SLOW = 3_600
"""Seconds a move from which on a clock is slow: its deadlines keep out of quiet hours."""
AFTER_QUIET = timedelta(hours=1)
"""How long after quiet hours a deadline falls that would have fallen into them."""
LONGEST_QUIET = timedelta(hours=16)
"""By the hands of the clock. Whoever needs more is on vacation."""


@dataclass(frozen=True, slots=True)
class QuietHours:
    """The hours of every day in which a person is not to be disturbed.

    When clocks are changed, an hour may be missing on one day and come twice on another. Quiet
    hours that begin or end in such an hour last from the earliest to the latest moment that can
    be meant, so that nobody is woken by mistake.

    Raises:
        UnknownZoneError: there is no such zone.
        LongQuietError: they are longer than `LONGEST_QUIET`.
    """

    zone: str
    """IANA name as `find_zone` spells it, as ``Asia/Kathmandu``."""
    begins: time
    """By the clock on the wall; the first quiet moment."""
    ends: time
    """The first moment that is not quiet, on the next day unless it is later than *begins*.
    Equal to *begins*: no quiet hours at all."""

    def __post_init__(self) -> None:
        if _known_zones().get(_plain(self.zone)) != self.zone:
            raise UnknownZoneError(self.zone)
        if (_since_midnight(self.ends) - _since_midnight(self.begins)) % _DAY > LONGEST_QUIET:
            raise LongQuietError

    def until(self, at: datetime) -> datetime | None:
        """When the quiet hours end in which *at* lies; ``None`` if it lies in none."""
        if self.begins == self.ends:
            return None
        today = at.astimezone(ZoneInfo(self.zone)).date()
        # Two days back: there are zones that have skipped a whole one.
        nights = (self._night(today + timedelta(days=days)) for days in (-2, -1, 0, 1))
        return max((ends for begins, ends in nights if begins <= at < ends), default=None)

    def _night(self, first_day: date) -> tuple[datetime, datetime]:
        last_day = first_day if self.begins < self.ends else first_day + _DAY
        return (
            min(self._readings(first_day, self.begins)),
            max(self._readings(last_day, self.ends)),
        )

    def _readings(self, day: date, hour: time) -> Iterator[datetime]:
        """Both moments that the clock on the wall can mean; on most days they are one."""
        wall = datetime.combine(day, hour, ZoneInfo(self.zone))
        return (wall.replace(fold=fold).astimezone(UTC) for fold in (0, 1))


@dataclass(frozen=True, slots=True)
class Vacation:
    """A time in which a person's own clock stands still.

    Raises:
        ValueError: it does not end after its beginning, or a moment of it is not aware.
    """

    begins: datetime
    ends: datetime
    """The first moment at which the clock runs again."""

    def __post_init__(self) -> None:
        if _utc(self.begins) >= _utc(self.ends):
            raise ValueError(f"a vacation from {self.begins} until {self.ends}")


@dataclass(frozen=True, slots=True)
class Away:
    """All times in which one person is not there."""

    quiet: QuietHours | None = None
    vacations: tuple[Vacation, ...] = ()
    """In any order. One that is over still counts for a deadline that began before its end."""
    plays_forced: bool = False
    """Whether a card is played for this person where no other may be, be they there or not."""


PRESENT = Away()
"""Somebody who is always there."""


def deadline(
    begun_at: datetime, seconds: float, away: Away, *, extra: timedelta = timedelta()
) -> datetime:
    """When somebody is late who was to move since *begun_at*.

    A vacation takes nothing of the time. The deadline of a slow clock, of `SLOW` seconds or more,
    that would fall into quiet hours, or less than `AFTER_QUIET` after them, falls `AFTER_QUIET`
    after their end; a live clock knows no quiet hours.

    Args:
        begun_at: since when it is this person's move.
        seconds: what the clock gives for a move.
        away: when the person is not there.
        extra: further time, of a bank or for an outage. It makes no clock slow.
    """
    due = _later(_utc(begun_at), timedelta(seconds=seconds) + extra, away)
    while seconds >= SLOW and (morning := _just_before(due, away)):
        due = _later(morning, AFTER_QUIET, away)
    return due


def _just_before(due: datetime, away: Away) -> datetime | None:
    """When the quiet hours end in which *due* lies, or after which it leaves too little time."""
    return _quiet_until(due, away) or _quiet_until(due - AFTER_QUIET, away)


def reminders(begun_at: datetime, due_at: datetime, away: Away) -> tuple[datetime, ...]:
    """When to remind somebody of a deadline: at half and at nine tenths of the time.

    Vacations do not count as time. A reminder that would disturb waits until it does not. One
    that is not before the deadline then is dropped, and two that come to the same moment are one.

    Args:
        begun_at: since when it is this person's move.
        due_at: the deadline, as `deadline` says.
        away: when the person is not there.
    """
    begun, due = _utc(begun_at), _utc(due_at)
    time_in_all = _own_time(begun, due, away)
    parts = (_later(begun, part, away) for part in (time_in_all / 2, time_in_all * 9 / 10))
    waited = (disturbable_from(at, away) for at in parts)
    return tuple(dict.fromkeys(at for at in waited if begun < at < due))


def own_time(start: datetime, end: datetime, away: Away) -> timedelta:
    """The time from *start* to *end*, vacations left out; zero where *end* is earlier."""
    return _own_time(_utc(start), max(_utc(start), _utc(end)), away)


def disturbable_from(at: datetime, away: Away) -> datetime:
    """The first moment from *at* on at which a message that makes a sound is welcome."""
    at = _utc(at)
    while end := _quiet_until(at, away) or _vacation_until(at, away):
        at = end
    return at


def find_zone(text: str) -> str:
    """The name of a time zone as it is spelled.

    Args:
        text: the whole name, or its city where no other zone has one of that name; in small or
            capital letters, with spaces or underscores.

    Raises:
        UnknownZoneError: there is none of that name.
    """
    wanted = _plain(text)
    zone = _known_zones().get(wanted)
    if zone is not None:
        return zone
    of_city = [each for each in _offered_zones() if _plain(each).endswith(f"/{wanted}")]
    if not wanted or len(of_city) != 1:
        raise UnknownZoneError(text)
    return of_city[0]


def zones(prefix: str) -> tuple[str, ...]:
    """Names of time zones to choose from while somebody types.

    Those that begin with *prefix* stand first, then those whose city does, then those that have
    it anywhere; each group by name. Old and technical names are not offered, though `find_zone`
    knows them.
    """
    wanted = _plain(prefix)
    ranked = [(_rank(zone, wanted), zone) for zone in _offered_zones()]
    return tuple(zone for rank, zone in sorted(ranked) if rank < _NOT_AT_ALL)


_DAY = timedelta(days=1)
_NOT_AT_ALL = 3


def _rank(zone: str, wanted: str) -> int:
    name = _plain(zone)
    found = (name.startswith(wanted), f"/{wanted}" in name, wanted in name)
    return found.index(True) if any(found) else _NOT_AT_ALL


def _plain(text: str) -> str:
    return text.strip().casefold().replace(" ", "_")


@cache
def _known_zones() -> dict[str, str]:
    """All zones by their plain names: those of the package, whatever the machine has."""
    names = files("tzdata").joinpath("zones").read_text("utf-8").split()
    return {_plain(name): name for name in names}


@cache
def _offered_zones() -> tuple[str, ...]:
    """Those that a country uses today, and UTC."""
    table = files("tzdata").joinpath("zoneinfo", "zone.tab").read_text("utf-8")
    lines = (line.split("\t") for line in table.splitlines() if not line.startswith("#"))
    return ("UTC", *(columns[2] for columns in lines))


def _since_midnight(hour: time) -> timedelta:
    return timedelta(hours=hour.hour, minutes=hour.minute, seconds=hour.second)


def _utc(at: datetime) -> datetime:
    if at.utcoffset() is None:
        raise ValueError(f"{at} is in no time zone")
    return at.astimezone(UTC)


def _quiet_until(at: datetime, away: Away) -> datetime | None:
    return None if away.quiet is None else away.quiet.until(at)


def _vacation_until(at: datetime, away: Away) -> datetime | None:
    now = (each.ends for each in away.vacations if each.begins <= at < each.ends)
    end = max(now, default=None)
    return None if end is None else end.astimezone(UTC)


def _in_order(vacations: Iterable[Vacation]) -> Iterator[tuple[datetime, datetime]]:
    return iter(sorted((_utc(each.begins), _utc(each.ends)) for each in vacations))


def _later(start: datetime, own_time: timedelta, away: Away) -> datetime:
    """When so much time has gone by, vacations left out; never within one."""
    at, left = start, own_time
    for begins, ends in _in_order(away.vacations):
        if ends <= at:
            continue
        if left < begins - at:
            break
        left -= max(begins - at, timedelta())
        at = ends
    return at + left


def _own_time(start: datetime, end: datetime, away: Away) -> timedelta:
    """The time from *start* to *end*, vacations left out; the reverse of `_later`."""
    at, counted = start, timedelta()
    for begins, ends in _in_order(away.vacations):
        counted += max(min(begins, end) - at, timedelta())
        at = max(at, ends)
    return counted + max(end - at, timedelta())
