"""Moments and stretches of time, in words."""

from datetime import datetime

import discord

from bot.table.clocks import MoveClock
from cogs.names import Markup
from cogs.words import Voice

_MINUTE = 60
_HOUR = 3_600
_DAY = 24 * _HOUR


def until(moment: datetime) -> Markup:
    """A moment in the reader's own time, and how far it is from now."""
    full = discord.utils.format_dt(moment, "f")
    return Markup(f"{full} ({discord.utils.format_dt(moment, 'R')})")


def day(moment: datetime) -> Markup:
    """The day of a moment, in the reader's own time."""
    return Markup(discord.utils.format_dt(moment, "D"))


def pace(voice: Voice, clock: MoveClock) -> Markup:
    """How long a move may take: "1 hour for a move"."""
    seconds = clock.seconds
    if seconds is None:
        return voice("no time limit")
    if seconds % _DAY == 0 and seconds > _DAY * 3:
        return voice("{count} day for a move", "{count} days for a move", count=seconds // _DAY)
    if seconds % _HOUR == 0:
        return voice("{count} hour for a move", "{count} hours for a move", count=seconds // _HOUR)
    count = seconds // _MINUTE
    return voice("{count} minute for a move", "{count} minutes for a move", count=count)
