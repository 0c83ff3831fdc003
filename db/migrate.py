"""Bring a database to the tables of this program: all steps or none.

SQLite and PostgreSQL both change tables inside a transaction, so a step that fails leaves the
schema it began with. An SQLite file that already holds something is copied before it is changed.
"""

import asyncio
import logging
import os
import sqlite3
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import URL, Connection, Engine, create_engine, inspect, make_url, text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.pool import NullPool

from db.copies import OWNER_ALONE, copy_soundly
from db.engine import (
    Database,
    DatabaseUnavailableError,
    is_missing,
    is_sqlite,
    open_database,
    tell_each_connection,
)
from db.models import METADATA

log = logging.getLogger(__name__)

SCRIPTS = Path(__file__).parent / "migrations"
_TURN = 7_366_118_202  # any number of ours: the key of PostgreSQL's advisory lock


async def upgrade(url: str, *, scripts: Path = SCRIPTS) -> str:
    """Bring the database to the newest revision and return that. Safe to repeat.

    Creates an SQLite file, for its owner's eyes alone, and its folder if they are lacking. Before
    a file with games in an older schema is changed, it is copied to ``<file>.<revision>.bak``.

    Raises:
        DatabaseUnavailableError: it can't be opened, was written by a newer program, holds
            tables of unknown origin, or a step failed; the sentence says which. The schema is
            as it was.
    """
    address, config = make_url(url), _config(scripts)
    try:
        if is_sqlite(address):
            return await asyncio.to_thread(_upgrade_file, address, config)
        return await _upgrade_server(address, config)
    except (SQLAlchemyError, OSError) as error:
        name = address.render_as_string(hide_password=True)
        fault = f"The database {name} can't be opened: {first_line(error)}."
        raise DatabaseUnavailableError(fault) from error


def problems() -> Sequence[str]:
    """Say where the tables that the migrations make differ from those the program expects."""
    engine = create_engine("sqlite://")
    with engine.begin() as connection:
        _run_steps(connection, _config(SCRIPTS))
        differences = _differences(connection)
    engine.dispose()
    return differences


async def problems_in(url: str) -> Sequence[str]:
    """Say where the tables of a database differ from those the program expects."""
    engine = create_async_engine(url, poolclass=NullPool, hide_parameters=True)
    async with engine.connect() as connection:
        return await connection.run_sync(_differences)


def _differences(connection: Connection) -> list[str]:
    return [f"migrations: {difference!r}" for difference in _compared(connection)]


def _compared(connection: Connection) -> Sequence[Any]:
    found: Sequence[Any] = compare_metadata(MigrationContext.configure(connection), METADATA)
    return found


def lacking(connection: Connection) -> Sequence[str]:
    """What a database at the newest revision lacks of this program's tables, in words.

    Whatever somebody added to them is nobody's fault.
    """
    # Several changes of one column come as a list.
    flat = [
        each
        for some in _compared(connection)
        for each in (some if isinstance(some, list) else [some])
    ]
    ours = (each for each in flat if not each[0].startswith("remove_"))
    return tuple(dict.fromkeys(map(_in_words, ours)))


async def lacking_in(database: Database) -> Sequence[str]:
    """See `lacking`."""
    async with database.reader.connect() as connection:
        return await connection.run_sync(lacking)


def _in_words(difference: tuple[Any, ...]) -> str:
    """One of Alembic's differences, which are called after what would undo them."""
    match difference:
        case ("add_table", table):
            return f"table {table.name} is missing"
        case ("add_column", _, table, column):
            return f"column {table}.{column.name} is missing"
        case (_, thing):
            return f"{thing.name} is missing"
        case (_, _, table, column, *_):
            return f"column {table}.{column} is of another kind"
        case _:
            return repr(difference[0])


