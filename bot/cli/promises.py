"""`bench promises`: whether the bot keeps what it promises, a row for each promise."""

import json
import os
import platform
import sqlite3
import sys
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from bot import OperatorError
from bot.cli.naming import listed
from bot.promises.catalogue import PROMISES
from bot.promises.measuring import Row, measured
from bot.promises.promise import Promise


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What one run found, and where."""

    machine: str
    form: str
    """``short`` or ``long``."""
    at: datetime
    rows: Sequence[Row]
    """In the order of their numbers."""


def run(only: Collection[int], file: Path | None, *, short: bool) -> int:
    """Print a table of the promises and whether they are kept; 1 if one is broken.

    Args:
        only: numbers of those to look at; empty: all.
        file: where to write the same as JSON.
        short: the form for every day.

    Raises:
        OperatorError: nothing measures a promise of that number, or *file* can't be written.
    """
    chosen = _chosen(only)
    machine, at = _machine(), datetime.now(UTC)
    rows = sorted(measured(chosen, short=short, tell=_tell), key=lambda row: row.promise.number)
    report = Report(machine=machine, form="short" if short else "long", at=at, rows=rows)
    for line in table(report):
        print(line)
    if file is not None:
        _write(file, report)
    return 0 if all(row.verdict.kept for row in rows) else 1


def _chosen(only: Collection[int]) -> Sequence[Promise]:
    known = {promise.number: promise for promise in PROMISES}
    for number in only:
        if number not in known:
            raise OperatorError(f"Nothing measures a promise {number}; there are {listed(known)}.")
    return [promise for number, promise in known.items() if not only or number in only]


def table(report: Report) -> Iterator[str]:
    """The report as lines of Markdown."""
    yield f"{report.form} form, {report.at:%Y-%m-%d %H:%M} UTC; {report.machine}"
    yield ""
    yield "| # | promise | found | |"
    yield "|---|---|---|---|"
    for row in report.rows:
        cells = (str(row.promise.number), row.promise.words, row.verdict.figure, _word(row))
        yield f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |"


def _word(row: Row) -> str:
    return "kept" if row.verdict.kept else "broken"


def _machine() -> str:
    """What figures depend on; nothing that names the machine."""
    load = f", load average {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    python, sqlite = platform.python_version(), sqlite3.sqlite_version
    return f"{os.cpu_count()} cores{load}, {platform.system()}, Python {python}, SQLite {sqlite}"


def _tell(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def _write(file: Path, report: Report) -> None:
    rows = [
        {
            "number": row.promise.number,
            "promise": row.promise.words,
            "figure": row.verdict.figure,
            "kept": row.verdict.kept,
            "seconds": round(row.seconds, 1),
        }
        for row in report.rows
    ]
    told = {"form": report.form, "at": report.at.isoformat(), "machine": report.machine}
    try:
        file.write_text(json.dumps({**told, "rows": rows}, indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        raise OperatorError(f"{file} can't be written: {error.strerror}.") from error
