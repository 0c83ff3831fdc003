"""`/settings`: what a server decides, for people who may manage it."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, assert_never

import discord
from discord import app_commands

from bot.rules import variants
from bot.rules.errors import HeartsError
from bot.rules.sentence import Sentence
from bot.table.clocks import MOVE_CLOCKS
from bot.table.ids import ChannelId, GuildId, UserId
from bot.table.storing import ServerSettings
from cogs.answers import Answer, Answers, Here, Private
from cogs.commands import INSTALLED, SERVERS
from cogs.errors import NotHereError, UnknownChoiceError
from cogs.house_rules import with_choices
from cogs.services import Interaction, services_of, user_of, values_of
from cogs.ui import ids
from cogs.ui.settings import render_settings

Press = (
    ids.ChooseVariant
    | ids.ChooseHouseRules
    | ids.ChooseClock
    | ids.ChooseChannels
    | ids.ResetSettings
)
"""What can be pressed on the panel."""

_ONLY_SERVERS = Sentence("Settings belong to a server: use this command there.")
_SAVED = Sentence("Saved. Tables that are open already keep what they began with.")
_RESET = Sentence("Everything is back to the defaults.")
_PANEL_LIFE = timedelta(minutes=15)


class NotManagerError(HeartsError):
    """Somebody without the right pressed on the panel."""

    sentence = Sentence("Only people who may manage this server can change these settings.")


class Server:
    """The panel. Each press is saved at once and checked anew."""

    def __init__(self, answers: Answers) -> None:
        self._answers = answers
        self._let_in: dict[tuple[GuildId, UserId], datetime] = {}
        """People without Manage Server to whom the server's own Integrations settings gave the
        command: Discord let their command through, but says nothing when they press."""

    def commands(self) -> Iterator[app_commands.Command[Any, ..., None]]:
        """What the command tree has to know."""
        command = app_commands.Command[Any, ..., None](
            name="settings",
            description="Choose how Hearts is played in this server",
            callback=self.settings,
            allowed_contexts=SERVERS,
            allowed_installs=INSTALLED,
        )
        command.default_permissions = discord.Permissions(manage_guild=True)
        yield command

    async def settings(self, interaction: discord.Interaction[Any]) -> None:
        """Show the panel. Discord has checked that the person may."""
        await self._answers.give(interaction, self._panel(interaction))

    async def press(self, interaction: Interaction, action: Press) -> Answer:
        """Save what was chosen and show the panel as it is stored."""
        guild_id = _server(interaction)
        self._demand_right(interaction, guild_id)
        settings = services_of(interaction).settings
        before = await settings.server(guild_id)
        after = _changed(before, action, values_of(interaction))
        await settings.save_server(guild_id, after)
        said = _RESET if isinstance(action, ids.ResetSettings) else _SAVED
        stored = await settings.server(guild_id)
        return Here(render_settings(stored, saved=said, locale=interaction.locale))

    async def _panel(self, interaction: Interaction) -> Answer:
        guild_id = _server(interaction)
        if not interaction.permissions.manage_guild:
            now = services_of(interaction).clock.now()
            self._let_in[guild_id, user_of(interaction)] = now
        stored = await services_of(interaction).settings.server(guild_id)
        return Private(render_settings(stored, locale=interaction.locale))

    def _demand_right(self, interaction: Interaction, guild_id: GuildId) -> None:
        now = services_of(interaction).clock.now()
        self._let_in = {who: at for who, at in self._let_in.items() if now - at < _PANEL_LIFE}
        if interaction.permissions.manage_guild:
            return
        if (guild_id, user_of(interaction)) not in self._let_in:
            raise NotManagerError


def _changed(before: ServerSettings, action: Press, values: list[str]) -> ServerSettings:
    match action:
        case ids.ChooseVariant():
            # Options belong to the variant they were chosen for.
            return replace(before, variant=_one_of(values, variants.names()), rules={})
        case ids.ChooseHouseRules(menu):
            return replace(before, rules=with_choices(before.rules, menu, values))
        case ids.ChooseClock():
            return replace(before, clock=_one_of(values, [clock.id for clock in MOVE_CLOCKS]))
        case ids.ChooseChannels():
            return replace(before, channels=_channels(values))
        case ids.ResetSettings():
            return ServerSettings(rules={}, greeted=before.greeted)
        case _:
            assert_never(action)


def _one_of(values: list[str], offered: tuple[str, ...] | list[str]) -> str:
    if len(values) != 1 or values[0] not in offered:
        raise UnknownChoiceError
    return values[0]


def _channels(values: list[str]) -> tuple[ChannelId, ...]:
    if not all(value.isascii() and value.isdecimal() for value in values):
        raise UnknownChoiceError
    return tuple(ChannelId(int(value)) for value in values)


def _server(interaction: Interaction) -> GuildId:
    if interaction.guild_id is None:
        raise NotHereError(_ONLY_SERVERS)
    return GuildId(interaction.guild_id)
