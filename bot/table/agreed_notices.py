"""What is said once about votes, and about what is decided for a whole table. Pure."""

from collections.abc import Iterator, Sequence

from bot.rules.sentence import Sentence
from bot.table.clocks import clock_words
from bot.table.events import (
    ClockChanged,
    PauseAgreed,
    PauseEnded,
    PersonInvited,
    PersonRemoved,
    TableEvent,
    TableMoved,
    TableResumed,
    VoteSettled,
)
from bot.table.ids import UserId

_FAILED = Sentence("The vote did not pass: too few can still be for it.")
_PAUSED = Sentence(
    "Everybody agreed to a pause. No time runs until somebody at the table presses Go on."
)
_GOES_ON = "<@{person}> ended the pause. Every move has as much time left as it had before."
_CLOCK = (
    "The table agreed on another clock: {clock}. The move under way has its whole time from now."
)
_NO_CLOCK = "The table agreed on another clock: {clock}. Nobody runs out of time any more."
_MOVED = "This table has moved here from <#{place}>. What was played before still stands there."
_MOVED_AWAY = "This table has moved here from <#{place}>, where I could not post any more."
_VOTED_OUT = "The table gave the seat of <@{person}> to a robot."
_MODERATED_OUT = "A moderator gave the seat of <@{person}> to a robot."
_INVITED = "<@{person}> may sit down at this table again, with `/hearts substitute`."


def agreed(
    event: TableEvent, events: Sequence[TableEvent], by: UserId | None
) -> Iterator[Sentence]:
    """What one of *events*, caused by *by*, gives cause to say; nothing for most."""
    if isinstance(event, VoteSettled) and not event.passed:
        yield _FAILED
    elif isinstance(event, PauseAgreed):
        yield _PAUSED
    elif isinstance(event, PauseEnded):
        yield Sentence(_GOES_ON, {"person": str(by)})
    elif isinstance(event, TableMoved):
        # What is paused without a vote had lost its place, which may be gone with all its posts.
        lost = any(isinstance(each, TableResumed) for each in events)
        yield Sentence(_MOVED_AWAY if lost else _MOVED, {"place": str(event.left)})
    elif isinstance(event, ClockChanged):
        said = _NO_CLOCK if event.clock.seconds is None else _CLOCK
        yield Sentence(said, {"clock": clock_words(event.clock)})
    elif isinstance(event, PersonRemoved):
        said = _VOTED_OUT if is_by_vote(events) else _MODERATED_OUT
        yield Sentence(said, {"person": str(event.user_id)})
    elif isinstance(event, PersonInvited):
        yield Sentence(_INVITED, {"person": str(event.user_id)})


def is_by_vote(events: Sequence[TableEvent]) -> bool:
    """Whether a vote brought *events* about."""
    return any(isinstance(event, VoteSettled) and event.passed for event in events)
