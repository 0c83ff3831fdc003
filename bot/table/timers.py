"""Which timers a table should have: from its game, its clock and who sits on its chairs. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from math import ceil

from bot.rules import legal
from bot.rules.cards import Seat
from bot.rules.dimensions import Minutes
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
            moves = (kept.get(_key(timer), timer) for timer in fresh)
            return (*moves, *_game_time(table, table.game, now, current))
        case Status.PAUSED:
            return tuple(_stopped(timer, now) for timer in _game_times(current))
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


def _game_time(
    table: Table, game: Game, now: datetime, current: Sequence[Timer]
) -> Iterator[Timer]:
    """When a game by minutes is called over: so long after its first deal began, pauses apart."""
    end = game.ruleset.end
    if not isinstance(end, Minutes) or game.last_deal:
        return
    fresh = Timer(
        table_id=table.id,
        seat=NO_SEAT,
        kind=TimerKind.GAME_TIME,
        moment=0,
        due_at=now + timedelta(minutes=end.minutes),
    )
    known = next(_game_times(current), fresh)
    yield _running(known, now)


def _game_times(timers: Sequence[Timer]) -> Iterator[Timer]:
    return (timer for timer in timers if timer.kind is TimerKind.GAME_TIME)


def _stopped(timer: Timer, now: datetime) -> Timer:
    """The same while its table is paused: it remembers how much is left, and is never late."""
    if timer.moment:
        return timer
    left = ceil((timer.due_at - now).total_seconds())
    return replace(timer, moment=max(1, left))


def _running(timer: Timer, now: datetime) -> Timer:
    if not timer.moment:
        return timer
    return replace(timer, moment=0, due_at=now + timedelta(seconds=timer.moment))


def _key(timer: Timer) -> tuple[Seat, TimerKind, int]:
    return timer.seat, timer.kind, timer.moment
