"""What may be asked of a table: a closed union. Whoever asks is named in the command."""

from dataclasses import dataclass, field

from bot.rules import commands as game_commands
from bot.rules.cards import Card, Hand, Seat
from bot.rules.dimensions import MoonPayoff
from bot.table.ballots import TableSubject
from bot.table.ids import ChannelId, UserId
from bot.table.plans import Plan


@dataclass(frozen=True, slots=True)
class Join:
    """Sit down in the lobby."""

    user_id: UserId


@dataclass(frozen=True, slots=True)
class Leave:
    """Stand up: the chair becomes free in a lobby, a robot keeps it in a game."""

    user_id: UserId
    lobby_only: bool = False
    """Whether it was meant for a lobby; a game that has begun meanwhile is not left then."""


@dataclass(frozen=True, slots=True)
class AddRobot:
    """Put a robot on the first free chair."""

    user_id: UserId
    level: str | None = None
    """``None``: one like the robot on the last chair that has one, else the usual one."""


@dataclass(frozen=True, slots=True)
class RemoveRobot:
    """Send away the robot on the last chair that has one."""

    user_id: UserId


@dataclass(frozen=True, slots=True)
class Start:
    """Turn the lobby into a game."""

    user_id: UserId
    dealer: float
    """From 0 up to 1 around the table: who deals first."""


@dataclass(frozen=True, slots=True)
class ChooseRule:
    """Change one rule of a lobby."""

    user_id: UserId
    option: str
    """`bot.rules.option.Option.id`."""
    value: str
    """`bot.rules.option.OptionValue.id`."""


@dataclass(frozen=True, slots=True)
class RestoreRules:
    """Put a lobby's rules back to those of its preset."""

    user_id: UserId


@dataclass(frozen=True, slots=True)
class TakeSeatBack:
    """Send away the robot that keeps the person's seat."""

    user_id: UserId


@dataclass(frozen=True, slots=True)
class Substitute:
    """Sit down in a seat that a robot plays, for the rest of the game."""

    user_id: UserId
    seat: Seat


@dataclass(frozen=True, slots=True)
class PassHost:
    """Make another person at the table its host."""

    user_id: UserId
    to: UserId
    moderator: bool
    """Whether the person asking may do so without being the host."""


@dataclass(frozen=True, slots=True)
class RemovePerson:
    """Give a person's seat to a robot. Asked by a moderator, whose right the edge has checked."""

    user_id: UserId
    who: UserId


@dataclass(frozen=True, slots=True)
class InvitePerson:
    """Let somebody who was sent away sit down again."""

    user_id: UserId
    who: UserId
    moderator: bool
    """Whether the person asking may do so without being the host."""


@dataclass(frozen=True, slots=True)
class CallVote:
    """Ask the people at the table about something; vote for it, where that is asked already."""

    user_id: UserId
    subject: TableSubject


@dataclass(frozen=True, slots=True)
class CastVote:
    """Vote, or change one's vote."""

    user_id: UserId
    number: int
    """As `bot.table.events.VoteCalled` counts."""
    is_for: bool


@dataclass(frozen=True, slots=True)
class EndPause:
    """Go on after a pause that all agreed on. Any of them may."""

    user_id: UserId


@dataclass(frozen=True, slots=True)
class CutDeck:
    """Put a word of one's own into the next shuffle, in the place of an earlier one."""

    user_id: UserId
    word: str = field(repr=False)
    """At most `bot.table.cuts.LONGEST_WORD` characters."""
    seen_deal: int
    """The deal for which the person saw the button, counted from 1."""


@dataclass(frozen=True, slots=True)
class PassCards:
    """Choose what to pass."""

    user_id: UserId
    cards: Hand = field(repr=False)
    seen_deal: int
    """The deal the person saw, counted from 1."""


@dataclass(frozen=True, slots=True)
class PlayCard:
    """Lay down a card."""

    user_id: UserId
    card: Card = field(repr=False)
    seen_turn: int
    """The turn the person saw, as `bot.table.moments.turn` counts."""


