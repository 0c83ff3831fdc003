"""What may be done at a table, by whom and when."""

import pytest

from bot.rules.dimensions import MoonPayoff
from bot.rules.state import Phase
from bot.table import commands
from bot.table.errors import (
    AlreadySeatedError,
    NotHostError,
    NotOneOfUsError,
    RobotHostError,
    RobotSitsInError,
    TableFullError,
    TablePausedError,
    TooFewPlayersError,
    WrongPhaseError,
)
from bot.table.ids import ChannelId, Human, Robot
from bot.table.lobby import people
from bot.table.state import Status
from tests.support.histories import ROBOT, Story, in_play, on_turn, pass_of, started
from tests.support.tables import ANN, BEA, CYD, DAN, EVE, FOUR


def test_the_host_sits_on_the_first_chair():
    assert Story(ANN).table.chairs == (Human(ANN), None, None, None)


def test_joining_twice_takes_one_chair():
    story = Story(ANN, BEA)
    with pytest.raises(AlreadySeatedError):
        story.ask(commands.Join(BEA))
    assert people(story.table.chairs) == (ANN, BEA)


def test_who_stands_up_may_sit_down_again():
    story = Story(ANN, BEA)
    story.ask(commands.Leave(BEA))
    assert story.table.chairs[1] is None
    story.ask(commands.Join(BEA))
    assert story.table.chairs[1] == Human(BEA)


def test_no_chair_is_kept_for_a_guest_who_came_and_went():
    story = Story(ANN, BEA, seats=3, invited=(BEA, CYD))
    story.ask(commands.Leave(BEA))
    story.ask(commands.Join(EVE))
    with pytest.raises(TableFullError):
        story.ask(commands.Join(DAN))


def test_a_host_who_leaves_the_lobby_passes_it_on():
    story = Story(ANN, BEA, CYD)
    story.ask(commands.Leave(ANN))
    assert (story.table.host, story.table.chairs[0]) == (BEA, None)
    assert story.table.status is Status.LOBBY


def test_a_lobby_without_people_closes():
    story = Story(ANN).fill()
    story.ask(commands.Leave(ANN))
    assert (story.table.status, story.table.closed_because) == (Status.CLOSED, "empty")


@pytest.mark.parametrize("command", [commands.AddRobot(BEA), commands.RemoveRobot(BEA)])
def test_robots_are_the_hosts_business(command):
    story = Story(ANN, BEA)
    story.ask(commands.AddRobot(ANN))
    with pytest.raises(RobotHostError) as refused:
        story.ask(command)
    assert "manage messages" not in refused.value.sentence.text  # they may not either


def test_robots_come_and_go_one_at_a_time():
    story = Story(ANN)
    story.ask(commands.AddRobot(ANN))
    story.ask(commands.AddRobot(ANN))
    story.ask(commands.RemoveRobot(ANN))
    assert story.table.chairs == (Human(ANN), ROBOT, None, None)


@pytest.mark.parametrize("present", [(ANN,), (ANN, BEA, CYD)])
def test_a_game_does_not_start_with_free_chairs(present):
    with pytest.raises(TooFewPlayersError):
        Story(*present).ask(commands.Start(ANN, 0.0))


def test_anybody_who_sits_at_a_full_table_may_start_it():
    story = Story(*FOUR)
    story.ask(commands.Start(DAN, 0.0))
    assert story.table.status is Status.PLAYING
    assert story.table.game.phase is Phase.PASSING


def test_a_bystander_does_not_start_a_game():
    with pytest.raises(NotOneOfUsError):
        Story(*FOUR).ask(commands.Start(EVE, 0.0))


def test_a_game_starts_once():
    with pytest.raises(WrongPhaseError):
        started().ask(commands.Start(ANN, 0.0))


@pytest.mark.parametrize(("fraction", "dealer"), [(0.0, 0), (0.26, 1), (0.5, 2), (0.999, 3)])
def test_chance_says_who_deals_first(fraction, dealer):
    story = Story(*FOUR)
    story.ask(commands.Start(ANN, fraction))
    assert story.table.game.dealer == dealer


def test_nobody_joins_a_game_that_began():
    with pytest.raises(WrongPhaseError):
        started().ask(commands.Join(EVE))
    with pytest.raises(AlreadySeatedError):
        started().ask(commands.Join(ANN))


def test_who_leaves_a_game_leaves_a_robot_that_keeps_the_seat():
    story = started()
    story.ask(commands.Leave(BEA))
    assert story.table.chairs[1] == Robot("steady", keeps_for=BEA)
    assert story.table.status is Status.PLAYING


