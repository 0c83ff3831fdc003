"""How the bot is, for programs on this machine that watch it: ``/health`` and ``/metrics``.

Numbers and words of ours only: no name, id or card can be in them. Nothing from another machine
reaches it.
"""

import asyncio
import os
import socket
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from aiohttp import web

from bot import OperatorError
from bot.counting import Pulses
from bot.table.ports import Clock
from bot.table.tally import Tally
from bot.table.vitals import PATIENCE_SECONDS, Copies, Vitals, in_time

HERE = "127.0.0.1"
SILENCE_SECONDS = 30.0
"""How long a loop that comes by every second may not be heard of."""
_LOOPS = ("publisher", "timekeeper")
_BEAT_SECONDS = 0.5
_STATM = Path("/proc/self/statm")


class Gateway(Protocol):
    """What is asked of the bot in Discord."""

    @property
    def reachable(self) -> bool:
        """Whether clicks come in at this moment."""
        ...

    def figures(self) -> Mapping[str, float]:
        """What it counts for a while only."""
        ...


class Queue(Protocol):
    """What is asked of the robots."""

    @property
    def waiting(self) -> int:
        """Questions that no process has taken yet."""
        ...


class Lateness:
    """How much later than it wished a task is woken: what else holds up the event loop."""

    def __init__(self, clock: Clock, tally: Tally) -> None:
        self._clock = clock
        self._tally = tally
        self.latest = 0.0

    async def run(self) -> None:
        """Go on until cancelled."""
        while True:
            begun = self._clock.now()
            await self._clock.sleep(_BEAT_SECONDS)
            slept = (self._clock.now() - begun).total_seconds()
            self.latest = max(0.0, slept - _BEAT_SECONDS)
            self._tally.reach("loop_lateness_seconds_most", self.latest)


@dataclass(frozen=True, slots=True, kw_only=True)
class Health:
    """Asks everybody who may know."""

    gateway: Gateway
    vitals: Vitals
    copies: Copies | None
    queue: Queue
    pulses: Pulses
    lateness: Lateness
    tally: Tally
    clock: Clock

    async def faults(self) -> Sequence[str]:
        """Say all that keeps people from playing; empty: nothing does."""
        found = [] if self.gateway.reachable else ["gateway: not connected"]
        for loop in _LOOPS:
            silence = self.pulses.silence(loop)
            if silence is None or silence > SILENCE_SECONDS:
                found.append(f"{loop}: not heard of for too long")
        if await in_time(self.vitals.backlog(self.clock.now())) is None:
            found.append(f"database: no answer within {PATIENCE_SECONDS:.0f} seconds")
        return found

    async def figures(self) -> Mapping[str, float]:
        """All numbers, by name; those of a database that does not answer are left out."""
        memory = _memory()
        return {
            **self.tally.figures(),
            **self.gateway.figures(),
            "gateway_connected": self.gateway.reachable,
            "robots_waiting": self.queue.waiting,
            "loop_lateness_seconds": self.lateness.latest,
            **({} if memory is None else {"process_resident_bytes": memory}),
            **await self._of_backups(),
            **await self._of_database(),
        }

    async def _of_database(self) -> Mapping[str, float]:
        begun = self.clock.now()
        backlog = await in_time(self.vitals.backlog(begun))
        if backlog is None:
            return {"database_answers": 0}
        now = self.clock.now()
        since = backlog.behind_since
        return {
            "database_answers": 1,
            "database_answer_seconds": (now - begun).total_seconds(),
            "posts_behind": backlog.posts_behind,
            "posts_lag_seconds": (now - since).total_seconds() if since else 0,
            "outbox_due": backlog.outbox_due,
            "timers_due": backlog.timers_due,
        }

    async def _of_backups(self) -> Mapping[str, float]:
        if self.copies is None:
            return {}
        state = await asyncio.to_thread(self.copies.state)
        found: dict[str, float] = {"backups_kept": state.kept, "backup_failing": bool(state.fault)}
        if state.newest:
            found["backup_age_seconds"] = (self.clock.now() - state.newest).total_seconds()
        return found


def refuse_taken(port: int | None) -> None:
    """Look whether a port can be had, without keeping it.

    Raises:
        OperatorError: it can't.
    """
    if port is None:
        return
    try:
        socket.create_server((HERE, port)).close()
    except OSError as error:
        raise _not_opened(port, error) from error


def _not_opened(port: int, error: OSError) -> OperatorError:
    fault = os.strerror(error.errno or 0)
    return OperatorError(
        f"HEALTH_PORT {port} can't be opened ({fault}): each process needs one of its own."
    )


@asynccontextmanager
async def answering(health: Health, port: int | None) -> AsyncIterator[None]:
    """Answer questions from this machine until the end of the block; not without a port.

    Raises:
        OperatorError: the port can't be had.
    """
    if port is None:
        yield
        return
    runner = web.AppRunner(_application(health), access_log=None)
    await runner.setup()
    try:
        try:
            await web.TCPSite(runner, HERE, port).start()
        except OSError as error:
            raise _not_opened(port, error) from error
        yield
    finally:
        await runner.cleanup()


def _application(health: Health) -> web.Application:
    async def tell_health(_request: web.Request) -> web.Response:
        faults = await health.faults()
        return web.Response(text="\n".join(faults or ["ok"]) + "\n", status=503 if faults else 200)

    async def tell_figures(_request: web.Request) -> web.Response:
        figures = await health.figures()
        lines = [f"hearts_{name} {_plain(value)}\n" for name, value in sorted(figures.items())]
        return web.Response(text="".join(lines))

    application = web.Application()
    application.add_routes([web.get("/health", tell_health), web.get("/metrics", tell_figures)])
    return application


def _plain(value: float) -> str:
    """Without an exponent, and whole numbers without a point."""
    return f"{value:.6f}".rstrip("0").rstrip(".")


def _memory() -> int | None:
    """Bytes of this process that are in memory; ``None`` where the system does not tell."""
    try:
        pages = int(_STATM.read_text("ascii").split()[1])
    except (OSError, ValueError, IndexError):
        return None
    return pages * os.sysconf("SC_PAGE_SIZE")
