"""Many tables in the middle of their games, made by the bot itself before a bench begins.

Two people and two robots sit at most of them, one person and three robots at some. All that was to
be shown or said counts as shown and said, so a bench begins with a bot that owes nobody anything.
"""

from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import count

from bot.promises.repeatable import MovedClock, NumberedSeeds
from bot.rules import variants
from bot.rules.cards import Card, Hand, sorted_cards
from bot.rules.state import Phase
from bot.rules.view import SeatView
from bot.table.clocks import move_clock
from bot.table.ids import (
    ChannelId,
    GuildId,
    InteractionId,
    MessageId,
    TableId,
    UserId,
)
from bot.table.manager import TableManager
from bot.table.moments import turn
from bot.table.opening import OpenTable
from bot.table.ports import EventStore
from bot.table.robots import Robots
from bot.table.seating import STAND_IN_LEVEL
from bot.table.storing import Cause, PostedState
from bot.table.timekeeper import Timekeeper
from bot.table.views import HandView
from db.engine import Database
from db.event_store import SqlEventStore
from db.inline import open_inline
from db.migrate import upgrade
from db.settings import SqlSettings
from db.work import SqlWork

TABLES_A_PERSON = 10
"""As many as one may have."""
_TABLES_A_SERVER = 40
_TRICKS, _MOVES_OF_PEOPLE = 13, 2
_EACH_WITH_ONE_PERSON = 12
"""Every so many tables, there is only one: 23 of 48 seats are people's, 12 of 25 moves."""
_EACH_NEAR_ITS_END = 10
"""Every so many tables, one is near the end of its deal."""
_FIRST_CHANNEL, _FIRST_PERSON = 10_000, 100_000
_MOST_AT_ONCE = 1_000


@dataclass(frozen=True, slots=True)
class Company:
    """A table, and the people who sit there."""

    table_id: TableId
    channel_id: ChannelId
    people: tuple[UserId, ...]


