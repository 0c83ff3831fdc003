"""The tables. Rows only: the values of `bot.table` are made from them and never mixed with them.

No snapshot of a game lies anywhere: a game is the fold of its events. All that somebody has to
work on carries the server's id, so that work can be divided by server.
"""

from datetime import datetime
from typing import Any

from sqlalchemy import (
    JSON,
    Boolean,
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    text,
    true,
)
from sqlmodel import Field, SQLModel

from bot.table.state import LIVE
from db.columns import RowNumber, Snowflake, UtcDateTime

METADATA = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)

LIVE_STATUSES = tuple(sorted(status.value for status in LIVE))
_IS_LIVE = text("status IN ('lobby', 'paused', 'playing')")
_IS_BEHIND = text("posted_version < wanted_version")
_IS_DUE = text("due_at IS NOT NULL")
_IS_WITHDRAWN = text("withdrawn_at IS NOT NULL")


class Row(SQLModel):
    """Base of all tables."""

    metadata = METADATA


def _of_table() -> Column[str]:
    return Column(Text, ForeignKey("tables.id"), primary_key=True)


def _snowflake_key() -> Column[int]:
    return Column(Snowflake, primary_key=True, autoincrement=False)


def _snowflake(*, nullable: bool = False) -> Column[int]:
    return Column(Snowflake, nullable=nullable)


def _moment(*, nullable: bool = False) -> Column[datetime]:
    return Column(UtcDateTime, nullable=nullable)


def _json(*, nullable: bool = False) -> Column[Any]:
    return Column(JSON(none_as_null=True), nullable=nullable)


class TableRecord(Row, table=True):
    """A table and its version: the number of its events. The one row that writers compare."""

    __tablename__ = "tables"
    __table_args__ = (
        # One live table a channel, also when two people open one in the same moment.
        Index(
            "uq_tables_live_channel",
            "channel_id",
            unique=True,
            sqlite_where=_IS_LIVE,
            postgresql_where=_IS_LIVE,
        ),
        Index(None, "guild_id", "status"),
    )

    id: str = Field(sa_column=Column(Text, primary_key=True))
    guild_id: int = Field(sa_column=_snowflake())
    channel_id: int = Field(sa_column=_snowflake())
    host: int = Field(sa_column=_snowflake())
    status: str = Field(sa_column=Column(Text, nullable=False))
    version: int
    title: str = Field(sa_column=Column(Text, nullable=False))
    rules: Any = Field(sa_column=_json())
    clock: Any = Field(sa_column=_json())
    opened_at: datetime = Field(sa_column=_moment())
    ended_at: datetime | None = Field(sa_column=_moment(nullable=True))
    adjusted: int = Field(sa_column=Column(Integer, nullable=False, server_default=text("0")))
    """How often what follows from its events was changed without an event."""


class SeatRecord(Row, table=True):
    """A taken seat: whose it is, and the robot that plays it, if one does."""

    __tablename__ = "seats"
    __table_args__ = (
        UniqueConstraint("table_id", "user_id"),
        CheckConstraint("user_id IS NOT NULL OR robot IS NOT NULL", name="taken"),
        Index(None, "user_id"),
    )

    table_id: str = Field(sa_column=_of_table())
    seat: int = Field(primary_key=True)
    user_id: int | None = Field(sa_column=_snowflake(nullable=True))
    robot: str | None = Field(sa_column=Column(Text, nullable=True))


class EventRecord(Row, table=True):
    """One event. Of several by one command the first has the interaction's id."""

    __tablename__ = "events"

    table_id: str = Field(sa_column=_of_table())
    seq: int = Field(primary_key=True)
    iid: int | None = Field(sa_column=Column(Snowflake, nullable=True, unique=True))
    actor_id: int | None = Field(sa_column=_snowflake(nullable=True))
    at: datetime = Field(sa_column=_moment())
    kind: str = Field(sa_column=Column(Text, nullable=False))
    v: int
    body: Any = Field(sa_column=_json())


class DealRecord(Row, table=True):
    """Where a deal's order came from. Secret until the deal is over."""

    __tablename__ = "deals"

    table_id: str = Field(sa_column=_of_table())
    deal: int = Field(primary_key=True)
    seed: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
    commitment: str = Field(sa_column=Column(Text, nullable=False))
    revealed_at: datetime | None = Field(sa_column=_moment(nullable=True))
    cuts: Any = Field(sa_column=_json(nullable=True))
    """What went into the shuffle beside the seed; null before the deal, and in old deals."""


