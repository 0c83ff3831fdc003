"""Who may sit where before the first deal."""

import pytest

from bot.table import lobby
from bot.table.errors import (
    AlreadySeatedError,
    NoRobotError,
    TableFullError,
    TooManyInvitedError,
)
from bot.table.ids import Human, Robot
from tests.support.tables import ANN, BEA, CYD, DAN, EVE

ROBOT = Robot("steady")
KEPT = Robot("steady", keeps_for=BEA)


def test_the_first_free_chair_is_taken():
    assert lobby.chair_for(BEA, (Human(ANN), ROBOT, None, None), ()) == 2


def test_nobody_sits_twice():
    with pytest.raises(AlreadySeatedError):
        lobby.chair_for(ANN, (Human(ANN), None), ())


def test_a_full_table_takes_nobody():
    with pytest.raises(TableFullError):
        lobby.chair_for(BEA, (Human(ANN), ROBOT), ())


def test_the_last_chairs_are_kept_for_people_invited():
    chairs = (Human(ANN), None, None, None)
    assert lobby.chair_for(EVE, chairs, (BEA, CYD)) == 1
    with pytest.raises(TableFullError):
        lobby.chair_for(EVE, (Human(ANN), Human(DAN), None, None), (BEA, CYD))


def test_somebody_invited_takes_a_kept_chair():
    assert lobby.chair_for(BEA, (Human(ANN), Human(DAN), None, None), (BEA, CYD)) == 2


def test_a_chair_is_kept_no_longer_once_its_person_sits():
    assert lobby.chair_for(EVE, (Human(ANN), Human(BEA), None, None), (BEA, CYD)) == 2


def test_guests_are_named_once_and_the_host_is_none():
    assert lobby.guests(ANN, (BEA, ANN, BEA, CYD), 4) == (BEA, CYD)


def test_more_guests_than_chairs_are_too_many():
    assert lobby.guests(ANN, (BEA, CYD, DAN), 4) == (BEA, CYD, DAN)
    with pytest.raises(TooManyInvitedError):
        lobby.guests(ANN, (BEA, CYD, DAN, EVE), 4)


@pytest.mark.parametrize(
    ("wished", "guests", "fitting"), [(3, 0, 3), (3, 1, 2), (9, 0, 3), (2, 3, 0), (0, 0, 0)]
)
def test_robots_sit_where_host_and_guests_leave_room(wished, guests, fitting):
    assert lobby.robots_that_fit(wished, 4, (BEA, CYD, DAN)[:guests]) == fitting


def test_the_last_robot_goes_first():
    assert lobby.last_robot((ROBOT, Human(ANN), ROBOT, None)) == 2


def test_where_no_robot_sits_none_can_go():
    with pytest.raises(NoRobotError):
        lobby.last_robot((Human(ANN), None))


def test_a_kept_chair_is_still_its_persons_own():
    assert lobby.seat_of(BEA, (Human(ANN), KEPT)) == 1
    assert lobby.seat_of(CYD, (Human(ANN), KEPT, ROBOT, None)) is None


def test_hosting_passes_to_the_next_person_on_the_left():
    chairs = (Human(ANN), Human(BEA), KEPT, Human(CYD))
    assert lobby.next_host(lobby.HOST_SEAT, chairs) == BEA
    assert lobby.next_host(3, chairs) == ANN


def test_nobody_is_left_to_host_a_table_of_robots():
    assert lobby.next_host(lobby.HOST_SEAT, (Human(ANN), KEPT, ROBOT)) is None
