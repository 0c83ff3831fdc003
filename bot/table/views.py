"""What leaves the table room: public facts of a table, one person's hand, lines of lists."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from bot.rules.cards import Seat
from bot.rules.claims import Claim
from bot.rules.ruleset import Ruleset
from bot.rules.sentence import Sentence
from bot.rules.view import PublicView, SeatView
from bot.table.ballots import OpenVote
from bot.table.catching_up import Missed
from bot.table.clocks import MoveClock
from bot.table.cuts import Reveal
from bot.table.ids import ChannelId, GuildId, MessageId, Occupant, TableId, UserId
from bot.table.plans import Plan
from bot.table.state import Status


@dataclass(frozen=True, slots=True)
class Absent:
    """Somebody on vacation."""

    user_id: UserId
    begins: datetime | None
    """``None``: it has begun."""
    ends: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class TableView:
    """What everybody may know of a table."""

    id: TableId
    guild_id: GuildId
    channel_id: ChannelId
    host: UserId
    status: Status
    ruleset: Ruleset
    seats: int
    clock: MoveClock
    chairs: tuple[Occupant | None, ...]
    """By seat."""
    invited: tuple[UserId, ...]
    names: Mapping[UserId, str]
    """Last seen display names, raw: only `cogs.names.safe_name` lets them out."""
    game: PublicView | None
    deadlines: Mapping[Seat, datetime]
    """When a seat's move is late; only seats that are waited for and have a clock."""
    time_up: datetime | None
    """When the time of a game by minutes is over; ``None`` while the table is paused, once the
    last deal is called, and in every other game."""
    newest_message: MessageId | None
    """The table's newest post, for links; ``None`` until one was sent."""
    version: int
    """Number of stored events."""
    banks: tuple[timedelta, ...] = ()
    """By seat, what is left in its time bank; empty in a lobby. The deadlines count it in."""
    away: tuple[Absent, ...] = ()
    """People on its chairs whose clocks stand still, or soon will."""
    ends_at: datetime | None = None
    """When a table without a place to post is ended; ``None`` for one that has a place."""
    surfaced: int = 0
    """As `bot.table.state.Table.surfaced`."""
    agreed_pause: bool = False
    """As `bot.table.state.Table.agreed_pause`."""
    votes: tuple[OpenVote, ...] = ()
    """Votes that can still pass, in the order in which they were called."""
    claim: Claim | None = None
    """Why the deal under way may be ended now, if all people there want it, and all can know it."""
    claims_itself: bool = False
    """As `bot.table.state.Table.claims_itself`."""
    seals: Mapping[int, str] = field(default_factory=dict)
    """As `bot.table.state.Table.seals`."""
    next_deal: int = 1
    """The next deal to begin, counted from 1."""
    cut_by: tuple[Seat, ...] = ()
    """Seats whose people gave a word for the next deal; which word, nobody may know yet."""
    reveals: Mapping[int, Reveal] = field(default_factory=dict)
    """As `bot.table.state.Table.reveals`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandView:
    """What one seated person is shown in private."""

    table: TableView
    user_id: UserId
    seat: Seat
    hand: SeatView | None
    """``None`` in a lobby, and on a table that closed as one."""
    robot_sits_in: bool
    """A robot keeps this person's seat; it may be taken back."""
    confirm_cards: bool
    """Whether this person is asked once more before a card is played."""
    missed: Missed | None = None
    """What happened since this person's newest move by hand; ``None`` as *hand*."""
    plays_forced: bool = False
    """Whether the only card that may be played is played for this person."""
    claim: Claim | None = None
    """Why the deal may be ended, as far as this person can know it."""
    plans: tuple[Plan, ...] = ()
    """What this person set aside in the deal under way, in the order in which it is asked."""
    notice: Sentence | None = None
    """What to say above the hand: why a click was refused, or that things have moved on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableLine:
    """One line of somebody's list of tables."""

    id: TableId
    guild_id: GuildId
    channel_id: ChannelId
    status: Status
    title: str
    """Title of the ruleset."""
    your_turn: bool
    deal: int
    """Deal under way, counted from 1; 0 in a lobby."""
    newest_message: MessageId | None
    seat: Seat | None = None
    """The reader's own, be it that a robot keeps it."""
    robot_sits_in: bool = False
    """A robot keeps that seat."""
    deadline: datetime | None = None
    """When the reader's move is late; ``None``: it is not awaited, or no clock runs."""
    agreed_pause: bool = False
    """As `bot.table.state.Table.agreed_pause`."""
    chairs: tuple[Occupant | None, ...] = ()
    """By seat; empty for a table that cannot be read."""
    names: Mapping[UserId, str] = field(default_factory=dict)
    """As `TableView.names`."""
    game: PublicView | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """One line of a server's leaderboard."""

    rank: int
    """1, 1, 3: ties share the better rank."""
    user_id: UserId
    name: str | None
    """Last seen display name, raw; ``None`` for a person nobody remembers."""
    games: int
    wins: int
    mean_points: float | None
    """Points a deal, lower is better; of games in which fewer points win. ``None``: there were
    no such games."""
    moons: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingsPage:
    """Part of a leaderboard."""

    lines: tuple[Standing, ...]
    page: int
    """Counted from 1."""
    pages: int
    own: Standing | None
    """The asking person's line, wherever it stands."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonStats:
    """All that one person played in one server, robots' games included."""

    user_id: UserId
    games: int
    rated_games: int
    """Games that count for the leaderboard."""
    wins: int
    """Of all games."""
    places: Mapping[int, int]
    """How often each place, counted from 1."""
    moons: int
    deals: int
    """Of games in which fewer points win, as *points* and *best_total*."""
    points: int
    best_total: int | None
    """Lowest total at the end of a game."""
