"""A table room for tests: a manager on a store, a clock moved by hand, people who click."""

from collections.abc import Iterable
from dataclasses import replace
from itertools import count

from bot.ai.tempers import Temper
from bot.rules.cards import Card, Hand, Seat, sorted_cards
from bot.rules.commands import Command, PassCards, PlayCard, SettleMoon
from bot.rules.dimensions import MoonPayoff
from bot.rules.passing import pass_count
from bot.rules.ruleset import Ruleset
from bot.rules.state import Phase
from bot.rules.variants import load
from bot.rules.view import SeatView
from bot.table.clocks import MoveClock, move_clock
from bot.table.ids import ChannelId, GuildId, Human, InteractionId, TableId, UserId
from bot.table.manager import OpenTable, TableManager
from bot.table.moments import turn
from bot.table.persons import Persons
from bot.table.ports import EventStore, Work
from bot.table.state import LIVE, Status
from bot.table.storing import Cause, Timer
from bot.table.timers import REMINDERS
from bot.table.views import HandView, TableView
from tests.support.clock import HandClock
from tests.support.fakes import CountedSeeds, MemorySettings, MemoryStore

ANN, BEA, CYD, DAN, EVE = (UserId(number) for number in range(101, 106))
FOUR = (ANN, BEA, CYD, DAN)
GUILD = GuildId(1)
CHANNEL = ChannelId(11)
STANDARD = load("standard")


