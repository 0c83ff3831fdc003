"""Seats and hosts that change during a game (cases.md B40, B62, B63)."""

import pytest

from bot.rules.view import seat_view
from bot.table import commands, events
from bot.table.errors import (
    AlreadySeatedError,
    NotHostError,
    NotOneOfUsError,
    NotSeatedError,
    RobotSitsInError,
    TooManyTablesError,
    WrongPhaseError,
)
from bot.table.history import replay
from bot.table.ids import Human, Robot
from bot.table.limits import TABLES_A_PERSON
from bot.table.notices import notices
from bot.table.seat_errors import (
    NoSubstituteError,
    NotAtTableError,
    OtherHandSeenError,
    SeatGivenError,
    SeatTakenError,
)
from bot.table.state import Status
from bot.table.storing import TimerKind
from cogs.words import say
from tests.support.histories import Story, started
from tests.support.rooms import STORES, room_on
from tests.support.tables import ANN, BEA, CYD, DAN, EVE, FOUR, chair_of

HOUR = 3600


@pytest.fixture(params=STORES)
async def room(request, tmp_path):
    async with room_on(request.param, tmp_path) as built:
        yield built


def left_by(*people):
    """A game of four that these people left."""
    story = started()
    for person in people:
        story.ask(commands.Leave(person))
    return story


def told(story, happened, by):
    return [say(sentence) for sentence in notices(story.table, happened, by)]


def test_a_volunteer_takes_a_seat_that_a_robot_keeps():
    story = left_by(BEA)
    happened = story.ask(commands.Substitute(EVE, 1))
    assert happened == (events.SubstituteSat(1, EVE, BEA),)
    assert story.table.chairs[1] == Human(EVE)
    assert replay(story.stored).table == story.table
    [sentence] = told(story, happened, EVE)
    assert sentence == f"<@{EVE}> takes over the seat of <@{BEA}> and plays it to the end."


def test_a_volunteer_takes_a_seat_that_was_a_robots_from_the_start():
    story = started(ANN)
    happened = story.ask(commands.Substitute(EVE, 2))
    assert story.table.chairs == (Human(ANN), Robot("steady"), Human(EVE), Robot("steady"))
    assert story.table.former == frozenset()
    assert told(story, happened, EVE) == [f"<@{EVE}> takes over the seat of a robot and plays on."]


@pytest.mark.parametrize("seat", [-1, -4, 4, 10**30])
def test_a_seat_that_the_table_does_not_have_is_not_taken_over(seat):
    """Counted from the end, a seat below 0 would be one that there is."""
    story = started(ANN)
    with pytest.raises(SeatTakenError):
        story.ask(commands.Substitute(EVE, seat))


@pytest.mark.case("B63")
def test_b63_the_owner_cannot_come_back_once_a_substitute_sits():
    story = left_by(BEA)
    story.ask(commands.Substitute(EVE, 1))
    with pytest.raises(SeatGivenError):
        story.ask(commands.TakeSeatBack(BEA))
    with pytest.raises(NotOneOfUsError):
        story.ask(commands.Leave(BEA))


def test_a_substitute_who_leaves_has_the_seat_kept_as_its_owner():
    story = left_by(BEA)
    story.ask(commands.Substitute(EVE, 1))
    story.ask(commands.Leave(EVE))
    assert story.table.chairs[1] == Robot("steady", keeps_for=EVE)
    story.ask(commands.TakeSeatBack(EVE))
    assert story.table.chairs[1] == Human(EVE)


def test_who_lost_a_seat_may_take_it_over_again_but_no_other():
    """Whoever saw two hands of one deal would play with both of them in mind."""
    story = left_by(BEA, CYD)
    story.ask(commands.Substitute(EVE, 1))
    with pytest.raises(OtherHandSeenError):
        story.ask(commands.Substitute(BEA, 2))
    story.ask(commands.Leave(EVE))
    story.ask(commands.Substitute(BEA, 1))
    assert story.table.chairs[1] == Human(BEA)


@pytest.mark.parametrize(
    ("story", "person", "refusal"),
    [
        (left_by(BEA), ANN, AlreadySeatedError),
        (left_by(BEA, CYD), CYD, RobotSitsInError),
        (Story(*FOUR), EVE, NoSubstituteError),
        (left_by(*FOUR), EVE, NoSubstituteError),
        (left_by(CYD), EVE, SeatTakenError),
    ],
)
def test_a_seat_is_refused_to_who_has_one_and_where_no_robot_plays(story, person, refusal):
    with pytest.raises(refusal):
        story.ask(commands.Substitute(person, 1))


