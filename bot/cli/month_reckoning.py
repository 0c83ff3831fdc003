"""When people are not to be disturbed and when they are late, reckoned a second time.

Shares no code with `bot.table.away`: quiet hours are read off the clock on the wall, and time that
does not count is taken off piece by piece. What it says is what `bot.cli.month_checks` holds the
bot to.
"""

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

from bot.table.storing import PersonSettings

SLOW = 3_600
"""Seconds a move from which on a clock keeps out of quiet hours."""
_AFTER_QUIET = timedelta(hours=1)
_LONGEST_VACATION = timedelta(days=21)
"""What servers allow by default."""
_DAY = timedelta(days=1)
_PARTS = ((1, 1 / 2), (2, 9 / 10))
"""The reminders as `bot.table.posting.Ping.reminder` counts them, and after which part of the
time each comes."""


def is_quiet(person: PersonSettings, at: datetime) -> bool:
    """Whether the clock on the person's wall stands within the quiet hours."""
    if person.quiet is None or person.zone is None:
        return False
    begins, ends = person.quiet.begins, person.quiet.ends
    wall = at.astimezone(ZoneInfo(person.zone)).time()
    if begins <= ends:
        return begins <= wall < ends
    return wall >= begins or wall < ends


def is_away(person: PersonSettings, at: datetime) -> bool:
    """Whether the person is on vacation."""
    return any(begins <= at < ends for begins, ends in _vacations(person))


def welcome_from(person: PersonSettings, at: datetime) -> datetime:
    """The first moment from *at* on that is neither in quiet hours nor in a vacation."""
    while True:
        if is_quiet(person, at):
            at = _quiet_end(person, at)
        elif is_away(person, at):
            at = max(ends for begins, ends in _vacations(person) if begins <= at < ends)
        else:
            return at


def deadline(person: PersonSettings, since: datetime, allowed: timedelta, clock: int) -> datetime:
    """When the person is late.

    Args:
        person: the choices that count.
        since: when the time began to run.
        allowed: what the clock gives, a bank and outages included.
        clock: seconds a move of the table's clock.
    """
    due = after(person, since, allowed)
    while clock >= SLOW:
        quiet = [at for at in (due, due - _AFTER_QUIET) if is_quiet(person, at)]
        if not quiet:
            break
        due = after(person, _quiet_end(person, quiet[0]), _AFTER_QUIET)
    return due


def reminders(person: PersonSettings, since: datetime, due: datetime) -> dict[int, datetime]:
    """When each reminder is to come, by its number; of two at one moment only the second does."""
    whole = own_time(person, since, due)
    found: dict[int, datetime] = {}
    for number, part in _PARTS:
        at = welcome_from(person, after(person, since, whole * part))
        if since < at < due:
            found = {known: when for known, when in found.items() if when != at} | {number: at}
    return _renumbered(found)


def after(person: PersonSettings, since: datetime, length: timedelta) -> datetime:
    """When so much time has gone by since then in which the person was not on vacation."""
    at, left = since, length
    for begins, ends in _vacations(person):
        if ends <= at:
            continue
        if at + left < begins:
            break
        left -= max(begins - at, timedelta())
        at = ends
    return at + left


def own_time(person: PersonSettings, since: datetime, until: datetime) -> timedelta:
    """How much of the time from *since* to *until* the person was not on vacation."""
    gone = timedelta()
    counted_to = since
    for begins, ends in _vacations(person):
        first, last = max(begins, counted_to), min(ends, until)
        if first < last:
            gone += last - first
            counted_to = last
    return until - since - gone


def _renumbered(found: dict[int, datetime]) -> dict[int, datetime]:
    """Where only one has room, it is the second, whichever it was."""
    return {2: next(iter(found.values()))} if len(found) == 1 else found


def _quiet_end(person: PersonSettings, at: datetime) -> datetime:
    """The next time that the clock on the wall shows the end of the quiet hours."""
    zone, ends = ZoneInfo(str(person.zone)), person.quiet.ends if person.quiet else time()
    today = at.astimezone(zone).date()
    days = (datetime.combine(today + _DAY * days, ends, zone).astimezone(UTC) for days in range(3))
    return next(end for end in days if end > at)


def _vacations(person: PersonSettings) -> list[tuple[datetime, datetime]]:
    """In their order, none longer than servers allow."""
    return sorted(
        (each.begins, min(each.ends, each.begins + _LONGEST_VACATION)) for each in person.vacations
    )
