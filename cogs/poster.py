"""`bot.table.ports.Poster` over Discord: public messages by ids alone, each send with a nonce."""

import hashlib
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TypeVar, assert_never

import aiohttp
import discord

from bot.rules.sentence import Sentence
from bot.table.errors import (
    DirectRefusedError,
    PlaceArchivedError,
    PlaceForbiddenError,
    PlaceGoneError,
    PosterBusyError,
    PostGoneError,
    PostingError,
    PostTooOldError,
)
from bot.table.ids import ChannelId, MessageId, TableId
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
from bot.table.views import TableView
from cogs.looks import looks_of
from cogs.ui.notice import render_notice
from cogs.ui.ping import render_direct, render_ping
from cogs.ui.post import render_post

_T = TypeVar("_T")
_NOBODY = discord.AllowedMentions.none()
_LOOK_BACK = 50
"""Messages among which a post of unknown outcome is looked for."""
_UNNAMED_WAIT = 5.0
"""Seconds to wait where Discord does not say how long."""

_ERRORS: dict[int, type[PostingError]] = {
    10008: PostGoneError,
    10003: PlaceGoneError,
    10004: PlaceGoneError,
    50001: PlaceForbiddenError,
    50013: PlaceForbiddenError,
    30046: PostTooOldError,
    50083: PlaceArchivedError,
    160005: PlaceArchivedError,  # the thread is locked
}
"""Discord's error codes (docs:developers/topics/opcodes-and-status-codes)."""
_ARCHIVED = 50083
_TOO_FAST = frozenset({40003})
"""Too many conversations were opened."""
_TOO_MANY = 429
_SERVER_FAULT = 500


class DiscordPoster:
    """Sends, edits and deletes the messages of tables; every fault becomes a `PostingError`."""

    def __init__(self, client: discord.Client) -> None:
        self._client = client

    async def send_post(self, channel_id: ChannelId, post: Post, nonce: str) -> MessageId:
        view = self._look(post)
        place = self._client.get_partial_messageable(channel_id)
        async with _posting(sending=True):
            message = await self._revived(
                channel_id,
                lambda: place.send(view=view, nonce=nonce, silent=True, allowed_mentions=_NOBODY),
            )
        return MessageId(message.id)

    async def edit_post(self, channel_id: ChannelId, message_id: MessageId, post: Post) -> None:
        view = self._look(post)
        message = self._message(channel_id, message_id)
        async with _posting():
            # Without allowed_mentions an edit falls back to Discord's default, which pings.
            await self._revived(
                channel_id, lambda: message.edit(view=view, allowed_mentions=_NOBODY)
            )

    async def delete(self, channel_id: ChannelId, message_id: MessageId) -> None:
        try:
            async with _posting():
                await self._message(channel_id, message_id).delete()
        except (PostGoneError, PlaceGoneError):
            return
        except PlaceArchivedError:
            # Nobody reads it there, and waking a thread to tidy up would be noise.
            return

    async def send_ping(
        self, channel_id: ChannelId, ping: Ping, nonce: str, manner: Manner
    ) -> MessageId:
        content, view = render_ping(ping, manner, self._locale_in(channel_id))
        view.stop()
        meant = discord.AllowedMentions(
            everyone=False, roles=False, users=[discord.Object(ping.user_id)]
        )
        place = self._client.get_partial_messageable(channel_id)
        async with _posting(sending=True):
            message = await self._revived(
                channel_id,
                lambda: place.send(
                    content, view=view, nonce=nonce, silent=manner.silent, allowed_mentions=meant
                ),
            )
        return MessageId(message.id)

    async def send_direct(self, ping: Ping, table: TableView, nonce: str, manner: Manner) -> Sent:
        guild = self._client.get_guild(table.guild_id)
        server = guild.name if guild else None
        locale = guild.preferred_locale if guild else None
        content, view = render_direct(ping, table, manner, server=server, locale=locale)
        view.stop()
        async with _posting(sending=True), _directing():
            place = await self._client.create_dm(discord.Object(ping.user_id))
            message = await place.send(
                content, view=view, nonce=nonce, silent=manner.silent, allowed_mentions=_NOBODY
            )
        return Sent(ChannelId(place.id), MessageId(message.id))

    async def send_notice(self, channel_id: ChannelId, notice: Sentence, nonce: str) -> MessageId:
        view = render_notice(notice, self._locale_in(channel_id))
        view.stop()
        place = self._client.get_partial_messageable(channel_id)
        async with _posting(sending=True):
            message = await self._revived(
                channel_id,
                lambda: place.send(view=view, nonce=nonce, silent=True, allowed_mentions=_NOBODY),
            )
        return MessageId(message.id)

    async def find_sent(
        self, channel_id: ChannelId, table_id: TableId, slot: Slot
    ) -> MessageId | None:
        wanted = _mark(table_id, slot)
        place = self._client.get_partial_messageable(channel_id)
        try:
            async with _posting():
                async for message in place.history(limit=_LOOK_BACK):
                    if _is_marked(message, wanted) and self._is_ours(message):
                        return MessageId(message.id)
        except PlaceForbiddenError:
            return None  # without the right to read back, a second copy is better than none
        return None

    def digest(self, post: Post) -> str:
        return looks_of(self._look(post))

    def _look(self, post: Post) -> discord.ui.LayoutView:
        guild = self._client.get_guild(post.table.guild_id)
        return draw_post(post, guild.preferred_locale if guild else None)

    def _message(self, channel_id: ChannelId, message_id: MessageId) -> discord.PartialMessage:
        return self._client.get_partial_messageable(channel_id).get_partial_message(message_id)

    def _is_ours(self, message: discord.Message) -> bool:
        return self._client.user is not None and message.author.id == self._client.user.id

    def _locale_in(self, channel_id: ChannelId) -> discord.Locale | None:
        channel = self._client.get_channel(channel_id)
        guild = getattr(channel, "guild", None)
        return guild.preferred_locale if isinstance(guild, discord.Guild) else None

    async def _revived(self, channel_id: ChannelId, call: Callable[[], Awaitable[_T]]) -> _T:
        """Make *call*, and once more if it only failed because the thread sleeps.

        Editing never wakes one. Sending should by itself, and where Discord refuses it all the
        same, it is woken first.
        """
        try:
            return await call()
        except discord.HTTPException as error:
            if error.code != _ARCHIVED:
                raise
        thread = await self._client.fetch_channel(channel_id)
        if not isinstance(thread, discord.Thread) or thread.locked:
            raise PlaceArchivedError(f"thread {channel_id} is locked")
        await thread.edit(archived=False)
        return await call()


