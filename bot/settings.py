"""What the operator decides, read once from the environment and ``.env``."""

import os
import re
import stat
from pathlib import Path
from typing import Annotated, ClassVar, Literal
from urllib.parse import urlsplit

from pydantic import (
    BeforeValidator,
    Field,
    SecretStr,
    ValidationError,
    ValidationInfo,
    field_validator,
)
from pydantic_core import ErrorDetails
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from bot import OperatorError

__all__ = [
    "STRANGE_FORM",
    "TOKEN_REFUSED",
    "OperatorError",
    "Settings",
    "load",
    "looks_like_token",
    "readable_env_warning",
]

_ENV_FILE = Path(".env")
_PORTAL = (
    "take one from the Discord Developer Portal (discord.com/developers/applications) "
    "under your application → Bot → Reset Token"
)
_TOKEN_MISSING = (
    f"DISCORD_TOKEN is not set: {_PORTAL}, and put it into the environment or .env; "
    "`make demo` needs none"
)
TOKEN_REFUSED = f"Discord does not accept DISCORD_TOKEN: {_PORTAL}."
"""What to say when the login fails; the token itself is never part of it."""
STRANGE_FORM = "DISCORD_TOKEN does not look like a token, three parts with dots between them"
"""What to say beside it of some tokens: what one looks like is nowhere promised."""
_TOKEN = re.compile(r"[\w-]{18,}\.[\w-]{6,7}\.[\w-]{27,}")

_DRIVERS = {
    "sqlite": "sqlite+aiosqlite",
    "sqlite+aiosqlite": "sqlite+aiosqlite",
    "postgres": "postgresql+asyncpg",
    "postgresql": "postgresql+asyncpg",
    "postgresql+asyncpg": "postgresql+asyncpg",
}
"""Schemes that hosts and people write, and the asynchronous driver that is meant."""

_SSL_MODE = re.compile(r"(?<=[?&])sslmode=")
_RANGES = re.compile(r"\s*\d{1,4}\s*(-\s*\d{1,4}\s*)?(,\s*\d{1,4}\s*(-\s*\d{1,4}\s*)?)*")
_QUOTES = "\"'`“”‘’"


def _bare(value: object) -> object:
    """Take off the spaces and quotes that copying and env files leave around a value."""
    if isinstance(value, SecretStr):
        value = value.get_secret_value()
    return value.strip(_QUOTES + " \t\r\n") if isinstance(value, str) else value


def _bare_or_none(value: object) -> object:
    bare = _bare(value)
    return None if bare == "" else bare


def _small(value: object) -> object:
    bare = _bare(value)
    return bare.lower() if isinstance(bare, str) else bare


def _level_name(value: object) -> object:
    bare = _bare(value)
    return bare.upper() if isinstance(bare, str) else bare


def _shards(value: object) -> object:
    """Read ``0,1`` and ``0-3``, and both together."""
    bare = _bare_or_none(value)
    if not isinstance(bare, str):
        return bare
    if not _RANGES.fullmatch(bare):
        raise ValueError(_WANTED["shard_ids"])
    ends = [part.partition("-") for part in bare.split(",")]
    found = {n for first, _, last in ends for n in range(int(first), int(last or first) + 1)}
    if not all(int(last or first) >= int(first) for first, _, last in ends):
        raise ValueError(_WANTED["shard_ids"])
    return tuple(sorted(found))


_WebAddress = Annotated[
    Annotated[str, Field(max_length=300, pattern=r"^https://[^\s()<>]+$")] | None,
    BeforeValidator(_bare_or_none),
]


def looks_like_token(text: str) -> bool:
    """Whether a text has the form that the tokens of bots have."""
    return _TOKEN.fullmatch(text) is not None


