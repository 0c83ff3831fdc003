"""The score sheet of a deal: where the points came from, and the totals."""

from collections.abc import Sequence
from string import ascii_uppercase
from typing import assert_never

import discord
from discord import ui

from bot.rules.cards import Card, Seat
from bot.rules.dimensions import (
    DealCount,
    GoodScore,
    Minutes,
    MoonPayoff,
    OpenCount,
    Single,
    Target,
)
from bot.rules.ruleset import Ruleset
from bot.rules.scoring import HEARTS, MOON, NO_TRICK, SUN
from bot.rules.sides import is_pooled
from bot.rules.state import Score, ScoreLine
from bot.rules.view import PublicView
from bot.table.posting import SheetPost
from bot.table.views import TableView
from cogs.names import Markup
from cogs.ui.fair import cut_button, cutters, revealed
from cogs.ui.parties import (
    Figure,
    Party,
    apart,
    columns,
    figure_text,
    is_settled_by_deal,
    party_name,
    plus_and_minus,
    standing,
    totals_are_apart,
)
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
    text,
)
from cogs.ui.people import voice_of
from cogs.ui.votes import table_foot
from cogs.words import Voice, capital

_DEALS_SHOWN = 20
"""Lines of earlier deals in the list of scores; older ones are summed up in the totals."""
_WIDEST = 6
"""Columns of figures that a phone shows side by side."""
_LONGEST_ROW = 30
"""Characters of a row of figures that a phone shows without breaking it."""


def render_sheet(post: SheetPost, locale: discord.Locale | None = None) -> ui.LayoutView:
    """Draw the result of one deal."""
    voice = voice_of(post.table, locale)
    game = post.table.game
    score = post.score
    title = heading(voice("Score after deal {number}", number=score.deal))
    parts: list[Part] = [text(title, *moon_lines(voice, score))]
    if game is not None:
        parts += [divider(), text(*_lines(voice, game, score)), *below(*_left_over(voice, post))]
    fair = revealed(voice, post.table, score.deal)
    if post.live:
        buttons = cut_button(voice, post.table)
        parts += below(*_goal(voice, post.table), *fair, cutters(voice, post.table))
        parts += table_foot(voice, post.table, *buttons)
    else:
        parts += below(*_signs(voice, post.table), *fair)
    return panel(UNDER_WAY if post.live else SETTLED, parts)


def render_scores(table: TableView, locale: discord.Locale | None = None) -> ui.LayoutView:
    """List the scores of all finished deals, in private."""
    voice = voice_of(table, locale)
    game = table.game
    title = heading(voice("Scores at table {code}", code=code(table)))
    if game is None or not game.scores:
        return panel(SETTLED, [text(title, voice("No deal has been finished yet."))])
    return panel(
        SETTLED,
        [
            text(title, *standings(voice, game)),
            divider(),
            text(*_deal_by_deal(voice, game), *_goal(voice, table)),
        ],
    )


def standings(voice: Voice, game: PublicView) -> list[str]:
    """A line for each party, the best first, figures under figures."""
    return _ranking(voice, standing(game))


def _ranking(voice: Voice, parties: Sequence[Party]) -> list[str]:
    figures = columns(figure_text(voice, party.figure) for party in parties)
    return [
        f"`{figure}` {party_name(voice, party.seats)}{apart(voice, party)}"
        for figure, party in zip(figures, parties, strict=True)
    ]


def _lines(voice: Voice, game: PublicView, score: Score) -> list[str]:
    """For each party its total and what this deal did to it, and under that why."""
    parties = standing(game, score.deal)
    lines: list[str] = []
    for party, told in zip(parties, _ranking(voice, parties), strict=True):
        change = figure_text(voice, _change(game, score, party), signed=True)
        lines += [f"{told} {change}", *_reasons(voice, game, score, party)]
    return lines


