"""Which timers a table should have: from its game, its clock and who sits on its chairs. Pure."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from math import ceil

from bot.rules import legal
from bot.rules.cards import Seat
from bot.rules.dimensions import Minutes
from bot.rules.state import Game, Phase
from bot.table import away, banks, lobby, planning
from bot.table.absences import Aways
from bot.table.ids import Human
from bot.table.moments import moment
from bot.table.state import Status, Table
from bot.table.storing import NO_SEAT, Timer, TimerKind

IDLE_LOBBY = timedelta(hours=2)
"""How long a lobby stays open when nobody touches it."""
ABANDONED = timedelta(days=3)
"""How long a game waits for a person to come back whose seats are all kept by robots."""
ABANDONED_WARNING = timedelta(days=2)
"""After how much of that time everybody is told of it."""
PLACE_LOST = timedelta(days=14)
"""How long a table waits for a place to post, which it had and lost."""
DEADLINES = frozenset({TimerKind.DEADLINE, TimerKind.MOON})
"""Those after which somebody is late."""
_OF_THE_TABLE = frozenset({TimerKind.OUTAGE, TimerKind.NUDGED})
"""Those that no move makes needless."""
_NEVER = datetime(3000, 1, 1, tzinfo=UTC)
"""When a timer that stands still is due."""
_ALL_OF_IT = 0
"""As `Timer.moment` of a `TimerKind.STOPPED`: the seat has all the time that its clock gives."""
REMINDERS = (TimerKind.HALF, TimerKind.NINE_TENTHS)
"""Those that go before a deadline, in their order."""


@dataclass(frozen=True, slots=True)
class Delays:
    """How many seconds what moves by itself waits once its turn has come."""

    robot: float
    plan: float
    """Of a card that a person has planned."""


def wanted(
    table: Table,
    *,
    now: datetime,
    current: Sequence[Timer],
    delays: Delays,
    aways: Aways,
) -> tuple[Timer, ...]:
    """All timers that *table* should have after a change at *now*.

    Args:
        table: the table after the change.
        now: when it changed.
        current: the timers it had before. One that was set for the same seat and moment is kept
            as it is: somebody else's move gives nobody more time.
        delays: of moves whose turn just came.
        aways: when people are not there.
    """
    match table.status:
        case Status.LOBBY:
            return (_idle_lobby(table, now),)
        case Status.PLAYING if table.agreed_pause:
            return (*_at_rest(table, current, now, aways), *_abandoned(table, current, now))
        case Status.PLAYING if table.game is not None:
            robots = now + timedelta(seconds=delays.robot)
            fresh = _of_game(table, table.game, now, robots, aways)
            resumed = (_resumed(table, timer, now, current, aways) for timer in fresh)
            return (
                *_kept_or_new(table, resumed, now, current, aways),
                *_planned(table, table.game, now + timedelta(seconds=delays.plan), current, aways),
                *_abandoned(table, current, now),
                *_game_time(table, table.game, now, current),
                *(timer for timer in current if timer.kind in _OF_THE_TABLE),
            )
        case Status.PAUSED:
            return (*_paused(current, now), _without_place(table, current, now))
        case _:
            return ()


def of_table(table: Table, kind: TimerKind, due_at: datetime, *, when: int = 0) -> Timer:
    """A timer of a whole table; *when* is its `Timer.moment`."""
    return Timer(table_id=table.id, seat=NO_SEAT, kind=kind, moment=when, due_at=due_at)


def outdated(current: Sequence[Timer]) -> tuple[Timer, ...]:
    """The same for a table that has another clock: what people have for a move begins anew.

    Reminders that were given for the move do not.
    """
    return tuple(_begun_anew(timer) for timer in current)


def _begun_anew(timer: Timer) -> Timer:
    if timer.kind is TimerKind.STOPPED:
        return replace(timer, moment=_ALL_OF_IT)
    return replace(timer, due_at=_NEVER) if timer.kind in DEADLINES else timer


def retimed(
    table: Table, current: Sequence[Timer], aways: Aways, *, plans_at: datetime | None = None
) -> tuple[Timer, ...]:
    """The timers of a table after something changed of which its deadlines follow.

    Every deadline is reckoned anew from its beginning. Reminders go with it, and those that were
    given already do not come back.

    Args:
        table: as it stands.
        current: its timers.
        aways: when people are not there, and whose forced cards are played for them.
        plans_at: when a card falls that nobody waited to play before; ``None``: no such card does.
    """
    if table.status is not Status.PLAYING:
        return (*current,)
    kept = tuple(_retimed(table, current, aways))
    if plans_at is None or table.game is None or table.agreed_pause:
        return kept
    planned = _planned(table, table.game, plans_at, kept, aways)
    return (*kept, *(timer for timer in planned if timer not in kept))


def _retimed(table: Table, current: Sequence[Timer], aways: Aways) -> Iterator[Timer]:
    moved = {timer: _deadline(table, timer, aways) for timer in current if timer.kind in DEADLINES}
    for timer in current:
        if timer.kind in DEADLINES:
            left = {each.kind for each in _reminders_of(timer, current)}
            yield moved[timer]
            yield from (
                each for each in _reminders(table, moved[timer], aways) if each.kind in left
            )
        elif not _is_idle(table, timer, aways) and not any(_goes_with(timer, d) for d in moved):
            yield timer


def _is_idle(table: Table, timer: Timer, aways: Aways) -> bool:
    """Whether a timer waits for a card that is not planned any more."""
    waits = timer.kind is TimerKind.PLAN
    return waits and planning.card_due(table, timer.seat, aways) is None


def _kept_or_new(
    table: Table,
    fresh: Iterable[Timer],
    now: datetime,
    current: Sequence[Timer],
    aways: Aways,
) -> Iterator[Timer]:
    """A timer that runs already goes on, with those of its reminders that are left."""
    running = {_key(timer): timer for timer in current}
    for timer in fresh:
        known = running.get(_key(timer))
        if known is not None and known.due_at < _NEVER:
            yield known
            yield from _reminders_of(known, current)
        else:
            yield timer
            # Of a deadline that goes on after a pause, some were given before it.
            goes_on = known is not None or any(_stands_for(each, timer) for each in current)
            left = {t.kind for t in _reminders_of(timer, current)} if goes_on else REMINDERS
            soon = (each for each in _reminders(table, timer, aways) if each.due_at > now)
            yield from (each for each in soon if each.kind in left)


def _at_rest(
    table: Table, current: Sequence[Timer], now: datetime, aways: Aways
) -> Iterator[Timer]:
    """While all want a pause no time runs, and each seat keeps what it had left.

    A vacation is nothing that is left: it goes by in a pause as well.
    """
    for timer in current:
        sits = timer.seat != NO_SEAT and isinstance(table.chairs[timer.seat], Human)
        if timer.kind is TimerKind.GAME_TIME:
            yield replace(_stopped(timer, now), due_at=_NEVER)
        elif timer.kind in _OF_THE_TABLE or (timer.kind is TimerKind.STOPPED and sits):
            yield timer
        elif timer.kind in REMINDERS and sits:
            yield replace(timer, due_at=_NEVER)
        elif timer.kind in DEADLINES and sits:
            due_at = _deadline(table, timer, aways).due_at
            left = _whole_seconds(away.own_time(now, due_at, _away(table, timer.seat, aways)))
            stopped = replace(timer, kind=TimerKind.STOPPED, moment=left, due_at=_NEVER)
            yield replace(stopped, begun_at=None, credit=timedelta())


def _resumed(
    table: Table, fresh: Timer, now: datetime, current: Sequence[Timer], aways: Aways
) -> Timer:
    """A deadline with the time that its seat had left when a pause began."""
    left = next((timer.moment for timer in current if _stands_for(timer, fresh)), _ALL_OF_IT)
    allowed = banks.allowance(table.clock, bank_of(table, fresh.seat))
    if left == _ALL_OF_IT or fresh.kind not in DEADLINES or allowed is None:
        return fresh
    # It runs from now on: what was used before the pause must not fall into a vacation since.
    credit = timedelta(seconds=left) - allowed
    return _deadline(table, replace(fresh, begun_at=now, credit=credit), aways)


def _stands_for(timer: Timer, deadline: Timer) -> bool:
    """Whether a pause stopped the deadline of that seat."""
    return timer.kind is TimerKind.STOPPED and timer.seat == deadline.seat


def _reminders_of(deadline: Timer, current: Sequence[Timer]) -> Iterator[Timer]:
    return (timer for timer in current if _goes_with(timer, deadline))


def _goes_with(timer: Timer, deadline: Timer) -> bool:
    same = (timer.seat, timer.moment) == (deadline.seat, deadline.moment)
    return same and timer.kind in REMINDERS and deadline.kind in DEADLINES


def _reminders(table: Table, deadline: Timer, aways: Aways) -> Iterator[Timer]:
    """All reminders of a deadline; where only one has room, it is the later one."""
    if deadline.kind not in DEADLINES or deadline.begun_at is None:
        return
    begun_at = deadline.begun_at + deadline.credit
    times = away.reminders(begun_at, deadline.due_at, _away(table, deadline.seat, aways))
    for kind, due_at in zip(REMINDERS[-len(times) :], times, strict=False):
        yield replace(deadline, kind=kind, due_at=due_at, begun_at=None, credit=timedelta())


def drawn(
    table: Table, running: Sequence[Timer], seat: Seat, now: datetime, aways: Aways
) -> timedelta:
    """What a move of *seat* at *now* takes from its bank.

    The bank pays from the moment at which the seat would be late without one: whoever was asleep
    or away then loses nothing by it.
    """
    seconds, theirs = table.clock.seconds, _away(table, seat, aways)
    own = (timer for timer in running if timer.kind in DEADLINES and timer.seat == seat)
    timer = next(own, None)
    if timer is None or timer.begun_at is None or seconds is None:
        return timedelta()
    late_at = away.deadline(timer.begun_at, seconds, theirs, extra=timer.credit)
    return banks.drawn(bank_of(table, seat), away.own_time(late_at, now, theirs))


def bank_of(table: Table, seat: Seat) -> timedelta:
    """What a seat has in its bank."""
    return table.banks[seat] if table.banks else timedelta()


def _deadline(table: Table, timer: Timer, aways: Aways) -> Timer:
    """The same timer, due when it follows from its beginning."""
    seconds, theirs = table.clock.seconds, _away(table, timer.seat, aways)
    if timer.begun_at is None or seconds is None:
        return timer
    extra = bank_of(table, timer.seat) + timer.credit
    return replace(timer, due_at=away.deadline(timer.begun_at, seconds, theirs, extra=extra))


def _away(table: Table, seat: Seat, aways: Aways) -> away.Away:
    chair = table.chairs[seat]
    return aways.get(chair.user_id, away.PRESENT) if isinstance(chair, Human) else away.PRESENT


def _idle_lobby(table: Table, now: datetime) -> Timer:
    return of_table(table, TimerKind.IDLE_LOBBY, now + IDLE_LOBBY)


def _abandoned(table: Table, current: Sequence[Timer], now: datetime) -> Iterator[Timer]:
    """When a game ends that only robots are left at: the moment stands, as they do not play on."""
    if table.game is None or lobby.people(table.chairs):
        return
    ends = of_table(table, TimerKind.ABANDONED, now + ABANDONED, when=moment(table.game))
    warns = replace(ends, kind=TimerKind.ABANDONED_WARNING, due_at=now + ABANDONED_WARNING)
    # Where only the end is known, the warning was given.
    yield from _known(current, ends, warns) or (ends, warns)


def _paused(current: Sequence[Timer], now: datetime) -> Iterator[Timer]:
    """What a table keeps of its timers while it has no place to post."""
    yield from (_stopped(timer, now) for timer in _game_times(current))
    stopped = {timer.seat for timer in current if timer.kind is TimerKind.STOPPED}
    for timer in current:
        goes_on = timer.kind in REMINDERS and timer.seat in stopped
        if goes_on or timer.kind in {TimerKind.STOPPED, TimerKind.NUDGED}:
            yield timer


def _without_place(table: Table, current: Sequence[Timer], now: datetime) -> Timer:
    """When a table ends that has no place to post."""
    ends = of_table(table, TimerKind.PLACE_LOST, now + PLACE_LOST)
    return next(iter(_known(current, ends)), ends)


def _known(current: Sequence[Timer], *fresh: Timer) -> Sequence[Timer]:
    """Those that were set before for the same."""
    keys = {_key(timer) for timer in fresh}
    return [timer for timer in current if _key(timer) in keys]


def _of_game(
    table: Table, game: Game, now: datetime, robots: datetime, aways: Aways
) -> Iterator[Timer]:
    """One timer a seat that is waited for; but robots do not play on among themselves."""
    if not lobby.people(table.chairs):
        return
    late = TimerKind.MOON if game.phase is Phase.MOON_CHOICE else TimerKind.DEADLINE
    for seat in legal.to_move(game):
        timer = Timer(
            table_id=table.id,
            seat=seat,
            kind=TimerKind.ROBOT,
            moment=moment(game),
            due_at=robots,
        )
        if not isinstance(table.chairs[seat], Human):
            yield timer
        elif table.clock.seconds is not None:
            yield _deadline(table, replace(timer, kind=late, begun_at=now), aways)


def _planned(
    table: Table, game: Game, due_at: datetime, current: Sequence[Timer], aways: Aways
) -> Iterator[Timer]:
    """When a card falls that the person to move has planned. Their deadline runs beside it."""
    for seat in legal.to_move(game):
        if planning.card_due(table, seat, aways) is not None:
            fresh = Timer(
                table_id=table.id,
                seat=seat,
                kind=TimerKind.PLAN,
                moment=moment(game),
                due_at=due_at,
            )
            yield next(iter(_known(current, fresh)), fresh)


def _game_time(
    table: Table, game: Game, now: datetime, current: Sequence[Timer]
) -> Iterator[Timer]:
    """When a game by minutes is called over: so long after its first deal began, pauses apart."""
    end = game.ruleset.end
    if not isinstance(end, Minutes) or game.last_deal:
        return
    fresh = of_table(table, TimerKind.GAME_TIME, now + timedelta(minutes=end.minutes))
    known = next(_game_times(current), fresh)
    yield _running(known, now)


def _game_times(timers: Sequence[Timer]) -> Iterator[Timer]:
    return (timer for timer in timers if timer.kind is TimerKind.GAME_TIME)


def _stopped(timer: Timer, now: datetime) -> Timer:
    """The same while its table is paused: it remembers how much is left, and is never late."""
    if timer.moment:
        return timer
    return replace(timer, moment=_whole_seconds(timer.due_at - now))


def _whole_seconds(left: timedelta) -> int:
    return max(1, ceil(left.total_seconds()))


def _running(timer: Timer, now: datetime) -> Timer:
    if not timer.moment:
        return timer
    return replace(timer, moment=0, due_at=now + timedelta(seconds=timer.moment))


def _key(timer: Timer) -> tuple[Seat, TimerKind, int]:
    return timer.seat, timer.kind, timer.moment
