"""All tables of a server, for those who manage it."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

import discord
from discord import ui

from bot.table.state import Status
from bot.table.storing import TableRow
from cogs.names import Markup
from cogs.ui.parts import SETTLED, heading, jump, panel, quiet, text
from cogs.words import Voice

MOST_LINES = 15
"""Tables listed at once."""


class Place(Enum):
    """How it stands with the channel of a table."""

    FINE = "fine"
    MUTE = "mute"
    """The bot may not post there."""
    GONE = "gone"


@dataclass(frozen=True, slots=True)
class AdminLine:
    """One table of the list."""

    row: TableRow
    place: Place


def render_admin(lines: Sequence[AdminLine], locale: discord.Locale | None = None) -> ui.LayoutView:
    """List a server's live tables, the one that was left alone longest first."""
    voice = Voice(locale)
    title = heading(voice("All tables of this server"))
    if not lines:
        return panel(SETTLED, [text(title, voice("There is none right now."))])
    ordered = sorted(lines, key=lambda line: line.row.changed_at)
    told = [words for line in ordered[:MOST_LINES] for words in _entry(voice, line)]
    more = len(ordered) - MOST_LINES
    rest = voice("and {count} more", "and {count} more", count=more) if more > 0 else ""
    how = voice("`/hearts admin` with a table ends it.")
    return panel(SETTLED, [text(title, *told, quiet(rest, how))])


def _entry(voice: Voice, line: AdminLine) -> list[str]:
    row = line.row
    name = voice("{title}, table {code}", title=row.title, code=Markup(row.table_id))
    link = jump(row.guild_id, row.channel_id, row.newest_message)
    changed = Markup(discord.utils.format_dt(row.changed_at, "R"))
    opened = Markup(discord.utils.format_dt(row.opened_at, "R"))
    return [
        f"[{name}]({link})",
        quiet(
            f"<#{row.channel_id}>",
            _state(voice, line),
            voice("opened {moment}", moment=opened),
            voice("last move {moment}", moment=changed),
        ),
    ]


def _state(voice: Voice, line: AdminLine) -> Markup:
    if line.place is Place.GONE:
        return voice("its channel is gone")
    if line.place is Place.MUTE:
        return voice("I may not post there")
    if line.row.status == Status.LOBBY.value:
        return voice("waiting for players")
    return voice("paused") if line.row.status == Status.PAUSED.value else voice("being played")
