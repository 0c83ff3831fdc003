"""The rules of a table or a variant in plain words."""

from collections.abc import Iterable

import discord
from discord import ui

from bot.rules import describe
from bot.rules.ruleset import Ruleset
from bot.rules.sentence import Sentence
from cogs.ui.parts import SETTLED, Part, bold, divider, heading, panel, text
from cogs.words import Voice


def render_rules(
    ruleset: Ruleset, seats: int, locale: discord.Locale | None = None
) -> ui.LayoutView:
    """List the rules for so many seats, what differs from standard Hearts first and apart."""
    voice = Voice(locale)
    special = describe.differences(ruleset, seats)
    usual = describe.describe(ruleset, seats)[len(special) :]
    title = voice("{title} for {count} players", title=ruleset.title, count=seats)
    parts: list[Part] = [text(heading(title))]
    if special:
        parts += [text(bold(voice("Special at this table")), *_list(voice, special)), divider()]
    return panel(SETTLED, [*parts, text(*_list(voice, usual))])


def _list(voice: Voice, sentences: Iterable[Sentence]) -> list[str]:
    return [f"- {voice.say(sentence)}" for sentence in sentences]
