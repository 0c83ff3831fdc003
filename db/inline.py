"""An SQLite file without a thread of its own: units and looks are carried out where they are asked.

For a bench that simulates weeks, in which the way to the driver's thread and back would take most
of the time. The stores are the same. Only one program may use the file, and a loss of power may
damage it.
"""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from sqlalchemy import Engine, create_engine, make_url
from sqlmodel import Session

from db.engine import Answer, Database, Unit, open_database, tell_each_connection

_WRITER_PRAGMAS = ("journal_mode=WAL", "synchronous=OFF", "foreign_keys=ON")
_READER_PRAGMAS = ("query_only=ON", "wal_autocheckpoint=0")


@dataclass(frozen=True, slots=True, kw_only=True)
class InlineDatabase(Database):
    """As `Database`, but everybody else waits while a unit runs, and there is no thread to hear."""

    writing: Session
    looking: Session

    async def write(self, unit: Unit[Answer]) -> Answer:
        """See `Database.write`; it cannot be cancelled half way."""
        await asyncio.sleep(0)
        with _forgetting(self.writing), self.writing.begin():
            return unit(self.writing)

    async def read(self, unit: Unit[Answer]) -> Answer:
        """See `Database.read`."""
        await asyncio.sleep(0)
        with _forgetting(self.looking):
            return unit(self.looking)

    async def close(self) -> None:
        """Close all connections; the writer goes last, as that of `Database` does."""
        for session in (self.looking, self.writing):
            session.close()
            session.get_bind().engine.dispose()


def open_inline(url: str) -> InlineDatabase:
    """Make ready to connect to an SQLite file whose tables are up to date.

    Args:
        url: an SQLAlchemy URL, of which the file counts.
    """
    file = make_url(url).set(drivername="sqlite")
    units = create_engine(file, hide_parameters=True)
    tell_each_connection(units, _WRITER_PRAGMAS, begin="BEGIN IMMEDIATE")
    looks = create_engine(
        file,
        hide_parameters=True,
        pool_reset_on_return=None,
        isolation_level="AUTOCOMMIT",
        skip_autocommit_rollback=True,
    )
    tell_each_connection(looks, _READER_PRAGMAS, begin=None)
    never_used = open_database(url)
    return InlineDatabase(
        writer=never_used.writer,
        reader=never_used.reader,
        one_at_a_time=never_used.one_at_a_time,
        writing=_session(units),
        looking=_session(looks),
    )


@contextmanager
def _forgetting(session: Session) -> Iterator[None]:
    """A session keeps its connection, but no row that it has read."""
    try:
        yield
    finally:
        session.expunge_all()


def _session(engine: Engine) -> Session:
    return Session(engine, expire_on_commit=False, autoflush=False)
