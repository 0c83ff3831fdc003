"""What changes at a table although its game stands still: reminders, clocks, outages. Pure."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime, timedelta

from bot.rules.sentence import Sentence
from bot.table import posts, timers
from bot.table.absences import Aways
from bot.table.clocks import MoveClock
from bot.table.ids import Human, Robot, UserId
from bot.table.lengths import in_words
from bot.table.moments import moment
from bot.table.posting import DESERTED, Ping
from bot.table.session import Belief, is_set
from bot.table.state import Status, Table
from bot.table.storing import Adjustment, Timer, TimerKind

_REMINDERS = {TimerKind.HALF: 1, TimerKind.NINE_TENTHS: 2}
_WAITS = frozenset(
    {
        TimerKind.ABANDONED,
        TimerKind.ABANDONED_WARNING,
        TimerKind.GAME_TIME,
        TimerKind.IDLE_LOBBY,
        TimerKind.NUDGED,
        TimerKind.PLACE_LOST,
    }
)
"""Timers of a whole table that run against its people."""
_MOVED = "I was not there for {length}, so every deadline is that much later. {waiting}"
_NOTHING_LOST = "I was not there for {length}, and nothing is lost. {waiting}"
_ENDS_SOON = (
    "Only robots are left at this table, so the game stands still, and it ends {moment}. "
    "It is kept if somebody takes a seat back with `/hearts hand` before then, or takes one over "
    "with `/hearts substitute`."
)
_MOMENT = "<t:{seconds}:f> (<t:{seconds}:R>)"
_WAITING = "The game waits for {people}."
_PAUSED = Sentence("The game is paused, as everybody wanted.")
_GOES_ON = Sentence("The game goes on.")


def reminded(belief: Belief, _aways: Aways, now: datetime, *, timer: Timer) -> Adjustment | None:
    """The person of a seat is called once more; ``None``: that is not wanted any more."""
    if not is_set(belief, timer):
        return None
    chair = belief.table.chairs[timer.seat]
    called = [call for call in posts.calls(belief.table) if Human(call.user_id) == chair]
    return Adjustment(
        table=belief.table,
        at=now,
        timers=_without(belief, timer),
        reminders=tuple(replace(call, reminder=_REMINDERS[timer.kind]) for call in called),
    )


def retimed(belief: Belief, aways: Aways, now: datetime) -> Adjustment | None:
    """Deadlines as they follow from when people are there now; ``None``: they are right."""
    after = timers.retimed(belief.table, belief.timers, aways)
    if after == belief.timers:
        return None
    return Adjustment(table=belief.table, at=now, timers=after, shown_anew=True)


def redrawn(
    belief: Belief, aways: Aways, now: datetime, *, delays: Callable[[MoveClock], timers.Delays]
) -> Adjustment:
    """As `retimed`, for a table whose posts show something new in any case.

    Whoever has just asked that forced cards be played gets that for the turn under way, too;
    *delays* are drawn for it, as for every planned card. Nobody is late at once by a choice: a
    deadline that would lie in the past stays where it was.
    """
    plans_at = now + timedelta(seconds=delays(belief.table.clock).plan)
    after = timers.retimed(belief.table, belief.timers, aways, plans_at=plans_at)
    before = {(timer.seat, timer.kind): timer for timer in belief.timers}
    kept = tuple(
        before.get((timer.seat, timer.kind), timer)
        if timer.kind in timers.DEADLINES and timer.due_at <= now
        else timer
        for timer in after
    )
    return Adjustment(table=belief.table, at=now, timers=kept, shown_anew=True)


def told_of_outage(
    belief: Belief, aways: Aways, now: datetime, *, timer: Timer
) -> Adjustment | None:
    """Everybody is told once how long nobody ran the table, and whom it waits for."""
    if not is_set(belief, timer):
        return None
    left = _without(belief, timer)
    return Adjustment(
        table=belief.table,
        at=now,
        timers=timers.retimed(belief.table, left, aways),
        notices=(_outage(belief.table, left, timedelta(seconds=timer.moment)),),
        shown_anew=True,
    )


def given_back(
    belief: Belief, aways: Aways, now: datetime, *, since: datetime
) -> Adjustment | None:
    """Every deadline later by as much of the time from *since* on as it has run, told once."""
    table = belief.table
    later = tuple(_later(timer, since, now) for timer in belief.timers)
    if table.status is not Status.PLAYING:
        return Adjustment(table=table, at=now, timers=later) if later else None
    return Adjustment(
        table=table,
        at=now,
        timers=timers.retimed(table, later, aways),
        notices=(_outage(table, later, now - since),),
        shown_anew=True,
    )


def _later(timer: Timer, since: datetime, now: datetime) -> Timer:
    """Reminders follow from their deadlines."""
    if timer.kind in timers.DEADLINES:
        ran = now - max(since, timer.begun_at or since)
        return replace(timer, due_at=timer.due_at + ran, credit=timer.credit + ran)
    return replace(timer, due_at=timer.due_at + (now - since)) if timer.kind in _WAITS else timer


def warned(belief: Belief, _aways: Aways, now: datetime, *, timer: Timer) -> Adjustment | None:
    """Everybody is told once when the game ends, and those are called who can take a seat back."""
    if not is_set(belief, timer):
        return None
    left = _without(belief, timer)
    ends = [each.due_at for each in left if each.kind is TimerKind.ABANDONED]
    return Adjustment(
        table=belief.table,
        at=now,
        timers=left,
        reminders=tuple(_deserted(belief.table)),
        notices=tuple(Sentence(_ENDS_SOON, {"moment": _moment(at)}) for at in ends),
    )


def _deserted(table: Table) -> Iterator[Ping]:
    """A call for each person whose seat a robot keeps."""
    for chair in table.chairs:
        if isinstance(chair, Robot) and chair.keeps_for is not None:
            yield Ping(
                table_id=table.id,
                channel_id=table.channel_id,
                user_id=chair.keeps_for,
                kind=DESERTED,
                moment=0 if table.game is None else moment(table.game),
            )


def _without(belief: Belief, timer: Timer) -> tuple[Timer, ...]:
    gone = timer.seat, timer.kind
    return tuple(mine for mine in belief.timers if (mine.seat, mine.kind) != gone)


def _outage(table: Table, running: tuple[Timer, ...], length: timedelta) -> Sentence:
    has_deadline = any(timer.kind in timers.DEADLINES for timer in running)
    facts = {"length": in_words(length), "waiting": _waiting(table)}
    return Sentence(_MOVED if has_deadline else _NOTHING_LOST, facts)


def _waiting(table: Table) -> Sentence:
    """Whom the table waits for, as mentions that ping nobody."""
    if table.agreed_pause:
        return _PAUSED
    people = tuple(_mention(call.user_id) for call in posts.calls(table))
    return Sentence(_WAITING, {"people": people}) if people else _GOES_ON


def _mention(person: UserId) -> Sentence:
    return Sentence("<@{person}>", {"person": str(person)})


def _moment(at: datetime) -> Sentence:
    """A moment that each reader sees in their own time."""
    return Sentence(_MOMENT, {"seconds": str(round(at.timestamp()))})