async def seat(
    url: str,
    number: int,
    store: Callable[[Database], EventStore] = SqlEventStore,
    *,
    mixed: bool = False,
    fresh: bool = False,
) -> Sequence[Company]:
    """Make so many tables in the empty database of *url*, all in play.

    Args:
        url: of an SQLite file.
        number: how many tables.
        store: makes what the tables are stored by.
        mixed: every trick of a deal is under way at as many tables, begun or half played. Otherwise
            nearly all are in the first one, which takes less time to make; but tables that go on
            together end their tricks together, in waves that no bot ever sees.
        fresh: really all are in the first one. For very many tables: the time in which some of
            them come near the end of their deal runs for all others, too, until people are late.

    Returns:
        Who sits where.
    """
    await upgrade(url)
    async with _crowd(url, store) as crowd:
        companies = [await crowd.open_table(place) for place in range(number)]
        await crowd.let_robots_move()
        for place, company in enumerate(companies):
            if mixed:
                await crowd.play_on(company, until=1 + place % _TRICKS)
                await crowd.play_some(company, moves=place // _TRICKS % (1 + _MOVES_OF_PEOPLE))
            elif place % _EACH_NEAR_ITS_END == 0 and not fresh:
                await crowd.play_on(company, until=1)
        await crowd.count_all_as_shown()
    return companies


@asynccontextmanager
async def _crowd(url: str, store: Callable[[Database], EventStore]) -> AsyncIterator["_Crowd"]:
    database = open_inline(url)
    try:
        yield _Crowd(database, store(database))
    finally:
        await database.close()


class _Crowd:
    """The bot while the tables are made, and the people who make them."""

    def __init__(self, database: Database, store: EventStore) -> None:
        self._clock = MovedClock(datetime.now(UTC))
        self._work = SqlWork(database)
        seeds = NumberedSeeds("crowd")
        self._tables = TableManager(
            store=store,
            settings=SqlSettings(database),
            clock=self._clock,
            seeds=seeds,
            robots=Robots(seeds),
        )
        self._timekeeper = Timekeeper(self._work, self._tables, self._clock)
        self._interactions = count(1)
        self._messages = count(1)

    async def open_table(self, place: int) -> Company:
        """Open table number *place*, counted from 0, and bring it to its first trick."""
        first = _FIRST_PERSON + 2 * (place // TABLES_A_PERSON)
        host, *guests = UserId(first), UserId(first + 1)
        if place % _EACH_WITH_ONE_PERSON == 0:
            guests.clear()
        view = await self._tables.open(self._press(host), _wish(place, robots=3 - len(guests)))
        for guest in guests:
            await self._tables.join(self._press(guest), view.id)
        await self._tables.start(self._press(host), view.id)
        company = Company(view.id, view.channel_id, (host, *guests))
        for person in company.people:
            await self.move(company.table_id, person)
        return company

    async def move(self, table_id: TableId, person: UserId) -> bool:
        """Do what a table waits for, if it waits for this person; return whether it did."""
        held = await self._tables.hand(table_id, person)
        if (move := move_of(held)) is not None:
            await move.carry_out(self._tables, self._press(person))
        return move is not None

    async def play_on(self, company: Company, *, until: int) -> None:
        """Play until the first of the people has so many cards left, at least 1, or fewer."""
        while await self._cards_left(company) > until:
            await self.let_robots_move()
            for person in company.people:
                await self.move(company.table_id, person)

    async def play_some(self, company: Company, *, moves: int) -> None:
        """Play until people have made so many moves, and it is a person's turn again."""
        while moves:
            await self.let_robots_move()
            for person in company.people:
                if moves and await self.move(company.table_id, person):
                    moves -= 1
        await self.let_robots_move()

    async def let_robots_move(self) -> None:
        """Let everything fall due that is to be soon."""
        self._clock.move_on()
        await self._timekeeper.fire_due()

    async def count_all_as_shown(self) -> None:
        """Pretend that the channels show and say all that they should."""
        while behind := await self._work.posts_behind(_MOST_AT_ONCE):
            for post in behind:
                await self._work.posted(
                    PostedState(
                        table_id=post.table_id,
                        slot=post.slot,
                        channel_id=post.channel_id,
                        message_id=self._message(),
                        sent_at=self._clock.now(),
                        digest="",
                        sends=post.sends + 1,
                        before=post.shown,
                        version=post.version,
                    )
                )
        self._clock.move_on()
        while due := await self._work.due_outbox(self._clock.now(), _MOST_AT_ONCE):
            for row in due:
                await self._work.ping_sent(row.id, row.channel_id, self._message())

    async def _cards_left(self, company: Company) -> int:
        hand = (await self._tables.hand(company.table_id, company.people[0])).hand
        return 0 if hand is None else len(hand.hand)

    def _message(self) -> MessageId:
        return MessageId(next(self._messages))

    def _press(self, person: UserId) -> Cause:
        number = InteractionId(next(self._interactions))
        return Cause(self._clock.now(), person, number, f"person {person}")


@dataclass(frozen=True, slots=True)
class PlayCard:
    """Lay down a card, in a turn that was seen."""

    table_id: TableId
    card: Card
    turn: int

    async def carry_out(self, tables: TableManager, cause: Cause) -> HandView:
        """Press the button; the hand after it."""
        return await tables.play(cause, self.table_id, self.card, seen_turn=self.turn)


@dataclass(frozen=True, slots=True)
class PassCards:
    """Choose what to pass, in a deal that was seen."""

    table_id: TableId
    cards: Hand
    deal: int

    async def carry_out(self, tables: TableManager, cause: Cause) -> HandView:
        """Press the button; the hand after it."""
        return await tables.pass_cards(cause, self.table_id, self.cards, seen_deal=self.deal)


Move = PlayCard | PassCards


def move_of(held: HandView) -> Move | None:
    """A legal move of the person who sees *held*, if the table waits for one."""
    hand, table_id = held.hand, held.table.id
    if hand is None:
        return None
    if hand.choice is not None and hand.choice.cards:
        return PlayCard(table_id, sorted_cards(hand.choice.cards)[0], turn(hand.public))
    if hand.public.phase is Phase.PASSING and hand.seat in hand.public.waiting and not hand.given:
        return PassCards(table_id, frozenset(_first(hand)), hand.public.deal)
    return None


def _first(hand: SeatView) -> Iterator[Card]:
    return iter(sorted_cards(hand.hand)[:3])


def _wish(place: int, *, robots: int) -> OpenTable:
    return OpenTable(
        guild_id=GuildId(1 + place // _TABLES_A_SERVER),
        channel_id=ChannelId(_FIRST_CHANNEL + place),
        ruleset=variants.load("standard"),
        seats=4,
        clock=move_clock("24h"),
        robots=(STAND_IN_LEVEL,) * robots,
        invited=(),
    )
