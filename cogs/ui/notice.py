"""One plain sentence in a frame."""

import discord
from discord import ui

from bot.rules.sentence import Sentence
from cogs.ui.parts import SETTLED, panel, text
from cogs.words import say


def render_notice(sentence: Sentence, locale: discord.Locale | None = None) -> ui.LayoutView:
    """Draw a sentence by itself; it also takes the place of a question that was answered."""
    return panel(SETTLED, [text(say(sentence, locale))])
