"""How the open votes of a table change: events in, a new table out. Pure."""

from dataclasses import replace
from typing import assert_never

from bot.table.ballots import OpenVote
from bot.table.events import VoteCalled, VoteCast, VoteSettled
from bot.table.ids import UserId
from bot.table.state import Table


def evolve(table: Table, event: VoteCalled | VoteCast | VoteSettled, by: UserId | None) -> Table:
    """The table after one more event about a vote, which *by* caused.

    A new vote brings the newest post, in which it stands, back to the end of the channel.
    """
    voter = frozenset[UserId]() if by is None else frozenset({by})
    match event:
        case VoteCalled(number, subject):
            vote = OpenVote(number=number, subject=subject, in_favour=voter, against=frozenset())
            called = replace(table, votes=(*table.votes, vote), votes_called=number)
            return replace(called, surfaced=table.surfaced + 1)
        case VoteCast(number, in_favour):
            votes = tuple(
                _cast(vote, voter, in_favour=in_favour) if vote.number == number else vote
                for vote in table.votes
            )
            return replace(table, votes=votes)
        case VoteSettled(number):
            left = tuple(vote for vote in table.votes if vote.number != number)
            return replace(table, votes=left)
        case _:
            assert_never(event)


def _cast(vote: OpenVote, voter: frozenset[UserId], *, in_favour: bool) -> OpenVote:
    others = replace(vote, in_favour=vote.in_favour - voter, against=vote.against - voter)
    if in_favour:
        return replace(others, in_favour=others.in_favour | voter)
    return replace(others, against=others.against | voter)
