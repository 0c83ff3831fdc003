"""`/leaderboard` and `/stats`: what came of the games of a server."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any, assert_never

import discord
from discord import app_commands

from bot.rules.sentence import Sentence
from bot.table.ids import UserId
from cogs.answers import Answer, Answers, Here, Private
from cogs.commands import INSTALLED, SERVERS
from cogs.errors import server_of
from cogs.inputs import choice_of
from cogs.services import Interaction, services_of, user_of
from cogs.ui import ids
from cogs.ui.standings import render_board, render_stats

_ONLY_SERVERS = Sentence("Each server has a board of its own: use this command in a server.")
_MONTH = timedelta(days=30)
_PERIODS = [
    app_commands.Choice(name="All time", value=ids.Period.ALL.value),
    app_commands.Choice(name="Last 30 days", value=ids.Period.DAYS_30.value),
]


class Leaderboard:
    """Boards and statistics; nothing of them is asked of Discord, names are the stored ones."""

    def __init__(self, answers: Answers) -> None:
        self._answers = answers

    def commands(self) -> Iterator[app_commands.Command[Any, ..., None]]:
        """What the command tree has to know."""
        yield app_commands.Command(
            name="leaderboard",
            description="Who plays Hearts best in this server",
            callback=self.leaderboard,
            allowed_contexts=SERVERS,
            allowed_installs=INSTALLED,
        )
        yield app_commands.Command(
            name="stats",
            description="What came of somebody's games in this server",
            callback=self.stats,
            allowed_contexts=SERVERS,
            allowed_installs=INSTALLED,
        )

    @app_commands.describe(period="Which games count")
    @app_commands.choices(period=_PERIODS)
    async def leaderboard(
        self, interaction: discord.Interaction[Any], period: str = ids.Period.ALL.value
    ) -> None:
        """Show the first page."""
        await self._answers.give(interaction, self._first_page(interaction, period))

    @app_commands.describe(member="Whose; left out: yours")
    async def stats(
        self, interaction: discord.Interaction[Any], member: discord.User | None = None
    ) -> None:
        """Show somebody's results."""
        await self._answers.give(interaction, self._stats(interaction, member))

    async def press(self, interaction: Interaction, action: ids.ServerBoard) -> Answer:
        """Turn to another page or period."""
        return Here(await self._board(interaction, action.period, action.page))

    async def _first_page(self, interaction: Interaction, period: str) -> Answer:
        return Private(await self._board(interaction, choice_of(ids.Period, [period]), 1))

    async def _board(
        self, interaction: Interaction, period: ids.Period, page: int
    ) -> discord.ui.LayoutView:
        services = services_of(interaction)
        since = _since(period, services.clock.now())
        asking = user_of(interaction)
        board = await services.standings.board(
            server_of(interaction, _ONLY_SERVERS), since=since, page=page, asking=asking
        )
        return render_board(board, period, interaction.locale)

    async def _stats(self, interaction: Interaction, member: discord.User | None) -> Answer:
        person = member or interaction.user
        standings = services_of(interaction).standings
        stats = await standings.person(server_of(interaction, _ONLY_SERVERS), UserId(person.id))
        return Private(render_stats(stats, person.display_name, interaction.locale))


def _since(period: ids.Period, now: datetime) -> datetime | None:
    match period:
        case ids.Period.ALL:
            return None
        case ids.Period.DAYS_30:
            return now - _MONTH
        case _:
            assert_never(period)
