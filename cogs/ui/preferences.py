"""The panel on which people say how and when they want to be called, and its form."""

from datetime import datetime
from zoneinfo import ZoneInfo

import discord
from discord import ui

from bot.rules.sentence import Sentence
from bot.table import preferences
from bot.table.storing import PersonSettings, Reminders
from cogs.names import Markup
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
from cogs.ui.preference_ids import (
    AskBeforePlaying,
    AskHours,
    ChooseReminders,
    NoHours,
    PlayForced,
    SaveHours,
)
from cogs.ui.times import day, until
from cogs.words import Voice

ZONE, BEGINS, ENDS = "zone", "begins", "ends"
"""The fields of the form."""
_ASKED = "If you like, a card is played only after a second press."
_FORCED = (
    "A forced card is the only one that you may play. If you like, it is played for you, at all "
    "tables and after a pause as if you had thought about it, so that nobody can tell."
)
_LONGEST_ZONE = 60
_LONGEST_HOUR = 8
_WAYS = {
    Reminders.MENTION: ("By a mention", "A message in the channel that you hear"),
    Reminders.SILENT: ("In silence", "The same message, without a sound"),
    Reminders.DIRECT: ("By a direct message", "With a link to the table"),
    Reminders.OFF: ("Not at all", "You look after your tables yourself"),
}


def render_preferences(
    settings: PersonSettings,
    *,
    now: datetime,
    saved: Sentence | None = None,
    locale: discord.Locale | None = None,
) -> ui.LayoutView:
    """Draw the panel as the choices are stored.

    Args:
        settings: of the reader.
        now: the present moment, told in the reader's zone so that a wrong one is noticed.
        saved: what a press has just done.
        locale: the reader's.
    """
    voice = Voice(locale)
    parts: list[Part] = [
        text(heading(voice("Your preferences")), quiet(voice.say(saved)) if saved else ""),
        divider(),
        text(
            bold(voice("How you are called when a table waits for you")), _refused(voice, settings)
        ),
        _way_menu(voice, settings),
        divider(),
        text(bold(voice("When you are left in peace")), *_peace(voice, settings, now)),
        *rows(
            [
                press(AskHours(), voice("Time zone and quiet hours")),
                press(NoHours(), voice("No quiet hours"), disabled=settings.quiet is None),
            ]
        ),
        divider(),
        text(bold(voice("When you play a card")), voice(_ASKED), voice(_FORCED)),
        *_switches(voice, settings),
    ]
    return panel(SETTLED, parts)


def _switches(voice: Voice, settings: PersonSettings) -> list[Row]:
    """Each says how it is, and switches to the other."""
    asks, forced = settings.confirm_cards, settings.plays_forced
    asking = voice("Ask before playing: on") if asks else voice("Ask before playing: off")
    playing = voice("Play forced cards: on") if forced else voice("Play forced cards: off")
    return rows(
        [
            press(AskBeforePlaying(on=not asks), asking),
            press(PlayForced(on=not forced), playing),
        ]
    )


def hours_form(settings: PersonSettings, locale: discord.Locale | None = None) -> ui.Modal:
    """Ask for time zone and quiet hours; what is stored stands in the fields."""
    voice = Voice(locale)
    form = ui.Modal(title=voice("Time zone and quiet hours"), custom_id=ids.write(SaveHours()))
    hours = settings.quiet
    begins = hours.begins.isoformat("minutes") if hours else None
    ends = hours.ends.isoformat("minutes") if hours else None
    for label, explained, field in (
        (
            voice("Your time zone"),
            voice("Continent and city, such as Europe/Berlin"),
            _field(ZONE, settings.zone, _LONGEST_ZONE, required=True),
        ),
        (
            voice("Quiet from"),
            voice("Such as 22:00; empty for no quiet hours"),
            _field(BEGINS, begins, _LONGEST_HOUR),
        ),
        (
            voice("Quiet until"),
            voice("Such as 8:00"),
            _field(ENDS, ends, _LONGEST_HOUR),
        ),
    ):
        form.add_item(ui.Label(text=label, description=explained, component=field))
    return form


def _field(
    custom_id: str, default: str | None, longest: int, *, required: bool = False
) -> ui.TextInput[ui.LayoutView]:
    return ui.TextInput(custom_id=custom_id, default=default, max_length=longest, required=required)


def _way_menu(voice: Voice, settings: PersonSettings) -> Row:
    options = [
        discord.SelectOption(
            label=voice(name),
            description=voice(meaning),
            value=way.value,
            default=way is settings.reminders,
        )
        for way, (name, meaning) in _WAYS.items()
    ]
    return menu(ChooseReminders(), options, placeholder=voice("Choose how you are called"))


def _refused(voice: Voice, settings: PersonSettings) -> Markup:
    if not settings.direct_refused:
        return Markup("")
    return voice(
        "My last direct message to you came back, so I mention you instead. Allow messages from "
        "members of this server, then choose direct messages again."
    )


def _peace(voice: Voice, settings: PersonSettings, now: datetime) -> list[Markup]:
    lines = [_zone_line(voice, settings, now), _hours_line(voice, settings)]
    if (away := preferences.vacation(settings, now)) is not None:
        told = {"first": day(away.begins), "last": until(away.ends)}
        lines.append(voice("Your vacation: from {first} until {last}.", **told))
    lines.append(quiet(voice("`/hearts vacation` stops your clocks while you travel.")))
    return lines


def _zone_line(voice: Voice, settings: PersonSettings, now: datetime) -> Markup:
    if settings.zone is None:
        return voice(
            "I do not know your time zone yet. Enter it below, or type `/preferences` and begin "
            "to type its name in the `zone` option."
        )
    here = now.astimezone(ZoneInfo(settings.zone)).strftime("%H:%M")
    facts = {"zone": Markup(f"`{settings.zone}`"), "here": Markup(here)}
    return voice("In your time zone, {zone}, it is {here} now.", **facts)


def _hours_line(voice: Voice, settings: PersonSettings) -> Markup:
    if settings.quiet is None:
        return voice("You have no quiet hours: calls come whenever a table waits for you.")
    hours = {
        "begins": Markup(settings.quiet.begins.isoformat("minutes")),
        "ends": Markup(settings.quiet.ends.isoformat("minutes")),
    }
    return voice(
        "Quiet from {begins} to {ends}: nothing calls you then, and where a move may take an hour "
        "or more, your time ends an hour after them at the earliest.",
        **hours,
    )
