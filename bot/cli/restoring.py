"""The command that looks whether a backup can be restored."""

import asyncio
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

from bot import OperatorError, ages, logs, restoring, settings
from bot.cli import Arguments, at_least_one
from db.backups import backups_in, file_of, folder_for, made_at

_ROWS = ("tables", "events", "results", "persons", "guilds")


def restore_check(argv: Sequence[str]) -> int:
    """Restore the newest backup in a temporary place, and play its games through.

    The backup is left as it is. Leaves with 1 if it could not be restored.
    """
    parser = Arguments(prog="restore-check", description=restore_check.__doc__)
    parser.add_argument(
        "file", nargs="?", type=Path, metavar="FILE", help="a backup; left out: the newest one"
    )
    parser.add_argument(
        "--games", type=at_least_one, metavar="N", help="so many, by chance; default all"
    )
    options = parser.parse_args(argv)
    logs.configure("WARNING")  # a table of results is asked for, not a diary
    chosen = settings.load(token_wanted=False)
    file: Path = options.file or _newest(chosen)
    if file.is_dir():
        raise OperatorError(f"{file} is a folder: name a backup in it, or none for the newest one.")
    if not file.is_file():
        raise OperatorError(f"There is no file {file}.")
    _tell("Backup", f"{file}, {file.stat().st_size / 1e6:,.1f} MB")
    _tell("Made", _age(file, datetime.now(UTC)))
    try:
        trial = asyncio.run(restoring.try_out(file, most=options.games))
    except restoring.NotRestorableError as error:
        _tell("Broken", str(error))
        return 1
    for name, value in _lines(trial):
        _tell(name, value)
    return 1 if trial.faults else 0


def _newest(chosen: settings.Settings) -> Path:
    database = file_of(chosen.database_url)
    if database is None:
        raise OperatorError(
            "DATABASE_URL names a server, whose backups are made by pg_dump: docs/operations.md "
            "says how to try one out."
        )
    folder = folder_for(database, chosen.backup_dir)
    try:
        backups = backups_in(folder, database)
    except OSError as error:
        raise OperatorError(f"{folder} can't be read: {error.strerror}.") from error
    if not backups:
        raise OperatorError(f"There is no backup of {database} in {folder}.")
    return backups[0].file


def _age(file: Path, now: datetime) -> str:
    at = made_at(file) or datetime.fromtimestamp(file.stat().st_mtime, UTC)
    return f"{at:%Y-%m-%d %H:%M} UTC, {ages.in_words(now - at)} ago"


def _lines(trial: restoring.Trial) -> Iterator[tuple[str, str]]:
    is_older = trial.revision != trial.brought_to
    brought = f", brought to {trial.brought_to} for this trial" if is_older else ""
    yield "Revision", f"{trial.revision}{brought}"
    yield "Rows", ", ".join(f"{trial.rows[name]:,} {name}" for name in _ROWS)
    yield "Replayed", f"{trial.replayed:,} of {len(trial.versions):,} tables"
    yield "Took", f"{trial.seconds:.1f} s"
    if trial.faults:
        yield "Broken", restoring.named(trial.faults)
    else:
        yield "Sound", "it can be restored; docs/operations.md says how"


def _tell(name: str, value: str) -> None:
    print(f"{name:<9} {value}", flush=True)
