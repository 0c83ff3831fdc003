"""Bring a database to the tables of this program: all steps or none.

SQLite and PostgreSQL both change tables inside a transaction, so a step that fails leaves the
schema it began with. An SQLite file that already holds something is copied before it is changed.
"""

import asyncio
import os
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import URL, Connection, create_engine, event, inspect, make_url, text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.pool import NullPool

from db.engine import DatabaseUnavailableError, is_sqlite
from db.models import METADATA

SCRIPTS = Path(__file__).parent / "migrations"
_ONE_AT_A_TIME = 7_366_118_202  # any number of ours: the key of PostgreSQL's advisory lock


async def upgrade(url: str, *, scripts: Path = SCRIPTS) -> str:
    """Bring the database to the newest revision and return that. Safe to repeat.

    Creates an SQLite file and its folder if they are lacking. Before a file with games in an
    older schema is changed, it is copied to ``<file>.<revision>.bak``.

    Raises:
        DatabaseUnavailableError: it can't be opened, was written by a newer program, holds
            tables of unknown origin, or a step failed; the sentence says which. The schema is
            as it was.
    """
    address = make_url(url)
    if is_sqlite(address):
        await asyncio.to_thread(_make_folder, address)
    engine = _engine(address)
    try:
        return await _upgrade(engine, address, _config(scripts))
    except (SQLAlchemyError, OSError, sqlite3.Error) as error:
        raise DatabaseUnavailableError(_cannot_open(address, error)) from error
    finally:
        await engine.dispose()


def problems() -> Sequence[str]:
    """Say where the tables that the migrations make differ from those the program expects."""
    engine = create_engine("sqlite://")
    with engine.begin() as connection:
        _run_steps(connection, _config(SCRIPTS))
        differences = compare_metadata(_context(connection), METADATA)
    engine.dispose()
    return [f"migrations: {difference!r}" for difference in differences]


async def _upgrade(engine: AsyncEngine, address: URL, config: Config) -> str:
    newest = _newest(config)
    async with engine.connect() as connection:
        found = await connection.run_sync(_revision)
        await connection.run_sync(_refuse_unknown, address, config, found)
    if found == newest:
        return newest
    if found is not None and is_sqlite(address):
        await asyncio.to_thread(_back_up, _file(address), found)
    try:
        async with engine.begin() as connection:
            await connection.run_sync(_take_turn)
            await connection.run_sync(_run_steps, config)
    except Exception as error:
        raise DatabaseUnavailableError(
            f"The database could not be brought from revision {found or 'none'} to {newest} and"
            f" was left as it was: {_first_line(error)}."
        ) from error
    return newest


def _run_steps(connection: Connection, config: Config) -> None:
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
    if connection.dialect.name == "sqlite":
        broken = connection.execute(text("PRAGMA foreign_key_check")).fetchall()
        if broken:
            raise CommandError(f"{len(broken)} rows would point to nothing")


def _take_turn(connection: Connection) -> None:
    """Let two processes that start together migrate one after the other."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _ONE_AT_A_TIME})


def _revision(connection: Connection) -> str | None:
    return _context(connection).get_current_revision()


def _refuse_unknown(
    connection: Connection, address: URL, config: Config, found: str | None
) -> None:
    known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
    name = address.render_as_string(hide_password=True)
    if found is not None and found not in known:
        raise DatabaseUnavailableError(
            f"{name} is at revision {found}, which this version does not know: a newer version"
            " wrote it. Start that one, or restore a backup."
        )
    if found is None and (
        foreign := set(inspect(connection).get_table_names()) & set(METADATA.tables)
    ):
        raise DatabaseUnavailableError(
            f"{name} holds tables ({', '.join(sorted(foreign))}) but no revision: another program"
            " made them. Name an empty database, or restore a backup."
        )


def _back_up(file: Path, revision: str) -> None:
    """Copy an SQLite file as it stands, log included, and only keep a copy that is sound."""
    unfinished = file.with_name(f"{file.name}.{revision}.bak.unfinished")
    unfinished.unlink(missing_ok=True)
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("VACUUM INTO ?", (str(unfinished),))
    with closing(sqlite3.connect(unfinished)) as connection:
        (verdict,) = connection.execute("PRAGMA quick_check").fetchone()
    if verdict != "ok":
        raise DatabaseUnavailableError(
            f"The copy of {file} before its upgrade is broken: {verdict}."
        )
    descriptor = os.open(unfinished, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    unfinished.replace(file.with_name(f"{file.name}.{revision}.bak"))


def _engine(address: URL) -> AsyncEngine:
    """Make an engine for migrating alone.

    SQLite does not enforce foreign keys on it: rebuilding a table would delete what points to
    its rows.
    """
    engine = create_async_engine(address, poolclass=NullPool, hide_parameters=True)
    if is_sqlite(address):

        def on_connect(connection: Any, _record: object) -> None:  # noqa: ANN401  the driver's own
            connection.isolation_level = None  # else the driver commits before each change

        def on_begin(connection: Connection) -> None:
            connection.exec_driver_sql("BEGIN IMMEDIATE")

        event.listen(engine.sync_engine, "connect", on_connect)
        event.listen(engine.sync_engine, "begin", on_begin)
    return engine


def _config(scripts: Path) -> Config:
    config = Config()
    config.set_main_option("script_location", str(scripts).replace("%", "%%"))
    return config


def _context(connection: Connection) -> MigrationContext:
    return MigrationContext.configure(connection)


def _newest(config: Config) -> str:
    newest = ScriptDirectory.from_config(config).get_current_head()
    if newest is None:
        raise DatabaseUnavailableError("This version has no migrations: it is not whole.")
    return newest


def _file(address: URL) -> Path:
    return Path(address.database or "")


def _make_folder(address: URL) -> None:
    folder = _file(address).parent
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DatabaseUnavailableError(
            f"The folder {folder} of the database can't be made: {error.strerror}."
        ) from error


def _cannot_open(address: URL, error: Exception) -> str:
    name = address.render_as_string(hide_password=True)
    return f"The database {name} can't be opened: {_first_line(error)}."


def _first_line(error: BaseException) -> str:
    words = str(getattr(error, "orig", None) or error).strip() or type(error).__name__
    return words.splitlines()[0].rstrip(".")
