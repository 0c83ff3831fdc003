"""The opening of a deal: where the cards go, and who has still to pass."""

import discord
from discord import ui

from bot.table.posting import DealPost
from cogs.names import Markup
from cogs.ui.fair import cut_button, cutters, next_seal
from cogs.ui.parties import sides_line
from cogs.ui.parts import (
    SETTLED,
    UNDER_WAY,
    Part,
    bold,
    code,
    heading,
    panel,
    quiet,
    text,
)
from cogs.ui.people import missing, voice_of
from cogs.ui.times import until
from cogs.ui.turns import lead_line, time_up
from cogs.ui.votes import table_foot
from cogs.words import Voice


def render_deal(post: DealPost, locale: discord.Locale | None = None) -> ui.LayoutView:
    """Draw the opening of a deal, during the passing and after it."""
    voice = voice_of(post.table, locale)
    parts: list[Part] = [
        text(
            heading(voice("Deal {number}", number=post.deal)),
            bold(voice.say(post.direction)),
            *_still_to_pass(voice, post),
            lead_line(voice, post.table) if post.live else "",
            *_facts(voice, post),
            quiet(
                voice("Dealt by {name}", name=voice.seat_names[post.dealer]),
                voice("table {code}", code=code(post.table)),
            ),
            *next_seal(voice, post.table, post.deal),
            cutters(voice, post.table) if post.live else "",
        )
    ]
    if post.live:
        told = [*time_up(voice, post.table), *missing(voice, post.table)]
        parts += [text(*map(quiet, told))] if told else []
        parts += table_foot(voice, post.table, *cut_button(voice, post.table))
    return panel(UNDER_WAY if post.live else SETTLED, parts)


def _facts(voice: Voice, post: DealPost) -> list[Markup]:
    """That it is the last, who plays together, and how many cards nobody was dealt."""
    game = post.table.game
    if game is None or game.deal != post.deal:
        return []
    aside = ""
    if game.widow:
        aside = voice(
            "{count} card lies aside, face down",
            "{count} cards lie aside, face down",
            count=game.widow,
        )
    elif game.stock and post.live:
        aside = voice("{count} card to draw", "{count} cards to draw", count=game.stock)
    last = bold(voice("This is the last deal.")) if game.last_deal else Markup("")
    return [last, sides_line(voice, game), quiet(aside)]


def _still_to_pass(voice: Voice, post: DealPost) -> list[Markup]:
    """Until when each has time; a deadline that holds for all who have one stands there once."""
    if not post.waiting:
        return []
    lines = [voice("Still to pass: {seats}.", seats=post.waiting)]
    deadlines = post.table.deadlines
    due = {seat: deadlines[seat] for seat in post.waiting if seat in deadlines}
    if len(set(due.values())) == 1:
        return [*lines, voice("Time until {moment}.", moment=until(min(due.values())))]
    each = "{seat} has time until {moment}."
    return [*lines, *(voice(each, seat=seat, moment=until(at)) for seat, at in due.items())]
