"""What is right and wrong with an installation, each with what to do about it.

Nothing is changed, and the token is in no finding.
"""

import os
import platform
import stat
import sys
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from datetime import timedelta
from enum import Enum
from pathlib import Path

from bot import OperatorError, ages
from bot.settings import (
    STRANGE_FORM,
    TOKEN_REFUSED,
    Settings,
    looks_like_token,
    readable_env_warning,
)
from bot.table.ports import Clock
from cogs import examination as discord_side
from cogs.client import DiscordUnreachableError, TokenRefusedError
from db import examination as database_side
from db.backups import backups_in, file_of, folder_for
from db.engine import DatabaseUnavailableError, old_sqlite_warning

_SKEW = timedelta(seconds=2)
_SCARCE, _FULL = 500_000_000, 50_000_000
"""Bytes of free disk below which there is a warning, and a fault."""
_MOST_NAMED = 10
"""Servers that are named where many lack a right, and faults in the tables of a database."""
_FEW_STARTS = 50


class Verdict(Enum):
    """How a finding is meant."""

    OK = "ok"
    WARNING = "warning"
    """The bot plays, but something may go wrong or is worse than it could be."""
    FAULT = "fault"
    """Something does not work."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the doctor."""

    verdict: Verdict
    about: str
    words: str
    """What is so, and what to do where it is not right."""


async def findings(settings: Settings, clock: Clock) -> AsyncIterator[Finding]:
    """Look at everything; what can't be looked at is a finding, and the rest goes on."""
    yield Finding(Verdict.OK, "Python", f"{platform.python_version()} on {sys.platform}")
    yield _env_file()
    async for found in _in_discord(settings, clock):
        yield found
    async for found in _in_database(settings, clock):
        yield found
    for found in _on_disk(settings, clock):
        yield found


def _env_file() -> Finding:
    if warning := readable_env_warning():
        return Finding(Verdict.WARNING, ".env", warning)
    env = Path(".env")
    if not env.is_file():
        return Finding(Verdict.OK, ".env", "there is none here: settings are the environment's")
    mode = stat.S_IMODE(env.stat().st_mode)
    return Finding(Verdict.OK, ".env", f"mode {mode:o}" if os.name == "posix" else "it is there")


async def _in_discord(settings: Settings, clock: Clock) -> AsyncIterator[Finding]:
    written = settings.discord_token
    if written is not None and not looks_like_token(written.get_secret_value()):
        yield Finding(Verdict.WARNING, "Token", STRANGE_FORM)
    try:
        found = await discord_side.examine(settings.token, clock)
    except OperatorError as error:
        yield Finding(Verdict.FAULT, "Token", str(error))
    except TokenRefusedError:
        yield Finding(Verdict.FAULT, "Token", TOKEN_REFUSED)
    except DiscordUnreachableError as error:
        words = (
            f"Discord can't be reached ({error}), so token, rights and clock were not looked at: "
            "see whether this machine has a network, and discordstatus.com"
        )
        yield Finding(Verdict.FAULT, "Discord", words)
    else:
        yield Finding(Verdict.OK, "Token", f"accepted: it is the bot of {found.application}")
        for finding in (*_application(found), *_rights(found), _clock("Discord", found.ahead)):
            yield finding


def _application(found: discord_side.Examination) -> Iterator[Finding]:
    yield Finding(Verdict.OK, "Intents", "none that Discord would have to grant is asked for")
    portal = "in the Developer Portal, your application →"
    if found.takes_clicks_elsewhere:
        words = f"clicks go to an address instead of the bot: {portal} General Information, empty "
        yield Finding(Verdict.FAULT, "Portal", words + "Interactions Endpoint URL")
    if not found.is_public:
        words = f"only its owner may invite the bot; if others shall: {portal} Bot → Public Bot"
        yield Finding(Verdict.WARNING, "Portal", words)
    if found.starts_left < _FEW_STARTS:
        words = f"the bot may log in {found.starts_left} times more today: find out why it restarts"
        yield Finding(Verdict.WARNING, "Starts", words)
    if found.shards > 1:
        words = f"Discord advises {found.shards} shards: see README.md, several processes"
        yield Finding(Verdict.WARNING, "Shards", words)


def _rights(found: discord_side.Examination) -> Iterator[Finding]:
    about, remedy = "Rights", "open the invitation of README.md again, or Server Settings → Roles"
    unable = [each for each in found.lacking if each.needed]
    for lacking in unable[:_MOST_NAMED]:
        words = f"{lacking.server}: no {', '.join(lacking.needed)}; {remedy}"
        yield Finding(Verdict.FAULT, about, words)
    if len(unable) > _MOST_NAMED:
        words = f"{len(unable) - _MOST_NAMED} more servers lack rights; {remedy}"
        yield Finding(Verdict.FAULT, about, words)
    worse = [each for each in found.lacking if each.wished and not each.needed]
    for lacking in worse[:_MOST_NAMED]:
        words = f"{lacking.server}: no {', '.join(lacking.wished)}; {remedy}"
        yield Finding(Verdict.WARNING, about, words)
    if not unable:
        words = f"{found.servers} servers let the bot play; `/hearts status` looks at one channel"
        yield Finding(Verdict.OK, about, words)


