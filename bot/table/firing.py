"""Carries out what a timer asks for, as an ordinary move."""

from contextlib import suppress
from functools import partial
from typing import Protocol, assert_never

from bot.ai.tempers import Temper
from bot.rules import commands as game_commands
from bot.rules.view import SeatView, seat_view
from bot.table import adjusting, commands, nudging, planning
from bot.table.clocks import MoveClock
from bot.table.errors import StaleClickError, WrongPhaseError
from bot.table.foresight import Foresight
from bot.table.ids import Robot
from bot.table.manners import Manners
from bot.table.ports import Clock
from bot.table.session import Belief, Plan, TableSession, is_set
from bot.table.state import Table
from bot.table.storing import Cause, Timer, TimerKind
from bot.table.timers import Delays

_WHY_ENDED = {
    TimerKind.IDLE_LOBBY: "idle",
    TimerKind.ABANDONED: "empty",
    TimerKind.PLACE_LOST: "place_lost",
}
"""As `bot.table.events.TableClosed.reason`, for tables that end by themselves."""


class Robots(Protocol):
    """Those who move for robots and for people who are late. `bot.table.robots` has them."""

    def delay(self, clock: MoveClock) -> float:
        """Draw how many seconds a robot waits at a table of this clock."""
        ...

    def plan_delay(self, clock: MoveClock) -> float:
        """Draw how many seconds a planned card waits at a table of this clock."""
        ...

    def is_quick(self, level: str, view: SeatView) -> bool:
        """Whether `move` returns at once, so that it may be awaited where others wait."""
        ...

    async def move(self, level: str, view: SeatView) -> game_commands.Command:
        """What a robot of this level does in this seat now."""
        ...

    async def stand_in(self, temper: Temper, view: SeatView) -> game_commands.Command:
        """What a person of this temper would do in this seat now."""
        ...


class Firing:
    """Fires timers. A timer that is not wanted any more does nothing."""

    def __init__(self, robots: Robots, clock: Clock, manners: Manners) -> None:
        self._robots = robots
        self._clock = clock
        self._manners = manners
        self.foresight = Foresight(robots)

    def delays(self, clock: MoveClock) -> Delays:
        """Draw how long what moves by itself waits at a table of this clock."""
        return Delays(self._robots.delay(clock), self._robots.plan_delay(clock))

    async def fire(self, session: TableSession, timer: Timer) -> bool:
        """Do what *timer* was set for, at the table of *session*; return whether it is done with.

        It is not while its robot thinks. Nobody waits for that: `foresight` tells of the end.

        Raises:
            TableBrokenError: the game is stopped.
        """
        if (plan := _plan(timer)) is not None:
            await session.adjust(plan)
        belief = await session.believe()
        if not is_set(belief, timer) and not is_set(belief := await session.rest(), timer):
            return True
        command = await self._command(belief, timer)
        if command is None:
            return False
        with suppress(StaleClickError, WrongPhaseError):  # a move came while the robot thought
            await session.submit(command, Cause(at=self._clock.now()), timer=timer)
        return True

    async def _command(self, belief: Belief, timer: Timer) -> commands.Command | None:
        match timer.kind:
            case TimerKind.IDLE_LOBBY | TimerKind.ABANDONED | TimerKind.PLACE_LOST:
                return commands.Close(_WHY_ENDED[timer.kind])
            case TimerKind.GAME_TIME:
                return commands.TimeUp()
            case TimerKind.ROBOT:
                return await self._stand_in(belief.table, timer, late=False)
            case TimerKind.PLAN:
                return commands.CarryOutPlan(timer.seat, timer.moment)
            case TimerKind.DEADLINE | TimerKind.MOON:
                return await self._late(belief.table, timer)
            case _:
                # Those that change something without a move, and the one that is never due.
                raise ValueError(f"{timer} is set although it asks for no move")

    async def _late(self, table: Table, timer: Timer) -> commands.Command | None:
        """A robot's move, unless the person has planned the move."""
        if planning.card_due(table, timer.seat, {}) is not None:
            return commands.CarryOutPlan(timer.seat, timer.moment)
        return await self._stand_in(table, timer, late=True)

    async def _stand_in(self, table: Table, timer: Timer, *, late: bool) -> commands.StandIn | None:
        """A robot's move; ``None``: it thinks."""
        if table.game is None:
            raise ValueError(f"{table.id} has no game for {timer}")
        view = seat_view(table.game, timer.seat)
        move = await self._move(table, timer, view)
        if move is None:
            return None
        return commands.StandIn(seat=timer.seat, move=move, moment=timer.moment, late=late)

    async def _move(
        self, table: Table, timer: Timer, view: SeatView
    ) -> game_commands.Command | None:
        chair = table.chairs[timer.seat]
        if not isinstance(chair, Robot) or chair.keeps_for is not None:
            return await self._robots.stand_in(await self._manners.of(table, timer.seat), view)
        if self._robots.is_quick(chair.level, view):
            return await self._robots.move(chair.level, view)
        return self.foresight.move(timer, chair.level, view)


def _plan(timer: Timer) -> Plan | None:
    """What *timer* changes without a move, or before one."""
    match timer.kind:
        case TimerKind.HALF | TimerKind.NINE_TENTHS:
            return partial(adjusting.reminded, timer=timer)
        case TimerKind.NUDGED:
            return partial(nudging.rested, timer=timer)
        case TimerKind.OUTAGE:
            return partial(adjusting.told_of_outage, timer=timer)
        case TimerKind.ABANDONED_WARNING:
            return partial(adjusting.warned, timer=timer)
        case TimerKind.DEADLINE | TimerKind.MOON:
            # Whoever has gone to sleep or on a journey meanwhile is not late yet.
            return adjusting.retimed
        case TimerKind.IDLE_LOBBY | TimerKind.ABANDONED | TimerKind.PLACE_LOST:
            return None
        case TimerKind.ROBOT | TimerKind.PLAN | TimerKind.GAME_TIME | TimerKind.STOPPED:
            return None
        case _:
            assert_never(timer.kind)
