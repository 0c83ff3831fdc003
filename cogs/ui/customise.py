"""The panel of rules: a page for each group, and a menu for each rule that may be changed."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import discord
from discord import ui

from bot.rules import options, variants
from bot.rules.option import Group, Option
from bot.rules.ruleset import Ruleset
from bot.rules.sentence import Sentence
from bot.table.views import TableView
from cogs.names import Markup
from cogs.ui import ids, rule_ids
from cogs.ui.parts import (
    AWAITED,
    UNDER_WAY,
    Button,
    Part,
    Row,
    bold,
    divider,
    heading,
    menu,
    panel,
    press,
    quiet,
    rows,
    text,
)
from cogs.words import Voice

_BUTTONS_A_ROW = 3
"""More would not stand beside each other on a phone."""


@dataclass(frozen=True, slots=True)
class Notice:
    """What is said above the rules after a press."""

    sentence: Sentence
    press: str
    """Tells the press from all others, so that its menu shows what is stored."""
    refused: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """What a panel is about, and what its menus ask for."""

    title: Markup
    ruleset: Ruleset
    seats: int | None
    """Rules that say nothing at a table of so many seats are left out; ``None``: none are."""
    turn: ids.Action
    """Of the menu of groups."""
    choose: Callable[[str], ids.Action]
    """Of the menu of a rule, by the id of its option."""


def render_table_rules(
    table: TableView,
    group: Group | None = None,
    *,
    may_save: bool = False,
    notice: Notice | None = None,
    locale: discord.Locale | None = None,
) -> ui.LayoutView:
    """Draw the rules of a lobby for its host.

    Args:
        table: a lobby.
        group: the page to show; ``None``: the first.
        may_save: whether the reader may keep the rules for the server.
        notice: why a press was refused, or what it has done.
        locale: the reader's.
    """
    voice = Voice(locale)
    rules = Rules(
        title=voice("The rules of your table"),
        ruleset=table.ruleset,
        seats=table.seats,
        turn=rule_ids.TurnRules(table.id),
        choose=lambda option: rule_ids.ChooseRule(table.id, option),
    )
    untouched = table.ruleset == variants.load(table.ruleset.id)
    buttons = [
        press(
            rule_ids.RestoreRules(table.id),
            voice("Back to the preset's rules"),
            disabled=untouched,
        ),
        press(ids.ShowRules(table.id), voice("Rules in words")),
    ]
    if may_save:
        buttons.append(press(rule_ids.AskSaveRules(table.id), voice("Save as house rules")))
    return render_rules_panel(voice, rules, group, buttons, notice)


def render_rules_panel(
    voice: Voice,
    rules: Rules,
    group: Group | None,
    buttons: Sequence[Button],
    notice: Notice | None,
) -> ui.LayoutView:
    """Draw one page of rules, each with what holds and one line of meaning."""
    offered = options.offered(rules.ruleset, rules.seats)
    groups = [each for each in Group if any(option.group is each for option in offered)]
    page = group if group in groups else groups[0]
    told = text(
        heading(rules.title),
        voice.say(notice.sentence) if notice else "",
        quiet(*_facts(voice, rules, offered)),
    )
    shown = [option for option in offered if option.group is page]
    parts: list[Part] = [told, _group_menu(voice, rules, groups, page), divider()]
    for option in shown:
        parts += _rule(voice, rules, option, anew=notice.press if notice else "")
    parts += [divider(), *rows(buttons, width=_BUTTONS_A_ROW)]
    return panel(AWAITED if notice and notice.refused else UNDER_WAY, parts)


def first_group(ruleset: Ruleset, option_id: str) -> Group | None:
    """The page on which an option stands; ``None``: nowhere."""
    return next((each.group for each in options.offered(ruleset) if each.id == option_id), None)


def _facts(voice: Voice, rules: Rules, offered: Sequence[Option]) -> Iterator[str]:
    """What is played, and which of its rules are not the preset's."""
    yield voice("{title}", title=variants.title(rules.ruleset.id))
    changed = tuple(option.title for option in _changed(rules, offered))
    if changed:
        yield voice("changed: {rules}", rules=changed)
    else:
        yield voice("no rule is changed")


def _changed(rules: Rules, offered: Sequence[Option]) -> Iterator[Option]:
    preset = variants.load(rules.ruleset.id)
    for option in offered:
        held = options.value_of(rules.ruleset, option, rules.seats)
        if held != options.value_of(preset, option, rules.seats):
            yield option


def _group_menu(voice: Voice, rules: Rules, groups: Sequence[Group], page: Group) -> Row:
    choices = [
        discord.SelectOption(label=voice.say(each.title), value=each.value, default=each is page)
        for each in groups
    ]
    return menu(rules.turn, choices, placeholder=voice("Choose a page"))


def _rule(voice: Voice, rules: Rules, option: Option, *, anew: str) -> tuple[Part, Row]:
    held = options.value_of(rules.ruleset, option, rules.seats)
    choices = [
        discord.SelectOption(label=voice.say(value.label), value=value.id, default=value == held)
        for value in option.values
    ]
    told = text(bold(voice.say(option.title)), quiet(voice.say(option.meaning)))
    own = voice("Something of its own")
    return told, menu(rules.choose(option.id), choices, placeholder=own, anew=anew)
