"""Several processes over one PostgreSQL lose no move and double none (reliability.md 6.11)."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import asyncpg
import pytest

from bot.table.shards import Shards
from tests.support.forms import times
from tests.support.postgres import cluster
from tests.support.rivals import Course, Rivals
from tests.support.verdicts import AUDIT, faults, late_writes, settled

pytestmark = [pytest.mark.slow, pytest.mark.kill]
TWO = (Shards(2, (0, 1)), Shards(2, (1, 0)))
"""What each process serves: every shard has another one that takes it over."""
THREE = (Shards(3, (0, 1)), Shards(3, (1, 2)), Shards(3, (2, 0)))
HOLDER = "SELECT owner FROM leases WHERE shard = 0"
ROLE = "DO $$ BEGIN CREATE ROLE {0} SUPERUSER LOGIN; EXCEPTION WHEN duplicate_object THEN END $$"


@asynccontextmanager
async def rivals_in(course: Course) -> AsyncIterator[tuple[Rivals, asyncpg.Connection, str]]:
    """Processes over a database that writes down who does the work of whose lease."""
    server = cluster()
    await server.execute(*(ROLE.format(f"bot{number}") for number in range(course.processes)))
    async with server.database(await server.migrated()) as url:
        name = url.partition("@/")[2].partition("?")[0]
        await server.execute(*AUDIT, database=name)
        urls = [url.replace("hearts@", f"bot{n}@") for n in range(course.processes)]
        connection = await asyncpg.connect(host=str(server.folder), user="hearts", database=name)
        rivals = Rivals(course, urls)
        try:
            yield rivals, connection, url
        finally:
            rivals.end()
            await connection.close()


@pytest.mark.promise(11)
async def test_processes_that_are_stopped_and_killed_lose_no_move_and_double_none():
    course = Course(
        processes=times(2, 3),
        tables=times(16, 48),
        seconds=times(20, 600),
        shards=times(TWO, THREE),
        thinks=times(0.25, 3),
    )
    async with rivals_in(course) as (rivals, connection, url):
        await rivals.run(lambda: connection.fetchval(HOLDER))
        # Removals of old calls are what is left over of the budget, so thousands wait by then.
        await settled(connection, times(30, 1_800))
        rivals.end()
        found = await faults(connection, url, rivals)
        done = rivals.records.done
        epochs = await connection.fetchval("SELECT sum(epoch) FROM leases")
        moves = await connection.fetchval("SELECT count(*) FROM events")
        work = await connection.fetchval("SELECT count(*) FROM audit")
        await plant_faults(connection, rivals)
        planted = await faults(connection, url, rivals)
    print(
        f"promise 11: {moves:,} events of {len(rivals.records.pressed):,} presses,"
        f" {work:,} marks and timers, none without its lease; {done['stops']} stops,"
        f" {done['kills']} kills, {epochs} leases taken, {done['late']} late writes refused"
    )
    assert found == []
    for fault in ("is lost", "gap", "does not show", "is a stray", "while nobody held it"):
        assert any(fault in each for each in planted), f"the control: {fault} is found out"
    assert epochs > len(course.shards), "leases changed hands"
    acked = sum("ack" in heard for heard in rivals.records.answers.values())
    assert acked > 2 * course.tables, "all of it while games were played"


async def plant_faults(connection: asyncpg.Connection, rivals: Rivals) -> None:
    """What would be wrong if promises were broken: a lost move, a gap, an old post, a stray one."""
    answers = rivals.records.answers
    lost = next(number for number, heard in answers.items() if "ack" in heard)
    await connection.execute("UPDATE events SET iid = NULL WHERE iid = $1", lost)
    await connection.execute("UPDATE tables SET version = version + 1 WHERE host % 10 = 0")
    await connection.execute("INSERT INTO audit VALUES ('posts', 'bot0', 'nobody')")
    shown = await connection.fetchval("SELECT message_id FROM posts ORDER BY message_id LIMIT 1")
    messages = rivals.discord.messages
    messages[0] = replace(messages[shown])
    messages[shown].look = "as it was before"


async def overtaken(*, fenced: bool) -> tuple[int, list[str]]:
    """A process is stopped in a post until another has its leases; how many of its writes came
    too late, and which of them were stored."""
    course = Course(processes=2, tables=4, seconds=0, shards=TWO, faults=0, fenced=fenced)
    async with rivals_in(course) as (rivals, connection, _):
        await rivals.begin()
        await rivals.overtake(lambda: connection.fetchval(HOLDER))
        while not rivals.records.done["late"]:  # noqa: ASYNC110  the process does the work
            await asyncio.sleep(0.1)
        await rivals.calm_down()
        return rivals.records.done["late"], await late_writes(connection)


@pytest.mark.promise(11)
async def test_a_process_that_slept_past_its_lease_changes_nothing():
    late, stored = await overtaken(fenced=True)
    print(f"promise 11: {late} late writes of a process stopped in a post, none stored")
    assert stored == []


@pytest.mark.promise(11)
async def test_without_the_epoch_in_its_writes_it_would():
    """The control: this is what the test above looks for."""
    _, stored = await overtaken(fenced=False)
    assert stored != []