def test_a_robot_in_the_seat_has_to_go_before_its_person_plays():
    story = started()
    command = pass_of(story, BEA)
    story.ask(commands.Leave(BEA))
    with pytest.raises(RobotSitsInError):
        story.ask(command)
    story.ask(commands.TakeSeatBack(BEA))
    story.ask(command)
    assert story.table.game.deal.passes[1] == command.cards


def test_only_a_seat_that_a_robot_keeps_can_be_taken_back():
    story = started()
    with pytest.raises(AlreadySeatedError):
        story.ask(commands.TakeSeatBack(BEA))
    with pytest.raises(NotOneOfUsError):
        story.ask(commands.TakeSeatBack(EVE))


def test_leaving_twice_is_refused_in_words():
    story = started()
    story.ask(commands.Leave(BEA))
    with pytest.raises(RobotSitsInError):
        story.ask(commands.Leave(BEA))


def test_a_host_who_leaves_the_game_passes_it_on():
    story = started()
    story.ask(commands.Leave(ANN))
    assert story.table.host == BEA


def test_a_game_that_all_people_left_closes():
    story = started(ANN, BEA)
    story.ask(commands.Leave(BEA))
    story.ask(commands.Leave(ANN))
    assert (story.table.status, story.table.closed_because) == (Status.CLOSED, "empty")


@pytest.mark.parametrize(
    ("user_id", "moderator", "reason"),
    [(ANN, False, "host"), (ANN, True, "host"), (EVE, True, "moderator")],
)
def test_host_and_moderators_end_a_table(user_id, moderator, reason):
    story = started()
    story.ask(commands.End(user_id, moderator))
    assert (story.table.status, story.table.closed_because) == (Status.CLOSED, reason)


def test_nobody_else_ends_a_table():
    with pytest.raises(NotHostError):
        started().ask(commands.End(BEA, moderator=False))


def test_a_paused_game_takes_no_moves_and_goes_on_where_it_was():
    story = in_play()
    person, card = on_turn(story)
    story.ask(commands.Pause("forbidden"))
    with pytest.raises(TablePausedError):
        story.ask(commands.PlayCard(person, card, 1))
    story.ask(commands.Resume())
    story.ask(commands.PlayCard(person, card, 1))


def test_a_paused_lobby_goes_on_as_a_lobby():
    story = Story(ANN)
    story.ask(commands.Pause("forbidden"))
    with pytest.raises(TablePausedError):
        story.ask(commands.Join(BEA))
    story.ask(commands.Resume())
    assert story.table.status is Status.LOBBY


def test_asking_for_the_post_lets_a_paused_table_go_on():
    story = started()
    story.ask(commands.Pause("archived"))
    story.ask(commands.Surface())
    assert (story.table.status, story.table.surfaced) == (Status.PLAYING, 1)


@pytest.mark.parametrize("command", [commands.Pause("forbidden"), commands.Resume()])
def test_pausing_and_resuming_twice_does_nothing_more(command):
    story = started()
    if isinstance(command, commands.Pause):
        story.ask(command)
    assert story.ask(command) == ()


def test_a_table_is_not_paused_for_a_place_in_which_it_stands_no_more():
    story = started()
    before = story.table.channel_id
    story.ask(commands.MoveTable(ANN, ChannelId(before + 1), moderator=False))
    assert story.ask(commands.Pause("forbidden", before)) == ()
    assert story.ask(commands.Pause("forbidden", story.table.channel_id)) != ()


ENDED_MOVES = [
    commands.Join(EVE),
    commands.Leave(ANN),
    commands.AddRobot(ANN),
    commands.RemoveRobot(ANN),
    commands.Start(ANN, 0.0),
    commands.TakeSeatBack(ANN),
    commands.PassCards(ANN, frozenset(), 1),
    commands.SettleMoon(ANN, MoonPayoff.ADD_OTHERS, 1),
    commands.Surface(),
    commands.End(ANN, moderator=True),
]


@pytest.mark.parametrize("command", ENDED_MOVES, ids=lambda command: type(command).__name__)
def test_nothing_happens_any_more_at_a_table_that_is_over(command):
    story = started()
    story.ask(commands.Close("idle"))
    with pytest.raises(WrongPhaseError):
        story.ask(command)


@pytest.mark.parametrize(
    "command", [commands.Close("idle"), commands.Pause("forbidden"), commands.Resume()]
)
def test_a_table_that_is_over_cannot_be_closed_or_paused(command):
    story = started()
    story.ask(commands.Close("left_server"))
    assert story.ask(command) == ()
    assert story.table.closed_because == "left_server"