class FirstCards:
    """Robots without a thought: the first cards that may be played, one second after the turn."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, SeatView]] = []

    def delay(self, clock: MoveClock) -> float:
        return 1.0

    def plan_delay(self, clock: MoveClock) -> float:
        return 2.0

    def is_quick(self, level: str, view: SeatView) -> bool:
        return True

    async def move(self, level: str, view: SeatView) -> Command:
        self.asked.append((level, view))
        return first_move(view)

    async def stand_in(self, temper: Temper, view: SeatView) -> Command:
        self.asked.append((temper.name, view))
        return first_move(view)


class Room:
    """A manager and all that it stands on."""

    def __init__(self, store: EventStore | None = None, work: Work | None = None) -> None:
        self.memory = MemoryStore()
        """The store, unless another was given."""
        self.store: EventStore = store or self.memory
        self.work: Work = work or self.memory
        self.clock = HandClock()
        self.settings = MemorySettings()
        self.seeds = CountedSeeds()
        self.robots = FirstCards()
        self.changed: list[TableId] = []
        self._interactions = count(1)
        """Of this room alone: the press of a person cuts the deck."""
        self.tables = self.another_manager()
        self.persons = Persons(self.settings, self.tables)

    def another_manager(self) -> TableManager:
        """A manager that knows nothing yet, as after a restart or in a second process."""
        manager = TableManager(
            store=self.store,
            settings=self.settings,
            clock=self.clock,
            seeds=self.seeds,
            robots=self.robots,
        )
        manager.listen(self.changed.append)
        return manager

    def by(self, user_id: UserId) -> Cause:
        """A new click of a person."""
        name = f"name of {user_id}"
        return Cause(self.clock.now(), user_id, InteractionId(next(self._interactions)), name)

    async def open(
        self,
        host: UserId = ANN,
        *,
        channel_id: int = CHANNEL,
        guild_id: int = GUILD,
        seats: int = 4,
        robots: int = 0,
        level: str = "steady",
        invited: tuple[UserId, ...] = (),
        clock: str = "24h",
        with_banks: bool = False,
        ruleset: Ruleset = STANDARD,
    ) -> TableView:
        """Open a lobby; without banks, so that the time of a move is the time of the clock."""
        wish = OpenTable(
            guild_id=GuildId(guild_id),
            channel_id=ChannelId(channel_id),
            ruleset=ruleset,
            seats=seats,
            clock=move_clock(clock) if with_banks else without_bank(clock),
            robots=(level,) * robots,
            invited=invited,
        )
        return await self.tables.open(self.by(host), wish)

    async def started(self, *people: UserId, seats: int = 4, **wishes) -> TableView:
        """A game with these people, the first one the host, and robots on the other chairs."""
        people = people or FOUR
        host, *others = people
        view = await self.open(host, seats=seats, robots=seats - len(people), **wishes)
        for person in others:
            await self.tables.join(self.by(person), view.id)
        return await self.tables.start(self.by(host), view.id)

    async def move(self, hand: HandView) -> HandView:
        """Make the first move that a seat has, as its person."""
        match first_move(seat_of(hand)):
            case PassCards(_, cards):
                return await self.give(hand, cards)
            case PlayCard(_, card):
                return await self.lay(hand, card)
            case SettleMoon(_, payoff):
                deal = seat_of(hand).public.deal
                return await self.tables.settle_moon(
                    self.by(hand.user_id), hand.table.id, payoff, seen_deal=deal
                )
            case other:
                raise AssertionError(other)

    async def give(self, hand: HandView, cards: Hand) -> HandView:
        deal = seat_of(hand).public.deal
        cause = self.by(hand.user_id)
        return await self.tables.pass_cards(cause, hand.table.id, cards, seen_deal=deal)

    async def lay(self, hand: HandView, card: Card) -> HandView:
        seen = turn(seat_of(hand).public)
        return await self.tables.play(self.by(hand.user_id), hand.table.id, card, seen_turn=seen)

    async def waited_for(self, table_id: TableId) -> list[HandView]:
        """The hands of all people whom the game waits for."""
        view = await self.tables.view(table_id)
        if view.game is None or view.status is not Status.PLAYING:
            return []
        chairs = [view.chairs[seat] for seat in view.game.waiting]
        people = [chair.user_id for chair in chairs if isinstance(chair, Human)]
        return [await self.tables.hand(table_id, person) for person in people]

    async def everybody_passes(self, table_id: TableId) -> TableView:
        for hand in await self.waited_for(table_id):
            await self.move(hand)
        await self.robots_move(table_id)
        return await self.tables.view(table_id)

    async def robots_move(self, table_id: TableId) -> None:
        """Let time pass as long as only robots are waited for."""
        while not await self.waited_for(table_id):
            self.clock.move(1.0)
            if not await self.fire_due():
                return

    async def fire_due(self) -> list[Timer]:
        """Fire every timer that is due, once; those of them that are no reminders."""
        due = list(await self.work.due_timers(self.clock.now(), 100))
        for timer in due:
            await self.tables.fire(timer)
        return but_reminders(due)

    async def timers(self, table_id: TableId) -> list[Timer]:
        """The timers of a table that are no reminders."""
        return but_reminders(await self.store.timers_of(table_id))

    async def play_until(self, table_id: TableId, deals: int) -> TableView:
        """Play first cards until so many deals have their score, or the game is over."""
        while True:
            await self.robots_move(table_id)
            view = await self.tables.view(table_id)
            game = view.game
            if game is None or len(game.scores) >= deals or view.status not in LIVE:
                return view
            for hand in await self.waited_for(table_id):
                await self.move(hand)


def seat_of(hand: HandView) -> SeatView:
    assert hand.hand is not None
    return hand.hand


def first_move(view: SeatView) -> Command:
    """The first cards that may be passed or played, the cheapest choice after a moon."""
    public = view.public
    if public.phase is Phase.PASSING:
        assert public.step is not None
        number = pass_count(public.step, public.seats)
        return PassCards(view.seat, frozenset(sorted_cards(view.hand)[:number]))
    if public.phase is Phase.PLAYING:
        assert view.choice is not None
        return PlayCard(view.seat, sorted_cards(view.choice.cards)[0])
    return SettleMoon(view.seat, MoonPayoff.ADD_OTHERS)


def without_bank(clock_id: str) -> MoveClock:
    """A clock that is no longer on the list: its tables go on, but nobody knows its bank."""
    return replace(move_clock(clock_id), id=f"{clock_id} of old")


def but_reminders(timers: Iterable[Timer]) -> list[Timer]:
    """Those after which something happens in the game."""
    return [timer for timer in timers if timer.kind not in REMINDERS]


def chair_of(view: TableView, user_id: UserId) -> Seat:
    """The chair on which a person sits."""
    return Seat(view.chairs.index(Human(user_id)))