def _change(game: PublicView, score: Score, party: Party) -> Figure:
    if totals_are_apart(game):
        return sum(score.points[seat] for seat in party.seats)
    return gained(game, score, party.seats[0])


def _reasons(voice: Voice, game: PublicView, score: Score, party: Party) -> list[Markup]:
    """Small print on each seat of a party; partners are named in it."""
    lines = []
    for seat in party.seats:
        told = _sources(voice, game, score, seat)
        if len(party.seats) > 1 and told:
            lines.append(quiet(voice("{seat}", seat=seat), *told))
        else:
            lines.append(quiet(*told))
    return lines


def _sources(voice: Voice, game: PublicView, score: Score, seat: Seat) -> list[Markup]:
    told = [capital(_source(voice, line)) for line in score.lines if line.seat == seat]
    if is_settled_by_deal(game.ruleset):
        points = score.points[seat]
        told.insert(0, voice("{count} point", "{count} points", count=points))
    reset = _exact_total(game, score, seat)
    if reset is not None:
        becomes = score.totals[seat]
        told.append(voice("Exactly {total} becomes {becomes}", total=reset, becomes=becomes))
    return told


def _source(voice: Voice, line: ScoreLine) -> Markup:
    if line.what == HEARTS:
        one, many = "{count} heart: {points}", "{count} hearts: {points}"
        return voice(one, many, count=line.count, points=line.points)
    if named := _NAMED.get(line.what):
        return voice(named, points=line.points)
    cards = (Card.parse(line.what),) * line.count
    return voice("{cards}: {points}", cards=cards, points=line.points)


_NAMED = {
    MOON: "the moon: {points}",
    SUN: "the sun: {points}",
    NO_TRICK: "without a trick: {points}",
}


def _exact_total(game: PublicView, score: Score, seat: Seat) -> int | None:
    """The total before it was reset, if it was hit exactly."""
    before = game.scores[score.deal - 2].totals[seat] if score.deal > 1 else 0
    reached = before + score.points[seat]
    return reached if game.ruleset.exact.get(reached, reached) != reached else None


def moon_lines(voice: Voice, score: Score) -> list[Markup]:
    """Who shot the moon in a deal, and how that was paid; nothing where nobody did."""
    moon = score.moon
    if moon is None:
        return []
    is_sun = any(line.what == SUN for line in score.lines)
    shot = "{seats} took every trick" if is_sun else "{seats} shot the moon"
    one, many = _PAID[moon.payoff]
    facts = {"shot": voice(shot, seats=moon.seats), "count": len(moon.seats)}
    return [bold(voice(one, many, **facts))]


_PAID = {
    MoonPayoff.ADD_OTHERS: (
        "{shot}, and everybody else pays for it.",
        "{shot}, and everybody else pays for it.",
    ),
    MoonPayoff.SUBTRACT_SELF: (
        "{shot} and takes the points off the total.",
        "{shot} and take the points off their total.",
    ),
    MoonPayoff.LOSE_VALUE: (
        "{shot}, and that counts against the shooter.",
        "{shot}, and that counts against them.",
    ),
}


def _left_over(voice: Voice, post: SheetPost) -> list[Markup]:
    """What nobody played, what counts for nobody, and a widow that everybody may see now."""
    lines = [_claimed(voice, post)] if post.claimed else []
    if post.dead_tricks:
        dead = voice(
            "Nobody won the last trick",
            "Nobody won the last {count} tricks",
            count=post.dead_tricks,
        )
        points = voice(
            "{count} point counts for nobody",
            "{count} points count for nobody",
            count=post.dead_points,
        )
        lines.append(quiet(dead, points if post.dead_points else ""))
    if post.widow:
        lines.append(quiet(voice("In the widow lay {cards}.", cards=post.widow)))
    return lines


def _claimed(voice: Voice, post: SheetPost) -> Markup:
    return quiet(
        voice(
            "The last trick was not played, since it was certain what it would bring",
            "The last {count} tricks were not played, since it was certain what they would bring",
            count=post.claimed,
        )
    )


