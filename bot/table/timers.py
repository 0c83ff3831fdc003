"""Which timers a table should have: from its game, its clock and who sits on its chairs. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from bot.rules import legal
from bot.rules.cards import Seat
from bot.rules.state import Game, Phase
from bot.table.ids import Human
from bot.table.moments import moment
from bot.table.state import Status, Table
from bot.table.storing import NO_SEAT, Timer, TimerKind

IDLE_LOBBY = timedelta(hours=2)
"""How long a lobby stays open when nobody touches it."""
ABANDONED = timedelta(days=1)
"""How long a game waits for a person to come back whose seats are all kept by robots."""


def wanted(
    table: Table, *, now: datetime, current: Sequence[Timer], robot_delay: float
) -> tuple[Timer, ...]:
    """All timers that *table* should have after a change at *now*.

    Args:
        table: the table after the change.
        now: when it changed.
        current: the timers it had before. One that was set for the same seat and moment is kept
            as it is: somebody else's move gives nobody more time.
        robot_delay: seconds that a robot whose move just came waits before it answers.
    """
    match table.status:
        case Status.LOBBY:
            return (_idle_lobby(table, now),)
        case Status.PLAYING if table.game is not None:
            kept = {_key(timer): timer for timer in current}
            fresh = _of_game(table, table.game, now, timedelta(seconds=robot_delay))
            return tuple(kept.get(_key(timer), timer) for timer in fresh)
        case _:
            return ()


def _idle_lobby(table: Table, now: datetime) -> Timer:
    return Timer(
        table_id=table.id,
        seat=NO_SEAT,
        kind=TimerKind.IDLE_LOBBY,
        moment=0,
        due_at=now + IDLE_LOBBY,
    )


def _of_game(table: Table, game: Game, now: datetime, robot_delay: timedelta) -> Iterator[Timer]:
    """One timer a seat that is waited for; but robots do not play on among themselves."""
    if not any(isinstance(chair, Human) for chair in table.chairs):
        yield Timer(
            table_id=table.id,
            seat=NO_SEAT,
            kind=TimerKind.ABANDONED,
            moment=moment(game),
            due_at=now + ABANDONED,
        )
        return
    late = TimerKind.MOON if game.phase is Phase.MOON_CHOICE else TimerKind.DEADLINE
    for seat in legal.to_move(game):
        timer = Timer(
            table_id=table.id,
            seat=seat,
            kind=TimerKind.ROBOT,
            moment=moment(game),
            due_at=now + robot_delay,
        )
        if not isinstance(table.chairs[seat], Human):
            yield timer
        elif table.clock.seconds is not None:
            due_at = now + timedelta(seconds=table.clock.seconds)
            yield replace(timer, kind=late, due_at=due_at)


def _key(timer: Timer) -> tuple[Seat, TimerKind, int]:
    return timer.seat, timer.kind, timer.moment
