"""Migrations: all steps or none (B93; reliability.md 3.20 to 3.22 and 6.20)."""

import os
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import create_engine

from db import migrate
from db.engine import DatabaseUnavailableError, open_database
from db.migrate import SCRIPTS, problems, upgrade
from db.models import METADATA
from tests.support.store import (
    HOST,
    Stores,
    fresh_stores,
    lobby,
    only_to_be_read,
    put,
    stores_over,
    url_of,
)

NEWEST = "0005"
"""Revision of this version of the program."""
LATER = "9999"
"""Of a version that is still to be written; no real one gets there."""
NEXT = """
from alembic import op
import sqlalchemy as sa
revision = "{later}"
down_revision = "{newest}"


def upgrade():
    op.add_column("tables", sa.Column("mood", sa.Text(), nullable=True))
    op.execute("UPDATE tables SET mood = 'merry'")
    {last}
"""


def schema_of(file: Path) -> list[str]:
    """All that makes up a schema, in SQL without its spacing.

    SQLite puts the name of a table that was rebuilt in quotation marks.
    """
    with closing(sqlite3.connect(file)) as connection:
        rows = connection.execute(
            "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'alembic%'"
            " AND name NOT LIKE 'sqlite_%'"
        )
        bare = (sql.replace('"', "") for (sql,) in rows)
        return sorted(re.sub(r"\s+", " ", sql).replace(" ,", ",") for sql in bare)


def files_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def scripts_with(folder: Path, last: str = "pass") -> Path:
    """The migrations of a later version: ours and one more, which ends with *last*."""
    versions = folder / "scripts" / "versions"
    versions.mkdir(parents=True)
    ours = (path.relative_to(SCRIPTS).as_posix() for path in SCRIPTS.glob("versions/*.py"))
    for name in ("env.py", "script.py.mako", *ours):
        (folder / "scripts" / name).write_text((SCRIPTS / name).read_text(encoding="utf-8"))
    (versions / f"{LATER}_next.py").write_text(NEXT.format(last=last, later=LATER, newest=NEWEST))
    return folder / "scripts"


async def with_a_table(folder: Path) -> Path:
    stores = await fresh_stores(folder)
    await put(stores, lobby())
    await stores.database.close()
    return folder / "hearts.db"


async def titles(file: Path) -> list[str]:
    stores: Stores = stores_over(open_database(url_of(file)))
    rows = await stores.events.tables_of(HOST)
    await stores.database.close()
    return [row.title for row in rows]


async def test_a_new_file_gets_its_folder_and_all_tables(tmp_path: Path):
    file = tmp_path / "not" / "yet" / "there" / "hearts.db"
    assert await upgrade(url_of(file)) == NEWEST
    assert len(schema_of(file)) > len(METADATA.tables)


@pytest.mark.skipif(os.name != "posix", reason="file modes are a matter of POSIX systems")
async def test_a_new_file_may_be_read_by_its_owner_alone(tmp_path: Path):
    """It holds hands and seeds, as its backups do (docs/operations.md)."""
    file = tmp_path / "hearts.db"
    await upgrade(url_of(file))
    assert file.stat().st_mode & 0o777 == 0o600
    file.chmod(0o640)
    await upgrade(url_of(file))
    assert file.stat().st_mode & 0o777 == 0o640  # whoever decides otherwise is obeyed


async def test_a_second_run_changes_nothing(tmp_path: Path):
    file = tmp_path / "hearts.db"
    await upgrade(url_of(file))
    before = file.read_bytes()
    assert await upgrade(url_of(file)) == NEWEST
    assert file.read_bytes() == before
    assert files_in(tmp_path) == ["hearts.db"]


async def test_migrations_make_the_tables_that_the_program_expects(tmp_path: Path):
    """Word for word, so that also what Alembic does not compare is the same."""
    migrated, made = tmp_path / "migrated.db", tmp_path / "made.db"
    await upgrade(url_of(migrated))
    engine = create_engine(f"sqlite:///{made}")
    METADATA.create_all(engine)
    engine.dispose()
    assert schema_of(migrated) == schema_of(made)
    assert problems() == []


def test_a_table_without_its_migration_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """The control: a column that only a migration knows."""
    monkeypatch.setattr(migrate, "SCRIPTS", scripts_with(tmp_path))
    assert any("mood" in problem for problem in problems())


