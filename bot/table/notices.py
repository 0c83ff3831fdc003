"""What is said once, in public and in plain words, when the people of a table change. Pure.

People are shown by mentions that ping nobody, so that a later change of name does no harm.
"""

from collections.abc import Iterator, Sequence

from bot.rules.dimensions import Tie
from bot.rules.events import LastDealCalled
from bot.rules.sentence import Sentence
from bot.table.events import HostChanged, SeatHandedOver, TableEvent, TableResumed
from bot.table.ids import Human, Occupant, UserId
from bot.table.state import LIVE, Table

_LEFT = "<@{person}> left. A robot plays in that seat until it is taken back."
_LATE = "<@{person}> ran out of time. A robot plays in that seat until it is taken back."
_BACK = "<@{person}> is back in the seat."
_HOST = "<@{person}> is the host of this table now."
_CALLED = "<@{person}> called the last deal: this one ends the game."
_CALLED_BUT_TIES = (
    "<@{person}> called the last deal: this one ends the game, unless it leaves a tie."
)
_TIME_UP = "Time is up: this is the last deal."
_TIME_UP_BUT_TIES = "Time is up: this is the last deal, unless it leaves a tie."
_RESUMED = Sentence("This table goes on. All deadlines begin anew.")


def notices(after: Table, events: Sequence[TableEvent], by: UserId | None) -> tuple[Sentence, ...]:
    """What *events*, caused by *by*, give cause to say.

    Args:
        after: the table after them; one that has ended says so in its last post.
        events: what happened.
        by: ``None``: the clock did it.
    """
    return tuple(_notices(after, events, by)) if after.status in LIVE else ()


def _notices(after: Table, events: Sequence[TableEvent], by: UserId | None) -> Iterator[Sentence]:
    for event in events:
        if isinstance(event, SeatHandedOver):
            yield from _handed_over(event.occupant, by)
        elif isinstance(event, HostChanged):
            yield _about(event.host, _HOST)
        elif isinstance(event, TableResumed):
            yield _RESUMED
        elif isinstance(event, LastDealCalled):
            yield _last_deal(after, by)


def _handed_over(occupant: Occupant, by: UserId | None) -> Iterator[Sentence]:
    if isinstance(occupant, Human):
        yield _about(occupant.user_id, _BACK)
    elif occupant.keeps_for is not None:
        yield _about(occupant.keeps_for, _LATE if by is None else _LEFT)


def _last_deal(after: Table, by: UserId | None) -> Sentence:
    shared = after.ruleset.tie is Tie.SHARE
    if by is None:
        return Sentence(_TIME_UP if shared else _TIME_UP_BUT_TIES)
    return _about(by, _CALLED if shared else _CALLED_BUT_TIES)


def _about(person: UserId, text: str) -> Sentence:
    return Sentence(text, {"person": str(person)})
