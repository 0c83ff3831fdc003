"""`/settings`: what a server decides, for people who may manage it."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, assert_never

import discord
from discord import app_commands

from bot.rules import variants
from bot.rules.sentence import Sentence
from bot.table import house
from bot.table.clocks import CLOCK_IDS
from bot.table.ids import ChannelId
from bot.table.storing import CLAIMS, ServerSettings
from cogs.answers import Answer, Answers, Here, Private
from cogs.commands import INSTALLED, SERVERS
from cogs.errors import UnknownChoiceError, server_of
from cogs.inputs import one_of, only, values_of
from cogs.managing import ONLY_SERVERS, Managing
from cogs.services import Interaction, services_of
from cogs.ui import rule_ids, server_ids
from cogs.ui.id_shapes import whole
from cogs.ui.settings import IN_THREAD, STANDS, VACATIONS, render_settings

Change = rule_ids.ChooseUsual | rule_ids.ChooseUsualHouse | server_ids.ServerAction
"""What changes something on the panel."""
Press = Change | rule_ids.ShowSettings
"""What can be pressed to see the panel or to change something on it."""

_SAVED = Sentence("Saved. Tables that are open already keep what they began with.")
_RESET = Sentence("Everything is back to the defaults. House rules are still there.")


class Server:
    """The panel. Each press is saved at once and checked anew."""

    def __init__(self, answers: Answers, managing: Managing) -> None:
        self._answers = answers
        self._managing = managing

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
        if isinstance(action, rule_ids.ShowSettings):
            stored = await self._managing.look(interaction)
            return Here(render_settings(stored, locale=interaction.locale))
        values = values_of(interaction)
        after = await self._managing.change(
            interaction, lambda before: _changed(before, action, values)
        )
        said = _RESET if isinstance(action, server_ids.ResetSettings) else _SAVED
        return Here(render_settings(after, saved=said, locale=interaction.locale))

    async def _panel(self, interaction: Interaction) -> Answer:
        server = server_of(interaction, ONLY_SERVERS)
        self._managing.let_in(interaction)
        stored = await services_of(interaction).settings.server(server)
        return Private(render_settings(stored, locale=interaction.locale))


def _changed(before: ServerSettings, action: Change, values: list[str]) -> ServerSettings:
    match action:
        case rule_ids.ChooseUsual():
            preset = one_of(values, variants.names())
            return replace(before, variant=preset, default_house=None)
        case rule_ids.ChooseUsualHouse():
            return house.made_usual(before, only(values))
        case _:
            return _beside_rules(before, action, values)


def _beside_rules(
    before: ServerSettings, action: server_ids.ServerAction, values: list[str]
) -> ServerSettings:
    match action:
        case server_ids.ChooseClock():
            return replace(before, clock=one_of(values, CLOCK_IDS))
        case server_ids.ChooseChannels():
            return replace(before, channels=_channels(values))
        case server_ids.ChooseVacation():
            days = one_of(values, [str(number) for number in VACATIONS])
            return replace(before, vacation_days=int(days))
        case server_ids.ChooseThreads():
            return replace(before, threads=one_of(values, STANDS) == IN_THREAD)
        case server_ids.ChooseClaims():
            return replace(before, claims=one_of(values, CLAIMS))
        case server_ids.ResetSettings():
            return ServerSettings(house_rules=before.house_rules, greeted=before.greeted)
        case _:
            assert_never(action)


def _channels(values: list[str]) -> tuple[ChannelId, ...]:
    try:
        return tuple(ChannelId(whole(value)) for value in values)
    except ValueError as cause:
        raise UnknownChoiceError from cause
