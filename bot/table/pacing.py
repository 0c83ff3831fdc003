"""The last gate on the way to Discord: so many calls in any second, whatever went on before it.

`bot.table.budget` says when a call may be prepared. Until it is made something is drawn and stored,
which takes a moment, and another moment each time: without a gate, calls that were spread evenly
would now and then arrive in one crowd and be refused.
"""

from collections import deque
from datetime import datetime, timedelta

from bot.rules.sentence import Sentence
from bot.table.ids import ChannelId, MessageId, TableId
from bot.table.ports import Clock, Poster
from bot.table.posting import Manner, Ping, Post, Sent, Slot
from bot.table.views import TableView

_SECOND = timedelta(seconds=1)


class Gate:
    """Lets calls through, at most so many in any second.

    Args:
        clock: the only time.
        most: how many.
    """

    def __init__(self, clock: Clock, most: int) -> None:
        self.stands_open = False
        """Whether there is no time to wait; calls are counted all the same."""
        self._clock = clock
        self._most = most
        self._passed: deque[datetime] = deque(maxlen=most)

    async def go_through(self) -> None:
        """Return when a call may be made, which then has to be made at once."""
        while (wait := self._wait()) > 0 and not self.stands_open:
            await self._clock.sleep(wait)
        self._passed.append(self._clock.now())

    def _wait(self) -> float:
        """Seconds until fewer than `most` calls lie in the last second."""
        if len(self._passed) < self._most:
            return 0.0
        return (self._passed[0] + _SECOND - self._clock.now()).total_seconds()


class GatedPoster:
    """`bot.table.ports.Poster` whose every call goes through a gate."""

    def __init__(self, poster: Poster, gate: Gate) -> None:
        self._poster = poster
        self._gate = gate

    async def send_post(self, channel_id: ChannelId, post: Post, nonce: str) -> MessageId:
        """See `bot.table.ports.Poster.send_post`."""
        await self._gate.go_through()
        return await self._poster.send_post(channel_id, post, nonce)

    async def edit_post(self, channel_id: ChannelId, message_id: MessageId, post: Post) -> None:
        """See `bot.table.ports.Poster.edit_post`."""
        await self._gate.go_through()
        await self._poster.edit_post(channel_id, message_id, post)

    async def delete(self, channel_id: ChannelId, message_id: MessageId) -> None:
        """See `bot.table.ports.Poster.delete`."""
        await self._gate.go_through()
        await self._poster.delete(channel_id, message_id)

    async def send_ping(
        self, channel_id: ChannelId, ping: Ping, nonce: str, manner: Manner
    ) -> MessageId:
        """See `bot.table.ports.Poster.send_ping`."""
        await self._gate.go_through()
        return await self._poster.send_ping(channel_id, ping, nonce, manner)

    async def send_direct(self, ping: Ping, table: TableView, nonce: str, manner: Manner) -> Sent:
        """See `bot.table.ports.Poster.send_direct`."""
        await self._gate.go_through()
        return await self._poster.send_direct(ping, table, nonce, manner)

    async def send_notice(self, channel_id: ChannelId, notice: Sentence, nonce: str) -> MessageId:
        """See `bot.table.ports.Poster.send_notice`."""
        await self._gate.go_through()
        return await self._poster.send_notice(channel_id, notice, nonce)

    async def find_sent(
        self, channel_id: ChannelId, table_id: TableId, slot: Slot
    ) -> MessageId | None:
        """See `bot.table.ports.Poster.find_sent`."""
        await self._gate.go_through()
        return await self._poster.find_sent(channel_id, table_id, slot)

    def digest(self, post: Post) -> str:
        """See `bot.table.ports.Poster.digest`."""
        return self._poster.digest(post)
