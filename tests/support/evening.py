"""An evening at one table: people who take their time, and the bot's loops as they run for real."""

import random
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from bot.rules.events import CardPlayed, CardsPassed
from bot.table.ids import TableId, UserId
from bot.table.state import LIVE
from cogs.flood import Flood
from cogs.ui import ids
from tests.support.discord import World, discord_world
from tests.support.games import Player
from tests.support.truth import Ledger, Truth
from tests.support.witness import Witness

THINKING = (0.4, 0.9, 1.7, 2.6, 3.4, 5.0, 12.0)
"""Seconds that people take for a move."""
HABIT = 0.9
"""How often somebody plays by habit instead of any card."""
LONG = timedelta(seconds=10)
"""Whoever is waited for so long was called; a call may have to wait for posts, which go first."""
DOWN = 5.0
"""Seconds that a process needs to start again."""
_HANDS_PAUSE = timedelta(seconds=1)
_LULL = 60.0
_MOST_CALLS_BEHIND = 3
_MOST_MOVES = 5_000


@dataclass(slots=True)
class Loops:
    """The publisher, the timekeeper and the open hands, on the clock that tests move.

    They do here what `bot.app` lets them do side by side: whatever is due, as soon as it is due,
    and no faster than the budget allows.
    """

    world: World
    ledger: Ledger
    _hands_rest_until: datetime | None = None

    async def live(self, seconds: float) -> None:
        """Let so much time go by."""
        now = self.world.clock.now
        end = now() + timedelta(seconds=seconds)
        while True:
            again = now() + timedelta(seconds=await self.turn())
            if now() >= end:
                return
            due = self.ledger.next_due(now()) or end
            await self._move_to(min(end, again, due))

    async def turn(self) -> float:
        """Do what is due now; return the seconds until something is due that was put off."""
        if self.ledger.is_late(self.world.clock.now()):
            await self.world.app.timekeeper.fire_due()
        return min(await self._publish(), await self._redraw())

    async def _publish(self) -> float:
        behind = self.ledger.to_show(self.world.clock.now())
        while behind:
            seconds = await self.world.app.publisher.step()
            before, behind = behind, self.ledger.to_show(self.world.clock.now())
            if before == behind:
                return seconds
        return _LULL

    async def _redraw(self) -> float:
        hands, now = self.world.app.bot.open_hands, self.world.clock.now()
        if not hands._changed:
            return _LULL
        if self._hands_rest_until and now < self._hands_rest_until:
            return (self._hands_rest_until - now).total_seconds()
        self._hands_rest_until = now + _HANDS_PAUSE
        await hands.flush()
        return _LULL

    async def _move_to(self, moment: datetime) -> None:
        left = (moment - self.world.clock.now()).total_seconds()
        # A millisecond more: the store keeps whole ones.
        await self.world.env.advance_time(max(left, 0) + 0.001)


@dataclass(slots=True)
class Guest(Player):
    """A person who opens the hand again, in one way or another, if it does not ask for a move.

    Plays the highest card or the lowest by habit: if one of a table is bold and the others are
    not, a game to 100 takes no longer than it has to, and moons are shot.
    """

    channel: Any = None
    """Where the table stands."""
    is_bold: bool = False

    def _playable(self) -> list[ids.PlayCard]:
        cards = Player._playable(self)
        if self.dice.random() >= HABIT:
            return cards
        pick = max if self.is_bold else min
        return [pick(cards, key=lambda each: each.card.rank.value)]

    async def move(self) -> None:
        """Do what the game waits for."""
        if self._shown is None or not self.wants_to_act:
            await self.look_again()
        assert await self.act(), f"the game waits for {self.member.name}, whose hand asks nothing"

    async def look_again(self) -> None:
        """Refresh the hand, open it from the newest post or call, or type the command."""
        ways = [self.open_hand, self._type]
        if self._shown is not None and ids.RefreshHand(self.table) in self.offers:
            ways.append(self._refresh)
        await self.dice.choice(ways)()

    async def open_hand(self) -> None:
        """Press My hand on the newest post or call."""
        action = ids.OpenHand(self.table)
        post = self.world.newest_with(action, self.channel)
        self._shown = await self.world.press(self.member, post, action)

    async def _refresh(self) -> None:
        await self.press(ids.RefreshHand(self.table))

    async def _type(self) -> None:
        self._shown = await self.world.slash(self.member, "hearts hand", channel=self.channel)


