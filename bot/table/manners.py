"""In whose manner a robot stands in for a person: as that person has played so far."""

import asyncio
from collections import deque
from collections.abc import Iterator, Sequence

from bot.ai.tempers import USUAL, Tally, Temper
from bot.rules.cards import Card, Seat
from bot.rules.commands import PlayedBy
from bot.rules.events import CardPlayed
from bot.rules.state import Game
from bot.rules.view import seat_view
from bot.table import history, lobby
from bot.table.events import TableOpened
from bot.table.ids import Human, TableId, UserId
from bot.table.ports import EventStore
from bot.table.state import Table
from bot.table.storing import StoredEvent

CARDS = 104
"""Of a person's own cards so many are looked at, the latest: eight deals of thirteen."""
_EVENTS_A_BREATH = 20
"""A millisecond or two goes by between two chances of others to act."""
_MOST_REMEMBERED = 1_000

_OWN = frozenset({PlayedBy.HAND, PlayedBy.PLAN})
"""Ways to play a card in which its person has chosen it."""


class Manners:
    """Finds the temper of a person from the stored game, once for each of its deals."""

    def __init__(self, store: EventStore) -> None:
        self._store = store
        self._known: dict[tuple[TableId, UserId], tuple[int, Temper]] = {}
        """The deal in which it was found, and the temper. The one found longest ago comes first."""

    async def of(self, table: Table, seat: Seat) -> Temper:
        """The temper of the person whose own *seat* is; of nobody, the usual one."""
        owner = lobby.owner(table.chairs[seat])
        if owner is None or table.game is None or table.game.deal is None:
            return USUAL
        deal, key = table.game.deal.number, (table.id, owner)
        found_in, temper = self._known.pop(key, (0, USUAL))
        if found_in != deal:
            temper = await self._found(table.id, seat, owner)
        self._known[key] = deal, temper
        if len(self._known) > _MOST_REMEMBERED:
            del self._known[next(iter(self._known))]
        return temper

    async def _found(self, table_id: TableId, seat: Seat, owner: UserId) -> Temper:
        """Look at the latest cards; others may act in between, since it takes a while."""
        latest: deque[tuple[Game, Card]] = deque(maxlen=CARDS)
        stored = await self._store.load(table_id)
        for number, (game, entry) in enumerate(_past(stored, owner)):
            if number % _EVENTS_A_BREATH == 0:
                await asyncio.sleep(0)
            if isinstance(entry, CardPlayed) and entry.seat == seat and entry.by in _OWN:
                latest.append((game, entry.card))
        tally = Tally()
        for game, card in latest:
            view = seat_view(game, seat)
            if view.choice is not None and len(view.choice.cards) > 1:
                tally.count(view, card)
                await asyncio.sleep(0)
        return tally.temper


def _past(stored: Sequence[StoredEvent], owner: UserId) -> Iterator[tuple[Game, object]]:
    """Each event of the game while a person sits there, and the game before it."""
    first = stored[0].event
    if not isinstance(first, TableOpened):
        raise TypeError(type(first).__name__)
    table = history.opened(first)
    for entry in stored[1:]:
        if table.game is not None and Human(owner) in table.chairs:
            yield table.game, entry.event
        table = history.evolve(table, entry.event, entry.cause.user_id)
