"""Opening, joining, leaving and ending tables: commands, and the buttons of a lobby."""

from collections.abc import Awaitable
from typing import Any, assert_never

import discord
from discord import app_commands

from bot.rules.sentence import Sentence
from bot.table.clocks import MOVE_CLOCKS
from bot.table.commands import CallLastDeal
from bot.table.errors import NotHostError
from bot.table.ids import TableId
from bot.table.state import Status
from bot.table.views import TableView
from cogs import choosing
from cogs.answers import Answer, Answers, Here, Nothing, Private
from cogs.commands import subcommand
from cogs.inputs import one_of, values_of
from cogs.open_hands import OpenHands
from cogs.opening import Wish, complete_variant, open_rematch, open_table
from cogs.poster import draw_post
from cogs.services import Interaction, cause_of, is_private, services_of, user_of
from cogs.ui import ids
from cogs.ui.games import render_games
from cogs.ui.levels import LEVELS
from cogs.ui.notice import render_notice
from cogs.ui.questions import end_question, leave_question, votable_deal
from cogs.ui.votes import last_deal_panel
from cogs.words import capital, say

LobbyPress = (
    ids.Join | ids.LeaveLobby | ids.AddRobot | ids.ChooseRobot | ids.RemoveRobot | ids.Start
)
"""What changes a lobby."""
Press = (
    LobbyPress
    | ids.AskLeave
    | ids.ConfirmLeave
    | ids.AskEnd
    | ids.ConfirmEnd
    | ids.CallLastDeal
    | ids.Rematch
)
"""The buttons that are answered here."""

_LEFT_LOBBY = Sentence("You left the lobby.")
_LEFT_GAME = Sentence(
    "You left the game, and a robot plays on for you. You can take your seat back with "
    "`/hearts hand`, unless somebody else has taken it over."
)
_ENDED = Sentence("The table is closed.")
_CALLED = Sentence("You called the last deal. Play this one to its end; everybody is told.")
_CLOCK_NAMES = {
    "live": "Live: 1 minute a move",
    "1h": "1 hour a move",
    "8h": "8 hours a move",
    "24h": "24 hours a move",
    "72h": "72 hours a move",
    "7d": "7 days a move",
    "off": "No limit",
}
CLOCKS = [app_commands.Choice(name=_CLOCK_NAMES[c.id], value=c.id) for c in MOVE_CLOCKS]
"""What a table may have, to choose from in a command."""
_LEVELS = [
    app_commands.Choice(name=f"{capital(say(level.title))}: {say(level.manner)}", value=name)
    for name, level in LEVELS.items()
]


