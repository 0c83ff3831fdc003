"""`/hearts substitute` and `/hearts host`: who sits where in a running game, and who is host."""

from typing import Any, assert_never

import discord
from discord import app_commands

from bot.rules.sentence import Sentence
from bot.table import commands, lobby
from bot.table.errors import AlreadySeatedError, NoRobotError, NotHostError, RobotSitsInError
from bot.table.ids import Robot, TableId, UserId
from bot.table.seat_errors import NoSubstituteError
from bot.table.state import LIVE
from bot.table.views import TableView
from cogs import choosing
from cogs.answers import Announcement, Answer, Answers, Here, Private
from cogs.commands import subcommand
from cogs.errors import BadOptionError
from cogs.names import Markup, safe_name
from cogs.open_hands import OpenHands
from cogs.services import Interaction, cause_of, services_of, user_of
from cogs.tables import is_host_or_moderator, may_moderate
from cogs.ui import seat_ids
from cogs.ui.notice import render_notice
from cogs.ui.seats import host_question, robot_seats, substitute_question

_NOBODY_TO_INVITE = Sentence(
    "Invite somebody who does not sit at this table. A robot's seat needs a person."
)
_NO_MEMBER = Sentence(
    "Only members of the table's server can be invited. Name one of them in a channel there."
)
_INVITED = Sentence("{guest} is invited.")
_INVITATION = Sentence(
    "{guest}: {host} invites you to take over the seat of a robot at the table in {place}. "
    "`/hearts substitute` shows which."
)
_PASSED_ON = Sentence("{person} is the host of this table now.")


class Seats:
    """Changes of seats and host, beside leaving and coming back."""

    def __init__(self, answers: Answers, open_hands: OpenHands) -> None:
        self._answers = answers
        self._open_hands = open_hands

    @subcommand("substitute", "Take over the seat of a robot in a running game")
    @app_commands.describe(
        member="For hosts: somebody to invite to a robot's seat", table=choosing.DESCRIPTION
    )
    @app_commands.autocomplete(table=choosing.complete_visible)
    async def substitute(
        self,
        interaction: discord.Interaction[Any],
        member: discord.User | None = None,
        table: str | None = None,
    ) -> None:
        """Ask which seat is meant, or invite somebody to one."""
        wanted = (
            self._asked_for_seat(interaction, table)
            if member is None
            else self._invited(interaction, member, table)
        )
        await self._answers.give(interaction, wanted)

    @subcommand("host", "Make somebody else the host of a table")
    @app_commands.describe(
        member="Who shall be the host; left out: I show you everybody who could",
        table=choosing.DESCRIPTION,
    )
    @app_commands.autocomplete(table=choosing.complete_visible)
    async def host(
        self,
        interaction: discord.Interaction[Any],
        member: discord.User | None = None,
        table: str | None = None,
    ) -> None:
        """Pass the table on, or ask to whom."""
        await self._answers.give(interaction, self._asked_for_host(interaction, member, table))

    async def press(self, interaction: Interaction, action: seat_ids.SeatAction) -> Answer:
        """Carry out what was chosen in one of the questions."""
        match action:
            case seat_ids.Substitute(table, seat):
                # Somebody of another server may not sit down here, whatever the button says.
                await choosing.look_at(interaction, table)
                tables = services_of(interaction).tables
                view = await tables.substitute(cause_of(interaction), table, seat)
                return self._open_hands.redrawn(interaction, view)
            case seat_ids.PassHost(table, to):
                said = await self._pass_host(interaction, table, to)
                return Here(render_notice(said, interaction.locale))
            case _:
                assert_never(action)

    async def _asked_for_seat(self, interaction: Interaction, wanted: str | None) -> Answer:
        """What the table would refuse anyway is said before somebody chooses."""
        table_id = await choosing.visible_table(interaction, wanted)
        view = await services_of(interaction).tables.view(table_id)
        own = lobby.seat_of(user_of(interaction), view.chairs)
        if own is not None:
            sits_in = isinstance(view.chairs[own], Robot)
            raise RobotSitsInError if sits_in else AlreadySeatedError
        _demand_robot_seat(view)
        return Private(substitute_question(view, interaction.locale))

    async def _invited(
        self,
        interaction: Interaction,
        member: discord.User | discord.Member,
        wanted: str | None,
    ) -> Answer:
        """Somebody who was sent away may come back by this; anybody else is only called."""
        table_id = await choosing.visible_table(interaction, wanted)
        view = await services_of(interaction).tables.view(table_id)
        if not isinstance(member, discord.Member):
            raise BadOptionError(_NO_MEMBER)
        if member.bot or lobby.seat_of(UserId(member.id), view.chairs) is not None:
            raise BadOptionError(_NOBODY_TO_INVITE)
        _demand_robot_seat(view)
        guest, moderates = UserId(member.id), may_moderate(interaction, view)
        command = commands.InvitePerson(user_of(interaction), guest, moderates)
        await services_of(interaction).tables.ask(cause_of(interaction), table_id, command)
        facts = {
            "guest": Markup(f"<@{guest}>"),
            "host": safe_name(interaction.user.display_name),
            "place": Markup(f"<#{view.channel_id}>"),
        }
        call = Announcement(Sentence(_INVITATION.text, facts), (guest,))
        return Private(Sentence(_INVITED.text, facts), announcement=call)

    async def _asked_for_host(
        self, interaction: Interaction, member: discord.User | None, wanted: str | None
    ) -> Answer:
        table_id = await choosing.visible_table(interaction, wanted)
        if member is not None:
            return Private(await self._pass_host(interaction, table_id, UserId(member.id)))
        view = await services_of(interaction).tables.view(table_id)
        if not is_host_or_moderator(interaction, view):
            raise NotHostError
        return Private(host_question(view, interaction.locale))

    async def _pass_host(self, interaction: Interaction, table_id: TableId, to: UserId) -> Sentence:
        view = await choosing.look_at(interaction, table_id)
        command = commands.PassHost(user_of(interaction), to, may_moderate(interaction, view))
        await services_of(interaction).tables.ask(cause_of(interaction), table_id, command)
        return Sentence(_PASSED_ON.text, {"person": Markup(f"<@{to}>")})


def _demand_robot_seat(view: TableView) -> None:
    if view.game is None or view.status not in LIVE:
        raise NoSubstituteError
    if not robot_seats(view):
        raise NoRobotError
