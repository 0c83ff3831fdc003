"""`python -m bot bench month`: what it finds in a sound month, and in months with planted faults.

Every promise of the bench has a control here: what was written down of a small month is spoilt in
one place, and the look for that promise has to find it.
"""

import asyncio
import re
from collections.abc import Callable, Iterable
from copy import deepcopy
from dataclasses import replace
from datetime import UTC, datetime, time, timedelta
from pathlib import Path

import pytest

from bot.cli import month_reckoning
from bot.cli.bench import bench
from bot.cli.month import BEGINS, Size, all_faults, clock_changes, figures, happened, simulate
from bot.cli.month_checks import (
    Evidence,
    deadlines,
    evidence,
    going_on,
    histories,
    moves,
    outages,
    reminders,
    shown,
    soundness,
    timers,
    welcome,
)
from bot.cli.month_people import ZONES
from bot.cli.month_record import Chronicle, Refusal, TableEnd
from bot.cli.month_waits import Over
from bot.rules.commands import PlayedBy
from bot.rules.events import CardPlayed
from bot.table import away, calling, delivery
from bot.table.away import QuietHours, Vacation
from bot.table.ids import InteractionId, TableId, UserId
from bot.table.state import Status
from bot.table.storing import PersonSettings, Reminders, StoredEvent, TimerKind
from tests.support.forms import times

SMALL = Size(tables=6, days=5, restarts=6)


def lived(folder: Path, size: Size = SMALL, seed: int = 1) -> Chronicle:
    url = f"sqlite+aiosqlite:///{folder / 'month.db'}"
    return asyncio.run(simulate(url, size, seed, lambda _day: None))


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Chronicle:
    return lived(tmp_path_factory.mktemp("month"))


@pytest.fixture
def month(small: Chronicle) -> Chronicle:
    """The same small month, to be spoilt."""
    return deepcopy(small)


def found(find: Callable[[Evidence], Iterable[str]], month: Chronicle) -> list[str]:
    return list(find(evidence(month)))


@pytest.mark.promise(9)
@pytest.mark.whole
@pytest.mark.slow
def test_a_month_of_many_tables_keeps_every_promise(capsys: pytest.CaptureFixture[str]):
    code = bench(times(["month", "--short"], ["month"]))
    told = capsys.readouterr().out
    broken = [line.strip() for line in told.splitlines() if line.startswith(("broken: ", "  "))]
    assert not broken, "; ".join(broken)
    assert told.splitlines()[-1] == "everything holds"
    assert code == 0
    counted = dict(re.findall(r"^(tables|timers|restarts|outage) +(.+)$", told, re.MULTILINE))
    print("promise 9:", "; ".join(f"{what} {said}" for what, said in counted.items()))


@pytest.mark.thorough
def test_a_small_month_keeps_every_promise(month: Chronicle):
    known = evidence(month)
    nothing = {f"the month shows nothing: {what} never happened" for what in happened(known)}
    assert set(all_faults(known)) <= nothing
    assert any("by the clock" in line for line in figures(known))


def test_the_month_holds_two_changes_of_the_clocks():
    month = Chronicle(BEGINS, BEGINS + timedelta(days=30))
    days = {datetime(2026, 10, 25, tzinfo=UTC), datetime(2026, 11, 1, tzinfo=UTC)}
    assert days <= set(clock_changes(month))


@pytest.mark.parametrize("zone", ZONES)
def test_the_bench_reckons_as_the_bot_does_around_changes_of_the_clocks(zone: str):
    """It shares no code with `bot.table.away`, so that neither hides a fault of the other."""
    quiet = QuietHours(zone, time(22), time(7))
    vacation = Vacation(BEGINS + timedelta(days=6), BEGINS + timedelta(days=8))
    person = PersonSettings(zone=zone, quiet=quiet, vacations=(vacation,))
    own = away.Away(quiet, (vacation,))
    for hours in range(0, 24 * 15, 5):
        begun_at, allowed = BEGINS + timedelta(hours=hours), timedelta(hours=8)
        due = away.deadline(begun_at, 8 * 3_600, own)
        assert month_reckoning.deadline(person, begun_at, allowed, 8 * 3_600) == due
        given = month_reckoning.reminders(person, begun_at, due)
        assert tuple(given.values()) == away.reminders(begun_at, due, own)


