"""Values that cross between the table room and the store."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import Enum

from bot.rules.cards import Seat
from bot.rules.sentence import Sentence
from bot.table.away import QuietHours, Vacation
from bot.table.cuts import Cut
from bot.table.events import TableEvent
from bot.table.ids import ChannelId, GuildId, InteractionId, MessageId, TableId, UserId
from bot.table.posting import Ping, Slot
from bot.table.state import Table


@dataclass(frozen=True, slots=True)
class Cause:
    """Who asked for something, when, and by which interaction."""

    at: datetime
    """Aware, UTC."""
    user_id: UserId | None = None
    """``None``: a robot or the clock."""
    interaction_id: InteractionId | None = None
    name: str | None = None
    """The person's display name as Discord just showed it, raw; kept for boards."""


@dataclass(frozen=True, slots=True)
class At:
    """A table at a version: the number of events stored."""

    table_id: TableId
    version: int
    adjusted: int | None = None
    """How often what follows from its events was changed without one; ``None``: nobody minds."""


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """One event as it lies in the store."""

    seq: int
    """Counted from 1 within the table."""
    event: TableEvent
    cause: Cause


class TimerKind(Enum):
    """What a timer is for."""

    DEADLINE = "deadline"
    """The seat's move is late."""
    HALF = "half"
    """Half of the seat's time is over."""
    NINE_TENTHS = "nine_tenths"
    """A tenth of the seat's time is left."""
    ROBOT = "robot"
    """A robot is to move."""
    PLAN = "plan"
    """What the seat's person set aside for this turn is played."""
    MOON = "moon"
    """The shooter has not chosen; the safe payoff is applied."""
    GAME_TIME = "game_time"
    """The time of a game by minutes is over; the deal under way is the last."""
    IDLE_LOBBY = "idle_lobby"
    """Nobody touched the lobby."""
    ABANDONED = "abandoned"
    """Robots keep all the seats, so the game stands still, and nobody has come back."""
    ABANDONED_WARNING = "abandoned_warning"
    """The table is to be told that it ends soon, as robots keep all the seats."""
    PLACE_LOST = "place_lost"
    """The place to post has been lost for so long that the table ends."""
    STOPPED = "stopped"
    """Stands for a deadline while its table is paused by agreement. It is never due."""
    NUDGED = "nudged"
    """Somebody had the person waited for called once more; until it goes, nobody may again."""
    OUTAGE = "outage"
    """The table is to be told that nobody was there to run it."""


NO_SEAT = Seat(-1)
"""Stands for the whole table in a timer's key."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Timer:
    """Something that happens by itself, unless a move makes it needless first."""

    table_id: TableId
    seat: Seat
    """`NO_SEAT` for one of the whole table."""
    kind: TimerKind
    moment: int
    """What it was set for, as `bot.table.moments.moment` counts; 0 in a lobby.

    Of a `TimerKind.GAME_TIME` 0; while its table is paused, the whole seconds that are left.
    Of a `TimerKind.STOPPED` the whole seconds that the seat has left, vacations apart; 0: all that
    its clock gives.
    Of a `TimerKind.OUTAGE` how many seconds it lasted.
    """
    due_at: datetime
    begun_at: datetime | None = None
    """Of a deadline: since when the seat's time runs."""
    credit: timedelta = timedelta()
    """Of a deadline: outages since then, for which the seat has more time. Less what it had used
    before a pause, if it runs since one; then it may be below zero."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SecretDeal:
    """Where a deal's order came from. Kept apart from the events."""

    deal: int
    """Counted from 1."""
    seed: bytes = field(repr=False)
    """32 secret bytes."""
    commitment: str
    """As `bot.rules.shuffle.commitment`."""
    cuts: tuple[Cut, ...] | None = field(default=None, repr=False)
    """By seat; ``None`` before the deal, and of one that was not sealed before it began: its order
    follows from the seed alone."""


