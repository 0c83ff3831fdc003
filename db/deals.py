"""What is locked away of deals: their seeds, the cuts, and when everybody was told."""

from collections.abc import Iterator
from typing import Any

from sqlalchemy import Integer, Text, bindparam, func, insert, update
from sqlalchemy import select as plain_select
from sqlmodel import Session, col, select

from bot.table import codec, cuts, sealing
from bot.table.ids import InteractionId, TableId, UserId
from bot.table.storing import Cause, Drawer, Followings, SecretDeal
from db.models import DEALS, EVENTS, DealRecord

_OF = bindparam("of", type_=Text)
_ADD = insert(DEALS)
_THIS_DEAL = (DEALS.c.table_id == _OF) & (DEALS.c.deal == bindparam("number", type_=Integer))
_CUT = update(DEALS).where(_THIS_DEAL)
_NEWEST_SEAL = (
    plain_select(func.coalesce(func.max(EVENTS.c.seq), 1))
    .where(EVENTS.c.table_id == _OF, EVENTS.c.kind == sealing.DEAL_SEALED)
    .scalar_subquery()
)
"""The first seal comes with the event that opens a table."""
_PRESSES = (
    plain_select(EVENTS.c.actor_id, EVENTS.c.iid)
    .where(
        EVENTS.c.table_id == _OF,
        EVENTS.c.seq > _NEWEST_SEAL,
        EVENTS.c.iid.is_not(None),
        EVENTS.c.actor_id.is_not(None),
        # The number of a press tells when it was made, and of plans nobody may know even that.
        EVENTS.c.kind != codec.PLANS_MADE,
    )
    .order_by(EVENTS.c.seq)
)


def store(session: Session, cause: Cause, followings: Followings) -> None:
    """Keep what *followings* say of deals that were sealed, dealt or revealed."""
    table_id = followings.table.id
    if drawn := list(_rows(followings)):
        session.exec(_ADD, params=drawn)
    for number, given in followings.cuts.items():
        values = _CUT.values(cuts=cuts.encode(given))
        session.exec(values, params={"of": table_id, "number": number})
    for number in followings.revealed:
        values = _CUT.values(revealed_at=cause.at)
        session.exec(values, params={"of": table_id, "number": number})


def drawer(session: Session, table_id: TableId) -> Drawer:
    """See `bot.table.ports.EventStore.drawer`."""
    rows = session.exec(select(DealRecord).where(col(DealRecord.table_id) == table_id)).all()
    presses = session.connection().execute(_PRESSES, {"of": table_id}).all()
    return Drawer(
        {row.deal: _secret(row) for row in rows},
        {UserId(row.actor_id): InteractionId(row.iid) for row in presses},
    )


def _rows(followings: Followings) -> Iterator[dict[str, Any]]:
    for secret in followings.secret_deals:
        yield {
            "table_id": followings.table.id,
            "deal": secret.deal,
            "seed": secret.seed,
            "commitment": secret.commitment,
        }


def _secret(row: DealRecord) -> SecretDeal:
    return SecretDeal(
        deal=row.deal,
        seed=row.seed,
        commitment=row.commitment,
        cuts=None if row.cuts is None else cuts.decode(row.cuts),
    )
