"""A move that was acknowledged survives any death of the process (reliability.md 6, promise 1).

The process of `tests.support.kill_child` plays at six tables at once and is killed with SIGKILL
while it does, again and again over one database; after each death the store is looked at from
outside, by sqlite3 alone.
"""

import multiprocessing
import random
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from bot.table import history
from bot.table.events import GameStarted
from bot.table.ids import TableId
from db.engine import open_database
from db.migrate import upgrade
from tests.support.forms import times
from tests.support.kill_child import Click, live
from tests.support.store import stores_over, url_of

PROCESSES = multiprocessing.get_context("forkserver")
"""Each process is a fork of one that has imported everything and done nothing yet."""
PROCESSES.set_forkserver_preload(["tests.support.kill_child"])

KILLS = times(20, 500)
MOST_ACKS = 30
"""A process is killed after so many answers, or before."""


class Life(NamedTuple):
    """What one process said before it was killed."""

    acked: set[int]
    unanswered: list[Click]
    refused: dict[int, str]


def live_and_die(
    file: Path, life: int, unanswered: list[Click], after: int, *, hasty: bool = False
) -> Life:
    """Start a process, let it have *after* clicks answered, kill it, and read what it said."""
    ours, its = PROCESSES.Pipe(duplex=False)
    process = PROCESSES.Process(
        target=live, args=(its, url_of(file), life, unanswered), kwargs={"hasty": hasty}
    )
    process.start()
    its.close()
    said: list[dict[str, Any]] = []
    try:
        while sum("ack" in word for word in said) < after:
            said.append(ours.recv())
    finally:
        process.kill()
        process.join()
    said += _last_words(ours)
    return _heard(said, unanswered)


def _last_words(pipe: Connection) -> Iterator[dict[str, Any]]:
    with pipe:
        while True:
            try:
                yield pipe.recv()
            except EOFError:  # the last word may be cut off
                return


def _heard(said: list[dict[str, Any]], before: list[Click]) -> Life:
    acked = {word["ack"] for word in said if "ack" in word}
    refused = {word["refused"]: word["why"] for word in said if "refused" in word}
    tried = [*before, *(word["try"] for word in said if "try" in word)]
    left = [click for click in tried if click.number not in acked | set(refused)]
    return Life(acked, left, refused)


def times_stored(file: Path) -> Counter[int]:
    """How often each interaction lies in the store."""
    with closing(sqlite3.connect(file)) as database:
        rows = database.execute("SELECT iid FROM events WHERE iid IS NOT NULL")
        return Counter(iid for (iid,) in rows)


def gaps(file: Path) -> list[str]:
    """Tables whose events are not numbered 1, 2, 3 up to their version."""
    query = """
        SELECT tables.id FROM tables JOIN events ON events.table_id = tables.id
        GROUP BY tables.id, tables.version
        HAVING COUNT(*) != tables.version OR MIN(seq) != 1 OR MAX(seq) != tables.version
    """
    with closing(sqlite3.connect(file)) as database:
        return [table for (table,) in database.execute(query)]


def lost(acked: set[int], file: Path) -> set[int]:
    return acked - set(times_stored(file))


@pytest.mark.kill
@pytest.mark.slow
@pytest.mark.case("B90")
@pytest.mark.promise(1)
async def test_every_acknowledged_move_outlives_kills_under_load(tmp_path: Path) -> None:
    file, dice = tmp_path / "hearts.db", random.Random(90)
    await upgrade(url_of(file))
    acked: set[int] = set()
    unanswered: list[Click] = []
    resent = 0
    for life in range(1, KILLS + 1):
        resent += len(unanswered)
        said = live_and_die(file, life, unanswered, dice.randint(1, MOST_ACKS))
        acked |= said.acked
        unanswered = said.unanswered
        assert not said.refused, "a click sent again counts once, and is no fault"
        assert not lost(acked, file), f"after kill {life}"
    assert resent > KILLS // 2, "most kills hit a move that was being made"
    assert max(times_stored(file).values()) == 1
    assert not gaps(file)
    await assert_all_tables_replay(tmp_path)
    print(f"promise 1: 0 of {len(acked):,} more lost in {KILLS:,} kills under load, six tables")


async def assert_all_tables_replay(folder: Path) -> None:
    with closing(sqlite3.connect(folder / "hearts.db")) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        tables = [TableId(row[0]) for row in database.execute("SELECT id FROM tables")]
    stores = stores_over(open_database(url_of(folder / "hearts.db")))
    games = 0
    for table in tables:
        stored = await stores.events.load(table)
        assert history.replay(stored).fault is None
        games += any(isinstance(entry.event, GameStarted) for entry in stored)
    await stores.database.close()
    assert games, "games were played, not only lobbies opened"


@pytest.mark.kill
@pytest.mark.thorough
async def test_a_store_that_answers_before_its_commit_is_found_out(tmp_path: Path) -> None:
    """The control: the same look at the store sees that this one loses moves."""
    file = tmp_path / "hearts.db"
    await upgrade(url_of(file))
    found: set[int] = set()
    unanswered: list[Click] = []
    for life in range(1, 6):
        said = live_and_die(file, life, unanswered, 25, hasty=True)
        found |= lost(said.acked, file)
    assert found


def test_a_doubled_or_missing_event_is_found_out(tmp_path: Path) -> None:
    """The control of the counts: a click stored twice, and a gap in the numbers."""
    file = tmp_path / "hearts.db"
    with closing(sqlite3.connect(file)) as database:
        database.execute("CREATE TABLE tables (id, version)")
        database.execute("CREATE TABLE events (table_id, seq, iid)")
        database.execute("INSERT INTO tables VALUES ('a', 3)")
        database.execute("INSERT INTO events VALUES ('a', 1, 5), ('a', 3, 5)")
        database.commit()
    assert times_stored(file)[5] == 2
    assert gaps(file) == ["a"]
