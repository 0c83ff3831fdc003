"""What a person may choose, and what is wrong with a choice. Pure."""

import re
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from bot.rules.errors import HeartsError
from bot.rules.sentence import Sentence
from bot.table.away import QuietHours, Vacation, find_zone
from bot.table.storing import PersonSettings, Reminders

_REMEMBERED = timedelta(days=60)
"""How long a vacation that is over still counts for a deadline that began before its end."""
_APART = timedelta(days=7)
"""A vacation that begins sooner after another goes on with it, and is as long as both."""
_DAY = timedelta(days=1)
_HOUR = re.compile(r"(\d{1,2})(?:[:.h]([0-5]\d))?\s*(am|pm)?", re.IGNORECASE)
_HOURS = (
    {(hour, ""): hour % 24 for hour in range(25)}
    | {(hour, "am"): hour % 12 for hour in range(1, 13)}
    | {(hour, "pm"): hour % 12 + 12 for hour in range(1, 13)}
)
"""What the number of an hour means, as it was typed with or without a half of the day."""

_NO_ZONE = Sentence(
    "I do not know your time zone yet. Choose it with `/preferences` first, then try again."
)
_NO_HOUR = Sentence("“{typed}” is no time of day. Type it like 22:00 or 7:30.")
_NO_TIME = Sentence(
    "Your quiet hours would end at the moment at which they begin. Choose two different times, "
    "at most 16 hours apart, or leave both fields empty to have none."
)
_NO_DAY = Sentence("“{typed}” is no date. Type it like {example}, or choose one from the list.")
_PAST = Sentence("A vacation that ends before today stops no clock. Choose a later date.")
_BACKWARDS = Sentence("Your vacation would end before it begins. Choose the dates anew.")
_LONG = Sentence(
    "In this server a vacation may stop your clock for {count} day at most. Choose fewer days; "
    "one that begins within a week of your last counts together with it.",
    {},
    "In this server a vacation may stop your clock for {count} days at most. Choose fewer days; "
    "one that begins within a week of your last counts together with it.",
)
_NONE = Sentence(
    "In this server vacations stop no clock. `/hearts leave` gives your seat to a robot, and you "
    "may take it back when you return."
)
_HERE = Sentence("You are on no vacation, and none is planned. Your clocks run as usual.")


class PreferenceError(HeartsError):
    """A choice that cannot be; the sentence says what could."""

    def __init__(self, sentence: Sentence) -> None:
        self.sentence = sentence
        super().__init__(str(sentence))


def called(settings: PersonSettings, reminders: Reminders) -> PersonSettings:
    """Be called in another way; direct messages get a new chance."""
    return replace(settings, reminders=reminders, direct_refused=False)


def in_zone(settings: PersonSettings, zone: str) -> PersonSettings:
    """Live in another time zone, of which quiet hours move along.

    Raises:
        UnknownZoneError: there is none of that name.
    """
    known = find_zone(zone)
    quiet = settings.quiet
    moved = None if quiet is None else QuietHours(known, quiet.begins, quiet.ends)
    return replace(settings, zone=known, quiet=moved)


def quiet(settings: PersonSettings, begins: str, ends: str) -> PersonSettings:
    """Have quiet hours by the clock on the wall; two empty texts: none.

    Raises:
        LongQuietError: they leave too little of the day.
        PreferenceError: one is no time of day, both are the same, or the time zone is not known.
    """
    if not begins.strip() and not ends.strip():
        return replace(settings, quiet=None)
    if settings.zone is None:
        raise PreferenceError(_NO_ZONE)
    hours = QuietHours(settings.zone, read_hour(begins), read_hour(ends))
    if hours.begins == hours.ends:
        raise PreferenceError(_NO_TIME)
    return replace(settings, quiet=hours)


def on_vacation(
    settings: PersonSettings, first: str | None, last: str, *, now: datetime, most_days: int
) -> PersonSettings:
    """Be away from *first* until the end of *last*, in place of what is under way or planned.

    Args:
        settings: of the person.
        first: a date as it was typed, in the person's zone; ``None`` or one that is past: from
            now on.
        last: the last day, as it was typed.
        now: the present moment.
        most_days: as `ServerSettings.vacation_days`.

    Raises:
        PreferenceError: one is no date, they are the wrong way round or too far apart, or the
            time zone is not known.
    """
    if settings.zone is None:
        raise PreferenceError(_NO_ZONE)
    if not most_days:
        raise PreferenceError(_NONE)
    zone = ZoneInfo(settings.zone)
    today = now.astimezone(zone).date()
    begins_on = max(today, read_day(first, today)) if first else today
    ends_on = read_day(last, today)
    if ends_on < today:
        raise PreferenceError(_PAST)
    if ends_on < begins_on:
        raise PreferenceError(_BACKWARDS)
    begins = now if begins_on == today else _midnight(begins_on, zone)
    before = _up_to(settings.vacations, now)
    together = [each.begins for each in before if begins - each.ends < _APART]
    counted_from = min([begins, *together]).astimezone(zone).date()
    if (ends_on - counted_from).days + 1 > most_days:
        raise PreferenceError(Sentence(_LONG.text, {"count": most_days}, _LONG.plural))
    return replace(settings, vacations=(*before, Vacation(begins, _midnight(ends_on + _DAY, zone))))


def back(settings: PersonSettings, now: datetime) -> PersonSettings:
    """Be back: a vacation under way ends now, and a planned one does not come.

    Raises:
        PreferenceError: there is none.
    """
    if vacation(settings, now) is None:
        raise PreferenceError(_HERE)
    return replace(settings, vacations=_up_to(settings.vacations, now))


def vacation(settings: PersonSettings, now: datetime) -> Vacation | None:
    """The vacation that is under way or planned."""
    return next((each for each in settings.vacations if each.ends > now), None)


def read_hour(typed: str) -> time:
    """A time of day in one of the forms in which people write it.

    >>> read_hour("7.30 pm").isoformat("minutes")
    '19:30'

    Raises:
        PreferenceError: it is none.
    """
    fault = PreferenceError(Sentence(_NO_HOUR.text, {"typed": typed[:40]}))
    found = _HOUR.fullmatch(typed.strip())
    if found is None:
        raise fault
    try:
        hour = _HOURS[int(found[1]), (found[3] or "").lower()]
    except KeyError as cause:
        raise fault from cause
    return time(hour, int(found[2] or 0))


def read_day(typed: str, today: date) -> date:
    """A date as it is offered, or "today" or "tomorrow".

    Raises:
        PreferenceError: it is none.
    """
    words = {"today": today, "tomorrow": today + _DAY}
    text = typed.strip().casefold()
    try:
        return words.get(text) or date.fromisoformat(text)
    except ValueError as cause:
        facts = {"typed": typed[:40], "example": today.isoformat()}
        raise PreferenceError(Sentence(_NO_DAY.text, facts)) from cause


def _up_to(vacations: tuple[Vacation, ...], now: datetime) -> tuple[Vacation, ...]:
    """What there was of them until now, as far as it may still count."""
    begun = (each for each in vacations if each.begins < now < each.ends + _REMEMBERED)
    return tuple(Vacation(each.begins, min(each.ends, now)) for each in begun)


def _midnight(day: date, zone: ZoneInfo) -> datetime:
    return datetime.combine(day, time(), zone).astimezone(UTC)
