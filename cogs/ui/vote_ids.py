"""What the buttons of votes and pauses ask for."""

from dataclasses import dataclass
from typing import ClassVar, Self

from bot.table.ids import TableId
from cogs.ui.id_shapes import AtTable, InDeal, Parts

_FOR, _AGAINST = "yes", "no"


@dataclass(frozen=True, slots=True)
class CastVote:
    """Vote for or against something."""

    word: ClassVar[str] = "vote"
    table: TableId
    number: int
    """As `bot.table.events.VoteCalled` counts."""
    is_for: bool

    def parts(self) -> Parts:
        return Parts(self.table, self.number, _FOR if self.is_for else _AGAINST)

    @classmethod
    def read(cls, parts: Parts) -> Self:
        return cls(parts.table_id, parts.moment, is_for=parts.argument == _FOR)


class EndPause(AtTable):
    """Go on after a pause that all agreed on."""

    word = "go_on"


class AskLastDeal(InDeal):
    """Ask the table to make the deal under way the last."""

    word = "vote_last"


class EndDeal(InDeal):
    """Lay down the rest of the deal under way, which is certain."""

    word = "end_deal"


VoteAction = CastVote | EndPause | AskLastDeal | EndDeal
"""All that is pressed about votes and pauses."""