def draw_post(post: Post, locale: discord.Locale | None) -> discord.ui.LayoutView:
    """Draw a post in its server's language, with the mark by which it is found again."""
    view = render_post(post, locale)
    view.stop()
    view.children[0].id = _mark(post.table.id, slot_of(post))
    return view


def slot_of(post: Post) -> Slot:
    """Say which message of its table *post* is."""
    match post:
        case LobbyPost():
            return "lobby"
        case DealPost():
            return f"deal:{post.deal}"
        case TrickPost():
            return f"trick:{post.number}"
        case SheetPost():
            return f"sheet:{post.score.deal}"
        case ResultPost():
            return "result"
        case _:
            assert_never(post)


def _mark(table_id: TableId, slot: Slot) -> int:
    """A component id that says which post of which table a message is.

    Component ids are ours to choose, up to 31 bits, and Discord keeps them; a nonce cannot be
    read back. The high bit keeps clear of the small numbers it gives to unnamed components.
    """
    digest = hashlib.sha256(f"{table_id}.{slot}".encode()).digest()
    return int.from_bytes(digest[:4], "big") >> 2 | 1 << 30


def _is_marked(message: discord.Message, wanted: int) -> bool:
    first = message.components[0] if message.components else None
    return getattr(first, "id", None) == wanted


@asynccontextmanager
async def _directing() -> AsyncIterator[None]:
    """Tell a person who takes no messages from one whose message could not be sent now."""
    try:
        yield
    except discord.HTTPException as error:
        if error.code in _TOO_FAST or error.status in {_TOO_MANY, *range(_SERVER_FAULT, 600)}:
            raise
        raise DirectRefusedError(str(error)) from error


@asynccontextmanager
async def _posting(*, sending: bool = False) -> AsyncIterator[None]:
    """Turn every fault of Discord, or of the way to it, into a `PostingError`.

    Args:
        sending: a message is being created, so an answer that never came may mean that it
            stands in the channel all the same.
    """
    try:
        yield
    except discord.RateLimited as limit:
        raise PosterBusyError(limit.retry_after) from limit
    except discord.HTTPException as error:
        if meaning := _meaning(error, sending=sending):
            raise meaning from error
        raise
    except (aiohttp.ClientError, OSError) as error:  # TimeoutError is an OSError
        raise PosterBusyError(_UNNAMED_WAIT, sent_unknown=sending) from error


def _meaning(error: discord.HTTPException, *, sending: bool) -> PostingError | None:
    """Say what *error* means for a post; ``None``: a refusal nobody foresaw, so a bug."""
    if kind := _ERRORS.get(error.code):
        return kind(str(error))
    if error.status == _TOO_MANY or error.code in _TOO_FAST:
        return PosterBusyError(_UNNAMED_WAIT)
    if error.status >= _SERVER_FAULT:
        return PosterBusyError(_UNNAMED_WAIT, sent_unknown=sending)
    if isinstance(error, discord.Forbidden):
        return PlaceForbiddenError(str(error))
    if isinstance(error, discord.NotFound):
        return PlaceGoneError(str(error))
    return None
