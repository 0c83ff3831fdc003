"""Migrations with data, on both databases (reliability.md 6.20): every way up loses nothing."""

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any, TypeVar

import pytest
from sqlalchemy import Connection, select, text
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.pool import NullPool

from db import migrate
from db.engine import DatabaseUnavailableError, open_database
from db.migrate import SCRIPTS, problems_in, upgrade
from db.models import METADATA
from tests.support.installation import Rows, rows_in, settled_url, tables_in
from tests.support.postgres import KINDS, cluster, empty_database
from tests.support.store import stores_over

pytestmark = pytest.mark.promise(20)

REVISIONS = sorted(script.name[:4] for script in SCRIPTS.glob("versions/*.py"))
FIRST, *_, NEWEST = REVISIONS
BROKEN = 'raise RuntimeError("the disk is full\\nand more")'
NEXT = f"""
from alembic import op
import sqlalchemy as sa
revision = "9999"
down_revision = "{NEWEST}"


def upgrade():
    op.add_column("tables", sa.Column("mood", sa.Text(), nullable=True))
    op.execute("UPDATE tables SET mood = 'merry'")
    {{last}}
"""
Answer = TypeVar("Answer")
_settled: list[Rows] = []


@pytest.fixture
async def today(tmp_path_factory: pytest.TempPathFactory) -> Rows:
    """The rows of an installation of today; made once, as all tests want the same."""
    if not _settled:
        url = await settled_url(tmp_path_factory.mktemp("today"))
        _settled.append(await look(url, rows_in))
    return _settled[0]


async def look(url: str, at: Callable[[Connection], Answer]) -> Answer:
    """Do something in a database without the stores, which know today's tables alone."""
    engine = create_async_engine(url, poolclass=NullPool)
    async with engine.begin() as connection:
        return await connection.run_sync(at)


def scripts_until(folder: Path, revision: str, *later: str) -> Path:
    """The migrations of an older version; *later* are the texts of further ones."""
    versions = folder / "scripts" / "versions"
    versions.mkdir(parents=True)
    known = [path for path in SCRIPTS.glob("versions/*.py") if path.name[:4] <= revision]
    for path in (SCRIPTS / "env.py", SCRIPTS / "script.py.mako", *known):
        copy = folder / "scripts" / path.relative_to(SCRIPTS)
        copy.write_text(path.read_text(encoding="utf-8"), encoding="utf-8")
    for number, script in enumerate(later):
        (versions / f"later_{number}.py").write_text(script, encoding="utf-8")
    return folder / "scripts"


def pour(connection: Connection, rows: Rows) -> Rows:
    """Put in what of *rows* fits into the tables of this revision; what lies there then."""
    for table in tables_in(connection).sorted_tables:
        for row in rows[table.name]:
            fitting = {name: value for name, value in row.items() if name in table.columns}
            connection.execute(table.insert(), fitting)
    return rows_in(connection)


def missing_from(before: Rows, after: Rows) -> list[str]:
    """What was there and is not any more, or is something else."""
    return [
        f"{name}: {value!r} in {column} is {later.get(column)!r}"
        for name, rows in before.items()
        for row, later in zip(rows, after[name], strict=True)
        for column, value in row.items()
        if later.get(column) != value
    ]


def counted(rows: Rows) -> dict[str, int]:
    return {name: len(of_table) for name, of_table in rows.items()}


def orphans(connection: Connection) -> list[Any]:
    """Rows that point to nothing."""
    if connection.dialect.name == "sqlite":
        return list(connection.execute(text("PRAGMA foreign_key_check")))
    return [
        row
        for table in METADATA.sorted_tables
        for key in table.foreign_keys
        for row in connection.execute(select(table).where(key.parent.not_in(select(key.column))))
    ]


