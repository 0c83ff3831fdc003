"""What the cogs are given: the table room, and the store's answers. No discord object in it."""

from dataclasses import dataclass
from typing import Any, Protocol, cast

import discord

from bot.table.ids import ChannelId, InteractionId, UserId
from bot.table.manager import TableManager
from bot.table.persons import Persons
from bot.table.ports import Clock, EventStore, Settings, Standings, Work
from bot.table.privacy import Privacy
from bot.table.reach import Reach
from bot.table.scorekeeper import ScoreKeepers
from bot.table.storing import Cause
from bot.table.tally import Tally
from bot.table.vitals import Copies, Vitals

Interaction = discord.Interaction[Any]
"""An interaction whatever the client is; what hangs on the client is asked by `services_of`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """All that a command or a click may reach."""

    tables: TableManager
    persons: Persons
    events: EventStore
    work: Work
    settings: Settings
    standings: Standings
    keepers: ScoreKeepers
    clock: Clock
    reach: Reach
    privacy: Privacy
    vitals: Vitals
    copies: Copies | None
    """``None``: the database is copied by its own tools."""
    tally: Tally


class _HasServices(Protocol):
    services: Services


def services_of(interaction: Interaction) -> Services:
    """The services of the bot that received *interaction*."""
    return cast(_HasServices, interaction.client).services


def user_of(interaction: Interaction) -> UserId:
    """Who clicked or typed."""
    return UserId(interaction.user.id)


def channel_of(interaction: Interaction) -> ChannelId:
    """Where it was clicked or typed; 0, which is no channel, if Discord does not say."""
    return ChannelId(interaction.channel_id or 0)


def is_private(interaction: Interaction) -> bool:
    """Whether what was clicked stands in a message that one person alone sees."""
    return interaction.message is not None and interaction.message.flags.ephemeral


def cause_of(interaction: Interaction) -> Cause:
    """Say who asks, when, and by which interaction, without any object of Discord's."""
    return Cause(
        at=services_of(interaction).clock.now(),
        user_id=user_of(interaction),
        interaction_id=InteractionId(interaction.id),
        name=interaction.user.display_name,
    )
