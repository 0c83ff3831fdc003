"""The load run in little, and its measures with planted faults: each has to be noticed."""

import asyncio
import logging
import time
from dataclasses import replace
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

import pytest

from bot.app import SystemClock
from bot.promises import answers, boards, load, requests, soak
from bot.promises.channels import Channels, Counts
from bot.promises.commits import Compared, waited
from bot.promises.crowd import seat
from bot.promises.figures import percentile
from bot.promises.ledger import Ledger, Phase
from bot.promises.load import CALM, PEAK, STEADY, Found, Size, Stage, Stretch
from bot.promises.people import People
from bot.promises.wellbeing import Wellbeing
from bot.table import posts
from bot.table.errors import PlaceForbiddenError, PlaceGoneError, PosterBusyError
from bot.table.history import replay
from bot.table.ids import ChannelId, MessageId, TableId
from bot.table.posting import Ping
from bot.table.storing import Followings
from db.engine import open_database
from db.event_store import SqlEventStore
from db.yardstick import Rate

STRETCHES = tuple(
    Stretch(name=name, moves=moves, seconds=1, run_in=0.5)
    for name, moves in ((STEADY, 8.0), (PEAK, 12.0), (CALM, 4.0))
)


@pytest.fixture(scope="module")
def small() -> Found:
    """A run of three seconds over a few tables."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(load, "END", 0.5)
        return asyncio.run(load.run(Size(tables=36, stretches=STRETCHES, fsync=0.001)))


@pytest.fixture
def found(small: Found, monkeypatch: pytest.MonkeyPatch) -> Found:
    """The same, as what the promises look at; quick, and sound wherever no fault is planted."""
    phases = {name: Phase() for name in (STEADY, PEAK, CALM)}
    for phase in phases.values():
        phase.acks.extend([0.01] * 100)
        phase.boards.extend([0.2] * 100)
        phase.pings.extend([3.2] * 100)
    stages = {
        stretch.name: Stage(stretch=stretch, noted=phases[stretch.name], took=20, cpu=5, others=1)
        for stretch in STRETCHES
    }
    feels = Wellbeing(Path("never.db-wal"))
    feels.memory.extend([100 << 20] * 60)
    feels.files.extend([20] * 60)
    feels.lags.extend([0.001] * 100)
    counts = Counts()
    counts.soonest_edit, counts.most_in_a_second, counts.calls = 1.0, 45, 900
    made = Found(tables=300, stages=stages, counts=counts, feels=feels, lost=6, seconds=60)
    monkeypatch.setattr(load, "found", lambda *, short, fsync=0.0: made)
    return made


def test_people_and_robots_play_and_every_change_is_shown(small: Found):
    for stage in small.stages.values():
        assert stage.noted.by_people == len(stage.noted.acks) > 0
        assert stage.noted.refused == 0
        assert len(stage.noted.boards) == stage.noted.moves
    assert small.lost == 6
    assert small.feels.errors == []
    assert len(small.feels.memory) > 0


def test_a_table_that_lost_its_place_is_left_alone(small: Found):
    """Reliability.md 4: a place that is forbidden is not asked again and again."""
    assert 0 < small.counts.invalid <= 6


def test_a_sound_run_keeps_its_promises(found: Found):
    for promise in (boards, answers, requests, soak):
        assert promise.measure(short=True).kept, promise.__name__


@pytest.mark.parametrize(
    ("promise", "plant"),
    [
        (boards, lambda found: found.stages[STEADY].noted.boards.extend([2.1] * 2)),
        (boards, lambda found: found.stages[STEADY].noted.pings.extend([5.1] * 2)),
        (answers, lambda found: found.stages[STEADY].noted.acks.extend([0.6] * 2)),
        (answers, lambda found: found.stages[PEAK].noted.acks.append(2.6)),
        (answers, lambda found: setattr(found.stages[PEAK].noted, "refused", 1)),
        (answers, lambda found: found.stages[PEAK].noted.acks.__delitem__(slice(None))),
        (requests, lambda found: setattr(found.counts, "most_in_a_second", 51)),
        (requests, lambda found: setattr(found.counts, "soonest_edit", 0.5)),
        (requests, lambda found: setattr(found.counts, "invalid", 100)),
        (soak, lambda found: found.feels.memory.extend([111 << 20] * 5)),
        (soak, lambda found: found.feels.files.append(21)),
        (soak, lambda found: found.feels.lags.extend([0.2] * 2)),
        (soak, lambda found: setattr(found.feels, "largest_log", 65 << 20)),
        (soak, lambda found: found.feels.errors.append("planted")),
    ],
)
def test_a_planted_fault_breaks_the_promise(found: Found, promise, plant):
    plant(found)
    assert not promise.measure(short=True).kept


async def test_an_error_that_only_the_log_hears_is_noticed(tmp_path: Path):
    feels = Wellbeing(tmp_path / "load.db-wal")
    async with feels.watched():
        logging.getLogger("bot.table.publisher").error("table %s failed", "TABLE234")
        await asyncio.sleep(0)
    assert feels.errors == ["table TABLE234 failed"]


async def test_a_loop_that_is_held_up_is_noticed(tmp_path: Path):
    feels = Wellbeing(tmp_path / "load.db-wal")
    async with feels.watched():
        await asyncio.sleep(0)
        until = time.monotonic() + 0.2
        while time.monotonic() < until:
            pass
        await asyncio.sleep(0.01)
    assert max(feels.lags) > 0.1


async def test_discord_refuses_what_is_too_much_and_places_that_are_not_there(monkeypatch):
    monkeypatch.setattr("bot.promises.channels.TAKES", (0.0, 0.0))
    channels = Channels(Ledger())
    channels.forbidden.add(ChannelId(1))
    channels.gone.add(ChannelId(2))
    with pytest.raises(PlaceForbiddenError):
        await channels.delete(ChannelId(1), MessageId(9))
    with pytest.raises(PlaceGoneError):
        await channels.delete(ChannelId(2), MessageId(9))
    for _ in range(48):
        await channels.delete(ChannelId(3), MessageId(9))
    with pytest.raises(PosterBusyError):
        await channels.delete(ChannelId(3), MessageId(9))
    assert channels.counts.invalid == 2
    assert channels.counts.most_in_a_second == 51


def test_two_edits_of_a_table_right_after_each_other_are_noticed():
    counts = Counts()
    for table, now in (("A", 1.0), ("B", 1.1), ("A", 1.6)):
        counts.edit(TableId(table), now)
    assert counts.soonest_edit == pytest.approx(0.6)


async def test_what_nobody_shows_or_says_is_late(tmp_path: Path, monkeypatch):
    url = f"sqlite+aiosqlite:///{tmp_path / 'late.db'}"
    companies = await seat(url, 2)
    database, ledger = open_database(url), Ledger()
    people = People(load.manager(database, ledger), companies, ledger, SystemClock())
    await people.look()
    await people.press(20, seconds=0.1)
    later = time.monotonic() + 60
    monkeypatch.setattr("bot.promises.ledger.monotonic", lambda: later)
    ledger.close()
    await database.close()
    assert len(ledger.phase.boards) == ledger.phase.by_people > 0
    assert min([*ledger.phase.boards, *ledger.phase.pings]) > 50


async def _wanted_again(tmp_path: Path, monkeypatch, *, called: bool) -> list[float]:
    """How late a call is that two commits want, a minute apart, and that may stand by then."""
    url = f"sqlite+aiosqlite:///{tmp_path / 'again.db'}"
    (company,) = await seat(url, 1)
    database, ledger = open_database(url), Ledger()
    table = replay(await SqlEventStore(database).load(company.table_id)).table
    await database.close()
    ping = Ping(
        table_id=table.id,
        channel_id=company.channel_id,
        user_id=company.people[0],
        kind="pass",
        moment=2,
    )
    wanted = Followings(
        table=table,
        slots=(),
        closed_slots=(),
        timers=(),
        pings=(ping,),
        ping_not_before=datetime.now(UTC),
    )
    ledger.committed(table.id, 1, wanted, by_person=True)
    if called:
        ledger.called(ping)
    minutes = count(time.monotonic() + 60, 60)
    monkeypatch.setattr("bot.promises.ledger.monotonic", lambda: next(minutes))
    ledger.committed(table.id, 2, wanted, by_person=True)
    ledger.committed(table.id, 3, replace(wanted, pings=()), by_person=True)
    return [*ledger.phase.pings]


async def test_a_call_that_stands_is_not_awaited_again(tmp_path: Path, monkeypatch):
    """Two people pass: the call of the second stands while the first one passes."""
    (late,) = await _wanted_again(tmp_path, monkeypatch, called=True)
    assert late < 1


async def test_a_call_that_nobody_made_is_late_from_its_first_commit(tmp_path: Path, monkeypatch):
    (late,) = await _wanted_again(tmp_path, monkeypatch, called=False)
    assert late == pytest.approx(120, abs=1)


@pytest.mark.parametrize(("known", "late"), [(True, []), (False, [60, 60])])
async def test_a_call_that_stood_when_its_table_was_loaded_is_not_awaited(
    tmp_path: Path, monkeypatch, known: bool, late: list[float]
):
    url = f"sqlite+aiosqlite:///{tmp_path / 'stood.db'}"
    company = (await seat(url, 2))[1]
    database, ledger = open_database(url), Ledger()
    stored = await SqlEventStore(database).load(company.table_id)
    await database.close()
    begun = next(
        stored[:length]
        for length in range(1, len(stored))
        if len(posts.calls(replay(stored[:length]).table)) == len(company.people) == 2
    )
    if known:
        ledger.loaded(company.table_id, begun)
    table = replay(begun).table
    minutes = count(time.monotonic(), 60)
    monkeypatch.setattr("bot.promises.ledger.monotonic", lambda: next(minutes))
    for version, pings in enumerate([posts.calls(table), ()]):
        wanted = Followings(
            table=table,
            slots=(),
            closed_slots=(),
            timers=(),
            pings=pings,
            ping_not_before=datetime.now(UTC),
        )
        ledger.committed(table.id, version, wanted, by_person=True)
    assert [*ledger.phase.pings] == pytest.approx(late)


@pytest.mark.parametrize(
    ("store", "bare", "reached"),
    [
        ([Rate(400, 1, 0.9)], [Rate(2_000, 1, 0.5)], 400),
        ([Rate(100, 1, 0.2)], [Rate(500, 1, 0.5)], 1 / (0.002 + 0.001)),
    ],
    ids=["its best second", "reckoned, where others use the machine"],
)
def test_how_many_commits_a_second_the_store_reaches(store, bare, reached):
    assert Compared(store, bare, waited(bare)).reached == pytest.approx(reached)


def test_percentiles():
    assert percentile([3, 1, 2], 50) == 2
    assert percentile([], 99) == 0