def _clock(whose: str, ahead: timedelta | None) -> Finding:
    if ahead is None:
        return Finding(Verdict.WARNING, "Clock", f"{whose} did not say what time it is")
    if abs(ahead) <= _SKEW:
        return Finding(Verdict.OK, "Clock", f"as that of {whose}")
    way = "ahead of" if ahead > timedelta() else "behind"
    words = (
        f"{abs(ahead).total_seconds():.0f} s {way} that of {whose}: deadlines shown to people are "
        "wrong by as much; have the machine set its clock by the network (NTP)"
    )
    return Finding(Verdict.WARNING, "Clock", words)


async def _in_database(settings: Settings, clock: Clock) -> AsyncIterator[Finding]:
    try:
        found = await database_side.examine(settings.database_url, clock)
    except DatabaseUnavailableError as error:
        yield Finding(Verdict.FAULT, "Database", str(error).rstrip("."))
        return
    yield _revision(found)
    if found.is_readable_by_all:
        words = f"everybody on this machine can read the hands in {found.file}: chmod 600 it"
        yield Finding(Verdict.WARNING, "Database", words)
    if found.file is None:
        yield Finding(Verdict.OK, "Database", found.server)
        yield _clock("the database", found.ahead)
        if not found.keeps_commits:
            words = "fsync is off, so a loss of power loses moves or all of it: switch it on"
            yield Finding(Verdict.FAULT, "Database", words)
        return
    if not found.keeps_log:
        words = "the file has no write-ahead log yet; the next start of the bot gives it one"
        yield Finding(Verdict.WARNING, "Database", words)
    if warning := old_sqlite_warning(settings.database_url):
        yield Finding(Verdict.WARNING, "SQLite", warning.rstrip("."))


def _revision(found: database_side.DatabaseState) -> Finding:
    if found.revision is None:
        words = f"empty: the bot makes its tables (revision {found.newest}) when it starts"
        return Finding(Verdict.OK, "Database", words)
    size = f", {found.size / 1e6:,.1f} MB" if found.file else ""
    if found.lacks:
        words = (
            f"revision {found.revision}, but {', '.join(found.lacks[:_MOST_NAMED])}: restore a "
            "backup, as docs/operations.md tells"
        )
        return Finding(Verdict.FAULT, "Database", words)
    if found.revision == found.newest:
        words = f"revision {found.revision}, the newest; it can be written{size}"
        return Finding(Verdict.OK, "Database", words)
    words = (
        f"revision {found.revision}{size}: the next start copies it and brings it to {found.newest}"
    )
    return Finding(Verdict.WARNING, "Database", words)


def _on_disk(settings: Settings, clock: Clock) -> Iterator[Finding]:
    file = file_of(settings.database_url)
    if file is None:
        yield Finding(Verdict.OK, "Backups", "pg_dump makes them (docs/operations.md)")
        return
    folder = folder_for(file, settings.backup_dir)
    yield _disk("Disk", file.parent)
    if not settings.backup_hours:
        yield Finding(Verdict.WARNING, "Backups", "BACKUP_HOURS is 0: the bot makes none")
        return
    yield _disk("Disk", folder)
    yield _backups(file, folder, settings, clock)


def _disk(about: str, place: Path) -> Finding:
    try:
        free = database_side.free_space(place)
    except OSError as error:
        return Finding(Verdict.WARNING, about, f"{place} can't be asked: {error.strerror}")
    words = f"{free / 1e9:,.1f} GB free for {place}"
    if free >= _SCARCE:
        return Finding(Verdict.OK, about, words)
    verdict = Verdict.FAULT if free < _FULL else Verdict.WARNING
    return Finding(verdict, about, f"{words}: make room, since a full disk stops every game")


def _backups(file: Path, folder: Path, settings: Settings, clock: Clock) -> Finding:
    if not database_side.may_write(folder):
        words = f"{folder} can't be written: give the bot's user the right to, or set BACKUP_DIR"
        return Finding(Verdict.FAULT, "Backups", words)
    backups = backups_in(folder, file)
    if not backups:
        words = f"none in {folder} yet: the bot makes one when it starts"
        return Finding(Verdict.WARNING, "Backups", words)
    age = clock.now() - backups[0].at
    if age < -_SKEW:
        words = f"the newest in {folder} is of a time to come: this machine's clock is or was wrong"
        return Finding(Verdict.WARNING, "Backups", words)
    words = f"{len(backups)} in {folder}, the newest {ages.in_words(age)} old"
    if age <= 2 * timedelta(hours=settings.backup_hours):
        return Finding(Verdict.OK, "Backups", words)
    return Finding(Verdict.WARNING, "Backups", f"{words}: unless the bot was off, its log says why")
