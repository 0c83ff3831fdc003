"""Ids of things outside the rules, and who may sit on a chair."""

from dataclasses import dataclass
from typing import NewType

TableId = NewType("TableId", str)
"""Eight random letters and digits; people see it as the table's code."""
UserId = NewType("UserId", int)
GuildId = NewType("GuildId", int)
ChannelId = NewType("ChannelId", int)
MessageId = NewType("MessageId", int)
InteractionId = NewType("InteractionId", int)


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
