"""Moments and ids mean the same on every database and in every zone (B96, reliability.md 3)."""

import re
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import BigInteger, Integer
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.schema import CreateIndex, CreateTable

from bot.table.state import LIVE
from db.columns import Snowflake, UtcDateTime, milliseconds, moment
from db.models import LIVE_STATUSES, METADATA, TABLES

COLUMNS = [column for table in METADATA.sorted_tables for column in table.columns]


@given(st.datetimes(timezones=st.just(UTC), min_value=datetime(1971, 1, 1)))  # noqa: DTZ001  hypothesis wants its bounds naive
def test_a_moment_comes_back_to_the_millisecond(now: datetime):
    back = moment(milliseconds(now))
    assert timedelta() <= now - back < timedelta(milliseconds=1)
    assert back.utcoffset() == timedelta()


def test_a_moment_of_another_zone_is_the_same_moment():
    """Reliability.md 3.9: a plain column drops the offset."""
    kathmandu = timezone(timedelta(hours=5, minutes=45))
    noon = datetime(2026, 3, 29, 12, tzinfo=kathmandu)
    assert moment(milliseconds(noon)) == datetime(2026, 3, 29, 6, 15, tzinfo=UTC)


def test_a_naive_moment_is_refused():
    with pytest.raises(ValueError, match="zone"):
        milliseconds(datetime(2026, 3, 29, 12))  # noqa: DTZ001  the planted fault


@pytest.mark.parametrize("name", ["sqlite", "postgresql"])
def test_all_tables_can_be_made_on(name: str):
    dialect = {"sqlite": sqlite.dialect, "postgresql": postgresql.dialect}[name]()
    for table in METADATA.sorted_tables:
        assert str(CreateTable(table).compile(dialect=dialect)).strip()
        for index in table.indexes:
            assert str(CreateIndex(index).compile(dialect=dialect)).strip()


def test_all_that_may_be_an_id_of_discord_has_64_bits():
    """Reliability.md 3.13: a plain integer works on SQLite and overflows on PostgreSQL."""
    ids = {"iid", "host"} | {"guild_id", "channel_id", "user_id", "message_id", "actor_id"}
    narrow = [str(c) for c in COLUMNS if c.name in ids and type(c.type) is not BigInteger]
    assert narrow == []
    assert Snowflake is BigInteger


def test_all_narrow_integers_are_counted_by_us():
    narrow = {c.name for c in COLUMNS if type(c.type) is Integer}
    ours = {"version", "seat", "seq", "v", "deal", "place", "wanted_version", "posted_version"}
    ours |= {"sends", "attempts", "moment", "points", "deals", "moons", "reminder"}
    assert narrow <= ours | {"adjusted", "epoch", "shard", "shards"}


def test_all_moments_are_kept_as_milliseconds():
    """B96; the ends of their names say which columns are moments."""
    moments = [c for c in COLUMNS if re.fullmatch(r"at|until|\w+_at", c.name)]
    assert [str(c) for c in moments if not isinstance(c.type, UtcDateTime)] == []
    assert [str(c) for c in COLUMNS if isinstance(c.type, UtcDateTime) and c not in moments] == []


def test_the_channels_index_counts_the_statuses_that_are_live():
    """The index writes them out in SQL; a new live status has to be added there by a migration."""
    index = next(i for i in TABLES.indexes if i.name == "uq_tables_live_channel")
    for dialect in ("sqlite", "postgresql"):
        where = str(index.dialect_options[dialect]["where"])
        assert where == f"status IN {LIVE_STATUSES!r}"
    assert set(LIVE_STATUSES) == {status.value for status in LIVE}