def test_a_seat_that_does_not_exist_is_taken_by_nobody():
    with pytest.raises(SeatTakenError):
        left_by(BEA).ask(commands.Substitute(EVE, 9))


def test_who_sits_down_among_robots_is_the_host():
    story = started(ANN)
    story._follow([events.SeatHandedOver(0, Robot("steady", keeps_for=ANN))], None)
    story.ask(commands.Substitute(EVE, 2))
    assert story.table.host == EVE


@pytest.mark.case("B63")
async def test_b63_a_substitute_sees_that_hand_alone_and_gets_the_result(room):
    view = await room.started(*FOUR, clock="24h")
    await room.tables.leave(room.by(BEA), view.id)
    hand = await room.tables.substitute(room.by(EVE), view.id, 1)
    assert hand.seat == 1
    assert not hand.robot_sits_in
    table = replay(await room.store.load(view.id)).table
    assert hand.hand == seat_view(game_of_table(table), 1)
    with pytest.raises(NotSeatedError):
        await room.tables.hand(view.id, BEA)
    assert [line.id for line in await room.tables.tables_of(EVE)] == [view.id]
    assert await room.tables.tables_of(BEA) == []


def game_of_table(table):
    assert table.game is not None
    return table.game


async def test_a_substitute_is_waited_for_as_anybody_and_may_be_late(room):
    view = await room.started(*FOUR, clock="1h")
    await room.tables.leave(room.by(BEA), view.id)
    await room.tables.substitute(room.by(EVE), view.id, 1)
    timers = await room.store.timers_of(view.id)
    kinds = {timer.kind for timer in timers if timer.seat == 1}
    assert TimerKind.DEADLINE in kinds
    assert TimerKind.ROBOT not in kinds
    room.clock.move(HOUR)
    await room.fire_due()
    assert chair_of(await room.tables.view(view.id), EVE) == 1


async def test_two_volunteers_for_one_seat_make_one_substitute(room):
    view = await room.started(ANN, BEA)
    await room.tables.substitute(room.by(EVE), view.id, 2)
    with pytest.raises(SeatTakenError):
        await room.tables.substitute(room.by(DAN), view.id, 2)
    with pytest.raises(AlreadySeatedError):
        await room.tables.substitute(room.by(EVE), view.id, 3)


async def test_nobody_takes_over_more_seats_than_tables_are_allowed(room):
    for number in range(TABLES_A_PERSON):
        await room.open(EVE, channel_id=100 + number)
    view = await room.started(ANN, BEA)
    with pytest.raises(TooManyTablesError):
        await room.tables.substitute(room.by(EVE), view.id, 2)


def test_the_host_passes_the_table_on_and_it_is_told():
    story = started()
    happened = story.ask(commands.PassHost(ANN, CYD, moderator=False))
    assert story.table.host == CYD
    assert told(story, happened, ANN) == [f"<@{CYD}> is the host of this table now."]
    with pytest.raises(NotHostError):
        story.ask(commands.End(ANN, moderator=False))


def test_a_lobby_is_passed_on_too():
    story = Story(ANN, BEA)
    story.ask(commands.PassHost(ANN, BEA, moderator=False))
    story.ask(commands.AddRobot(BEA))
    assert story.table.chairs[2] == Robot("steady")


@pytest.mark.case("B40")
def test_b40_a_moderator_makes_somebody_else_the_host():
    story = started()
    with pytest.raises(NotHostError):
        story.ask(commands.PassHost(EVE, CYD, moderator=False))
    story.ask(commands.PassHost(EVE, CYD, moderator=True))
    assert story.table.host == CYD


def test_only_who_sits_there_in_person_can_be_host():
    story = left_by(BEA)
    for absent in (BEA, EVE):
        with pytest.raises(NotAtTableError):
            story.ask(commands.PassHost(ANN, absent, moderator=False))
    assert story.ask(commands.PassHost(ANN, ANN, moderator=False)) == ()


def test_a_table_that_ended_has_no_host_to_change():
    story = left_by(*FOUR)
    assert story.table.status is Status.CLOSED
    with pytest.raises(WrongPhaseError):
        story.ask(commands.PassHost(DAN, ANN, moderator=True))
