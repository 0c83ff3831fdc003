"""Connections to SQLite files that carry a whole unit out in one trip to the driver's thread.

The driver alone goes there four times for each statement. A move is some twenty statements and a
dozen looks, so on a busy machine, where each trip waits for two turns of the processor, people
would wait for little else. A unit is a plain function over a session: it can as well be run where
the statements are carried out.
"""

import sqlite3
from collections.abc import Callable
from contextvars import copy_context
from functools import partial
from typing import Any, TypeVar

import aiosqlite
from sqlalchemy import Engine

_Answer = TypeVar("_Answer")


class OneTripConnection(aiosqlite.Connection):
    """A connection of aiosqlite that can be used whole, in its own thread."""

    inside: Engine | None = None
    """What sessions in the thread go through, once there was one."""

    async def run(
        self,
        make_engine: Callable[[sqlite3.Connection], Engine],
        work: Callable[[Engine], _Answer],
    ) -> _Answer:
        """Have the thread do *work*, in the context of the caller.

        Args:
            make_engine: puts an engine over the driver's connection; called once.
            work: opens its sessions on that engine, and closes them.
        """
        answer: _Answer = await self._execute(  # type: ignore[no-untyped-call]  # not annotated
            copy_context().run, self._work, make_engine, work
        )
        return answer

    def _work(
        self,
        make_engine: Callable[[sqlite3.Connection], Engine],
        work: Callable[[Engine], _Answer],
    ) -> _Answer:
        if self.inside is None:
            self.inside = make_engine(self._conn)
        return work(self.inside)


def connect(file: str, **options: Any) -> OneTripConnection:  # noqa: ANN401  the driver's own
    """Connect as `aiosqlite.connect` does; to be awaited."""
    connection = OneTripConnection(partial(sqlite3.connect, file, **options), iter_chunk_size=64)
    # As SQLAlchemy does with the driver's own: a program may end with a connection open.
    connection._thread.daemon = True  # noqa: SLF001  there is no other way to say so
    return connection
