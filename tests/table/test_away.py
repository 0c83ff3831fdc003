"""Quiet hours, vacations, deadlines and reminders (cases.md B57 and B61, house.md 4.5)."""

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from bot.table.away import (
    AFTER_QUIET,
    PRESENT,
    SLOW,
    Away,
    QuietHours,
    Vacation,
    deadline,
    disturbable_from,
    reminders,
)
from bot.table.clocks import MOVE_CLOCKS, move_clock
from bot.table.errors import LongQuietError

HOUR, MINUTE, DAY = timedelta(hours=1), timedelta(minutes=1), timedelta(days=1)
ELEVEN, SEVEN = time(23), time(7)
LIVE, EIGHT_HOURS, ONE_DAY = 60, 8 * 3_600, 24 * 3_600
ZONES = (
    "UTC",
    "Europe/Berlin",
    "America/New_York",
    "America/Sao_Paulo",  # changed its clocks at midnight
    "America/St_Johns",
    "Asia/Kathmandu",  # 5:45 ahead
    "Asia/Kolkata",
    "Australia/Lord_Howe",  # changes its clocks by half an hour
    "Africa/Casablanca",  # sets its clocks back for a month
    "Pacific/Apia",  # has skipped a day
    "Pacific/Auckland",
    "Pacific/Chatham",
)


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def asleep(zone: str, begins: time = ELEVEN, ends: time = SEVEN) -> Away:
    return Away(QuietHours(zone, begins, ends))


def gone(begins: str, ends: str, quiet: QuietHours | None = None) -> Away:
    return Away(quiet, (Vacation(utc(begins), utc(ends)),))


def is_quiet(at: datetime, quiet: QuietHours) -> bool:
    return quiet.until(at) is not None


def may_disturb(at: datetime, away: Away) -> bool:
    return disturbable_from(at, away) == at


def test_somebody_who_is_there_has_exactly_the_time_of_the_clock():
    begun = utc("2026-01-05 12:00")
    assert deadline(begun, ONE_DAY, PRESENT) == begun + DAY


def test_a_slow_deadline_in_quiet_hours_moves_to_an_hour_after_them():
    due = deadline(utc("2026-01-05 18:00"), EIGHT_HOURS, asleep("UTC"))
    assert due == utc("2026-01-06 08:00")


@pytest.mark.parametrize(
    ("begun", "due"),
    [
        ("2026-01-05 14:59", "2026-01-05 22:59"),
        ("2026-01-05 15:00", "2026-01-06 08:00"),
        ("2026-01-05 22:59", "2026-01-06 08:00"),
        ("2026-01-05 23:00", "2026-01-06 08:00"),
        ("2026-01-05 23:59", "2026-01-06 08:00"),
        ("2026-01-06 00:00", "2026-01-06 08:00"),
        ("2026-01-06 00:01", "2026-01-06 08:01"),
    ],
)
def test_the_first_hour_after_quiet_hours_belongs_to_whoever_slept(begun, due):
    """Their first moment counts, and nobody is late before an hour after their last."""
    assert deadline(utc(begun), EIGHT_HOURS, asleep("UTC")) == utc(due)


def test_quiet_hours_within_a_day_hold_on_that_day():
    siesta = asleep("Europe/Madrid", time(14), time(17))
    assert deadline(utc("2026-01-05 06:00"), EIGHT_HOURS, siesta) == utc("2026-01-05 17:00")


def test_a_live_clock_knows_no_quiet_hours():
    begun = utc("2026-01-05 23:30")
    assert deadline(begun, LIVE, asleep("UTC")) == begun + MINUTE


def test_quiet_hours_that_end_when_they_begin_are_none():
    begun = utc("2026-01-05 18:00")
    never = asleep("UTC", ELEVEN, ELEVEN)
    assert deadline(begun, EIGHT_HOURS, never) == begun + 8 * HOUR
    assert may_disturb(begun + 5 * HOUR, never)


def test_quiet_hours_are_those_of_the_persons_own_zone():
    # 23:00 in Kathmandu is 17:15 UTC, and 07:00 is 01:15.
    kathmandu = asleep("Asia/Kathmandu")
    assert deadline(utc("2026-01-05 09:15"), EIGHT_HOURS, kathmandu) == utc("2026-01-06 02:15")
    assert deadline(utc("2026-01-05 09:14"), EIGHT_HOURS, kathmandu) == utc("2026-01-05 17:14")


