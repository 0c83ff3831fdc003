"""A Discord that outlives the bot: messages, the memory for nonces, and faults as they come.

It stands in another process than the bot, so requests and answers are plain values.
"""

import random
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field, fields
from datetime import datetime, timedelta
from hashlib import sha256
from itertools import count
from typing import NamedTuple

from bot.rules.sentence import Sentence
from bot.table.errors import PosterBusyError, PostGoneError
from bot.table.ids import ChannelId, MessageId, TableId
from bot.table.posting import Manner, Ping, Post, Sent, Slot
from bot.table.views import TableView
from tests.support.fakes import direct_channel, slot_of

NONCE_MEMORY = timedelta(minutes=5)
"""Discord says "the past few minutes"."""

Mark = tuple[str, str]
"""What a message is: table and slot of a post; else the table, and ``ping`` or ``notice``."""


class Asked(NamedTuple):
    """One request."""

    what: str
    """``send``, ``edit``, ``delete`` or ``find``."""
    now: datetime
    channel: int
    mark: Mark = ("", "")
    look: str = ""
    """A hash of what is to be seen."""
    nonce: str = ""
    message: int = 0


class Answered(NamedTuple):
    """What came back, or did not."""

    message: int | None = None
    fault: str = ""
    """``gone``, ``busy`` (a 429), ``down`` (a 503), or ``lost``: done, but nothing came back."""
    seconds: float = 0


@dataclass(slots=True)
class Standing:
    """A message in a channel."""

    channel: int
    mark: Mark
    look: str
    nonce: str


@dataclass(slots=True)
class FarDiscord:
    """What stands in all channels.

    Args:
        dice: which requests go wrong.
        faults: the share of requests that Discord refuses with a 503, and again as many that it
            carries out without an answer; a 429 comes half as often.
        remembers: how long a nonce is known; nought: there is none.
    """

    dice: random.Random
    faults: float
    remembers: timedelta = NONCE_MEMORY
    messages: dict[int, Standing] = field(default_factory=dict)
    made: Counter[str] = field(default_factory=Counter)
    """Of each nonce, how many messages were made for it."""
    orders: Counter[str] = field(default_factory=Counter)
    """Requests, by how they ended: as `Answered.fault`."""
    _nonces: dict[str, tuple[datetime, int]] = field(default_factory=dict)
    _ids: Iterator[int] = field(default_factory=lambda: count(1_000))

    def answer(self, asked: Asked) -> Answered:
        """Carry out one request, or have it go wrong."""
        fate = self.dice.random() / self.faults if self.faults else 3.0
        if fate < 1:
            answered = Answered(fault="down", seconds=1)
        elif fate < 1.5:
            answered = Answered(fault="busy", seconds=self.dice.uniform(0.5, 4))
        else:
            answered = self._carry_out(asked)
            if fate < 2.5:
                answered = Answered(fault="lost", seconds=1)
        self.orders[answered.fault] += 1
        return answered

    def standing(self, mark: Mark) -> Sequence[Standing]:
        """All messages that are this."""
        return [message for message in self.messages.values() if message.mark == mark]

    def _carry_out(self, asked: Asked) -> Answered:
        if asked.what == "send":
            return Answered(self._send(asked))
        if asked.what == "find":
            found = [key for key, each in self.messages.items() if each.mark == asked.mark]
            return Answered(found[-1] if found else None)
        if asked.what == "delete":
            self.messages.pop(asked.message, None)
            return Answered()
        if asked.message not in self.messages:
            return Answered(fault="gone")
        self.messages[asked.message].look = asked.look
        return Answered()

    def _send(self, asked: Asked) -> int:
        sent_at, known = self._nonces.get(asked.nonce, (asked.now, None))
        if known is not None and asked.now - sent_at < self.remembers:
            return known
        message = next(self._ids)
        self._nonces[asked.nonce] = asked.now, message
        self.messages[message] = Standing(asked.channel, asked.mark, asked.look, asked.nonce)
        self.made[asked.nonce] += 1
        return message


def look_of(post: Post) -> str:
    """A hash of all that is to be seen in a post: it names no version and no other message.

    Who sits there now is to be seen in the newest one alone.
    """
    names = (each.name for each in fields(post) if each.name != "table")
    shown = [(name, _written(getattr(post, name))) for name in names]
    table = post.table
    around = (table.chairs, table.status, table.host, table.votes, table.agreed_pause)
    looks = repr((shown, around if post.live else ()))
    return sha256(looks.encode()).hexdigest()[:16]


def _written(value: object) -> str:
    """The same in every process, in which sets have orders of their own."""
    return repr(sorted(map(str, value))) if isinstance(value, frozenset) else repr(value)


class FarPoster:
    """`bot.table.ports.Poster` that asks a `FarDiscord`.

    Args:
        ask: carries a request there and its answer back.
        now: the bot's own time, by which nonces age.
        pass_by: told the name of each point that a call passes.
    """

    def __init__(
        self,
        ask: Callable[[Asked], Awaitable[Answered]],
        now: Callable[[], datetime],
        pass_by: Callable[[str], None],
    ) -> None:
        self._ask = ask
        self._now = now
        self._pass_by = pass_by

    async def send_post(self, channel_id: ChannelId, post: Post, nonce: str) -> MessageId:
        mark = slot_of(post) or ("", "")
        return await self._send(
            "a send", Asked("send", self._now(), channel_id, mark, look_of(post), nonce)
        )

    async def edit_post(self, channel_id: ChannelId, message_id: MessageId, post: Post) -> None:
        asked = Asked("edit", self._now(), channel_id, look=look_of(post), message=message_id)
        await self._call("an edit", asked)

    async def delete(self, channel_id: ChannelId, message_id: MessageId) -> None:
        await self._call("a deletion", Asked("delete", self._now(), channel_id, message=message_id))

    async def send_ping(
        self, channel_id: ChannelId, ping: Ping, nonce: str, manner: Manner
    ) -> MessageId:
        mark = (ping.table_id, "ping")
        return await self._send("a call", Asked("send", self._now(), channel_id, mark, nonce=nonce))

    async def send_direct(self, ping: Ping, table: TableView, nonce: str, manner: Manner) -> Sent:
        channel_id = direct_channel(ping.user_id)
        return Sent(channel_id, await self.send_ping(channel_id, ping, nonce, manner))

    async def send_notice(self, channel_id: ChannelId, notice: Sentence, nonce: str) -> MessageId:
        mark = ("", "notice")
        return await self._send(
            "a notice", Asked("send", self._now(), channel_id, mark, nonce=nonce)
        )

    async def find_sent(
        self, channel_id: ChannelId, table_id: TableId, slot: Slot
    ) -> MessageId | None:
        found = await self._call(
            "a search", Asked("find", self._now(), channel_id, (table_id, slot))
        )
        return None if found.message is None else MessageId(found.message)

    def digest(self, post: Post) -> str:
        return look_of(post)

    async def _send(self, what: str, asked: Asked) -> MessageId:
        answered = await self._call(what, asked)
        if answered.message is None:
            raise AssertionError(f"Discord gave no message for {asked}")
        return MessageId(answered.message)

    async def _call(self, what: str, asked: Asked) -> Answered:
        self._pass_by(f"before {what}")
        answered = await self._ask(asked)
        self._pass_by(f"after {what}")
        if answered.fault == "gone":
            raise PostGoneError
        if answered.fault:
            unknown = asked.what == "send" and answered.fault != "busy"
            raise PosterBusyError(answered.seconds, sent_unknown=unknown)
        return answered
