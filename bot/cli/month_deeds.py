"""What the people of the simulated month do: look, move, vote, nudge, leave, come back."""

import heapq
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from itertools import count
from random import Random
from typing import TypeVar

from bot.ai import LEVELS
from bot.cli.month_people import Person
from bot.cli.month_record import Acknowledged, Called, Chronicle, Refusal
from bot.cli.month_tables import Plan
from bot.cli.month_world import Life
from bot.promises.repeatable import MovedClock
from bot.rules.cards import Hand, Seat, sorted_cards
from bot.rules.errors import HeartsError
from bot.rules.state import Phase
from bot.rules.view import SeatView
from bot.table import commands, preferences
from bot.table.ballots import ChangeClock, Pause
from bot.table.clocks import MOVE_CLOCKS
from bot.table.ids import Human, InteractionId, Robot, TableId, UserId
from bot.table.moments import turn
from bot.table.plans import AllForced, LowestOfSuitLed, OneCard, QueenWhenPossible
from bot.table.state import LIVE, Status
from bot.table.storing import Cause, PersonSettings
from bot.table.views import HandView, TableView

Deed = Callable[[], Awaitable[None]]
_T = TypeVar("_T")
_PLAYER = LEVELS["steady"]
_VACATION_DAYS = 21
"""As servers allow by default."""
_EVENING = timedelta(minutes=40)
"""How long people stay at a live table."""


class Agenda:
    """What will be done and when, soonest first."""

    def __init__(self) -> None:
        self._deeds: list[tuple[datetime, int, Deed]] = []
        self._order = count()

    def add(self, at: datetime, deed: Deed) -> None:
        """Have *deed* done at *at*."""
        heapq.heappush(self._deeds, (at, next(self._order), deed))

    @property
    def next_at(self) -> datetime:
        """When the next deed is due.

        Raises:
            IndexError: there is none.
        """
        return self._deeds[0][0]

    def take(self) -> Deed:
        """The next deed, which is off the agenda then."""
        return heapq.heappop(self._deeds)[2]


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """Where people act."""

    clock: MovedClock
    agenda: Agenda
    chronicle: Chronicle
    dice: Random
    life: Callable[[], Life]
    """The bot as it runs now."""