def test_the_begin_of_a_move_may_be_said_in_any_zone():
    begun = datetime(2026, 1, 5, 19, tzinfo=ZoneInfo("Europe/Berlin"))
    due = deadline(begun, EIGHT_HOURS, asleep("UTC"))
    assert (due, due.tzinfo) == (utc("2026-01-06 08:00"), UTC)


def test_a_moment_in_no_zone_is_refused():
    naive = datetime(2026, 1, 5)  # noqa: DTZ001  that is the fault
    with pytest.raises(ValueError, match="time zone"):
        deadline(naive, LIVE, PRESENT)
    with pytest.raises(ValueError, match="time zone"):
        Vacation(naive, utc("2026-02-01"))


@pytest.mark.parametrize(
    ("day", "ends"),
    [("2026-03-27", "06:00"), ("2026-03-28", "05:00"), ("2026-10-24", "06:00")],
)
def test_quiet_hours_end_by_the_clock_on_the_wall_when_clocks_are_changed(day, ends):
    """Clocks in Berlin go forward on 29 March 2026 and back on 25 October."""
    night = QuietHours("Europe/Berlin", ELEVEN, SEVEN)
    until = night.until(utc(f"{day} 23:30"))
    assert until == utc(f"{day} {ends}") + DAY


def test_quiet_hours_that_end_in_a_missing_hour_end_at_the_later_reading():
    night = QuietHours("Europe/Berlin", ELEVEN, time(2, 30))
    assert night.until(utc("2026-03-28 23:00")) == utc("2026-03-29 01:30")


def test_quiet_hours_that_begin_in_a_missing_hour_begin_at_the_earlier_reading():
    morning = QuietHours("Europe/Berlin", time(2, 30), time(9))
    assert morning.until(utc("2026-03-29 00:29")) is None
    assert morning.until(utc("2026-03-29 00:30")) == utc("2026-03-29 07:00")


def test_quiet_hours_that_end_in_an_hour_that_comes_twice_end_the_second_time():
    night = QuietHours("Europe/Berlin", ELEVEN, time(2, 30))
    assert night.until(utc("2026-10-25 00:45")) == utc("2026-10-25 01:30")


def test_quiet_hours_that_begin_in_an_hour_that_comes_twice_begin_the_first_time():
    morning = QuietHours("Europe/Berlin", time(2, 30), time(9))
    assert morning.until(utc("2026-10-25 00:29")) is None
    assert morning.until(utc("2026-10-25 00:30")) == utc("2026-10-25 08:00")


def test_a_day_that_is_skipped_is_no_day_for_quiet_hours():
    """Samoa went from 29 to 31 December 2011."""
    night = QuietHours("Pacific/Apia", ELEVEN, SEVEN)
    assert night.until(utc("2011-12-30 09:30")) == utc("2011-12-30 17:00")
    assert night.until(utc("2011-12-30 17:00")) is None


def test_a_vacation_takes_nothing_of_the_time():
    away = gone("2026-01-05 18:00", "2026-01-15 18:00")
    assert deadline(utc("2026-01-05 12:00"), ONE_DAY, away) == utc("2026-01-16 12:00")


def test_a_move_that_comes_during_a_vacation_begins_at_its_end():
    away = gone("2026-01-01 00:00", "2026-01-15 18:00")
    assert deadline(utc("2026-01-05 12:00"), ONE_DAY, away) == utc("2026-01-16 18:00")


def test_a_vacation_that_begins_after_the_deadline_or_is_over_changes_nothing():
    begun = utc("2026-01-05 12:00")
    later = gone("2026-01-06 12:01", "2026-01-15 18:00")
    over = gone("2026-01-01 00:00", "2026-01-05 12:00")
    assert deadline(begun, ONE_DAY, later) == deadline(begun, ONE_DAY, over) == begun + DAY


def test_a_vacation_freezes_a_live_clock_too():
    away = gone("2026-01-05 12:00", "2026-01-15 12:00")
    assert deadline(utc("2026-01-05 11:59:30"), LIVE, away) == utc("2026-01-15 12:00:30")


def test_vacations_that_overlap_count_once():
    first = Vacation(utc("2026-01-06 00:00"), utc("2026-01-10 00:00"))
    second = Vacation(utc("2026-01-08 00:00"), utc("2026-01-12 00:00"))
    due = deadline(utc("2026-01-05 12:00"), ONE_DAY, Away(vacations=(second, first)))
    assert due == utc("2026-01-12 12:00")


