"""All that changes together with some events, put together for their transaction. Pure."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from bot.rules.events import GameEnded
from bot.table import posts, timers
from bot.table.absences import Aways
from bot.table.dealing import Dealing
from bot.table.events import ClockChanged, TableEvent
from bot.table.ids import UserId
from bot.table.notices import notices
from bot.table.results import results
from bot.table.state import Table
from bot.table.storing import Followings, Timer

PING_DELAY = timedelta(seconds=3)
"""How long a turn has to last before its person is called."""


def followings(
    after: Table,
    events: Sequence[TableEvent],
    *,
    by: UserId | None,
    now: datetime,
    current: Sequence[Timer],
    delays: timers.Delays,
    dealing: Dealing,
    aways: Aways,
) -> Followings:
    """What follows from *events*, which led to *after*.

    Args:
        after: the table after them.
        events: those to be stored.
        by: who caused them; ``None``: a robot or the clock.
        now: when they happen.
        current: the timers of the table before them.
        delays: of moves whose turn comes with them.
        dealing: what was sealed, dealt and revealed with them.
        aways: when the people of the table are not there.
    """
    ended = any(isinstance(event, GameEnded) for event in events)
    is_clock_new = any(isinstance(event, ClockChanged) for event in events)
    if is_clock_new:
        current = timers.outdated(current)
    return Followings(
        table=after,
        slots=posts.slots(after),
        closed_slots=posts.closed_slots(after),
        timers=timers.wanted(after, now=now, current=current, delays=delays, aways=aways),
        pings=posts.pings(after),
        ping_not_before=now + PING_DELAY,
        standing=posts.standing(after),
        reminders_are_wrong=is_clock_new,
        notices=notices(after, events, by),
        secret_deals=dealing.drawn,
        cuts=dealing.cuts,
        revealed=dealing.revealed,
        results=results(after) if ended else (),
    )
