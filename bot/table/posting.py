"""Public posts as values: what stands in each message of a table. A closed union.

Nothing in here holds an unplayed card. `bot.table.posts` makes them, `cogs.ui` draws them.
"""

from dataclasses import dataclass
from datetime import datetime

from bot.rules.cards import Hand, Seat
from bot.rules.sentence import Sentence
from bot.rules.state import Score, Trick
from bot.table.ids import ChannelId, MessageId, TableId, UserId
from bot.table.views import TableView

Slot = str
"""Which message of a table: ``lobby``, ``deal:3``, ``trick:41``, ``sheet:3``, ``result``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LobbyPost:
    """Seats, rules at a glance, and the buttons to sit down."""

    table: TableView
    live: bool
    """Whether it carries buttons: only the newest post of a table does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DealPost:
    """The opening of a deal: pass direction and who has still to pass."""

    table: TableView
    deal: int
    """Counted from 1."""
    dealer: Seat
    direction: Sentence
    """Where the cards go, or that nothing is passed."""
    waiting: tuple[Seat, ...]
    """Who has still to pass."""
    live: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TrickPost:
    """One trick, from its lead to its winner."""

    table: TableView
    number: int
    """Counted from 1 through the whole game."""
    deal: int
    trick_of_deal: int
    """Counted from 1."""
    tricks_in_deal: int
    trick: Trick
    size: int
    """Cards of a full trick."""
    turn: Seat | None
    """Who is to play; ``None`` once it is full."""
    deadline: datetime | None
    cancelled: Hand
    """Cards in it that have lost their power to an equal card."""
    tabled: Hand
    """Cards of the tricks right before it that nobody won; they go with this one."""
    points: int
    """Points that lie in it and in *tabled* so far."""
    taker: Seat | None
    """Who takes a full trick; ``None`` where its cards wait for a later winner or are dead."""
    widow: int
    """Cards of the widow that go with it to its taker."""
    by_clock: Hand
    """Cards in it that the clock played for somebody who was late."""
    live: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetPost:
    """The score sheet of a deal: where the points came from."""

    table: TableView
    score: Score
    widow: Hand
    """The widow, where everybody may see it now; else empty."""
    dead_tricks: int
    """Tricks that nobody took."""
    dead_points: int
    """Points that lie in those tricks and count for nobody."""
    claimed: int
    """Tricks at its end that nobody played, since it was certain what they would bring."""
    live: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultPost:
    """Places and totals of a finished game, or that it was ended before."""

    table: TableView
    closed_because: str | None
    """`bot.table.events.TableClosed.reason`; ``None`` for a game played to its end."""
    live: bool


Post = LobbyPost | DealPost | TrickPost | SheetPost | ResultPost


LOST = "lost"
"""As `Ping.kind`, by direct message alone: the place of the table is gone."""
VOTE = "vote"
"""As `Ping.kind`: this person is asked to vote, and `Ping.moment` is the number of the vote."""
DESERTED = "deserted"
"""As `Ping.kind`: only robots are left, and the game ends unless this person comes back."""
NUDGE = 3
"""As `Ping.reminder`: somebody at the table asked to call once more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ping:
    """A short plain message that calls one person, with the button that it asks for."""

    table_id: TableId
    channel_id: ChannelId
    user_id: UserId
    kind: str
    """``turn`` (a card is awaited), ``pass`` (a pass), ``moon`` (the shooter's choice), ``full``
    (to the host: the last chair was taken), `VOTE`, `DESERTED`, or `LOST`."""
    moment: int
    """As `bot.table.moments.moment` counts; 0 in a lobby."""
    reminder: int = 0
    """0: the call itself. 1: at half of the time. 2: at nine tenths of it. `NUDGE`: by request."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Manner:
    """How a call is made."""

    silent: bool = False
    """It stands there, but nothing sounds."""
    deadline: datetime | None = None
    """Told with a reminder."""
    direct_refused: bool = False
    """A direct message has just come back, which is to be said."""


PLAINLY = Manner()
"""By a mention that sounds."""


@dataclass(frozen=True, slots=True)
class Sent:
    """Where a message stands."""

    channel_id: ChannelId
    """That of a private conversation, for a direct message."""
    message_id: MessageId
