"""The world of the simulated month: its clock, its channels, and one life of the bot after another.

All is the real bot on a real database but three things: time is moved by hand, Discord is a
dictionary that remembers nonces as Discord does, and people are those of `bot.cli.month_people`.
"""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from itertools import count
from typing import assert_never

from bot.cli.month_record import Called, Chronicle, Fired, Told
from bot.promises.repeatable import MovedClock, NumberedSeeds
from bot.rules.sentence import Sentence
from bot.table.errors import DirectRefusedError, PostGoneError
from bot.table.ids import (
    ChannelId,
    MessageId,
    TableId,
    UserId,
)
from bot.table.manager import TableManager
from bot.table.persons import Persons
from bot.table.posting import (
    DealPost,
    LobbyPost,
    Manner,
    Ping,
    Post,
    ResultPost,
    Sent,
    SheetPost,
    Slot,
    TrickPost,
)
from bot.table.publisher import Publisher
from bot.table.robots import Robots
from bot.table.storing import PostedState, Timer
from bot.table.timekeeper import Timekeeper
from bot.table.views import TableView
from db.engine import Database
from db.event_store import SqlEventStore
from db.inline import open_inline
from db.settings import SqlSettings
from db.work import SqlWork

_NONCE_MEMORY = timedelta(minutes=3)
"""How long Discord answers a repeated nonce with the message that it made."""
_DIRECT_CHANNELS = 1 << 40
"""Private conversations have channels of their own, apart from those of the servers."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A message in a channel."""

    channel_id: ChannelId
    table_id: TableId | None
    """``None``: a notice."""
    slot: Slot | None
    """``None``: a call or a notice."""


class Channels:
    """`bot.table.ports.Poster` whose channels are a dictionary; tells the chronicle all it sends.

    Args:
        clock: when things are sent.
        chronicle: where calls and notices are written down.
        closed: people who take no direct messages.
    """

    def __init__(self, clock: MovedClock, chronicle: Chronicle, closed: frozenset[UserId]) -> None:
        self.clock = clock
        self.chronicle = chronicle
        self.messages: dict[MessageId, Standing] = {}
        """What stands, oldest first."""
        self.calls = 0
        """How many calls came through."""
        self.ended: list[TableId] = []
        """Tables whose result was shown, until somebody takes them off."""
        self.dies_at_send = False
        """Whether the program dies right after the next message, before it can store that."""
        self.is_dead = False
        """Whether it did; then nothing comes through any more."""
        self._closed = closed
        self._nonces: dict[str, tuple[datetime, MessageId]] = {}
        self._ids = count(1)

    async def send_post(self, channel_id: ChannelId, post: Post, nonce: str) -> MessageId:
        """See `bot.table.ports.Poster.send_post`."""
        message, is_new = self._send(Standing(channel_id, post.table.id, _slot(post)), nonce)
        if is_new and isinstance(post, ResultPost):
            self.ended.append(post.table.id)
        return self._answered(message)

    async def edit_post(self, channel_id: ChannelId, message_id: MessageId, post: Post) -> None:
        """See `bot.table.ports.Poster.edit_post`."""
        self._begin()
        known = self.messages.get(message_id)
        if known is None or known.channel_id != channel_id or known.slot != _slot(post):
            raise PostGoneError

    async def delete(self, channel_id: ChannelId, message_id: MessageId) -> None:
        """See `bot.table.ports.Poster.delete`."""
        self._begin()
        known = self.messages.get(message_id)
        if known is not None and known.channel_id == channel_id:
            del self.messages[message_id]

    async def send_ping(
        self, channel_id: ChannelId, ping: Ping, nonce: str, manner: Manner
    ) -> MessageId:
        """See `bot.table.ports.Poster.send_ping`."""
        return self._call(channel_id, ping, nonce, manner, direct=False)

    async def send_direct(self, ping: Ping, table: TableView, nonce: str, manner: Manner) -> Sent:
        """See `bot.table.ports.Poster.send_direct`."""
        if ping.user_id in self._closed:
            self._begin()
            raise DirectRefusedError(f"{ping.user_id}, who plays at {table.id}")
        channel_id = ChannelId(_DIRECT_CHANNELS + ping.user_id)
        return Sent(channel_id, self._call(channel_id, ping, nonce, manner, direct=True))

    async def send_notice(self, channel_id: ChannelId, notice: Sentence, nonce: str) -> MessageId:
        """See `bot.table.ports.Poster.send_notice`."""
        message, is_new = self._send(Standing(channel_id, None, None), nonce)
        if is_new:
            self.chronicle.told.append(Told(self.clock.now(), channel_id, notice.text))
        return self._answered(message)

    async def find_sent(
        self, channel_id: ChannelId, table_id: TableId, slot: Slot
    ) -> MessageId | None:
        """See `bot.table.ports.Poster.find_sent`."""
        self._begin()
        wanted = Standing(channel_id, table_id, slot)
        found = [key for key, standing in self.messages.items() if standing == wanted]
        return found[-1] if found else None

    def digest(self, post: Post) -> str:
        """See `bot.table.ports.Poster.digest`."""
        return sha256(repr(_look(post)).encode()).hexdigest()[:16]

    def _call(
        self, channel_id: ChannelId, ping: Ping, nonce: str, manner: Manner, *, direct: bool
    ) -> MessageId:
        message, is_new = self._send(Standing(channel_id, ping.table_id, None), nonce)
        if is_new:
            called = Called(at=self.clock.now(), ping=ping, manner=manner, direct=direct)
            self.chronicle.called.append(called)
        return self._answered(message)

    def _send(self, standing: Standing, nonce: str) -> tuple[MessageId, bool]:
        self._begin()
        now = self.clock.now()
        sent_at, known = self._nonces.get(nonce, (now - _NONCE_MEMORY, None))
        if known is not None and now - sent_at < _NONCE_MEMORY:
            return known, False
        message_id = MessageId(next(self._ids))
        self._nonces[nonce] = now, message_id
        self.messages[message_id] = standing
        return message_id, True

    def _answered(self, message_id: MessageId) -> MessageId:
        """Give the answer, unless the program dies before it comes."""
        if self.dies_at_send:
            self.dies_at_send, self.is_dead = False, True
            raise asyncio.CancelledError
        return message_id

    def _begin(self) -> None:
        if self.is_dead:
            raise asyncio.CancelledError
        self.calls += 1


