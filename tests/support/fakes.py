"""Our ports in memory: the store, settings, chance and the channel side of posts."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import count

from bot.rules.sentence import Sentence
from bot.table.errors import (
    DirectRefusedError,
    KeeperOpenError,
    PostGoneError,
    UnknownKeeperError,
    VersionConflictError,
)
from bot.table.ids import (
    TABLE_ID_LENGTH,
    TABLE_ID_LETTERS,
    ChannelId,
    GuildId,
    KeeperId,
    MessageId,
    TableId,
    UserId,
)
from bot.table.keeping import Keeper, KeptWhere
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
from bot.table.storing import (
    PersonSettings,
    ServerSettings,
)
from bot.table.views import TableView
from tests.support.memory_store import MemoryStore

__all__ = [
    "CountedSeeds",
    "MemoryKeepers",
    "MemorySettings",
    "MemoryStore",
    "Message",
    "RecordingPoster",
    "direct_channel",
    "slot_of",
]


class CountedSeeds:
    """`bot.table.ports.Seeds` without chance: the same in every run, yet each time another."""

    def __init__(self, name: str = "test") -> None:
        self._name = name
        self._count = count()
        self.fractions: list[float] = []
        """What `fraction` gives next, the last one for ever; empty: 0."""

    def seed(self) -> bytes:
        return sha256(f"{self._name}|{next(self._count)}".encode()).digest()

    def table_id(self) -> TableId:
        letters = (TABLE_ID_LETTERS[byte % len(TABLE_ID_LETTERS)] for byte in self.seed())
        return TableId("".join(letters)[:TABLE_ID_LENGTH])

    def fraction(self) -> float:
        if len(self.fractions) > 1:
            return self.fractions.pop(0)
        return self.fractions[0] if self.fractions else 0.0


class MemorySettings:
    """`bot.table.ports.Settings`."""

    def __init__(self) -> None:
        self.servers: dict[GuildId, ServerSettings] = {}
        self.chosen: dict[UserId, PersonSettings] = {}
        self.names: dict[tuple[GuildId, UserId], str] = {}
        self.values: dict[str, str] = {}

    async def server(self, guild_id: GuildId) -> ServerSettings:
        return self.servers.get(guild_id, ServerSettings())

    async def save_server(self, guild_id: GuildId, settings: ServerSettings) -> None:
        self.servers[guild_id] = settings

    async def person(self, user_id: UserId) -> PersonSettings:
        return self.chosen.get(user_id, PersonSettings())

    async def persons(self, user_ids: Sequence[UserId]) -> Mapping[UserId, PersonSettings]:
        return {user_id: self.chosen[user_id] for user_id in user_ids if user_id in self.chosen}

    async def change_person(
        self, user_id: UserId, change: Callable[[PersonSettings], PersonSettings]
    ) -> tuple[PersonSettings, PersonSettings]:
        before = self.chosen.get(user_id, PersonSettings())
        self.chosen[user_id] = change(before)
        return before, self.chosen[user_id]

    async def remember_name(self, guild_id: GuildId, user_id: UserId, name: str) -> None:
        self.names[guild_id, user_id] = name

    async def remembered(self, key: str) -> str | None:
        return self.values.get(key)

    async def remember(self, key: str, value: str) -> None:
        self.values[key] = value


class MemoryKeepers:
    """`bot.table.ports.KeeperStore`."""

    def __init__(self) -> None:
        self.kept: dict[KeeperId, Keeper] = {}

    async def add(self, keeper: Keeper) -> None:
        if await self.find(keeper.where) is not None:
            raise KeeperOpenError
        self.kept[keeper.id] = keeper

    async def find(self, where: KeptWhere) -> Keeper | None:
        wanted = (where.channel_id, where.owner)
        for keeper in self.kept.values():
            if (keeper.where.channel_id, keeper.where.owner) == wanted:
                return keeper
        return None

    async def load(self, keeper_id: KeeperId) -> Keeper:
        if keeper_id not in self.kept:
            raise UnknownKeeperError
        return self.kept[keeper_id]

    async def save(self, keeper: Keeper) -> None:
        before = self.kept.get(keeper.id)
        if before is None or before.version != keeper.version - 1:
            raise VersionConflictError
        self.kept[keeper.id] = keeper

    async def remove(self, keeper_id: KeeperId) -> None:
        self.kept.pop(keeper_id, None)


@dataclass(slots=True)
class Message:
    """One message that a `RecordingPoster` put into a channel."""

    channel_id: ChannelId
    content: Post | Ping | Sentence
    nonce: str
    edits: int = 0


class RecordingPoster:
    """`bot.table.ports.Poster` whose channels are a dictionary, with Discord's nonce memory."""

    def __init__(self) -> None:
        self.messages: dict[MessageId, Message] = {}
        """What stands in all channels, oldest first."""
        self.calls: list[tuple[str, object]] = []
        """Every call that came through, by name and content."""
        self.failures: list[BaseException] = []
        """Raised by the next calls, one each, before anything happens."""
        self.lost_answers: list[BaseException] = []
        """Raised by the next sends, one each, although the message was delivered."""
        self.manners: list[Manner] = []
        """How the calls were made, oldest first."""
        self.closed: set[UserId] = set()
        """People who take no direct messages."""
        self._ids = count(1_000)

    async def send_post(self, channel_id: ChannelId, post: Post, nonce: str) -> MessageId:
        return self._send(channel_id, post, nonce)

    async def edit_post(self, channel_id: ChannelId, message_id: MessageId, post: Post) -> None:
        self._begin("edit", post)
        if message_id not in self.messages:
            raise PostGoneError
        message = self.messages[message_id]
        message.content, message.edits = post, message.edits + 1

    async def delete(self, channel_id: ChannelId, message_id: MessageId) -> None:
        self._begin("delete", message_id)
        self.messages.pop(message_id, None)

    async def send_ping(
        self, channel_id: ChannelId, ping: Ping, nonce: str, manner: Manner
    ) -> MessageId:
        self.manners.append(manner)
        return self._send(channel_id, ping, nonce)

    async def send_direct(self, ping: Ping, table: TableView, nonce: str, manner: Manner) -> Sent:
        if ping.user_id in self.closed:
            raise DirectRefusedError
        channel_id = direct_channel(ping.user_id)
        self.manners.append(manner)
        return Sent(channel_id, self._send(channel_id, ping, nonce))

    async def send_notice(self, channel_id: ChannelId, notice: Sentence, nonce: str) -> MessageId:
        return self._send(channel_id, notice, nonce)

    async def find_sent(
        self, channel_id: ChannelId, table_id: TableId, slot: Slot
    ) -> MessageId | None:
        self._begin("find", slot)
        found = [
            message_id
            for message_id, message in self.messages.items()
            if message.channel_id == channel_id and slot_of(message.content) == (table_id, slot)
        ]
        return found[-1] if found else None

    def digest(self, post: Post) -> str:
        table = replace(post.table, version=0, newest_message=None, game=None, deadlines={})
        looks = replace(post, table=table)
        return sha256(repr(looks).encode()).hexdigest()[:16]

    def _send(self, channel_id: ChannelId, content: Post | Ping | Sentence, nonce: str):
        self._begin("send", content)
        known = [key for key, message in self.messages.items() if message.nonce == nonce]
        message_id = known[0] if known else MessageId(next(self._ids))
        if not known:
            self.messages[message_id] = Message(channel_id, content, nonce)
        if self.lost_answers:
            raise self.lost_answers.pop(0)
        return message_id

    def _begin(self, name: str, content: object) -> None:
        if self.failures:
            raise self.failures.pop(0)
        self.calls.append((name, content))


def direct_channel(user_id: UserId) -> ChannelId:
    """The private conversation with a person."""
    return ChannelId(900_000 + user_id)


def slot_of(content: Post | Ping | Sentence) -> tuple[TableId, Slot] | None:
    """Which table's slot a post fills; ``None`` for anything else."""
    match content:
        case DealPost():
            return content.table.id, f"deal:{content.deal}"
        case TrickPost():
            return content.table.id, f"trick:{content.number}"
        case SheetPost():
            return content.table.id, f"sheet:{content.score.deal}"
        case LobbyPost():
            return content.table.id, "lobby"
        case ResultPost():
            return content.table.id, "result"
        case _:
            return None
