"""Words that somebody typed to cut a deck, made empty when the person is forgotten.

The deal stays as it was dealt, but nobody can check its shuffle any more: an empty word says so.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Row, bindparam, select, update
from sqlmodel import Session

from bot.table.ids import TableId, UserId
from db.models import DEALS, EVENTS

_DECK_CUT, _DEAL_REVEALED = "deck_cut", "deal_revealed"
"""The kinds of events in which words stand, as `bot.table.sealing` writes them."""
_EMPTY = {"word": ""}
_SET_BODY = (
    update(EVENTS)
    .where(EVENTS.c.table_id == bindparam("of"), EVENTS.c.seq == bindparam("number"))
    .values(body=bindparam("new", type_=EVENTS.c.body.type))
)
_SET_CUTS = (
    update(DEALS)
    .where(DEALS.c.table_id == bindparam("of"), DEALS.c.deal == bindparam("number"))
    .values(cuts=bindparam("new", type_=DEALS.c.cuts.type))
)

_Deal = tuple[str, int]
"""A table, and the number of one of its deals."""


def forget_words(session: Session, tables: Sequence[TableId], user_id: UserId) -> None:
    """Empty all words of a person at *tables*, while the events still say whose they are."""
    connection = session.connection()
    events = select(EVENTS.c.table_id, EVENTS.c.seq, EVENTS.c.body).where(
        EVENTS.c.table_id.in_(tables)
    )
    own = events.where(EVENTS.c.kind == _DECK_CUT, EVENTS.c.actor_id == user_id)
    typed = connection.execute(own).all()
    if not typed:
        return
    words: dict[_Deal, set[str]] = {}
    for row in typed:
        words.setdefault((row.table_id, row.body["deal"]), set()).add(row.body["word"])
    changes = [_change(row.table_id, row.seq, {**row.body, **_EMPTY}) for row in typed]
    shown = connection.execute(events.where(EVENTS.c.kind == _DEAL_REVEALED)).all()
    changes += [change for row in shown for change in _revealed(row, words)]
    connection.execute(_SET_BODY, changes)
    deals = select(DEALS).where(DEALS.c.table_id.in_({table for table, _ in words}))
    if cuts := [
        change for row in connection.execute(deals).all() for change in _locked_away(row, words)
    ]:
        connection.execute(_SET_CUTS, cuts)


def _revealed(row: Row[*tuple[Any, ...]], words: Mapping[_Deal, set[str]]) -> list[dict[str, Any]]:
    own = words.get((row.table_id, row.body["deal"]), set())
    cuts = _without(row.body["cuts"], own)
    same = cuts == row.body["cuts"]
    return [] if same else [_change(row.table_id, row.seq, {**row.body, "cuts": cuts})]


def _locked_away(
    row: Row[*tuple[Any, ...]], words: Mapping[_Deal, set[str]]
) -> list[dict[str, Any]]:
    cuts = _without(row.cuts or [], words.get((row.table_id, row.deal), set()))
    return [] if cuts == (row.cuts or []) else [_change(row.table_id, row.deal, cuts)]


def _without(cuts: Sequence[Mapping[str, str] | None], words: set[str]) -> list[Any]:
    return [_EMPTY if cut is not None and cut.get("word") in words else cut for cut in cuts]


def _change(table_id: str, number: int, new: object) -> dict[str, Any]:
    return {"of": table_id, "number": number, "new": new}