def test_a_month_in_which_nothing_happens_proves_nothing():
    empty = Chronicle(BEGINS, BEGINS + timedelta(days=1))
    assert any("a deadline never happened" in fault for fault in all_faults(evidence(empty)))


def late_card(month: Chronicle) -> tuple[TableId, StoredEvent]:
    """The last card of a table that the clock played."""
    return next(
        (table_id, entry)
        for table_id, end in month.tables.items()
        for entry in reversed(end.stored)
        if isinstance(entry.event, CardPlayed) and entry.event.by is PlayedBy.CLOCK
    )


def moved(month: Chronicle, table_id: TableId, seq: int, by: timedelta) -> None:
    """All that was stored with an event happened so much later."""
    end = month.tables[table_id]
    at = end.stored[seq - 1].cause.at
    stored = [
        replace(entry, cause=replace(entry.cause, at=at + by)) if entry.cause.at == at else entry
        for entry in end.stored
    ]
    month.tables[table_id] = replace(end, stored=stored)


@pytest.mark.parametrize("seconds", [6, -60])
@pytest.mark.thorough
def test_a_deadline_that_fires_late_or_early_is_found(month: Chronicle, seconds: int):
    assert found(deadlines, month) == []
    table_id, card = late_card(month)
    moved(month, table_id, card.seq, timedelta(seconds=seconds))
    assert len(found(deadlines, month)) == 1


def test_a_deadline_that_never_fires_is_found(month: Chronicle):
    table_id, card = late_card(month)
    end = month.tables[table_id]
    before = [entry for entry in end.stored if entry.cause.at < card.cause.at]
    month.tables[table_id] = replace(end, stored=before)
    assert any("though the deadline was" in fault for fault in found(deadlines, month))


def test_a_timer_that_goes_off_twice_or_late_is_found(month: Chronicle):
    assert found(timers, month) == []
    fired = month.fired[0]
    month.fired.append(fired)
    month.fired[1] = replace(month.fired[1], at=month.fired[1].at + timedelta(seconds=7))
    assert [fault.rpartition("went off ")[2][:2] for fault in found(timers, month)] == ["2 ", "at"]


@pytest.mark.parametrize("hours", [0, 1])
def test_a_timer_may_be_overdue_only_if_its_person_just_chose_other_hours(
    month: Chronicle, hours: int
):
    """Quiet hours that end sooner than before make a reminder due that has waited for their end."""
    known = evidence(month)
    place, fired, user_id = next(
        (place, fired, wait.user_id)
        for place, fired in enumerate(month.fired)
        for wait in known.waits[fired.timer.table_id]
        if fired.timer.kind is TimerKind.HALF
        and wait.seat == fired.timer.seat
        and wait.moment == fired.timer.moment
        and wait.user_id is not None
    )
    overdue = replace(fired.timer, due_at=fired.at - timedelta(minutes=3))
    month.fired[place] = replace(fired, timer=overdue)
    chosen = (fired.at - timedelta(hours=hours), PersonSettings())
    month.chosen.setdefault(user_id, []).append(chosen)
    assert len(found(timers, month)) == hours


