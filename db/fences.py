"""Keeps out whoever writes under a lease that another process has taken over meanwhile.

A process may sleep at any point, be stopped and go on much later. It cannot know that; the row of
its lease does, read in the very transaction of what it writes.
"""

from collections.abc import Callable
from typing import TypeVar

from sqlalchemy import BigInteger, ColumnElement, Integer, Text, bindparam, literal, true
from sqlalchemy import select as plain_select
from sqlmodel import Session

from bot.table.shards import Lease, LeaseLostError, present_lease
from db.models import LEASES

_Answer = TypeVar("_Answer")
_GUILD_SHIFT = literal(22, Integer)  # as in `bot.table.shards.shard_of`

_SHARD = bindparam("shard", type_=BigInteger)
_SHARDS = bindparam("shards", type_=BigInteger)
_STILL_HELD = (
    plain_select(LEASES.c.epoch)
    .where(
        LEASES.c.shard == bindparam("shard", type_=Integer),
        LEASES.c.owner == bindparam("owner", type_=Text),
        LEASES.c.epoch == bindparam("epoch", type_=Integer),
    )
    # Nobody takes it over between this look and the end of the transaction. SQLite, which has
    # one writer at a time, knows no such words and gets none.
    .with_for_update(read=True)
)


def carried_out(session: Session, unit: Callable[[Session], _Answer]) -> _Answer:
    """Run *unit*, unless it is the work of a lease that is gone.

    Raises:
        LeaseLostError: it is. Nothing was stored.
    """
    if (lease := present_lease()) is not None:
        _check(session, lease)
    return unit(session)


def in_shard(guild_id: ColumnElement[int]) -> ColumnElement[bool]:
    """Whether a row belongs to the shard of the parameters ``shard`` and ``shards``."""
    return _in_shard(guild_id, _SHARD, _SHARDS)


def ours(guild_id: ColumnElement[int]) -> ColumnElement[bool]:
    """Whether a row belongs to the shard of the lease that the caller works under."""
    lease = present_lease()
    if lease is None or lease.count == 1:
        return true()
    shard, shards = literal(lease.shard, BigInteger), literal(lease.count, BigInteger)
    return _in_shard(guild_id, shard, shards)


def _in_shard(
    guild_id: ColumnElement[int], shard: ColumnElement[int], shards: ColumnElement[int]
) -> ColumnElement[bool]:
    return guild_id.bitwise_rshift(_GUILD_SHIFT) % shards == shard


def _check(session: Session, lease: Lease) -> None:
    known = {"shard": lease.shard, "owner": lease.owner, "epoch": lease.epoch}
    if session.connection().execute(_STILL_HELD, known).first() is None:
        raise LeaseLostError(f"shard {lease.shard}: epoch {lease.epoch} is over")
