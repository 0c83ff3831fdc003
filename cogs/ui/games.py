"""Somebody's tables, wherever they are."""

from collections.abc import Sequence

import discord
from discord import ui

from bot.table.state import Status
from bot.table.views import TableLine
from cogs.names import Markup
from cogs.ui.parts import SETTLED, bold, heading, jump, panel, quiet, text
from cogs.words import Voice

_MOST_LINES = 20
"""Tables listed; a person may sit at more only for a moment."""


def render_games(lines: Sequence[TableLine], locale: discord.Locale | None = None) -> ui.LayoutView:
    """List tables with a link to each, those that wait for the reader first."""
    voice = Voice(locale)
    title = heading(voice("Your tables"))
    if not lines:
        none = voice("You sit at no table. `/hearts start` opens one.")
        return panel(SETTLED, [text(title, none)])
    ordered = sorted(lines, key=lambda line: not line.your_turn)[:_MOST_LINES]
    told = [text_line for line in ordered for text_line in _entry(voice, line)]
    return panel(SETTLED, [text(title, *told)])


def _entry(voice: Voice, line: TableLine) -> list[str]:
    link = jump(line.guild_id, line.channel_id, line.newest_message)
    name = voice("{title}, table {code}", title=line.title, code=Markup(line.id))
    return [
        f"[{name}]({link}) {bold(voice('It is your turn.')) if line.your_turn else ''}".rstrip(),
        quiet(f"<#{line.channel_id}>", _state(voice, line)),
    ]


def _state(voice: Voice, line: TableLine) -> Markup:
    match line.status:
        case Status.LOBBY:
            return voice("waiting for players")
        case Status.PAUSED:
            return voice("paused, I cannot post there")
        case _:
            return voice("deal {number}", number=line.deal)
