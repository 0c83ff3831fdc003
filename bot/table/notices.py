"""What is said once, in public and in plain words, when the people of a table change. Pure.

People are shown by mentions that ping nobody, so that a later change of name does no harm.
"""

from collections.abc import Iterator, Sequence
from typing import assert_never

from bot.rules.cards import Seat
from bot.rules.commands import PlayedBy
from bot.rules.dimensions import Tie
from bot.rules.events import CardPlayed, CardsPassed, LastDealCalled, MoonSettled
from bot.rules.sentence import Sentence
from bot.table.agreed_notices import agreed, is_by_vote
from bot.table.events import (
    HostChanged,
    SeatHandedOver,
    SubstituteSat,
    TableEvent,
    TableResumed,
)
from bot.table.ids import Human, Occupant, UserId
from bot.table.lobby import owner
from bot.table.state import LIVE, Table

_LEFT = "<@{person}> left. A robot plays in that seat until it is taken back."
_LATE = (
    "<@{person}> ran out of time twice in a row. A robot plays in that seat until it is taken back."
)
_CARD_PLAYED = "<@{person}> ran out of time, so a robot played the {card}."
_CARDS_PASSED = "<@{person}> ran out of time, so a robot chose what to pass."
_MOON_SETTLED = "<@{person}> ran out of time, so a robot chose how the moon is paid."
_STILL_THEIRS = (
    "{said} The seat is still theirs; a robot takes it over if they miss the next move, too."
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
            yield from _handed_over(event.occupant, by)
        elif isinstance(event, SubstituteSat):
            yield _substituted(event)
        elif isinstance(event, HostChanged):
            yield _about(event.host, _HOST)
        elif isinstance(event, TableResumed):
            yield _STILL_PAUSED if after.agreed_pause else _RESUMED
        elif isinstance(event, LastDealCalled):
            yield _last_deal(after, events, by)
        elif isinstance(event, CardPlayed | CardsPassed | MoonSettled) and by is None:
            yield from _moved_for(after, event, _seats_lost(events))
        else:
            yield from agreed(event, events, by)


def _handed_over(occupant: Occupant, by: UserId | None) -> Iterator[Sentence]:
    if isinstance(occupant, Human):
        yield _about(occupant.user_id, _BACK)
    elif occupant.keeps_for is not None:
        yield _about(occupant.keeps_for, _LATE if by is None else _LEFT)


def _seats_lost(events: Sequence[TableEvent]) -> frozenset[Seat]:
    return frozenset(event.seat for event in events if isinstance(event, SeatHandedOver))


def _moved_for(
    after: Table, event: CardPlayed | CardsPassed | MoonSettled, lost: frozenset[Seat]
) -> Iterator[Sentence]:
    """That a robot moved once for somebody who was late, and why; which cards it passed is secret.

    A robot in its own seat does what everybody sees.
    """
    chair = after.chairs[event.seat]
    person = owner(chair)
    is_theirs = isinstance(chair, Human)
    if person is None or not (is_theirs or event.seat in lost):
        return
    facts: dict[str, object] = {"person": str(person)}
    match event:
        case CardPlayed(_, card, PlayedBy.CLOCK):
            said = Sentence(_CARD_PLAYED, {**facts, "card": card})
        case CardPlayed():
            return
        case CardsPassed():
            said = Sentence(_CARDS_PASSED, facts)
        case MoonSettled():
            said = Sentence(_MOON_SETTLED, facts)
        case _:
            assert_never(event)
    yield Sentence(_STILL_THEIRS, {"said": said}) if is_theirs else said


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