def standing(connection: Connection | None, url: str) -> tuple[str | None, str]:
    """The revision that a database is at, ``None`` for an empty one, and this program's newest.

    Args:
        connection: to the database; ``None``: there is none yet.
        url: what it is called in a complaint.

    Raises:
        DatabaseUnavailableError: it is nothing that this program could bring further.
    """
    config = _config(SCRIPTS)
    found = _revision(connection, make_url(url), config) if connection is not None else None
    return found, _newest(config)


@asynccontextmanager
async def opened_as_it_is(url: str) -> AsyncIterator[Database]:
    """Open a database whose tables are those of this program; nothing is changed or made.

    Raises:
        DatabaseUnavailableError: there is none, it is at another revision, or can't be read.
    """
    address = make_url(url)
    name = address.render_as_string(hide_password=True)
    if is_missing(url):
        raise DatabaseUnavailableError(f"There is no file {address.database} to read from.")
    database = open_database(url)
    try:
        async with database.reader.connect() as connection:
            await connection.run_sync(refuse_other_revision, url, f"The database {name}")
        yield database
    except (SQLAlchemyError, OSError) as error:
        fault = f"The database {name} can't be read: {first_line(error)}."
        raise DatabaseUnavailableError(fault) from error
    finally:
        await database.close()


def refuse_other_revision(connection: Connection, url: str, called: str) -> None:
    """Refuse a database that is not at this program's revision; nothing is changed in it.

    Args:
        connection: to the database.
        url: its own.
        called: what the sentence calls it.

    Raises:
        DatabaseUnavailableError: it is at another one, or holds nothing of ours.
    """
    found, newest = standing(connection, url)
    if found != newest:
        raise DatabaseUnavailableError(
            f"{called} is at revision {found or 'none'}, and this program at {newest}: bring it"
            " up to date with `python -m bot migrate`."
        )


def try_to_write(connection: Connection) -> None:
    """Write into an SQLite file and take it back: with a log, the lock alone says nothing.

    Raises:
        DatabaseError: the file may be read alone.
    """
    connection.execute(text("PRAGMA user_version = 0"))
    connection.rollback()


def _upgrade_file(address: URL, config: Config) -> str:
    file = Path(address.database or "")
    _make_folder(file.parent)
    with suppress(FileExistsError):  # it will hold the hands of games under way
        os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, OWNER_ALONE))
    if file.stat().st_size:  # it may be another program's, so nothing is changed before a look
        with _file_engine(address, begin="BEGIN").connect() as connection:
            _revision(connection, address, config)
    # With the log from the first day: changing to it later does not wait for anybody.
    engine = _file_engine(address, "journal_mode=WAL", begin="BEGIN IMMEDIATE")
    newest = _newest(config)
    with engine.connect() as connection:
        found = _revision(connection, address, config)
        try_to_write(connection)
    if found == newest:
        return newest
    if found is not None:
        _back_up(file, found)
    with engine.begin() as connection:
        _change(connection, config, found)
    return newest


def _file_engine(address: URL, *pragmas: str, begin: str) -> Engine:
    """Without foreign keys: rebuilding a table would delete what points to its rows."""
    engine = create_engine(
        address.set(drivername="sqlite"), poolclass=NullPool, hide_parameters=True
    )
    tell_each_connection(engine, pragmas, begin=begin)
    return engine


async def _upgrade_server(address: URL, config: Config) -> str:
    engine = create_async_engine(address, poolclass=NullPool, hide_parameters=True)
    async with _connected(engine) as connection, connection.begin():
        await _refuse_other_letters(connection, address)
        await take_turn(connection)
        found = await connection.run_sync(_revision, address, config)
        await connection.run_sync(_change, config, found)
    return _newest(config)


async def take_turn(connection: AsyncConnection) -> None:
    """Let no other program migrate a server's database until this transaction ends.

    Those that start together then wait for each other. SQLite has one writer in any case.
    """
    if connection.dialect.name == "postgresql":
        await connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _TURN})


@asynccontextmanager
async def _connected(engine: AsyncEngine) -> AsyncIterator[AsyncConnection]:
    """Connect.

    Raises:
        OSError: the URL has an option that the driver does not know; it calls that a TypeError.
    """
    try:
        connection = await engine.connect()
    except TypeError as error:
        raise OSError(str(error)) from error
    try:
        yield connection
    finally:
        await connection.close()


