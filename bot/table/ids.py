"""Ids of things outside the rules, and who may sit on a chair."""

from dataclasses import dataclass
from hashlib import sha256
from typing import NewType

TABLE_ID_LETTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
"""What table codes are made of: 32 letters and digits that nobody mistakes for one another."""
TABLE_ID_LENGTH = 8

TableId = NewType("TableId", str)
"""Eight random letters and digits; people see it as the table's code."""
UserId = NewType("UserId", int)
GuildId = NewType("GuildId", int)
ChannelId = NewType("ChannelId", int)
MessageId = NewType("MessageId", int)
InteractionId = NewType("InteractionId", int)
KeeperId = NewType("KeeperId", str)
"""Of a score keeper; made as the code of a table is."""


@dataclass(frozen=True, slots=True)
class Human:
    """A person on a chair."""

    user_id: UserId


@dataclass(frozen=True, slots=True)
class Robot:
    """A robot on a chair."""

    level: str
    keeps_for: UserId | None = None
    """The person who sat here and may take the seat back at any time."""


Occupant = Human | Robot


FORMER_BITS = 62


def former_id(chance: bytes) -> UserId:
    """What stands in stored games for a person who is forgotten.

    Below 0, which no id of Discord's is, so that `is_former` needs no list.

    Args:
        chance: eight random bytes or more.
    """
    return UserId(-1 - (int.from_bytes(chance) >> (8 * len(chance) - FORMER_BITS)))


def is_former(user_id: UserId) -> bool:
    """Whether an id stands for a person who is forgotten."""
    return user_id < 0


def rematch_id(table_id: TableId) -> TableId:
    """The code of the one rematch of a table.

    It follows from the table's own, so that two people who want a rematch at the same moment
    want the same table, whatever process they reach.
    """
    digest = sha256(f"hearts-rematch-v1|{table_id}".encode()).digest()
    letters = (TABLE_ID_LETTERS[byte % len(TABLE_ID_LETTERS)] for byte in digest)
    return TableId("".join(letters)[:TABLE_ID_LENGTH])
