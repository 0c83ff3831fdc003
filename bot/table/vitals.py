"""How the bot is: what waits to be shown, and how old the newest backup is. For people who ask."""

import asyncio
from collections.abc import Coroutine
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol, TypeVar

Answer = TypeVar("Answer")

PATIENCE_SECONDS = 2.0
"""How long the database may take to answer before it counts as away."""


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
        """Look into the folder. Waits for the disk: to be called in a thread."""
        ...


async def in_time(
    work: Coroutine[Any, Any, Answer], seconds: float = PATIENCE_SECONDS
) -> Answer | None:
    """What *work* returns; ``None``: it fails, or takes longer than *seconds*."""
    # Left to itself, not cancelled: that could tear a connection out of its work.
    task = asyncio.create_task(work)
    task.add_done_callback(_failed)
    done, _ = await asyncio.wait({task}, timeout=seconds)
    return task.result() if done and not _failed(task) else None


def _failed(task: asyncio.Task[Any]) -> bool:
    """Also hears of a failure, else the loop complains that nobody did."""
    return task.cancelled() or task.exception() is not None