def test_the_hour_after_quiet_hours_waits_for_the_end_of_a_vacation():
    quiet = QuietHours("UTC", ELEVEN, SEVEN)
    away = gone("2026-01-06 06:00", "2026-01-10 12:00", quiet)
    assert deadline(utc("2026-01-05 18:00"), EIGHT_HOURS, away) == utc("2026-01-10 13:00")


@pytest.mark.parametrize("ends", ["2026-01-05 18:00", "2026-01-05 17:59"])
def test_a_vacation_ends_after_it_begins(ends: str):
    with pytest.raises(ValueError, match="vacation"):
        Vacation(utc("2026-01-05 18:00"), utc(ends))


def test_b57_reminders_come_at_half_and_at_nine_tenths_of_the_time():
    begun = utc("2026-01-05 12:00")
    assert reminders(begun, begun + 10 * HOUR, PRESENT) == (begun + 5 * HOUR, begun + 9 * HOUR)


def test_a_reminder_in_quiet_hours_waits_for_their_end():
    begun = utc("2026-01-05 12:00")
    at = reminders(begun, deadline(begun, ONE_DAY, asleep("UTC")), asleep("UTC"))
    assert at == (utc("2026-01-06 07:00"), utc("2026-01-06 09:36"))


def test_two_reminders_that_wait_for_the_same_morning_are_one():
    begun = utc("2026-01-05 22:00")
    due = deadline(begun, EIGHT_HOURS, asleep("UTC"))
    assert due == utc("2026-01-06 08:00")
    assert reminders(begun, due, asleep("UTC")) == (utc("2026-01-06 07:00"),)


def test_a_reminder_that_would_wait_beyond_the_deadline_is_dropped():
    begun = utc("2026-01-05 23:30")
    assert reminders(begun, begun + MINUTE, asleep("UTC")) == ()


def test_a_vacation_is_no_part_of_the_time_that_reminders_divide():
    away = gone("2026-01-05 18:00", "2026-01-15 18:00")
    begun = utc("2026-01-05 12:00")
    at = reminders(begun, deadline(begun, ONE_DAY, away), away)
    assert at == (utc("2026-01-16 00:00"), utc("2026-01-16 09:36"))


def test_nobody_is_disturbed_on_vacation():
    away = gone("2026-01-05 18:00", "2026-01-15 18:00")
    assert not may_disturb(utc("2026-01-05 18:00"), away)
    assert may_disturb(utc("2026-01-15 18:00"), away)


def test_after_a_vacation_that_ends_at_night_the_night_is_quiet_too():
    away = gone("2026-01-05 18:00", "2026-01-15 02:00", QuietHours("UTC", ELEVEN, SEVEN))
    assert disturbable_from(utc("2026-01-06 12:00"), away) == utc("2026-01-15 07:00")


@pytest.mark.parametrize(("begins", "ends"), [("08:00", "00:01"), ("12:00", "11:59")])
def test_quiet_hours_leave_a_third_of_the_day(begins: str, ends: str):
    with pytest.raises(LongQuietError):
        QuietHours("UTC", time.fromisoformat(begins), time.fromisoformat(ends))
    QuietHours("UTC", time(8), time(0))


moments = st.one_of(
    st.datetimes(datetime(2024, 1, 1), datetime(2028, 1, 1)),  # noqa: DTZ001  Hypothesis wants it
    st.sampled_from(
        [
            datetime(2026, 3, 8),  # noqa: DTZ001  as above
            datetime(2026, 3, 29),  # noqa: DTZ001  as above
            datetime(2026, 10, 25),  # noqa: DTZ001  as above
            datetime(2026, 11, 1),  # noqa: DTZ001  as above
            datetime(2011, 12, 30),  # noqa: DTZ001  as above
            datetime(2018, 11, 4),  # noqa: DTZ001  as above
        ]
    ).flatmap(lambda day: st.integers(-36 * 60, 36 * 60).map(lambda m: day + m * MINUTE)),
).map(lambda at: at.replace(tzinfo=UTC))


@st.composite
def quiet_hours(draw: st.DrawFn) -> QuietHours:
    begins, length = draw(st.integers(0, 1_439)), draw(st.integers(0, 16 * 60))
    ends = (begins + length) % 1_440
    zone = draw(st.sampled_from(ZONES))
    return QuietHours(zone, time(*divmod(begins, 60)), time(*divmod(ends, 60)))


@st.composite
def aways(draw: st.DrawFn, around: datetime) -> Away:
    spans = draw(st.lists(st.tuples(st.integers(-300, 300), st.integers(1, 400)), max_size=3))
    vacations = tuple(
        Vacation(around + begins * HOUR, around + (begins + hours) * HOUR)
        for begins, hours in spans
    )
    return Away(draw(st.none() | quiet_hours()), vacations)


