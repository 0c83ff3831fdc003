"""What a store in memory keeps of a table, and how it looks from outside."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from bot.table.errors import VersionConflictError
from bot.table.events import DealSealed, PlansMade
from bot.table.ids import ChannelId, Human, InteractionId, MessageId, Robot, TableId, UserId
from bot.table.posting import Ping, Sent, Slot
from bot.table.state import Table
from bot.table.storing import (
    At,
    Drawer,
    Followings,
    GameResult,
    Outgoing,
    OutgoingKind,
    PendingPost,
    PostedState,
    SecretDeal,
    StoredEvent,
    TableRow,
    Timer,
    TimerKind,
)


@dataclass(slots=True)
class ShelvedPost:
    channel_id: ChannelId
    place: int
    wanted_version: int
    wanted_at: datetime
    closed: bool = False
    posted_version: int = 0
    message_id: MessageId | None = None
    sent_at: datetime | None = None
    digest: str | None = None
    sends: int = 0
    attempted_at: datetime | None = None

    def want(self, version: int, at: datetime) -> None:
        """Be behind, since *at* unless it is already."""
        if self.posted_version >= self.wanted_version:
            self.wanted_at = at
        self.wanted_version = version


@dataclass(slots=True)
class Row:
    outgoing: Outgoing
    due_at: datetime | None
    withdrawn: bool = False


@dataclass(slots=True)
class Shelf:
    """All that is stored of one table."""

    table: Table
    opened_at: datetime
    events: list[StoredEvent] = field(default_factory=list)
    timers: dict[tuple[int, TimerKind], Timer] = field(default_factory=dict)
    posts: dict[Slot, ShelvedPost] = field(default_factory=dict)
    secrets: list[SecretDeal] = field(default_factory=list)
    revealed: set[int] = field(default_factory=set)
    results: list[GameResult] = field(default_factory=list)
    adjusted: int = 0

    @property
    def changed_at(self) -> datetime:
        """When anything last happened of which not one person alone may know."""
        told = (each for each in self.events if not isinstance(each.event, PlansMade))
        return max(each.cause.at for each in told)

    @property
    def drawer(self) -> Drawer:
        presses: dict[UserId, InteractionId] = {}
        for entry in self.events[1:]:
            cause = entry.cause
            if isinstance(entry.event, DealSealed):
                presses = {}
            elif cause.user_id and cause.interaction_id and not isinstance(entry.event, PlansMade):
                presses[cause.user_id] = cause.interaction_id
        return Drawer({secret.deal: secret for secret in self.secrets}, presses)

    def lock_away(self, followings: Followings) -> None:
        self.secrets += followings.secret_deals
        self.secrets = [
            replace(secret, cuts=followings.cuts.get(secret.deal, secret.cuts))
            for secret in self.secrets
        ]
        self.revealed.update(followings.revealed)

    def row(self, newest_message: MessageId | None) -> TableRow:
        return TableRow(
            table_id=self.table.id,
            guild_id=self.table.guild_id,
            channel_id=self.table.channel_id,
            status=self.table.status.value,
            title=self.table.ruleset.title,
            opened_at=self.opened_at,
            changed_at=self.changed_at,
            newest_message=newest_message,
        )


class Shelves:
    """Where the tables of a store stand."""

    def __init__(self) -> None:
        self.shelves: dict[TableId, Shelf] = {}
        self.outbox: dict[int, Row] = {}

    async def shown_late(self, state: PostedState) -> None:
        post = self.shelves[state.table_id].posts[state.slot]
        if post.message_id == state.message_id:
            post.digest, post.posted_version = None, post.posted_version - 1
        elif post.message_id is not None:
            await self.ask_deletion(state.table_id, state.channel_id, state.message_id)

    async def called_late(self, outgoing: Outgoing, sent: Sent) -> None:
        row = self.outbox.get(outgoing.id)
        known = None if row is None else row.outgoing.message_id
        if row is None or row.withdrawn or known not in {None, sent.message_id}:
            await self.ask_deletion(outgoing.table_id, sent.channel_id, sent.message_id)

    async def ask_deletion(
        self, table_id: TableId, channel_id: ChannelId, message_id: MessageId
    ) -> None:
        raise NotImplementedError

    async def at(self, table_id: TableId) -> At:
        shelf = self.shelves.get(table_id)
        return (
            At(table_id, 0, 0) if shelf is None else At(table_id, len(shelf.events), shelf.adjusted)
        )

    async def is_current(self, at: At) -> bool:
        return at == await self.at(at.table_id)

    def check(self, at: At) -> None:
        shelf = self.shelves.get(at.table_id)
        version, adjusted = (len(shelf.events), shelf.adjusted) if shelf else (0, 0)
        if at.version != version or at.adjusted not in {None, adjusted}:
            raise VersionConflictError


NOT_CREDITED = (TimerKind.ROBOT, TimerKind.PLAN, TimerKind.OUTAGE)


def moved(timer: Timer, gap: timedelta) -> Timer:
    return replace(timer, due_at=timer.due_at + gap, credit=timer.credit + gap)


def put_behind(shelf: Shelf) -> None:
    for post in shelf.posts.values():
        if not post.closed:
            post.posted_version -= 1


def key_of(ping: Ping) -> tuple:
    """What makes a call the same, reminder or not."""
    return ping.user_id, ping.kind, ping.moment


def due(rows: Iterable[Row], now: datetime, *, deletions: bool) -> Sequence[Outgoing]:
    """Those that may be carried out, in their order, each with the time since when it may."""
    order = {kind: place for place, kind in enumerate(OutgoingKind)}
    found = [replace(row.outgoing, due_at=row.due_at) for row in rows if row.due_at]
    kinds = set(OutgoingKind) - (set() if deletions else {OutgoingKind.DELETE})
    due_now = [row for row in found if row.due_at <= now and row.kind in kinds]
    return sorted(due_now, key=lambda row: (order[row.kind], row.id))


def pending(table_id: TableId, slot: Slot, post: ShelvedPost) -> PendingPost:
    return PendingPost(
        table_id=table_id,
        slot=slot,
        channel_id=post.channel_id,
        message_id=post.message_id,
        sent_at=post.sent_at,
        digest=post.digest,
        sends=post.sends,
        attempted_at=post.attempted_at,
        shown=post.posted_version,
        version=post.wanted_version,
        since=post.wanted_at,
    )


def owners(table: Table) -> set[UserId]:
    owners: set[UserId] = set()
    for chair in table.chairs:
        match chair:
            case Human(user_id):
                owners.add(user_id)
            case Robot(_, keeps_for) if keeps_for is not None:
                owners.add(keeps_for)
            case _:
                continue
    return owners
