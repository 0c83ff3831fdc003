"""Brings one post or one outbox row into its channel, whatever a crash did to the try before."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Protocol, TypeVar, assert_never

from bot.table.budget import Errand
from bot.table.calling import Calling, Viewed
from bot.table.errors import PostGoneError, PostTooOldError
from bot.table.ids import MessageId, TableId
from bot.table.persons import Persons
from bot.table.ports import Clock, Poster, Work
from bot.table.posting import Post, Slot
from bot.table.shards import LeaseLostError, working_under
from bot.table.storing import Outgoing, OutgoingKind, PendingPost, PostedState

EDITABLE = timedelta(minutes=55)
"""Older posts move instead: Discord all but refuses to edit them after an hour (30046)."""
NONCE_MEMORY = timedelta(minutes=2)
"""How long we trust Discord to answer a repeated nonce with the message it already has."""

_Value = TypeVar("_Value")
_UNKNOWN_LOOK = ""
_SHORT = {"lobby": "l", "deal": "d", "trick": "t", "sheet": "s", "result": "r"}


class Shown(Viewed, Protocol):
    """Where the present state of a post comes from."""

    async def post(self, table_id: TableId, slot: Slot) -> tuple[Post, int]:
        """What a slot shows now, and the version it shows."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """How a post should look now, and what has to be done for it."""

    post: Post
    digest: str
    version: int
    errand: Errand | None
    """`Errand.SEND` also for one that moves; ``None``: it looks like that already."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Digest:
    """What the store keeps of a post's look."""

    looks: str
    """Of all of it."""
    told: str
    """Of all but its buttons."""
    surfaced: str
    """`Table.surfaced` when it was shown."""

    def write(self) -> str:
        return f"{self.looks}/{self.told}/{self.surfaced}"

    @classmethod
    def read(cls, text: str | None) -> "_Digest | None":
        """``None`` for a look that nobody knows."""
        if not text:
            return None
        looks, told, surfaced = text.split("/")
        return cls(looks=looks, told=told, surfaced=surfaced)


