"""An imagined Discord: channels that take their time, refuse what is too much, and count."""

import asyncio
import time
from collections import deque
from random import Random

from bot.promises.ledger import Ledger
from bot.rules.sentence import Sentence
from bot.table.errors import PlaceForbiddenError, PlaceGoneError, PosterBusyError, PostGoneError
from bot.table.ids import ChannelId, MessageId, TableId
from bot.table.posting import Manner, Ping, Post, Sent, Slot
from bot.table.views import TableView
from cogs.looks import looks_of
from cogs.poster import draw_post
from cogs.ui.notice import render_notice
from cogs.ui.ping import render_ping

DISCORDS_LIMIT = 50
"""Requests that Discord bears in any second (docs: topics/rate-limits)."""
TAKES = (0.100, 0.150)
"""Seconds that a call takes, from and to."""
_FIRST_MESSAGE = 1 << 40
_WINDOW = 0.99
"""Seconds: calls that set out a second apart may arrive a little closer."""
_NONCES = 1_000
"""As many are remembered."""


class Counts:
    """What was asked of Discord."""

    def __init__(self) -> None:
        self.calls = 0
        self.most_in_a_second = 0
        self.invalid = 0
        """Answers 401, 403 and 429, for which Discord shuts a bot out at 10,000 in 10 minutes."""
        self.soonest_edit = float("inf")
        """Seconds between two edits at one table, where they were least."""
        self._latest: deque[float] = deque()
        self._edited: dict[TableId, float] = {}

    def call(self, now: float) -> int:
        """Count a call; how many the last second saw, this one included."""
        self.calls += 1
        self._latest.append(now)
        while self._latest[0] <= now - _WINDOW:
            self._latest.popleft()
        self.most_in_a_second = max(self.most_in_a_second, len(self._latest))
        return len(self._latest)

    def edit(self, table_id: TableId, now: float) -> None:
        """Count an edit at a table."""
        before = self._edited.get(table_id, float("-inf"))
        self.soonest_edit = min(self.soonest_edit, now - before)
        self._edited[table_id] = now


class Channels:
    """`bot.table.ports.Poster` into channels that exist only here; draws all that it sends.

    Args:
        ledger: hears which calls reached people.
        seed: of how long calls take.
    """

    def __init__(self, ledger: Ledger, seed: int = 1) -> None:
        self.counts = Counts()
        self.forbidden: set[ChannelId] = set()
        """Where the bot may not write any more."""
        self.gone: set[ChannelId] = set()
        self._ledger = ledger
        self._dice = Random(seed)  # noqa: S311  a repeatable bench is wanted
        self._messages: set[MessageId] = set()
        self._nonces: dict[str, MessageId] = {}
        self._next = _FIRST_MESSAGE

    async def send_post(self, channel_id: ChannelId, post: Post, nonce: str) -> MessageId:
        """See `bot.table.ports.Poster.send_post`."""
        _drawn(post)
        await self._call(channel_id)
        return self._made(nonce)

    async def edit_post(self, channel_id: ChannelId, message_id: MessageId, post: Post) -> None:
        """See `bot.table.ports.Poster.edit_post`."""
        _drawn(post)
        self.counts.edit(post.table.id, time.monotonic())
        await self._call(channel_id)
        # What stood there before the bench began has smaller numbers.
        if message_id >= _FIRST_MESSAGE and message_id not in self._messages:
            raise PostGoneError

    async def delete(self, channel_id: ChannelId, message_id: MessageId) -> None:
        """See `bot.table.ports.Poster.delete`."""
        await self._call(channel_id)
        self._messages.discard(message_id)

    async def send_ping(
        self, channel_id: ChannelId, ping: Ping, nonce: str, manner: Manner
    ) -> MessageId:
        """See `bot.table.ports.Poster.send_ping`."""
        render_ping(ping, manner)
        await self._call(channel_id)
        self._ledger.called(ping)
        return self._made(nonce)

    async def send_direct(self, ping: Ping, table: TableView, nonce: str, manner: Manner) -> Sent:
        """See `bot.table.ports.Poster.send_direct`; a conversation has the channel of the table."""
        return Sent(table.channel_id, await self.send_ping(table.channel_id, ping, nonce, manner))

    async def send_notice(self, channel_id: ChannelId, notice: Sentence, nonce: str) -> MessageId:
        """See `bot.table.ports.Poster.send_notice`."""
        render_notice(notice, None)
        await self._call(channel_id)
        return self._made(nonce)

    async def find_sent(
        self, channel_id: ChannelId, table_id: TableId, slot: Slot
    ) -> MessageId | None:
        """See `bot.table.ports.Poster.find_sent`; here no answer is ever lost."""
        del table_id, slot
        await self._call(channel_id)
        return None

    def digest(self, post: Post) -> str:
        """See `bot.table.ports.Poster.digest`."""
        return looks_of(draw_post(post, None))

    async def _call(self, channel_id: ChannelId) -> None:
        """Take as long as a call takes, and refuse what Discord would.

        Raises:
            PlaceForbiddenError: the bot may not write there.
            PlaceGoneError: there is no such channel.
            PosterBusyError: it is too much for one second.
        """
        within = self.counts.call(time.monotonic())
        await asyncio.sleep(self._dice.uniform(*TAKES))
        if within > DISCORDS_LIMIT:
            self.counts.invalid += 1
            raise PosterBusyError(1.0)
        if channel_id in self.forbidden:
            self.counts.invalid += 1
            raise PlaceForbiddenError(str(channel_id))
        if channel_id in self.gone:
            raise PlaceGoneError(str(channel_id))

    def _made(self, nonce: str) -> MessageId:
        """A new message, or the one that this nonce has made a while ago."""
        known = self._nonces.get(nonce)
        if known is not None:
            return known
        self._next += 1
        made = self._nonces[nonce] = MessageId(self._next)
        self._messages.add(made)
        if len(self._nonces) > _NONCES:
            del self._nonces[next(iter(self._nonces))]
        return made


def _drawn(post: Post) -> None:
    """Draw it as for Discord, as that takes its time as well."""
    looks_of(draw_post(post, None))
