"""What Discord says about a token, its application and its servers, for `python -m bot doctor`.

No gateway is opened, so a bot that is running under the same token is not disturbed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.utils import parsedate_to_datetime
from types import SimpleNamespace
from typing import Any

import aiohttp
import discord

from bot.table.ports import Clock
from cogs.client import DiscordUnreachableError, TokenRefusedError
from cogs.names import plain_name
from cogs.permissions import CREATE_THREADS, READ_BACK, SEND, SEND_IN_THREADS, VIEW

_PAGE = 200
_NEEDED = (VIEW, SEND, SEND_IN_THREADS)
_WISHED = (READ_BACK, CREATE_THREADS)
_NOT_DISCORD = (LookupError, TypeError, ValueError)
"""What becomes of an answer that somebody else gives in Discord's place, as a proxy's page."""


@dataclass(frozen=True, slots=True)
class Lacking:
    """A server in which the bot lacks rights, its channels' own rules left out."""

    server: str
    """Its name, fit for a terminal."""
    needed: tuple[str, ...]
    """Rights without which no table can stand there."""
    wished: tuple[str, ...]
    """Rights without which something is worse."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Examination:
    """What Discord says."""

    application: str
    is_public: bool
    """Whether people other than its owner may invite it."""
    takes_clicks_elsewhere: bool
    """Whether an address is entered to which Discord sends clicks instead of the gateway."""
    servers: int
    lacking: tuple[Lacking, ...]
    starts_left: int
    """How often the gateway may be opened until the day is over."""
    shards: int
    """How many Discord advises."""
    ahead: timedelta | None
    """How far this machine's clock is ahead of Discord's; negative: behind."""


async def examine(token: str, clock: Clock) -> Examination:
    """Log in, ask, and log out.

    Raises:
        TokenRefusedError: Discord does not accept the token.
        DiscordUnreachableError: it cannot be asked; the message names the kind of failure.
    """
    watch = _Watch(clock)
    intents, silent = discord.Intents.none(), discord.AllowedMentions.none()
    client = discord.Client(
        intents=intents, allowed_mentions=silent, http_trace=watch.trace(), max_ratelimit_timeout=30
    )
    try:
        await client.login(token)
        return await _asked(client, watch)
    except discord.LoginFailure as refusal:
        raise TokenRefusedError from refusal
    except (discord.DiscordException, aiohttp.ClientError, OSError, *_NOT_DISCORD) as failure:
        raise DiscordUnreachableError(type(failure).__name__) from failure
    finally:
        await client.close()


async def _asked(client: discord.Client, watch: "_Watch") -> Examination:
    application = await client.application_info()
    servers = await _servers(client)
    shards, _, starts = await client.http.get_bot_gateway()
    found = [_lacking(server) for server in servers]
    return Examination(
        application=plain_name(application.name),
        is_public=application.bot_public,
        takes_clicks_elsewhere=application.interactions_endpoint_url is not None,
        servers=len(servers),
        lacking=tuple(each for each in found if each.needed or each.wished),
        starts_left=starts["remaining"],
        shards=shards,
        ahead=watch.ahead,
    )


async def _servers(client: discord.Client) -> Sequence[Mapping[str, Any]]:
    found: list[Mapping[str, Any]] = []
    while True:
        after = int(found[-1]["id"]) if found else None
        page = await client.http.get_guilds(_PAGE, after=after, with_counts=False)
        found += page
        if len(page) < _PAGE:
            return found


def _lacking(server: Mapping[str, Any]) -> Lacking:
    granted = discord.Permissions(int(server.get("permissions") or 0))
    if granted.administrator:
        granted = discord.Permissions.all()
    return Lacking(
        plain_name(str(server["name"])),
        tuple(right.name for right in _NEEDED if not right.has(granted)),
        tuple(right.name for right in _WISHED if not right.has(granted)),
    )


class _Watch:
    """Compares the clock with the one that Discord's answers carry, which knows whole seconds."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._asked_at: datetime | None = None
        self.ahead: timedelta | None = None

    def trace(self) -> aiohttp.TraceConfig:
        config = aiohttp.TraceConfig()
        config.on_request_start.append(self._on_start)
        config.on_request_end.append(self._on_end)
        return config

    async def _on_start(
        self,
        _session: aiohttp.ClientSession,
        _context: SimpleNamespace,
        _params: aiohttp.TraceRequestStartParams,
    ) -> None:
        self._asked_at = self._clock.now()

    async def _on_end(
        self,
        _session: aiohttp.ClientSession,
        _context: SimpleNamespace,
        params: aiohttp.TraceRequestEndParams,
    ) -> None:
        self.hear(params.response.headers.get("Date"))

    def hear(self, date: str | None) -> None:
        """An answer says what time it is; what the way there or back may explain does not count."""
        if date is None or self._asked_at is None:
            return
        theirs, now = parsedate_to_datetime(date), self._clock.now()
        if theirs > now:
            self.ahead = now - theirs
        else:
            self.ahead = max(self._asked_at - theirs - timedelta(seconds=1), timedelta())
