"""Private questions before something that cannot be taken back."""

import discord
from discord import ui

from bot.table.views import TableView
from cogs.ui import ids
from cogs.ui.parts import SETTLED, Button, code, danger, heading, panel, quiet, rows, text
from cogs.ui.people import voice_of
from cogs.words import Voice


def leave_question(table: TableView, locale: discord.Locale | None = None) -> ui.LayoutView:
    """Ask whether somebody really wants to leave a running game."""
    voice = voice_of(table, locale)
    return _question(
        voice("Leave this game?"),
        voice("A robot will play for you. You can take your seat back as long as the game runs."),
        _about(voice, table),
        danger(ids.ConfirmLeave(table.id), voice("Leave the game")),
    )


def end_question(table: TableView, locale: discord.Locale | None = None) -> ui.LayoutView:
    """Ask whether a table shall really be ended for everybody."""
    voice = voice_of(table, locale)
    return _question(
        voice("End this game for everybody?"),
        voice("Nobody can go on playing, and the game will not count for the leaderboard."),
        _about(voice, table),
        danger(ids.ConfirmEnd(table.id), voice("End the game")),
    )


def _about(voice: Voice, table: TableView) -> tuple[str, ...]:
    keep = voice("to keep playing, simply dismiss this message")
    return voice("table {code}", code=code(table)), keep


def _question(
    question: str, consequence: str, about: tuple[str, ...], yes: Button
) -> ui.LayoutView:
    return panel(SETTLED, [text(heading(question), consequence, quiet(*about)), *rows([yes])])