class Settings(BaseSettings):
    """All settings. Frozen; each field's environment variable is its name in capitals."""

    model_config: ClassVar[SettingsConfigDict] = SettingsConfigDict(
        env_file=_ENV_FILE,
        env_file_encoding="utf-8",
        env_ignore_empty=True,
        extra="ignore",
        frozen=True,
        hide_input_in_errors=True,
        validate_default=True,
    )

    dyno: str | None = None
    """Set by hosts that throw the disk away at each restart. Before `database_url`, whose
    check looks at it."""

    discord_token: Annotated[SecretStr | None, BeforeValidator(_bare_or_none)] = None

    database_url: Annotated[str, BeforeValidator(_bare), Field(repr=False)] = (
        "sqlite+aiosqlite:///hearts.db"
    )
    """SQLAlchemy URL with an asynchronous driver. Kept out of `repr`: it may hold a password."""

    shard_count: Annotated[int, Field(ge=1, le=1_024), BeforeValidator(_bare)] = 1
    """Into how many shards all processes together divide the servers; the same for all of them."""

    shard_ids: Annotated[tuple[int, ...] | None, NoDecode, BeforeValidator(_shards)] = None
    """Those that this process serves; ``None``: all."""

    log_level: Annotated[
        Literal["DEBUG", "INFO", "WARNING", "ERROR"], BeforeValidator(_level_name)
    ] = "INFO"
    """Of this project's own loggers; see `bot.logs` for those of others."""

    dev_guild_id: Annotated[Annotated[int, Field(gt=0)] | None, BeforeValidator(_bare_or_none)] = (
        None
    )
    """The server that gets the slash commands at once while they are being worked on."""

    log_format: Annotated[Literal["text", "json"], BeforeValidator(_small)] = "text"
    """How a log line is written: for people to read, or one JSON object for a program."""

    robot_processes: Annotated[
        Annotated[int, Field(ge=0)] | None, BeforeValidator(_bare_or_none)
    ] = None
    """How many processes may think for robots that search, never more than there are cores;
    ``None``: four at most. At 0 such robots play by rules of thumb."""

    backup_hours: Annotated[float, Field(ge=0, le=720), BeforeValidator(_bare)] = 6
    """From one copy of an SQLite file to the next; 0: none are made."""

    backup_keep: Annotated[int, Field(ge=1), BeforeValidator(_bare)] = 28
    """How many of them may lie in their folder."""

    backup_dir: Annotated[Path | None, BeforeValidator(_bare_or_none)] = None
    """Where they lie; ``None``: in a folder beside the file."""

    health_port: Annotated[
        Annotated[int, Field(ge=1, le=65535)] | None, BeforeValidator(_bare_or_none)
    ] = None
    """Where this machine's own programs may ask how the bot is; ``None``: nowhere."""

    retention_days: Annotated[
        Annotated[int, Field(ge=1, le=36_500)] | None, BeforeValidator(_bare_or_none)
    ] = None
    """How long the course of a finished game is kept; ``None``: for ever. Results always are."""

    support_contact: Annotated[
        Annotated[str, Field(max_length=200, pattern=r"^[^\r\n]+$")] | None,
        BeforeValidator(_bare_or_none),
    ] = None
    """Where people ask about their data, one line of Markdown; everybody sees it."""

    privacy_url: _WebAddress = None
    """Where the privacy policy stands that `/privacy` and the help link to."""

    terms_url: _WebAddress = None
    """As `privacy_url`, of the terms of use."""

    @property
    def token(self) -> str:
        """The token for the login; hand it to Discord and nowhere else.

        Raises:
            OperatorError: there is none.
        """
        if self.discord_token is None:
            raise OperatorError(f"{_TOKEN_MISSING}.")
        return self.discord_token.get_secret_value()

    @field_validator("discord_token")
    @classmethod
    def _fits_a_header(cls, token: SecretStr | None) -> SecretStr | None:
        if token is not None and not re.fullmatch(r"[!-~]+", token.get_secret_value()):
            raise ValueError(f"DISCORD_TOKEN has a space or a strange letter inside: {_PORTAL}")
        return token

    @field_validator("database_url")
    @classmethod
    def _is_usable(cls, url: str, info: ValidationInfo) -> str:
        usable = _usable(url, "DATABASE_URL")
        if usable.startswith("sqlite") and info.data.get("dyno"):
            raise ValueError(
                "DATABASE_URL names an SQLite file, but this host (DYNO is set) throws its "
                "disk away at each restart: attach a PostgreSQL database"
            )
        return usable

    @field_validator("shard_count")
    @classmethod
    def _can_be_shared(cls, count: int, info: ValidationInfo) -> int:
        if count > 1 and info.data.get("database_url", "").startswith("sqlite"):
            raise ValueError(
                "SHARD_COUNT is for several processes over one PostgreSQL, but DATABASE_URL names"
                " an SQLite file: leave SHARD_COUNT out, or move with `python -m bot copy-db`"
            )
        return count

    @field_validator("shard_ids")
    @classmethod
    def _are_there(
        cls, ids: tuple[int, ...] | None, info: ValidationInfo
    ) -> tuple[int, ...] | None:
        count = info.data.get("shard_count")
        if ids and count is not None and max(ids) >= count:
            raise ValueError(
                f"SHARD_IDS names shard {max(ids)}, but with SHARD_COUNT={count} the last one is"
                f" {count - 1}"
            )
        return ids


