"""The bot as Discord knows it: intents, commands, cogs, and what happens around the gateway."""

import asyncio
import hashlib
import json
import logging
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import aiohttp
import discord
from discord import app_commands
from discord.ext import commands

from bot.table.shards import ALL, Shards
from cogs.answers import Answers
from cogs.challenge import Challenge
from cogs.commands import COMMAND_IDS, command_payloads, hearts_group, payload_faults
from cogs.customise import Customise
from cogs.errors import report
from cogs.fair import Fair
from cogs.flood import Flood, flood_of
from cogs.house_rules import Houses
from cogs.managing import Managing
from cogs.open_hands import OpenHands
from cogs.persons import Preferences
from cogs.places import Places
from cogs.planning import Planning
from cogs.play import Play
from cogs.privacy import PrivacyTopic
from cogs.requests import Requests
from cogs.router import Router, Topics
from cogs.rules_help import RulesHelp
from cogs.scorekeeper import ScoreKeeper
from cogs.seats import Seats
from cogs.server import Server
from cogs.services import Interaction, Services
from cogs.standings import Leaderboard
from cogs.status import BotStatus
from cogs.tables import Tables
from cogs.upkeep import Upkeep
from cogs.votes import Votes

__all__ = [
    "CommandsRefusedError",
    "DiscordUnreachableError",
    "HeartsBot",
    "IntentsRefusedError",
    "TokenRefusedError",
    "command_payloads",
    "log_in",
    "payload_faults",
    "run_bot",
]

log = logging.getLogger(__name__)

_LONGEST_WAIT = 30.0
"""Seconds; a longer rate limit is an error of its own, and the publisher tries again later."""


_SENT = "commands"
"""Under this name: where the commands were sent, and the hash of what was sent."""
_ALL = "all"


class TokenRefusedError(Exception):
    """Discord does not accept the token."""


class DiscordUnreachableError(Exception):
    """Discord does not answer the login; the message names the kind of failure."""


class CommandsRefusedError(Exception):
    """Discord does not take the commands; the message says why, in its words."""


class IntentsRefusedError(Exception):
    """Discord does not grant what the bot asks to be told of."""


