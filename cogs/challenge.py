"""“Challenge to Hearts” in the Apps menu of a member: a lobby with that person invited."""

from typing import Any

import discord
from discord import app_commands

from bot.rules.sentence import Sentence
from cogs.answers import Answer, Answers
from cogs.commands import INSTALLED, SERVERS
from cogs.errors import BadOptionError
from cogs.opening import Wish, open_table
from cogs.services import Interaction

_NOT_ONESELF = Sentence(
    "You can't challenge yourself. `/hearts start` opens a table, and robots play against you."
)


class Challenge:
    """The menu command."""

    def __init__(self, answers: Answers) -> None:
        self._answers = answers

    def command(self) -> app_commands.ContextMenu:
        """What the command tree has to know."""
        return app_commands.ContextMenu(
            name="Challenge to Hearts",
            callback=self.challenge,
            allowed_contexts=SERVERS,
            allowed_installs=INSTALLED,
        )

    async def challenge(
        self, interaction: discord.Interaction[Any], member: discord.Member
    ) -> None:
        """Open a table here with *member* invited."""
        await self._answers.give(interaction, self._open(interaction, member))

    async def _open(self, interaction: Interaction, member: discord.Member) -> Answer:
        if member.id == interaction.user.id:
            raise BadOptionError(_NOT_ONESELF)
        return await open_table(interaction, Wish(guests=(member,)))
