"""A Discord on loopback for the real program in a process of its own: a gateway and an API.

It says what the library needs to hear and no more; what a bot does with each request is the
affair of simcord and its tests. Real are the program, its start, its sockets and its end.
"""

import asyncio
import json
import os
import random
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

from aiohttp import WSMsgType, web

from bot.table.ids import ChannelId, UserId
from tests.support import payloads
from tests.support.payloads import APPLICATION, CHANNELS, GUILDS
from tests.support.store import url_of

_STARTER = """
import sys, discord.http, discord.gateway, yarl
from bot.__main__ import main
discord.http.Route.BASE = "http://{address}/api"
discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL("ws://{address}/gateway")
sys.exit(main(["run"]))
"""
"""The whole program; only where Discord is found differs."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a press was answered with."""

    at: float
    body: dict[str, Any]

    @property
    def says(self) -> str:
        """All of it as text."""
        return json.dumps(self.body)


@dataclass(slots=True)
class Loopback:
    """What the program sees of Discord, and what Discord saw of the program."""

    address: str = ""
    answers: dict[int, Answer] = field(default_factory=dict)
    """By interaction: the first one alone."""
    requests: list[tuple[str, str]] = field(default_factory=list)
    slow: float = 0
    """Seconds that each request about a message takes."""
    identified: asyncio.Event = field(default_factory=asyncio.Event)
    closed: asyncio.Event = field(default_factory=asyncio.Event)
    """Set once the program has left the gateway."""
    dice: random.Random = field(default_factory=lambda: random.Random(1))
    faults: float = 0
    """The share of requests about messages that are refused with a 503, that are done without an
    answer, and that are told to wait; each so many."""
    messages: dict[int, str] = field(default_factory=dict)
    """What stands in all channels: its nonce."""
    made: Counter[str] = field(default_factory=Counter)
    """Of each nonce, how many messages were made for it."""
    resumed: int = 0
    """How often the program took up its session again."""
    _missed: list[str] = field(default_factory=list)
    _news: asyncio.Condition = field(default_factory=asyncio.Condition)
    _gateway: web.WebSocketResponse | None = None
    _ids: Any = field(default_factory=lambda: count(10_000))
    _sequence: int = 0

    async def press(self, number: int, user: UserId, channel: ChannelId, custom_id: str) -> None:
        """Let a press on a button arrive."""
        message = payloads.message(next(self._ids), channel)
        await self._tell(
            "INTERACTION_CREATE",
            {
                "id": str(number),
                "application_id": str(APPLICATION),
                "type": 3,
                "token": f"token-{number}",
                "version": 1,
                "guild_id": str(payloads.guild_of(channel)),
                "channel_id": str(channel),
                "channel": payloads.channel(channel) | {"permissions": "0"},
                "member": payloads.member(user),
                "message": message,
                "data": {"custom_id": custom_id, "component_type": 2},
                "locale": "en-US",
                "guild_locale": "en-US",
                "app_permissions": str(1 << 40),
                "entitlements": [],
                "authorizing_integration_owners": {},
                "context": 0,
                "attachment_size_limit": 26_214_400,
            },
        )

    async def answered(self, number: int, seconds: float) -> Answer:
        """The answer to a press, once it is there."""
        async with asyncio.timeout(seconds), self._news:
            await self._news.wait_for(lambda: number in self.answers)
        return self.answers[number]

    def new_life(self) -> None:
        """Forget what the process before it did at the gateway."""
        self.identified.clear()
        self.closed.clear()

    async def _tell(self, event: str, data: Mapping[str, Any]) -> None:
        self._sequence += 1
        word = json.dumps({"op": 0, "t": event, "s": self._sequence, "d": data})
        if self._gateway is None or self._gateway.closed:
            self._missed.append(word)
        else:
            await self._gateway.send_str(word)

    async def drop(self) -> None:
        """Let the gateway's connection break, as a network lets it; the session lives on."""
        if self._gateway is not None:
            await self._gateway.close(code=4_000)

    async def gateway(self, request: web.Request) -> web.WebSocketResponse:
        """Be the gateway of one session."""
        socket = self._gateway = web.WebSocketResponse()
        await socket.prepare(request)
        await socket.send_str(json.dumps({"op": 10, "d": {"heartbeat_interval": 40_000}}))
        async for word in socket:
            if word.type is not WSMsgType.TEXT:
                break
            said = json.loads(word.data)
            if said["op"] == 1:
                await socket.send_str('{"op": 11}')
            elif said["op"] == 2:
                await self._tell("READY", self._ready() | {"shard": said["d"].get("shard", [0, 1])})
                for guild in GUILDS:
                    await self._tell("GUILD_CREATE", payloads.guild(guild))
                self.identified.set()
            elif said["op"] == 6:
                missed, self._missed = self._missed, []
                for event in missed:
                    await socket.send_str(event)
                await self._tell("RESUMED", {})
                self.resumed += 1
        self.closed.set()
        return socket

    def _ready(self) -> dict[str, Any]:
        return {
            "v": 10,
            "user": payloads.user(APPLICATION, bot=True),
            "guilds": [{"id": str(guild), "unavailable": True} for guild in GUILDS],
            "session_id": "one",
            "resume_gateway_url": f"ws://{self.address}/gateway",
            "application": {"id": str(APPLICATION), "flags": 0},
        }

    async def api(self, request: web.Request) -> web.StreamResponse:
        """Answer one request."""
        path = request.path.removeprefix("/api")
        self.requests.append((request.method, path))
        match path.split("/")[1:]:
            case ["users", "@me"]:
                return _json(payloads.user(APPLICATION, bot=True))
            case ["oauth2", "applications", "@me"] | ["applications", "@me"]:
                return _json(payloads.application())
            case ["applications", _, "commands"]:
                sent = await request.json() if request.method == "PUT" else []
                return _json([payloads.command(place, each) for place, each in enumerate(sent)])
            case ["gateway", "bot"]:
                return _json(payloads.gateway_limits(self.address))
            case ["interactions", number, _, "callback"]:
                return await self._take_answer(int(number), request)
            case ["channels", channel, "messages", *message]:
                await asyncio.sleep(self.slow)
                return await self._about_message(request, ChannelId(int(channel)), *message)
            case ["webhooks", *_] if request.method != "DELETE":
                return _json(payloads.message(next(self._ids), ChannelId(CHANNELS[0])))
            case _:
                return web.Response(status=204)

    async def _about_message(
        self, request: web.Request, channel: ChannelId, message: str = ""
    ) -> web.StreamResponse:
        fate = self.dice.random() / self.faults if self.faults else 3.0
        if fate < 1:
            return _json({"message": "planted", "code": 0}, status=503)
        if fate < 2:
            limit = {"message": "You are being rate limited.", "retry_after": 0.1, "global": False}
            return _json(limit, status=429, headers={"Via": "1.1 google", "Retry-After": "0.1"})
        answer = await self._carry_out(request, channel, message)
        if fate < 3 and self.faults and request.transport is not None:
            request.transport.close()
        return answer

    async def _carry_out(
        self, request: web.Request, channel: ChannelId, message: str
    ) -> web.StreamResponse:
        if request.method == "DELETE":
            self.messages.pop(int(message), None)
            return web.Response(status=204)
        if request.method == "PATCH" and int(message) not in self.messages:
            return _json({"message": "Unknown Message", "code": 10008}, status=404)
        if request.method != "POST":
            return _json(payloads.message(int(message), channel) if message else [])
        nonce = str((await request.json())["nonce"])
        known = [number for number, sent in self.messages.items() if sent == nonce]
        number = known[0] if known else next(self._ids)
        if not known:
            self.messages[number] = nonce
            self.made[nonce] += 1
        return _json(payloads.message(number, channel))

    async def _take_answer(self, number: int, request: web.Request) -> web.StreamResponse:
        # With a file the JSON is a part of a form; no answer of these has one.
        body = await request.json()
        self.answers.setdefault(number, Answer(time.monotonic(), body))
        async with self._news:
            self._news.notify_all()
        message = payloads.message(next(self._ids), ChannelId(CHANNELS[0]))
        said = {"id": str(number), "type": 3, "response_message_id": message["id"]}
        about = {"type": body["type"], "message": message}
        return _json({"interaction": said, "resource": about})


