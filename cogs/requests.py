"""What is asked of Discord, counted: its limits are hard, and a bot that meets them is shut out.

Discord allows 50 requests a second, those that answer interactions not counted, and 10,000
invalid ones (401, 403, 429) in ten minutes (docs:developers/topics/rate-limits).
"""

import logging
import re
from collections import deque
from collections.abc import Mapping
from datetime import datetime, timedelta
from types import SimpleNamespace

import aiohttp

from bot.table.ports import Clock
from bot.table.tally import Tally

log = logging.getLogger(__name__)

ALARM = 100
"""So many invalid requests in ten minutes are told in the log, once until they have been fewer."""
_INVALID = frozenset({401, 403, 429})
_ANSWERS = re.compile(r"/api/v\d+/(?:interactions/|webhooks/\d+/)")
"""Paths that answer interactions; they have limits of their own."""
_SOCKET = 101


class Requests:
    """Counts what the library sends, by listening to it. Sees statuses and paths, no bodies.

    Args:
        clock: the only time.
        tally: where the numbers stand, their names beginning with ``discord_``.
    """

    def __init__(self, clock: Clock, tally: Tally) -> None:
        self._clock = clock
        self._tally = tally
        self._invalid = _Recent(timedelta(minutes=10))
        self._sent = _Recent(timedelta(seconds=1))
        self._identified = _Recent(timedelta(days=1))
        self._alarmed = False

    def trace(self) -> aiohttp.TraceConfig:
        """What the library's HTTP session has to be given."""
        config = aiohttp.TraceConfig()
        config.on_request_start.append(self._on_start)
        config.on_request_end.append(self._on_end)
        config.on_request_exception.append(self._on_exception)
        return config

    def identified(self) -> None:
        """The gateway is told who we are, which Discord allows 1,000 times a day."""
        self._identified.add(self._clock.now())

    def started(self, path: str) -> None:
        """A request goes out."""
        if not _ANSWERS.match(path):
            self._sent.add(self._clock.now())
            self._tally.reach("discord_requests_most_a_second", len(self._sent))

    def ended(self, path: str, status: int, *, shared: bool = False) -> None:
        """Discord has answered.

        Args:
            path: of the address.
            status: of HTTP.
            shared: the limit that was met is not ours alone; Discord does not blame us then.
        """
        if status == _SOCKET:
            return
        kind = "answers" if _ANSWERS.match(path) else "requests"
        self._tally.count(f"discord_{kind}_total", status=f"{status // 100}xx")
        if status in _INVALID and not shared:
            self._tally.count("discord_invalid_total", status=str(status))
            self._invalid.add(self._clock.now())
            self._raise_alarm()

    def failed(self) -> None:
        """No answer came."""
        self._tally.count("discord_unanswered_total")

    def figures(self) -> Mapping[str, float]:
        """What counts for a while only."""
        now = self._clock.now()
        return {
            "discord_invalid_last_10_minutes": self._invalid.count(now),
            "discord_identifies_last_day": self._identified.count(now),
        }

    def _raise_alarm(self) -> None:
        found = len(self._invalid)
        if found >= ALARM and not self._alarmed:
            log.error(
                "%d invalid requests in ten minutes, of which Discord allows 10,000 before it "
                "shuts this machine out. `python -m bot doctor` looks for missing rights.",
                found,
            )
        self._alarmed = found >= ALARM

    async def _on_start(
        self,
        _session: aiohttp.ClientSession,
        _context: SimpleNamespace,
        params: aiohttp.TraceRequestStartParams,
    ) -> None:
        self.started(params.url.path)

    async def _on_end(
        self,
        _session: aiohttp.ClientSession,
        _context: SimpleNamespace,
        params: aiohttp.TraceRequestEndParams,
    ) -> None:
        shared = params.response.headers.get("X-RateLimit-Scope") == "shared"
        self.ended(params.url.path, params.response.status, shared=shared)

    async def _on_exception(
        self,
        _session: aiohttp.ClientSession,
        _context: SimpleNamespace,
        _params: aiohttp.TraceRequestExceptionParams,
    ) -> None:
        self.failed()


class _Recent:
    """How often something happened in the latest stretch of time."""

    def __init__(self, memory: timedelta) -> None:
        self._memory = memory
        self._moments: deque[datetime] = deque()

    def __len__(self) -> int:
        """As it was when something was last added or counted."""
        return len(self._moments)

    def add(self, now: datetime) -> None:
        self._moments.append(now)
        self.count(now)

    def count(self, now: datetime) -> int:
        while self._moments and self._moments[0] <= now - self._memory:
            self._moments.popleft()
        return len(self._moments)