@pytest.mark.parametrize(
    ("reminder", "after", "faults"), [(0, False, 1), (2, False, 0), (2, True, 1)]
)
def test_another_clock_brings_a_second_call_only_where_a_reminder_stood(
    month: Chronicle, reminder: int, after: bool, faults: int
):
    """Reminders of a deadline that is none any more go, and calls come anew."""
    known = evidence(month)
    first = month.called[0]
    wait, until = next(
        (wait, wait.until)
        for wait in known.waits[first.ping.table_id]
        if wait.until is not None
        and wait.since <= first.at < wait.until
        and (wait.user_id, wait.moment) == (first.ping.user_id, first.ping.moment)
    )
    change, soon = first.at + (until - first.at) / 2, timedelta(seconds=3)
    halves = [
        replace(wait, until=change, over=Over.CLOCK_CHANGED),
        replace(wait, since=change, goes_on=True),
    ]
    month.called[:] = [
        replace(first, ping=replace(first.ping, reminder=number), at=at)
        for number, at in (
            (0, first.at),
            (reminder, change + soon if after else first.at),
            (0, change + soon),
        )
    ]
    spoilt = replace(known, waits={first.ping.table_id: halves})
    told = [fault for fault in reminders(spoilt) if "times by reminder 0" in fault]
    assert len(told) == faults


@pytest.mark.thorough
def test_what_there_is_to_say_after_an_outage_is_said_as_fast_as_calls_allow(tmp_path: Path):
    """45 calls a second (reliability.md 6.8), not only as many as there are at once."""
    month = lived(tmp_path, Size(tables=40, days=2, restarts=0))
    [outage] = month.outages
    notices = [told.at for told in month.told if told.at >= outage.ended_at]
    assert len(notices) >= 20
    assert sorted(notices)[19] - outage.ended_at < timedelta(seconds=2)


@pytest.mark.parametrize("number", [0, 1, 2])
def test_a_call_or_reminder_that_comes_twice_or_not_at_all_is_found(month: Chronicle, number: int):
    assert found(reminders, month) == []
    known = evidence(month)
    undisturbed = {
        (wait.table_id, wait.user_id, wait.moment)
        for wait in known.of_people()
        if not known.told.chose_within(wait) and not known.told.outages(wait) and not wait.goes_on
    }
    alone = [
        call
        for call in month.called
        if call.ping.reminder == number
        and (call.ping.table_id, call.ping.user_id, call.ping.moment) in undisturbed
    ]
    call = alone[-1]
    month.called.append(call)
    assert any(f"2 times by reminder {number}" in fault for fault in found(reminders, month))
    month.called[:] = [
        other
        for other in month.called
        if (other.ping.user_id, other.ping.moment) != (call.ping.user_id, call.ping.moment)
    ]
    missing = found(reminders, month)
    assert any("was never called" in fault or "got reminder" in fault for fault in missing)


def test_a_call_after_the_move_is_found(month: Chronicle):
    call = replace(month.called[0], at=month.ends_at)
    month.called.append(call)
    assert any("came when nobody waited" in fault for fault in found(reminders, month))


def test_a_call_in_quiet_hours_is_found(month: Chronicle):
    assert found(welcome, month) == []
    known = evidence(month)
    place, call, quiet = next(
        (place, call, quiet)
        for place, call in enumerate(month.called)
        if (quiet := known.told.settings(call.ping.user_id, call.at).quiet) is not None
    )
    at = call.at
    while quiet.until(at) is None:
        at += timedelta(minutes=10)
    month.called[place] = replace(call, at=at)
    assert any("in the quiet hours" in fault for fault in found(welcome, month))


@pytest.mark.parametrize(
    ("choice", "fault"),
    [
        (
            PersonSettings(vacations=(Vacation(BEGINS, BEGINS + timedelta(days=20)),)),
            "in a vacation",
        ),
        (PersonSettings(reminders=Reminders.OFF), "who wants none"),
        (PersonSettings(reminders=Reminders.SILENT), "was loud"),
        (PersonSettings(), "that nobody asked for"),
    ],
)
def test_a_call_otherwise_than_chosen_is_found(
    month: Chronicle, choice: PersonSettings, fault: str
):
    for person in month.chosen:
        month.chosen[person] = [(BEGINS, choice)]
    assert any(fault in told for told in found(welcome, month))


