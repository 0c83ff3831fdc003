"""The one door for clicks, menus and modals: all that a button knows is in its custom id."""

from dataclasses import dataclass
from typing import Any, assert_never

import discord

from cogs.answers import Answer, Answers
from cogs.customise import Customise
from cogs.errors import report
from cogs.fair import Fair
from cogs.flood import flood_of
from cogs.house_rules import Houses
from cogs.persons import Preferences
from cogs.planning import Planning
from cogs.play import Look, Move, Play
from cogs.privacy import PrivacyTopic
from cogs.rules_help import Press as HelpPress
from cogs.rules_help import RulesHelp
from cogs.scorekeeper import ScoreKeeper
from cogs.seats import Seats
from cogs.server import Press as SettingsPress
from cogs.server import Server
from cogs.services import Interaction, services_of
from cogs.standings import Leaderboard
from cogs.tables import Press as TablePress
from cogs.tables import Tables
from cogs.ui import (
    fair_ids,
    ids,
    keeper_ids,
    plan_ids,
    preference_ids,
    privacy_ids,
    rule_ids,
    seat_ids,
    vote_ids,
)
from cogs.votes import Votes

_CLICKS = frozenset({discord.InteractionType.component, discord.InteractionType.modal_submit})
_IN_NEW_MESSAGE = (
    ids.OpenHand,
    ids.ShowScore,
    ids.ShowRules,
    ids.Record,
    ids.ShowHelp,
    rule_ids.Customise,
    rule_ids.ShowHouseRules,
    fair_ids.GiveCut,
    privacy_ids.ExportMine,
)
"""What is answered beside the message that was clicked, which stays as it is."""
_OPENS_FORM = (
    keeper_ids.OpenPoints,
    keeper_ids.OpenRules,
    rule_ids.AskSaveRules,
    rule_ids.AskNewHouse,
    rule_ids.AskRename,
    preference_ids.AskHours,
    fair_ids.AskCut,
    privacy_ids.AskDelete,
)
"""What is answered with a form."""
_AtTable = (
    seat_ids.SeatAction
    | vote_ids.VoteAction
    | plan_ids.PlanAction
    | fair_ids.FairAction
    | rule_ids.TableRulesAction
)
_Beside = (
    HelpPress
    | SettingsPress
    | rule_ids.HouseAction
    | ids.ServerBoard
    | keeper_ids.KeeperAction
    | preference_ids.PreferenceAction
    | privacy_ids.PrivacyAction
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Topics:
    """Who answers presses."""

    tables: Tables
    play: Play
    seats: Seats
    votes: Votes
    planning: Planning
    fair: Fair
    rules: RulesHelp
    server: Server
    board: Leaderboard
    keeper: ScoreKeeper
    customise: Customise
    houses: Houses
    preferences: Preferences
    privacy: PrivacyTopic


class Router:
    """Reads what a press asks for and hands it to the topic whose button it is.

    No view object waits for a press, so a restart makes no difference to any button.
    """

    def __init__(self, answers: Answers, topics: Topics) -> None:
        self._answers = answers
        self._topics = topics

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """Answer a click; commands go their own way through the command tree."""
        services_of(interaction).tally.count("interactions_total", kind=interaction.type.name)
        if interaction.type not in _CLICKS or not await flood_of(interaction).lets_in(interaction):
            return
        try:
            action = ids.parse(custom_id_of(interaction))
        except Exception as error:  # noqa: BLE001  the edge: whatever it was becomes words
            await report(interaction, error)
            return
        here = not isinstance(action, _IN_NEW_MESSAGE)
        await self._answers.give(
            interaction,
            self._answer(interaction, action),
            here=here,
            opens_form=isinstance(action, _OPENS_FORM),
        )

    async def _answer(self, interaction: Interaction, action: ids.Action) -> Answer:
        """Each kind of press is named once; what no topic answers is a type error."""
        if isinstance(action, TablePress):
            return await self._topics.tables.press(interaction, action)
        if isinstance(action, Look):
            return await self._topics.play.look(interaction, action)
        if isinstance(action, Move):
            return await self._topics.play.move(interaction, action)
        if isinstance(action, _AtTable):
            return await self._at_table(interaction, action)
        return await self._beside(interaction, action)

    async def _at_table(self, interaction: Interaction, action: _AtTable) -> Answer:
        """What is decided around a game."""
        if isinstance(action, seat_ids.SeatAction):
            return await self._topics.seats.press(interaction, action)
        if isinstance(action, vote_ids.VoteAction):
            return await self._topics.votes.press(interaction, action)
        if isinstance(action, plan_ids.PlanAction):
            return await self._topics.planning.press(interaction, action)
        if isinstance(action, fair_ids.FairAction):
            return await self._topics.fair.press(interaction, action)
        if isinstance(action, rule_ids.TableRulesAction):
            return await self._topics.customise.press(interaction, action)
        assert_never(action)

    async def _beside(self, interaction: Interaction, action: _Beside) -> Answer:
        """What belongs to no table."""
        if isinstance(action, HelpPress):
            return await self._topics.rules.press(interaction, action)
        if isinstance(action, SettingsPress):
            return await self._topics.server.press(interaction, action)
        if isinstance(action, rule_ids.HouseAction):
            return await self._topics.houses.press(interaction, action)
        if isinstance(action, ids.ServerBoard):
            return await self._topics.board.press(interaction, action)
        if isinstance(action, keeper_ids.KeeperAction):
            return await self._topics.keeper.press(interaction, action)
        if isinstance(action, preference_ids.PreferenceAction):
            return await self._topics.preferences.press(interaction, action)
        if isinstance(action, privacy_ids.PrivacyAction):
            return await self._topics.privacy.press(interaction, action)
        assert_never(action)


def custom_id_of(interaction: Interaction) -> str:
    """What the component or modal carries; empty where the payload is none of either."""
    data: Any = interaction.data or {}
    return str(data.get("custom_id", ""))