class _SettingsWithToken(Settings):
    @field_validator("discord_token")
    @classmethod
    def _is_there(cls, token: SecretStr | None) -> SecretStr | None:
        if token is None:
            raise ValueError(_TOKEN_MISSING)
        return token


def load(*, token_wanted: bool) -> Settings:
    """Read the environment and ``.env`` of the working directory.

    Args:
        token_wanted: a missing token is a fault, named beside all others.

    Raises:
        OperatorError: at least one setting is wrong; one line says all that are.
    """
    try:
        return _SettingsWithToken() if token_wanted else Settings()
    except ValidationError as error:
        faults = [_sentence(fault) for fault in error.errors(include_url=False)]
        raise OperatorError("; ".join(faults) + ".") from None
    except (OSError, UnicodeDecodeError) as error:
        raise OperatorError(f".env can't be read as UTF-8 text ({type(error).__name__}).") from None


def usable_url(text: str, *, name: str) -> str:
    """The URL of a database in the form that the program takes, from one that people write.

    Args:
        text: as it may stand in DATABASE_URL.
        name: what to call it in a complaint.

    Raises:
        OperatorError: it names no database that the program could use.
    """
    try:
        return _usable(str(_bare(text)), name)
    except ValueError as error:
        raise OperatorError(f"{error}.") from None


def readable_env_warning() -> str | None:
    """Say that others on this machine can read ``.env``, if they can.

    A warning and no fault: a fresh copy of ``.env.example`` is readable by all, so refusing
    it would stop everybody.
    """
    if os.name != "posix" or not _ENV_FILE.is_file():
        return None
    if not _ENV_FILE.stat().st_mode & stat.S_IROTH:
        return None
    return "Everybody on this machine can read .env and the token in it: chmod 600 .env"


def _usable(url: str, name: str) -> str:
    scheme, separator, rest = url.partition("://")
    if not separator or scheme not in _DRIVERS:
        raise ValueError(
            f"{name} must begin with sqlite+aiosqlite:/// and a file, "
            "or with postgresql+asyncpg:// and a server"
        )
    if not scheme.startswith("sqlite"):
        _check_server(url, name)
        # Hosts write it as the C library wants it; asyncpg knows it by another name.
        return f"{_DRIVERS[scheme]}://{_SSL_MODE.sub('ssl=', rest)}"
    file = rest.removeprefix("/").partition("?")[0]
    if not rest.startswith("/") or file in {"", ":memory:"}:
        raise ValueError(f"{name} names no file to keep the games in")
    return f"{_DRIVERS[scheme]}://{rest}"


def _check_server(url: str, name: str) -> None:
    try:
        _ = urlsplit(url).port
    except ValueError:
        # Not the library's words: they would quote what stands there, at times the password.
        raise ValueError(
            f"{name} has no port between 0 and 65535 behind the server; a password with "
            "any of : / ? # [ ] @ in it has to be percent-encoded"
        ) from None


_WANTED = {
    "log_level": "LOG_LEVEL is DEBUG, INFO, WARNING or ERROR",
    "log_format": "LOG_FORMAT is text or json",
    "dev_guild_id": (
        "DEV_GUILD_ID is the id of one server, a whole number: in Discord, Settings → Advanced → "
        "Developer Mode, then a right click on the server → Copy Server ID"
    ),
    "robot_processes": "ROBOT_PROCESSES is a whole number, 0 or more; leave it empty for a few",
    "shard_count": "SHARD_COUNT is a whole number from 1 to 1024; leave it empty for one process",
    "shard_ids": "SHARD_IDS are numbers from 0 on, such as 0,1 or 0-3; leave it empty for all",
    "backup_hours": "BACKUP_HOURS is a number of hours up to 720, such as 6; 0 makes no backups",
    "backup_keep": "BACKUP_KEEP is a whole number, 1 or more",
    "retention_days": "RETENTION_DAYS is a whole number from 1 to 36500; leave it empty for ever",
    "support_contact": "SUPPORT_CONTACT is one line of at most 200 characters",
    "privacy_url": "PRIVACY_URL is an address that begins with https://, without brackets",
    "terms_url": "TERMS_URL is an address that begins with https://, without brackets",
    "health_port": "HEALTH_PORT is a whole number from 1 to 65535; leave it empty for no port",
}
"""What a setting may be, in words for whoever wrote something else; not in the library's."""


def _sentence(fault: ErrorDetails) -> str:
    if fault["type"] == "value_error":
        return fault["msg"].removeprefix("Value error, ")
    return _WANTED[str(fault["loc"][0])]
