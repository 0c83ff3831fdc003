"""`/hearts rules`, `/hearts variants`, `/hearts help`: words about the game and the bot."""

import json
from collections.abc import Mapping
from typing import Any, assert_never

import discord
from discord import app_commands

from bot.rules import families
from bot.rules.dimensions import SEATS
from bot.rules.ruleset import Ruleset
from bot.table.ports import Settings
from cogs import choosing
from cogs.answers import Answer, Answers, Here, Private
from cogs.commands import COMMAND_IDS, subcommand
from cogs.errors import BadOptionError, UnknownChoiceError
from cogs.inputs import choice_of, values_of
from cogs.opening import chosen_ruleset, complete_variant, demand_seats, server_settings
from cogs.services import Interaction, services_of
from cogs.ui import ids
from cogs.ui.help import Topic, render_help
from cogs.ui.rule_ids import ChooseVariantFamily
from cogs.ui.rules import render_rules
from cogs.ui.variants import EVERYTHING, render_family, render_variants

Press = ids.ShowHelp | ids.ChooseHelp | ChooseVariantFamily
"""What can be pressed on help, and on the list of variants."""


class RulesHelp:
    """Reading matter, always private."""

    def __init__(self, answers: Answers) -> None:
        self._answers = answers

    @subcommand("rules", "Show the rules of a table or a variant, what is special first")
    @app_commands.describe(
        variant="A variant to read about; left out: this channel's table, or the server's usual",
        seats="For how many players; left out: as many as the table has, or the usual number",
        table="A table whose rules to show",
    )
    @app_commands.autocomplete(variant=complete_variant, table=choosing.complete_visible)
    async def rules(
        self,
        interaction: discord.Interaction[Any],
        variant: str | None = None,
        seats: app_commands.Range[int, SEATS[0], SEATS[-1]] | None = None,
        table: str | None = None,
    ) -> None:
        """Show the rules that are meant."""
        await self._answers.give(interaction, self._rules(interaction, variant, seats, table))

    @subcommand("variants", "List the kinds of Hearts that can be played")
    async def variants(self, interaction: discord.Interaction[Any]) -> None:
        """Show the list."""
        await self._answers.give(interaction, self._variants(interaction))

    @subcommand("help", "How to play with this bot")
    async def help(self, interaction: discord.Interaction[Any]) -> None:
        """Show the first topic."""
        await self._answers.give(interaction, self._help(interaction))

    async def press(self, interaction: Interaction, action: Press) -> Answer:
        """Show the help, or another topic of it."""
        match action:
            case ids.ShowHelp():
                return await self._help(interaction)
            case ids.ChooseHelp():
                topic = choice_of(Topic, values_of(interaction))
                return Here(await _help_on(interaction, topic))
            case ChooseVariantFamily():
                return Here(_family(interaction))
            case _:
                assert_never(action)

    async def _help(self, interaction: Interaction) -> Answer:
        return Private(await _help_on(interaction, Topic.START))

    async def _variants(self, interaction: Interaction) -> Answer:
        return Private(render_variants(interaction.locale))

    async def _rules(
        self,
        interaction: Interaction,
        variant: str | None,
        seats: int | None,
        table: str | None,
    ) -> Answer:
        ruleset, usual = await _meant(interaction, variant, table)
        demand_seats(ruleset, seats or usual)
        return Private(render_rules(ruleset, seats or usual, interaction.locale))


async def _meant(
    interaction: Interaction, variant: str | None, table: str | None
) -> tuple[Ruleset, int]:
    """The rules somebody wants to read, and for how many seats."""
    if variant is None:
        try:
            table_id = await choosing.visible_table(interaction, table)
        except BadOptionError:
            pass  # no table, or no single one: then the usual rules are meant
        else:
            view = await services_of(interaction).tables.view(table_id)
            return view.ruleset, view.seats
    ruleset = chosen_ruleset(await server_settings(interaction), variant)
    return ruleset, ruleset.default_players


async def _help_on(interaction: Interaction, topic: Topic) -> discord.ui.LayoutView:
    known = await command_ids(services_of(interaction).settings)
    return render_help(topic, command_ids=known, locale=interaction.locale)


async def command_ids(settings: Settings) -> Mapping[str, int]:
    """Ids of the commands by name, for links that a tap carries out; empty before a sync."""
    ids_by_name: dict[str, int] = json.loads(await settings.remembered(COMMAND_IDS) or "{}")
    return ids_by_name


def _family(interaction: Interaction) -> discord.ui.LayoutView:
    """One family of variants, or the list of all."""
    values, locale = values_of(interaction), interaction.locale
    if values == [EVERYTHING]:
        return render_variants(locale)
    for family in families.families():
        if values == [family.id]:
            return render_family(family, locale)
    raise UnknownChoiceError
