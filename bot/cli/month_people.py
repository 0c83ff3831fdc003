"""The people of the simulated month: where they live, when they look, how they are called."""

from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from random import Random
from zoneinfo import ZoneInfo

from bot.table.away import QuietHours
from bot.table.ids import UserId
from bot.table.storing import PersonSettings, Reminders

ZONES = (
    "Europe/London",
    "Europe/Berlin",
    "Europe/Athens",
    "America/New_York",
    "America/Los_Angeles",
    "America/Havana",
    "America/Sao_Paulo",
    "Africa/Cairo",
    "Asia/Kolkata",
    "Asia/Kathmandu",
    "Asia/Tokyo",
    "Australia/Lord_Howe",
)
"""Where people live: with the change of Europe, that of America, that of Egypt, one at midnight,
and without any; with offsets of halves and quarters of an hour, and a change of half an hour."""

_WAYS = (
    Reminders.MENTION,
    Reminders.MENTION,
    Reminders.MENTION,
    Reminders.SILENT,
    Reminders.DIRECT,
    Reminders.DIRECT,
    Reminders.OFF,
)
_NIGHTS = (
    None,
    (time(22), time(7)),
    (time(23, 30), time(6, 45)),
    (time(0, 15), time(8)),
    (time(20), time(11)),
    (time(9), time(17)),
)
"""Quiet hours that people choose; the last are somebody's who sleeps by day."""
_AWAKE = timedelta(hours=16)


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """One person, and what can be foretold of the month."""

    user_id: UserId
    zone: str
    settings: PersonSettings
    """As they are when the month begins."""
    gets_up: time
    """By the clock on the wall; sleep comes sixteen hours later."""
    looks_a_day: float
    """How often the person looks at the bot unasked."""
    answers: float
    """From 0 to 1: how likely a call brings the person."""
    cards_a_look: int
    """The most moves at one table before the person puts the telephone away."""
    takes_direct: bool
    vacations: tuple[tuple[date, date], ...]
    """First and last days of vacations that are announced."""
    missing: tuple[tuple[datetime, datetime], ...]
    """When the person is gone without a word."""

    def next_look(self, after: datetime, dice: Random) -> datetime:
        """When the person looks again, on whatever day."""
        return self.awake_from(after + timedelta(days=dice.expovariate(self.looks_a_day)), dice)

    def awake_from(self, at: datetime, dice: Random) -> datetime:
        """*at*, or some time after it when the person is up and not gone."""
        while wakes := self._asleep_until(at) or self._gone_until(at):
            at = wakes + timedelta(minutes=dice.uniform(1, 50))
        return at

    def _asleep_until(self, at: datetime) -> datetime | None:
        wall = at.astimezone(ZoneInfo(self.zone))
        up = datetime.combine(wall.date(), self.gets_up, wall.tzinfo)
        if wall < up and wall < up - timedelta(days=1) + _AWAKE:
            return None
        if up <= wall < up + _AWAKE:
            return None
        return (up if wall < up else up + timedelta(days=1)).astimezone(UTC)

    def _gone_until(self, at: datetime) -> datetime | None:
        zone = ZoneInfo(self.zone)
        away = [
            (datetime.combine(first, time(), zone), datetime.combine(last, time(23, 59), zone))
            for first, last in self.vacations
        ]
        now = (ends for begins, ends in (*self.missing, *away) if begins <= at < ends)
        return next((ends.astimezone(UTC) for ends in now), None)


def crowd(number: int, begins: datetime, dice: Random) -> tuple[Person, ...]:
    """So many people, all of them different, spread evenly over the `ZONES`."""
    return tuple(_person(place, begins, dice) for place in range(number))


def _person(place: int, begins: datetime, dice: Random) -> Person:
    zone = ZONES[place % len(ZONES)]
    hours = _NIGHTS[dice.randrange(len(_NIGHTS))]
    quiet = None if hours is None else QuietHours(zone, *hours)
    settings = PersonSettings(reminders=_WAYS[dice.randrange(len(_WAYS))], zone=zone, quiet=quiet)
    return Person(
        user_id=UserId(1_000 + place),
        zone=zone,
        settings=settings if dice.random() < 0.9 else replace(settings, zone=None, quiet=None),
        gets_up=time(20, 30) if hours and hours[0] == time(9) else time(dice.randint(6, 10), 20),
        looks_a_day=dice.choice((0.4, 0.6, 0.9, 1.2)),
        answers=dice.choice((0.1, 0.2, 0.4)),
        cards_a_look=dice.randint(1, 3),
        takes_direct=dice.random() < 0.8,
        vacations=_vacations(begins, dice),
        missing=_missing(begins, dice),
    )


def _vacations(begins: datetime, dice: Random) -> tuple[tuple[date, date], ...]:
    if dice.random() > 0.3:
        return ()
    first = (begins + timedelta(days=dice.randint(2, 22))).date()
    return ((first, first + timedelta(days=dice.choice((1, 2, 6, 13)))),)


def _missing(begins: datetime, dice: Random) -> tuple[tuple[datetime, datetime], ...]:
    """Most people are always found sooner or later; some are gone for days, some for good."""
    fate = dice.random()
    leaves = begins + timedelta(days=dice.uniform(2, 25))
    if fate < 0.08:
        return ((leaves, leaves + timedelta(days=365)),)
    if fate < 0.3:
        return ((leaves, leaves + timedelta(days=dice.uniform(2, 9))),)
    return ()
