"""The library's own requests and its own gateway, over sockets that go wrong.

The simulated Discord stands in place of the library's HTTP client and gateway; here they are real,
with the waits, repeats and resumes that they have themselves (reliability.md 6, promise 4).
"""

import asyncio
import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from cogs.ui import ids
from tests.support.crowd import Passing, tables_of_four
from tests.support.loopback import Loopback, log_of, loopback, program
from tests.support.payloads import CHANNELS

TABLES = 4
FAULTS = 0.08
_PATIENCE = 60
_PASS = 7_000_000


def look(file: Path, query: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(file)) as database:
        return database.execute(query).fetchall()


async def until_all_is_shown(file: Path) -> None:
    """Wait until no post is behind its table and nothing is left to be said."""
    behind = (
        "SELECT 1 FROM posts WHERE posted_version < wanted_version"
        " UNION ALL SELECT 1 FROM outbox WHERE due_at IS NOT NULL"
    )
    for _ in range(_PATIENCE * 10):
        if not look(file, behind):
            return
        await asyncio.sleep(0.1)
    raise AssertionError(f"not all is shown: {log_of(file).read_text()[-2_000:]}")


async def everybody_passes(discord: Loopback, passings: list[Passing]) -> None:
    for place, each in enumerate(passings):
        action = ids.ConfirmPass(each.table, 1, each.cards)
        await discord.press(_PASS + place, each.user, each.channel, ids.write(action))


@pytest.mark.slow
@pytest.mark.promise(4)
async def test_real_requests_that_fail_leave_every_post_once_and_a_real_gateway_resumes(
    tmp_path: Path,
):
    file = tmp_path / "hearts.db"
    passings = list(await tables_of_four(file, CHANNELS[:TABLES]))
    half = len(passings) // 2
    async with loopback() as discord:
        discord.faults = FAULTS
        async with program(discord, file):
            await asyncio.wait_for(discord.identified.wait(), _PATIENCE)
            await everybody_passes(discord, passings[:half])
            await discord.answered(_PASS, _PATIENCE)
            await discord.drop()
            # What is pressed while the connection is down comes with the resumed session.
            for place, each in enumerate(passings[half:], half):
                action = ids.ConfirmPass(each.table, 1, each.cards)
                await discord.press(_PASS + place, each.user, each.channel, ids.write(action))
            await discord.answered(_PASS + len(passings) - 1, _PATIENCE)
            await until_all_is_shown(file)
    assert discord.resumed == 1
    passed = "SELECT COUNT(*), COUNT(DISTINCT iid) FROM events WHERE kind = 'cards_passed'"
    assert look(file, passed) == [(len(passings), len(passings))]
    assert_each_message_stands_once(file, discord)
    print(
        f"promise 4: with the library's own requests, of which {3 * FAULTS:.0%} fail, "
        f"{discord.made.total()} messages stand once each; the real gateway resumed"
    )


def assert_each_message_stands_once(file: Path, discord: Loopback) -> None:
    assert [nonce for nonce, times in discord.made.items() if times > 1] == []
    known = {message for (message,) in look(file, "SELECT message_id FROM posts")}
    calls = {message for (message,) in look(file, "SELECT message_id FROM outbox")}
    assert known <= set(discord.messages)
    assert set(discord.messages) <= known | calls, "nothing stands there that nobody knows of"
    slots = Counter(nonce.rpartition(".")[0] for nonce in map(discord.messages.get, known) if nonce)
    assert set(slots.values()) == {1}