def _goal(voice: Voice, table: TableView) -> list[Markup]:
    game = table.game
    signs = _signs(voice, table)
    if game is not None and game.places:
        return signs
    if game is not None and game.last_deal:
        return [*signs, quiet(voice("The deal under way is the last."))]
    goal = _end(voice, table.ruleset, table.seats)
    high = table.ruleset.good_score is GoodScore.HIGH
    best = voice("The highest total wins.") if high else ""
    return [*signs, *(quiet(line) for line in (goal, best) if line)]


def _signs(voice: Voice, table: TableView) -> list[Markup]:
    """What a plus means where figures are counters; elsewhere they are points."""
    return [quiet(plus_and_minus(voice))] if is_settled_by_deal(table.ruleset) else []


def _end(voice: Voice, ruleset: Ruleset, seats: int) -> Markup:
    match ruleset.end:
        case Target(points):
            one, many = _REACHED[is_pooled(ruleset, seats)]
            return voice(one, many, count=points)
        case DealCount(deals):
            one, many = (
                "The game is over after {count} deal.",
                "The game is over after {count} deals.",
            )
            return voice(one, many, count=deals)
        case Minutes(minutes):
            one = "The deal under way after {count} minute of play is the last."
            many = "The deal under way after {count} minutes of play is the last."
            return voice(one, many, count=minutes)
        case OpenCount():
            return voice("The game is over after the deal that its host calls the last.")
        case Single():
            return Markup("")
        case _:
            assert_never(ruleset.end)


_REACHED = {
    False: (
        "The game is over after the deal in which somebody reaches {count} point.",
        "The game is over after the deal in which somebody reaches {count} points.",
    ),
    True: (
        "The game is over after the deal in which a pair reaches {count} point.",
        "The game is over after the deal in which a pair reaches {count} points.",
    ),
}


def _deal_by_deal(voice: Voice, game: PublicView) -> list[str]:
    """What each deal brought, in columns; many columns stand in several tables."""
    each = tuple((Seat(seat),) for seat in range(game.seats))
    whole = each if totals_are_apart(game) else game.sides
    marked = list(zip(_marks(whole), whole, strict=True))
    size = len(marked) if len(marked) <= _WIDEST else _WIDEST - 1
    return [
        line
        for start in range(0, len(marked), size)
        for line in _table(voice, game, marked[start : start + size])
    ]


def _marks(parties: Sequence[Sequence[Seat]]) -> Sequence[str]:
    """What stands above the columns: numbers of seats, or letters of sides."""
    if any(len(seats) > 1 for seats in parties):
        return ascii_uppercase[: len(parties)]
    return [str(number) for number in range(1, len(parties) + 1)]


def _table(
    voice: Voice, game: PublicView, marked: Sequence[tuple[str, tuple[Seat, ...]]]
) -> list[str]:
    shown = game.scores[-_DEALS_SHOWN:]
    names = [f"{mark} {voice('{seats}', seats=seats)}" for mark, seats in marked]
    rows = [["", *(mark for mark, _ in marked)]]
    for score in shown:
        figures = (gained(game, score, seats[0]) for _, seats in marked)
        rows.append([str(score.deal), *(figure_text(voice, each) for each in figures)])
    width = max(len(cell) for row in rows for cell in row)
    roomy = len(rows[0]) * (width + 2) - 2 <= _LONGEST_ROW
    gap = "  " if roomy else " "
    lines = [gap.join(f"{cell:\u2007>{width}}" for cell in row) for row in rows]
    return [quiet(voice("Each deal"), *names), *(f"`{line}`" for line in lines)]


def gained(game: PublicView, score: Score, seat: Seat) -> Figure:
    """What a deal brought a seat; partners with one total show the same."""
    return score.money[seat] if is_settled_by_deal(game.ruleset) else score.points[seat]
