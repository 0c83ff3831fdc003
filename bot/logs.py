"""What a log line looks like, and what never stands in one.

Nothing here can see a card. Hands stay out because the rooms don't log them (a test listens to
whole games), because values that hold hands hide them in their `repr`, and because the loggers
of libraries, which would print whole requests and statements, are never opened below INFO.
"""

import contextvars
import json
import logging
import re
import time
from collections.abc import Iterable
from copy import copy
from datetime import UTC, datetime
from typing import TextIO

TABLE_VARIABLE = "hearts.table"
"""Name of the `ContextVar` whose value, a table's id, heads the lines logged while it is set.

The lower rooms may not import this file, so the name is the whole agreement: a room that works
for one table sets a variable of this name.
"""

_OURS = ("bot", "cogs", "db")
_CHATTY = ("alembic.runtime.plugins", "alembic.runtime.migration")
"""They tell at INFO what is the same at every start, and would stand before the one line that
says what the operator has to change."""
_FORMAT = "%(asctime)s %(levelname)-7s %(name)s [%(table)s] %(message)s"
_HIDDEN = "[hidden]"
_IN_FULL_EVERY = 60.0
"""Seconds."""
_NO_TABLE = "-"
_SECRETS = (
    # A bot's token, wherever it stands: id, time and signature in base 64.
    re.compile(r"[\w-]{18,}\.[\w-]{6,7}\.[\w-]{27,}"),
    re.compile(r"(?<=\bBot )\S+"),
    # Webhooks and interactions answer to anybody who knows the last part of their address.
    re.compile(r"(?<=/webhooks/)(\d+)/[\w-]+"),
    re.compile(r"(?<=/interactions/)(\d+)/[\w-]+"),
    re.compile(r"(?<=://)[^\s/@]+(?=@)"),
    # SQLAlchemy quotes a failed statement's values, events with their cards among them.
    re.compile(r"(?<=\[parameters: ).*?(?=\](?:\n|\\n)\(Background|\Z)", re.DOTALL),
)


def configure(level: str, *, form: str = "text", secrets: Iterable[str] = ()) -> None:
    """Send log lines to standard error, from now on and for the whole process.

    Args:
        form: ``text``, or ``json`` for one object a line.
        level: of the project's own loggers, by name. Those of others get at least INFO: below
            it they print whole requests, and with them tokens and hands.
        secrets: texts to hide wherever they turn up, beside what looks like a secret.
    """
    handler = Shortening()
    handler.setFormatter(AsJson(secrets) if form == "json" else Redacting(secrets))
    handler.addFilter(_add_table)
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(max(logging.INFO, logging.getLevelNamesMapping()[level]))
    for name in _OURS:
        logging.getLogger(name).setLevel(level)
    for name in _CHATTY:
        logging.getLogger(name).setLevel(logging.WARNING)


class Shortening(logging.StreamHandler[TextIO]):
    """Leaves out a traceback that was told a moment ago; the line itself stands every time.

    A database that is away for a night fails every few seconds, and what matters would drown.
    """

    def __init__(self) -> None:
        super().__init__()
        self._told: dict[tuple[str, ...], float] = {}
        """When each fault was last told in full, in seconds since 1970; only those of late."""

    def emit(self, record: logging.LogRecord) -> None:
        """See `logging.Handler.emit`; other handlers get the record as it was."""
        error = record.exc_info[1] if record.exc_info else None
        super().emit(record if error is None else self._shortened(record, error))

    def _shortened(self, record: logging.LogRecord, error: BaseException) -> logging.LogRecord:
        since = record.created - _IN_FULL_EVERY
        self._told = {fault: at for fault, at in self._told.items() if at > since}
        fault = (record.name, str(record.msg), type(error).__name__, str(error))
        if fault not in self._told:
            self._told[fault] = record.created
            return record
        brief = copy(record)
        brief.msg = f"{record.getMessage()} (again: {type(error).__name__})"
        brief.args, brief.exc_info, brief.exc_text = (), None, None
        return brief


class Redacting(logging.Formatter):
    """One line a message in UTC, its traceback after it, every secret hidden in both."""

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        super().__init__(_FORMAT, datefmt="%Y-%m-%dT%H:%M:%SZ")
        self.converter = time.gmtime
        self._secrets = tuple(secret for secret in secrets if secret)

    def format(self, record: logging.LogRecord) -> str:
        return self.hidden(super().format(record))

    def hidden(self, text: str) -> str:
        """*text* without its secrets."""
        for secret in self._secrets:
            text = text.replace(secret, _HIDDEN)
        for pattern in _SECRETS:
            text = pattern.sub(_hide, text)
        return text

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802  logging's name
        # What people type ends up in messages; it must not be able to forge a line.
        record.message = record.message.replace("\r", "\\r").replace("\n", "\\n")
        return super().formatMessage(record)


class AsJson(Redacting):
    """One JSON object a line: ``time``, ``level``, ``logger``, ``table``, ``message``, ``trace``.

    ``table`` and ``trace`` are null where there is none.
    """

    def format(self, record: logging.LogRecord) -> str:
        table = getattr(record, "table", _NO_TABLE)
        trace = self.formatException(record.exc_info) if record.exc_info else None
        # Secrets are hidden before quotes and line ends are escaped, which would break them up.
        fields = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "table": None if table == _NO_TABLE else table,
            "message": self.hidden(record.getMessage()),
            "trace": self.hidden(trace) if trace else None,
        }
        return json.dumps(fields, ensure_ascii=False)


def _hide(found: re.Match[str]) -> str:
    kept = found.group(1) if found.re.groups and found.group(1) else ""
    return f"{kept}/{_HIDDEN}" if kept.isdigit() else _HIDDEN


def _add_table(record: logging.LogRecord) -> bool:
    record.table = _table_of_this_task()
    return True


def _table_of_this_task() -> str:
    for variable, value in contextvars.copy_context().items():
        if variable.name == TABLE_VARIABLE:
            return str(value)
    return _NO_TABLE
