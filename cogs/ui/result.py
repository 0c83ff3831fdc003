"""The end of a game: places and totals, or that it was ended before."""

from collections.abc import Sequence

import discord
from discord import ui

from bot.rules.cards import Seat
from bot.rules.view import PublicView
from bot.table.posting import ResultPost
from bot.table.views import TableView
from cogs.names import Markup
from cogs.ui import ids
from cogs.ui.parties import (
    Party,
    apart,
    figure_text,
    is_settled_by_deal,
    party_name,
    plus_and_minus,
    standing,
)
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
from cogs.ui.score_sheet import standings
from cogs.words import Voice

_WHY_CLOSED = {
    "host": "The host ended this game before its end.",
    "moderator": "A moderator ended this game before its end.",
    "idle": "Nobody played for a long time, so this game was ended.",
    "empty": "Only robots were left and nobody came back, so this game was ended.",
    "place_lost": "I could not go on here for two weeks, so this game was ended.",
    "left_server": "I had to leave this server, so this game was ended.",
}


def render_result(post: ResultPost, locale: discord.Locale | None = None) -> ui.LayoutView:
    """Draw the end of a game."""
    voice = voice_of(post.table, locale)
    parts: list[Part] = [text(*_outcome(voice, post))]
    if post.live:
        parts += _buttons(voice, post)
    return panel(LOBBY if post.closed_because is None else SETTLED, parts)


def game_lines(voice: Voice, game: PublicView) -> list[str]:
    """A line for each party of a finished game: its place, its points, what it receives or pays."""
    lines = [_party_line(voice, game, party) for party in standing(game)]
    return [*lines, quiet(plus_and_minus(voice))] if any(game.settlement) else lines


def winners(voice: Voice, places: Sequence[int], sides: Sequence[Sequence[Seat]] = ()) -> Markup:
    """Who won, as a headline; partners who won by themselves share nothing with others."""
    first = tuple(Seat(seat) for seat, place in enumerate(places) if place == 1)
    if len(first) == 1:
        return voice("{seats} wins the game", seats=first)
    if first in map(tuple, sides):
        return voice("{seats} win the game", seats=first)
    return voice("{seats} share the win", seats=first)


def _party_line(voice: Voice, game: PublicView, party: Party) -> str:
    seat = party.seats[0]
    told = voice("`{place}` {name}", place=game.places[seat], name=party_name(voice, party.seats))
    paid = figure_text(voice, game.settlement[seat], signed=True) if game.settlement else ""
    if is_settled_by_deal(game.ruleset):
        return f"{told} · {paid}"
    points = voice("{count} point", "{count} points", count=int(party.figure))
    total = f"{points}{apart(voice, party)}"
    return " · ".join(filter(None, (told, total, bold(paid) if paid else "")))


def _outcome(voice: Voice, post: ResultPost) -> list[str]:
    game = post.table.game
    if post.closed_because is not None or game is None:
        reason = voice(_WHY_CLOSED.get(post.closed_because or "", "This game was ended."))
        totals = standings(voice, game) if game and game.scores else []
        return [
            heading(voice("The game was ended early")),
            reason,
            *totals,
            _facts(voice, post.table),
        ]
    return [
        heading(f"🏆 {winners(voice, game.places, game.sides)}"),
        *game_lines(voice, game),
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
