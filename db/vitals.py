"""How much waits to be carried out; the answer also says that the database answers."""

from datetime import datetime

from sqlalchemy import func, select
from sqlmodel import Session

from bot.table.state import Status
from bot.table.vitals import Backlog
from db.engine import Database
from db.models import OUTBOX, POSTS, TABLES, TIMERS

_IS_PAUSED = TABLES.c.status == Status.PAUSED.value
_BEHIND = (
    select(func.count(), func.min(POSTS.c.wanted_at))
    .select_from(POSTS)
    .join(TABLES, TABLES.c.id == POSTS.c.table_id)
    .where(POSTS.c.posted_version < POSTS.c.wanted_version, ~_IS_PAUSED)
)
_OUTBOX = select(func.count()).select_from(OUTBOX)
_TIMERS = (
    select(func.count())
    .select_from(TIMERS)
    .join(TABLES, TABLES.c.id == TIMERS.c.table_id)
    .where(~_IS_PAUSED)
)


class SqlVitals:
    """`bot.table.vitals.Vitals` over SQLite or PostgreSQL."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def backlog(self, now: datetime) -> Backlog:
        """See `bot.table.vitals.Vitals.backlog`."""

        def look(session: Session) -> Backlog:
            connection = session.connection()
            behind, since = connection.execute(_BEHIND).one()
            return Backlog(
                posts_behind=behind,
                behind_since=since,
                outbox_due=connection.scalar(_OUTBOX.where(OUTBOX.c.due_at <= now)) or 0,
                timers_due=connection.scalar(_TIMERS.where(TIMERS.c.due_at <= now)) or 0,
            )

        return await self._database.read(look)
