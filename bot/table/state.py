"""A table: a game in a channel, with people and robots on its chairs. Immutable."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from enum import Enum

from bot.rules.cards import Seat
from bot.rules.frozen import FrozenMap
from bot.rules.ruleset import Ruleset
from bot.rules.state import Game
from bot.table.ballots import OpenVote
from bot.table.clocks import MoveClock
from bot.table.cuts import Reveal
from bot.table.ids import ChannelId, GuildId, Occupant, TableId, UserId
from bot.table.moments import Mark
from bot.table.plans import Plan


class Status(Enum):
    """How far a table is."""

    LOBBY = "lobby"
    PLAYING = "playing"
    PAUSED = "paused"
    """The place to post is gone or shut; no deadline runs. Goes on when a post succeeds again."""
    OVER = "over"
    """Played to its end."""
    CLOSED = "closed"
    """Ended before its end: a lobby that was left or idle, a game that was ended."""


LIVE = frozenset({Status.LOBBY, Status.PLAYING, Status.PAUSED})
"""A table that still occupies its channel."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Everything that follows from the stored events of one table."""

    id: TableId
    guild_id: GuildId
    channel_id: ChannelId
    host: UserId
    status: Status
    ruleset: Ruleset
    clock: MoveClock
    chairs: tuple[Occupant | None, ...]
    """By seat; ``None`` is a free chair, in a lobby only."""
    invited: tuple[UserId, ...]
    """People named at the start for whom free chairs are kept."""
    game: Game | None
    """``None`` in a lobby, and on a table that closed as one."""
    surfaced: int = 0
    """How often the newest post was asked to come back to the end of the channel."""
    last_actor: UserId | None = None
    """Who made the newest move by hand or by plan, sitting down and starting included; moves of
    robots in between change nothing. ``None`` after the clock's, and after a pause."""
    closed_because: str | None = None
    """`bot.table.events.TableClosed.reason`; ``None`` unless closed."""
    late_cards: frozenset[tuple[int, Seat]] = frozenset()
    """Cards that the clock played: the turn, as `bot.table.moments.turn` counts, and the seat."""
    claimed: frozenset[int] = frozenset()
    """Tricks that nobody played since the rest of their deal was certain; counted from 1 through
    the whole game."""
    claims_itself: bool = False
    """Whether a deal whose rest is certain ends by itself; else when all people there want it."""
    plans: Mapping[Seat, tuple[Plan, ...]] = FrozenMap({})
    """By seat, what its person set aside in the deal under way; nobody else may know of it."""
    agreed_pause: bool = False
    """The people at the table have agreed to pause: nobody moves, and no time runs."""
    votes: tuple[OpenVote, ...] = ()
    """In the order in which they were called, no two about the same."""
    votes_called: int = 0
    removed: frozenset[UserId] = frozenset()
    """People whom the table or a moderator sent away; they may not sit down again."""
    former: frozenset[tuple[Seat, UserId]] = frozenset()
    """People whose seat became another person's during the game."""
    banks: tuple[timedelta, ...] = ()
    """By seat, what is left in its time bank; empty in a lobby."""
    missed: frozenset[Seat] = frozenset()
    """Seats of people whose newest move the clock made. At the next one that they miss a robot
    sits in; a move by hand, or another person in the seat, clears it."""
    marks: Mapping[UserId, Mark] = FrozenMap({})
    """Where in the game the newest move stands that a person made by hand; nobody is in it who
    has made none."""
    seals: Mapping[int, str] = FrozenMap({})
    """By deal, the commitment to its seed; deals that were not sealed before they began have none.
    The next deal has its own while the one before it is played."""
    words: Mapping[UserId, str] = field(default=FrozenMap({}), repr=False)
    """By person, the word given for the next shuffle; secret before that deal is over."""
    reveals: Mapping[int, Reveal] = FrozenMap({})
    """By deal, where the order of one that is over came from."""