async def test_an_older_schema_is_copied_and_then_brought_up(tmp_path: Path):
    file = await with_a_table(tmp_path)
    before = schema_of(file)
    later = scripts_with(tmp_path)

    assert await upgrade(url_of(file), scripts=later) == LATER

    assert any("mood" in sql for sql in schema_of(file))
    backup = tmp_path / f"hearts.db.{NEWEST}.bak"
    assert schema_of(backup) == before
    assert await titles(backup) == await titles(file) == ["Standard Hearts"]
    assert files_in(tmp_path) == ["hearts.db", f"hearts.db.{NEWEST}.bak", "scripts"]


async def test_moves_that_only_the_log_holds_are_in_the_copy(tmp_path: Path):
    """Copying the file alone would lose them (reliability.md, Backups)."""
    stores = await fresh_stores(tmp_path)
    await put(stores, lobby())
    file = tmp_path / "hearts.db"
    assert (tmp_path / "hearts.db-wal").stat().st_size > 0
    await upgrade(url_of(file), scripts=scripts_with(tmp_path))
    await stores.database.close()
    assert await titles(tmp_path / f"hearts.db.{NEWEST}.bak") == ["Standard Hearts"]


async def test_without_a_copy_nothing_is_changed(tmp_path: Path):
    file = await with_a_table(tmp_path)
    before = schema_of(file)
    (tmp_path / f"hearts.db.{NEWEST}.bak.unfinished").mkdir()
    with pytest.raises(DatabaseUnavailableError, match="can't be copied, so it was not brought"):
        await upgrade(url_of(file), scripts=scripts_with(tmp_path))
    assert schema_of(file) == before


async def test_a_copy_that_is_broken_is_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    file = await with_a_table(tmp_path)
    real = sqlite3.connect

    def damaging(name, *args, **kwargs):
        connection = real(name, *args, **kwargs)
        if str(name).endswith(".unfinished"):
            connection.execute("CREATE TABLE t (a CHECK (a > 0))")
            connection.execute("PRAGMA ignore_check_constraints = ON")
            connection.execute("INSERT INTO t VALUES (-1)")
            connection.execute("PRAGMA ignore_check_constraints = OFF")
        return connection

    monkeypatch.setattr(sqlite3, "connect", damaging)
    with pytest.raises(DatabaseUnavailableError, match="the copy is broken: CHECK"):
        await upgrade(url_of(file), scripts=scripts_with(tmp_path))
    assert not (tmp_path / f"hearts.db.{NEWEST}.bak").exists()


async def test_a_step_that_fails_leaves_everything_as_it_was(tmp_path: Path):
    file = await with_a_table(tmp_path)
    before = schema_of(file)
    broken = scripts_with(tmp_path, last='raise RuntimeError("the disk is full\\nand more")')

    with pytest.raises(DatabaseUnavailableError) as refused:
        await upgrade(url_of(file), scripts=broken)

    assert str(refused.value) == (
        f"The database could not be brought from revision {NEWEST} to {LATER} and was left"
        " as it was: the disk is full."
    )
    assert schema_of(file) == before
    assert await titles(file) == ["Standard Hearts"]


async def test_after_a_failure_the_next_try_succeeds(tmp_path: Path):
    file = await with_a_table(tmp_path)
    broken = scripts_with(tmp_path / "broken", last='raise RuntimeError("no")')
    with pytest.raises(DatabaseUnavailableError):
        await upgrade(url_of(file), scripts=broken)
    assert await upgrade(url_of(file), scripts=scripts_with(tmp_path / "mended")) == LATER


async def test_a_first_migration_that_fails_leaves_an_empty_database(tmp_path: Path):
    broken = scripts_with(tmp_path, last='raise RuntimeError("no")')
    file = tmp_path / "hearts.db"
    with pytest.raises(DatabaseUnavailableError, match=f"from revision none to {LATER}"):
        await upgrade(url_of(file), scripts=broken)
    assert schema_of(file) == []
    assert await upgrade(url_of(file)) == NEWEST


async def test_rows_that_would_point_to_nothing_stop_a_migration(tmp_path: Path):
    file = await with_a_table(tmp_path)
    orphaning = scripts_with(tmp_path, last='op.execute("DELETE FROM tables")')
    with pytest.raises(DatabaseUnavailableError, match="point to nothing"):
        await upgrade(url_of(file), scripts=orphaning)
    assert await titles(file) == ["Standard Hearts"]


