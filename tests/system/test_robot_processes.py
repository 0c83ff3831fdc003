"""Processes that think never outlive the bot, however it ends."""

import signal
import subprocess
import sys

import pytest

pytestmark = pytest.mark.kill

_THINKS = """
import asyncio, multiprocessing
from bot.rules.cards import Seat
from bot.rules.view import seat_view
from bot.app import SystemClock
from bot.table.thinking import Thinking
from tests.support.deals import begun, STANDARD

async def main():
    think = Thinking(SystemClock(), most=1)
    view = seat_view(begun(STANDARD.deck(4)), Seat(0))
    while True:
        await think.ask("sharp", view, bytes(32))
        print(*(child.pid for child in multiprocessing.active_children()), flush=True)

asyncio.run(main())
"""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
@pytest.mark.thorough
def test_a_process_that_thinks_ends_with_the_bot(number):
    """Its output comes to an end when everybody is gone who could write to it."""
    with subprocess.Popen(
        [sys.executable, "-c", _THINKS],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as bot:
        assert bot.stdout is not None
        assert bot.stdout.readline().split()  # there is such a process
        bot.send_signal(number)
        try:
            bot.communicate(timeout=10)
        except subprocess.TimeoutExpired:
            bot.send_signal(number)  # a loop that asks on and on may miss the first Ctrl+C
            bot.communicate(timeout=20)
