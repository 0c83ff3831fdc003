"""The real program, from its start to its end (reliability.md 4 "SIGTERM" and 6, promise 10).

``python -m bot run`` in a process of its own, with a gateway and an API on loopback.
"""

import asyncio
import signal
import sqlite3
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest

from bot.stopping import HARD_SECONDS
from cogs.answers import RestartingError
from cogs.ui import ids
from tests.support.crowd import Passing, multiply, tables_of_four
from tests.support.forms import times
from tests.support.loopback import Answer, Loopback, log_of, loopback, program
from tests.support.payloads import CHANNELS

STOPS = times(3, 200)
TABLES_A_STOP = 4
PROMISED = 5.0
"""Seconds from the first SIGTERM to the end."""
READY = 10.0
"""Seconds from the start to the first answer."""
TABLES = 10_000
_SOON = 60
"""Seconds for what is measured elsewhere or not at all."""
_UPDATE, _DEFERRALS = 7, {5, 6}
_RESTARTING = str(RestartingError.sentence)


@dataclass(frozen=True, slots=True)
class Press:
    """A press that passes three cards."""

    number: int
    passing: Passing

    async def send(self, discord: Loopback) -> None:
        passing = self.passing
        custom_id = ids.write(ids.ConfirmPass(passing.table, 1, passing.cards))
        await discord.press(self.number, passing.user, passing.channel, custom_id)


def presses(passings: Sequence[Passing]) -> list[Press]:
    return [Press(1_000_000 + place, passing) for place, passing in enumerate(passings)]


def stored(file: Path) -> list[int]:
    """The interactions that lie in the store."""
    with closing(sqlite3.connect(file)) as database:
        query = "SELECT iid FROM events WHERE iid > 999999 AND kind = 'cards_passed'"
        return [iid for (iid,) in database.execute(query)]


def is_ack(answer: Answer | None) -> bool:
    """Whether an answer shows the hand without the cards."""
    return answer is not None and answer.body["type"] == _UPDATE


def is_deferred(answer: Answer) -> bool:
    """Whether Discord was only asked for patience: on a busy machine an answer takes long."""
    return answer.body["type"] in _DEFERRALS


async def stopped(process: asyncio.subprocess.Process) -> float:
    """Send SIGTERM, as some hosts do more than once; the seconds until the process is gone."""
    begun = time.monotonic()
    for _ in range(3):
        process.send_signal(signal.SIGTERM)
        await asyncio.sleep(0.01)
    await asyncio.wait_for(process.wait(), _SOON)
    return time.monotonic() - begun


async def ready(discord: Loopback) -> None:
    await asyncio.wait_for(discord.identified.wait(), _SOON)


async def a_life_under_load(discord: Loopback, file: Path, wanted: Sequence[Press]) -> float:
    """Start, press, and stop while all that is pressed is on its way; how long the stop took."""
    async with program(discord, file) as process:
        await ready(discord)
        half = len(wanted) // 2
        for press in wanted[:half]:
            await press.send(discord)
        await discord.answered(wanted[0].number, _SOON)
        stopping = asyncio.create_task(stopped(process))
        for press in wanted[half:]:
            await press.send(discord)
            await asyncio.sleep(0.005)
        seconds = await stopping
        assert process.returncode == 0, log_of(file).read_text()[-2_000:]
    return seconds


