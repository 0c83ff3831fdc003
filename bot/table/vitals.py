"""How the bot is: what waits to be shown, and how old the newest backup is. For people who ask."""

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class Backlog:
    """What is stored and not yet carried out."""

    posts_behind: int
    """Posts that show less than is stored; those of paused tables left out."""
    behind_since: datetime | None
    """When the oldest of them fell behind; ``None``: there is none."""
    outbox_due: int
    """Pings, notices and deletions whose time has come."""
    timers_due: int
    """Timers whose time has come."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BackupState:
    """Where the copies of the database stand."""

    on_schedule: bool
    """Whether copies are made by themselves."""
    newest: datetime | None
    """When the newest whole copy was made; ``None``: there is none."""
    kept: int
    fault: str | None
    """Why the latest try failed; ``None``: it did not."""


class Vitals(Protocol):
    """What `db` knows of the bot's health."""

    async def backlog(self, now: datetime) -> Backlog:
        """Count what waits. The answer also says that the database answers."""
        ...


class Copies(Protocol):
    """The copies of the database that are made by themselves."""

    def state(self) -> BackupState:
        """Look into the folder."""
        ...
