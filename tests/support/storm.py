"""Everything that Discord can do wrong, at once and by chance that repeats."""

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from fnmatch import fnmatch
from typing import Any

import aiohttp
import discord
from simcord.backend.errors import BackendError

from tests.support.discord import World


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One thing that goes wrong."""

    name: str
    share: float
    """Of the requests that fit."""
    error: Callable[[], Exception]
    methods: frozenset[str] = frozenset({"POST", "PATCH", "DELETE"})
    path: str = "*"
    done: bool = False
    """Whether the request is carried out all the same."""


def _coded(
    status: int, code: int, share: float, path: str, *methods: str, done: bool = False
) -> Fault:
    """A refusal with one of Discord's error codes."""
    return Fault(
        name=str(code or status),
        share=share,
        error=lambda: BackendError(status, code, "planted"),
        methods=frozenset(methods or ("POST", "PATCH", "DELETE")),
        path=path,
        done=done,
    )


_MESSAGES, _CLICKS, _TOKENS = "/channels/*/messages*", "/interactions/*", "/webhooks/*"
FAULTS = (
    _coded(503, 0, 0.05, "*"),
    Fault(name="lost", share=0.05, error=aiohttp.ServerDisconnectedError, done=True),
    Fault(name="429", share=0.03, error=lambda: discord.RateLimited(31.0), path=_MESSAGES),
    _coded(429, 30046, 0.05, _MESSAGES, "PATCH"),
    _coded(404, 10008, 0.12, _MESSAGES, "DELETE"),
    _coded(403, 50001, 0.02, _MESSAGES, "POST", "PATCH"),
    _coded(403, 50013, 0.02, _MESSAGES, "POST", "PATCH"),
    _coded(404, 10003, 0.02, _MESSAGES, "POST", "PATCH"),
    _coded(400, 50083, 0.03, _MESSAGES, "POST", "PATCH"),
    _coded(404, 10062, 0.06, _CLICKS, "POST"),
    _coded(400, 40060, 0.08, _CLICKS, "POST", done=True),
    _coded(401, 50027, 0.05, _TOKENS),
)
"""The shares beyond those that were promised let each of them come up in one game."""


@dataclass(slots=True)
class Storm:
    """Goes on until its block ends."""

    world: World
    dice: random.Random
    counts: Counter[str] = field(default_factory=Counter)
    """How often each thing went wrong."""
    sent: list[int] = field(default_factory=list)
    """The interactions of all presses; twice, where Discord delivered one twice."""

    def gateway(self) -> None:
        """Let the gateway drop and resume, or say three times that it is ready."""
        bot = self.world.app.bot
        if self.dice.random() < 0.1:
            self.counts["gateway"] += 1
            bot.dispatch("shard_disconnect", 0)
            bot.dispatch("shard_resumed", 0)
        if self.dice.random() < 0.05:
            self.counts["ready"] += 1
            for _ in range(3):
                bot.dispatch("ready")

    def vanish(self, channel: Any, open_messages: Sequence[int]) -> None:
        """Let a post in which something can still change be gone without a word of Discord's."""
        stored = self.world.env.backend.messages[channel.id]
        there = [message for message in open_messages if message in stored]
        if there and self.dice.random() < 0.1:
            self.counts["vanished"] += 1
            del stored[there[-1]]


@contextmanager
def storm(world: World, seed: int) -> Iterator[Storm]:
    """Let all of `FAULTS` happen, and one press in seven arrive twice."""
    raging = Storm(world, random.Random(seed))
    real, emit = world.wire.real, world.env.backend.emit

    def dispatch(backend: Any, method: str, path: str, **rest: Any) -> Any:
        fault = _drawn(raging, method, path)
        if fault is None:
            return real(backend, method, path, **rest)
        raging.counts[fault.name] += 1
        if fault.error is aiohttp.ServerDisconnectedError:
            # Nonces are remembered between the library and here: it is lost beyond them.
            world.wire.lose_answer(method, path)
            return real(backend, method, path, **rest)
        if fault.done:
            real(backend, method, path, **rest)
        raise fault.error()

    def emit_again(event: str, payload: Any) -> None:
        times = 1
        if event == "INTERACTION_CREATE":
            times += raging.dice.random() < 1 / 7
            raging.sent += [int(payload["id"])] * times
        for _ in range(times):
            emit(event, payload)

    world.wire.real = dispatch
    world.env.backend.emit = emit_again  # type: ignore[method-assign]  # the door of all events
    try:
        yield raging
    finally:
        world.wire.real = real
        world.env.backend.emit = emit  # type: ignore[method-assign]  # as it was


def _drawn(raging: Storm, method: str, path: str) -> Fault | None:
    fitting = [each for each in FAULTS if method in each.methods and fnmatch(path, each.path)]
    return next((each for each in fitting if raging.dice.random() < each.share), None)
