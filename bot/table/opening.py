"""How a table begins: what a person wishes for, as first events. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bot.rules.cards import Seat
from bot.rules.errors import RulesetError
from bot.rules.ruleset import Ruleset
from bot.rules.ruleset_faults import problems
from bot.table import lobby
from bot.table.clocks import MoveClock
from bot.table.errors import NotOneOfUsError, WrongPhaseError
from bot.table.events import SeatTaken, TableOpened
from bot.table.ids import ChannelId, GuildId, Human, Robot, TableId, UserId
from bot.table.state import LIVE, Table


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenTable:
    """What a person wants a new table to be."""

    guild_id: GuildId
    channel_id: ChannelId
    ruleset: Ruleset
    seats: int
    clock: MoveClock
    robots: tuple[str, ...]
    """The levels of robots that sit down at once, as far as the people invited leave chairs."""
    invited: tuple[UserId, ...]
    claims_itself: bool = False
    """As `bot.table.state.Table.claims_itself`."""


def opened(wish: OpenTable, table_id: TableId, host: UserId) -> TableOpened:
    """The event that opens a table.

    Raises:
        RulesetError: the rules cannot be played, or not with so many seats.
        TooManyInvitedError: there are not as many chairs.
    """
    faults = problems(wish.ruleset)
    if wish.seats not in wish.ruleset.players:
        faults.append(f"players: {wish.seats} is not among {list(wish.ruleset.players)}")
    if faults:
        raise RulesetError(faults)
    return TableOpened(
        table=table_id,
        guild_id=wish.guild_id,
        channel_id=wish.channel_id,
        host=host,
        ruleset=wish.ruleset,
        seats=wish.seats,
        clock=wish.clock,
        invited=lobby.guests(host, wish.invited, wish.seats),
        claims_itself=wish.claims_itself,
    )


def seated(event: TableOpened, robots: Sequence[str]) -> tuple[SeatTaken, ...]:
    """Who sits there from the start: the host, then *robots* as far as they find a chair."""
    fitting = lobby.robots_that_fit(len(robots), event.seats, event.invited)
    return (
        SeatTaken(lobby.HOST_SEAT, Human(event.host)),
        *(
            SeatTaken(Seat(seat), Robot(level))
            for seat, level in enumerate(robots[:fitting], lobby.HOST_SEAT + 1)
        ),
    )


def rematch(table: Table, user_id: UserId) -> OpenTable:
    """A wish for the same people, robots and rules, by one of those people.

    Raises:
        NotOneOfUsError: the person did not sit there.
        WrongPhaseError: the table is not over yet, or never began.
    """
    owners = [lobby.owner(chair) for chair in table.chairs]
    if user_id not in owners:
        raise NotOneOfUsError
    if table.status in LIVE or table.game is None:
        raise WrongPhaseError
    return OpenTable(
        guild_id=table.guild_id,
        channel_id=table.channel_id,
        ruleset=table.ruleset,
        seats=len(table.chairs),
        clock=table.clock,
        robots=tuple(_levels(table)),
        invited=tuple(person for person in owners if person is not None),
        claims_itself=table.claims_itself,
    )


def _levels(table: Table) -> Iterator[str]:
    """Of all robots that keep a seat for nobody."""
    for chair in table.chairs:
        if isinstance(chair, Robot) and chair.keeps_for is None:
            yield chair.level
