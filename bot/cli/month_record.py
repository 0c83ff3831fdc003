"""What is written down of a simulated month, for `bot.cli.month_checks` to look through."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from bot.rules.cards import Hand
from bot.table.ids import ChannelId, InteractionId, TableId, UserId
from bot.table.posting import Manner, Ping
from bot.table.storing import PersonSettings, StoredEvent, Timer
from bot.table.views import TableView


@dataclass(frozen=True, slots=True, kw_only=True)
class Called:
    """A message that calls somebody; a repeat that Discord knew by its nonce is none."""

    at: datetime
    ping: Ping
    manner: Manner
    direct: bool


@dataclass(frozen=True, slots=True)
class Told:
    """A plain sentence in a channel."""

    at: datetime
    channel_id: ChannelId
    text: str
    """With its gaps open."""


@dataclass(frozen=True, slots=True)
class Fired:
    """A timer that went off."""

    at: datetime
    timer: Timer


@dataclass(frozen=True, slots=True, kw_only=True)
class Acknowledged:
    """A move of which a person was told that it counts."""

    table_id: TableId
    interaction_id: InteractionId
    user_id: UserId
    cards: Hand
    """The card played or the cards passed; none for the choice after a moon."""


@dataclass(frozen=True, slots=True)
class Outage:
    """A time in which no program ran, and what was given back for it."""

    begun_at: datetime
    """The last heartbeat."""
    ended_at: datetime
    credited: timedelta

    @property
    def length(self) -> timedelta:
        """From the last heartbeat to the next start."""
        return self.ended_at - self.begun_at


@dataclass(frozen=True, slots=True)
class Remembered:
    """A table as it was seen before a death of the program and after it."""

    at: datetime
    before: TableView
    after: TableView


@dataclass(frozen=True, slots=True)
class Refusal:
    """Somebody was told that something may not be."""

    at: datetime
    table_id: TableId
    kind: str
    """Name of the error."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableEnd:
    """A table as it is found when the month is over."""

    stored: Sequence[StoredEvent]
    timers: Sequence[Timer]
    view: TableView


@dataclass(frozen=True, slots=True)
class Chronicle:
    """All that is remembered of a month, in the order in which it happened; it only grows."""

    begun_at: datetime
    ends_at: datetime
    called: list[Called] = field(default_factory=list)
    told: list[Told] = field(default_factory=list)
    fired: list[Fired] = field(default_factory=list)
    acknowledged: list[Acknowledged] = field(default_factory=list)
    refused: list[Refusal] = field(default_factory=list)
    chosen: dict[UserId, list[tuple[datetime, PersonSettings]]] = field(default_factory=dict)
    """What people chose, and when."""
    restarts: list[tuple[datetime, str]] = field(default_factory=list)
    """When the program began anew, and how it died."""
    outages: list[Outage] = field(default_factory=list)
    """Those long enough to be given back."""
    remembered: list[Remembered] = field(default_factory=list)
    put_off: list[datetime] = field(default_factory=list)
    """Until when calls waited that would have disturbed."""
    posts_doubled: list[str] = field(default_factory=list)
    """Slots of tables that stand in a channel more than once at the end."""
    posts_behind: list[str] = field(default_factory=list)
    """Slots of tables that do not show the newest state at the end."""
    complaints: list[str] = field(default_factory=list)
    """Errors that the bot logged."""
    tables: dict[TableId, TableEnd] = field(default_factory=dict)
