"""The stores, the poster and the robots' thinking, counted as they work. For the operator alone."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta

from bot.rules.commands import Command
from bot.rules.sentence import Sentence
from bot.rules.view import SeatView
from bot.table.errors import PostingError, RepeatedClickError, VersionConflictError
from bot.table.events import TableEvent
from bot.table.ids import ChannelId, InteractionId, MessageId, TableId
from bot.table.manager import TableManager
from bot.table.ports import Clock
from bot.table.posting import Manner, Ping, Post, Sent
from bot.table.storing import At, Cause, Followings, PendingPost, Timer
from bot.table.tally import Tally
from bot.table.thinking import NoThoughtError, Thinking
from bot.table.views import TableView
from cogs.client import HeartsBot
from cogs.poster import DiscordPoster
from db.engine import Database
from db.event_store import SqlEventStore
from db.work import SqlWork

_SECOND = timedelta(seconds=1)


class CountedEvents(SqlEventStore):
    """Counts commits, repeats of clicks, and writers that were faster."""

    def __init__(
        self, database: Database, clock: Clock, tally: Tally, *, shared: bool = False
    ) -> None:
        super().__init__(database, shared=shared)
        self._clock = clock
        self._tally = tally

    async def commit(
        self, at: At, events: Sequence[TableEvent], cause: Cause, followings: Followings
    ) -> None:
        """See `SqlEventStore.commit`."""
        begun = self._clock.now()
        try:
            await super().commit(at, events, cause, followings)
        except RepeatedClickError:
            self._tally.count("repeats_total")
            raise
        except VersionConflictError:
            self._tally.count("conflicts_total")
            raise
        seconds = (self._clock.now() - begun).total_seconds()
        self._tally.count("commits_total")
        self._tally.count("events_total", len(events))
        self._tally.count("commit_seconds_total", seconds)
        self._tally.reach("commit_seconds_most", seconds)

    async def is_known(self, interaction_id: InteractionId) -> bool:
        """See `SqlEventStore.is_known`."""
        known = await super().is_known(interaction_id)
        if known:
            self._tally.count("repeats_total")
        return known


class Pulses:
    """When the loops of publisher and timekeeper last read what there is to do."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._felt: dict[str, datetime] = {}

    def feel(self, loop: str) -> None:
        """A loop has just read it."""
        self._felt[loop] = self._clock.now()

    def silence(self, loop: str) -> float | None:
        """Seconds since then; ``None``: it never did."""
        felt = self._felt.get(loop)
        return None if felt is None else (self._clock.now() - felt).total_seconds()


class WatchedWork(SqlWork):
    """Notes that the loops come by, as each does every second, whatever there is to do."""

    def __init__(self, database: Database, pulses: Pulses) -> None:
        super().__init__(database)
        self._pulses = pulses

    async def posts_behind(self, limit: int) -> Sequence[PendingPost]:
        """See `SqlWork.posts_behind`."""
        found = await super().posts_behind(limit)
        self._pulses.feel("publisher")
        return found

    async def next_timer(self) -> datetime | None:
        """See `SqlWork.next_timer`."""
        found = await super().next_timer()
        self._pulses.feel("timekeeper")
        return found


class CountedTables:
    """`bot.table.timekeeper.Tables`: counts timers that were fired, and how late they were."""

    def __init__(self, tables: TableManager, clock: Clock, tally: Tally) -> None:
        self._tables = tables
        self._clock = clock
        self._tally = tally

    async def fire(self, timer: Timer) -> bool:
        """See `TableManager.fire`."""
        late = max(0.0, (self._clock.now() - timer.due_at).total_seconds())
        done = await self._tables.fire(timer)
        if done:
            self._tally.count("timers_fired_total", kind=timer.kind.value)
            self._tally.count("timer_lateness_seconds_total", late)
            self._tally.reach("timer_lateness_seconds_most", late)
        return done


class CountedThinking(Thinking):
    """Counts thoughts of robots, and those who had to play by rules of thumb instead."""

    def __init__(self, clock: Clock, tally: Tally, *, most: int) -> None:
        super().__init__(clock, most=most)
        self._tally = tally

    async def ask(self, level: str, view: SeatView, seed: bytes) -> Command:
        """See `Thinking.ask`."""
        try:
            command = await super().ask(level, view, seed)
        except NoThoughtError:
            self._tally.count("thoughts_given_up_total")
            raise
        self._tally.count("thoughts_total")
        return command


class CountedPoster(DiscordPoster):
    """Counts what stands in channels in the end, and why it does not."""

    def __init__(self, client: HeartsBot, clock: Clock, tally: Tally) -> None:
        super().__init__(client)
        self._clock = clock
        self._tally = tally
        self._edited: dict[TableId, datetime] = {}
        """When a post of a table was last edited, in the latest second."""

    async def send_post(self, channel_id: ChannelId, post: Post, nonce: str) -> MessageId:
        with self._counted("posts_sent_total"):
            return await super().send_post(channel_id, post, nonce)

    async def edit_post(self, channel_id: ChannelId, message_id: MessageId, post: Post) -> None:
        self._note_edit(post.table.id)
        with self._counted("posts_edited_total"):
            await super().edit_post(channel_id, message_id, post)

    async def delete(self, channel_id: ChannelId, message_id: MessageId) -> None:
        with self._counted("messages_deleted_total"):
            await super().delete(channel_id, message_id)

    async def send_ping(
        self, channel_id: ChannelId, ping: Ping, nonce: str, manner: Manner
    ) -> MessageId:
        with self._counted("pings_sent_total"):
            return await super().send_ping(channel_id, ping, nonce, manner)

    async def send_direct(self, ping: Ping, table: TableView, nonce: str, manner: Manner) -> Sent:
        with self._counted("direct_messages_sent_total"):
            return await super().send_direct(ping, table, nonce, manner)

    async def send_notice(self, channel_id: ChannelId, notice: Sentence, nonce: str) -> MessageId:
        with self._counted("notices_sent_total"):
            return await super().send_notice(channel_id, notice, nonce)

    def _note_edit(self, table_id: TableId) -> None:
        """One edit a second is promised for each table."""
        now = self._clock.now()
        self._edited = {table: at for table, at in self._edited.items() if now - at < _SECOND}
        if table_id in self._edited:
            self._tally.count("edits_too_soon_total")
        self._edited[table_id] = now

    @contextmanager
    def _counted(self, name: str) -> Iterator[None]:
        try:
            yield
        except PostingError as refusal:
            self._tally.count("postings_refused_total", kind=type(refusal).__name__)
            raise
        self._tally.count(name)
