"""Votes as values: what they are about, and who is for it. `bot.table.votes` counts them."""

from dataclasses import dataclass

from bot.rules.cards import Seat
from bot.table.clocks import MoveClock
from bot.table.ids import UserId


@dataclass(frozen=True, slots=True)
class Pause:
    """Stop all clocks of the table."""


@dataclass(frozen=True, slots=True)
class ChangeClock:
    """Give the table another clock."""

    before: MoveClock
    """The one that it has; with any other, the vote has lapsed."""
    after: MoveClock


@dataclass(frozen=True, slots=True)
class Kick:
    """Give a person's seat to a robot."""

    seat: Seat
    user_id: UserId
    """Who sits there; with anybody else on it, the vote has lapsed."""


@dataclass(frozen=True, slots=True)
class LastDeal:
    """Make a deal the last of a game that goes on until the players end it."""

    deal: int
    """Counted from 1."""


@dataclass(frozen=True, slots=True)
class EndDeal:
    """Lay down the rest of a deal that is certain, whatever is played."""

    deal: int
    """Counted from 1."""


TableSubject = Pause | ChangeClock | Kick | LastDeal | EndDeal
"""What a vote in a table's newest post can be about."""


@dataclass(frozen=True, slots=True)
class Votes:
    """Who is for a subject and who against it. Nobody is both."""

    subject: TableSubject
    in_favour: frozenset[UserId] = frozenset()
    against: frozenset[UserId] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenVote:
    """A vote that has been called at a table and is not settled yet."""

    number: int
    """Counted from 1 through all votes of the table."""
    subject: TableSubject
    in_favour: frozenset[UserId]
    against: frozenset[UserId]

    @property
    def votes(self) -> Votes:
        """The same, to be counted."""
        return Votes(self.subject, self.in_favour, self.against)
