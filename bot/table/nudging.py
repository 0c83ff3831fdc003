"""Calling people once more because somebody at the table asks for it, seldom enough. Pure."""

from dataclasses import replace
from datetime import datetime, timedelta

from bot.table import lobby, posts
from bot.table.absences import Aways
from bot.table.errors import NotOneOfUsError
from bot.table.ids import UserId
from bot.table.moments import moment
from bot.table.posting import NUDGE
from bot.table.seat_errors import NobodyToNudgeError, NudgedError
from bot.table.session import Belief, is_set
from bot.table.storing import Adjustment, Timer, TimerKind
from bot.table.timers import of_table

NUDGE_AGAIN = timedelta(hours=6)
"""How long a table rests after a nudge; and there is only one for a move, however long it takes."""


def nudged(belief: Belief, _aways: Aways, now: datetime, *, by: UserId) -> Adjustment:
    """Everybody whom the game waits for is called once more, but for *by*, who asks.

    How and when they hear of it is theirs to choose, as with any call.

    Raises:
        NotOneOfUsError: *by* does not sit at the table.
        NudgedError: it was done for this move, or less than `NUDGE_AGAIN` ago.
        NobodyToNudgeError: the game waits for nobody else.
    """
    table = belief.table
    if by not in lobby.people(table.chairs):
        raise NotOneOfUsError
    called = [call for call in posts.calls(table) if call.user_id != by]
    if table.game is None or not called:
        raise NobodyToNudgeError
    if any(timer.kind is TimerKind.NUDGED for timer in belief.timers):
        raise NudgedError
    mark = of_table(table, TimerKind.NUDGED, now + NUDGE_AGAIN, when=moment(table.game))
    return Adjustment(
        table=table,
        at=now,
        timers=(*belief.timers, mark),
        reminders=tuple(replace(call, reminder=NUDGE) for call in called),
    )


def rested(belief: Belief, _aways: Aways, now: datetime, *, timer: Timer) -> Adjustment | None:
    """The table may be nudged again, unless it still waits for the same move."""
    if not is_set(belief, timer):
        return None
    left = tuple(mine for mine in belief.timers if mine.kind is not TimerKind.NUDGED)
    game = belief.table.game
    if game is not None and moment(game) == timer.moment:
        left = (*left, replace(timer, due_at=now + NUDGE_AGAIN))
    return Adjustment(table=belief.table, at=now, timers=left)
