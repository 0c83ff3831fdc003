"""A server's leaderboard, and one person's results."""

import discord
from discord import ui

from bot.table.ids import is_former
from bot.table.views import PersonStats, Standing, StandingsPage
from cogs.names import Markup, safe_name
from cogs.ui.ids import Period, ServerBoard
from cogs.ui.parts import (
    LOBBY,
    SETTLED,
    Row,
    bold,
    divider,
    heading,
    panel,
    press,
    quiet,
    rows,
    text,
)
from cogs.words import FORMER_PLAYER, Voice, capital

_OTHER = {Period.ALL: Period.DAYS_30, Period.DAYS_30: Period.ALL}


def render_board(
    page: StandingsPage, period: Period, locale: discord.Locale | None = None
) -> ui.LayoutView:
    """Draw one page of a leaderboard."""
    voice = Voice(locale)
    title = heading(voice("Leaderboard · {period}", period=_period(voice, period)))
    lines = [told for line in page.lines for told in _entry(voice, line)]
    if not lines:
        empty = voice(
            "No game has counted yet. A game counts when two people finish it against each other."
        )
        return panel(SETTLED, [text(title, empty), *_buttons(voice, page, period)])
    about = quiet(
        capital(voice("page {page} of {pages}", page=page.page, pages=page.pages)),
        voice("games that two people finished against each other"),
    )
    return panel(
        LOBBY,
        [
            text(title, *lines),
            divider(),
            text(*_own(voice, page), about),
            *_buttons(voice, page, period),
        ],
    )


def render_stats(
    stats: PersonStats, name: str, locale: discord.Locale | None = None
) -> ui.LayoutView:
    """Draw all that came of a person's games; *name* is raw."""
    voice = Voice(locale)
    title = heading(voice("Results of {name}", name=safe_name(name)))
    if not stats.games:
        return panel(SETTLED, [text(title, voice("There is no finished game yet."))])
    return panel(
        LOBBY,
        [text(title, *_games(voice, stats)), divider(), text(*_points(voice, stats))],
    )


def _entry(voice: Voice, line: Standing) -> list[str]:
    if is_former(line.user_id):
        return _lines(voice, line, voice(FORMER_PLAYER))
    name = voice("former member") if line.name is None else safe_name(line.name)
    return _lines(voice, line, name)


def _own(voice: Voice, page: StandingsPage) -> list[str]:
    """The reader's own lines, unless they stand on this page anyway."""
    if page.own is None or page.own in page.lines:
        return []
    return _lines(voice, page.own, voice("You"))


def _lines(voice: Voice, line: Standing, name: str) -> list[str]:
    wins = voice("{count} win", "{count} wins", count=line.wins)
    moons = voice("{count} moon", "{count} moons", count=line.moons) if line.moons else ""
    points = line.mean_points
    mean = "" if points is None else voice("{points} points a deal", points=points)
    return [
        f"`{line.rank}` {bold(name)} · {wins}",
        quiet(
            voice("{count} game", "{count} games", count=line.games),
            mean,
            moons,
        ),
    ]


def _period(voice: Voice, period: Period) -> Markup:
    return voice("all time") if period is Period.ALL else voice("last 30 days")


def _buttons(voice: Voice, page: StandingsPage, period: Period) -> list[Row]:
    other = _OTHER[period]
    before = ServerBoard(period, page.page - 1)
    after = ServerBoard(period, page.page + 1)
    return rows(
        [
            press(before, voice("Previous"), disabled=page.page <= 1),
            press(after, voice("Next"), disabled=page.page >= page.pages),
            press(ServerBoard(other, 1), voice("Show {period}", period=_period(voice, other))),
        ]
    )


def _games(voice: Voice, stats: PersonStats) -> list[str]:
    places = [
        voice(
            "place {place}: {count} time",
            "place {place}: {count} times",
            count=count,
            place=place,
        )
        for place, count in sorted(stats.places.items())
        if count
    ]
    rated = voice(
        "{count} of them counts for the leaderboard",
        "{count} of them count for the leaderboard",
        count=stats.rated_games,
    )
    return [
        voice("{count} game", "{count} games", count=stats.games)
        + " · "
        + bold(voice("{count} win", "{count} wins", count=stats.wins)),
        quiet(*places),
        quiet(rated),
    ]


def _points(voice: Voice, stats: PersonStats) -> list[str]:
    lines = [voice("{count} moon shot", "{count} moons shot", count=stats.moons)]
    if stats.deals:
        mean = voice(
            "{points} points a deal over {count} deal",
            "{points} points a deal over {count} deals",
            points=stats.points / stats.deals,
            count=stats.deals,
        )
        lines.insert(0, mean)
    if stats.best_total is not None:
        lines.append(voice("best total at the end: {points}", points=stats.best_total))
    return list(map(capital, lines))
