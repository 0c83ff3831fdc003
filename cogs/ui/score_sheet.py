"""The score sheet of a deal: where the points came from, and the totals."""

from collections.abc import Sequence
from typing import assert_never

import discord
from discord import ui

from bot.rules.cards import Card, Seat
from bot.rules.dimensions import DealCount, Minutes, MoonPayoff, OpenCount, Single, Target
from bot.rules.state import Moon, Score, ScoreLine
from bot.table.posting import SheetPost
from bot.table.views import TableView
from cogs.names import Markup
from cogs.ui.parts import (
    SETTLED,
    UNDER_WAY,
    Part,
    below,
    bold,
    code,
    divider,
    heading,
    panel,
    quiet,
    table_buttons,
    text,
)
from cogs.ui.people import voice_of
from cogs.words import Voice, capital

_DEALS_SHOWN = 20
"""Lines of earlier deals in the list of scores; older ones are summed up in the totals."""


def render_sheet(post: SheetPost, locale: discord.Locale | None = None) -> ui.LayoutView:
    """Draw the result of one deal."""
    voice = voice_of(post.table, locale)
    score = post.score
    parts: list[Part] = [
        text(
            heading(voice("Score after deal {number}", number=score.deal)),
            *_moon(voice, score.moon),
        ),
        divider(),
        text(*_lines(voice, post.table, score)),
    ]
    if post.live:
        parts += [*below(*_goal(voice, post.table)), *table_buttons(voice, post.table)]
    return panel(UNDER_WAY if post.live else SETTLED, parts)


def render_scores(table: TableView, locale: discord.Locale | None = None) -> ui.LayoutView:
    """List the scores of all finished deals, in private."""
    voice = voice_of(table, locale)
    game = table.game
    title = heading(voice("Scores at table {code}", code=code(table)))
    if game is None or not game.scores:
        return panel(SETTLED, [text(title, voice("No deal has been finished yet."))])
    order = [voice("Each deal by seat"), *voice.seat_names]
    deals = [_deal_line(voice, score) for score in game.scores[-_DEALS_SHOWN:]]
    return panel(
        SETTLED,
        [
            text(title, *ranking(voice, game.totals)),
            divider(),
            text(quiet(*order), *deals, *_goal(voice, table)),
        ],
    )


def ranking(voice: Voice, totals: Sequence[int]) -> list[str]:
    """The totals, best first, figures under figures."""
    width = max(len(_figure(voice, total)) for total in totals)
    return [
        f"`{_figure(voice, totals[seat]):\u2007>{width}}` {bold(voice.seat_names[seat])}"
        for seat in best_first(totals)
    ]


def best_first(totals: Sequence[int]) -> list[Seat]:
    """Seats from the lowest total to the highest."""
    return [Seat(seat) for seat in sorted(range(len(totals)), key=lambda seat: totals[seat])]


def _figure(voice: Voice, number: int) -> str:
    return voice("{number}", number=number)


def _lines(voice: Voice, table: TableView, score: Score) -> list[str]:
    """Two lines for each seat: its total, and what this deal did to it."""
    totals = ranking(voice, score.totals)
    lines: list[str] = []
    for seat, total in zip(best_first(score.totals), totals, strict=True):
        points = score.points[seat]
        change = f"+{points}" if points >= 0 else _figure(voice, points)
        lines += [f"{total} {change}", quiet(*_sources(voice, table, score, seat))]
    return lines


def _sources(voice: Voice, table: TableView, score: Score, seat: Seat) -> list[Markup]:
    told = [capital(_source(voice, line)) for line in score.lines if line.seat == seat]
    reset = _exact_total(table, score, seat)
    if reset is not None:
        told.append(
            voice(
                "Exactly {total} becomes {becomes}",
                total=reset,
                becomes=score.totals[seat],
            )
        )
    return told


def _source(voice: Voice, line: ScoreLine) -> Markup:
    if line.what == "hearts":
        return voice(
            "{count} heart: {points}",
            "{count} hearts: {points}",
            count=line.count,
            points=line.points,
        )
    if line.what == "moon":
        return voice("the moon: {points}", points=line.points)
    return voice("{card}: {points}", card=Card.parse(line.what), points=line.points)


def _exact_total(table: TableView, score: Score, seat: Seat) -> int | None:
    """The total before it was reset, if it was hit exactly."""
    scores = table.game.scores if table.game else ()
    before = scores[score.deal - 2].totals[seat] if score.deal > 1 else 0
    reached = before + score.points[seat]
    return reached if table.ruleset.exact.get(reached, reached) != reached else None


def _moon(voice: Voice, moon: Moon | None) -> list[Markup]:
    if moon is None:
        return []
    text_of = {
        MoonPayoff.ADD_OTHERS: "{seats} shot the moon, and everybody else pays for it.",
        MoonPayoff.SUBTRACT_SELF: "{seats} shot the moon and takes the points off the total.",
    }
    return [bold(voice(text_of[moon.payoff], seats=moon.seats))]


def _goal(voice: Voice, table: TableView) -> list[Markup]:
    match table.ruleset.end:
        case Target(points):
            goal = voice(
                "The game is over after the deal in which somebody reaches {count} points.",
                count=points,
            )
        case DealCount(deals):
            goal = voice("The game is over after {count} deals.", count=deals)
        case Minutes(minutes):
            goal = voice("The deal after {count} minutes of play is the last.", count=minutes)
        case OpenCount():
            goal = voice("The game is over after the deal that you call the last.")
        case Single():
            return []
        case _:
            assert_never(table.ruleset.end)
    return [quiet(goal)]


def _deal_line(voice: Voice, score: Score) -> str:
    """A deal's number and its points by seat, figures under figures."""
    points = " ".join(f"{_figure(voice, each):\u2007>4}" for each in score.points)
    return f"`{_figure(voice, score.deal):\u2007>2}` `{points}`"
