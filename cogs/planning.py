"""Playing ahead: what the buttons of the private panel do."""

from dataclasses import replace
from typing import assert_never

from bot.rules.cards import Card
from bot.rules.errors import HeartsError
from bot.rules.sentence import Sentence
from bot.table import commands
from bot.table.errors import NotSeatedError, StaleClickError, UnknownTableError
from bot.table.ids import TableId
from bot.table.plans import OneCard
from bot.table.views import HandView
from cogs.answers import Answer, Here
from cogs.inputs import only, values_of
from cogs.open_hands import OpenHands
from cogs.services import Interaction, cause_of, services_of, user_of
from cogs.ui.plan_ids import OpenPlans, PlanAction, SetCardAside, SwitchPlan, TakeCardBack
from cogs.ui.plans import may_plan, render_plans

_NOTHING_TO_PLAN = Sentence("You can plan ahead while a deal is played and the seat is yours.")
_NO_CARD_ASIDE = Sentence(
    "No card of yours is set aside any more: it has been played, or you took it back."
)


class Planning:
    """Sets cards aside and takes them back. All of it is stored before it is answered."""

    def __init__(self, open_hands: OpenHands) -> None:
        self._open_hands = open_hands

    async def press(self, interaction: Interaction, action: PlanAction) -> Answer:
        """Change what is planned and show the panel; a refusal shows the hand and why."""
        tables, user = services_of(interaction).tables, user_of(interaction)
        try:
            view = await self._changed(interaction, action)
        except (NotSeatedError, UnknownTableError):
            raise
        except HeartsError as refusal:
            view = await tables.hand(action.table, user)
            return self._open_hands.redrawn(interaction, replace(view, notice=refusal.sentence))
        if view.hand is None or not may_plan(view):
            return self._open_hands.redrawn(interaction, replace(view, notice=_NOTHING_TO_PLAN))
        self._open_hands.covered(action.table, user)
        guild = interaction.client.get_guild(view.table.guild_id)
        server = guild.name if guild else None
        return Here(render_plans(view, view.hand, server=server, locale=interaction.locale))

    async def _changed(self, interaction: Interaction, action: PlanAction) -> HandView:
        tables, user = services_of(interaction).tables, user_of(interaction)
        match action:
            case OpenPlans(table):
                return await tables.hand(table, user)
            case SetCardAside(table, deal):
                card = Card.parse(only(values_of(interaction)))
                return await self._plan(
                    interaction, table, commands.MakePlan(user, OneCard(card), deal)
                )
            case TakeCardBack(table, deal):
                return await self._without_card(interaction, table, deal)
            case SwitchPlan(table=table, deal=deal, plan=plan, on=on):
                wanted = commands.MakePlan if on else commands.DropPlan
                return await self._plan(interaction, table, wanted(user, plan, deal))
            case _:
                assert_never(action)

    async def _without_card(self, interaction: Interaction, table: TableId, deal: int) -> HandView:
        tables, user = services_of(interaction).tables, user_of(interaction)
        view = await tables.hand(table, user)
        if view.hand is None or view.hand.public.deal != deal:
            raise StaleClickError
        if not any(isinstance(plan, OneCard) for plan in view.plans):
            return replace(view, notice=_NO_CARD_ASIDE)
        for plan in view.plans:
            if isinstance(plan, OneCard):
                view = await self._plan(interaction, table, commands.DropPlan(user, plan, deal))
        return view

    async def _plan(
        self, interaction: Interaction, table: TableId, command: commands.PlanCommand
    ) -> HandView:
        return await services_of(interaction).tables.plan(cause_of(interaction), table, command)
