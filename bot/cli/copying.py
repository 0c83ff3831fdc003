"""The command that moves an installation to another database."""

import asyncio
import os
import sys
import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from bot import logs, restoring, settings
from bot.cli import Arguments

_EVERY_SECONDS = 0.5


def copy_db(argv: Sequence[str]) -> int:
    """Copy all that one database holds into another one, and look whether it arrived.

    All or nothing: where something is in the way, no row is left in TO. Stop the bot first.
    Leaves with 1 if all was copied, but a table's game can be replayed in neither database.
    """
    parser = Arguments(prog="copy-db", description=copy_db.__doc__)
    parser.add_argument(
        "origin", metavar="FROM", help="a URL as in DATABASE_URL; it stays as it is"
    )
    parser.add_argument("goal", metavar="TO", help="another one, of an empty database")
    parser.add_argument(
        "--running", action="store_true", help="also while a bot may be at work on FROM"
    )
    parser.epilog = (
        "Instead of a URL you may write the name of an environment variable that holds it: what "
        "stands in a command line, others on this machine can read."
    )
    options = parser.parse_args(argv)
    logs.configure("WARNING")  # one line that says what happened, not a diary
    origin = settings.usable_url(_url(options.origin), name="FROM")
    goal = settings.usable_url(_url(options.goal), name="TO")
    from db.copying import copy  # noqa: PLC0415  explaining the command needs no database

    told = _Told()
    now = datetime.now(UTC)
    copied = asyncio.run(copy(origin, goal, now=now, may_run=options.running, progress=told))
    print(words_for(copied.rows, copied.replayed, copied.broken))
    return 1 if copied.broken else 0


def words_for(rows: Mapping[str, int], replayed: int, broken: Sequence[str]) -> str:
    """What arrived, and which tables are damaged on both sides; see `db.copying.Copied`."""
    arrived = ", ".join(f"{number:,} {name}" for name, number in rows.items() if number)
    same = f"{arrived or 'no rows'}; {replayed:,} tables replay the same"
    if not broken:
        return f"Copied and compared: {same}."
    return (
        f"Copied and compared: {same}, and {len(broken):,} can be replayed in neither database:"
        f" {restoring.named(broken, ', ')}."
    )


def _url(said: str) -> str:
    return said if "://" in said else os.environ.get(said, said)


class _Told:
    """Says on standard error how far the copy is, now and then."""

    def __init__(self) -> None:
        self._said_at = 0.0

    def __call__(self, what: str, done: int, total: int) -> None:
        now = time.monotonic()
        if done == total or now - self._said_at > _EVERY_SECONDS:
            self._said_at = now
            print(f"{what}: {done:,} of {total:,}", file=sys.stderr, flush=True)
