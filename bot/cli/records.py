"""The commands about text records of games: replay, export. The format: bot/rules/record.py."""

import asyncio
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from bot import OperatorError, logs, settings
from bot.cli import Arguments
from bot.rules import playback, record
from bot.rules.errors import RecordError
from bot.rules.events import Event, GameEnded
from bot.table import history
from bot.table.errors import UnknownTableError
from bot.table.events import GameStarted
from bot.table.ids import TableId
from bot.table.storing import StoredEvent

_STANDARD_INPUT = "-"


def replay(argv: Sequence[str]) -> int:
    """Play a record through the rules and print what happens, one JSON object a line.

    Leaves with 0 if all is legal, 1 if a move is not, 2 if the file holds something that is no
    record. Of many records, one a line, each is played whatever became of those before; the
    largest of their codes is the command's.
    """
    parser = Arguments(prog="replay", description=replay.__doc__)
    parser.add_argument(
        "file", metavar="FILE", help="a record, or one on each line; - is standard input"
    )
    name: str = parser.parse_args(argv).file
    texts = _split(_read(name))
    called = "Standard input" if name == _STANDARD_INPUT else name
    if len(texts) == 1:
        try:
            return _play(_parsed(texts[0]))
        except RecordError as error:
            raise OperatorError(f"{called} is not a record: {error}.") from error
    return max(_play_one_of_many(number, text) for number, text in enumerate(texts))


def export(argv: Sequence[str]) -> int:
    """Write the record of a finished game as one line of JSON to standard output."""
    parser = Arguments(prog="export", description=export.__doc__)
    parser.add_argument("table", metavar="TABLE", help="the table's code, as ABCD2345")
    table_id = TableId(parser.parse_args(argv).table.upper())
    chosen = settings.load(token_wanted=False)
    logs.configure("WARNING")  # a record is asked for, not a diary
    from bot import app  # noqa: PLC0415  replaying needs neither a database nor Discord

    try:
        plain = _recorded(table_id, asyncio.run(app.load_events(chosen, table_id)))
    except UnknownTableError as error:
        raise OperatorError(f"There is no table {table_id} in the database.") from error
    except history.DAMAGE:
        # Without what led to it: that would name cards.
        raise app.DamagedTableError(table_id) from None
    print(json.dumps(plain))
    return 0


def _recorded(table_id: TableId, stored: Sequence[StoredEvent]) -> Mapping[str, object]:
    """Only of games that are over: a record shows every hand."""
    started = next((each for each in stored if isinstance(each.event, GameStarted)), None)
    ended = next((each for each in stored if isinstance(each.event, GameEnded)), None)
    if started is None or ended is None or not isinstance(started.event, GameStarted):
        raise OperatorError(f"{table_id} has no game that is over; only those can be exported.")
    events = [each.event for each in stored if isinstance(each.event, Event)]
    plain = record.from_events(started.event.ruleset, len(started.event.chairs), events)
    times = {"started": started.cause.at.isoformat(), "ended": ended.cause.at.isoformat()}
    return plain | {"meta": {"table": table_id} | times}


def _read(name: str) -> str:
    try:
        raw = sys.stdin.buffer.read() if name == _STANDARD_INPUT else Path(name).read_bytes()
        return raw.decode("utf-8-sig")
    except OSError as error:
        raise OperatorError(f"{name} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise OperatorError(f"{name} is not UTF-8 text (byte {error.start}).") from error


def _split(text: str) -> list[str]:
    """One text a record. Only where a line is a record by itself does each line stand alone."""
    lines = [line for line in text.split("\n") if line.strip()]
    if len(lines) > 1 and any(map(_is_record_line, lines)):
        return lines
    return [text]


def _is_record_line(line: str) -> bool:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return False
    return isinstance(found, dict) and "hearts" in found


def _play_one_of_many(number: int, text: str) -> int:
    _say({"record": number})
    try:
        return _play(_parsed(text))
    except RecordError as error:
        _say({"error": str(error)})
        return 2


def _parsed(text: str) -> record.Record:
    try:
        return record.from_dict(json.loads(text))
    except json.JSONDecodeError as error:
        place = f"line {error.lineno} column {error.colno}"
        raise RecordError(place, f"not JSON ({error.msg})") from error
    except RecursionError as error:
        raise RecordError("record", "nested too deeply") from error
    except ValueError as error:
        raise RecordError("record", "a number in it has thousands of digits") from error


def _play(recorded: record.Record) -> int:
    code = 0
    for line in playback.lines(recorded):
        _say(line)
        code = 1 if "error" in line else code
    return code


def _say(line: Mapping[str, object]) -> None:
    print(json.dumps(line))
