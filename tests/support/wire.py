"""Between the library and simcord's Discord: what real Discord does there and simcord does not.

It remembers nonces, can lose the answer after the work is done, and holds every request against
Discord's own description of its API where that is at hand.
"""

import fnmatch
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import aiohttp
from simcord.http import router

from tests.support.spec import load, spec_file

NONCE_MEMORY = timedelta(minutes=5)
"""Discord says "the past few minutes"."""
_Dispatch = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Request:
    """What the library asks of Discord."""

    method: str
    path: str
    body: Any
    files: Sequence[Any] = ()


@dataclass(slots=True)
class Wire:
    """What goes over it, seen from a test."""

    real: _Dispatch
    now: Callable[[], datetime]
    faults: list[str] = field(default_factory=list)
    """Requests that Discord's description does not allow, in words."""
    forgetful: bool = False
    """Whether nonces are forgotten at once; for tests that show what they are good for."""
    payloads: list[tuple[str, str, Any]] = field(default_factory=list)
    """All requests: method, path, body."""
    listeners: list[Callable[[Request], None]] = field(default_factory=list)
    """Told of each request in the moment in which it is made, before it has any effect."""
    _nonces: dict[tuple[str, str], tuple[datetime, Any]] = field(default_factory=dict)
    _lost: list[tuple[str, str]] = field(default_factory=list)

    def lose_answer(self, method: str, path: str) -> None:
        """Carry out the next request that fits, and let its answer never arrive.

        Args:
            method: as ``POST``.
            path: a pattern of `fnmatch`, as ``/channels/*/messages``.
        """
        self._lost.append((method, path))

    def dispatch(self, backend: Any, method: str, path: str, **rest: Any) -> Any:
        """Stands in for `simcord.http.router.dispatch`."""
        body = rest.get("json")
        self.payloads.append((method, path, body))
        for listener in self.listeners:
            listener(Request(method, path, body, rest.get("files") or ()))
        if (file := spec_file()) is not None:
            self.faults += load(file).faults(method, path, body)
        answer = self._answer(backend, method, path, body, rest)
        for wanted in self._lost:
            if wanted[0] == method and fnmatch.fnmatch(path, wanted[1]):
                self._lost.remove(wanted)
                raise aiohttp.ServerDisconnectedError
        return answer

    def _answer(self, backend: Any, method: str, path: str, body: Any, rest: dict[str, Any]) -> Any:
        nonce = body.get("nonce") if isinstance(body, dict) else None
        if self.forgetful or method != "POST" or not nonce or not body.get("enforce_nonce"):
            return self.real(backend, method, path, **rest)
        sent_at, answer = self._nonces.get((path, nonce), (None, None))
        if sent_at is None or self.now() - sent_at > NONCE_MEMORY:
            answer = self.real(backend, method, path, **rest)
            self._nonces[path, nonce] = (self.now(), answer)
        return answer


@contextmanager
def tapped(now: Callable[[], datetime]) -> Iterator[Wire]:
    """Tap the wire of every simcord of this process, until the end of the block."""
    wire = Wire(router.dispatch, now)
    router.dispatch = wire.dispatch
    try:
        yield wire
    finally:
        router.dispatch = wire.real