async def test_rebuilding_a_table_keeps_the_rows_that_point_to_it(tmp_path: Path):
    """Reliability.md 3.21: with foreign keys enforced they would be gone, without a word."""
    file = await with_a_table(tmp_path)
    rebuild = (
        'batch = op.batch_alter_table("tables", recreate="always")\n'
        "    with batch as tables:\n"
        '        tables.alter_column("title", new_column_name="title", nullable=True)'
    )
    await upgrade(url_of(file), scripts=scripts_with(tmp_path, last=rebuild))
    with closing(sqlite3.connect(file)) as connection:
        (events,) = connection.execute("SELECT count(*) FROM events").fetchone()
    assert events == 2


async def test_a_database_of_a_newer_version_is_refused(tmp_path: Path):
    file = await with_a_table(tmp_path)
    await upgrade(url_of(file), scripts=scripts_with(tmp_path))
    with pytest.raises(DatabaseUnavailableError, match=rf"is at revision {LATER}.*newer"):
        await upgrade(url_of(file))


async def test_a_half_made_schema_is_refused(tmp_path: Path):
    file = tmp_path / "hearts.db"
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("CREATE TABLE seats (seat INTEGER)")
    with pytest.raises(DatabaseUnavailableError, match=r"tables \(seats\) but no revision"):
        await upgrade(url_of(file))


@pytest.mark.parametrize("statement", ["CREATE TABLE foo (a)", "DELETE FROM alembic_version"])
async def test_a_file_of_which_nobody_knows_the_origin_is_left_as_it_is(
    tmp_path: Path, statement: str
):
    """Without a log too, which every other file gets."""
    file = tmp_path / "hearts.db"
    if "alembic" in statement:
        await upgrade(url_of(file))
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("PRAGMA journal_mode = DELETE")
        connection.execute(statement)
    before = file.read_bytes()
    with pytest.raises(DatabaseUnavailableError, match="but no revision, so something else made"):
        await upgrade(url_of(file))
    assert file.read_bytes() == before
    assert files_in(tmp_path) == ["hearts.db"]


async def test_what_sqlite_keeps_for_itself_makes_no_file_a_strange_one(tmp_path: Path):
    file = tmp_path / "hearts.db"
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("CREATE TABLE foo (a INTEGER PRIMARY KEY AUTOINCREMENT)")
        connection.execute("DROP TABLE foo")  # what counts its rows stays
    assert await upgrade(url_of(file)) == NEWEST


async def test_a_file_that_is_no_database_is_refused(tmp_path: Path):
    file = tmp_path / "hearts.db"
    file.write_text("Dear diary, " * 1_000)
    with pytest.raises(DatabaseUnavailableError, match="can't be opened: file is not a database"):
        await upgrade(url_of(file))
    assert file.read_text().startswith("Dear diary")


async def test_a_file_that_may_only_be_read_is_refused_though_nothing_is_to_be_changed(
    tmp_path: Path,
):
    """SQLite grants `BEGIN IMMEDIATE` there and begins a transaction that reads."""
    file = tmp_path / "hearts.db"
    await upgrade(url_of(file))
    only_to_be_read(file)
    with pytest.raises(DatabaseUnavailableError, match="attempt to write a readonly database"):
        await upgrade(url_of(file))


async def test_a_folder_that_cannot_be_made_is_refused(tmp_path: Path):
    (tmp_path / "taken").write_text("a file, not a folder")
    with pytest.raises(DatabaseUnavailableError, match=r"The folder .*taken.* can't be made"):
        await upgrade(url_of(tmp_path / "taken" / "hearts.db"))


async def test_a_place_that_is_a_folder_is_refused(tmp_path: Path):
    with pytest.raises(DatabaseUnavailableError, match="can't be opened"):
        await upgrade(url_of(tmp_path))


async def test_a_server_that_does_not_answer_is_refused_without_its_password():
    url = "postgresql+asyncpg://hearts:hunter2@127.0.0.1:9/hearts"
    with pytest.raises(DatabaseUnavailableError, match="can't be opened") as refused:
        await upgrade(url)
    assert "hunter2" not in str(refused.value)


async def test_the_operator_reads_one_line_with_one_full_stop(tmp_path: Path):
    (tmp_path / "taken").write_text("a file, not a folder")
    for place in (tmp_path / "taken" / "hearts.db", tmp_path, tmp_path / "taken"):
        with pytest.raises(DatabaseUnavailableError) as refused:
            await upgrade(url_of(place))
        assert re.fullmatch(r"[^\n]*[^.]\.", str(refused.value))
