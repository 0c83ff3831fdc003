"""Moves at a table: by hand, by robots, and by the clock for whoever is late."""

import pytest

from bot.rules import commands as game_commands
from bot.rules.cards import sorted_cards
from bot.rules.commands import PlayedBy
from bot.rules.errors import IllegalMoveError, Reason
from bot.rules.events import CardPlayed, CardsPassed
from bot.rules.legal import to_move
from bot.rules.state import Phase
from bot.table import commands, events
from bot.table.errors import (
    NotSeatedError,
    StaleClickError,
    WrongPhaseError,
)
from bot.table.history import replay
from bot.table.ids import Human, Robot
from bot.table.lobby import people, seat_of
from bot.table.moments import moment, turn
from bot.table.state import Status
from tests.support.histories import Story, in_play, on_turn, pass_of, stand_in, started
from tests.support.tables import ANN, BEA, DAN, EVE, FOUR


def test_a_bystander_has_no_card_to_play():
    story = in_play()
    _, card = on_turn(story)
    with pytest.raises(NotSeatedError):
        story.ask(commands.PlayCard(EVE, card, 1))


def test_a_lobby_has_no_cards():
    card = on_turn(in_play())[1]
    with pytest.raises(WrongPhaseError):
        Story(*FOUR).ask(commands.PlayCard(ANN, card, 1))


@pytest.mark.parametrize("seen", [0, 2])
def test_a_card_clicked_in_another_trick_is_stale(seen):
    story = in_play()
    person, card = on_turn(story)
    with pytest.raises(StaleClickError):
        story.ask(commands.PlayCard(person, card, seen))


def test_a_pass_clicked_in_another_deal_is_stale():
    story = started()
    command = pass_of(story, ANN)
    with pytest.raises(StaleClickError):
        story.ask(commands.PassCards(ANN, command.cards, 2))


def test_a_pass_that_comes_too_late_hears_it_from_the_rules():
    story = started()
    late = pass_of(story, ANN)
    story = in_play()
    with pytest.raises(IllegalMoveError) as refused:
        story.ask(late)
    assert refused.value.reason is Reason.PASS_CLOSED


def test_a_pass_can_be_changed_while_somebody_else_has_yet_to():
    story = started()
    seat = seat_of(ANN, story.table.chairs)
    story.ask(pass_of(story, ANN))
    other = frozenset(sorted_cards(story.table.game.deal.hands[seat])[-3:])
    story.ask(commands.PassCards(ANN, other, 1))
    assert story.table.game.deal.passes[seat] == other


def test_a_card_of_a_person_names_the_hand():
    story = in_play()
    person, card = on_turn(story)
    (event,) = story.ask(commands.PlayCard(person, card, 1))
    assert event == CardPlayed(seat_of(person, story.table.chairs), card, PlayedBy.HAND)
    assert story.table.last_actor == person


def test_a_late_person_is_moved_for_and_keeps_the_seat():
    story = in_play()
    person, _ = on_turn(story)
    (seat,) = to_move(story.table.game)
    (played,) = story.ask(stand_in(story, seat, late=True))
    assert isinstance(played, CardPlayed)
    assert played.by is PlayedBy.CLOCK
    assert story.table.chairs[seat] == Human(person)
    assert story.table.missed == {seat}
    assert story.table.late_cards == {(1, seat)}
    assert story.table.last_actor is None


def test_a_late_pass_is_made_by_the_robot():
    story = started()
    (passed,) = story.ask(stand_in(story, 3, late=True))
    assert isinstance(passed, CardsPassed)
    assert passed.seat == 3
    assert story.table.missed == {3}


def test_at_the_second_miss_in_a_row_a_robot_sits_in():
    story = late_to_pass()
    (seat,) = to_move(story.table.game)
    person = story.table.chairs[seat].user_id
    handed, played, *_ = (
        event
        for event in story.ask(stand_in(story, seat, late=True))
        if not isinstance(event, events.HostChanged)
    )
    assert handed == events.SeatHandedOver(seat, Robot("steady", keeps_for=person))
    assert isinstance(played, CardPlayed)
    assert seat not in story.table.missed


def test_a_move_by_hand_makes_the_missed_one_good():
    story = late_to_pass()
    (seat,) = to_move(story.table.game)
    person, card = on_turn(story)
    story.ask(commands.PlayCard(person, card, 1))
    assert story.table.missed == {0, 1, 2, 3} - {seat}


def test_a_pass_by_hand_after_the_clocks_makes_the_missed_one_good():
    story = started()
    story.ask(stand_in(story, 3, late=True))
    story.ask(pass_of(story, DAN))
    assert story.table.missed == frozenset()


def test_what_was_missed_follows_from_the_events_alone():
    story = late_to_pass()
    assert replay(story.stored).table.missed == {0, 1, 2, 3}


def late_to_pass():
    """A game in which everybody missed the pass."""
    story = started()
    for seat in range(4):
        story.ask(stand_in(story, seat, late=True))
    return story


def test_when_the_last_person_is_late_the_table_waits_for_somebody_to_come_back():
    story = started(ANN)
    misses_two_moves(story, 0)
    assert story.table.status is Status.PLAYING
    assert people(story.table.chairs) == ()
    story.ask(commands.TakeSeatBack(ANN))
    assert people(story.table.chairs) == (ANN,)


def test_who_comes_back_to_a_table_of_robots_is_its_host():
    story = started(ANN, BEA)
    misses_two_moves(story, 0)
    assert story.table.host == BEA
    misses_two_moves(story, 1)
    story.ask(commands.TakeSeatBack(ANN))
    assert story.table.host == ANN


def misses_two_moves(story, seat):
    """The clock moves for the person of a seat until a robot sits in; all others move in time."""
    while isinstance(story.table.chairs[seat], Human):
        for other in to_move(story.table.game):
            if other == seat:
                story.ask(stand_in(story, seat, late=True))
            elif isinstance(story.table.chairs[other], Robot):
                story.ask(stand_in(story, other, late=False))
            elif story.table.game.phase is Phase.PASSING:
                story.ask(pass_of(story, story.table.chairs[other].user_id))
            else:
                person, card = on_turn(story)
                story.ask(commands.PlayCard(person, card, turn(story.table.game)))


def test_a_robots_card_says_so():
    story = in_play(ANN)
    while not isinstance(story.table.chairs[to_move(story.table.game)[0]], Robot):
        person, card = on_turn(story)
        story.ask(commands.PlayCard(person, card, story.table.game.trick_number))
    (seat,) = to_move(story.table.game)
    (event,) = story.ask(stand_in(story, seat, late=False))
    assert event.by is PlayedBy.ROBOT


def test_a_move_thought_for_a_person_who_came_back_is_stale():
    story = started()
    thought = stand_in(story, 1, late=False)
    with pytest.raises(StaleClickError):
        story.ask(thought)


def test_the_clock_does_not_move_for_a_robot():
    story = started(ANN)
    with pytest.raises(StaleClickError):
        story.ask(stand_in(story, 1, late=True))


def test_a_move_thought_for_an_earlier_moment_is_stale():
    story = started(ANN)
    game = story.table.game
    move = game_commands.PassCards(1, frozenset())
    for wrong in (moment(game) + 1, moment(game) - 1):
        with pytest.raises(StaleClickError):
            story.ask(commands.StandIn(seat=1, move=move, moment=wrong, late=False))