async def _refuse_other_letters(connection: AsyncConnection, address: URL) -> None:
    """Refuse a database in which the names of people could not be stored.

    Raises:
        DatabaseUnavailableError: it is one.
    """
    letters = await connection.scalar(text("SHOW server_encoding"))
    if letters != "UTF8":
        raise DatabaseUnavailableError(
            f"The database {address.render_as_string(hide_password=True)} holds text as"
            f" {letters}, which lacks most letters: make one with ENCODING 'UTF8' TEMPLATE"
            " template0."
        )


def _change(connection: Connection, config: Config, found: str | None) -> None:
    """Run all steps from *found* on; the caller's transaction makes them one.

    Raises:
        DatabaseUnavailableError: one of them failed.
    """
    try:
        _run_steps(connection, config)
    except Exception as error:
        raise DatabaseUnavailableError(
            f"The database could not be brought from revision {found or 'none'} to"
            f" {_newest(config)} and was left as it was: {first_line(error)}."
        ) from error
    if found not in {None, _newest(config)}:
        log.info("the database was brought from revision %s to %s", found, _newest(config))


def _run_steps(connection: Connection, config: Config) -> None:
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
    if connection.dialect.name == "sqlite":
        broken = connection.execute(text("PRAGMA foreign_key_check")).fetchall()
        if broken:
            raise CommandError(f"{len(broken)} rows would point to nothing")


def _revision(connection: Connection, address: URL, config: Config) -> str | None:
    """The revision that a database is at; ``None`` for an empty one.

    Raises:
        DatabaseUnavailableError: it is nothing that this program could bring further.
    """
    found = MigrationContext.configure(connection).get_current_revision()
    known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
    name = address.render_as_string(hide_password=True)
    if found is not None and found not in known:
        raise DatabaseUnavailableError(
            f"The database {name} is at revision {found}, which this version does not know: a"
            " newer one wrote it. Start that one, or restore a backup."
        )
    foreign = _foreign(connection) if found is None else []
    if foreign:
        raise DatabaseUnavailableError(
            f"The database {name} has tables ({', '.join(foreign)}) but no revision, so something"
            " else made them. Name an empty database, or restore a backup."
        )
    return found


def _foreign(connection: Connection) -> list[str]:
    """Tables by which a database without a revision is not an empty one.

    A server may have tables of its extensions in each database; a file has none but those that
    somebody made.
    """
    present = set(inspect(connection).get_table_names()) - {"alembic_version"}
    is_file = connection.dialect.name == "sqlite"
    return sorted(present if is_file else present & set(METADATA.tables))


def _back_up(file: Path, revision: str) -> None:
    """Keep a sound copy of an SQLite file as it stands, its log included.

    Raises:
        DatabaseUnavailableError: there is no room or no right for it.
    """
    try:
        copy_soundly(file, file.with_name(f"{file.name}.{revision}.bak"))
    except (sqlite3.Error, OSError) as error:
        raise DatabaseUnavailableError(
            f"The database {file} can't be copied, so it was not brought to a newer revision:"
            f" {first_line(error)}."
        ) from error


def _config(scripts: Path) -> Config:
    config = Config()
    config.set_main_option("script_location", str(scripts).replace("%", "%%"))
    return config


def _newest(config: Config) -> str:
    newest = ScriptDirectory.from_config(config).get_current_head()
    if newest is None:
        raise DatabaseUnavailableError("This version has no migrations: it is not whole.")
    return newest


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DatabaseUnavailableError(
            f"The folder {folder} of the database can't be made: {error.strerror}."
        ) from error


def first_line(error: BaseException) -> str:
    """What a database says is wrong, without the statement and without a full stop."""
    words = str(getattr(error, "orig", None) or error).strip() or type(error).__name__
    return words.splitlines()[0].rstrip(".")
