"""A disk that takes its time, for benches: each commit of the writer waits as for a slow fsync."""

import sqlite3
import time
from typing import Any

from sqlalchemy import event

from db.engine import Database


def slow_down(database: Database, seconds: float) -> None:
    """Let every commit of an SQLite file take so much longer, in the thread of its driver.

    It has to be called before the database is used. The driver's connection waits right before it
    commits, where a slow disk would keep it waiting: everybody else goes on, and the next unit
    begins as much later.
    """
    if not seconds:
        return
    waiting = waiting_connection(seconds)

    def use(_dialect: object, _record: object, _given: object, options: dict[str, Any]) -> None:
        options["factory"] = waiting

    event.listen(database.writer.sync_engine, "do_connect", use)


def waiting_connection(seconds: float) -> type[sqlite3.Connection]:
    """A kind of connection whose commits take so much longer."""

    class Waiting(sqlite3.Connection):
        def commit(self) -> None:
            if self.in_transaction:
                time.sleep(seconds)
            super().commit()

    return Waiting