class PostRecord(Row, table=True):
    """A public post. Behind while ``posted_version < wanted_version``."""

    __tablename__ = "posts"
    __table_args__ = (
        Index(
            "ix_posts_behind",
            "table_id",
            "place",
            sqlite_where=_IS_BEHIND,
            postgresql_where=_IS_BEHIND,
        ),
    )

    table_id: str = Field(sa_column=_of_table())
    slot: str = Field(sa_column=Column(Text, primary_key=True))
    place: int
    """Among the posts of its table, counted from 0, oldest first."""
    guild_id: int = Field(sa_column=_snowflake())
    channel_id: int = Field(sa_column=_snowflake())
    closed: bool
    """No event moves `wanted_version` any more."""
    wanted_version: int
    wanted_at: datetime = Field(sa_column=_moment())
    """Since when it is behind, while it is."""
    posted_version: int
    """One less for each time that it has to be shown anew; below 1: not in the channel."""
    message_id: int | None = Field(sa_column=_snowflake(nullable=True))
    sent_at: datetime | None = Field(sa_column=_moment(nullable=True))
    digest: str | None = Field(sa_column=Column(Text, nullable=True))
    sends: int
    attempted_at: datetime | None = Field(sa_column=_moment(nullable=True))


class OutboxRecord(Row, table=True):
    """Something to be said or deleted once.

    A ping stays as long as it is wanted or stands in the channel, so that no commit makes it
    anew; ``due_at`` is null while there is nothing to do about it.
    """

    __tablename__ = "outbox"
    __table_args__ = (
        Index(None, "table_id"),
        Index("ix_outbox_due", "due_at", sqlite_where=_IS_DUE, postgresql_where=_IS_DUE),
        Index(
            "ix_outbox_withdrawn",
            "withdrawn_at",
            sqlite_where=_IS_WITHDRAWN,
            postgresql_where=_IS_WITHDRAWN,
        ),
        # A row's number must never come back: it may still be in a publisher's hands.
        {"sqlite_autoincrement": True},
    )

    id: int | None = Field(default=None, sa_column=Column(RowNumber, primary_key=True))
    guild_id: int = Field(sa_column=_snowflake())
    table_id: str = Field(sa_column=Column(Text, ForeignKey("tables.id"), nullable=False))
    channel_id: int = Field(sa_column=_snowflake())
    kind: str = Field(sa_column=Column(Text, nullable=False))
    nonce: str = Field(sa_column=Column(Text, nullable=False, unique=True))
    due_at: datetime | None = Field(sa_column=_moment(nullable=True))
    attempts: int
    user_id: int | None = Field(sa_column=_snowflake(nullable=True))
    """Whom a ping calls."""
    about: str | None = Field(sa_column=Column(Text, nullable=True))
    """`bot.table.posting.Ping.kind`."""
    moment: int | None = None
    notice: Any = Field(sa_column=_json(nullable=True))
    message_id: int | None = Field(sa_column=_snowflake(nullable=True))
    """The ping in the channel, or what to delete."""
    withdrawn_at: datetime | None = Field(sa_column=_moment(nullable=True))
    """A ping that nobody wants any more, but that may be on its way this moment."""
    reminder: int | None = None
    """`bot.table.posting.Ping.reminder`; null is 0."""


class TimerRecord(Row, table=True):
    """Something that happens by itself."""

    __tablename__ = "timers"
    __table_args__ = (Index(None, "due_at"),)

    table_id: str = Field(sa_column=_of_table())
    seat: int = Field(primary_key=True)
    kind: str = Field(sa_column=Column(Text, primary_key=True))
    guild_id: int = Field(sa_column=_snowflake())
    moment: int
    due_at: datetime = Field(sa_column=_moment())
    begun_at: datetime | None = Field(sa_column=_moment(nullable=True))
    credit_ms: int | None = Field(sa_column=_snowflake(nullable=True))
    """Milliseconds of `bot.table.storing.Timer.credit`; null is 0."""


