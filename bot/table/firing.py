"""Carries out what a timer asks for, as an ordinary move."""

from typing import Protocol

from bot.rules import commands as game_commands
from bot.rules.view import SeatView, seat_view
from bot.table import commands
from bot.table.clocks import MoveClock
from bot.table.errors import StaleClickError, WrongPhaseError
from bot.table.ids import Robot
from bot.table.ports import Clock
from bot.table.session import Belief, TableSession, is_set
from bot.table.state import Table
from bot.table.storing import Cause, Timer, TimerKind
from bot.table.table import STAND_IN_LEVEL


class Robots(Protocol):
    """Those who move for robots and for people who are late. `bot.table.robots` has them."""

    def delay(self, clock: MoveClock) -> float:
        """Draw how many seconds a robot waits at a table of this clock."""
        ...

    async def move(self, level: str, view: SeatView) -> game_commands.Command:
        """What a robot of this level does in this seat now."""
        ...


class Firing:
    """Fires timers. A timer that is not wanted any more does nothing."""

    def __init__(self, robots: Robots, clock: Clock) -> None:
        self._robots = robots
        self._clock = clock

    async def fire(self, session: TableSession, timer: Timer) -> None:
        """Do what *timer* was set for, at the table of *session*.

        Raises:
            TableBrokenError: the game is stopped.
        """
        belief = await session.believe()
        if not is_set(belief, timer):
            return
        command = await self._command(belief, timer)
        try:
            await session.submit(command, Cause(at=self._clock.now()), timer=timer)
        except (StaleClickError, WrongPhaseError):
            return  # a move came while the robot thought

    async def _command(self, belief: Belief, timer: Timer) -> commands.Command:
        match timer.kind:
            case TimerKind.IDLE_LOBBY:
                return commands.Close("idle")
            case TimerKind.ABANDONED:
                return commands.Close("empty")
            case TimerKind.GAME_TIME:
                return commands.TimeUp()
            case TimerKind.ROBOT:
                return await self._stand_in(belief.table, timer, late=False)
            case TimerKind.DEADLINE | TimerKind.MOON:
                return await self._stand_in(belief.table, timer, late=True)

    async def _stand_in(self, table: Table, timer: Timer, *, late: bool) -> commands.StandIn:
        if table.game is None:
            raise ValueError(f"{table.id} has no game for {timer}")
        chair = table.chairs[timer.seat]
        level = chair.level if isinstance(chair, Robot) else STAND_IN_LEVEL
        move = await self._robots.move(level, seat_view(table.game, timer.seat))
        return commands.StandIn(seat=timer.seat, move=move, moment=timer.moment, late=late)