@dataclass(frozen=True, slots=True)
class Drawer:
    """What is locked away of a table's deals. Its ``repr`` tells nothing of it."""

    deals: Mapping[int, SecretDeal] = field(default_factory=dict, repr=False)
    """By number; those to come included, as far as they are sealed."""
    presses: Mapping[UserId, InteractionId] = field(default_factory=dict, repr=False)
    """By person, the last press since the newest seal that others could see."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameResult:
    """One seat's result of a finished game, for boards and statistics."""

    seat: Seat
    user_id: UserId | None
    """``None``: a robot finished in this seat."""
    family: str
    """Id of the preset; that of customised rules is the one they were made of."""
    place: int
    points: int
    """Total at the end; partners with one total show the same."""
    deals: int
    moons: int
    rated: bool
    """Counts for the leaderboard: a person finished in it, as did people of another side."""
    low_wins: bool
    """Whether fewer points were better. The points of any other game stand in no mean: they would
    make a good player look bad, or pay for nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Followings:
    """All that changes together with some events, in their transaction."""

    table: Table
    """The state after them; the store keeps columns of it, never a snapshot."""
    slots: tuple[Slot, ...]
    """Posts the table has after them, oldest first; new ones are added, none is taken away."""
    closed_slots: tuple[Slot, ...]
    """Posts in which nothing can change any more once they were shown a last time."""
    timers: tuple[Timer, ...]
    """All timers the table has after them; those of the store that are not here go."""
    pings: tuple[Ping, ...]
    """All calls wanted after them. New ones wait; those no longer here are dropped or, when
    already sent, deleted from the channel."""
    ping_not_before: datetime
    standing: tuple[Ping, ...] = ()
    """Calls that are not made, since the person is here, but whose reminder stays once sent."""
    reminders_are_wrong: bool = False
    """Whether reminders tell of deadlines that are none any more: they go, and calls come anew."""
    notices: tuple[Sentence, ...] = ()
    """Plain public sentences to be said once."""
    secret_deals: tuple[SecretDeal, ...] = ()
    """Deals whose seeds were drawn with these events."""
    cuts: Mapping[int, tuple[Cut, ...]] = field(default_factory=dict, repr=False)
    """By number, the cuts of deals that were sealed before and began with these events."""
    revealed: tuple[int, ...] = ()
    """Deals that ended with these events, so that everybody may know their seeds and cuts."""
    results: tuple[GameResult, ...] = ()
    """Of a game that ended with these events."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Adjustment:
    """A change of what follows from the events of a table, without a new event."""

    table: Table
    at: datetime
    timers: tuple[Timer, ...]
    """All timers the table has after it."""
    reminders: tuple[Ping, ...] = ()
    """Each takes the place of the call for the same person and moment, if there is one."""
    notices: tuple[Sentence, ...] = ()
    shown_anew: bool = False
    """Whether the posts in which something can still change may name what has changed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingPost:
    """A post that is behind its table."""

    table_id: TableId
    slot: Slot
    channel_id: ChannelId
    message_id: MessageId | None
    """``None``: never sent."""
    sent_at: datetime | None
    digest: str | None
    """Of what stands in the message now."""
    sends: int
    """How often this slot was sent; part of the nonce."""
    attempted_at: datetime | None
    """When a send was begun whose outcome is unknown."""
    shown: int
    """The version that it shows; less, where it has to be shown anew; below 1: not sent."""
    version: int
    """The table's version when this was read."""
    since: datetime
    """When the first change came that it does not show."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PostedState:
    """What is now in the channel for a slot."""

    table_id: TableId
    slot: Slot
    channel_id: ChannelId
    message_id: MessageId
    sent_at: datetime
    digest: str
    sends: int
    before: int
    """`PendingPost.shown` when this was begun. If it is another by now, the post had to be shown
    anew meanwhile, and stays behind."""
    version: int
    """The table's version that it shows."""


class OutgoingKind(Enum):
    """What an outbox row asks for."""

    PING = "ping"
    NOTICE = "notice"
    DELETE = "delete"


@dataclass(frozen=True, slots=True, kw_only=True)
class Outgoing:
    """One outbox row that is due."""

    id: int
    table_id: TableId
    channel_id: ChannelId
    kind: OutgoingKind
    nonce: str
    due_at: datetime
    """Since when it may be carried out."""
    ping: Ping | None = None
    notice: Sentence | None = None
    message_id: MessageId | None = None
    """What to delete."""
    attempts: int = 0


@dataclass(frozen=True, slots=True)
class HouseRules:
    """Rules that a server keeps under a name of its own."""

    id: str
    """Digits; never that of other rules of the server."""
    name: str
    """As it was typed, one line of at most `bot.table.house.LONGEST_NAME` characters; raw."""
    rules: Mapping[str, object]
    """In the keys of rules.md 3; all of them, where this program wrote them."""


CLAIM_IF_ALL_AGREE, CLAIM_BY_ITSELF = CLAIMS = ("ask", "itself")
"""How a deal may end whose rest is certain, whatever is played: the people at the table end it by
one press each, or it ends by itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerSettings:
    """What a server chose. Tables copy what they need when they open."""

    variant: str = "standard"
    """Preset that `/hearts start` uses when none is named."""
    house_rules: tuple[HouseRules, ...] = ()
    """In the order in which they were saved."""
    default_house: str | None = None
    """Id of the house rules that `/hearts start` uses instead of *variant*."""
    clock: str = "24h"
    channels: tuple[ChannelId, ...] = ()
    """Where tables may be opened; empty: everywhere."""
    greeted: bool = False
    vacation_days: int = 21
    """The longest vacation that stops somebody's clock at the tables of this server; 0: none."""
    threads: bool = False
    """Each table gets a public thread of its own."""
    claims: str = CLAIM_IF_ALL_AGREE
    """One of `CLAIMS`."""


class Reminders(Enum):
    """How a person is called when a move is awaited, and reminded of it."""

    MENTION = "mention"
    """By a message in the channel that notifies."""
    SILENT = "silent"
    """By the same message without a sound."""
    DIRECT = "dm"
    """By a direct message; where that is refused, by a mention."""
    OFF = "off"
    """Not at all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonSettings:
    """What a person chose, in all servers alike."""

    confirm_cards: bool = False
    reminders: Reminders = Reminders.MENTION
    direct_refused: bool = False
    """A direct message came back: mentions stand in until the person chooses again."""
    zone: str | None = None
    """IANA name as `bot.table.away.find_zone` spells it; ``None``: never said."""
    quiet: QuietHours | None = None
    """In `zone`."""
    plays_forced: bool = False
    """Whether the only card that may be played is played without asking."""
    vacations: tuple[Vacation, ...] = ()
    """The last few, oldest first: one that is over still counts for a move that began in it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableRow:
    """A table as lists need it, without replaying its events."""

    table_id: TableId
    guild_id: GuildId
    channel_id: ChannelId
    status: str
    title: str
    opened_at: datetime
    changed_at: datetime
    """When anything last happened there that others may know of."""
    newest_message: MessageId | None
