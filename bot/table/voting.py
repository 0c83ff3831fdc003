"""Votes at a table, from the call to what they bring about. Pure; `bot.table.votes` counts."""

from typing import assert_never

from bot.rules import commands as game_commands
from bot.rules.decide import decide as decide_game
from bot.table import commands, events, lobby, seating, votes
from bot.table.ballots import (
    ChangeClock,
    EndDeal,
    Kick,
    LastDeal,
    OpenVote,
    Pause,
    TableSubject,
    Votes,
)
from bot.table.errors import NotOneOfUsError, StaleVoteError, WrongPhaseError
from bot.table.ids import UserId
from bot.table.seat_errors import NoGameError, NotPausedError, TooManyVotesError
from bot.table.seating import Decision
from bot.table.state import Status, Table
from bot.table.votes import Outcome

MOST_VOTES = 3
"""How many votes may be open at a table at once: all stand in one post."""


def decide(table: Table, command: commands.VoteCommand) -> Decision:
    """What happens at *table* if *command* is carried out now; nothing is changed by it.

    Raises:
        TableError: this person may not do that, or not now.
    """
    match command:
        case commands.CallVote():
            return _call(table, command)
        case commands.CastVote(_, number):
            known = [vote for vote in table.votes if vote.number == number]
            if not known:
                raise StaleVoteError
            return _cast(table, known[0], command)
        case commands.EndPause(user_id):
            return _end_pause(table, user_id)
        case _:
            assert_never(command)


def _call(table: Table, command: commands.CallVote) -> Decision:
    for vote in table.votes:
        if vote.subject == command.subject:
            again = commands.CastVote(command.user_id, vote.number, is_for=True)
            return _cast(table, vote, again)
    if table.game is None:
        raise NoGameError
    if sum(not votes.is_stale(vote.subject, table) for vote in table.votes) >= MOST_VOTES:
        raise TooManyVotesError
    number = table.votes_called + 1
    called = votes.call(command.subject, command.user_id, table)
    happened = events.VoteCalled(number, command.subject)
    return (happened, *_settled(table, number, command.subject, called))


def _cast(table: Table, vote: OpenVote, command: commands.CastVote) -> Decision:
    after = votes.cast(vote.votes, command.user_id, table, is_for=command.is_for)
    if after == vote.votes:
        return ()
    happened = events.VoteCast(vote.number, command.is_for)
    return (happened, *_settled(table, vote.number, vote.subject, after))


def _settled(table: Table, number: int, subject: TableSubject, after: Votes) -> Decision:
    match votes.outcome(after, table.chairs):
        case Outcome.OPEN:
            return ()
        case Outcome.FAILED:
            return (events.VoteSettled(number, passed=False),)
        case Outcome.PASSED:
            return (events.VoteSettled(number, passed=True), *_brought_about(table, subject))


def _brought_about(table: Table, subject: TableSubject) -> Decision:
    match subject:
        case Pause():
            return (events.PauseAgreed(),)
        case ChangeClock(_, clock):
            return (events.ClockChanged(clock),)
        case Kick(seat, user_id):
            return seating.remove(table, seat, user_id)
        case LastDeal():
            return _of_the_game(table, game_commands.CallLastDeal())
        case EndDeal():
            return _of_the_game(table, game_commands.ClaimRest())
        case _:
            assert_never(subject)


def _of_the_game(table: Table, command: game_commands.Command) -> Decision:
    if table.game is None:
        raise WrongPhaseError
    return decide_game(table.game, command)


def _end_pause(table: Table, user_id: UserId) -> Decision:
    """One who wants to play is enough: a pause holds only as long as all want it."""
    if user_id not in lobby.people(table.chairs):
        raise NotOneOfUsError
    if table.status not in {Status.PLAYING, Status.PAUSED} or not table.agreed_pause:
        raise NotPausedError
    return (events.PauseEnded(),)
