"""`bench month`: weeks of play by post in minutes, and what has to hold of them."""

import asyncio
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from zoneinfo import ZoneInfo

from bot.cli.month_checks import CHECKS, Evidence, evidence
from bot.cli.month_course import Course
from bot.cli.month_people import ZONES, crowd
from bot.cli.month_record import Called, Chronicle
from bot.cli.month_tables import planned
from bot.cli.month_waits import Over
from bot.rules.events import DealBegan
from bot.table.storing import PersonSettings, TimerKind
from db.migrate import upgrade

BEGINS = datetime(2026, 10, 20, tzinfo=UTC)
"""Clocks are changed in Europe on 25 October, in Egypt on 30 October, in America on 1 November."""
_OUTAGE = timedelta(hours=6)
_PEOPLE_A_TABLE = 0.6
_TELL_EACH = 3
"""Days between two lines about how far it is."""
_MOST_FAULTS = 10
"""Faults of one kind that are told; a broken promise is seldom broken once."""
_REMINDERS = {0: "calls", 1: "half", 2: "nine tenths", 3: "nudges"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """How much is simulated."""

    tables: int
    """Opened by themselves; rematches come on top."""
    days: int = 30
    restarts: int = 50


LONG = Size(tables=200)
SHORT = Size(tables=40)


def run(size: Size, seed: int) -> int:
    """Simulate, print what was counted and what is off; 1 if anything is.

    The bot is the real one on a real SQLite file, without the wait for a disk. Time, Discord and
    people are simulated.
    """
    began = time.perf_counter()

    def each_day(day: int) -> None:
        if day % _TELL_EACH == 0:
            seconds = time.perf_counter() - began
            print(f"day {day} of {size.days} after {seconds:.0f} s", flush=True)

    print(f"{size.tables} tables, {size.days} days, on SQLite with synchronous=OFF", flush=True)
    with tempfile.TemporaryDirectory(prefix="hearts-month-") as folder:
        url = f"sqlite+aiosqlite:///{Path(folder) / 'month.db'}"
        known = evidence(asyncio.run(simulate(url, size, seed, each_day)))
    for line in figures(known):
        print(line)
    faults = list(all_faults(known))
    print("\n".join(faults) or "everything holds", flush=True)
    return 1 if faults else 0


async def simulate(url: str, size: Size, seed: int, each_day: Callable[[int], None]) -> Chronicle:
    """Live through a month on the empty database of *url*; what is written down of it."""
    await upgrade(url)
    chronicle = Chronicle(BEGINS, BEGINS + timedelta(days=size.days))
    dice = Random(seed)  # noqa: S311  a repeatable month is wanted
    people = crowd(max(len(ZONES), round(size.tables * _PEOPLE_A_TABLE)), BEGINS, dice)
    plans = planned(size.tables, people, BEGINS, dice)
    course = Course(url, chronicle, seed, people)
    await course.run(plans, restarts=size.restarts, outage=_OUTAGE, each_day=each_day)
    return chronicle


def all_faults(known: Evidence) -> Iterator[str]:
    """What is off, a few words for each promise that is broken."""
    for promise, find in CHECKS.items():
        found = list(find(known))
        if found:
            yield f"broken: {promise} ({len(found)} times)"
            yield from (f"  {fault}" for fault in found[:_MOST_FAULTS])
    for what, number in happened(known).items():
        if not number:
            yield f"the month shows nothing: {what} never happened"


def happened(known: Evidence) -> dict[str, int]:
    """How often there was what the promises are about; a month without it proves nothing."""
    chronicle = known.chronicle
    waited = Counter(wait.over for wait in known.of_people())
    fired = Counter(each.timer.kind for each in chronicle.fired)
    given = Counter(call.ping.reminder for call in chronicle.called)
    return {
        "a move by a person": waited[Over.HAND],
        "a planned move": waited[Over.PLAN],
        "a move by the clock": waited[Over.CLOCK],
        "a deadline": fired[TimerKind.DEADLINE],
        "a reminder at half of the time": given[1],
        "a reminder at nine tenths of it": given[2],
        "a call that had to wait": len(chronicle.put_off),
        "a restart": len(chronicle.restarts),
        "an outage": len(chronicle.outages),
        "a second change of the clocks": max(0, len(clock_changes(chronicle)) - 1),
        "a vacation": sum(bool(after.vacations) for _, after in _chosen(known)),
    }


def figures(known: Evidence) -> Iterator[str]:
    """What was counted, a line each."""
    chronicle = known.chronicle
    waited = Counter(wait.over for wait in known.of_people())
    robots = sum(wait.over is Over.ROBOT for found in known.waits.values() for wait in found)
    rows = {
        "tables": f"{len(chronicle.tables)}, {_deals(known)} deals",
        "moves": f"{waited[Over.HAND]} by people, {waited[Over.PLAN]} planned by them, "
        f"{robots} by robots, {waited[Over.CLOCK]} by the clock",
        "timers": f"{len(chronicle.fired)}, {_latest(known)}",
        "calls": _listed(Counter(_REMINDERS[call.ping.reminder] for call in chronicle.called)),
        "how": _listed(Counter(map(_manner, chronicle.called))),
        "put off": f"{len(chronicle.put_off)} until quiet hours or a vacation were over",
        "restarts": _listed(Counter(how for _, how in chronicle.restarts)),
        "outage": ", ".join(f"{each.credited} credited" for each in chronicle.outages) or "none",
        "deadlines": f"{_moved_deadlines(known)} moved by a vote, a choice or the outage",
        "time zones": f"{len(ZONES)}, clocks changed {_dates(clock_changes(chronicle))}",
        "presses": f"{len(chronicle.acknowledged)} moves acknowledged, "
        f"{len(chronicle.refused)} requests refused",
    }
    width = max(map(len, rows))
    yield from (f"{name:<{width}}  {text}" for name, text in rows.items())


def clock_changes(chronicle: Chronicle) -> list[datetime]:
    """The days, as UTC midnights, on which clocks were changed in one of the zones."""
    days = range((chronicle.ends_at - chronicle.begun_at).days)
    midnights = [chronicle.begun_at + timedelta(days=day) for day in days]
    return [
        midnight
        for midnight in midnights
        if any(
            midnight.astimezone(ZoneInfo(zone)).utcoffset()
            != (midnight + timedelta(days=1)).astimezone(ZoneInfo(zone)).utcoffset()
            for zone in ZONES
        )
    ]


def _chosen(known: Evidence) -> Iterator[tuple[datetime, PersonSettings]]:
    for choices in known.chronicle.chosen.values():
        yield from choices


def _deals(known: Evidence) -> int:
    ends = known.chronicle.tables.values()
    return sum(isinstance(entry.event, DealBegan) for end in ends for entry in end.stored)


def _latest(known: Evidence) -> str:
    """The greatest lateness of those that were not due while nobody was there."""
    back = {outage.ended_at for outage in known.chronicle.outages}
    late = [each.at - each.timer.due_at for each in known.chronicle.fired if each.at not in back]
    return f"at most {max(late, default=timedelta()).total_seconds():.1f} s late"


def _moved_deadlines(known: Evidence) -> int:
    """Waits whose deadline was another at their end than at their beginning."""
    told = known.told
    return sum(
        wait.over in {Over.PAUSE, Over.CLOCK_CHANGED}
        or bool(told.outages(wait))
        or told.chose_within(wait) is not None
        for wait in known.of_people()
        if wait.clock is not None
    )


def _manner(call: Called) -> str:
    if call.direct:
        return "by direct message"
    return "silent" if call.manner.silent else "by mention"


def _listed(counted: Counter[str]) -> str:
    return ", ".join(f"{number} {what}" for what, number in sorted(counted.items()))


def _dates(days: list[datetime]) -> str:
    return ", ".join(f"on {day:%d %B}" for day in days) or "never"
