"""A press counts at most once, however often and wherever it arrives (reliability.md 6, promise 3).

Two managers over one database file, as two processes have them. Every press reaches both, and
either twice, all at once; most buttons are pressed once more besides.
"""

import asyncio
import random
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from bot.rules.cards import sorted_cards
from bot.rules.errors import HeartsError
from bot.rules.state import Phase
from bot.table import history
from bot.table.clocks import move_clock
from bot.table.events import SeatTaken
from bot.table.ids import ChannelId, Human, InteractionId, Occupant, Robot, TableId, UserId
from bot.table.manager import OpenTable, TableManager
from bot.table.moments import turn
from bot.table.robots import Robots
from bot.table.state import LIVE
from bot.table.storing import Cause
from bot.table.views import HandView, TableView
from db.engine import open_database
from db.migrate import upgrade
from tests.support.deals import house_rules
from tests.support.fakes import CountedSeeds
from tests.support.forms import times
from tests.support.kill_child import GUILD, MachineClock
from tests.support.store import Stores, stores_over, url_of

DUPLICATES = times(2_000, 50_000)
CHANNELS = 4
ROBOTS = 1
"""At each table, asked for by one press."""
_QUICK = house_rules(end={"target": 12})
DELIVERIES = 4
"""Of each press: two to either manager."""

Ask = Callable[[TableManager, Cause], Awaitable[object]]


