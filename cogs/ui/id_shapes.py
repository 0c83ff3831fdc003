"""The shapes that the actions of `cogs.ui.ids` share, and what they write into an id."""

from dataclasses import dataclass, field
from typing import ClassVar, Self

from bot.rules.cards import Card
from bot.table.ids import TableId

NO_TABLE = "-"
"""Stands in an id for the table of an action that belongs to none."""
_MOST_DIGITS = 20
"""As many as Discord's longest ids have."""


def whole(argument: str) -> int:
    """A number in an argument: digits alone, so that none is below 0 or boundless.

    Raises:
        ValueError: it is none.
    """
    if not (argument.isascii() and argument.isdecimal() and len(argument) <= _MOST_DIGITS):
        raise ValueError(argument)
    return int(argument)


@dataclass(frozen=True, slots=True)
class Parts:
    """What stands in an id behind the word of its action."""

    table: str = NO_TABLE
    moment: int = 0
    argument: str = ""

    @property
    def table_id(self) -> TableId:
        """The table.

        Raises:
            ValueError: the id names none.
        """
        if self.table == NO_TABLE:
            raise ValueError(self.table)
        return TableId(self.table)


@dataclass(frozen=True, slots=True)
class Anywhere:
    """An action that belongs to no table."""

    word: ClassVar[str]

    def parts(self) -> Parts:
        return Parts()

    @classmethod
    def read(cls, _parts: Parts) -> Self:
        return cls()


@dataclass(frozen=True, slots=True)
class Switch:
    """An action that belongs to no table and turns something on or off."""

    word: ClassVar[str]
    on: bool

    def parts(self) -> Parts:
        return Parts(argument="on" if self.on else "off")

    @classmethod
    def read(cls, parts: Parts) -> Self:
        return cls(on=parts.argument == "on")


@dataclass(frozen=True, slots=True)
class AtTable:
    """An action at a table for which no moment matters."""

    word: ClassVar[str]
    table: TableId

    def parts(self) -> Parts:
        return Parts(self.table)

    @classmethod
    def read(cls, parts: Parts) -> Self:
        return cls(parts.table_id)


@dataclass(frozen=True, slots=True)
class WithCard:
    """An action with one card in one turn."""

    word: ClassVar[str]
    table: TableId
    turn: int
    """As `bot.table.moments.turn` counts."""
    card: Card = field(repr=False)

    def parts(self) -> Parts:
        return Parts(self.table, self.turn, str(self.card))

    @classmethod
    def read(cls, parts: Parts) -> Self:
        return cls(parts.table_id, parts.moment, Card.parse(parts.argument))


@dataclass(frozen=True, slots=True)
class InDeal:
    """An action that counts for one deal."""

    word: ClassVar[str]
    table: TableId
    deal: int
    """Counted from 1."""

    def parts(self) -> Parts:
        return Parts(self.table, self.deal)

    @classmethod
    def read(cls, parts: Parts) -> Self:
        return cls(parts.table_id, parts.moment)
