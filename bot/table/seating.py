"""Who sits on which chair of a game, and who is its host: what changes, and who may. Pure."""

from typing import assert_never

from bot.rules.cards import Seat
from bot.table import commands, events, lobby
from bot.table.errors import (
    AlreadySeatedError,
    NotHostError,
    NotOneOfUsError,
    NotSeatedError,
    RobotSitsInError,
    TableError,
    WrongPhaseError,
)
from bot.table.ids import Human, Robot, UserId
from bot.table.seat_errors import (
    NoSubstituteError,
    NotAtTableError,
    OtherHandSeenError,
    RemovedError,
    SeatGivenError,
    SeatTakenError,
)
from bot.table.state import LIVE, Table

STAND_IN_LEVEL = "steady"
"""The robot that sits in for people, and on chairs that nobody wants."""

Decision = tuple[events.TableEvent, ...]


def decide(table: Table, command: commands.ChairCommand) -> Decision:
    """What happens at *table* if *command* is carried out now; nothing is changed by it.

    Raises:
        TableError: this person may not do that, or not now.
    """
    match command:
        case commands.Leave():
            return _leave(table, command)
        case commands.TakeSeatBack(user_id):
            return _take_back(table, user_id)
        case commands.Substitute():
            return _substitute(table, command)
        case commands.PassHost():
            return _pass_host(table, command)
        case commands.RemovePerson():
            return _remove(table, command.who)
        case commands.InvitePerson():
            return _invite(table, command)
        case _:
            assert_never(command)


def own_seat(table: Table, user_id: UserId) -> Seat:
    """The seat that is a person's own, be it that a robot keeps it.

    Raises:
        NotSeatedError: there is none.
    """
    seat = lobby.seat_of(user_id, table.chairs)
    if seat is None:
        raise NotSeatedError
    return seat


def demand_host(
    table: Table, command: commands.PassHost | commands.InvitePerson | commands.MoveTable
) -> None:
    """Let only the host or a moderator go on.

    Raises:
        NotHostError: somebody else asks.
    """
    if command.user_id != table.host and not command.moderator:
        raise NotHostError


def hand_over(table: Table, seat: Seat, owner: UserId) -> Decision:
    """A robot takes a seat and keeps it for its owner; a host's table goes to the next person."""
    robot = Robot(STAND_IN_LEVEL, keeps_for=owner)
    return (events.SeatHandedOver(seat, robot), *_host_after(table, seat))


def remove(table: Table, seat: Seat, user_id: UserId) -> Decision:
    """A robot takes the seat of a person who is sent away, and keeps it for nobody."""
    return (
        events.PersonRemoved(seat, user_id),
        events.SeatHandedOver(seat, Robot(STAND_IN_LEVEL)),
        *_host_after(table, seat),
    )


def forget(table: Table, user_id: UserId) -> Decision:
    """What happens where a person goes for good; nothing where none of it concerns the table.

    A robot plays on in the seat and keeps it for nobody. The table goes on for the others, also
    for those whose seats robots keep meanwhile.
    """
    seat = lobby.seat_of(user_id, table.chairs)
    if table.status not in LIVE or (seat is None and table.host != user_id):
        return ()
    after = 0 if seat is None else seat + 1
    around = [lobby.owner(chair) for chair in (*table.chairs[after:], *table.chairs[:after])]
    others = [person for person in around if person not in (None, user_id)]
    gone = () if seat is None else (_given_up(table, seat),)
    if not others:
        return (*gone, events.TableClosed("empty"))
    if table.host != user_id:
        return gone
    here = [person for person in others if person in lobby.people(table.chairs)]
    return (*gone, events.HostChanged((here or others)[0]))


def _given_up(table: Table, seat: Seat) -> events.SeatLeft | events.SeatHandedOver:
    chair = table.chairs[seat]
    if table.game is None:
        return events.SeatLeft(seat)
    level = chair.level if isinstance(chair, Robot) else STAND_IN_LEVEL
    return events.SeatHandedOver(seat, Robot(level))


def _leave(table: Table, command: commands.Leave) -> Decision:
    seat = lobby.seat_of(command.user_id, table.chairs)
    if seat is None:
        raise NotOneOfUsError
    if table.status not in LIVE or (command.lobby_only and table.game is not None):
        raise WrongPhaseError
    if isinstance(table.chairs[seat], Robot):
        raise RobotSitsInError
    if table.game is None:
        gone: Decision = (events.SeatLeft(seat), *_host_after(table, seat))
    else:
        gone = hand_over(table, seat, command.user_id)
    if lobby.next_host(seat, table.chairs) is None:
        return (*gone, events.TableClosed("empty"))
    return gone


def _host_after(table: Table, leaving: Seat) -> Decision:
    """A host who goes passes the table on to the next person, if there is one."""
    host = lobby.next_host(leaving, table.chairs)
    if table.chairs[leaving] != Human(table.host) or host is None:
        return ()
    return (events.HostChanged(host),)


def _take_back(table: Table, user_id: UserId) -> Decision:
    seat = lobby.seat_of(user_id, table.chairs)
    if seat is None:
        raise _why_seatless(table, user_id)
    if table.status not in LIVE:
        raise WrongPhaseError
    if not isinstance(table.chairs[seat], Robot):
        raise AlreadySeatedError
    return (events.SeatHandedOver(seat, Human(user_id)), *_host_with(table, user_id))


def _substitute(table: Table, command: commands.Substitute) -> Decision:
    """Whoever saw another hand of the game would play with both of them in mind."""
    user_id, seat = command.user_id, command.seat
    if table.status not in LIVE or table.game is None:
        raise NoSubstituteError
    own = lobby.seat_of(user_id, table.chairs)
    if own is not None:
        raise RobotSitsInError if isinstance(table.chairs[own], Robot) else AlreadySeatedError
    if user_id in table.removed:
        raise RemovedError
    if _seats_before(table, user_id) - {seat}:
        raise OtherHandSeenError
    chair = table.chairs[seat] if seat in range(len(table.chairs)) else None
    if not isinstance(chair, Robot):
        raise SeatTakenError
    sat = events.SubstituteSat(seat, user_id, chair.keeps_for)
    return (sat, *_host_with(table, user_id))


def _host_with(table: Table, user_id: UserId) -> Decision:
    """Somebody who sits down among robots becomes host of their table."""
    if table.host in (user_id, *lobby.people(table.chairs)):
        return ()
    return (events.HostChanged(user_id),)


def _pass_host(table: Table, command: commands.PassHost) -> Decision:
    if table.status not in LIVE:
        raise WrongPhaseError
    demand_host(table, command)
    if command.to not in lobby.people(table.chairs):
        raise NotAtTableError
    return (events.HostChanged(command.to),) if command.to != table.host else ()


def _remove(table: Table, who: UserId) -> Decision:
    if table.status not in LIVE or table.game is None:
        raise WrongPhaseError
    seat = lobby.seat_of(who, table.chairs)
    if seat is None:
        raise NotAtTableError
    return remove(table, seat, who)


def _invite(table: Table, command: commands.InvitePerson) -> Decision:
    if table.status not in LIVE:
        raise WrongPhaseError
    demand_host(table, command)
    return (events.PersonInvited(command.who),) if command.who in table.removed else ()


def _why_seatless(table: Table, user_id: UserId) -> TableError:
    if user_id in table.removed:
        return RemovedError()
    return SeatGivenError() if _seats_before(table, user_id) else NotOneOfUsError()


def _seats_before(table: Table, user_id: UserId) -> frozenset[Seat]:
    """The seats that were somebody's, and are another's now."""
    return frozenset(seat for seat, person in table.former if person == user_id)
