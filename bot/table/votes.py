"""What the people at a table agree on by voting: pauses, clocks, seats, ends. Pure.

A vote is a value. It is called for one subject, and lapses when the table has moved on from what
the subject says. Whoever calls it has voted for it.
"""

from dataclasses import replace
from enum import Enum
from typing import assert_never

from bot.rules.claims import certain_rest, known_rest
from bot.rules.dimensions import Minutes, OpenCount
from bot.rules.state import Game
from bot.table.ballots import ChangeClock, EndDeal, Kick, LastDeal, Pause, TableSubject, Votes
from bot.table.clocks import MoveClock
from bot.table.errors import (
    NotCertainError,
    NotOneOfUsError,
    OwnSeatVoteError,
    RobotSitsInError,
    StaleVoteError,
    TooFewVotersError,
)
from bot.table.ids import Human, UserId
from bot.table.lobby import Chairs, people, seat_of
from bot.table.state import Status, Table


class Need(Enum):
    """How many have to be for it."""

    MAJORITY = "majority"
    """More than half of the people at the table: of two, both."""
    ALL = "all"


class Outcome(Enum):
    """How a vote stands."""

    PASSED = "passed"
    OPEN = "open"
    FAILED = "failed"
    """It cannot pass any more, however the others vote."""


def need(subject: TableSubject) -> Need:
    """How many have to agree.

    A majority gives a slower clock, a seat, or the last deal; all have to agree before anybody has
    to wait, loses time to think, or lays down cards unplayed.
    """
    match subject:
        case Kick() | LastDeal():
            return Need.MAJORITY
        case ChangeClock(before, after):
            return Need.ALL if _is_faster(after, before) else Need.MAJORITY
        case Pause() | EndDeal():
            return Need.ALL
        case _:
            assert_never(subject)


def voters(subject: TableSubject, chairs: Chairs) -> frozenset[UserId]:
    """The people in the seats, but for one whose own seat it is about.

    A robot has no vote, nor has the person for whom it keeps the seat.
    """
    everybody = frozenset(people(chairs))
    return everybody - {subject.user_id} if isinstance(subject, Kick) else everybody


def is_stale(subject: TableSubject, table: Table) -> bool:
    """Whether *table* has moved on: what *subject* asks for is done, or cannot be done now."""
    match subject:
        case Pause():
            return not _is_under_way(table) or table.agreed_pause
        case ChangeClock(before, after):
            return not _is_under_way(table) or table.clock != before or before == after
        case Kick(seat, user_id):
            return not _is_under_way(table) or table.chairs[seat] != Human(user_id)
        case EndDeal(deal):
            game = None if table.agreed_pause else _game_in_deal(table, deal)
            return game is None or certain_rest(game) is None
        case LastDeal(deal):
            game = _game_in_deal(table, deal)
            ends_by_word = game is not None and isinstance(game.ruleset.end, OpenCount | Minutes)
            return game is None or game.last_deal or not ends_by_word
        case _:
            assert_never(subject)


def call(subject: TableSubject, by: UserId, table: Table) -> Votes:
    """Begin a vote, as somebody who is for it.

    Raises:
        TooFewVotersError: it could not pass if everybody were for it.
        NotCertainError: what is left of the deal is not certain, or the person cannot know it.
        TableError: as `cast`.
    """
    if isinstance(subject, EndDeal) and (is_stale(subject, table) or not _is_known(by, table)):
        raise NotCertainError
    _check_voter(subject, by, table)
    everybody = Votes(subject, in_favour=voters(subject, table.chairs))
    if everybody.in_favour and outcome(everybody, table.chairs) is not Outcome.PASSED:
        raise TooFewVotersError
    return cast(Votes(subject), by, table, is_for=True)


def cast(votes: Votes, by: UserId, table: Table, *, is_for: bool) -> Votes:
    """Vote, or change one's vote. To vote the same twice changes nothing.

    Raises:
        NotOneOfUsError: the person does not sit at the table.
        RobotSitsInError: a robot keeps the person's seat.
        OwnSeatVoteError: the vote is about the person's own seat.
        StaleVoteError: the vote has lapsed (`is_stale`), or it has passed or failed.
    """
    _check(votes, by, table)
    bare = _without(votes, by)
    if is_for:
        return replace(bare, in_favour=bare.in_favour | {by})
    return replace(bare, against=bare.against | {by})


def outcome(votes: Votes, chairs: Chairs) -> Outcome:
    """How a vote stands among those who sit on *chairs* now.

    The vote of somebody who has left counts no more. A person who is to lose the seat counts
    among the people of whom a majority is needed, so nobody can be sent away by one person alone.
    """
    may_vote, needed = voters(votes.subject, chairs), votes_needed(votes.subject, chairs)
    if len(votes.in_favour & may_vote) >= needed:
        return Outcome.PASSED
    if len(may_vote - votes.against) < needed:
        return Outcome.FAILED
    return Outcome.OPEN


def votes_needed(subject: TableSubject, chairs: Chairs) -> int:
    """How many people have to be for it, of those who sit on *chairs*."""
    count = len(people(chairs))
    return count if need(subject) is Need.ALL else count // 2 + 1


def _is_known(by: UserId, table: Table) -> bool:
    """Nobody may learn from a vote what only the cards of others tell."""
    return table.game is not None and known_rest(table.game, seat_of(by, table.chairs)) is not None


def _check(votes: Votes, by: UserId, table: Table) -> None:
    """Raise whatever keeps *by* from voting now."""
    _check_voter(votes.subject, by, table)
    is_over = outcome(votes, table.chairs) is not Outcome.OPEN
    if is_over or is_stale(votes.subject, table):
        raise StaleVoteError


def _check_voter(subject: TableSubject, by: UserId, table: Table) -> None:
    """Raise whatever keeps *by* from voting about *subject* at all."""
    seat = seat_of(by, table.chairs)
    if seat is None:
        raise NotOneOfUsError
    if table.chairs[seat] != Human(by):
        raise RobotSitsInError
    if by not in voters(subject, table.chairs):
        raise OwnSeatVoteError


def _without(votes: Votes, by: UserId) -> Votes:
    return replace(votes, in_favour=votes.in_favour - {by}, against=votes.against - {by})


def _is_faster(clock: MoveClock, other: MoveClock) -> bool:
    if clock.seconds is None:
        return False
    return other.seconds is None or clock.seconds < other.seconds


def _is_under_way(table: Table) -> bool:
    return table.status in {Status.PLAYING, Status.PAUSED}


def _game_in_deal(table: Table, deal: int) -> Game | None:
    """The game of *table*, if it is being played and in the deal of that number."""
    game = table.game if table.status is Status.PLAYING else None
    return game if game and game.deal and game.deal.number == deal else None
