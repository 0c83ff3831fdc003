"""Leaderboard and statistics, counted from the results of finished games."""

from collections import Counter
from datetime import datetime

from sqlalchemy import ColumnElement, Float, RowMapping, Subquery, and_, cast, func
from sqlalchemy import select as plain_select
from sqlmodel import Session, col, select

from bot.table.ids import GuildId, UserId
from bot.table.views import PersonStats, Standing, StandingsPage
from db.engine import Database
from db.models import MEMBERS, RESULTS, ResultRecord

PAGE = 10
"""Lines on a page of the board."""


class SqlStandings:
    """`bot.table.ports.Standings` over SQLite or PostgreSQL."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def board(
        self, guild_id: GuildId, *, since: datetime | None, page: int, asking: UserId
    ) -> StandingsPage:
        """See `bot.table.ports.Standings.board`.

        More wins rank higher; among equal wins fewer points a deal; who is equal in both shares
        the rank. Rated games count, those that ended at *since* or later; points only of games in
        which fewer are better, and who has played none of those comes behind.
        """
        ranked = _ranked(guild_id, since)
        return await self._database.read(lambda session: _page(session, ranked, page, asking))

    async def person(self, guild_id: GuildId, user_id: UserId) -> PersonStats:
        """See `bot.table.ports.Standings.person`."""
        finished = select(ResultRecord).where(
            col(ResultRecord.guild_id) == guild_id, col(ResultRecord.user_id) == user_id
        )
        results = await self._database.read(lambda session: session.exec(finished).all())
        places = Counter(result.place for result in results)
        low = [result for result in results if result.low_wins]
        return PersonStats(
            user_id=user_id,
            games=len(results),
            rated_games=sum(result.rated for result in results),
            wins=places[1],
            places=dict(sorted(places.items())),
            moons=sum(result.moons for result in results),
            deals=sum(result.deals for result in low),
            points=sum(result.points for result in low),
            best_total=min((result.points for result in low), default=None),
        )


def _page(session: Session, ranked: Subquery, page: int, asking: UserId) -> StandingsPage:
    connection = session.connection()
    line = ranked.c.line
    last = connection.scalar(plain_select(func.max(line)))
    pages = max(1, -(-(last or 0) // PAGE))
    page = min(max(page, 1), pages)
    shown = line.between((page - 1) * PAGE + 1, page * PAGE)
    wanted = plain_select(ranked).where(shown | (ranked.c.user_id == asking))
    rows = connection.execute(wanted.order_by(line)).mappings().all()
    of_page = range((page - 1) * PAGE + 1, page * PAGE + 1)
    own = [_standing(row) for row in rows if row["user_id"] == asking]
    return StandingsPage(
        lines=tuple(_standing(row) for row in rows if row["line"] in of_page),
        page=page,
        pages=pages,
        own=own[0] if own else None,
    )


def _ranked(guild_id: GuildId, since: datetime | None) -> Subquery:
    """All lines of a board, with rank and place in order."""
    counted = [RESULTS.c.guild_id == guild_id, RESULTS.c.rated, RESULTS.c.user_id.is_not(None)]
    if since is not None:
        counted.append(RESULTS.c.ended_at >= since)
    of_person = (
        plain_select(
            RESULTS.c.user_id,
            func.count().label("games"),
            func.count().filter(RESULTS.c.place == 1).label("wins"),
            (cast(_low(RESULTS.c.points), Float) / _low(RESULTS.c.deals)).label("mean"),
            func.sum(RESULTS.c.moons).label("moons"),
        )
        .where(*counted)
        .group_by(RESULTS.c.user_id)
        .subquery()
    )
    best_first = (of_person.c.wins.desc(), of_person.c.mean.asc().nulls_last())
    is_member = and_(MEMBERS.c.guild_id == guild_id, MEMBERS.c.user_id == of_person.c.user_id)
    return (
        plain_select(
            of_person,
            MEMBERS.c.name,
            func.rank().over(order_by=best_first).label("rank"),
            func.row_number().over(order_by=(*best_first, of_person.c.user_id)).label("line"),
        )
        .select_from(of_person.outerjoin(MEMBERS, is_member))
        .subquery()
    )


def _low(column: ColumnElement[int]) -> ColumnElement[int]:
    """The sum over games in which fewer points are better; null where there are none."""
    return func.sum(column).filter(RESULTS.c.low_wins)


def _standing(row: RowMapping) -> Standing:
    return Standing(
        rank=row["rank"],
        user_id=UserId(row["user_id"]),
        name=row["name"],
        games=row["games"],
        wins=row["wins"],
        mean_points=row["mean"],
        moons=int(row["moons"]),
    )
