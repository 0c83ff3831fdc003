"""`/hearts move` and `/hearts admin`: where tables stand, and which ones a server has."""

from typing import Any

import discord
from discord import app_commands

from bot.rules.errors import HeartsError
from bot.rules.sentence import Sentence
from bot.table import commands
from bot.table.ids import ChannelId
from cogs import choosing
from cogs.answers import Answer, Answers, Private
from cogs.commands import subcommand
from cogs.errors import NotHereError, server_of
from cogs.opening import demand_open_channel, opened_here
from cogs.permissions import demand_rights, missing_rights
from cogs.services import Interaction, cause_of, channel_of, services_of, user_of
from cogs.tables import may_moderate
from cogs.ui.admin import AdminLine, Place, render_admin
from cogs.ui.questions import end_question


class NotAdminError(HeartsError):
    """Somebody without Manage Server asked."""

    sentence = Sentence(
        "Only people who may manage this server can see all its tables. "
        "`/hearts games` lists yours."
    )


_ONLY_SERVERS = Sentence("A table stands in a channel of a server. Use this command there.")
_LISTED_THERE = Sentence("I list the tables of a server there. Use this command in the server.")
_OTHER_SERVER = Sentence(
    "That table belongs to another server, and a table stays in its server. Move it there."
)
_MOVED = Sentence("The table stands here from now on. Its newest post comes in a moment.")


class Places:
    """Moves tables, and shows a server's to those who manage it."""

    def __init__(self, answers: Answers) -> None:
        self._answers = answers

    @subcommand("move", "Move a table to this channel or thread; for its host and moderators")
    @app_commands.describe(table=choosing.DESCRIPTION)
    @app_commands.autocomplete(table=choosing.complete_visible)
    async def move(self, interaction: discord.Interaction[Any], table: str | None = None) -> None:
        """Let the table go on where the command is typed."""
        await self._answers.give(interaction, self._move(interaction, table))

    @subcommand("admin", "List all tables of this server, or end one; for those who manage it")
    @app_commands.describe(table="A table to end; left out: I list them all")
    @app_commands.autocomplete(table=choosing.complete_server)
    async def admin(self, interaction: discord.Interaction[Any], table: str | None = None) -> None:
        """List them, or ask whether one shall be ended."""
        await self._answers.give(interaction, self._admin(interaction, table))

    async def _admin(self, interaction: Interaction, wanted: str | None) -> Answer:
        server = server_of(interaction, _LISTED_THERE)
        if not interaction.permissions.manage_guild:
            raise NotAdminError
        services = services_of(interaction)
        if wanted is None:
            rows = await services.events.live_tables_in(server)
            lines = [AdminLine(row, _place(interaction, row.channel_id)) for row in rows]
            return Private(render_admin(lines, interaction.locale))
        view = await services.tables.view(await choosing.server_table(interaction, server, wanted))
        return Private(end_question(view, interaction.locale))

    async def _move(self, interaction: Interaction, wanted: str | None) -> Answer:
        services, server = services_of(interaction), server_of(interaction, _ONLY_SERVERS)
        demand_open_channel(interaction, await services.settings.server(server))
        demand_rights(interaction)
        table_id = await choosing.visible_table(interaction, wanted)
        view = await services.tables.view(table_id)
        if view.guild_id != server:
            raise NotHereError(_OTHER_SERVER)
        here = channel_of(interaction)
        moderates = may_moderate(interaction, view)
        command = commands.MoveTable(user_of(interaction), here, moderates)
        moving = services.tables.ask(cause_of(interaction), table_id, command)
        await opened_here(interaction, moving)
        return Private(_MOVED)


def _place(interaction: Interaction, channel_id: ChannelId) -> Place:
    """What the gateway last told of a channel; one that was archived long ago may look gone."""
    channel = interaction.client.get_channel(channel_id)
    if not isinstance(channel, discord.abc.GuildChannel | discord.Thread):
        return Place.GONE
    in_thread = isinstance(channel, discord.Thread)
    granted = channel.permissions_for(channel.guild.me)
    return Place.MUTE if missing_rights(granted, in_thread=in_thread) else Place.FINE
