"""`/hearts pause`, `clock` and `kick`: what people at a table agree on, by votes in its post."""

from typing import Any, assert_never

import discord
from discord import app_commands

from bot.rules.cards import Seat
from bot.rules.sentence import Sentence
from bot.table import commands
from bot.table.ballots import ChangeClock, EndDeal, Kick, LastDeal, Pause, TableSubject
from bot.table.clocks import CLOCK_IDS, move_clock
from bot.table.ids import Human, TableId, UserId
from bot.table.seat_errors import NotAtTableError
from bot.table.views import TableView
from cogs import choosing
from cogs.answers import Answer, Answers, Here, Nothing, Private
from cogs.commands import subcommand
from cogs.errors import BadOptionError
from cogs.inputs import one_of
from cogs.names import Markup
from cogs.open_hands import OpenHands
from cogs.services import Interaction, cause_of, is_private, services_of, user_of
from cogs.tables import CLOCKS, may_moderate
from cogs.ui import vote_ids
from cogs.ui.notice import render_notice
from cogs.ui.votes import pause_panel

_ASKED = Sentence(
    "You asked the table. The vote stands in its newest post in {place}, and you have voted for it."
)
_SETTLED = Sentence("That is settled, and the table is told.")
_SAME_CLOCK = Sentence("The table has that clock already. Choose another one.")


class Votes:
    """Calls votes, and counts presses on their buttons."""

    def __init__(self, answers: Answers, open_hands: OpenHands) -> None:
        self._answers = answers
        self._open_hands = open_hands

    @subcommand("pause", "Pause a table, once everybody at it agrees")
    @app_commands.describe(table=choosing.DESCRIPTION)
    @app_commands.autocomplete(table=choosing.complete_own)
    async def pause(self, interaction: discord.Interaction[Any], table: str | None = None) -> None:
        """Call the vote; in a pause, offer to end it."""
        await self._answers.give(interaction, self._pause(interaction, table))

    @subcommand("clock", "Ask the table for another clock in the middle of its game")
    @app_commands.describe(
        clock="How long a move may take before a robot plays it", table=choosing.DESCRIPTION
    )
    @app_commands.choices(clock=CLOCKS)
    @app_commands.autocomplete(table=choosing.complete_own)
    async def clock(
        self, interaction: discord.Interaction[Any], clock: str, table: str | None = None
    ) -> None:
        """Call the vote."""
        await self._answers.give(interaction, self._clock(interaction, clock, table))

    @subcommand("kick", "Give somebody's seat to a robot, by a vote or as a moderator")
    @app_commands.describe(member="Whose seat", table=choosing.DESCRIPTION)
    @app_commands.autocomplete(table=choosing.complete_visible)
    async def kick(
        self,
        interaction: discord.Interaction[Any],
        member: discord.User,
        table: str | None = None,
    ) -> None:
        """Do it at once for a moderator; else call the vote."""
        await self._answers.give(interaction, self._kick(interaction, UserId(member.id), table))

    async def press(self, interaction: Interaction, action: vote_ids.VoteAction) -> Answer:
        """Count a vote, end a pause or a deal, or ask for the last deal."""
        user = user_of(interaction)
        match action:
            case vote_ids.CastVote(table, number, is_for):
                await self._ask(interaction, table, commands.CastVote(user, number, is_for))
                return Nothing()
            case vote_ids.EndPause(table):
                view = await self._ask(interaction, table, commands.EndPause(user))
                if is_private(interaction):
                    self._open_hands.covered(table, user)
                    return Here(render_notice(_told(view, None), interaction.locale))
                return Nothing()
            case vote_ids.EndDeal(table, deal):
                said = await self._call(interaction, table, EndDeal(deal))
                if is_private(interaction):
                    self._open_hands.covered(table, user)
                    return Here(render_notice(said, interaction.locale))
                return Nothing()
            case vote_ids.AskLastDeal(table, deal):
                said = await self._call(interaction, table, LastDeal(deal))
                return Here(render_notice(said, interaction.locale))
            case _:
                assert_never(action)

    async def _pause(self, interaction: Interaction, wanted: str | None) -> Answer:
        table_id = await choosing.own_table(interaction, wanted)
        view = await services_of(interaction).tables.view(table_id)
        if view.agreed_pause:
            return Private(pause_panel(view, interaction.locale))
        return Private(await self._call(interaction, table_id, Pause()))

    async def _clock(self, interaction: Interaction, wish: str, wanted: str | None) -> Answer:
        table_id = await choosing.own_table(interaction, wanted)
        view = await services_of(interaction).tables.view(table_id)
        clock = move_clock(one_of([wish], CLOCK_IDS))
        if clock == view.clock:
            raise BadOptionError(_SAME_CLOCK)
        subject = ChangeClock(view.clock, clock)
        return Private(await self._call(interaction, table_id, subject))

    async def _kick(self, interaction: Interaction, who: UserId, wanted: str | None) -> Answer:
        table_id = await choosing.visible_table(interaction, wanted)
        view = await services_of(interaction).tables.view(table_id)
        if may_moderate(interaction, view):
            removal = commands.RemovePerson(user_of(interaction), who)
            await self._ask(interaction, table_id, removal)
            return Private(_SETTLED)
        if Human(who) not in view.chairs:
            raise NotAtTableError
        subject = Kick(Seat(view.chairs.index(Human(who))), who)
        return Private(await self._call(interaction, table_id, subject))

    async def _call(
        self, interaction: Interaction, table_id: TableId, subject: TableSubject
    ) -> Sentence:
        called = commands.CallVote(user_of(interaction), subject)
        return _told(await self._ask(interaction, table_id, called), subject)

    async def _ask(
        self, interaction: Interaction, table_id: TableId, command: commands.Asked
    ) -> TableView:
        tables = services_of(interaction).tables
        return await tables.ask(cause_of(interaction), table_id, command)


def _told(view: TableView, subject: TableSubject | None) -> Sentence:
    """Whether something was settled at once, or has to be voted about."""
    if subject is None or all(vote.subject != subject for vote in view.votes):
        return _SETTLED
    return Sentence(_ASKED.text, {"place": Markup(f"<#{view.channel_id}>")})