@dataclass(frozen=True, slots=True)
class MakePlan:
    """Set something aside for later turns of this deal; to do so twice changes nothing.

    A card set aside takes the place of another one.
    """

    user_id: UserId
    plan: Plan
    seen_deal: int
    """The deal the person saw, counted from 1."""


@dataclass(frozen=True, slots=True)
class DropPlan:
    """Take back what was set aside; what is not planned any more needs no taking back."""

    user_id: UserId
    plan: Plan
    seen_deal: int
    """The deal the person saw, counted from 1."""


@dataclass(frozen=True, slots=True)
class CarryOutPlan:
    """The turn has come for which a person planned: play what the plan says."""

    seat: Seat
    moment: int
    """What it was due for, as `bot.table.moments.moment` counts."""


@dataclass(frozen=True, slots=True)
class SettleMoon:
    """Choose how the moon is paid."""

    user_id: UserId
    payoff: MoonPayoff
    seen_deal: int
    """The deal the person saw, counted from 1."""


@dataclass(frozen=True, slots=True)
class CallLastDeal:
    """Say that the deal under way is the last, where the rules leave that to the players."""

    user_id: UserId
    seen_deal: int
    """The deal the person saw, counted from 1."""


@dataclass(frozen=True, slots=True)
class TimeUp:
    """The time of a game by minutes is over, so the deal under way is the last."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StandIn:
    """A robot moves, for its own chair or for a person who is late.

    It keeps the chair of a person who misses a second move in a row, until they take it back.
    """

    seat: Seat
    move: game_commands.Command
    moment: int
    """What the move was thought for, as `bot.table.moments.moment` counts."""
    late: bool


@dataclass(frozen=True, slots=True)
class Surface:
    """Bring the newest post back to the end of the channel; a paused table goes on."""


@dataclass(frozen=True, slots=True)
class End:
    """End the table before its end."""

    user_id: UserId
    moderator: bool
    """Whether the person may end tables of others."""


@dataclass(frozen=True, slots=True)
class Close:
    """End the table because nobody needs it, or nobody can reach it."""

    reason: str
    """As `bot.table.events.TableClosed.reason`."""


@dataclass(frozen=True, slots=True)
class Forget:
    """Take a person off the table for good: nothing there waits for that person any more."""

    user_id: UserId


@dataclass(frozen=True, slots=True)
class MoveTable:
    """Go on in another channel or thread of the server."""

    user_id: UserId
    channel_id: ChannelId
    moderator: bool
    """Whether the person asking may do so without being the host."""


@dataclass(frozen=True, slots=True)
class Pause:
    """Stop until the place to post is back."""

    reason: str
    """As `bot.table.events.TablePaused.reason`."""
    lost: ChannelId | None = None
    """The place that is meant: a table that stands elsewhere goes on. ``None``: whichever."""


@dataclass(frozen=True, slots=True)
class Resume:
    """The place to post is back."""


LobbyCommand = Join | AddRobot | RemoveRobot | Start
"""Before the first deal only."""
HandCommand = PassCards | PlayCard | SettleMoon
"""A person's move."""
RulesCommand = ChooseRule | RestoreRules
"""By the host, before the first deal only."""
LastDealCommand = CallLastDeal | TimeUp
PlanCommand = MakePlan | DropPlan
"""A person's, for later."""
ChairCommand = Leave | TakeSeatBack | Substitute | PassHost | RemovePerson | InvitePerson
VoteCommand = CallVote | CastVote | EndPause
Asked = (
    RestoreRules
    | PassHost
    | RemovePerson
    | InvitePerson
    | VoteCommand
    | CallLastDeal
    | MoveTable
    | CutDeck
)
"""What the edges hand over as it is."""
WholeCommand = Surface | MoveTable | End | Close | Forget | Pause | Resume
Command = (
    LobbyCommand
    | RulesCommand
    | HandCommand
    | LastDealCommand
    | CutDeck
    | ChairCommand
    | VoteCommand
    | PlanCommand
    | CarryOutPlan
    | StandIn
    | WholeCommand
)
