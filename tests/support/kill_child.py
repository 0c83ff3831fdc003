"""A process that plays at several tables as fast as it can, to be killed in the middle of it.

Rooms ``bot.table`` and ``db`` only, so that it starts quickly. It says through its pipe
``{"try": CLICK}`` before a click is carried out and ``{"ack": NUMBER}`` once the manager has
answered it. Clicks that the process before it left without an answer are carried out first, under
their old interaction ids, as Discord or a person would send them again.
"""

import asyncio
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import count
from multiprocessing.connection import Connection
from typing import Any

from bot.rules import variants
from bot.rules.cards import parse_cards, sorted_cards, write_cards
from bot.rules.errors import HeartsError
from bot.rules.state import Phase
from bot.table.clocks import move_clock
from bot.table.events import TableEvent
from bot.table.ids import ChannelId, GuildId, InteractionId, TableId, UserId
from bot.table.manager import OpenTable, TableManager
from bot.table.robots import Robots
from bot.table.state import Status
from bot.table.storing import At, Cause, Followings
from bot.table.views import HandView, TableView
from db.engine import open_database
from db.event_store import SqlEventStore
from db.settings import SqlSettings
from tests.support.fakes import CountedSeeds

GUILD = GuildId(77)
TABLES = 6
SEATS = 4


@dataclass(frozen=True, slots=True)
class Click:
    """One press of one person, so that it can be sent again by another process."""

    number: int
    """The interaction id."""
    table: str
    user: int
    kind: str
    """``join``, ``start``, ``back``, ``pass`` or ``play``."""
    cards: str = ""
    moment: int = 0


class MachineClock:
    """The machine's own time."""

    def now(self) -> datetime:
        return datetime.now(UTC)

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


class HastyStore(SqlEventStore):
    """The planted fault: answers before its commit is on disk."""

    late_by = 0.005
    """Seconds between the answer and the commit."""

    async def commit(
        self, at: At, events: Sequence[TableEvent], cause: Cause, followings: Followings
    ) -> None:
        late = asyncio.create_task(self._commit_late(at, events, cause, followings))
        _LATE.add(late)
        late.add_done_callback(_LATE.discard)

    async def _commit_late(self, *args: Any) -> None:
        await asyncio.gather(*_LATE - {asyncio.current_task()}, return_exceptions=True)
        await asyncio.sleep(self.late_by)
        await super().commit(*args)


_LATE: set[asyncio.Task[None]] = set()


class Person:
    """Everybody who plays here: makes clicks, sends them, and says what was answered."""

    def __init__(
        self,
        tables: TableManager,
        first_number: int,
        dice: random.Random,
        pipe: Connection,
        now: Callable[[], datetime] | None = None,
    ) -> None:
        self._tables = tables
        self._pipe = pipe
        self._numbers = count(first_number)
        self._dice = dice
        self._now = now or MachineClock().now

    async def send(self, click: Click) -> None:
        self._pipe.send({"try": click})
        await self.carry_out(click)

    async def carry_out(self, click: Click) -> None:
        cause = Cause(self._now(), UserId(click.user), InteractionId(click.number))
        table, cards = TableId(click.table), parse_cards(click.cards)
        try:
            match click.kind:
                case "join":
                    await self._tables.join(cause, table)
                case "start":
                    await self._tables.start(cause, table)
                case "back":
                    await self._tables.take_seat_back(cause, table)
                case "pass":
                    passed = frozenset(cards)
                    await self._tables.pass_cards(cause, table, passed, seen_deal=click.moment)
                case _:
                    await self._tables.play(cause, table, cards[0], seen_turn=click.moment)
        except HeartsError as refusal:
            self._pipe.send({"refused": click.number, "why": type(refusal).__name__})
        else:
            self._pipe.send({"ack": click.number})

    async def sit(self, channel: int) -> None:
        """Play in one channel for ever: a new table where the last one is over."""
        while True:
            view = await self._table_in(channel)
            while view.status in {Status.LOBBY, Status.PLAYING}:
                for click in await self._clicks(view, channel):
                    await self.send(click)
                view = await self._tables.view(view.id)

    async def _table_in(self, channel: int) -> TableView:
        lines = await self._tables.tables_in(GUILD)
        here = [line for line in lines if line.channel_id == channel]
        if here:
            return await self._tables.view(here[0].id)
        number = InteractionId(next(self._numbers))
        cause = Cause(self._now(), _user(channel, 0), number)
        return await self._tables.open(cause, self._wish(channel))

    def _wish(self, channel: int) -> OpenTable:
        return OpenTable(
            guild_id=GUILD,
            channel_id=ChannelId(channel),
            ruleset=variants.load("standard"),
            seats=SEATS,
            clock=move_clock("24h"),
            robots=(),
            invited=(),
        )

    async def _clicks(self, view: TableView, channel: int) -> list[Click]:
        if view.game is None:
            free = [seat for seat, chair in enumerate(view.chairs) if chair is None]
            return [self._click(view, _user(channel, free[0] if free else 0), free)]
        hands = [
            await self._tables.hand(view.id, _user_at(view, seat)) for seat in view.game.waiting
        ]
        return [self._move(view, hand) for hand in hands]

    def _click(self, view: TableView, user: UserId, free: list[int]) -> Click:
        return Click(next(self._numbers), view.id, user, "join" if free else "start")

    def _move(self, view: TableView, hand: HandView) -> Click:
        game, seat = view.game, hand.hand
        if game is None or seat is None:
            raise AssertionError("a game is under way")
        if game.phase is Phase.PASSING:
            kind, moment = "pass", game.deal
            cards = self._dice.sample(sorted_cards(seat.hand), 3)
        else:
            kind, moment = "play", game.trick_number
            legal = seat.choice.cards if seat.choice else frozenset()
            cards = [self._dice.choice(sorted_cards(legal))]
        text = write_cards(tuple(cards))
        return Click(next(self._numbers), view.id, hand.user_id, kind, text, moment)


def _user(channel: int, seat: int) -> UserId:
    return UserId(channel * 10 + seat)


def _user_at(view: TableView, seat: int) -> UserId:
    chair = view.chairs[seat]
    return UserId(getattr(chair, "user_id"))  # noqa: B009  only people sit here


def live(pipe: Connection, url: str, life: int, unanswered: list[Click], *, hasty: bool) -> None:
    """Play until killed; *life* counts the processes from 1."""
    asyncio.run(_live(pipe, url, life, unanswered, hasty=hasty))


async def _live(
    pipe: Connection, url: str, life: int, unanswered: list[Click], *, hasty: bool
) -> None:
    database = open_database(url)
    seeds = CountedSeeds(f"life {life}")
    tables = TableManager(
        store=(HastyStore if hasty else SqlEventStore)(database),
        settings=SqlSettings(database),
        clock=MachineClock(),
        seeds=seeds,
        robots=Robots(seeds),
    )
    person = Person(tables, life * 1_000_000, random.Random(life), pipe)
    for click in unanswered:
        await person.carry_out(click)
    await asyncio.gather(*(person.sit(channel) for channel in range(1, TABLES + 1)))
