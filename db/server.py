"""A PostgreSQL server: how its connections are set up, and which of its faults pass by themselves.

What holds for every unit is said to each connection, since a server may have been told otherwise:
a commit is on disk when it returns, a statement sees what had been committed when it began, and
nobody holds a row for long that others wait for, also a process that was stopped half way.
"""

from typing import Any

from sqlalchemy import Engine, event
from sqlalchemy.engine import ExceptionContext
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

WRITERS = 3
"""Connections of a process that write. More do not make it faster (docs/operations.md)."""
READERS = 3
"""Connections of a process that look things up."""

POOL: dict[str, Any] = {
    "max_overflow": 0,
    "pool_timeout": 10,
    # A server that was started anew is found out here, not by somebody's move.
    "pool_pre_ping": True,
    # To connect, and for an answer: where the server is gone without a word, both would wait.
    "connect_args": {"timeout": 10, "command_timeout": 40},
}
"""Of each pool; seconds."""

_EACH_CONNECTION = """
SET default_transaction_isolation TO 'read committed';
SET lock_timeout TO '5s';
SET statement_timeout TO '30s';
SET idle_in_transaction_session_timeout TO '10s';
SET jit TO off;
SELECT set_config('synchronous_commit', 'on', false)
    WHERE current_setting('synchronous_commit') = 'off'
"""

TRIES = 3
"""How often a unit is carried out that made way for a rival; nothing of it was stored before."""
_MADE_WAY = ("40001", "40P01")
_CLASSES = ("08", "53", "57")
"""Kinds of PostgreSQL's errors: the connection, what a server has too little of, an operator."""
_STATES = (*_MADE_WAY, "25006", "25P03", "55P03")
"""Rivals, a server that is only read from, a unit that idled, rows that others hold."""
_DETAIL = "\nDETAIL:"


def tell_each_connection(engine: Engine) -> None:
    """Say to each new connection what the units rely on."""

    def on_connect(connection: Any, _record: object) -> None:  # noqa: ANN401  the driver's own
        connection.run_async(lambda driver: driver.execute(_EACH_CONNECTION))

    event.listen(engine, "connect", on_connect)
    event.listen(engine, "handle_error", _say_less)


def _say_less(context: ExceptionContext) -> None:
    """Take the details out of an error: they may quote the row, and with it hidden cards."""
    error: BaseException | None = context.sqlalchemy_exception
    while error is not None:
        error.args = tuple(
            said.partition(_DETAIL)[0] if isinstance(said, str) else said for said in error.args
        )
        if isinstance(getattr(error, "detail", None), str):
            error.detail = None  # type: ignore[attr-defined]  # the driver's errors have it
        error = getattr(error, "orig", None) or error.__cause__


def made_way(error: BaseException | None) -> bool:
    """Whether a unit was undone for a rival, each of them waiting for the other."""
    return isinstance(error, DBAPIError) and getattr(error.orig, "sqlstate", None) in _MADE_WAY


def is_passing(error: BaseException) -> bool:
    """Whether a fault is that the server is away, is too busy, or made way for somebody else.

    Before a commit nothing was stored then.
    """
    if not isinstance(error, DBAPIError):
        return isinstance(error, OSError | PoolTimeoutError)
    state = getattr(error.orig, "sqlstate", None) or ""
    return error.connection_invalidated or state[:2] in _CLASSES or state in _STATES
