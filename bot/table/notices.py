"""What is said once, in public and in plain words, when the people of a table change. Pure.

People are shown by mentions that ping nobody, so that a later change of name does no harm.
"""

from collections.abc import Iterator, Sequence
from typing import assert_never

from bot.rules.commands import PlayedBy
from bot.rules.dimensions import Tie
from bot.rules.events import CardPlayed, CardsPassed, LastDealCalled, MoonSettled
from bot.rules.sentence import Sentence
from bot.table.agreed_notices import agreed, is_by_vote
from bot.table.events import (
    HostChanged,
    PersonRemoved,
    SeatHandedOver,
    SubstituteSat,
    TableEvent,
    TableResumed,
)
from bot.table.ids import Human, UserId
from bot.table.state import LIVE, Table

_LEFT = "<@{person}> left. A robot plays in that seat until it is taken back."
_LATE = (
    "<@{person}> ran out of time twice in a row. A robot plays in that seat until it is taken back."
)
_LATE_ONCE = (
    "<@{person}> ran out of time, so a robot {did}. The seat is still theirs; a robot takes it "
    "over if they miss the next move, too."
)
_LATE_AGAIN = (
    "<@{person}> ran out of time twice in a row. A robot {did}, and plays in that seat until it "
    "is taken back."
)
_CARD_PLAYED = "played the {card}"
_CARDS_PASSED = Sentence("chose what to pass")
_MOON_SETTLED = Sentence("chose how the moon is paid")
_GONE = (
    "Somebody has left for good, and Robot {number} plays on in that seat. `/hearts substitute` "
    "takes it over."
)
_BACK = "<@{person}> is back in the seat."
_SAT_DOWN = "<@{person}> takes over the seat of a robot and plays on."
_SUBSTITUTE = "<@{person}> takes over the seat of <@{owner}> and plays it to the end."
_HOST = "<@{person}> is the host of this table now."
_CALLED = "<@{person}> called the last deal: this one ends the game."
_CALLED_BUT_TIES = (
    "<@{person}> called the last deal: this one ends the game, unless it leaves a tie."
)
_TIME_UP = "Time is up: this is the last deal."
_TIME_UP_BUT_TIES = "Time is up: this is the last deal, unless it leaves a tie."
_AGREED = "The table agreed: this is the last deal."
_AGREED_BUT_TIES = "The table agreed: this is the last deal, unless it leaves a tie."
_STILL_PAUSED = Sentence("I can post here again. This table is still paused, as everybody wanted.")
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
            yield from _handed_over(event, events, by)
        elif isinstance(event, SubstituteSat):
            yield _substituted(event)
        elif isinstance(event, HostChanged):
            yield _about(event.host, _HOST)
        elif isinstance(event, TableResumed):
            yield _STILL_PAUSED if after.agreed_pause else _RESUMED
        elif isinstance(event, LastDealCalled):
            yield _last_deal(after, events, by)
        elif isinstance(event, CardPlayed | CardsPassed | MoonSettled) and by is None:
            yield from _moved_once(after, event)
        else:
            yield from agreed(event, events, by)


def _handed_over(
    event: SeatHandedOver, events: Sequence[TableEvent], by: UserId | None
) -> Iterator[Sentence]:
    """With what was done at once for somebody who was late again."""
    occupant = event.occupant
    if isinstance(occupant, Human):
        yield _about(occupant.user_id, _BACK)
    elif occupant.keeps_for is None:
        # Of somebody who was sent away is told elsewhere.
        if not any(isinstance(each, PersonRemoved) for each in events):
            yield Sentence(_GONE, {"number": event.seat + 1})
    elif by is not None:
        yield _about(occupant.keeps_for, _LEFT)
    else:
        moves = (
            each for each in events if isinstance(each, CardPlayed | CardsPassed | MoonSettled)
        )
        did = next((_did(move) for move in moves if move.seat == event.seat), None)
        facts = {"person": str(occupant.keeps_for), "did": did}
        yield Sentence(_LATE_AGAIN, facts) if did else _about(occupant.keeps_for, _LATE)


def _moved_once(after: Table, event: CardPlayed | CardsPassed | MoonSettled) -> Iterator[Sentence]:
    """That a robot moved once for somebody who was late, and why."""
    chair, did = after.chairs[event.seat], _did(event)
    if isinstance(chair, Human) and did is not None:
        yield Sentence(_LATE_ONCE, {"person": str(chair.user_id), "did": did})


def _did(event: CardPlayed | CardsPassed | MoonSettled) -> Sentence | None:
    """What a robot did for somebody who was late, if it was that; what it passed is secret."""
    match event:
        case CardPlayed(_, card, PlayedBy.CLOCK):
            return Sentence(_CARD_PLAYED, {"card": card})
        case CardPlayed():
            return None
        case CardsPassed():
            return _CARDS_PASSED
        case MoonSettled():
            return _MOON_SETTLED
        case _:
            assert_never(event)


def _substituted(event: SubstituteSat) -> Sentence:
    if event.instead_of is None:
        return _about(event.user_id, _SAT_DOWN)
    facts = {"person": str(event.user_id), "owner": str(event.instead_of)}
    return Sentence(_SUBSTITUTE, facts)


def _last_deal(after: Table, events: Sequence[TableEvent], by: UserId | None) -> Sentence:
    shared = after.ruleset.tie is Tie.SHARE
    if is_by_vote(events):
        return Sentence(_AGREED if shared else _AGREED_BUT_TIES)
    if by is None:
        return Sentence(_TIME_UP if shared else _TIME_UP_BUT_TIES)
    return _about(by, _CALLED if shared else _CALLED_BUT_TIES)


def _about(person: UserId, text: str) -> Sentence:
    return Sentence(text, {"person": str(person)})