class WatchedWork(SqlWork):
    """Tells until when an outbox row was put off, and counts the posts that were stored."""

    def __init__(self, database: Database, put_off: Callable[[datetime], None]) -> None:
        super().__init__(database)
        self._heard = put_off
        self.shown = 0

    async def posted(self, state: PostedState) -> None:
        self.shown += 1
        await super().posted(state)

    async def put_off(self, outgoing_id: int, until: datetime) -> None:
        self._heard(until)
        await super().put_off(outgoing_id, until)


@dataclass(frozen=True, slots=True)
class _WatchedTables:
    """Writes down each timer that is fired."""

    tables: TableManager
    clock: MovedClock
    chronicle: Chronicle

    async def fire(self, timer: Timer) -> bool:
        self.chronicle.fired.append(Fired(self.clock.now(), timer))
        return await self.tables.fire(timer)


@dataclass(frozen=True, slots=True, kw_only=True)
class Life:
    """All objects of one run of the program, from its start to its death."""

    database: Database
    store: SqlEventStore
    work: WatchedWork
    tables: TableManager
    persons: Persons
    publisher: Publisher
    timekeeper: Timekeeper


def begin_life(
    url: str,
    *,
    channels: Channels,
    seeds: NumberedSeeds,
    put_off: Callable[[datetime], None],
    changed: Callable[[TableId], None],
) -> Life:
    """Build the bot as `bot.app.build` does, on the database of *url*, which is up to date."""
    clock, database = channels.clock, open_inline(url)
    store, settings = SqlEventStore(database), SqlSettings(database)
    work, robots = WatchedWork(database, put_off), Robots(seeds)
    tables = TableManager(store=store, settings=settings, clock=clock, seeds=seeds, robots=robots)
    persons = Persons(settings, tables)
    log = logging.getLogger("bot.table.publisher")
    publisher = Publisher(work, tables, persons, channels, clock, log)
    timekeeper = Timekeeper(work, _WatchedTables(tables, clock, channels.chronicle), clock)
    for listener in (publisher.wake, changed, lambda _table: timekeeper.wake()):
        tables.listen(listener)
    return Life(
        database=database,
        store=store,
        work=work,
        tables=tables,
        persons=persons,
        publisher=publisher,
        timekeeper=timekeeper,
    )


def _slot(post: Post) -> Slot:
    match post:
        case LobbyPost():
            return "lobby"
        case DealPost(deal=deal):
            return f"deal:{deal}"
        case TrickPost(number=number):
            return f"trick:{number}"
        case SheetPost(score=score):
            return f"sheet:{score.deal}"
        case ResultPost():
            return "result"
        case _:
            assert_never(post)


def _look(post: Post) -> tuple[object, ...]:
    """What of a post is to be seen, as far as anything of it can change."""
    table = post.table
    around = (post.live, table.chairs, table.status, table.votes, table.agreed_pause, table.host)
    match post:
        case LobbyPost():
            return (*around, table.ruleset)
        case DealPost():
            return (*around, post.waiting, sorted(table.deadlines.items()))
        case TrickPost():
            return (*around, post.trick, post.turn, post.deadline, post.taker)
        case SheetPost():
            return (*around, post.score.totals)
        case ResultPost():
            return (*around, post.closed_because)
        case _:
            assert_never(post)
