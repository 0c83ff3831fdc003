"""Whether several processes kept their promises: what was pressed against what is stored and shown.

As Jepsen reads histories: an acknowledged press counts exactly once, one that nobody answered at
most once, and a refused one never (reliability.md 1).
"""

import asyncio
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import asyncpg

from bot.table import history
from bot.table.ids import TableId
from bot.table.manager import TableManager
from bot.table.robots import Robots
from db.engine import open_database
from db.event_store import SqlEventStore
from db.settings import SqlSettings
from tests.support.fakes import CountedSeeds
from tests.support.far_discord import FarDiscord, Standing, look_of
from tests.support.kill_child import MachineClock
from tests.support.rivals import Records, Rivals

AUDIT = (
    "CREATE TABLE audit (what text, by_whom text, holder text)",
    # Whoever does the work of a lease has to be the one who holds it, in the same transaction.
    """
    CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        INSERT INTO audit SELECT TG_TABLE_NAME, current_user, split_part(leases.owner, '/', 1)
        FROM tables JOIN leases ON leases.shard = (tables.guild_id >> 22) % leases.shards
        WHERE tables.id = NEW.table_id;
        RETURN NULL;
    END $$
    """,
    """
    CREATE TRIGGER marked AFTER UPDATE OF posted_version ON posts FOR EACH ROW
    WHEN (NEW.posted_version > OLD.posted_version) EXECUTE FUNCTION note()
    """,
    """
    CREATE TRIGGER fired AFTER INSERT ON events FOR EACH ROW
    WHEN (NEW.actor_id IS NULL) EXECUTE FUNCTION note()
    """,
)
"""Writes down each mark of the publisher and each event of a timer, with who wrote and who held
the lease then. Each process has a role of its own, by the name of which its leases begin."""

_LEFT = """
    SELECT (SELECT count(*) FROM posts WHERE posted_version < wanted_version)
         + (SELECT count(*) FROM outbox WHERE due_at IS NOT NULL)
"""


async def settled(connection: asyncpg.Connection, seconds: float) -> None:
    """Return when nothing is left to post."""
    async with asyncio.timeout(seconds):
        while await connection.fetchval(_LEFT):  # noqa: ASYNC110  others do the work
            await asyncio.sleep(0.2)


async def faults(connection: asyncpg.Connection, url: str, rivals: Rivals) -> list[str]:
    """All that is wrong; empty: every promise was kept."""
    records = rivals.records
    rows = await connection.fetch("SELECT iid FROM events WHERE iid IS NOT NULL")
    stored = [row["iid"] for row in rows]
    found = [*records.failures, *_miscounted(records, stored)]
    found += await _gaps(connection)
    found += await late_writes(connection)
    found += await _untruths(connection, url, rivals)
    return found


async def late_writes(connection: asyncpg.Connection) -> list[str]:
    """Work that was done without its lease."""
    rows = await connection.fetch("SELECT * FROM audit WHERE by_whom <> holder")
    return [f"{row['by_whom']} wrote {row['what']} while {row['holder']} held it" for row in rows]


def _miscounted(records: Records, stored: Sequence[int]) -> Iterator[str]:
    counted = set(stored)
    if len(counted) != len(stored):
        yield "a press counts twice"
    for number in records.pressed:
        answers = records.answers[number]
        if "ack" in answers and number not in counted:
            yield f"press {number} was acknowledged and is lost"
        unknown = records.deliveries[number] > len(answers)
        if number in counted and "ack" not in answers and not unknown:
            yield f"press {number} was refused ({answers}) and counts"


async def _gaps(connection: asyncpg.Connection) -> list[str]:
    rows = await connection.fetch(
        "SELECT tables.id FROM tables JOIN events ON events.table_id = tables.id"
        " GROUP BY tables.id HAVING count(*) <> version OR max(seq) <> version OR min(seq) <> 1"
    )
    return [f"table {row['id']} has a gap among its events" for row in rows]


async def _untruths(connection: asyncpg.Connection, url: str, rivals: Rivals) -> list[str]:
    """Posts that do not show what is stored, messages that nobody knows of, games off the rules."""
    rows = await connection.fetch("SELECT table_id, slot, message_id FROM posts")
    discord, known = rivals.discord, {row["message_id"] for row in rows}
    outbox = await connection.fetch("SELECT message_id FROM outbox")
    known |= {row["message_id"] for row in outbox}
    found = [f"nonce {nonce} made {n} messages" for nonce, n in discord.made.items() if n > 1]
    found += [
        f"message {key} of {each.mark} is a stray"
        for key, each in discord.messages.items()
        if key not in known and not _is_excused(each, rivals)
    ]
    return found + await _wrong_looks(rows, url, discord)


def _is_excused(message: Standing, rivals: Rivals) -> bool:
    """A notice is said and forgotten; a call whose sending was not heard of may be left behind."""
    kind = message.mark[1]
    return kind == "notice" or (kind == "ping" and rivals.may_be_forgotten(message.nonce))


async def _wrong_looks(
    rows: Iterable[Mapping[str, Any]], url: str, discord: FarDiscord
) -> list[str]:
    database = open_database(url)
    seeds, store = CountedSeeds("judge"), SqlEventStore(database)
    tables = TableManager(
        store=store,
        settings=SqlSettings(database),
        clock=MachineClock(),
        seeds=seeds,
        robots=Robots(seeds),
    )
    found = []
    for row in rows:
        post, _ = await tables.post(TableId(row["table_id"]), row["slot"])
        message = discord.messages.get(row["message_id"])
        if message is None or message.look != look_of(post):
            found.append(f"{row['table_id']} {row['slot']} does not show what is stored")
    for table_id in {row["table_id"] for row in rows}:
        past = history.replay(await store.load(TableId(table_id)))
        if past.fault is not None:
            found.append(f"table {table_id} breaks the rules: {past.fault}")
    await database.close()
    return found
