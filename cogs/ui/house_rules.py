"""The pages of a server's named house rules, and the form for a name."""

from collections.abc import Sequence

import discord
from discord import ui

from bot.rules.option import Group
from bot.rules.ruleset import Ruleset
from bot.rules.sentence import Sentence
from bot.table.house import LONGEST_NAME, MOST_HOUSE_RULES
from bot.table.ids import TableId
from bot.table.storing import HouseRules, ServerSettings
from cogs.names import Markup, plain_name, safe_name
from cogs.ui import ids, rule_ids
from cogs.ui.customise import Notice, Rules, render_rules_panel
from cogs.ui.parts import (
    SETTLED,
    Button,
    Part,
    Row,
    bold,
    danger,
    heading,
    menu,
    panel,
    press,
    rows,
    text,
)
from cogs.ui.shelves import preset_menus
from cogs.words import Voice

NAME = "name"
"""Id of the field in which a name is typed."""


def house_name(house: HouseRules) -> Markup:
    """The name of house rules, harmless."""
    return safe_name(house.name, LONGEST_NAME)


def house_menu(
    action: ids.Action, houses: Sequence[HouseRules], *, placeholder: str, usual: str
) -> Row:
    """A menu of house rules, those of the id *usual* marked; there has to be one at least."""
    choices = [
        discord.SelectOption(
            label=plain_name(house.name, LONGEST_NAME), value=house.id, default=house.id == usual
        )
        for house in houses
    ]
    return menu(action, choices, placeholder=placeholder)


def render_houses(
    settings: ServerSettings,
    *,
    said: Sentence | None = None,
    locale: discord.Locale | None = None,
) -> ui.LayoutView:
    """List the house rules of a server, and offer to make further ones."""
    voice = Voice(locale)
    houses = settings.house_rules
    parts: list[Part] = [
        text(
            heading(voice("House rules of this server")),
            voice.say(said) if said else "",
            *(_line(voice, house, settings) for house in houses),
            "" if houses else voice("There are none yet. Make some from a kind of Hearts below."),
        )
    ]
    if houses:
        open_one = voice("Look at house rules, change, rename or delete them")
        opened = rule_ids.OpenHouse()
        parts.append(house_menu(opened, houses, placeholder=open_one, usual=""))
    if len(houses) < MOST_HOUSE_RULES:
        parts.append(text(bold(voice("Make new house rules from"))))
        parts += preset_menus(voice, rule_ids.AskNewHouse)
    parts += rows([press(rule_ids.ShowSettings(), voice("Back to the settings"))])
    return panel(SETTLED, parts)


def render_house(
    house: HouseRules,
    ruleset: Ruleset,
    group: Group | None = None,
    *,
    usual: bool,
    notice: Notice | None = None,
    locale: discord.Locale | None = None,
) -> ui.LayoutView:
    """Draw one page of house rules.

    Args:
        house: whose name stands above.
        ruleset: what *house* means.
        group: the page; ``None``: the first.
        usual: whether `/hearts start` uses them when none are named.
        notice: what a press has just done, or why it was refused.
        locale: the reader's.
    """
    voice = Voice(locale)
    rules = Rules(
        title=voice("House rules: {name}", name=house_name(house)),
        ruleset=ruleset,
        seats=None,
        turn=rule_ids.TurnHouse(house.id),
        choose=lambda option: rule_ids.ChooseHouseRule(house.id, option),
    )
    use = voice("Used by /hearts start") if usual else voice("Use for /hearts start")
    buttons = [
        press(rule_ids.UseHouse(house.id), use, disabled=usual),
        press(rule_ids.ShowHouseRules(house.id), voice("Rules in words")),
        press(rule_ids.RestoreHouse(house.id), voice("Back to the preset's rules")),
        *_fate(voice, house),
    ]
    return render_rules_panel(voice, rules, group, buttons, notice)


def render_unreadable(house: HouseRules, *, locale: discord.Locale | None = None) -> ui.LayoutView:
    """House rules that this program cannot play any more; they can only be deleted."""
    voice = Voice(locale)
    words = voice("These house rules cannot be played any more. Delete them and make new ones.")
    told = text(heading(voice("House rules: {name}", name=house_name(house))), words)
    return panel(SETTLED, [told, *rows(_fate(voice, house))])


def delete_question(house: HouseRules, locale: discord.Locale | None = None) -> ui.LayoutView:
    """Ask whether house rules shall really be deleted."""
    voice = Voice(locale)
    told = text(
        heading(voice("Delete the house rules {name}?", name=house_name(house))),
        voice("Tables that were opened by them keep them."),
    )
    buttons = [
        danger(rule_ids.Delete(house.id), voice("Delete them")),
        press(rule_ids.ListHouses(), voice("Keep them")),
    ]
    return panel(SETTLED, [told, *rows(buttons)])


def new_house_form(preset: str, locale: discord.Locale | None = None) -> ui.Modal:
    """Ask for the name of house rules that are made from *preset*."""
    return _name_form(rule_ids.SaveNewHouse(preset), "", locale)


def keep_form(table: TableId, locale: discord.Locale | None = None) -> ui.Modal:
    """Ask for the name under which the rules of *table* shall be kept."""
    return _name_form(rule_ids.SaveRules(table), "", locale)


def rename_form(house: HouseRules, locale: discord.Locale | None = None) -> ui.Modal:
    """Ask for another name; the present one stands in the field."""
    return _name_form(rule_ids.Rename(house.id), plain_name(house.name, LONGEST_NAME), locale)


def _name_form(action: ids.Action, name: str, locale: discord.Locale | None) -> ui.Modal:
    voice = Voice(locale)
    form = ui.Modal(title=voice("Name of the house rules"), custom_id=ids.write(action))
    field: ui.TextInput[ui.LayoutView] = ui.TextInput(
        custom_id=NAME, default=name or None, max_length=LONGEST_NAME, required=True
    )
    form.add_item(ui.Label(text=voice("The name by which you start a game"), component=field))
    return form


def _fate(voice: Voice, house: HouseRules) -> list[Button]:
    return [
        press(rule_ids.AskRename(house.id), voice("Rename")),
        press(rule_ids.AskDelete(house.id), voice("Delete")),
        press(rule_ids.ListHouses(), voice("All house rules")),
    ]


def _line(voice: Voice, house: HouseRules, settings: ServerSettings) -> str:
    usual = voice("used by `/hearts start`") if house.id == settings.default_house else ""
    return f"- {bold(house_name(house))}{f' · {usual}' if usual else ''}"