class Tables:
    """Everything about having a table, nothing about playing at it."""

    def __init__(self, answers: Answers, open_hands: OpenHands) -> None:
        self._answers = answers
        self._open_hands = open_hands

    @subcommand("start", "Open a table in this channel")
    @app_commands.describe(
        variant="Which kind of Hearts; left out: the one this server prefers",
        seats="How many seats; left out: the usual number, or room for everybody you name",
        member1="Somebody to keep a seat for",
        member2="Somebody to keep a seat for",
        member3="Somebody to keep a seat for",
        member4="Somebody to keep a seat for",
        member5="Somebody to keep a seat for",
        robots="How many robots sit down at once",
        level="How those robots play; left out: steady",
        clock="How long a move may take before a robot plays it",
    )
    @app_commands.autocomplete(variant=complete_variant)
    @app_commands.choices(clock=CLOCKS, level=_LEVELS)
    async def start(  # noqa: PLR0913, PLR0917  the options of the command
        self,
        interaction: discord.Interaction[Any],
        variant: str | None = None,
        seats: app_commands.Range[int, 2, 10] | None = None,
        member1: discord.User | None = None,
        member2: discord.User | None = None,
        member3: discord.User | None = None,
        member4: discord.User | None = None,
        member5: discord.User | None = None,
        robots: app_commands.Range[int, 0, 9] = 0,
        level: str | None = None,
        clock: str | None = None,
    ) -> None:
        """Open a lobby; see `cogs.opening`."""
        named = (member1, member2, member3, member4, member5)
        guests = tuple(member for member in named if member is not None)
        wish = Wish(
            variant=variant, seats=seats, clock=clock, robots=robots, level=level, guests=guests
        )
        await self._answers.give(interaction, open_table(interaction, wish))

    @subcommand("leave", "Leave a table; in a game a robot takes over your seat")
    @app_commands.describe(table=choosing.DESCRIPTION)
    @app_commands.autocomplete(table=choosing.complete_own)
    async def leave(self, interaction: discord.Interaction[Any], table: str | None = None) -> None:
        """Ask whether it is meant."""
        await self._answers.give(interaction, self._asked_to_leave(interaction, table))

    @subcommand("end", "End a table for everybody; for its host and moderators")
    @app_commands.describe(table=choosing.DESCRIPTION)
    @app_commands.autocomplete(table=choosing.complete_visible)
    async def end(self, interaction: discord.Interaction[Any], table: str | None = None) -> None:
        """Ask whether it is meant."""
        await self._answers.give(interaction, self._asked_to_end(interaction, table))

    @subcommand("games", "List your tables in all servers")
    async def games(self, interaction: discord.Interaction[Any]) -> None:
        """Show them, those first that wait for the person."""
        await self._answers.give(interaction, self._list(interaction))

    async def press(self, interaction: Interaction, action: Press) -> Answer:
        """Carry out a press on a button of a lobby, a question or a result."""
        if isinstance(action, LobbyPress):
            return await self._in_lobby(interaction, action)
        match action:
            case ids.AskLeave(table):
                self._open_hands.covered(table, user_of(interaction))
                return Here(await self._leave_question(interaction, table))
            case ids.ConfirmLeave(table):
                return await self._leave(interaction, table)
            case ids.AskEnd(table):
                self._open_hands.covered(table, user_of(interaction))
                return Here(await self._end_question(interaction, table))
            case ids.ConfirmEnd(table):
                return await self._end(interaction, table)
            case ids.CallLastDeal(table, deal):
                return await self._call_last_deal(interaction, table, deal)
            case ids.Rematch(table):
                return await open_rematch(interaction, table)
            case _:
                assert_never(action)

    async def _in_lobby(self, interaction: Interaction, action: LobbyPress) -> Answer:
        """Change the lobby, and with the same answer the post that was clicked.

        The publisher edits it once more; so two people who press at once cannot leave the older
        of two states standing.
        """
        if isinstance(action, ids.Join):
            # Somebody of another server may not sit down here, whatever the button says.
            await choosing.look_at(interaction, action.table)
        await self._change_lobby(interaction, action)
        if is_private(interaction):  # pressed in the own hand
            return Here(render_notice(_LEFT_LOBBY, interaction.locale))
        if interaction.message and interaction.message.content:  # a call, which goes by itself
            return Nothing()
        post, _ = await services_of(interaction).tables.post(action.table, "lobby")
        return Here(draw_post(post, interaction.guild_locale))

    def _change_lobby(self, interaction: Interaction, action: LobbyPress) -> Awaitable[TableView]:
        tables, cause = services_of(interaction).tables, cause_of(interaction)
        match action:
            case ids.Join(table):
                return tables.join(cause, table)
            case ids.LeaveLobby(table):
                return tables.leave(cause, table, lobby_only=True)
            case ids.AddRobot(table):
                return tables.add_robot(cause, table)
            case ids.ChooseRobot(table):
                level = one_of(values_of(interaction), LEVELS)
                return tables.add_robot(cause, table, level)
            case ids.RemoveRobot(table):
                return tables.remove_robot(cause, table)
            case ids.Start(table):
                return tables.start(cause, table)
            case _:
                assert_never(action)

    async def _asked_to_leave(self, interaction: Interaction, wanted: str | None) -> Answer:
        """A lobby is left at once: whoever regrets it presses Join."""
        table_id = await choosing.own_table(interaction, wanted)
        tables = services_of(interaction).tables
        if (await tables.view(table_id)).status is not Status.LOBBY:
            return Private(await self._leave_question(interaction, table_id))
        await tables.leave(cause_of(interaction), table_id, lobby_only=True)
        return Private(_LEFT_LOBBY)

    async def _leave_question(
        self, interaction: Interaction, table_id: TableId
    ) -> discord.ui.LayoutView:
        hand = await services_of(interaction).tables.hand(table_id, user_of(interaction))
        return leave_question(hand.table, interaction.locale, asker=hand.user_id)

    async def _leave(self, interaction: Interaction, table_id: TableId) -> Answer:
        tables = services_of(interaction).tables
        before = await tables.view(table_id)
        await tables.leave(cause_of(interaction), table_id)
        said = _LEFT_LOBBY if before.status is Status.LOBBY else _LEFT_GAME
        return Here(render_notice(said, interaction.locale))

    async def _asked_to_end(self, interaction: Interaction, wanted: str | None) -> Answer:
        table_id = await choosing.visible_table(interaction, wanted)
        return Private(await self._end_question(interaction, table_id))

    async def _end_question(
        self, interaction: Interaction, table_id: TableId
    ) -> discord.ui.LayoutView:
        view = await choosing.look_at(interaction, table_id)
        if not is_host_or_moderator(interaction, view):
            deal = votable_deal(view, user_of(interaction))
            if deal is None:
                raise NotHostError
            return last_deal_panel(view, deal, interaction.locale)
        return end_question(view, interaction.locale, asker=user_of(interaction))

    async def _end(self, interaction: Interaction, table_id: TableId) -> Answer:
        view = await choosing.look_at(interaction, table_id)
        moderator = may_moderate(interaction, view)
        tables = services_of(interaction).tables
        await tables.end(cause_of(interaction), table_id, moderator=moderator)
        return Here(render_notice(_ENDED, interaction.locale))

    async def _call_last_deal(
        self, interaction: Interaction, table_id: TableId, deal: int
    ) -> Answer:
        tables, call = services_of(interaction).tables, CallLastDeal(user_of(interaction), deal)
        await tables.ask(cause_of(interaction), table_id, call)
        return Here(render_notice(_CALLED, interaction.locale))

    async def _list(self, interaction: Interaction) -> Answer:
        lines = await services_of(interaction).tables.tables_of(user_of(interaction))
        client = interaction.client
        guilds = {line.guild_id: client.get_guild(line.guild_id) for line in lines}
        places = {line.channel_id: client.get_channel(line.channel_id) for line in lines}
        drawn = render_games(
            lines,
            interaction.locale,
            servers={key: guild.name for key, guild in guilds.items() if guild},
            channels={key: str(place) for key, place in places.items() if place},
        )
        return Private(drawn)


def is_host_or_moderator(interaction: Interaction, table: TableView) -> bool:
    """Whether the person decides about the table: who is its host, and when it ends."""
    return table.host == user_of(interaction) or may_moderate(interaction, table)


def may_moderate(interaction: Interaction, table: TableView) -> bool:
    """Whether the person may manage messages in the table's channel.

    Whoever may manage the server may do so anywhere in it, also where the channel is gone.
    """
    if interaction.guild_id != table.guild_id:
        return False
    if interaction.permissions.manage_guild:
        return True
    if interaction.channel_id == table.channel_id:
        return interaction.permissions.manage_messages
    channel = interaction.client.get_channel(table.channel_id)
    member = interaction.user
    if isinstance(channel, discord.abc.GuildChannel | discord.Thread) and isinstance(
        member, discord.Member
    ):
        return channel.permissions_for(member).manage_messages
    return False
