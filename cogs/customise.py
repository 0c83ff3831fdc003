"""The panel with which a host sets the rules of a lobby. What it shows is what is stored."""

from functools import partial
from typing import assert_never

from bot.rules.option import Group
from bot.rules.options import ClashError
from bot.rules.sentence import Sentence
from bot.table import commands, house
from bot.table.errors import RulesFixedError, RulesHostError, SeatsClashError
from bot.table.house import HouseNameError, TooManyHouseRulesError
from bot.table.ids import TableId
from bot.table.state import Status
from bot.table.views import TableView
from cogs import choosing
from cogs.answers import Answer, Form, Here, Private
from cogs.house_rules import typed_name
from cogs.inputs import choice_of, fields_of, only, values_of
from cogs.managing import Managing, NotManagerError
from cogs.names import safe_name
from cogs.services import Interaction, cause_of, services_of, user_of
from cogs.ui import rule_ids
from cogs.ui.customise import Notice, first_group, render_table_rules
from cogs.ui.house_rules import NAME, keep_form
from cogs.ui.rule_ids import TableRulesAction

_CHANGED = Sentence("Changed. The lobby's post shows the rules as they are now.")
_RESTORED = Sentence("These are the preset's rules again.")
_KEPT = Sentence("This server keeps these rules as “{name}”. `/hearts start` offers them.")


class Customise:
    """The rules of lobbies. Nothing of a panel is remembered: each press names what it is about."""

    def __init__(self, managing: Managing) -> None:
        self._managing = managing

    async def press(self, interaction: Interaction, action: TableRulesAction) -> Answer:
        """Do what was pressed, for the host of the lobby alone."""
        match action:
            case rule_ids.Customise(table):
                view = await _lobby(interaction, table)
                may_save = self._managing.may(interaction)
                return Private(
                    render_table_rules(view, may_save=may_save, locale=interaction.locale)
                )
            case rule_ids.TurnRules(table):
                view = await _lobby(interaction, table)
                return self._panel(interaction, view, choice_of(Group, values_of(interaction)))
            case rule_ids.ChooseRule(table, option):
                return await self._chosen(interaction, table, option)
            case rule_ids.RestoreRules(table):
                tables, restore = services_of(interaction).tables, _restore(interaction)
                view = await tables.ask(cause_of(interaction), table, restore)
                return self._panel(interaction, view, said=_RESTORED)
            case rule_ids.AskSaveRules(table):
                await self._may_save(interaction, table)
                return Form(keep_form(table, interaction.locale))
            case rule_ids.SaveRules(table):
                return await self._kept(interaction, table)
            case _:
                assert_never(action)

    async def _chosen(self, interaction: Interaction, table: TableId, option: str) -> Answer:
        """Change one rule; what does not go together is told above the rules as they stand."""
        tables, value = services_of(interaction).tables, only(values_of(interaction))
        await _lobby(interaction, table)
        try:
            view = await tables.choose_rule(cause_of(interaction), table, option, value)
        except (ClashError, SeatsClashError) as refusal:
            view = await _lobby(interaction, table)
            group = first_group(view.ruleset, option)
            return self._panel(interaction, view, group, refusal.sentence, refused=True)
        return self._panel(interaction, view, first_group(view.ruleset, option), _CHANGED)

    async def _kept(self, interaction: Interaction, table: TableId) -> Answer:
        view = await self._may_save(interaction, table)
        name = typed_name(fields_of(interaction).get(NAME, ""))
        change = partial(house.saved, house_id=str(interaction.id), name=name, ruleset=view.ruleset)
        try:
            await self._managing.change(interaction, change)
        except (HouseNameError, TooManyHouseRulesError) as refusal:
            return self._panel(interaction, view, said=refusal.sentence, refused=True)
        said = Sentence(_KEPT.text, {"name": safe_name(name, house.LONGEST_NAME)})
        return self._panel(interaction, view, said=said)

    async def _may_save(self, interaction: Interaction, table: TableId) -> TableView:
        if not self._managing.may(interaction):
            raise NotManagerError
        return await _lobby(interaction, table)

    def _panel(
        self,
        interaction: Interaction,
        view: TableView,
        group: Group | None = None,
        said: Sentence | None = None,
        *,
        refused: bool = False,
    ) -> Answer:
        drawn = render_table_rules(
            view,
            group,
            may_save=self._managing.may(interaction),
            notice=Notice(said, str(interaction.id), refused) if said else None,
            locale=interaction.locale,
        )
        return Here(drawn)


async def _lobby(interaction: Interaction, table: TableId) -> TableView:
    """The lobby whose host presses.

    Raises:
        RulesFixedError: it is no lobby any more.
        RulesHostError: somebody else presses.
        UnknownTableError: there is no such table here.
    """
    view = await choosing.look_at(interaction, table)
    if view.status is not Status.LOBBY:
        raise RulesFixedError
    if view.host != user_of(interaction):
        raise RulesHostError
    return view


def _restore(interaction: Interaction) -> commands.RestoreRules:
    return commands.RestoreRules(user_of(interaction))
