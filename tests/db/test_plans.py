"""What is asked again and again finds its rows by an index, whatever else lies in the store."""

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, Engine, event, text
from sqlmodel import Session

from bot.table.ids import InteractionId, MessageId
from tests.support.store import GUILD, HOST, START, Stores, fresh_stores, go_on, lobby, put

Question = Callable[[Stores], Awaitable[object]]

ASKED: dict[str, Question] = {
    "posts_behind": lambda s: s.work.posts_behind(9),
    "due_outbox": lambda s: s.work.due_outbox(START, 9),
    "due_timers": lambda s: s.work.due_timers(START, 9),
    "next_timer": lambda s: s.work.next_timer(),
    "beat": lambda s: s.work.beat(START + timedelta(days=40)),
    "lost_message": lambda s: s.work.lost_message(lobby().id, MessageId(5)),
    "load": lambda s: s.events.load(lobby().id),
    "timers_of": lambda s: s.events.timers_of(lobby().id),
    "is_known": lambda s: s.events.is_known(InteractionId(7)),
    "tables_of": lambda s: s.events.tables_of(HOST),
    "live_tables_in": lambda s: s.events.live_tables_in(GUILD),
    "newest_message": lambda s: s.events.newest_message(lobby().id),
    "names": lambda s: s.events.names(GUILD, [HOST]),
    "board": lambda s: s.standings.board(GUILD, since=START, page=1, asking=HOST),
    "person": lambda s: s.standings.person(GUILD, HOST),
    "commit": lambda s: put(s, lobby("bbbb2222", channel_id=5)),
}


@pytest.fixture
async def stores(tmp_path: Path):
    opened = await fresh_stores(tmp_path)
    at = await put(opened, lobby())
    await go_on(opened, at, lobby(), slots=("lobby", "deal:1"))
    yield opened
    await opened.database.close()


@contextmanager
def statements() -> Iterator[list[tuple[str, Any]]]:
    """Every statement of the block with what fills its gaps."""
    heard: list[tuple[str, Any]] = []

    def hear(_connection, _cursor, statement, parameters, _context, many):
        heard.append((statement, parameters[0] if many else parameters))

    event.listen(Engine, "before_cursor_execute", hear)
    yield heard
    event.remove(Engine, "before_cursor_execute", hear)


def plan_of(connection: Connection, statement: str, parameters: Any) -> list[str]:
    if not statement.startswith(("SELECT", "UPDATE", "DELETE", "INSERT")):
        return []
    rows = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters)
    return [row[-1] for row in rows]


def whole_tables(plan: list[str]) -> list[str]:
    """Steps that read every row of a table or of an index that leaves no row out."""
    partial = ("ix_posts_behind", "ix_outbox_due", "ix_outbox_withdrawn")
    own = ("(subquery", "anon_", "CONSTANT ROW", "timers USING INDEX ix_timers_due_at")
    return [s for s in plan if s.startswith("SCAN") and not any(p in s for p in partial + own)]


async def scans(stores: Stores, question: Question) -> list[str]:
    with statements() as heard:
        await question(stores)

    def unit(session: Session) -> list[str]:
        connection = session.connection()
        return [
            f"{step}: {statement}"
            for statement, parameters in list(heard)
            for step in whole_tables(plan_of(connection, statement, parameters))
        ]

    return await stores.database.read(unit)


@pytest.mark.parametrize("name", ASKED)
async def test_no_table_is_read_whole_for(stores: Stores, name: str):
    assert await scans(stores, ASKED[name]) == []


async def test_a_table_that_is_read_whole_is_noticed(stores: Stores):
    """The control."""

    async def careless(stores: Stores) -> object:
        return await stores.database.read(
            lambda session: session.connection().scalar(
                text("SELECT count(*) FROM posts WHERE digest = 'look'")
            )
        )

    assert await scans(stores, careless) != []
