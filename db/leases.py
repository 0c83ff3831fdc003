"""Leases of shards, by the clock of the database, which all processes share."""

from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any

from sqlalchemy import BigInteger, Integer, Row, Text, bindparam, text, type_coerce, update
from sqlalchemy import select as plain_select
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement
from sqlmodel import Session

from bot.table.leases import LeaseHeldError
from bot.table.shards import Lease, Shards
from db.columns import moment
from db.engine import Database
from db.models import LEASES
from db.statements import upsert

_TURN = 7_366_118_203  # any number of ours: the key of PostgreSQL's advisory lock
_NOBODY = ""


class _Now(FunctionElement[int]):
    """Milliseconds since 1970 UTC by the database, at this moment of a transaction."""

    type = BigInteger()
    inherit_cache = True


@compiles(_Now, "sqlite")
def _sqlite_now(_element: _Now, _compiler: SQLCompiler, **_options: Any) -> str:  # noqa: ANN401  the library's own
    return "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)"


@compiles(_Now, "postgresql")
def _server_now(_element: _Now, _compiler: SQLCompiler, **_options: Any) -> str:  # noqa: ANN401  the library's own
    return "CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)"


_IS_LIVE = (type_coerce(LEASES.c.until, BigInteger) > _Now()).label("is_live")
_ALL = plain_select(LEASES, _IS_LIVE)
_LENGTH = bindparam("length", type_=BigInteger)
_THIS = (
    (LEASES.c.shard == bindparam("of", type_=Integer))
    & (LEASES.c.owner == bindparam("by", type_=Text))
    & (LEASES.c.epoch == bindparam("at", type_=Integer))
)
_RENEW = update(LEASES).where(_THIS).values(until=_Now() + _LENGTH)
_RELEASE = update(LEASES).where(_THIS).values(until=_Now())
_END_OTHERS = (
    update(LEASES).where(LEASES.c.shards != bindparam("other", type_=Integer)).values(owner=_NOBODY)
)


class SqlLeases:
    """`bot.table.leases.LeaseStore` over SQLite or PostgreSQL.

    Args:
        database: where all processes look.
        is_gone: whether the process of that name surely lives no more, so that nobody has to wait
            until its leases run out.
    """

    def __init__(
        self, database: Database, *, is_gone: Callable[[str], bool] = lambda _owner: False
    ) -> None:
        self._database = database
        self._is_gone = is_gone

    async def take(self, shard: int, shards: Shards, owner: str, length: timedelta) -> Lease:
        """See `bot.table.leases.LeaseStore.take`."""

        def unit(session: Session) -> Lease:
            _wait_for_turn(session)
            rows = session.connection().execute(_ALL).all()
            self._refuse_if_held(rows, shard, shards, owner)
            return _taken(session, rows, shard, shards, owner, length)

        # Whoever waits asks often, and shall not keep others from writing.
        rows = await self._database.read(lambda session: session.connection().execute(_ALL).all())
        self._refuse_if_held(rows, shard, shards, owner)
        return await self._database.write(unit)

    async def renew(self, lease: Lease, length: timedelta) -> bool:
        """See `bot.table.leases.LeaseStore.renew`."""
        values = _key(lease) | {"length": _milliseconds(length)}
        return await self._database.write(
            lambda session: session.connection().execute(_RENEW, values).rowcount == 1
        )

    async def release(self, lease: Lease) -> None:
        """See `bot.table.leases.LeaseStore.release`."""
        await self._database.write(
            lambda session: session.connection().execute(_RELEASE, _key(lease))
        )

    def _refuse_if_held(
        self, rows: Sequence[Row[*tuple[Any, ...]]], shard: int, shards: Shards, owner: str
    ) -> None:
        """Look whether others still do this work, or divide all work otherwise.

        Raises:
            LeaseHeldError: they do.
        """
        for row in rows:
            stands_in_the_way = row.shard == shard or row.shards != shards.count
            if not stands_in_the_way or not row.is_live or row.owner in {owner, _NOBODY}:
                continue
            if not self._is_gone(row.owner):
                raise LeaseHeldError(row.owner, shards=row.shards)


def _wait_for_turn(session: Session) -> None:
    """Let one process at a time look at all leases and take one; SQLite does by itself."""
    if session.get_bind().dialect.name == "postgresql":
        session.connection().execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _TURN})


def _taken(
    session: Session,
    rows: Sequence[Row[*tuple[Any, ...]]],
    shard: int,
    shards: Shards,
    owner: str,
    length: timedelta,
) -> Lease:
    """Write that *owner* has the lease. No row ever goes, so that no epoch comes back."""
    session.connection().execute(_END_OTHERS, {"other": shards.count})
    epoch = 1 + max((row.epoch for row in rows if row.shard == shard), default=0)
    row = {
        "shard": shard,
        "shards": shards.count,
        "owner": owner,
        "epoch": epoch,
        "until": moment(0),
    }
    upsert(session, LEASES, row, keys=("shard",))
    lease = Lease(shard=shard, count=shards.count, owner=owner, epoch=epoch)
    values = _key(lease) | {"length": _milliseconds(length)}
    session.connection().execute(_RENEW, values)
    return lease


def _key(lease: Lease) -> dict[str, Any]:
    return {"of": lease.shard, "by": lease.owner, "at": lease.epoch}


def _milliseconds(length: timedelta) -> int:
    return length // timedelta(milliseconds=1)
