"""A score keeper as it is stored: a score sheet, whose it is, and how often it has changed."""

from dataclasses import dataclass
from datetime import datetime

from bot.rules.scorekeeper import ScoreSheet
from bot.table.ids import ChannelId, GuildId, KeeperId, UserId


@dataclass(frozen=True, slots=True)
class KeptWhere:
    """Whose score keeper it is and where it was opened; there is one at most for each."""

    channel_id: ChannelId
    owner: UserId
    guild_id: GuildId | None = None
    """``None``: the channel is a direct message."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Keeper:
    """One score keeper."""

    id: KeeperId
    where: KeptWhere
    version: int
    """How often it was changed, counted from 1, which is its opening."""
    sheet: ScoreSheet
    opened_at: datetime
    """Aware, UTC."""
    changed_at: datetime
    """When this version was made."""


@dataclass(frozen=True, slots=True)
class SeenKeeper:
    """What somebody saw when they pressed."""

    id: KeeperId
    version: int
