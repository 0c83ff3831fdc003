"""What a person may choose (house.md 4.5 Settings; cases.md B61)."""

from datetime import UTC, date, datetime, time, timedelta

import pytest

from bot.table import preferences
from bot.table.absences import absence
from bot.table.away import QuietHours, Vacation
from bot.table.errors import LongQuietError, UnknownZoneError
from bot.table.preferences import PreferenceError, read_day, read_hour
from bot.table.storing import PersonSettings, Reminders

NOW = datetime(2026, 7, 1, 12, tzinfo=UTC)
DAY = timedelta(days=1)
KATHMANDU = PersonSettings(zone="Asia/Kathmandu")  # 5:45 ahead of UTC
HOME = PersonSettings(zone="UTC")


def away(
    settings: PersonSettings,
    first: str | None,
    last: str,
    *,
    now: datetime = NOW,
    most_days: int = 21,
) -> PersonSettings:
    return preferences.on_vacation(settings, first, last, now=now, most_days=most_days)


def planned(settings: PersonSettings) -> Vacation:
    return settings.vacations[-1]


@pytest.mark.parametrize(
    ("typed", "hour"),
    [
        ("22:00", time(22)),
        (" 7 ", time(7)),
        ("7.30", time(7, 30)),
        ("7h05", time(7, 5)),
        ("0:00", time(0)),
        ("24:00", time(0)),
        ("7:30 PM", time(19, 30)),
        ("12 am", time(0)),
        ("12pm", time(12)),
    ],
)
def test_a_time_of_day_is_read_as_people_write_it(typed: str, hour: time):
    assert read_hour(typed) == hour


@pytest.mark.parametrize(
    "typed", ["", "25", "7:60", "13 pm", "0 am", "ten", "7:3", "-1", "7:30:00"]
)
def test_what_is_no_time_of_day_is_refused_with_an_example(typed: str):
    with pytest.raises(PreferenceError, match="22:00"):
        read_hour(typed)


@pytest.mark.parametrize(
    ("typed", "day"),
    [
        ("2026-07-04", date(2026, 7, 4)),
        ("today", NOW.date()),
        ("Tomorrow ", NOW.date() + DAY),
    ],
)
def test_a_date_is_read_as_it_is_offered(typed: str, day: date):
    assert read_day(typed, NOW.date()) == day


@pytest.mark.parametrize("typed", ["", "4.7.", "2026-02-30", "soon", "99999-01-01"])
def test_what_is_no_date_is_refused_with_an_example(typed: str):
    with pytest.raises(PreferenceError, match="2026-07-01"):
        read_day(typed, NOW.date())


def test_quiet_hours_stand_in_the_own_zone_and_move_with_it():
    chosen = preferences.quiet(KATHMANDU, "22:30", "7")
    assert chosen.quiet == QuietHours("Asia/Kathmandu", time(22, 30), time(7))
    moved = preferences.in_zone(chosen, "europe/berlin")
    assert moved.zone == "Europe/Berlin"
    assert moved.quiet == QuietHours("Europe/Berlin", time(22, 30), time(7))
    assert preferences.quiet(moved, "", " ").quiet is None


def test_quiet_hours_need_a_zone_and_leave_some_of_the_day():
    with pytest.raises(PreferenceError, match="time zone"):
        preferences.quiet(PersonSettings(), "22", "7")
    with pytest.raises(LongQuietError):
        preferences.quiet(HOME, "8", "7")
    with pytest.raises(UnknownZoneError):
        preferences.in_zone(HOME, "Atlantis")


@pytest.mark.parametrize(("begins", "ends"), [("22", "22:00"), ("0", "24"), ("12 am", "0:00")])
def test_quiet_hours_that_end_when_they_begin_are_refused_for_they_would_be_none(begins, ends):
    with pytest.raises(PreferenceError, match="two different times"):
        preferences.quiet(HOME, begins, ends)


def test_a_new_way_of_being_called_gives_direct_messages_another_chance():
    refused = PersonSettings(reminders=Reminders.DIRECT, direct_refused=True)
    assert not preferences.called(refused, Reminders.DIRECT).direct_refused


def test_b61_a_vacation_lasts_through_its_last_day_in_the_own_zone():
    chosen = planned(away(KATHMANDU, "2026-07-03", "2026-07-05"))
    assert chosen.begins == datetime(2026, 7, 2, 18, 15, tzinfo=UTC)
    assert chosen.ends == datetime(2026, 7, 5, 18, 15, tzinfo=UTC)


@pytest.mark.parametrize("first", [None, "today", "2026-06-01"])
def test_a_vacation_never_begins_in_the_past(first: str | None):
    assert planned(away(HOME, first, "2026-07-05")).begins == NOW


@pytest.mark.parametrize(
    ("first", "last", "said"),
    [
        ("2026-07-05", "2026-07-04", "end before it begins"),
        (None, "2026-06-30", "before today"),
        (None, "2026-07-22", "21 days at most"),
        ("2026-08-01", "2026-08-22", "21 days at most"),
        (None, "whenever", "no date"),
    ],
)
def test_dates_that_cannot_be_are_told(first: str | None, last: str, said: str):
    with pytest.raises(PreferenceError, match=said):
        away(HOME, first, last)


def test_b61_the_longest_vacation_is_as_long_as_the_server_allows():
    assert planned(away(HOME, None, "2026-07-21")).ends == NOW.replace(hour=0) + 21 * DAY
    with pytest.raises(PreferenceError, match="1 day at most"):
        away(HOME, None, "2026-07-02", most_days=1)
    with pytest.raises(PreferenceError, match="no clock"):
        away(HOME, None, "2026-07-02", most_days=0)


def test_a_vacation_cannot_be_stretched_by_another_that_follows_it():
    first = away(HOME, None, "2026-07-15")
    later = NOW + 12 * DAY
    with pytest.raises(PreferenceError, match="at most"):
        away(first, None, "2026-07-25", now=later)
    over = preferences.back(first, later)
    with pytest.raises(PreferenceError, match="at most"):
        away(over, None, "2026-07-25", now=later + 3 * DAY)
    assert away(over, None, "2026-08-05", now=later + 8 * DAY)


def test_a_new_vacation_takes_the_place_of_the_one_that_was_planned():
    first = away(HOME, "2026-07-10", "2026-07-15")
    again = away(first, "2026-07-20", "2026-07-25")
    assert [each.begins.day for each in again.vacations] == [20]


def test_a_vacation_that_is_broken_off_counts_for_as_long_as_it_lasted():
    begun = away(HOME, None, "2026-07-10")
    back = preferences.back(begun, NOW + 2 * DAY)
    assert back.vacations == (Vacation(NOW, NOW + 2 * DAY),)
    assert preferences.vacation(back, NOW + 2 * DAY) is None
    with pytest.raises(PreferenceError, match="no vacation"):
        preferences.back(back, NOW + 2 * DAY)


def test_a_vacation_of_long_ago_is_forgotten():
    once = away(HOME, None, "2026-07-05")
    again = away(once, None, "2026-12-05", now=NOW + 150 * DAY)
    assert len(again.vacations) == 1


def test_a_planned_vacation_that_is_called_off_leaves_nothing():
    assert preferences.back(away(HOME, "2026-07-10", "2026-07-15"), NOW).vacations == ()


def test_a_server_cuts_a_vacation_that_another_server_allowed():
    long = away(HOME, None, "2026-07-20")
    assert absence(long, 7).vacations == (Vacation(NOW, NOW + 7 * DAY),)
    assert absence(long, 0).vacations == ()
    assert absence(long, 60).vacations == long.vacations
