"""The panel of a server's settings. Each menu shows what is stored."""

from collections.abc import Iterator

import discord
from discord import ui

from bot.rules.sentence import Sentence
from bot.table.clocks import MOVE_CLOCKS
from bot.table.storing import CLAIM_BY_ITSELF, CLAIM_IF_ALL_AGREE, CLAIMS, ServerSettings
from cogs.names import Markup
from cogs.ui import ids, rule_ids, server_ids
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
IN_CHANNEL, IN_THREAD = STANDS = ("channel", "thread")
"""Where a table that is opened in a text channel stands."""
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
        text(bold(voice("Where a table stands that is opened in a channel"))),
        _threads_menu(voice, settings),
        text(bold(voice("When the rest of a deal is certain, whatever is played"))),
        _claims_menu(voice, settings),
        *rows([press(server_ids.ResetSettings(), voice("Back to the defaults"))]),
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
    return menu(server_ids.ChooseClock(), options, placeholder=voice("Choose a clock"))


def _vacation_menu(voice: Voice, settings: ServerSettings) -> Row:
    options = [
        discord.SelectOption(
            label=_days(voice, days), value=str(days), default=days == settings.vacation_days
        )
        for days in VACATIONS
    ]
    return menu(server_ids.ChooseVacation(), options, placeholder=voice("Choose a number of days"))


def _days(voice: Voice, days: int) -> Markup:
    if not days:
        return voice("Vacations stop no clock")
    return voice("{count} day", "{count} days", count=days)


def _threads_menu(voice: Voice, settings: ServerSettings) -> Row:
    stands = IN_THREAD if settings.threads else IN_CHANNEL
    options = [
        discord.SelectOption(
            label=voice("In the channel"),
            value=IN_CHANNEL,
            description=voice("Everybody sees the game there. One table at a time."),
            default=stands == IN_CHANNEL,
        ),
        discord.SelectOption(
            label=voice("In a thread of its own"),
            value=IN_THREAD,
            description=voice("Each table gets a public thread, and the channel a link to it."),
            default=stands == IN_THREAD,
        ),
    ]
    return menu(server_ids.ChooseThreads(), options, placeholder=voice("Choose a place"))


def _claims_menu(voice: Voice, settings: ServerSettings) -> Row:
    told = {
        CLAIM_IF_ALL_AGREE: (
            voice("The table may end the deal"),
            voice("Everybody who plays has to press a button for it."),
        ),
        CLAIM_BY_ITSELF: (
            voice("The deal ends by itself"),
            voice("Nobody plays out cards that decide nothing."),
        ),
    }
    options = [
        discord.SelectOption(
            label=told[way][0],
            value=way,
            description=told[way][1],
            default=way == settings.claims,
        )
        for way in CLAIMS
    ]
    return menu(server_ids.ChooseClaims(), options, placeholder=voice("Choose how a deal ends"))


def _channel_menu(voice: Voice, settings: ServerSettings) -> Row:
    stored = [
        discord.SelectDefaultValue(id=channel, type=discord.SelectDefaultValueType.channel)
        for channel in settings.channels[:_MOST_CHANNELS]
    ]
    select: ui.ChannelSelect[ui.LayoutView] = ui.ChannelSelect(
        custom_id=ids.write(server_ids.ChooseChannels()),
        placeholder=voice("Everywhere"),
        channel_types=_PLACES,
        min_values=0,
        max_values=_MOST_CHANNELS,
        default_values=stored,
    )
    return ui.ActionRow(select)
