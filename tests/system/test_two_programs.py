"""Two real programs over one PostgreSQL, each with a gateway of its own (reliability.md 6.11).

``python -m bot run`` twice, as in a deploy that overlaps or by mistake. A press reaches one of them
or, with the same interaction, both; one is stopped and continued, the other killed and started
again.
"""

import asyncio
import random
import signal
from asyncio.subprocess import Process
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path

import asyncpg
import pytest

from bot.table.ids import TableId, UserId
from cogs.ui import ids
from tests.support.crowd import Passing, tables_at
from tests.support.forms import times
from tests.support.loopback import Loopback, log_of, loopback, program
from tests.support.payloads import CHANNELS
from tests.support.postgres import fresh_database

pytestmark = [pytest.mark.slow, pytest.mark.kill, pytest.mark.promise(11)]

TABLES = times(8, 200)
_SOON = times(60, 300)
_BETWEEN = times(0.01, 0.06)
"""Seconds from one press to the next: both programs together keep up with it."""
_FIRST = 5_000_000
_UPDATE = 7


@dataclass(slots=True)
class Pair:
    """Two programs, and what was pressed."""

    url: str
    folder: Path
    stack: AsyncExitStack
    gateways: list[Loopback] = field(default_factory=list)
    programs: list[Process] = field(default_factory=list)
    pressed: dict[int, Passing] = field(default_factory=dict)
    dice: random.Random = field(default_factory=lambda: random.Random(11))

    async def begin(self) -> None:
        for place in range(2):
            self.gateways.append(await self.stack.enter_async_context(loopback()))
            self.programs.append(await self.start(place))

    async def start(self, place: int) -> Process:
        file = self.folder / f"{place}.db"  # there is none; its log is named after it
        running = program(self.gateways[place], file, DATABASE_URL=self.url)
        process = await self.stack.enter_async_context(running)
        await asyncio.wait_for(self.gateways[place].identified.wait(), _SOON)
        return process

    async def press(self, passing: Passing) -> None:
        """Press once; the press reaches one program or both."""
        number = _FIRST + len(self.pressed)
        self.pressed[number] = passing
        custom_id = ids.write(ids.ConfirmPass(passing.table, 1, passing.cards))
        fate = self.dice.randrange(3)
        for gateway in self.gateways if fate == 2 else [self.gateways[fate]]:
            await gateway.press(number, passing.user, passing.channel, custom_id)

    def acknowledged(self) -> set[int]:
        """Presses whose answer shows the hand anew."""
        return {
            number
            for gateway in self.gateways
            for number, answer in gateway.answers.items()
            if answer.body["type"] == _UPDATE
        }

    def log(self, place: int) -> str:
        return log_of(self.folder / f"{place}.db").read_text(encoding="utf-8")


async def passed(connection: asyncpg.Connection) -> Mapping[int, tuple[TableId, UserId]]:
    """The presses that are stored, and whose pass each was."""
    rows = await connection.fetch(
        "SELECT iid, table_id, actor_id FROM events WHERE iid >= $1", _FIRST
    )
    assert len(rows) == len({row["iid"] for row in rows})
    return {row["iid"]: (row["table_id"], row["actor_id"]) for row in rows}


async def press_until_stored(
    pair: Pair, passings: Sequence[Passing], connection: asyncpg.Connection
) -> None:
    """Everybody presses, and again where nothing came of it, as people do."""
    left = list(passings)
    async with asyncio.timeout(_SOON):
        while left:
            for passing in left:
                await pair.press(passing)
                await asyncio.sleep(_BETWEEN)
            await asyncio.sleep(1)
            done = set((await passed(connection)).values())
            left = [each for each in left if (each.table, each.user) not in done]


async def shown(connection: asyncpg.Connection) -> None:
    """Return when the program that holds the lease has posted all there is."""
    behind = "SELECT count(*) FROM posts WHERE posted_version < wanted_version"
    async with asyncio.timeout(_SOON):
        while await connection.fetchval(behind):  # noqa: ASYNC110  the program does the work
            await asyncio.sleep(0.2)


async def taken_over(pair: Pair) -> None:
    """Return when the second program has the lease; one that starts anew is faster at times."""
    async with asyncio.timeout(_SOON):
        while "Shard 0 of 1 is ours, epoch 2." not in pair.log(1):  # noqa: ASYNC110  as above
            await asyncio.sleep(0.2)


async def test_two_programs_on_gateways_of_their_own_count_each_press_once(tmp_path: Path):
    async with fresh_database() as url, AsyncExitStack() as stack:
        passings = await tables_at(url, CHANNELS[:TABLES])
        connection = await asyncpg.connect(url.replace("+asyncpg", ""))
        stack.push_async_callback(connection.close)
        pair = Pair(url, tmp_path, stack)
        await pair.begin()
        third = len(passings) // 3
        await press_until_stored(pair, passings[:third], connection)
        pair.programs[1].send_signal(signal.SIGSTOP)
        pressing = asyncio.create_task(
            press_until_stored(pair, passings[third : 2 * third], connection)
        )
        await asyncio.sleep(2)
        pair.programs[1].send_signal(signal.SIGCONT)
        await pressing
        pair.programs[0].kill()
        await pair.programs[0].wait()
        await taken_over(pair)
        pair.programs[0] = await pair.start(0)
        await press_until_stored(pair, passings[2 * third :], connection)
        await shown(connection)
        stored = await passed(connection)
        await no_gaps(connection)
    # Who presses again, by another interaction, passes the same cards anew or is shown them.
    acked = {(each.table, each.user) for each in map(pair.pressed.get, pair.acknowledged()) if each}
    assert acked <= set(stored.values()), "acknowledged and lost"
    assert len(acked) > len(passings) / 2, "most of them are acknowledged"
    assert set(stored) <= set(pair.pressed)
    assert set(stored.values()) == {(each.table, each.user) for each in passings}
    assert "another process" in pair.log(1), "the second one waited"
    assert "Shard 0 of 1 is ours, epoch 2." in pair.log(1), "until the first was killed"
    print(
        f"promise 11: two programs on two gateways, one stopped and one killed:"
        f" {len(pair.pressed)} presses for {len(passings)} passes, {len(acked)} acknowledged,"
        " 0 lost, 0 twice"
    )


async def no_gaps(connection: asyncpg.Connection) -> None:
    wrong = await connection.fetch(
        "SELECT tables.id FROM tables JOIN events ON events.table_id = tables.id"
        " GROUP BY tables.id HAVING count(*) <> version OR max(seq) <> version"
    )
    assert wrong == []