class ResultRecord(Row, table=True):
    """One seat's result of a finished game."""

    __tablename__ = "results"
    __table_args__ = (Index(None, "guild_id", "ended_at"), Index(None, "guild_id", "user_id"))

    table_id: str = Field(sa_column=_of_table())
    seat: int = Field(primary_key=True)
    guild_id: int = Field(sa_column=_snowflake())
    user_id: int | None = Field(sa_column=_snowflake(nullable=True))
    family: str = Field(sa_column=Column(Text, nullable=False))
    place: int
    points: int
    deals: int
    moons: int
    rated: bool
    ended_at: datetime = Field(sa_column=_moment())
    low_wins: bool = Field(sa_column=Column(Boolean, nullable=False, server_default=true()))


class GuildRecord(Row, table=True):
    """What a server chose."""

    __tablename__ = "guilds"

    guild_id: int = Field(sa_column=_snowflake_key())
    settings: Any = Field(sa_column=_json())


class PersonRecord(Row, table=True):
    """What a person chose, in all servers alike."""

    __tablename__ = "persons"

    user_id: int = Field(sa_column=_snowflake_key())
    settings: Any = Field(sa_column=_json())


class MemberRecord(Row, table=True):
    """The display name under which a server last saw a person."""

    __tablename__ = "members"

    guild_id: int = Field(sa_column=_snowflake_key())
    user_id: int = Field(sa_column=_snowflake_key())
    name: str = Field(sa_column=Column(Text, nullable=False))


class KeeperRecord(Row, table=True):
    """A score keeper of a game with real cards: the newest version of its sheet."""

    __tablename__ = "keepers"
    __table_args__ = (UniqueConstraint("channel_id", "owner"),)

    id: str = Field(sa_column=Column(Text, primary_key=True))
    guild_id: int | None = Field(sa_column=_snowflake(nullable=True))
    """Null: the channel is a direct message."""
    channel_id: int = Field(sa_column=_snowflake())
    owner: int = Field(sa_column=_snowflake())
    version: int
    sheet: Any = Field(sa_column=_json())
    opened_at: datetime = Field(sa_column=_moment())
    changed_at: datetime = Field(sa_column=_moment())


class LeaseRecord(Row, table=True):
    """Which process may post and fire timers for a shard, and until when."""

    __tablename__ = "leases"

    shard: int = Field(sa_column=Column(Integer, primary_key=True, autoincrement=False))
    shards: int
    """Into how many shards its owner divides the servers."""
    owner: str = Field(sa_column=Column(Text, nullable=False))
    epoch: int
    """One more with each change of hands; a write under an older one changes nothing."""
    until: datetime = Field(sa_column=_moment())
    """By the clock of the database."""


class ErasureRecord(Row, table=True):
    """A person who asked to be forgotten, and when that will happen."""

    __tablename__ = "erasures"
    __table_args__ = (Index(None, "due_at"),)

    user_id: int = Field(sa_column=_snowflake_key())
    asked_at: datetime = Field(sa_column=_moment())
    due_at: datetime = Field(sa_column=_moment())


class DepartureRecord(Row, table=True):
    """A server that sent the bot away, and when what it left behind is deleted."""

    __tablename__ = "departures"
    __table_args__ = (Index(None, "due_at"),)

    guild_id: int = Field(sa_column=_snowflake_key())
    left_at: datetime = Field(sa_column=_moment())
    due_at: datetime = Field(sa_column=_moment())


class RuntimeRecord(Row, table=True):
    """What the bot remembers for itself."""

    __tablename__ = "runtime"

    key: str = Field(sa_column=Column(Text, primary_key=True))
    value: str = Field(sa_column=Column(Text, nullable=False))


def _table(record: type[Row]) -> Table:
    return METADATA.tables[str(record.__tablename__)]


# Statements are built on the plain tables: an object graph costs twice the time of a commit.
TABLES = _table(TableRecord)
SEATS = _table(SeatRecord)
EVENTS = _table(EventRecord)
DEALS = _table(DealRecord)
POSTS = _table(PostRecord)
OUTBOX = _table(OutboxRecord)
TIMERS = _table(TimerRecord)
RESULTS = _table(ResultRecord)
GUILDS = _table(GuildRecord)
PERSONS = _table(PersonRecord)
MEMBERS = _table(MemberRecord)
KEEPERS = _table(KeeperRecord)
LEASES = _table(LeaseRecord)
ERASURES = _table(ErasureRecord)
DEPARTURES = _table(DepartureRecord)
RUNTIME = _table(RuntimeRecord)