@dataclass(slots=True)
class Evening:
    """A table with all that happens around it, seen by a witness."""

    world: World
    channel: Any
    ledger: Ledger
    loops: Loops
    truth: Truth
    witness: Witness
    dice: random.Random
    guests: list[Guest] = field(default_factory=list)
    turns: int = 0
    """Moves by hand."""
    uncalled: list[str] = field(default_factory=list)
    """Turns that lasted long and had no call."""

    async def sit_down(self, people: Sequence[Any], *, robots: int = 0, **options: Any) -> None:
        """The first opens a table, the others join it by its post, and it starts."""
        host, *others = people
        options.setdefault("seats", len(people) + robots)
        await self.world.slash(host, "hearts start", channel=self.channel, robots=robots, **options)
        lines = await self.world.tables()
        [table] = [line.id for line in lines if line.channel_id == self.channel.id]
        self.take(table, people)
        for person in others:
            await self._press_newest(person, ids.Join(table))
        await self.start()

    def take(self, table: TableId, people: Sequence[Any]) -> None:
        """Look from now on at a table where *people* sit or are about to."""
        self.truth.id = table
        self.guests = [
            Guest(
                self.world,
                person,
                table,
                random.Random(self.dice.random()),
                channel=self.channel,
                is_bold=person is people[0],
            )
            for person in people
        ]

    async def start(self) -> None:
        """Let the first of those who sit there start the game."""
        await self._press_newest(self.guests[0].member, ids.Start(self.truth.id))
        await self.loops.live(2)

    async def _press_newest(self, person: Any, action: ids.Action) -> None:
        await self.loops.live(1)
        await self.world.press(person, self.world.newest_with(action, self.channel), action)

    async def play(self, until: Callable[[Truth], bool] = lambda _: False) -> None:
        """Let everybody do what the game waits for, until it is as wanted or over."""
        for _ in range(_MOST_MOVES):
            if until(self.truth.look()) or self.is_over:
                return
            await self.go_on()
        raise AssertionError("the game does not come to its end")

    @property
    def is_over(self) -> bool:
        return self.truth.look().table.status not in LIVE

    async def go_on(self) -> None:
        """Let one person think and move, or wait for a robot."""
        if not self.truth.look().awaited():
            await self._wait_for_robots()
            return
        await self.loops.live(self.dice.choice(THINKING))
        await self._until_offered()
        await self.one_move()

    async def _until_offered(self) -> None:
        """Wait for the newest post: a table has one call a second, and the one before is bare."""
        for _ in range(_MOST_CALLS_BEHIND):
            with suppress(AssertionError):
                self.world.newest_with(ids.OpenHand(self.truth.id), self.channel)
                return
            await self.loops.live(1)

    async def one_move(self) -> None:
        """Let one of those move whom the game waits for."""
        guest = self.dice.choice(self.awaited())
        self._expect_call(guest)
        await guest.move()
        self.turns += 1

    async def restart(self) -> None:
        """End the process and start another; half of the times right after a move.

        What that move led to was not shown to anybody but to whoever made it.
        """
        if self.dice.random() < 0.5 and self.awaited():
            show, self.world.show = self.world.show, _nothing  # type: ignore[method-assign]  # our pace
            await self.one_move()
            self.world.show = show  # type: ignore[method-assign]  # our pace
        await self.world.restart()
        await self.world.env.advance_time(DOWN)

    async def _wait_for_robots(self) -> None:
        now = self.world.clock.now()
        due = now if self.ledger.is_late(now) else self.ledger.next_due(now)
        assert due is not None, "the game waits for nobody"
        await self.loops.live((due - now).total_seconds())

    def awaited(self) -> list[Guest]:
        """Those whom the game waits for."""
        awaited = self.truth.look().awaited()
        return [guest for guest in self.guests if guest.member.id in awaited]

    def _expect_call(self, guest: Guest) -> None:
        """Whoever is waited for long was called, but for the one who made the move before."""
        person, turn = UserId(guest.member.id), self.truth.turn
        others_since = self.truth.others_since(person)
        if others_since is None:
            return
        since = max(others_since, self.truth.awaited_since(person))
        called = any(ping.person == person and ping.turn == turn for ping in self.witness.pings)
        if not called and self.world.clock.now() - since >= LONG:
            self.uncalled.append(f"{guest.member.name} at {turn}")


async def _nothing() -> None:
    """Shows nothing."""


@asynccontextmanager
async def evening(world: World, *, seed: int, channel: Any = None) -> AsyncIterator[Evening]:
    """Let the bot's loops run, and a witness hear all that becomes public in a channel."""
    ledger = Ledger(world.file)
    loops, truth = Loops(world, ledger), Truth(ledger, TableId(""))
    place = channel or world.channel
    witness = Witness(world, truth, place.id)
    world.wire.listeners.append(witness.hear)
    shown = world.show
    world.show = loops.turn  # type: ignore[method-assign,assignment]  # our pace
    try:
        yield Evening(world, place, ledger, loops, truth, witness, random.Random(seed))
    finally:
        world.show = shown  # type: ignore[method-assign]  # our pace
        world.wire.listeners.remove(witness.hear)
        ledger.close()


@asynccontextmanager
async def game_night(names: Sequence[str], *, seed: int, **options: Any) -> AsyncIterator[Evening]:
    """People who have sat down at the only table of their server, about to play."""
    async with discord_world() as world, evening(world, seed=seed) as night:
        await night.sit_down([world.person(name) for name in names], **options)
        # Time runs here, so nobody may be found too fast.
        world.app.bot.flood = Flood(world.clock)
        yield night


def moves_in(deal: int) -> Callable[[Truth], int]:
    """Counts what was done by seats in a deal: passes chosen, and cards played."""

    def count(truth: Truth) -> int:
        began, moves = 0, 0
        for entry in truth.stored:
            match entry.event:
                case CardsPassed() | CardPlayed():
                    moves += began == deal
                case _:
                    began = max(began, getattr(entry.event, "number", 0))
        return moves

    return count