class HeartsBot(commands.AutoShardedBot):
    """The client. All it knows of the game it is given in *services*.

    Args:
        services: the game.
        shards: whose events it asks the gateway for; direct messages come with shard 0.
    """

    def __init__(self, services: Services, shards: Shards = ALL) -> None:
        self.requests = Requests(services.clock, services.tally)
        # Nobody talks here, so what is not installed for it is no warning.
        discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False
        # No privileged intent. Messages, without their content, are wanted for one thing: to
        # hear that one of ours was deleted. Nothing is cached but servers and channels.
        super().__init__(
            command_prefix=(),
            help_command=None,
            tree_cls=_Tree,
            intents=discord.Intents(guilds=True, guild_messages=True),
            max_messages=None,
            chunk_guilds_at_startup=False,
            member_cache_flags=discord.MemberCacheFlags.none(),
            allowed_mentions=discord.AllowedMentions.none(),
            max_ratelimit_timeout=_LONGEST_WAIT,
            shard_count=shards.count,
            shard_ids=list(shards.ids),
            http_trace=self.requests.trace(),
        )
        self.services = services
        self.up_since: datetime | None = None
        """When it logged in."""
        self.answers = Answers()
        self.flood = Flood(services.clock)
        self.open_hands = OpenHands(services.tables, services.clock)
        self._add_topics()

    def _add_topics(self) -> None:
        """Name every topic once, so that a forgotten one is a type error, not a silence.

        Listeners hang on the client before it logs in: a click of yesterday's message is
        answered from the first moment on.
        """
        hands, answers = self.open_hands, self.answers
        tables, play = Tables(answers, hands), Play(answers, hands)
        seats, votes = Seats(answers, hands), Votes(answers, hands)
        rules, managing, fair = RulesHelp(answers), Managing(), Fair(answers)
        server, board = Server(answers, managing), Leaderboard(answers)
        keeper, preferences = ScoreKeeper(answers), Preferences(answers)
        privacy = PrivacyTopic(answers)
        topics = Topics(
            tables=tables,
            play=play,
            seats=seats,
            votes=votes,
            planning=Planning(hands),
            fair=fair,
            rules=rules,
            server=server,
            board=board,
            keeper=keeper,
            customise=Customise(managing),
            houses=Houses(managing),
            preferences=preferences,
            privacy=privacy,
        )
        others = (Places(answers), BotStatus(answers), rules, keeper, preferences, fair)
        self.tree.add_command(hearts_group([tables, play, seats, votes, *others]))
        for topic in (server, board, preferences, privacy):
            for command in topic.commands():
                self.tree.add_command(command)
        self._listen(topics)

    def _listen(self, topics: Topics) -> None:
        self.tree.add_command(Challenge(self.answers).command())
        self.add_listener(Router(self.answers, topics).on_interaction)
        for listener in Upkeep(self, self.services).listeners():
            self.add_listener(listener)

    async def setup_hook(self) -> None:
        """Called by the library once Discord has accepted the token."""
        self.up_since = self.services.clock.now()

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Count; Discord takes a token away that says too often whose it is."""
        self.requests.identified()
        await super().before_identify_hook(shard_id, initial=initial)

    @property
    def reachable(self) -> bool:
        """Whether clicks come in at this moment."""
        return self.is_ready() and not self.services.reach.lost

    def figures(self) -> Mapping[str, float]:
        """What it counts for a while only, by name."""
        return self.requests.figures()

    async def close(self) -> None:
        """As the library's, which fails at what never tried to log in."""
        if isinstance(self.loop, asyncio.AbstractEventLoop):
            await super().close()

    async def on_message(self, message: discord.Message, /) -> None:
        """Ignore what people write: this bot has no prefix commands."""

    async def sync_commands(self, guild_id: int | None = None) -> str:
        """Send the commands to Discord if they differ from what was sent last.

        They live in all servers or in one; the other place is cleared, else people see every
        command twice. Needs a login.

        Args:
            guild_id: only this server, for work on the commands; ``None``: all servers.

        Returns:
            A line for the operator that says what was done.

        Raises:
            CommandsRefusedError: Discord does not take them.
        """
        try:
            return await self._sync(guild_id)
        except (discord.HTTPException, aiohttp.ClientError, OSError) as refusal:
            raise CommandsRefusedError(str(refusal)) from refusal

    async def _sync(self, guild_id: int | None) -> str:
        payloads = command_payloads(self)
        settings = self.services.settings
        sent = f"{guild_id or _ALL}:{_hash(payloads)}"
        known = await settings.remembered(_SENT) or ""
        if known == sent:
            return f"Discord already knows these {len(payloads)} commands; nothing was sent."
        await self._clear_other_place(known.partition(":")[0], guild_id)
        before = {command["name"] for command in await self._remote_commands(guild_id)}
        stored = await self._replace_commands(guild_id, payloads)
        ids = {command["name"]: int(command["id"]) for command in stored}
        await settings.remember(COMMAND_IDS, json.dumps(ids))
        await settings.remember(_SENT, sent)
        return _difference(before, set(ids), guild_id)

    async def _clear_other_place(self, known_place: str, guild_id: int | None) -> None:
        if guild_id is not None:
            await self._replace_commands(None, [])
        elif known_place.isdecimal():
            await self._replace_commands(int(known_place), [])

    async def _remote_commands(self, guild_id: int | None) -> Sequence[Mapping[str, Any]]:
        application = self._own_id()
        if guild_id is None:
            return await self.http.get_global_commands(application)
        return await self.http.get_guild_commands(application, guild_id)

    async def _replace_commands(
        self, guild_id: int | None, payloads: list[dict[str, Any]]
    ) -> Sequence[Mapping[str, Any]]:
        application = self._own_id()
        if guild_id is None:
            return await self.http.bulk_upsert_global_commands(application, payload=payloads)
        return await self.http.bulk_upsert_guild_commands(application, guild_id, payload=payloads)

    def _own_id(self) -> int:
        if self.application_id is None:
            raise RuntimeError("commands are synced after the login")
        return self.application_id


class _Tree(app_commands.CommandTree[HeartsBot]):
    """The commands. What escapes one becomes words, as everywhere."""

    async def interaction_check(self, interaction: Interaction, /) -> bool:
        """Whether a command, or the list of an option, comes no faster than it may."""
        return await flood_of(interaction).lets_in(interaction)

    async def on_error(
        self, interaction: Interaction, error: app_commands.AppCommandError, /
    ) -> None:
        await report(interaction, error)


async def log_in(bot: HeartsBot, token: str) -> None:
    """Make Discord accept the token; no gateway is opened yet.

    Raises:
        TokenRefusedError: it does not.
        DiscordUnreachableError: it cannot be asked.
    """
    try:
        await bot.login(token)
    except discord.LoginFailure as refusal:
        raise TokenRefusedError from refusal
    except (discord.HTTPException, aiohttp.ClientError, OSError) as failure:
        raise DiscordUnreachableError(type(failure).__name__) from failure


async def run_bot(bot: HeartsBot) -> None:
    """Open the gateway of a bot that has logged in, and play until it is closed.

    Raises:
        IntentsRefusedError: Discord does not grant what the bot asks to be told of.
    """
    try:
        await bot.connect()
    except discord.PrivilegedIntentsRequired as refusal:
        raise IntentsRefusedError from refusal


def _hash(payloads: list[dict[str, Any]]) -> str:
    return hashlib.sha256(json.dumps(payloads, sort_keys=True).encode()).hexdigest()


def _difference(before: set[str], after: set[str], guild_id: int | None) -> str:
    place = "all servers" if guild_id is None else f"server {guild_id}"
    parts = [f"Sent {len(after)} commands to {place}"]
    if new := sorted(after - before):
        parts.append(f"new: {', '.join(new)}")
    if gone := sorted(before - after):
        parts.append(f"gone: {', '.join(gone)}")
    return "; ".join(parts) + "."
