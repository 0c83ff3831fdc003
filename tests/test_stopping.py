"""The end of the program: heard at once, in time, and by force where something hangs."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest

from bot import stopping
from bot.stopping import Stop


@pytest.fixture
def stop() -> Iterator[Stop]:
    stop = Stop()
    yield stop
    stop.close()


async def test_a_signal_is_heard_and_further_ones_change_nothing(stop):
    waiting = asyncio.create_task(stop.wait())
    await asyncio.sleep(0)
    assert not stop.asked
    for _ in range(3):
        os.kill(os.getpid(), signal.SIGTERM)
    await asyncio.wait_for(waiting, 5)
    assert stop.asked


async def test_what_begins_is_left_where_a_signal_comes_first(stop):
    never = asyncio.Event()
    beginning = asyncio.create_task(stop.unless_asked(never.wait()))
    await asyncio.sleep(0)
    os.kill(os.getpid(), signal.SIGINT)
    assert not await asyncio.wait_for(beginning, 5)


async def test_what_begins_without_a_signal_is_carried_out(stop):
    async def begin() -> None:
        """Nothing takes any time."""

    async def fail() -> None:
        raise ValueError("planted")

    assert await stop.unless_asked(begin())
    with pytest.raises(ValueError, match="planted"):
        await stop.unless_asked(fail())


async def test_what_hangs_is_left_when_the_time_of_a_stop_is_over(stop, monkeypatch, caplog):
    monkeypatch.setattr(stopping, "SECONDS", 0.02)
    os.kill(os.getpid(), signal.SIGTERM)
    await stop.wait()
    await asyncio.wait_for(stop.in_time(asyncio.Event().wait(), 60), 5)
    assert "was left" in caplog.text


HANGING = """
import os, signal, time
from bot import stopping
stopping.HARD_SECONDS = 0.1
stop = stopping.Stop()
os.kill(os.getpid(), signal.SIGTERM)
while True:
    time.sleep(1)
"""


def test_a_program_that_hangs_ends_itself_and_says_so():
    """Also where no loop runs any more that could hear of it."""
    done = subprocess.run(
        [sys.executable, "-c", HANGING], capture_output=True, text=True, timeout=30, check=False
    )
    assert done.returncode == 1
    assert "ended by force" in done.stderr


SILENCED = """
import logging
from bot import stopping
logging.getLogger("bot.stopping").handle = lambda _record: __import__("time").sleep(60)
""" + HANGING.replace("0.1", "0.01")


def test_a_program_whose_log_hangs_ends_itself_too(monkeypatch):
    """As where the reader of its output has stopped reading."""
    done = subprocess.run(
        [sys.executable, "-c", SILENCED], capture_output=True, timeout=30, check=False
    )
    assert done.returncode == 1
