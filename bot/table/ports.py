"""What the table room needs from the outside, as protocols. `db` and `cogs` fill them."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Protocol

from bot.rules.sentence import Sentence
from bot.table.events import TableEvent
from bot.table.ids import (
    ChannelId,
    GuildId,
    InteractionId,
    KeeperId,
    MessageId,
    TableId,
    UserId,
)
from bot.table.keeping import Keeper, KeptWhere
from bot.table.posting import Manner, Ping, Post, Sent, Slot
from bot.table.storing import (
    Adjustment,
    At,
    Cause,
    Drawer,
    Followings,
    Outgoing,
    PendingPost,
    PersonSettings,
    PostedState,
    ServerSettings,
    StoredEvent,
    TableRow,
    Timer,
)
from bot.table.views import PersonStats, StandingsPage, TableView


class Clock(Protocol):
    """The only source of time."""

    def now(self) -> datetime:
        """The present moment, aware, UTC."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Return after so many seconds of this clock."""
        ...


class Seeds(Protocol):
    """The only source of chance: secret bytes for shuffles, letters for table codes."""

    def seed(self) -> bytes:
        """32 secret bytes for one deal."""
        ...

    def table_id(self) -> TableId:
        """Eight random letters and digits."""
        ...

    def fraction(self) -> float:
        """From 0 up to 1, for a robot's natural delay. Not secret."""
        ...


class EventStore(Protocol):
    """The truth: events of tables, and what follows from them, each commit one transaction."""

    async def commit(
        self, at: At, events: Sequence[TableEvent], cause: Cause, followings: Followings
    ) -> None:
        """Write *events* as numbers ``at.version + 1`` and on, and all that follows.

        On return they are on disk. Version 0 creates the table.

        Raises:
            RepeatedClickError: the cause's interaction is already stored.
            VersionConflictError: the table is past *at*.
            ChannelBusyError: at version 0, the channel already has a live table.
        """
        ...

    async def adjust(self, at: At, adjustment: Adjustment) -> None:
        """Change what follows from the events that are stored, and nothing else.

        Raises:
            VersionConflictError: the table is not at *at*. Nothing was changed.
        """
        ...

    async def load(self, table_id: TableId) -> Sequence[StoredEvent]:
        """All events of a table, in order.

        Raises:
            UnknownTableError: there is no such table.
        """
        ...

    async def timers_of(self, table_id: TableId) -> Sequence[Timer]:
        """The timers a table has now."""
        ...

    async def at(self, table_id: TableId) -> At:
        """Where a table stands now; at version 0, if there is none."""
        ...

    async def is_current(self, at: At) -> bool:
        """Whether a table still stands where it was; not asked where nobody else writes."""
        ...

    async def drawer(self, table_id: TableId) -> Drawer:
        """Seeds and cuts of a table's deals. Nobody else may see those of a deal not over yet."""
        ...

    async def ended_tables(
        self, user_id: UserId, guild_id: GuildId | None, limit: int
    ) -> Sequence[TableRow]:
        """Tables that are over or closed at which this person sat at the end, or of this server.

        The one opened last comes first; of more than *limit*, only the first are given.
        """
        ...

    async def is_known(self, interaction_id: InteractionId) -> bool:
        """Whether this interaction has already been stored."""
        ...

    async def tables_of(self, user_id: UserId) -> Sequence[TableRow]:
        """Live tables at which this person has a seat (also one a robot keeps), newest first."""
        ...

    async def live_tables_in(self, guild_id: GuildId) -> Sequence[TableRow]:
        """Live tables of a server, newest first."""
        ...

    async def newest_message(self, table_id: TableId) -> MessageId | None:
        """The newest message posted for a table."""
        ...

    async def names(self, guild_id: GuildId, user_ids: Sequence[UserId]) -> Mapping[UserId, str]:
        """Last seen display names, of those who have one."""
        ...


class Work(Protocol):
    """What is due: posts behind their tables, outbox rows, timers, the heartbeat."""

    async def posts_behind(self, limit: int) -> Sequence[PendingPost]:
        """Posts to send or edit, oldest slot first within a table; paused tables left out."""
        ...

    async def attempt(self, post: PendingPost, at: datetime) -> None:
        """Remember that a send begins, before it begins; not at a post that has moved."""
        ...

    async def posted(self, state: PostedState) -> None:
        """Store what stands in the channel now; clears the attempt.

        If the post has moved to another channel meanwhile, that message is to be deleted instead;
        if it has to be shown anew since, it stays behind.
        """
        ...

    async def shown_late(self, state: PostedState) -> None:
        """A process brought a post into this state whose lease was gone by then.

        The post is shown anew, if that message is the one of its slot; another is to be deleted.
        """
        ...

    async def called_late(self, outgoing: Outgoing, sent: Sent) -> None:
        """A process sent a call whose lease was gone by then.

        It is to be deleted, unless the call is still wanted: its nonce leads to the same message.
        """
        ...

    async def lost(self, table_id: TableId, slot: Slot) -> None:
        """The message is gone: the slot has to be sent again."""
        ...

    async def lost_message(self, table_id: TableId, message_id: MessageId) -> bool:
        """Somebody deleted a message in a table's channel.

        Returns:
            Whether it was a post in which something can still change; it has to be sent again.
        """
        ...

    async def due_outbox(
        self, now: datetime, limit: int, *, deletions: bool = True
    ) -> Sequence[Outgoing]:
        """Outbox rows to carry out: pings, then notices, then deletions if they are wanted."""
        ...

    async def done(self, outgoing_id: int) -> None:
        """An outbox row was carried out, or can never be."""
        ...

    async def ping_sent(
        self, outgoing_id: int, channel_id: ChannelId, message_id: MessageId
    ) -> None:
        """A ping stands in a channel, be it that of a private conversation.

        If it was withdrawn meanwhile, its deletion becomes due.
        """
        ...

    async def put_off(self, outgoing_id: int, until: datetime) -> None:
        """Try an outbox row again later."""
        ...

    async def ask_deletion(
        self, table_id: TableId, channel_id: ChannelId, message_id: MessageId
    ) -> None:
        """Add a deletion to the outbox."""
        ...

    async def due_timers(self, now: datetime, limit: int) -> Sequence[Timer]:
        """Timers whose time has come, of tables that are not paused."""
        ...

    async def next_timer(self) -> datetime | None:
        """When the next timer is due."""
        ...

    async def put_off_timer(self, timer: Timer, until: datetime) -> None:
        """Fire a timer later: firing it failed."""
        ...

    async def last_alive(self) -> datetime | None:
        """The last heartbeat of any process."""
        ...

    async def beat(self, now: datetime) -> None:
        """Say that this process is alive."""
        ...

    async def credit(self, gap: timedelta, now: datetime) -> None:
        """Move every running deadline back by *gap*; the posts that may name one are behind.

        Every game gets a `TimerKind.OUTAGE`, due now; where one is left, it grows by *gap*.
        """
        ...


