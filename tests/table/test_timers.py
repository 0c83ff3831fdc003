"""Which timers a table should have (house.md 4.5, reliability.md 4)."""

from datetime import timedelta

import pytest

from bot.rules.cards import Seat
from bot.rules.commands import PassCards
from bot.table import timers
from bot.table.absences import Aways
from bot.table.clocks import move_clock
from bot.table.ids import Human, Robot
from bot.table.state import Status
from bot.table.storing import NO_SEAT, TimerKind
from tests.support.clock import NOON
from tests.support.deals import after, cards, deal_in_play, deal_to_pass, house_rules, played
from tests.support.showing import FOUR_PEOPLE, table_of
from tests.support.tables import ANN

FOUR_SUITS = ("2C 3C 4C", "2D 3D 4D", "2S 3S 4S", "2H 3H 4H")
DAY = timedelta(hours=24)
LATER = NOON + timedelta(minutes=10)
ROBOTS = (Human(ANN), Robot("steady"), Robot("steady"), Robot("steady"))
NOBODY_AWAY: Aways = {}
CHOICE = house_rules(moon={"payoff": "shooter_choice"})


def wanted(table, now=NOON, current=(), aways=NOBODY_AWAY):
    """All timers but reminders, of which tests/table/test_reminders.py tells."""
    found = timers.wanted(
        table, now=now, current=current, delays=timers.Delays(1.5, 20.0), aways=aways
    )
    return tuple(timer for timer in found if timer.kind not in timers.REMINDERS)


def keys(table):
    return [(timer.kind, timer.seat, timer.moment) for timer in wanted(table)]


def test_a_person_who_is_to_play_has_a_deadline_after_the_clocks_seconds():
    (timer,) = wanted(table_of(played(deal_in_play("2C", "3C", "4C", "5C"), "2C")))
    assert (timer.kind, timer.seat, timer.moment) == (TimerKind.DEADLINE, 1, 2)
    assert timer.due_at == NOON + DAY


def test_without_a_clock_nobody_is_ever_late():
    assert wanted(table_of(deal_in_play("2C", "3C", "4C", "5C"), clock=move_clock("off"))) == ()


def test_everybody_who_has_to_pass_has_a_timer_of_their_own_for_the_deal():
    table = table_of(deal_to_pass(*FOUR_SUITS), chairs=(*FOUR_PEOPLE[:2], *ROBOTS[2:]))
    assert keys(table) == [
        (TimerKind.DEADLINE, 0, -1),
        (TimerKind.DEADLINE, 1, -1),
        (TimerKind.ROBOT, 2, -1),
        (TimerKind.ROBOT, 3, -1),
    ]
    assert {timer.due_at for timer in wanted(table)} == {
        NOON + DAY,
        NOON + timedelta(seconds=1.5),
    }


def test_somebody_elses_pass_gives_nobody_more_time():
    game = deal_to_pass(*FOUR_SUITS)
    before = wanted(table_of(game))
    passed = after(game, PassCards(Seat(0), cards("2C 3C 4C")))
    kept = wanted(table_of(passed), LATER, before)
    assert kept == before[1:]


@pytest.mark.parametrize("leader", [ROBOTS[0], ROBOTS[1]], ids=["person", "robot"])
def test_the_last_to_pass_has_the_whole_time_again_to_lead_the_first_trick(leader):
    game = deal_to_pass(*FOUR_SUITS)
    for seat in (0, 2, 3):
        game = after(game, PassCards(Seat(seat), cards(FOUR_SUITS[seat])))
    chairs = (FOUR_PEOPLE[0], leader, *FOUR_PEOPLE[2:])
    before = wanted(table_of(game, chairs=chairs))
    begun = after(game, PassCards(Seat(1), cards(FOUR_SUITS[1])))  # the 2 of clubs came to seat 1
    (timer,) = wanted(table_of(begun, chairs=chairs), LATER, before)
    assert timer.seat == before[0].seat == 1
    assert timer.due_at - LATER == before[0].due_at - NOON


