"""Who sits where before the first deal. Pure: chairs and people in, chairs and people out."""

from collections.abc import Sequence

from bot.rules.cards import Seat
from bot.table.errors import (
    AlreadySeatedError,
    NoRobotError,
    TableFullError,
    TooManyInvitedError,
)
from bot.table.ids import Human, Occupant, Robot, UserId

Chairs = tuple[Occupant | None, ...]
"""By seat; ``None`` is a free chair."""

HOST_SEAT = Seat(0)


def guests(host: UserId, invited: Sequence[UserId], seats: int) -> tuple[UserId, ...]:
    """Everybody invited beside the host, each once, in the order named.

    Raises:
        TooManyInvitedError: there are not as many chairs.
    """
    found = tuple(dict.fromkeys(person for person in invited if person != host))
    if len(found) >= seats:
        raise TooManyInvitedError
    return found


def robots_that_fit(wished: int, seats: int, invited: Sequence[UserId]) -> int:
    """How many of the robots wished for find a chair beside the host and the people invited."""
    return max(0, min(wished, seats - 1 - len(invited)))


def chair_for(user_id: UserId, chairs: Chairs, invited: Sequence[UserId]) -> Seat:
    """Find the chair on which a person may sit down: the first that is free.

    The last free chairs are kept for the people invited who have not come yet.

    Raises:
        AlreadySeatedError: the person sits there already.
        TableFullError: no chair is free for this person.
    """
    if seat_of(user_id, chairs) is not None:
        raise AlreadySeatedError
    awaited = [person for person in invited if seat_of(person, chairs) is None]
    kept = 0 if user_id in awaited else len(awaited)
    if chairs.count(None) <= kept:
        raise TableFullError
    return free_chair(chairs)


def free_chair(chairs: Chairs) -> Seat:
    """Find the first free chair.

    Raises:
        TableFullError: there is none.
    """
    if None not in chairs:
        raise TableFullError
    return Seat(chairs.index(None))


def last_robot(chairs: Chairs) -> Seat:
    """Find the last chair with a robot.

    Raises:
        NoRobotError: there is none.
    """
    seats = [seat for seat, occupant in enumerate(chairs) if isinstance(occupant, Robot)]
    if not seats:
        raise NoRobotError
    return Seat(seats[-1])


def newest_level(chairs: Chairs) -> str | None:
    """The level of the robot on the last chair that has one; ``None``: there is none."""
    levels = [occupant.level for occupant in chairs if isinstance(occupant, Robot)]
    return levels[-1] if levels else None


def seat_of(user_id: UserId, chairs: Chairs) -> Seat | None:
    """The chair that is a person's own, be it that a robot keeps it; ``None``: no chair is."""
    owners = [owner(occupant) for occupant in chairs]
    return Seat(owners.index(user_id)) if user_id in owners else None


def owner(occupant: Occupant | None) -> UserId | None:
    """Whose own a chair is; ``None``: a robot's, or free."""
    match occupant:
        case Human(user_id):
            return user_id
        case Robot(_, keeps_for):
            return keeps_for
        case None:
            return None


def people(chairs: Chairs) -> tuple[UserId, ...]:
    """Everybody who sits there in person, by seat."""
    return tuple(chair.user_id for chair in chairs if isinstance(chair, Human))


def next_host(leaving: Seat, chairs: Chairs) -> UserId | None:
    """The next person to the left of a seat; ``None`` if nobody else sits there."""
    others = people((*chairs[leaving + 1 :], *chairs[:leaving]))
    return others[0] if others else None
