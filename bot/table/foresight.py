"""Lets robots that search begin to think when their turn comes, so that their delay holds it."""

import asyncio
from collections.abc import Callable
from typing import Protocol

from bot.rules.cards import Seat
from bot.rules.commands import Command
from bot.rules.view import SeatView, seat_view
from bot.table.ids import Robot, TableId
from bot.table.session import Belief
from bot.table.state import Table
from bot.table.storing import Timer, TimerKind

_Turn = tuple[Seat, int]
"""A seat, and the moment in which it is to move."""


class Thinkers(Protocol):
    """As `bot.table.robots.Robots`."""

    def is_quick(self, level: str, view: SeatView) -> bool:
        """Whether `move` returns at once, so that it may be awaited where others wait."""
        ...

    async def move(self, level: str, view: SeatView) -> Command:
        """What a robot of this level does in this seat now."""
        ...


class Foresight:
    """Keeps the thoughts of robots from the beginning of a turn until its move is stored.

    Nobody waits for them: a timer that goes off too early is fired again when the thought is there.
    """

    def __init__(self, thinkers: Thinkers) -> None:
        self._thinkers = thinkers
        self._thoughts: dict[TableId, dict[_Turn, asyncio.Task[Command]]] = {}
        self._listener: Callable[[], None] = _nobody

    def listen(self, listener: Callable[[], None]) -> None:
        """Have *listener*, and no other one, told whenever a robot has thought to its end."""
        self._listener = listener

    def look(self, belief: Belief) -> None:
        """Begin what is to be thought at a table, and drop what is not wanted any more."""
        table, before = belief.table, self._thoughts.pop(belief.table.id, {})
        if belief.fault is None:
            for timer, level, view in self._slow(table, belief.timers):
                turn = _turn(timer)
                task = before.pop(turn) if turn in before else self._begin(level, view)
                self._thoughts.setdefault(table.id, {})[turn] = task
        for task in before.values():
            task.cancel()

    def move(self, timer: Timer, level: str, view: SeatView) -> Command | None:
        """What a robot of *level* does, if it knows by now; ``None``: it thinks.

        Raises:
            Exception: whatever went wrong. The next call makes it think anew.
        """
        thoughts, turn = self._thoughts.setdefault(timer.table_id, {}), _turn(timer)
        if turn not in thoughts:
            thoughts[turn] = self._begin(level, view)
        task = thoughts[turn]
        if not task.done():
            return None
        if task.exception() is not None:
            del thoughts[turn]
        return task.result()

    def _begin(self, level: str, view: SeatView) -> asyncio.Task[Command]:
        task = asyncio.create_task(self._thinkers.move(level, view))
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[Command]) -> None:
        if not task.cancelled():
            task.exception()  # `move` raises it; where the table has moved on, nobody has to know
            self._listener()

    def _slow(self, table: Table, timers: tuple[Timer, ...]) -> list[tuple[Timer, str, SeatView]]:
        """Robots whose turn it is and who do not answer at once."""
        if table.game is None:
            return []
        turns = []
        for timer in timers:
            chair = table.chairs[timer.seat] if timer.kind is TimerKind.ROBOT else None
            if isinstance(chair, Robot):
                turns.append((timer, chair.level, seat_view(table.game, timer.seat)))
        return [turn for turn in turns if not self._thinkers.is_quick(turn[1], turn[2])]


def _turn(timer: Timer) -> _Turn:
    return timer.seat, timer.moment


def _nobody() -> None:
    """Before anybody listens."""
