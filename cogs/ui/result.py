"""The end of a game: places and totals, or that it was ended before."""

import discord
from discord import ui

from bot.table.posting import ResultPost
from bot.table.views import TableView
from cogs.names import Markup
from cogs.ui import ids
from cogs.ui.parts import (
    LOBBY,
    SETTLED,
    Part,
    Row,
    bold,
    code,
    heading,
    panel,
    press,
    quiet,
    rows,
    text,
)
from cogs.ui.people import voice_of
from cogs.ui.score_sheet import best_first, ranking
from cogs.words import Voice

_WHY_CLOSED = {
    "host": "The host ended this game before its end.",
    "moderator": "A moderator ended this game before its end.",
    "idle": "Nobody played for a long time, so this game was ended.",
    "empty": "Everybody left, so this game was ended.",
    "left_server": "I had to leave this server, so this game was ended.",
}


def render_result(post: ResultPost, locale: discord.Locale | None = None) -> ui.LayoutView:
    """Draw the end of a game."""
    voice = voice_of(post.table, locale)
    parts: list[Part] = [text(*_outcome(voice, post))]
    if post.live:
        parts += _buttons(voice, post)
    return panel(LOBBY if post.closed_because is None else SETTLED, parts)


def places_lines(voice: Voice, places: tuple[int, ...], totals: tuple[int, ...]) -> list[Markup]:
    """A line for each seat: its place and its total, the best first."""
    return [
        voice(
            "`{place}` {name} · {count} point",
            "`{place}` {name} · {count} points",
            place=places[seat],
            name=bold(voice.seat_names[seat]),
            count=totals[seat],
        )
        for seat in best_first(totals)
    ]


def winners(voice: Voice, places: tuple[int, ...]) -> Markup:
    """Who won, as a headline."""
    first = [seat for seat, place in enumerate(places) if place == 1]
    if len(first) == 1:
        return voice("{seats} wins the game", seats=first)
    return voice("{seats} share the win", seats=first)


def _outcome(voice: Voice, post: ResultPost) -> list[str]:
    game = post.table.game
    if post.closed_because is not None or game is None:
        reason = voice(_WHY_CLOSED.get(post.closed_because or "", "This game was ended."))
        totals = ranking(voice, game.totals) if game and game.scores else []
        return [
            heading(voice("The game was ended early")),
            reason,
            *totals,
            _facts(voice, post.table),
        ]
    return [
        heading(f"🏆 {winners(voice, game.places)}"),
        *places_lines(voice, game.places, game.totals),
        _facts(voice, post.table),
    ]


def _facts(voice: Voice, table: TableView) -> Markup:
    deals = len(table.game.scores) if table.game else 0
    return quiet(
        voice("{count} deal", "{count} deals", count=deals) if deals else "",
        voice("{title}", title=table.ruleset.title),
        voice("table {code}", code=code(table)),
    )


def _buttons(voice: Voice, post: ResultPost) -> list[Row]:
    table = post.table
    return rows(
        [
            press(ids.Rematch(table.id), voice("Rematch"), primary=True),
            press(ids.ShowScore(table.id), voice("Score")),
            press(ids.Record(table.id), voice("Game record")),
        ]
    )
