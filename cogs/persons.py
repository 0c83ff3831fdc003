"""`/preferences` and `/hearts vacation`: what people decide for themselves."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any, assert_never
from zoneinfo import ZoneInfo

import discord
from discord import app_commands

from bot.rules.sentence import Sentence
from bot.table import away, preferences
from bot.table.storing import PersonSettings, Reminders
from cogs.answers import Answer, Answers, Form, Here, Private
from cogs.choosing import offer
from cogs.commands import EVERYWHERE, INSTALLED, subcommand
from cogs.errors import BadOptionError
from cogs.inputs import choice_of, fields_of, values_of
from cogs.opening import server_settings
from cogs.services import Interaction, services_of, user_of
from cogs.ui import preference_ids
from cogs.ui.preference_ids import PreferenceAction
from cogs.ui.preferences import BEGINS, ENDS, ZONE, hours_form, render_preferences
from cogs.ui.times import day, until

_Change = (
    preference_ids.ChooseReminders
    | preference_ids.SaveHours
    | preference_ids.NoHours
    | preference_ids.AskBeforePlaying
    | preference_ids.PlayForced
)
_DAYS_AHEAD = 60
"""Of which days are offered while somebody types."""
_SAVED = Sentence("Saved. It counts at all your tables from now on.")
_AWAY = Sentence(
    "Your clocks stand still from {first} until {last}, and everybody at your tables can see it. "
    "You may play all the same. `/hearts vacation off:True` ends it early."
)
_INSTEAD = Sentence(
    "{said} It takes the place of your vacation from {first} until {last}, which does not come."
)
_BACK = Sentence("Welcome back. Your clocks run again.")
_UNTIL_WHEN = Sentence(
    "Say until when you are away with the `until` option of this command, or end your vacation "
    "with `off`."
)


async def complete_zone(_interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    """Offer time zones by continent or city."""
    return offer((zone, zone) for zone in away.zones(current))


async def complete_day(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    """Offer the next days, with the day of the week, in the person's zone."""
    services = services_of(interaction)
    person = await services.persons.settings(user_of(interaction))
    zone = ZoneInfo(person.zone) if person.zone else UTC
    today = services.clock.now().astimezone(zone).date()
    days = [today + timedelta(days=ahead) for ahead in range(_DAYS_AHEAD)]
    named = [(each.strftime("%Y-%m-%d (%A)"), each.isoformat()) for each in days]
    typed = current.strip().casefold()
    return offer((name, value) for name, value in named if typed in name.casefold())


class Preferences:
    """Each choice is saved at once, and counts at once at all tables of the person."""

    def __init__(self, answers: Answers) -> None:
        self._answers = answers

    def commands(self) -> Iterator[app_commands.Command[Any, ..., None]]:
        """What the command tree has to know."""
        yield app_commands.Command(
            name="preferences",
            description="Choose how and when you are called, and your time zone",
            callback=self.preferences,
            allowed_contexts=EVERYWHERE,
            allowed_installs=INSTALLED,
        )

    @app_commands.describe(zone="Your time zone; begin to type your city or its name")
    @app_commands.autocomplete(zone=complete_zone)
    async def preferences(
        self, interaction: discord.Interaction[Any], zone: str | None = None
    ) -> None:
        """Show the panel, after setting the zone if one was named."""
        await self._answers.give(interaction, self._panel(interaction, zone))

    @subcommand("vacation", "Stop your own clock at all tables while you are away")
    @app_commands.describe(
        first="The first day, as 2026-07-01; left out: from now on",
        last="The last day",
        off="End your vacation now",
    )
    @app_commands.rename(first="from", last="until")
    @app_commands.autocomplete(first=complete_day, last=complete_day)
    async def vacation(
        self,
        interaction: discord.Interaction[Any],
        first: str | None = None,
        last: str | None = None,
        off: bool = False,  # noqa: FBT001, FBT002  an option of the command
    ) -> None:
        """Plan a vacation, or end it."""
        work = self._back(interaction) if off else self._away(interaction, first, last)
        await self._answers.give(interaction, work)

    async def press(self, interaction: Interaction, action: PreferenceAction) -> Answer:
        """Save what was chosen and show the panel as it is stored."""
        persons, user = services_of(interaction).persons, user_of(interaction)
        if isinstance(action, preference_ids.AskHours):
            return Form(hours_form(await persons.settings(user), interaction.locale))
        after = await persons.change(user, partial(_changed, interaction, action))
        return Here(_drawn(interaction, after, _SAVED))

    async def _panel(self, interaction: Interaction, zone: str | None) -> Answer:
        persons, user = services_of(interaction).persons, user_of(interaction)
        if zone is None:
            return Private(_drawn(interaction, await persons.settings(user)))
        after = await persons.change(user, lambda before: preferences.in_zone(before, zone))
        return Private(_drawn(interaction, after, _SAVED))

    async def _away(self, interaction: Interaction, first: str | None, last: str | None) -> Answer:
        if last is None:
            raise BadOptionError(_UNTIL_WHEN)
        services, now = services_of(interaction), services_of(interaction).clock.now()
        most_days = (await server_settings(interaction)).vacation_days
        had = preferences.vacation(await services.persons.settings(user_of(interaction)), now)
        after = await services.persons.change(
            user_of(interaction),
            lambda before: preferences.on_vacation(
                before, first, last, now=now, most_days=most_days
            ),
        )
        planned = after.vacations[-1]
        said = _of(planned, _AWAY)
        if had is None or had.begins <= now or had == planned:
            return Private(said)
        return Private(_of(had, _INSTEAD, said=said))

    async def _back(self, interaction: Interaction) -> Answer:
        services, now = services_of(interaction), services_of(interaction).clock.now()
        await services.persons.change(
            user_of(interaction), lambda before: preferences.back(before, now)
        )
        return Private(_BACK)


def _of(vacation: away.Vacation, sentence: Sentence, **more: Sentence) -> Sentence:
    facts = {"first": day(vacation.begins), "last": until(vacation.ends)}
    return Sentence(sentence.text, {**facts, **more})


def _changed(interaction: Interaction, action: _Change, before: PersonSettings) -> PersonSettings:
    match action:
        case preference_ids.ChooseReminders():
            return preferences.called(before, choice_of(Reminders, values_of(interaction)))
        case preference_ids.SaveHours():
            typed = fields_of(interaction)
            at_home = preferences.in_zone(before, typed.get(ZONE, ""))
            return preferences.quiet(at_home, typed.get(BEGINS, ""), typed.get(ENDS, ""))
        case preference_ids.NoHours():
            return replace(before, quiet=None)
        case preference_ids.AskBeforePlaying(on):
            return replace(before, confirm_cards=on)
        case preference_ids.PlayForced(on):
            return replace(before, plays_forced=on)
        case _:
            assert_never(action)


def _drawn(
    interaction: Interaction, settings: PersonSettings, saved: Sentence | None = None
) -> discord.ui.LayoutView:
    now: datetime = services_of(interaction).clock.now()
    return render_preferences(settings, now=now, saved=saved, locale=interaction.locale)