def test_a_move_that_is_lost_or_counted_twice_or_is_another_is_found(month: Chronicle):
    assert found(moves, month) == []
    lost, doubled, other = month.acknowledged[:3]
    month.acknowledged[0] = replace(lost, interaction_id=InteractionId(999_999))
    month.acknowledged[2] = replace(other, cards=frozenset())
    end = month.tables[doubled.table_id]
    again = next(e for e in end.stored if e.cause.interaction_id == doubled.interaction_id)
    month.tables[doubled.table_id] = replace(end, stored=[*end.stored, again])
    told = found(moves, month)
    assert [fault.partition("is stored ")[2] for fault in told] == [
        "0 times",
        "2 times",
        "as something else",
    ]


def playing(month: Chronicle) -> tuple[TableId, TableEnd]:
    return next(
        (table_id, end)
        for table_id, end in month.tables.items()
        if end.view.status is Status.PLAYING and end.timers and not end.view.agreed_pause
    )


def test_a_history_that_does_not_replay_to_what_was_believed_is_found(month: Chronicle):
    assert found(histories, month) == []
    table_id, end = playing(month)
    month.tables[table_id] = replace(end, stored=end.stored[:-1])
    remembered = month.remembered[0]
    after = replace(remembered.after, host=UserId(12345))
    month.remembered[0] = replace(remembered, after=after)
    told = found(histories, month)
    assert any("is not the one that was believed" in fault for fault in told)
    assert any("another table after the restart" in fault for fault in told)


def test_a_robot_that_does_not_move_is_found(month: Chronicle):
    assert found(going_on, month) == []
    known = evidence(month)
    wait = next(
        wait
        for waits in known.waits.values()
        for wait in waits
        if wait.over is Over.ROBOT and not known.told.outages(wait)
    )
    end = month.tables[wait.table_id]
    before = [entry for entry in end.stored if entry.cause.at <= wait.since]
    month.tables[wait.table_id] = replace(end, stored=before)
    assert any("a robot" in fault for fault in found(going_on, month))


def test_a_table_without_a_timer_is_found(month: Chronicle):
    table_id, end = playing(month)
    month.tables[table_id] = replace(end, timers=())
    [fault] = found(going_on, month)
    assert "has timers for []" in fault


def test_an_outage_that_is_told_twice_or_never_or_credited_in_part_is_found(month: Chronicle):
    assert found(outages, month) == []
    notice = next(told for told in month.told if told.text.startswith("I was not there"))
    month.told.append(notice)
    assert any("2 times" in fault for fault in found(outages, month))
    month.told[:] = [told for told in month.told if told.channel_id != notice.channel_id]
    month.outages[0] = replace(month.outages[0], credited=timedelta(hours=5))
    told = found(outages, month)
    assert any("0 times" in fault for fault in told)
    assert any("was credited with 5:00:00" in fault for fault in told)


def test_posts_that_are_doubled_or_behind_and_errors_are_found(month: Chronicle):
    assert found(shown, month) == found(soundness, month) == []
    month.posts_doubled.append("TABLE234 trick:1")
    month.posts_behind.append("TABLE234 trick:2")
    month.complaints.append("table TABLE234: post trick:2 failed")
    month.refused.append(Refusal(BEGINS, TableId("TABLE234"), "IllegalMoveError"))
    assert len(found(shown, month)) == len(found(soundness, month)) == 2


def test_a_bot_that_calls_at_night_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(calling, "disturbable_from", lambda at, _away: at)
    told = found(welcome, lived(tmp_path, Size(tables=6, days=3, restarts=0)))
    assert any("in the quiet hours" in fault for fault in told)


def test_a_bot_that_forgets_its_nonces_doubles_what_it_sends_when_it_dies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    sent = iter(range(1_000_000))
    monkeypatch.setattr(delivery, "nonce_of", lambda _pending: f"n{next(sent)}")
    assert found(shown, lived(tmp_path, Size(tables=6, days=3, restarts=9))) != []
