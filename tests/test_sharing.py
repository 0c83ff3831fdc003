"""Who a process is among those that share a database, and whether another one is still there."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bot import sharing
from bot.counting import Pulses
from bot.settings import Settings
from bot.table.leases import Leases
from bot.table.shards import Shards
from db.engine import open_database
from db.leases import SqlLeases
from tests.support.clock import HandClock
from tests.support.leases import Holding
from tests.support.store import fresh_url

has_spaces = pytest.mark.skipif(not sharing._BOOT.exists(), reason="needs Linux")


def ended_process() -> int:
    with subprocess.Popen([sys.executable, "-c", ""]) as child:
        child.wait()
    return child.pid


def test_two_names_of_one_process_differ():
    assert sharing.own_name(7) != sharing.own_name(7)


@has_spaces
def test_a_process_of_this_machine_that_has_ended_is_gone():
    assert sharing.is_gone(sharing.own_name(ended_process()))
    assert sharing.is_gone(sharing.own_name(os.getpid())), "the number was given out again"


@pytest.mark.parametrize("name", ["", "a b", "a b c d", "some host 1 - abc"])
def test_of_an_unknown_process_nobody_knows(name: str):
    assert not sharing.is_gone(name)


def test_a_living_process_is_not_gone():
    assert not sharing.is_gone(sharing.own_name(os.getppid()))


def test_a_process_of_another_machine_may_be_there(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    name = sharing.own_name(ended_process())
    (tmp_path / "boot_id").write_text("another\n", encoding="ascii")
    monkeypatch.setattr(sharing, "_BOOT", tmp_path / "boot_id")
    assert not sharing.is_gone(name)


def test_where_a_machine_does_not_say_which_it_is_nobody_knows(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    monkeypatch.setattr(sharing, "_BOOT", tmp_path / "nothing")
    assert not sharing.is_gone(sharing.own_name(ended_process()))


def test_a_process_serves_all_shards_unless_some_are_named():
    server = {"database_url": "postgresql+asyncpg://db.example/hearts", "shard_count": 4}
    assert sharing.shards_of(Settings(**server)) == Shards(4, (0, 1, 2, 3))
    assert sharing.shards_of(Settings(**server, shard_ids="1-2")) == Shards(4, (1, 2))
    assert sharing.shards_of(Settings()) == Shards(1, (0,))


@has_spaces
@pytest.mark.parametrize("first_lives", [True, False])
async def test_a_second_bot_on_the_same_file_waits_only_while_the_first_lives(
    tmp_path: Path, *, first_lives: bool
):
    """Started by mistake or in a deploy it harms nothing; after a crash it goes on at once."""
    database = open_database(await fresh_url(tmp_path))
    store = SqlLeases(database, is_gone=sharing.is_gone)
    name = sharing.own_name(os.getppid() if first_lives else ended_process())
    await Leases(store, Shards(), name, HandClock()).step()
    second = sharing.leases_of(Settings(), database, HandClock())
    await second.step()
    assert [lease.epoch for lease in second.held()] == ([] if first_lives else [2])
    await second.release()
    await database.close()


async def test_loops_of_which_nobody_has_the_lease_do_not_count_as_alive(tmp_path: Path):
    """With a full disk no lease can be kept: looks still succeed, but nobody posts."""
    clock = HandClock()
    pulses = Pulses(clock)
    database = open_database(await fresh_url(tmp_path))
    leases = sharing.leases_of(Settings(), database, clock)
    watched = sharing.WatchedLeases(leases, pulses)
    await leases.step()
    clock.move(3600)
    assert watched.held() == []
    assert not watched.waits
    assert pulses.silence("publisher") is None
    await database.close()


def test_loops_that_wait_for_a_lease_count_as_alive():
    clock = HandClock()
    pulses, holding = Pulses(clock), Holding(0)
    watched = sharing.WatchedLeases(holding, pulses)
    assert watched.held() == holding.held()
    assert pulses.silence("publisher") is None
    watched.lose(Holding.lease(0, 1))
    assert watched.held() == ()
    assert pulses.silence("publisher") == pulses.silence("timekeeper") == 0
    assert watched.share == holding.share