@pytest.fixture(params=KINDS)
async def url(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[str]:
    """An empty database of either kind."""
    async with empty_database(request.param, tmp_path) as found:
        yield found


@pytest.fixture
async def server() -> AsyncIterator[str]:
    async with cluster().database() as found:
        yield found


def test_all_versions_are_known():
    """What the parameters below would not show."""
    assert [f"{number:04}" for number in range(1, len(REVISIONS) + 1)] == REVISIONS
    print(f"promise 20: up from {len(REVISIONS)} revisions on {len(KINDS)} databases")


@pytest.mark.parametrize("revision", REVISIONS)
async def test_every_version_is_brought_up_with_all_its_rows(
    url: str, revision: str, today: Rows, tmp_path: Path
):
    await upgrade(url, scripts=scripts_until(tmp_path, revision))
    before = await look(url, lambda connection: pour(connection, today))
    assert all(before.values())

    assert await upgrade(url) == NEWEST

    after = await look(url, rows_in)
    new_tables = dict.fromkeys(set(METADATA.tables) - set(before), 0)
    assert counted(after) == counted(before) | new_tables
    assert missing_from(before, after) == []
    assert await look(url, orphans) == []
    assert await problems_in(url) == []
    stores = stores_over(open_database(url))
    assert [await stores.events.load(row["id"]) for row in after["tables"]]
    await stores.database.close()


LOSES = """op.execute("DELETE FROM persons")"""
CHANGES = """op.execute("UPDATE members SET name = 'x'")"""


async def test_a_row_that_a_step_loses_or_changes_is_found(url: str, today: Rows, tmp_path: Path):
    """The control."""
    await upgrade(url)
    before = await look(url, lambda connection: pour(connection, today))
    careless = NEXT.format(last=f"{LOSES}; {CHANGES}")
    await upgrade(url, scripts=scripts_until(tmp_path, NEWEST, careless))
    after = await look(url, rows_in)
    assert counted(after) == counted(before) | {"persons": 0}
    assert missing_from({"members": before["members"]}, after) != []


async def test_a_column_that_only_a_migration_knows_is_found(url: str, tmp_path: Path):
    await upgrade(url, scripts=scripts_until(tmp_path, NEWEST, NEXT.format(last="pass")))
    assert any("mood" in problem for problem in await problems_in(url))


async def test_a_step_that_fails_leaves_a_server_as_it_was(
    server: str, today: Rows, tmp_path: Path
):
    await upgrade(server)
    before = await look(server, lambda connection: pour(connection, today))
    with pytest.raises(DatabaseUnavailableError) as refused:
        await upgrade(server, scripts=scripts_until(tmp_path, NEWEST, NEXT.format(last=BROKEN)))
    assert str(refused.value) == (
        f"The database could not be brought from revision {NEWEST} to 9999 and was left"
        " as it was: the disk is full."
    )
    assert await look(server, rows_in) == before
    assert await problems_in(server) == []


async def test_programs_that_start_together_migrate_one_after_the_other(server: str):
    assert await asyncio.gather(*(upgrade(server) for _ in range(4))) == [NEWEST] * 4
    assert await problems_in(server) == []


async def test_without_waiting_for_each_other_they_fail(
    server: str, monkeypatch: pytest.MonkeyPatch
):
    """The control: each waits for a turn of its own."""
    turns = iter(range(4))

    def own_turn(sql: str):
        return text(sql.replace(":key", f":key + {next(turns)}") if "advisory" in sql else sql)

    monkeypatch.setattr(migrate, "text", own_turn)
    ends = await asyncio.gather(*(upgrade(server) for _ in range(4)), return_exceptions=True)
    assert any(isinstance(end, DatabaseUnavailableError) for end in ends)


async def test_a_server_that_a_newer_version_has_migrated_is_refused(server: str, tmp_path: Path):
    await upgrade(server, scripts=scripts_until(tmp_path, NEWEST, NEXT.format(last="pass")))
    with pytest.raises(DatabaseUnavailableError, match=r"is at revision 9999.*newer"):
        await upgrade(server)


async def test_tables_of_unknown_origin_on_a_server_are_refused(server: str):
    await look(server, lambda connection: connection.execute(text("CREATE TABLE seats (a int)")))
    with pytest.raises(DatabaseUnavailableError, match=r"tables \(seats\) but no revision"):
        await upgrade(server)


async def test_tables_of_an_extension_on_a_server_are_in_nobodys_way(server: str):
    made = text("CREATE TABLE spatial_ref_sys (a int)")  # as PostGIS has in every database
    await look(server, lambda connection: connection.execute(made))
    assert await upgrade(server) == NEWEST


async def test_a_database_that_cannot_hold_every_letter_is_refused():
    """Names of people would be lost in it, each at the moment when it is stored."""
    latin = "template0 ENCODING 'LATIN1' LOCALE_PROVIDER libc LOCALE 'C'"
    async with cluster().database(like=latin) as url:
        with pytest.raises(DatabaseUnavailableError, match=r"holds text as LATIN1.*UTF8"):
            await upgrade(url)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("/test_", "/nowhere_"), 'database "nowhere_.*" does not exist'),
        (("hearts@", "stranger:hunter2@"), 'role "stranger" does not exist'),
        (("?host=", "?channel_binding=require&host="), "channel_binding"),
        (("@/", "@127.0.0.1:9/"), "refused|rejected|Connect call failed"),
    ],
)
async def test_what_is_wrong_with_a_url_is_said_in_one_line(
    server: str, change: tuple[str, str], words: str
):
    wrong = server.replace(*change)
    if "127.0.0.1" in wrong:
        wrong = wrong.partition("?")[0]
    with pytest.raises(DatabaseUnavailableError, match=words) as refused:
        await upgrade(wrong)
    assert "\n" not in str(refused.value)
    assert "hunter2" not in str(refused.value)
