"""Column types that mean the same on SQLite and on PostgreSQL."""

from datetime import UTC, datetime, timedelta

from sqlalchemy import BigInteger, Dialect, Integer
from sqlalchemy.types import TypeDecorator

Snowflake = BigInteger
"""A Discord id: 64 bits, never counted up by the database."""

RowNumber = BigInteger().with_variant(Integer(), "sqlite")
"""A key that the database counts up by itself; SQLite does that for INTEGER alone."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)


class UtcDateTime(TypeDecorator[datetime]):
    """A moment: aware outside, integer milliseconds since 1970 UTC inside.

    Finer parts of a second are cut off. The zone of the machine plays no part, and neither
    does that of the value: what comes back is in UTC.
    """

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: datetime | None, _dialect: Dialect) -> int | None:
        """Turn a moment into milliseconds.

        Raises:
            ValueError: the value is naive, so nobody knows which moment it means.
        """
        return None if value is None else milliseconds(value)

    def process_result_value(self, value: int | None, _dialect: Dialect) -> datetime | None:
        return None if value is None else _EPOCH + value * _MILLISECOND


def milliseconds(moment: datetime) -> int:
    """Milliseconds since 1970 UTC.

    Raises:
        ValueError: *moment* is naive.
    """
    if moment.tzinfo is None:
        raise ValueError(f"a stored moment needs a zone: {moment!r}")
    return (moment - _EPOCH) // _MILLISECOND


def moment(value: int) -> datetime:
    """The reverse of `milliseconds`, in UTC."""
    return _EPOCH + value * _MILLISECOND
