"""One trick, from its lead to its winner."""

from collections.abc import Sequence

import discord
from discord import ui

from bot.rules.cards import Seat
from bot.rules.state import Phase, Play
from bot.table.posting import TrickPost
from cogs.names import Markup
from cogs.ui.faces import chip
from cogs.ui.parts import (
    SETTLED,
    UNDER_WAY,
    Part,
    bold,
    heading,
    panel,
    quiet,
    table_buttons,
    text,
)
from cogs.ui.people import keepers, voice_of
from cogs.ui.times import until
from cogs.words import Voice, capital


def render_trick(post: TrickPost, locale: discord.Locale | None = None) -> ui.LayoutView:
    """Draw a trick, under way or full."""
    voice = voice_of(post.table, locale)
    parts: list[Part] = [
        text(
            heading(
                voice(
                    "Trick {number} of {all} · deal {deal}",
                    number=post.trick_of_deal,
                    all=post.tricks_in_deal,
                    deal=post.deal,
                )
            ),
            *(_played(voice, post, play) for play in post.trick.plays),
            *_to_come(voice, post),
            *_outcome(voice, post),
            *_moon_choice(voice, post),
        )
    ]
    if post.live:
        parts += [text(*facts)] if (facts := _side_facts(voice, post)) else []
        parts += table_buttons(voice, post.table)
    return panel(UNDER_WAY if post.live else SETTLED, parts)


def play_words(voice: Voice, plays: Sequence[Play], play: Play) -> Markup:
    """One of the *plays* of a trick in words; a card that does not follow suit was thrown."""
    facts = {"name": bold(voice.seat_names[play.seat]), "card": play.card}
    if play == plays[0]:
        return voice("{name} led the {card}", **facts)
    if play.card.suit is plays[0].card.suit:
        return voice("{name} played the {card}", **facts)
    return voice("{name} threw the {card}", **facts)


def _played(voice: Voice, post: TrickPost, play: Play) -> str:
    line = f"{chip(play.card)} {play_words(voice, post.trick.plays, play)}"
    if play.card not in post.by_clock:
        return line
    return f"{line} · {voice('a robot chose it, the time was up')}"


def _to_come(voice: Voice, post: TrickPost) -> list[str]:
    """Who is to play, until when, and who comes after."""
    if post.turn is None:
        return []
    seats = post.table.seats
    order = [Seat((post.trick.leader + place) % seats) for place in range(seats)]
    then = order[len(post.trick.plays) + 1 :]
    name = bold(voice.seat_names[post.turn])
    if post.deadline is None:
        turn = voice("▸ {name} is to play", name=name)
    else:
        turn = voice("▸ {name} is to play until {moment}", name=name, moment=until(post.deadline))
    return [turn, quiet(voice("Then {seats}", seats=then))] if then else [turn]


def _outcome(voice: Voice, post: TrickPost) -> list[str]:
    if len(post.trick.plays) < post.table.seats:
        return []
    winner = post.trick.winner
    if winner is None:
        return [f"→ {voice('Nobody takes this trick.')}"]
    name = bold(voice.seat_names[winner])
    if not post.points:
        return [f"→ {voice('{name} takes the trick, without a point.', name=name)}"]
    outcome = voice(
        "{name} takes the trick and {count} point.",
        "{name} takes the trick and {count} points.",
        name=name,
        count=post.points,
    )
    return [f"→ {outcome}"]


def _moon_choice(voice: Voice, post: TrickPost) -> list[str]:
    """What the table waits for after the last card, where the shooter decides."""
    game = post.table.game
    if not post.live or game is None or game.phase is not Phase.MOON_CHOICE:
        return []
    [shooter] = game.waiting
    name = bold(voice.seat_names[shooter])
    deadline = post.table.deadlines.get(shooter)
    if deadline is None:
        return [voice("▸ {name} shot the moon and chooses how it is paid", name=name)]
    words = "▸ {name} shot the moon and chooses how it is paid until {moment}"
    return [voice(words, name=name, moment=until(deadline))]


def _side_facts(voice: Voice, post: TrickPost) -> list[Markup]:
    """What people ask about in the middle of a deal: only the newest post answers."""
    game = post.table.game
    facts = list(map(quiet, keepers(voice, post.table)))
    if game is None or not any(game.taken):
        return facts
    taken = [
        f"{voice.seat_names[seat]} {voice('{n}', n=points)}"
        for seat, points in enumerate(game.taken)
        if points
    ]
    return [quiet(capital(voice("taken in this deal")), *taken), *facts]
