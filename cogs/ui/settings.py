"""The panel of a server's settings. Each menu shows what is stored."""

import discord
from discord import ui

from bot.rules import variants
from bot.rules.sentence import Sentence
from bot.table.clocks import MOVE_CLOCKS
from bot.table.storing import ServerSettings
from cogs.house_rules import CHOICES, HouseMenu, chosen
from cogs.ui import ids
from cogs.ui.parts import (
    SETTLED,
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
from cogs.ui.times import pace
from cogs.words import Voice, capital

_MOST_CHANNELS = 25
"""A menu takes no more."""
_PLACES = [
    discord.ChannelType.text,
    discord.ChannelType.voice,
    discord.ChannelType.forum,
    discord.ChannelType.public_thread,
]


def render_settings(
    settings: ServerSettings,
    *,
    saved: Sentence | None = None,
    locale: discord.Locale | None = None,
) -> ui.LayoutView:
    """Draw the panel as the settings are stored; *saved* says what a press has just done."""
    voice = Voice(locale)
    notice = quiet(voice.say(saved)) if saved else ""
    parts: list[Part] = [
        text(heading(voice("Hearts in this server")), notice),
        text(bold(voice("What `/hearts start` plays, unless somebody chooses otherwise"))),
        _variant_menu(voice, settings),
        *(_house_menu(voice, settings, which) for which in HouseMenu),
        text(quiet(voice("`/hearts rules` tells the rules as they are now."))),
        divider(),
        text(bold(voice("How long a move may take"))),
        _clock_menu(voice, settings),
        text(bold(voice("Where tables may be opened, no choice meaning everywhere"))),
        _channel_menu(voice, settings),
        *rows([press(ids.ResetSettings(), voice("Back to the defaults"))]),
    ]
    return panel(SETTLED, parts)


def _variant_menu(voice: Voice, settings: ServerSettings) -> Row:
    options = [
        discord.SelectOption(
            label=variants.title(name), value=name, default=name == settings.variant
        )
        for name in variants.names()
    ]
    return menu(ids.ChooseVariant(), options, placeholder=voice("Choose a variant"))


def _house_menu(voice: Voice, settings: ServerSettings, which: HouseMenu) -> Row:
    stored = chosen(settings.rules, which)
    options = [
        discord.SelectOption(
            label=voice.say(choice.title), value=choice.id, default=choice.id in stored
        )
        for choice in CHOICES[which]
    ]
    several = which is HouseMenu.MORE
    return menu(
        ids.ChooseHouseRules(which),
        options,
        placeholder=voice("House rules: none"),
        least=0 if several else 1,
        most=len(options) if several else 1,
    )


def _clock_menu(voice: Voice, settings: ServerSettings) -> Row:
    options = [
        discord.SelectOption(
            label=capital(pace(voice, clock)), value=clock.id, default=clock.id == settings.clock
        )
        for clock in MOVE_CLOCKS
    ]
    return menu(ids.ChooseClock(), options, placeholder=voice("Choose a clock"))


def _channel_menu(voice: Voice, settings: ServerSettings) -> Row:
    stored = [
        discord.SelectDefaultValue(id=channel, type=discord.SelectDefaultValueType.channel)
        for channel in settings.channels[:_MOST_CHANNELS]
    ]
    select: ui.ChannelSelect[ui.LayoutView] = ui.ChannelSelect(
        custom_id=ids.write(ids.ChooseChannels()),
        placeholder=voice("Everywhere"),
        channel_types=_PLACES,
        min_values=0,
        max_values=_MOST_CHANNELS,
        default_values=stored,
    )
    return ui.ActionRow(select)
