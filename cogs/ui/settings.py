"""The panel of a server's settings. Each menu shows what is stored."""

from collections.abc import Iterator

import discord
from discord import ui

from bot.rules.sentence import Sentence
from bot.table.clocks import MOVE_CLOCKS
from bot.table.storing import ServerSettings
from cogs.names import Markup
from cogs.ui import ids, rule_ids
from cogs.ui.house_rules import house_menu
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
from cogs.ui.shelves import preset_menus
from cogs.ui.times import pace
from cogs.words import Voice, capital

_MOST_CHANNELS = 25
"""A menu takes no more."""
VACATIONS = (0, 7, 14, 21, 30, 60)
"""Days for which somebody's clock may stand still; 0: vacations stop none."""
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
        *_usual_menus(voice, settings),
        *rows([press(rule_ids.ListHouses(), voice("House rules"))]),
        divider(),
        text(bold(voice("How long a move may take"))),
        _clock_menu(voice, settings),
        text(bold(voice("How long a vacation may stop somebody's clock"))),
        _vacation_menu(voice, settings),
        text(bold(voice("Where tables may be opened, no choice meaning everywhere"))),
        _channel_menu(voice, settings),
        *rows([press(ids.ResetSettings(), voice("Back to the defaults"))]),
    ]
    return panel(SETTLED, parts)


def _usual_menus(voice: Voice, settings: ServerSettings) -> Iterator[Row]:
    """House rules first; what is used is marked in one of the menus."""
    usual = settings.default_house or ""
    if settings.house_rules:
        yield house_menu(
            rule_ids.ChooseUsualHouse(),
            settings.house_rules,
            placeholder=voice("House rules of this server"),
            usual=usual,
        )
    yield from preset_menus(voice, rule_ids.ChooseUsual, None if usual else settings.variant)


def _clock_menu(voice: Voice, settings: ServerSettings) -> Row:
    options = [
        discord.SelectOption(
            label=capital(pace(voice, clock)), value=clock.id, default=clock.id == settings.clock
        )
        for clock in MOVE_CLOCKS
    ]
    return menu(ids.ChooseClock(), options, placeholder=voice("Choose a clock"))


def _vacation_menu(voice: Voice, settings: ServerSettings) -> Row:
    options = [
        discord.SelectOption(
            label=_days(voice, days), value=str(days), default=days == settings.vacation_days
        )
        for days in VACATIONS
    ]
    return menu(ids.ChooseVacation(), options, placeholder=voice("Choose a number of days"))


def _days(voice: Voice, days: int) -> Markup:
    if not days:
        return voice("Vacations stop no clock")
    return voice("{count} day", "{count} days", count=days)


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