def test_the_next_trick_is_a_new_deadline_for_the_same_seat():
    game = played(deal_in_play("2C 3C", "4C 5C", "6C 7C", "8C 9C"), "2C 4C 6C")
    before = wanted(table_of(game))
    (timer,) = wanted(table_of(played(game, "8C")), LATER, before)
    assert (timer.seat, timer.moment, timer.due_at) == (3, 3, LATER + DAY)


def test_a_robot_that_sits_in_gets_its_own_timer_in_place_of_the_deadline():
    game = played(deal_in_play("2C", "3C", "4C", "5C"), "2C")
    before = wanted(table_of(game))
    (timer,) = wanted(table_of(game, chairs=ROBOTS), LATER, before)
    assert (timer.kind, timer.due_at) == (TimerKind.ROBOT, LATER + timedelta(seconds=1.5))


def test_a_person_who_shot_the_moon_has_a_deadline_for_the_choice():
    game = shot_moon()
    assert keys(table_of(game)) == [(TimerKind.MOON, 0, -1)]
    robot = (Robot("steady"), *FOUR_PEOPLE[1:])
    assert keys(table_of(game, chairs=robot)) == [(TimerKind.ROBOT, 0, -1)]


def shot_moon():
    """Seat 0 takes the only three penalty cards there are, and is asked how it is paid."""
    game = deal_in_play("AH", "2H", "3H", "4H", ruleset=CHOICE, hearts_broken=True)
    return played(game, "AH 2H 3H 4H")


def test_a_game_with_nobody_left_stands_still_and_ends_after_three_days():
    robots = tuple(Robot("steady", person.user_id) for person in FOUR_PEOPLE)
    ends, warns = wanted(table_of(deal_in_play("2C", "3C", "4C", "5C"), chairs=robots))
    assert (ends.kind, ends.seat, ends.due_at) == (TimerKind.ABANDONED, NO_SEAT, NOON + 3 * DAY)
    assert (warns.kind, warns.seat) == (TimerKind.ABANDONED_WARNING, NO_SEAT)
    assert warns.due_at == NOON + 2 * DAY


def test_a_game_that_was_warned_is_not_warned_again_whatever_happens_there():
    robots = tuple(Robot("steady", person.user_id) for person in FOUR_PEOPLE)
    table = table_of(deal_in_play("2C", "3C", "4C", "5C"), chairs=robots)
    ends, warns = wanted(table)
    assert wanted(table, LATER, (ends, warns)) == (ends, warns)
    assert wanted(table, LATER, (ends,)) == (ends,)


def test_every_touch_gives_a_lobby_two_more_hours():
    (timer,) = wanted(table_of(None))
    assert (timer.kind, timer.seat) == (TimerKind.IDLE_LOBBY, NO_SEAT)
    (again,) = wanted(table_of(None), LATER, (timer,))
    assert again.due_at == LATER + timedelta(hours=2)


@pytest.mark.parametrize("game", [None, deal_in_play("2C", "3C", "4C", "5C")])
def test_a_table_without_a_place_to_post_ends_after_two_weeks_and_no_deadline_runs(game):
    table = table_of(game, status=Status.PAUSED)
    (timer,) = wanted(table)
    assert (timer.kind, timer.seat, timer.due_at) == (
        TimerKind.PLACE_LOST,
        NO_SEAT,
        NOON + 14 * DAY,
    )
    assert wanted(table, LATER, (timer,)) == (timer,)
    going_on = wanted(table_of(game), LATER, (timer,))
    assert TimerKind.PLACE_LOST not in {each.kind for each in going_on}


@pytest.mark.parametrize("status", [Status.OVER, Status.CLOSED])
def test_a_table_that_is_over_has_no_timer(status):
    assert wanted(table_of(deal_in_play("2C", "3C", "4C", "5C"), status=status)) == ()
    assert wanted(table_of(None, status=status)) == ()