class Settings(Protocol):
    """Choices of servers and persons, and what the bot remembers for itself."""

    async def server(self, guild_id: GuildId) -> ServerSettings:
        """A server's settings; the defaults if it chose nothing."""
        ...

    async def save_server(self, guild_id: GuildId, settings: ServerSettings) -> None:
        """Replace a server's settings."""
        ...

    async def person(self, user_id: UserId) -> PersonSettings:
        """A person's settings; the defaults if nothing was chosen."""
        ...

    async def persons(self, user_ids: Sequence[UserId]) -> Mapping[UserId, PersonSettings]:
        """The settings of those among *user_ids* who chose something."""
        ...

    async def change_person(
        self, user_id: UserId, change: Callable[[PersonSettings], PersonSettings]
    ) -> tuple[PersonSettings, PersonSettings]:
        """Store what *change* makes of a person's settings; nobody else's change is lost.

        Args:
            user_id: the person.
            change: has no other effect, since it may be asked again where others were quicker.

        Returns:
            The settings before and after.

        Raises:
            HeartsError: as *change*; then nothing was stored.
        """
        ...

    async def remember_name(self, guild_id: GuildId, user_id: UserId, name: str) -> None:
        """Keep a display name for boards."""
        ...

    async def remembered(self, key: str) -> str | None:
        """A value of the bot's own, such as the hash of the synced commands."""
        ...

    async def remember(self, key: str, value: str) -> None:
        """Store a value of the bot's own."""
        ...


class Standings(Protocol):
    """Leaderboard and statistics."""

    async def board(
        self, guild_id: GuildId, *, since: datetime | None, page: int, asking: UserId
    ) -> StandingsPage:
        """One page (of ten) of a server's board; *page* counts from 1 and is clamped."""
        ...

    async def person(self, guild_id: GuildId, user_id: UserId) -> PersonStats:
        """All that a person played in a server."""
        ...


class KeeperStore(Protocol):
    """Score keepers of games with real cards; on return from a change it is on disk."""

    async def add(self, keeper: Keeper) -> None:
        """Store a new one.

        Raises:
            KeeperOpenError: there is one of this person in this channel.
        """
        ...

    async def find(self, where: KeptWhere) -> Keeper | None:
        """The one of this person in this channel, if there is one."""
        ...

    async def load(self, keeper_id: KeeperId) -> Keeper:
        """The newest version of one.

        Raises:
            UnknownKeeperError: there is no such score keeper.
        """
        ...

    async def save(self, keeper: Keeper) -> None:
        """Put *keeper* in the place of the version before it.

        Raises:
            VersionConflictError: the version before it does not lie there any more.
        """
        ...

    async def remove(self, keeper_id: KeeperId) -> None:
        """Forget one; it is no error that it is gone."""
        ...


class Poster(Protocol):
    """The channel side of posts. Every method may raise a `bot.table.errors.PostingError`."""

    async def send_post(self, channel_id: ChannelId, post: Post, nonce: str) -> MessageId:
        """Send a post, silently and without pinging anybody."""
        ...

    async def edit_post(self, channel_id: ChannelId, message_id: MessageId, post: Post) -> None:
        """Replace what stands in a post."""
        ...

    async def delete(self, channel_id: ChannelId, message_id: MessageId) -> None:
        """Delete one of our messages; a message that is gone already is fine."""
        ...

    async def send_ping(
        self, channel_id: ChannelId, ping: Ping, nonce: str, manner: Manner
    ) -> MessageId:
        """Call one person in a channel."""
        ...

    async def send_direct(self, ping: Ping, table: TableView, nonce: str, manner: Manner) -> Sent:
        """Call one person by a direct message that leads to *table*.

        Raises:
            DirectRefusedError: the person takes none.
        """
        ...

    async def send_notice(self, channel_id: ChannelId, notice: Sentence, nonce: str) -> MessageId:
        """Say a plain sentence, pinging nobody."""
        ...

    async def find_sent(
        self, channel_id: ChannelId, table_id: TableId, slot: Slot
    ) -> MessageId | None:
        """Look among the channel's last 50 messages for this slot's, sent with unknown outcome."""
        ...

    def digest(self, post: Post) -> str:
        """A short hash of how the post would look; equal looks need no edit."""
        ...