situations = moments.flatmap(lambda begun: st.tuples(st.just(begun), aways(begun)))
slow_clocks = st.sampled_from([clock.seconds for clock in MOVE_CLOCKS[1:] if clock.seconds])
clocks = st.sampled_from([clock.seconds for clock in MOVE_CLOCKS if clock.seconds])


def wall_says_quiet(at: datetime, quiet: QuietHours) -> bool:
    """A second opinion that knows nothing of intervals: what the clock on the wall shows."""
    wall = at.astimezone(ZoneInfo(quiet.zone)).time()
    if quiet.begins <= quiet.ends:
        return quiet.begins <= wall < quiet.ends
    return wall >= quiet.begins or wall < quiet.ends


@given(moments, quiet_hours())
def test_it_is_quiet_whenever_the_clock_on_the_wall_says_so(at: datetime, quiet: QuietHours):
    assert is_quiet(at, quiet) or not wall_says_quiet(at, quiet)


@given(moments, quiet_hours())
def test_it_is_quiet_by_the_wall_alone_while_no_clock_is_changed(at: datetime, quiet: QuietHours):
    zone = ZoneInfo(quiet.zone)
    nearby = {(at + hours * HOUR).astimezone(zone).utcoffset() for hours in range(-26, 27)}
    assume(len(nearby) == 1)
    assert is_quiet(at, quiet) == wall_says_quiet(at, quiet)


@given(situations, clocks)
def test_a_clock_stays_as_slow_as_it_is_whatever_time_comes_to_it(situation, seconds: int):
    """A bank, or an outage, must not let a live game wait for the morning."""
    begun, away = situation
    more = deadline(begun, seconds, away, extra=timedelta(hours=2))
    if seconds < SLOW:
        away = Away(vacations=away.vacations)
    assert more == deadline(begun, seconds + 7_200, away)


@given(situations, slow_clocks)
def test_a_slow_deadline_is_never_in_quiet_hours_nor_in_a_vacation(situation, seconds: int):
    begun, away = situation
    assert may_disturb(deadline(begun, seconds, away), away)


@given(situations, clocks)
def test_nobody_ever_has_less_time_than_the_clock_says(situation, seconds: int):
    begun, away = situation
    assert deadline(begun, seconds, away) >= begun + timedelta(seconds=seconds)


@given(situations)
def test_nobody_waits_for_ever(situation):
    begun, away = situation
    absent = sum(((each.ends - each.begins) for each in away.vacations), timedelta())
    longest = DAY + absent + (len(away.vacations) + 1) * (DAY + AFTER_QUIET)
    assert deadline(begun, ONE_DAY, away) <= begun + longest


@given(situations, clocks)
def test_time_out_of_every_vacation_is_at_least_that_of_the_clock(situation, seconds: int):
    begun, away = situation
    due = deadline(begun, seconds, away)
    step = (due - begun) / 97
    outside = [
        step
        for place in range(97)
        if may_disturb(begun + place * step, Away(vacations=away.vacations))
    ]
    errors = (2 * len(away.vacations) + 1) * step  # of the samples
    assert sum(outside, timedelta()) + errors >= timedelta(seconds=seconds)


@given(situations, clocks)
def test_reminders_are_in_order_within_the_time_and_never_disturb(situation, seconds: int):
    begun, away = situation
    due = deadline(begun, seconds, away)
    at = reminders(begun, due, away)
    assert list(at) == sorted(set(at))
    assert all(begun < moment < due and may_disturb(moment, away) for moment in at)


@given(situations, slow_clocks)
@pytest.mark.thorough
def test_whoever_is_to_move_slowly_is_reminded_at_least_once(situation, seconds: int):
    """A deadline right after a vacation alone may come unannounced, as there is no time before."""
    begun, away = situation
    assume(not away.vacations)
    assert reminders(begun, deadline(begun, seconds, away), away)


@given(moments, quiet_hours())
def test_the_end_of_quiet_hours_is_the_first_moment_that_is_not_quiet(at, quiet: QuietHours):
    away = Away(quiet)
    end = disturbable_from(at, away)
    assert may_disturb(end, away)
    assert end == at or not may_disturb(end - timedelta(microseconds=1), away)


def test_every_clock_but_the_live_one_is_slow():
    assert [clock.id for clock in MOVE_CLOCKS if clock.seconds and clock.seconds < SLOW] == ["live"]
    assert move_clock("1h").seconds == SLOW