class Deeds:
    """All people, and what each does when the time comes."""

    def __init__(self, stage: Stage, people: Sequence[Person]) -> None:
        self._stage = stage
        self._dice = stage.dice
        self._people: Mapping[UserId, Person] = {person.user_id: person for person in people}
        self._interactions = count(1)
        self._called: dict[UserId, dict[TableId, None]] = {}
        """Which tables called whom since the last look."""
        self.opened: list[TableId] = []
        """All tables there ever were."""

    async def move_in(self, plans: Sequence[Plan]) -> None:
        """Let everybody choose how to be called, and note all that can be foretold."""
        for person in self._people.values():
            await self._choose(person, partial(_settings_of, person))
            self._look_again(person)
            for first, last in person.vacations:
                self._later(person, 24, partial(self._announce, person, first, last))
            if self._dice.random() < 0.15:
                self._later(person, 24 * 18, partial(self._travel, person))
        for plan in plans:
            self._stage.agenda.add(plan.opens_at, partial(self._open, plan))

    def hear(self, called: Called) -> None:
        """Whoever is called may look soon."""
        person = self._people[called.ping.user_id]
        self._called.setdefault(person.user_id, {})[called.ping.table_id] = None
        if self._dice.random() < person.answers:
            deed = partial(self._attend, person, called.ping.table_id, person.cards_a_look)
            self._later(person, self._dice.expovariate(1.5), deed)

    async def end_well(self, table_id: TableId) -> None:
        """At a table that is over, somebody may want a rematch, and the others come, or not."""
        view = await self._life.tables.view(table_id)
        people = [self._people[chair.user_id] for chair in view.chairs if isinstance(chair, Human)]
        if people and self._dice.random() < 0.7:
            self._later(people[0], 1, partial(self._rematch, people[0], table_id))

    @property
    def _life(self) -> Life:
        return self._stage.life()

    @property
    def _now(self) -> datetime:
        return self._stage.clock.now()

    def _later(self, person: Person, hours: float, deed: Deed) -> None:
        """Have *deed* done within so many hours, or when the person is awake after them."""
        at = self._now + timedelta(hours=hours * self._dice.random(), seconds=1)
        self._stage.agenda.add(person.awake_from(at, self._dice), deed)

    def _soon(self, deed: Deed, shortest: float, longest: float) -> None:
        seconds = self._dice.uniform(shortest, longest)
        self._stage.agenda.add(self._now + timedelta(seconds=seconds), deed)

    def _look_again(self, person: Person) -> None:
        at = person.next_look(self._now, self._dice)
        self._stage.agenda.add(at, partial(self._look, person))

    def _press(self, person: Person) -> Cause:
        number = InteractionId(next(self._interactions))
        return Cause(self._now, person.user_id, number, f"person {person.user_id}")

    async def _asked(self, table_id: TableId, answer: Awaitable[_T]) -> _T | None:
        """The answer; ``None``, which is written down, if it was a refusal."""
        try:
            return await answer
        except HeartsError as error:
            kind = type(error).__name__
            self._stage.chronicle.refused.append(Refusal(self._now, table_id, kind))
            return None

    async def _choose(
        self, person: Person, change: Callable[[PersonSettings], PersonSettings]
    ) -> None:
        after = await self._life.persons.change(person.user_id, change)
        known = self._stage.chronicle.chosen.setdefault(person.user_id, [])
        known.append((self._now, after))

    async def _announce(self, person: Person, first: object, last: object) -> None:
        def away(before: PersonSettings) -> PersonSettings:
            now, days = self._now, _VACATION_DAYS
            return preferences.on_vacation(before, str(first), str(last), now=now, most_days=days)

        if person.settings.zone is None:
            return
        try:
            await self._choose(person, away)
        except preferences.PreferenceError:
            return  # told too late, the vacation is over
        if self._dice.random() < 0.3:
            self._later(person, 24 * 20, partial(self._come_home, person))

    async def _come_home(self, person: Person) -> None:
        now = self._now
        try:
            await self._choose(person, lambda before: preferences.back(before, now))
        except preferences.PreferenceError:
            return  # it is over by itself

    async def _travel(self, person: Person) -> None:
        """Somebody sleeps at other hours from now on."""
        if person.settings.zone is not None:
            begins, ends = f"{self._dice.randint(20, 23)}:00", f"{self._dice.randint(6, 9)}:30"
            await self._choose(person, lambda before: preferences.quiet(before, begins, ends))

    async def _open(self, plan: Plan) -> None:
        view = await self._life.tables.open(self._press(plan.host), plan.wish)
        self._fill(view, plan.guests)

    def _fill(self, view: TableView, guests: Sequence[Person]) -> None:
        self.opened.append(view.id)
        if not guests:
            host = self._people[view.host]
            self._soon(partial(self._start, host, view.id), 20, 900)
        for guest in guests:
            self._soon(partial(self._join, guest, view.id), 60, 6_000)

    async def _join(self, person: Person, table_id: TableId) -> None:
        view = await self._asked(table_id, self._life.tables.join(self._press(person), table_id))
        if view is not None and None not in view.chairs:
            await self._start(person, table_id)

    async def _start(self, person: Person, table_id: TableId) -> None:
        view = await self._asked(table_id, self._life.tables.start(self._press(person), table_id))
        if view is None or view.clock.id != "live":
            return
        for chair in view.chairs:
            if isinstance(chair, Human):
                until = self._now + _EVENING * self._dice.uniform(0.3, 1)
                self._soon(partial(self._stay, self._people[chair.user_id], table_id, until), 1, 20)

    async def _rematch(self, person: Person, table_id: TableId) -> None:
        view = await self._asked(table_id, self._life.tables.rematch(self._press(person), table_id))
        if view is not None:
            others = [who for who in view.invited if Human(who) not in view.chairs]
            self._fill(view, [self._people[who] for who in others])

    async def _look(self, person: Person) -> None:
        self._look_again(person)
        for table_id in await self._tables_to_see(person):
            await self._attend(person, table_id, person.cards_a_look)
        if self.opened and self._dice.random() < 0.02:
            await self._substitute(person)

    async def _tables_to_see(self, person: Person) -> Sequence[TableId]:
        """Those that called, or now and then all of them."""
        called = self._called.pop(person.user_id, {})
        if self._dice.random() < 0.5:
            return list(called)
        return [line.id for line in await self._life.tables.tables_of(person.user_id)]

    async def _substitute(self, person: Person) -> None:
        """Somebody with nothing to do looks at a table of others where a robot sits."""
        table_id = self._dice.choice(self.opened)
        view = await self._life.tables.view(table_id)
        free = [
            seat
            for seat, chair in enumerate(view.chairs)
            if isinstance(chair, Robot) and chair.keeps_for is not None
        ]
        if free and view.status in LIVE:
            asked = self._life.tables.substitute(self._press(person), table_id, Seat(free[0]))
            await self._asked(table_id, asked)

    async def _stay(self, person: Person, table_id: TableId, until: datetime) -> None:
        """Sit at a live table, and look whenever something may have happened."""
        await self._attend(person, table_id, 0)
        hand = await self._asked(table_id, self._life.tables.hand(table_id, person.user_id))
        if hand is not None and hand.table.status in LIVE and self._now < until:
            self._soon(partial(self._stay, person, table_id, until), 4, 40)

    async def _attend(self, person: Person, table_id: TableId, moves: int) -> None:
        """Do at one table what is to be done, and stay for a few more *moves*."""
        hand = await self._sit_down(person, table_id)
        if hand is None or hand.hand is None:
            return
        if hand.seat in hand.hand.public.waiting:
            moved = await self._move(person, hand, hand.hand)
            if moved and moves > 1:
                self._soon(partial(self._attend, person, table_id, moves - 1), 12, 90)
        elif self._dice.random() < 0.03:
            await self._asked(table_id, self._life.tables.nudge(self._press(person), table_id))
        elif self._dice.random() < 0.2:
            await self._plan_ahead(person, hand.hand, table_id)

    async def _sit_down(self, person: Person, table_id: TableId) -> HandView | None:
        """The person's hand; ``None`` where the person can do nothing or wants no more."""
        hand = await self._asked(table_id, self._life.tables.hand(table_id, person.user_id))
        if hand is None or hand.table.status is not Status.PLAYING:
            return None
        if hand.robot_sits_in:
            return await self._come_back(person, hand)
        return None if await self._agree(person, hand.table) else hand

    async def _plan_ahead(self, person: Person, view: SeatView, table_id: TableId) -> None:
        """Set something aside for later turns, which may come to nothing."""
        if view.public.phase is not Phase.PLAYING or not view.hand:
            return
        card = OneCard(self._dice.choice(sorted_cards(view.hand)))
        plan = self._dice.choice((card, LowestOfSuitLed(), QueenWhenPossible(), AllForced()))
        command = commands.MakePlan(person.user_id, plan, view.public.deal)
        made = self._life.tables.plan(self._press(person), table_id, command)
        await self._asked(table_id, made)

    async def _come_back(self, person: Person, hand: HandView) -> HandView | None:
        if self._dice.random() < 0.15:
            return None
        table_id = hand.table.id
        back = self._life.tables.take_seat_back(self._press(person), table_id)
        return await self._asked(table_id, back)

    async def _agree(self, person: Person, table: TableView) -> bool:
        """Vote, call a vote, end a pause, leave; return whether there is no more to be done."""
        command = self._wish(person, table)
        if command is not None:
            asked = self._life.tables.ask(self._press(person), table.id, command)
            await self._asked(table.id, asked)
        elif self._dice.random() < 0.002:
            await self._asked(table.id, self._life.tables.leave(self._press(person), table.id))
            return True
        return table.agreed_pause

    def _wish(self, person: Person, table: TableView) -> commands.VoteCommand | None:
        user_id, chance = person.user_id, self._dice.random()
        if table.agreed_pause:
            return commands.EndPause(user_id) if chance < 0.4 else None
        for vote in table.votes:
            if user_id not in vote.in_favour | vote.against:
                return commands.CastVote(user_id, vote.number, is_for=chance < 0.85)
        if chance < 0.01:
            return commands.CallVote(user_id, Pause())
        if chance < 0.02:
            other = MOVE_CLOCKS[self._dice.randrange(1, len(MOVE_CLOCKS))]
            subject = ChangeClock(table.clock, other)
            return commands.CallVote(user_id, subject) if other != table.clock else None
        return None

    async def _move(self, person: Person, hand: HandView, view: SeatView) -> bool:
        """Make one move, and now and then press twice; return whether it counts."""
        cause, table_id = self._press(person), hand.table.id
        cards, press = self._chosen(view, table_id)
        done = await self._asked(table_id, press(cause))
        if done is None:
            return False
        acknowledged = Acknowledged(
            table_id=table_id,
            interaction_id=InteractionId(cause.interaction_id or 0),
            user_id=person.user_id,
            cards=cards,
        )
        self._stage.chronicle.acknowledged.append(acknowledged)
        if self._dice.random() < 0.03:
            await press(cause)
        return True

    def _chosen(
        self, view: SeatView, table_id: TableId
    ) -> tuple[Hand, Callable[[Cause], Awaitable[HandView]]]:
        """The cards of the next move, none where a moon is settled, and the press that makes it."""
        tables, public = self._life.tables, view.public
        if public.phase is Phase.PASSING:
            cards = _PLAYER.choose_pass(view, self._dice)
            deal = public.deal
            return cards, lambda cause: tables.pass_cards(cause, table_id, cards, seen_deal=deal)
        if public.phase is Phase.PLAYING:
            card, seen = _PLAYER.choose_card(view, self._dice), turn(public)
            return frozenset({card}), lambda cause: tables.play(
                cause, table_id, card, seen_turn=seen
            )
        payoff, deal = _PLAYER.choose_moon(view, self._dice), public.deal
        return frozenset(), lambda cause: tables.settle_moon(
            cause, table_id, payoff, seen_deal=deal
        )


def _settings_of(person: Person, _before: PersonSettings) -> PersonSettings:
    return person.settings
