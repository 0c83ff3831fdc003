"""A server's named house rules: the pages behind a button of `/settings`."""

from functools import partial
from typing import assert_never

from bot.rules import variants
from bot.rules.errors import RulesetError
from bot.rules.option import Group
from bot.rules.options import ClashError
from bot.rules.sentence import Sentence
from bot.table import house
from bot.table.house import HouseNameError, TooManyHouseRulesError
from bot.table.storing import HouseRules, ServerSettings
from cogs.answers import Answer, Form, Here, Private
from cogs.inputs import choice_of, fields_of, one_of, only, values_of
from cogs.managing import Managing
from cogs.names import one_line
from cogs.services import Interaction
from cogs.ui import rule_ids
from cogs.ui.customise import Notice, first_group
from cogs.ui.house_rules import (
    NAME,
    delete_question,
    house_name,
    new_house_form,
    rename_form,
    render_house,
    render_houses,
    render_unreadable,
)
from cogs.ui.rule_ids import HouseAction
from cogs.ui.rules import render_rules

_Page = rule_ids.OpenHouse | rule_ids.TurnHouse
_Form = rule_ids.AskNewHouse | rule_ids.AskRename
_Name = rule_ids.SaveNewHouse | rule_ids.Rename
_Around = rule_ids.ListHouses | rule_ids.AskDelete | rule_ids.Delete | rule_ids.ShowHouseRules
_Change = rule_ids.ChooseHouseRule | rule_ids.RestoreHouse | rule_ids.UseHouse

_SAVED = Sentence("Saved. Tables that are open already keep what they began with.")
_DELETED = Sentence("The house rules “{name}” are deleted.")


class Houses:
    """Everything about house rules. Each press is saved at once and checked anew."""

    def __init__(self, managing: Managing) -> None:
        self._managing = managing

    async def press(self, interaction: Interaction, action: HouseAction) -> Answer:
        """Do what was pressed; every press needs the right to manage the server."""
        match action:
            case rule_ids.OpenHouse() | rule_ids.TurnHouse():
                return await self._look(interaction, action)
            case rule_ids.AskNewHouse() | rule_ids.AskRename():
                return await self._form(interaction, action)
            case rule_ids.SaveNewHouse() | rule_ids.Rename():
                return await self._named(interaction, action)
            case rule_ids.ChooseHouseRule() | rule_ids.RestoreHouse() | rule_ids.UseHouse():
                return await self._changed(interaction, action)
            case _:
                return await self._around(interaction, action)

    async def _around(self, interaction: Interaction, action: _Around) -> Answer:
        settings = await self._managing.look(interaction)
        match action:
            case rule_ids.ListHouses():
                return self._list(interaction, settings)
            case rule_ids.AskDelete(house_id):
                found = house.find(settings, house_id)
                return Here(delete_question(found, interaction.locale))
            case rule_ids.Delete(house_id):
                return await self._deleted(interaction, house.find(settings, house_id))
            case rule_ids.ShowHouseRules(house_id):
                ruleset = house.ruleset_of(house.find(settings, house_id))
                return Private(render_rules(ruleset, ruleset.default_players, interaction.locale))
            case _:
                assert_never(action)

    async def _look(self, interaction: Interaction, action: _Page) -> Answer:
        settings = await self._managing.look(interaction)
        if isinstance(action, rule_ids.OpenHouse):
            return self._page(interaction, settings, only(values_of(interaction)))
        group = choice_of(Group, values_of(interaction))
        return self._page(interaction, settings, action.house, group)

    async def _form(self, interaction: Interaction, action: _Form) -> Answer:
        settings = await self._managing.look(interaction)
        if isinstance(action, rule_ids.AskNewHouse):
            preset = one_of(values_of(interaction), variants.names())
            return Form(new_house_form(preset, interaction.locale))
        return Form(rename_form(house.find(settings, action.house), interaction.locale))

    async def _named(self, interaction: Interaction, action: _Name) -> Answer:
        """Give a name, to new house rules or to old ones; one that cannot be given is told."""
        name = typed_name(fields_of(interaction).get(NAME, ""))
        try:
            match action:
                case rule_ids.SaveNewHouse(preset):
                    house_id = str(interaction.id)
                    ruleset = variants.load(preset)
                    change = partial(house.saved, house_id=house_id, name=name, ruleset=ruleset)
                case rule_ids.Rename(house_id):
                    change = partial(house.renamed, house_id=house_id, name=name)
                case _:
                    assert_never(action)
            settings = await self._managing.change(interaction, change)
        except (HouseNameError, TooManyHouseRulesError) as refusal:
            settings = await self._managing.look(interaction)
            return self._list(interaction, settings, refusal.sentence)
        notice = Notice(_SAVED, str(interaction.id))
        return self._page(interaction, settings, house_id, notice=notice)

    async def _changed(self, interaction: Interaction, action: _Change) -> Answer:
        try:
            settings = await self._managing.change(
                interaction, partial(_after, action=action, values=values_of(interaction))
            )
            notice = Notice(_SAVED, str(interaction.id))
        except ClashError as refusal:
            settings = await self._managing.look(interaction)
            notice = Notice(refusal.sentence, str(interaction.id), refused=True)
        group = None
        if isinstance(action, rule_ids.ChooseHouseRule):
            ruleset = house.ruleset_of(house.find(settings, action.house))
            group = first_group(ruleset, action.option)
        return self._page(interaction, settings, action.house, group, notice)

    async def _deleted(self, interaction: Interaction, found: HouseRules) -> Answer:
        settings = await self._managing.change(
            interaction, partial(house.deleted, house_id=found.id)
        )
        said = Sentence(_DELETED.text, {"name": house_name(found)})
        return self._list(interaction, settings, said)

    def _list(
        self, interaction: Interaction, settings: ServerSettings, said: Sentence | None = None
    ) -> Answer:
        return Here(render_houses(settings, said=said, locale=interaction.locale))

    def _page(
        self,
        interaction: Interaction,
        settings: ServerSettings,
        house_id: str,
        group: Group | None = None,
        notice: Notice | None = None,
    ) -> Answer:
        found = house.find(settings, house_id)
        try:
            ruleset = house.ruleset_of(found)
        except RulesetError:
            return Here(render_unreadable(found, locale=interaction.locale))
        view = render_house(
            found,
            ruleset,
            group,
            usual=settings.default_house == house_id,
            notice=notice,
            locale=interaction.locale,
        )
        return Here(view)


def _after(settings: ServerSettings, action: _Change, values: list[str]) -> ServerSettings:
    match action:
        case rule_ids.ChooseHouseRule(house_id, option):
            return house.with_rule(settings, house_id, option, only(values))
        case rule_ids.RestoreHouse(house_id):
            return house.with_presets_rules(settings, house_id)
        case rule_ids.UseHouse(house_id):
            return house.made_usual(settings, house_id)
        case _:
            assert_never(action)


def typed_name(typed: str) -> str:
    """A name as it may be kept: one line without characters that change how others read.

    Empty where nothing is left; `bot.table.house` refuses that.
    """
    return one_line(typed, house.LONGEST_NAME)
