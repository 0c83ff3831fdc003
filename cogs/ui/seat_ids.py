"""What the buttons ask for with which seats and the host of a table change during a game."""

from dataclasses import dataclass
from typing import ClassVar, Self

from bot.rules.cards import Seat
from bot.table.ids import TableId, UserId
from cogs.ui.id_shapes import Parts, whole


@dataclass(frozen=True, slots=True)
class Substitute:
    """Sit down in a seat that a robot plays."""

    word: ClassVar[str] = "sub"
    table: TableId
    seat: Seat

    def parts(self) -> Parts:
        return Parts(self.table, argument=str(self.seat))

    @classmethod
    def read(cls, parts: Parts) -> Self:
        return cls(parts.table_id, Seat(whole(parts.argument)))


@dataclass(frozen=True, slots=True)
class PassHost:
    """Make this person the host."""

    word: ClassVar[str] = "host"
    table: TableId
    to: UserId

    def parts(self) -> Parts:
        return Parts(self.table, argument=str(self.to))

    @classmethod
    def read(cls, parts: Parts) -> Self:
        return cls(parts.table_id, UserId(whole(parts.argument)))


SeatAction = Substitute | PassHost
"""All that is pressed about seats and the host."""
