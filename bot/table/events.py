"""What happened at a table, beside what happened in its game: a closed union."""

from dataclasses import dataclass, field

from bot.rules import events as game_events
from bot.rules.cards import Seat
from bot.rules.ruleset import Ruleset
from bot.table.ballots import TableSubject
from bot.table.clocks import MoveClock
from bot.table.cuts import Cut
from bot.table.ids import ChannelId, GuildId, Occupant, TableId, UserId
from bot.table.plans import Plan


@dataclass(frozen=True, slots=True, kw_only=True)
class TableOpened:
    """A lobby was opened; its host sits on the first chair by a `SeatTaken` of its own."""

    table: TableId
    guild_id: GuildId
    channel_id: ChannelId
    host: UserId
    ruleset: Ruleset
    seats: int
    clock: MoveClock
    invited: tuple[UserId, ...]
    claims_itself: bool = False
    """As `bot.table.state.Table.claims_itself`."""
    seal: str | None = None
    """The commitment to the seed of the first deal, as `DealSealed`; ``None``: there is none."""


@dataclass(frozen=True, slots=True)
class SeatTaken:
    """Somebody sat down in the lobby."""

    seat: Seat
    occupant: Occupant


@dataclass(frozen=True, slots=True)
class SeatLeft:
    """A chair became free in the lobby."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class HostChanged:
    """Another person is host: the former one left, or passed it on."""

    host: UserId


@dataclass(frozen=True, slots=True)
class RulesChosen:
    """The host chose by which rules will be played; in the lobby only."""

    ruleset: Ruleset


@dataclass(frozen=True, slots=True)
class GameStarted:
    """The lobby became a game: full ruleset and chairs as they are from now on."""

    ruleset: Ruleset
    chairs: tuple[Occupant, ...]
    first_dealer: Seat


@dataclass(frozen=True, slots=True)
class SeatHandedOver:
    """A chair changed hands during the game: a robot sat in, or its owner came back."""

    seat: Seat
    occupant: Occupant


@dataclass(frozen=True, slots=True)
class SubstituteSat:
    """Somebody took over a seat from a robot during the game, to play it to the end."""

    seat: Seat
    user_id: UserId
    instead_of: UserId | None
    """Whose seat it was until now; ``None``: a robot's from the start."""


@dataclass(frozen=True, slots=True)
class PersonRemoved:
    """A vote or a moderator took a person's seat away; whose it becomes stands behind it."""

    seat: Seat
    user_id: UserId


@dataclass(frozen=True, slots=True)
class PersonInvited:
    """Somebody who was sent away may sit down again."""

    user_id: UserId


@dataclass(frozen=True, slots=True)
class VoteCalled:
    """Somebody called a vote, and is for it."""

    number: int
    """Counted from 1 through all votes of the table."""
    subject: TableSubject


@dataclass(frozen=True, slots=True)
class VoteCast:
    """Somebody voted, or changed a vote."""

    number: int
    in_favour: bool


@dataclass(frozen=True, slots=True)
class VoteSettled:
    """A vote passed, and what it was about stands behind it; or it cannot pass any more."""

    number: int
    passed: bool


@dataclass(frozen=True, slots=True)
class PauseAgreed:
    """All people at the table want a pause."""


@dataclass(frozen=True, slots=True)
class PauseEnded:
    """One of them wants to go on."""


@dataclass(frozen=True, slots=True)
class ClockChanged:
    """The table has another clock, by agreement."""

    clock: MoveClock


@dataclass(frozen=True, slots=True)
class DealSealed:
    """The seed of a deal to come was drawn, and can be exchanged no more."""

    deal: int
    """Counted from 1."""
    commitment: str
    """As `bot.rules.shuffle.commitment`; public."""


@dataclass(frozen=True, slots=True)
class DeckCut:
    """Somebody gave a word for the next shuffle, in the place of an earlier one."""

    deal: int
    """The one that it is for, counted from 1."""
    word: str = field(repr=False)
    """Shown to nobody before that deal is over."""


@dataclass(frozen=True, slots=True)
class DealRevealed:
    """A deal is over, and everybody may know where its order came from."""

    deal: int
    seed: bytes
    cuts: tuple[Cut, ...]
    """By seat."""


@dataclass(frozen=True, slots=True)
class BankDrawn:
    """The move that follows took longer than the clock gives, and the seat's bank paid for it."""

    seat: Seat
    milliseconds: int
    """At least 1, and no more than was in the bank."""


@dataclass(frozen=True, slots=True)
class PlansMade:
    """A seat set something aside for its later turns in this deal, or took it back."""

    seat: Seat
    plans: tuple[Plan, ...]
    """All that it plans from now on."""


@dataclass(frozen=True, slots=True)
class TableMoved:
    """The table stands in another channel or thread; what was shown before stays where it is."""

    channel_id: ChannelId
    left: ChannelId


@dataclass(frozen=True, slots=True)
class PostSurfaced:
    """Somebody asked for the newest post to come back to the end of the channel."""


@dataclass(frozen=True, slots=True)
class TablePaused:
    """The place to post is gone or shut, or the game cannot go on."""

    reason: str
    """``channel_gone``, ``forbidden``, ``archived``; ``broken``: what is stored of the game does
    not follow the rules."""


@dataclass(frozen=True, slots=True)
class TableResumed:
    """The place to post is back."""


@dataclass(frozen=True, slots=True)
class TableClosed:
    """Ended before its end."""

    reason: str
    """``host``, ``moderator``, ``idle``, ``empty``, ``left_server``."""


TableEvent = (
    TableOpened
    | SeatTaken
    | SeatLeft
    | HostChanged
    | RulesChosen
    | GameStarted
    | SeatHandedOver
    | SubstituteSat
    | PersonRemoved
    | PersonInvited
    | VoteCalled
    | VoteCast
    | VoteSettled
    | PauseAgreed
    | PauseEnded
    | ClockChanged
    | DealSealed
    | DeckCut
    | DealRevealed
    | BankDrawn
    | PlansMade
    | TableMoved
    | PostSurfaced
    | TablePaused
    | TableResumed
    | TableClosed
    | game_events.Event
)