@dataclass(slots=True)
class Rivals:
    """Two managers that know nothing of each other, and people whose presses reach both."""

    stores: Stores
    dice: random.Random
    with_ids: bool = True
    """Whether presses have interaction ids; without them nobody can tell a repeat."""
    duplicates: int = 0
    managers: list[TableManager] = field(default_factory=list)
    opened: list[TableId] = field(default_factory=list)
    _numbers: Any = field(default_factory=lambda: count(1))

    def __post_init__(self) -> None:
        seeds = CountedSeeds("rivals")
        self.managers = [
            TableManager(
                store=self.stores.events,
                settings=self.stores.settings,
                clock=MachineClock(),
                seeds=seeds,
                robots=Robots(seeds, scale=0),
            )
            for _ in range(2)
        ]

    def by(self, user: UserId) -> Cause:
        number = InteractionId(next(self._numbers)) if self.with_ids else None
        return Cause(datetime.now(UTC), user, number)

    async def press(self, user: UserId, ask: Ask, *, again: bool) -> None:
        """Deliver one press often, at once; with *again* the button is pressed once more too."""
        cause = self.by(user)
        deliveries = [(manager, cause) for manager in self.managers for _ in range(DELIVERIES // 2)]
        if again:
            deliveries.append((self.dice.choice(self.managers), self.by(user)))
        self.dice.shuffle(deliveries)
        self.duplicates += len(deliveries) - 1
        answers = (ask(manager, cause) for manager, cause in deliveries)
        for answer in await asyncio.gather(*answers, return_exceptions=True):
            if isinstance(answer, BaseException) and not isinstance(answer, HeartsError):
                raise answer

    async def sit(self, channel: int, enough: int) -> None:
        """Play in one channel, a new table where the last one is over, until it is enough."""
        while self.duplicates < enough:
            table = await self._open(channel)
            while (view := await self.managers[0].view(table)).status in LIVE:
                await self._go_on(view)
                if self.duplicates >= enough:
                    return

    async def _open(self, channel: int) -> TableId:
        host, *guests = (UserId(channel * 10 + seat) for seat in range(4 - ROBOTS))
        wish = OpenTable(
            guild_id=GUILD,
            channel_id=ChannelId(channel),
            ruleset=_QUICK,
            seats=4,
            clock=move_clock("24h"),
            robots=(),
            invited=(),
        )
        await self.press(host, lambda tables, cause: tables.open(cause, wish), again=True)
        [row] = [
            row
            for row in await self.stores.events.live_tables_in(GUILD)
            if row.channel_id == channel
        ]
        table = row.table_id
        self.opened.append(table)
        # Pressed anew, this button asks for another robot; one that arrives twice must not.
        await self.press(host, lambda tables, cause: tables.add_robot(cause, table), again=False)
        for guest in guests:
            await self.press(guest, lambda tables, cause: tables.join(cause, table), again=True)
        await self.press(host, lambda tables, cause: tables.start(cause, table), again=True)
        return table

    async def _go_on(self, view: TableView) -> None:
        """Let all do what the game waits for; robots are moved by both managers."""
        timers = await self.stores.work.due_timers(datetime.now(UTC), 100)
        mine = [timer for timer in timers if timer.table_id == view.id]
        await asyncio.gather(*(tables.fire(timer) for tables in self.managers for timer in mine))
        for seat in view.game.waiting if view.game else ():
            chair = view.chairs[seat]
            if isinstance(chair, Human):
                hand = await self.managers[0].hand(view.id, chair.user_id)
                await self.press(chair.user_id, _move(hand), again=True)


def _move(hand: HandView) -> Ask:
    seat, table = hand.hand, hand.table.id
    assert seat is not None
    if seat.public.phase is Phase.PASSING:
        cards, deal = frozenset(sorted_cards(seat.hand)[:3]), seat.public.deal
        return lambda tables, cause: tables.pass_cards(cause, table, cards, seen_deal=deal)
    if seat.choice is None:  # somebody else was to move, and this hand is older than that
        return lambda tables, _cause: tables.view(table)
    card, seen = sorted_cards(seat.choice.cards)[0], turn(seat.public)
    return lambda tables, cause: tables.play(cause, table, card, seen_turn=seen)


async def played(folder: Path, duplicates: int, **wishes: Any) -> Rivals:
    file = folder / "hearts.db"
    await upgrade(url_of(file))
    rivals = Rivals(stores_over(open_database(url_of(file))), random.Random(3), **wishes)
    await asyncio.gather(*(rivals.sit(channel, duplicates) for channel in range(1, CHANNELS + 1)))
    return rivals


async def doubled(rivals: Rivals) -> list[str]:
    """What counted more than once, in words."""
    found: list[str] = []
    iids: list[int] = []
    for table in rivals.opened:
        stored = await rivals.stores.events.load(table)
        assert [entry.seq for entry in stored] == list(range(1, len(stored) + 1))
        assert history.replay(stored).fault is None, "two cards at one turn would be one"
        iids += [entry.cause.interaction_id for entry in stored if entry.cause.interaction_id]
        seated = [entry.event.occupant for entry in stored if isinstance(entry.event, SeatTaken)]
        people, robots = _counted(seated)
        if len(people) != len(set(people)) or robots > ROBOTS:
            found.append(f"{table}: {people} and {robots} robots sat down")
    return found + [
        f"press {iid}: {times} times" for iid, times in Counter(iids).items() if times > 1
    ]


def _counted(seated: list[Occupant]) -> tuple[list[UserId], int]:
    people = [occupant.user_id for occupant in seated if isinstance(occupant, Human)]
    return people, sum(isinstance(occupant, Robot) for occupant in seated)


@pytest.mark.slow
@pytest.mark.promise(3)
async def test_no_press_counts_twice_however_often_it_arrives(tmp_path: Path):
    rivals = await played(tmp_path, DUPLICATES)
    assert await doubled(rivals) == []
    await rivals.stores.database.close()
    print(
        f"promise 3: {rivals.duplicates:,} duplicates of presses at two managers over one "
        f"database, 0 counted twice"
    )


@pytest.mark.promise(3)
async def test_presses_that_nobody_can_tell_apart_are_found_to_count_twice(tmp_path: Path):
    """The control: without interaction ids a press that arrives twice is two."""
    rivals = await played(tmp_path, 60, with_ids=False)
    assert await doubled(rivals)
    await rivals.stores.database.close()
