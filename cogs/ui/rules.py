"""The rules of a table or a variant in plain words."""

from collections.abc import Iterable, Sequence

import discord
from discord import ui

from bot.rules import describe
from bot.rules.ruleset import Ruleset
from bot.rules.sentence import Sentence
from cogs.ui.parts import SETTLED, Part, bold, divider, heading, panel, quiet, text
from cogs.words import Voice

MOST_LETTERS = 4_000
"""All texts of one message together (discord.md 2.2)."""


def render_rules(
    ruleset: Ruleset, seats: int, locale: discord.Locale | None = None
) -> ui.LayoutView:
    """List the rules for so many seats, what differs from standard Hearts first and apart.

    What does not fit into one message is left out from the end, where the usual rules stand.
    """
    voice = Voice(locale)
    special = describe.differences(ruleset, seats)
    usual = describe.describe(ruleset, seats)[len(special) :]
    title = voice("{title} for {count} players", title=ruleset.title, count=seats)
    head = [heading(title), quiet(voice.say(describe.introduction(ruleset)))]
    more = quiet(voice("The other rules are those of standard Hearts: see `/hearts rules` for it."))
    title_of_special = [bold(voice("Special at this table"))] if special else []
    room = MOST_LETTERS - _letters([*head, *title_of_special, more])
    first = _fitting(_list(voice, special), room)
    rest = _fitting(_list(voice, usual), room - _letters(first))
    is_whole = len(first) + len(rest) == len(special) + len(usual)
    parts: list[Part] = [text(*head)]
    if special:
        parts += [text(*title_of_special, *first), divider()]
    return panel(SETTLED, [*parts, text(*rest, "" if is_whole else more)])


def _list(voice: Voice, sentences: Iterable[Sentence]) -> list[str]:
    return [f"- {voice.say(sentence)}" for sentence in sentences]


def _fitting(lines: Sequence[str], room: int) -> list[str]:
    """The first of *lines*, as many as have room."""
    fitting: list[str] = []
    for line in lines:
        room -= len(line) + 1
        if room < 0:
            break
        fitting.append(line)
    return fitting


def _letters(lines: Iterable[str]) -> int:
    """With the break after each line."""
    return sum(len(line) + 1 for line in lines)