class Delivery:
    """Carries out single calls. Lets every `PostingError` out that it cannot mend itself."""

    def __init__(
        self, work: Work, tables: Shown, persons: Persons, poster: Poster, clock: Clock
    ) -> None:
        self._calling = Calling(work, tables, persons, poster, clock)
        self._work = work
        self._tables = tables
        self._poster = poster
        self._clock = clock
        self._uneditable: set[MessageId] = set()

    async def look(self, pending: PendingPost) -> Look:
        """Render the newest state of a post once and compare it with what is in the channel."""
        post, version = await self._tables.post(pending.table_id, pending.slot)
        now = _Digest(
            looks=self._poster.digest(post),
            told=self._poster.digest(replace(post, live=False)),
            surfaced=str(post.table.surfaced),
        )
        return Look(
            post=post,
            digest=now.write(),
            version=version,
            errand=self._errand(pending, now, live=post.live),
        )

    async def confirm(self, pending: PendingPost, look: Look) -> None:
        """Remember that the channel shows the newest state already."""
        await self._work.posted(_state(pending, look))

    async def show(self, pending: PendingPost, look: Look) -> None:
        """Send, move or edit a post."""
        if look.errand is Errand.SEND:
            await self._send(pending, look)
        else:
            await self._edit(pending, look)

    async def carry_out(self, outgoing: Outgoing) -> None:
        """Send a ping or a notice, or delete a message."""
        channel_id, nonce = outgoing.channel_id, outgoing.nonce
        match outgoing.kind:
            case OutgoingKind.PING:
                await self._calling.carry_out(outgoing, _the(outgoing.ping))
                return
            case OutgoingKind.NOTICE:
                await self._poster.send_notice(channel_id, _the(outgoing.notice), nonce)
            case OutgoingKind.DELETE:
                await self._poster.delete(channel_id, _the(outgoing.message_id))
            case _:
                assert_never(outgoing.kind)
        await self._work.done(outgoing.id)

    def _errand(self, pending: PendingPost, now: "_Digest", *, live: bool) -> Errand | None:
        before = _Digest.read(pending.digest)
        if pending.message_id is None:
            return Errand.SEND
        if before is not None and live and now.surfaced != before.surfaced:
            return Errand.SEND
        if before is not None and now.looks == before.looks:
            return None
        uneditable = pending.message_id in self._uneditable
        if before is not None and now.told == before.told and not live:
            # It only loses its buttons, which any click on them survives: not worth a message
            # that repeats an old one at the end of the channel.
            return None if uneditable else Errand.EDIT
        sent_at = pending.sent_at or self._clock.now()
        return Errand.SEND if uneditable or self._clock.now() - sent_at > EDITABLE else Errand.EDIT

    async def _send(self, pending: PendingPost, look: Look) -> None:
        """Send it as a new message; where an earlier try may have succeeded, find that out.

        A message that an earlier try sent shows what was the newest state then. Its look is
        stored as unknown and the post as behind, so that it is edited next.
        """
        now = self._clock.now()
        tried_at = pending.attempted_at
        repeats = tried_at is not None and now - tried_at <= NONCE_MEMORY
        found = None
        if tried_at is not None and not repeats:
            found = await self._poster.find_sent(pending.channel_id, pending.table_id, pending.slot)
        if found is None or found == pending.message_id:
            if not repeats:
                await self._work.attempt(pending, now)
            nonce = nonce_of(pending)
            message_id = await self._poster.send_post(pending.channel_id, look.post, nonce)
        else:
            message_id, repeats = found, True
        await self._settle(pending, look, message_id, look_known=not repeats)

    async def _settle(
        self, pending: PendingPost, look: Look, message_id: MessageId, *, look_known: bool
    ) -> None:
        """Store the new message, and before it that the old one goes.

        A crash in between repeats the send, which is harmless; the other way round it would leave
        an old message behind that nobody knows of and that keeps its buttons.
        """
        old = pending.message_id
        state = PostedState(
            table_id=pending.table_id,
            slot=pending.slot,
            channel_id=pending.channel_id,
            message_id=message_id,
            sent_at=self._clock.now(),
            digest=look.digest if look_known else _UNKNOWN_LOOK,
            sends=pending.sends + 1,
            before=pending.shown,
            version=look.version if look_known else 0,
        )
        async with self._told_if_late(state):
            if old is not None and old != message_id:
                await self._work.ask_deletion(pending.table_id, pending.channel_id, old)
                self._uneditable.discard(old)
            await self._work.posted(state)

    async def _edit(self, pending: PendingPost, look: Look) -> None:
        message_id = _the(pending.message_id)
        try:
            await self._poster.edit_post(pending.channel_id, message_id, look.post)
        except PostGoneError:
            await self._work.lost(pending.table_id, pending.slot)
        except PostTooOldError:
            self._uneditable.add(message_id)  # the next pass moves it, or lets it be
        else:
            state = _state(pending, look)
            async with self._told_if_late(state):
                await self._work.posted(state)

    @asynccontextmanager
    async def _told_if_late(self, state: PostedState) -> AsyncIterator[None]:
        """Have whoever does this work now look at what was done here without a lease.

        Raises:
            LeaseLostError: there was none any more.
        """
        try:
            yield
        except LeaseLostError:
            with working_under(None):
                await self._work.shown_late(state)
            raise


def nonce_of(pending: PendingPost) -> str:
    """What makes a send recognisable when it is repeated: at most 25 characters, Discord's limit.

    The same for all tries of one sending, another for the next sending of the slot.
    """
    kind, _, number = pending.slot.partition(":")
    return f"{pending.table_id}.{_SHORT[kind]}{number}.{pending.sends}"


def _state(pending: PendingPost, look: Look) -> PostedState:
    """What is in the channel when a message was edited, or needed no edit."""
    return PostedState(
        table_id=pending.table_id,
        slot=pending.slot,
        channel_id=pending.channel_id,
        message_id=_the(pending.message_id),
        sent_at=_the(pending.sent_at),
        digest=look.digest,
        sends=pending.sends,
        before=pending.shown,
        version=look.version,
    )


def _the(value: _Value | None) -> _Value:
    if value is None:
        raise ValueError("the row lacks what its kind needs")
    return value