@pytest.mark.slow
@pytest.mark.promise(10)
async def test_stops_under_load_are_quick_and_lose_nothing_that_was_answered(tmp_path: Path):
    file = tmp_path / "hearts.db"
    passings = await tables_of_four(file, CHANNELS[: STOPS * TABLES_A_STOP])
    new = presses(passings)
    wanted: list[Press] = []
    took: list[float] = []
    acked: set[int] = set()
    async with loopback() as discord:
        for _ in range(STOPS):
            wanted, new = [*wanted, *new[: 4 * TABLES_A_STOP]], new[4 * TABLES_A_STOP :]
            discord.answers.clear()
            before = set(stored(file))
            took.append(await a_life_under_load(discord, file, wanted))
            answers = discord.answers
            acked |= {press.number for press in wanted if is_ack(answers.get(press.number))}
            there = stored(file)
            assert acked <= set(there)
            new_there = set(there) - before
            for number, answer in answers.items():
                told_to_come_again = _RESTARTING in answer.says and number not in new_there
                assert is_ack(answer) or is_deferred(answer) or told_to_come_again
            wanted = [press for press in wanted if press.number not in acked]
    assert len(there) == len(set(there))
    assert acked
    assert max(took) <= PROMISED
    print(
        f"promise 10: {STOPS} stops under load took {max(took):.1f} s at most and ended with 0, "
        f"{len(acked)} answered clicks are all there"
    )


@pytest.mark.slow
@pytest.mark.promise(10)
async def test_a_discord_that_answers_nothing_any_more_holds_no_stop(tmp_path: Path):
    file = tmp_path / "hearts.db"
    await tables_of_four(file, CHANNELS[:3])
    async with loopback() as discord:
        discord.slow = _SOON
        async with program(discord, file) as process:
            await ready(discord)
            seconds = await stopped(process)
            assert process.returncode == 0, log_of(file).read_text()[-2_000:]
    assert seconds <= PROMISED
    print(f"promise 10: with a Discord that answers nothing any more it took {seconds:.1f} s")


@pytest.mark.slow
@pytest.mark.promise(10)
async def test_a_database_that_another_program_holds_holds_no_stop_for_ever(tmp_path: Path):
    """Nobody can take back a write that hangs, so the process ends around it."""
    file = tmp_path / "hearts.db"
    press, *_ = presses(await tables_of_four(file, CHANNELS[:1]))
    async with loopback() as discord, program(discord, file) as process:
        await ready(discord)
        with closing(sqlite3.connect(file)) as holder:
            holder.execute("BEGIN IMMEDIATE")
            await press.send(discord)
            # The press is deferred after 1.5 s; by then its unit waits for the holder.
            await discord.answered(press.number, _SOON)
            seconds = await stopped(process)
    assert seconds <= HARD_SECONDS + 1
    assert stored(file) == []
    how = "by force" if process.returncode else "by itself"
    print(f"promise 10: with a database that hangs it ended {how} after {seconds:.1f} s")


@pytest.mark.slow
@pytest.mark.promise(10)
async def test_ten_thousand_open_tables_do_not_hold_up_a_start(tmp_path: Path):
    """Only what is due is read; after an outage everybody has time back, and yet it is quick."""
    file = tmp_path / "hearts.db"
    passings = await tables_of_four(file, [7_000_000])
    multiply(file, TABLES)
    first, second, *_ = presses(passings)
    async with loopback() as discord:
        for press, gap in ((first, 0), (second, 900)):
            _last_alive(file, gap)
            took, seconds = await a_start(discord, file, press)
            assert took <= READY
            assert seconds <= PROMISED
            when = "after an outage" if gap else "at once"
            print(
                f"promise 10: started {when} with {TABLES:,} open tables, the first move was "
                f"answered after {took:.1f} s, and the stop took {seconds:.1f} s"
            )


async def a_start(discord: Loopback, file: Path, press: Press) -> tuple[float, float]:
    """Seconds from a start to the answer of the first press, and from a SIGTERM to the end."""
    begun = time.monotonic()
    async with program(discord, file) as process:
        await ready(discord)
        await press.send(discord)
        answer = await discord.answered(press.number, _SOON)
        seconds = await stopped(process)
        assert process.returncode == 0, log_of(file).read_text()[-2_000:]
    assert is_ack(answer) or is_deferred(answer)
    return answer.at - begun, seconds


def _last_alive(file: Path, gap: int) -> None:
    with closing(sqlite3.connect(file)) as database, database:
        at = int((time.time() - gap) * 1_000)
        database.execute("UPDATE runtime SET value = ? WHERE key = 'last_alive'", (str(at),))
