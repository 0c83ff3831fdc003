"""`/hearts status`: how the bot is, so that nobody takes a missing right for a bot that is down."""

import asyncio
import math
from datetime import datetime
from typing import Any, Protocol, cast

import discord

from bot.table.ids import GuildId
from bot.table.vitals import BackupState, in_time
from cogs.answers import Answer, Answers, Private
from cogs.commands import subcommand
from cogs.permissions import READ_BACK, Right, missing_rights
from cogs.services import Interaction, Services, services_of
from cogs.ui.status import Condition, Here, render_status

_DATABASE_SECONDS = 2.0


class _HasTimes(Protocol):
    up_since: datetime | None

    @property
    def latency(self) -> float: ...


class BotStatus:
    """Answers from what is in memory, and says so where the database does not answer."""

    def __init__(self, answers: Answers) -> None:
        self._answers = answers

    @subcommand("status", "How I am: since when I run, how fast I answer, which rights I lack here")
    async def status(self, interaction: discord.Interaction[Any]) -> None:
        """Say how the bot is, to whoever asks."""
        await self._answers.give(interaction, self._status(interaction))

    async def _status(self, interaction: Interaction) -> Answer:
        services, client = services_of(interaction), cast(_HasTimes, interaction.client)
        begun = services.clock.now()
        backlog = await in_time(services.vitals.backlog(begun), _DATABASE_SECONDS)
        answered = services.clock.now()
        condition = Condition(
            now=answered,
            up_since=client.up_since,
            latency=client.latency if math.isfinite(client.latency) else None,
            database=(answered - begun).total_seconds(),
            backlog=backlog,
            here=await _here(interaction, services, asks=backlog is not None),
            backups=await _backups(interaction, services),
        )
        return Private(render_status(condition, interaction.locale))


async def _here(interaction: Interaction, services: Services, *, asks: bool) -> Here | None:
    """What is so in this place; ``None`` in a private conversation.

    The database is left alone unless *asks*.
    """
    if interaction.guild_id is None:
        return None
    tables = services.events.live_tables_in(GuildId(interaction.guild_id)) if asks else None
    rows = await in_time(tables, _DATABASE_SECONDS) if tables else None
    return Here(tables=None if rows is None else len(rows), missing=_missing(interaction))


def _missing(interaction: Interaction) -> tuple[Right, ...]:
    granted = interaction.app_permissions
    in_thread = isinstance(interaction.channel, discord.Thread)
    needed = missing_rights(granted, in_thread=in_thread)
    return needed if READ_BACK.has(granted) else (*needed, READ_BACK)


async def _backups(interaction: Interaction, services: Services) -> BackupState | None:
    """For those who manage the server, where copies are made by the bot."""
    if services.copies is None or not interaction.permissions.manage_guild:
        return None
    return await in_time(asyncio.to_thread(services.copies.state), _DATABASE_SECONDS)