@asynccontextmanager
async def loopback() -> AsyncIterator[Loopback]:
    """A Discord on a free port of this machine."""
    discord = Loopback()
    server = web.Application()
    server.router.add_get("/gateway", discord.gateway)
    server.router.add_get("/gateway/", discord.gateway)
    server.router.add_route("*", "/api/{path:.*}", discord.api)
    runner = web.AppRunner(server, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    host, port = runner.addresses[0][:2]
    discord.address = f"{host}:{port}"
    try:
        yield discord
    finally:
        await runner.cleanup()


@asynccontextmanager
async def program(
    discord: Loopback, file: Path, **environment: str
) -> AsyncIterator[asyncio.subprocess.Process]:
    """``python -m bot run`` in a process of its own, over the database in *file*; see `log_of`."""
    discord.new_life()
    own = {"DISCORD_TOKEN": "abc.def.ghi", "DATABASE_URL": url_of(file), **environment}
    with log_of(file).open("wb") as log:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-c",
            _STARTER.format(address=discord.address),
            env=os.environ | own,
            stdout=log,
            stderr=log,
        )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


def log_of(file: Path) -> Path:
    """Where the program with the database in *file* writes what it says."""
    return file.with_suffix(".log")


def _json(body: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> web.Response:
    # The library compares the whole header, and Discord names no charset.
    return web.Response(
        body=json.dumps(body).encode(),
        status=status,
        headers={"Content-Type": "application/json", **(headers or {})},
    )
