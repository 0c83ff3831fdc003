"""Votes at a table: who may vote, how many are needed, and when a vote has lapsed.

Changing the clock by a vote is cases.md B55, replacing a seat by a majority B40.
"""

from dataclasses import replace
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.rules.cards import Seat
from bot.table.ballots import ChangeClock, EndDeal, Kick, LastDeal, Pause, TableSubject, Votes
from bot.table.clocks import MOVE_CLOCKS, move_clock
from bot.table.errors import (
    NotOneOfUsError,
    OwnSeatVoteError,
    RobotSitsInError,
    StaleVoteError,
    TooFewVotersError,
)
from bot.table.ids import Human, Robot
from bot.table.state import Status
from bot.table.votes import (
    Need,
    Outcome,
    call,
    cast,
    is_stale,
    need,
    outcome,
    voters,
)
from tests.support.deals import deal_in_play, house_rules
from tests.support.showing import FOUR_PEOPLE, table_of
from tests.support.tables import ANN, BEA, CYD, DAN, EVE

DAY, HOUR, OFF = move_clock("24h"), move_clock("1h"), move_clock("off")
OPEN_END = house_rules(end={"hands": "open"})
GAME = deal_in_play("2C 3D", "4C 5D", "6C 7D", "8C 9D", ruleset=OPEN_END)
PLAYING = table_of(GAME)
PAUSED = table_of(GAME, status=Status.PAUSED)
AT_REST = replace(PLAYING, agreed_pause=True)
LOBBY = table_of(None)
OVER = table_of(GAME, status=Status.OVER)
ROBOT, SITS_IN = Robot("steady"), Robot("steady", keeps_for=DAN)

PAUSE, SLOWER, FASTER = Pause(), ChangeClock(DAY, OFF), ChangeClock(DAY, HOUR)
KICK, LAST, END = Kick(Seat(3), DAN), LastDeal(1), EndDeal(1)
ALL_SUBJECTS: tuple[TableSubject, ...] = (PAUSE, SLOWER, FASTER, KICK, LAST, END)


def with_chairs(*chairs):
    return replace(PLAYING, chairs=chairs)


def test_a_majority_of_the_people_passes_a_vote():
    votes = cast(call(SLOWER, ANN, PLAYING), BEA, PLAYING, is_for=True)
    assert outcome(votes, FOUR_PEOPLE) is Outcome.OPEN
    votes = cast(votes, CYD, PLAYING, is_for=True)
    assert outcome(votes, FOUR_PEOPLE) is Outcome.PASSED


def test_of_two_people_a_majority_is_both():
    two = with_chairs(Human(ANN), Human(BEA), ROBOT, ROBOT)
    votes = call(SLOWER, ANN, two)
    assert outcome(votes, two.chairs) is Outcome.OPEN
    assert outcome(cast(votes, BEA, two, is_for=True), two.chairs) is Outcome.PASSED


def test_one_person_among_robots_decides_alone():
    alone = with_chairs(Human(ANN), ROBOT, ROBOT, SITS_IN)
    assert outcome(call(SLOWER, ANN, alone), alone.chairs) is Outcome.PASSED


def test_whoever_calls_a_vote_is_for_it():
    assert call(SLOWER, ANN, PLAYING) == Votes(SLOWER, in_favour=frozenset({ANN}))


def test_voting_twice_counts_once():
    votes = call(SLOWER, ANN, PLAYING)
    assert cast(votes, ANN, PLAYING, is_for=True) == votes
    assert outcome(votes, FOUR_PEOPLE) is Outcome.OPEN


def test_a_person_may_change_their_mind():
    votes = cast(call(SLOWER, ANN, PLAYING), ANN, PLAYING, is_for=False)
    assert votes == Votes(SLOWER, against=frozenset({ANN}))
    assert cast(votes, ANN, PLAYING, is_for=True) == call(SLOWER, ANN, PLAYING)


def test_a_vote_fails_once_it_cannot_pass_any_more():
    votes = cast(call(SLOWER, ANN, PLAYING), BEA, PLAYING, is_for=False)
    assert outcome(votes, FOUR_PEOPLE) is Outcome.OPEN
    votes = cast(votes, CYD, PLAYING, is_for=False)
    assert outcome(votes, FOUR_PEOPLE) is Outcome.FAILED


def test_where_all_are_needed_one_vote_against_it_is_enough():
    votes = cast(call(FASTER, ANN, PLAYING), BEA, PLAYING, is_for=False)
    assert outcome(votes, FOUR_PEOPLE) is Outcome.FAILED


def test_where_all_are_needed_the_last_person_passes_it():
    votes = Votes(FASTER, in_favour=frozenset({ANN, BEA, CYD}))
    assert outcome(votes, FOUR_PEOPLE) is Outcome.OPEN
    assert outcome(cast(votes, DAN, PLAYING, is_for=True), FOUR_PEOPLE) is Outcome.PASSED


@pytest.mark.parametrize(
    ("subject", "needed"),
    [
        (PAUSE, Need.ALL),
        (SLOWER, Need.MAJORITY),
        (FASTER, Need.ALL),
        (ChangeClock(OFF, DAY), Need.ALL),
        (ChangeClock(HOUR, DAY), Need.MAJORITY),
        (KICK, Need.MAJORITY),
        (LAST, Need.MAJORITY),
        (END, Need.ALL),
    ],
)
def test_nobody_waits_or_loses_time_unless_all_agree(subject: TableSubject, needed: Need):
    assert need(subject) is needed


def test_every_kind_of_subject_is_tried():
    assert {type(subject) for subject in ALL_SUBJECTS} == set(get_args(TableSubject))


def test_robots_and_people_whose_seat_a_robot_keeps_have_no_vote():
    chairs = (Human(ANN), ROBOT, SITS_IN, None)
    assert voters(SLOWER, chairs) == {ANN}
    kept = with_chairs(Human(ANN), Human(BEA), ROBOT, SITS_IN)
    with pytest.raises(RobotSitsInError):
        call(SLOWER, DAN, kept)


def test_people_without_a_seat_have_no_vote():
    with pytest.raises(NotOneOfUsError):
        call(SLOWER, EVE, PLAYING)


def test_the_vote_of_somebody_who_has_left_counts_no_more():
    votes = cast(call(SLOWER, ANN, PLAYING), DAN, PLAYING, is_for=True)
    left = (Human(ANN), Human(BEA), Human(CYD), SITS_IN)
    assert outcome(votes, left) is Outcome.OPEN
    assert outcome(votes, (Human(ANN), ROBOT, ROBOT, SITS_IN)) is Outcome.PASSED


def test_without_people_nothing_passes():
    votes = call(SLOWER, ANN, PLAYING)
    assert outcome(votes, (ROBOT, ROBOT, ROBOT, SITS_IN)) is Outcome.FAILED


def test_nobody_votes_about_their_own_seat():
    assert voters(KICK, FOUR_PEOPLE) == {ANN, BEA, CYD}
    with pytest.raises(OwnSeatVoteError):
        cast(call(KICK, ANN, PLAYING), DAN, PLAYING, is_for=False)


def test_b40_a_majority_of_the_people_can_replace_a_seat():
    votes = cast(call(KICK, ANN, PLAYING), BEA, PLAYING, is_for=True)
    assert outcome(votes, FOUR_PEOPLE) is Outcome.OPEN
    assert outcome(cast(votes, CYD, PLAYING, is_for=True), FOUR_PEOPLE) is Outcome.PASSED


def test_of_three_people_the_other_two_together_can_replace_a_seat():
    three = with_chairs(Human(ANN), Human(BEA), ROBOT, Human(DAN))
    votes = call(KICK, ANN, three)
    assert outcome(votes, three.chairs) is Outcome.OPEN
    assert outcome(cast(votes, BEA, three, is_for=True), three.chairs) is Outcome.PASSED
    assert outcome(cast(votes, BEA, three, is_for=False), three.chairs) is Outcome.FAILED


def test_of_two_people_one_cannot_send_away_the_other():
    two = with_chairs(Human(ANN), ROBOT, ROBOT, Human(DAN))
    with pytest.raises(TooFewVotersError):
        call(KICK, ANN, two)


@pytest.mark.parametrize("subject", [PAUSE, SLOWER, FASTER, KICK, LAST])
def test_a_vote_that_fits_the_table_is_not_stale(subject: TableSubject):
    assert not is_stale(subject, PLAYING)
    assert call(subject, ANN, PLAYING).in_favour == {ANN}


@pytest.mark.parametrize(
    ("subject", "table"),
    [
        (PAUSE, AT_REST),
        (SLOWER, replace(PLAYING, clock=HOUR)),
        (ChangeClock(DAY, DAY), PLAYING),
        (KICK, replace(PLAYING, chairs=(*FOUR_PEOPLE[:3], Human(EVE)))),
        (KICK, replace(PLAYING, chairs=(*FOUR_PEOPLE[:3], SITS_IN))),
        (LastDeal(2), PLAYING),
        (EndDeal(2), PLAYING),
        (END, AT_REST),
        (END, table_of(deal_in_play("2H 3D", "4C 5D", "6C 7D", "8C 9D"))),
        (LAST, table_of(replace(GAME, last_deal=True))),
        (LAST, table_of(replace(GAME, ruleset=house_rules()))),
        *((subject, LOBBY) for subject in ALL_SUBJECTS),
        *((subject, OVER) for subject in ALL_SUBJECTS),
    ],
)
def test_a_vote_that_the_table_has_moved_on_from_is_stale(subject: TableSubject, table):
    assert is_stale(subject, table)
    with pytest.raises(StaleVoteError):
        call(subject, ANN, table)


def test_a_stale_vote_is_neither_cast_nor_taken_back():
    votes = call(PAUSE, ANN, PLAYING)
    with pytest.raises(StaleVoteError):
        cast(votes, BEA, AT_REST, is_for=True)


@pytest.mark.parametrize("paused", [PAUSED, AT_REST])
def test_a_game_that_is_paused_can_have_another_clock_and_other_people(paused):
    assert not is_stale(SLOWER, paused)
    assert not is_stale(KICK, paused)


def test_a_vote_that_has_passed_or_failed_takes_no_more_votes():
    passed = Votes(SLOWER, in_favour=frozenset({ANN, BEA, CYD}))
    failed = Votes(SLOWER, against=frozenset({ANN, BEA}))
    for votes in (passed, failed):
        with pytest.raises(StaleVoteError):
            cast(votes, DAN, PLAYING, is_for=True)


def test_every_clock_is_as_fast_as_itself_and_faster_than_those_after_it():
    for place, clock in enumerate(MOVE_CLOCKS):
        assert {need(ChangeClock(clock, slower)) for slower in MOVE_CLOCKS[place:]} == {
            Need.MAJORITY
        }
        assert {need(ChangeClock(clock, faster)) for faster in MOVE_CLOCKS[:place]} <= {Need.ALL}


presses = st.lists(st.tuples(st.sampled_from([ANN, BEA, CYD, DAN]), st.sampled_from("+-")))
subjects = st.sampled_from([PAUSE, SLOWER, FASTER, KICK, LAST])


@given(subjects, presses)
def test_however_people_press_only_the_last_press_of_each_counts(subject: TableSubject, presses):
    votes, latest = Votes(subject), {}
    for person, press in presses:
        if outcome(votes, FOUR_PEOPLE) is not Outcome.OPEN:
            break
        if person not in voters(subject, FOUR_PEOPLE):
            continue
        latest[person] = press
        votes = cast(votes, person, PLAYING, is_for=press == "+")
    assert votes.in_favour == {person for person, press in latest.items() if press == "+"}
    assert votes.against == {person for person, press in latest.items() if press == "-"}
    yes, no = len(votes.in_favour), len(votes.against)
    needed, able = (4 if need(subject) is Need.ALL else 3), (3 if subject == KICK else 4)
    expected = Outcome.PASSED if yes >= needed else Outcome.OPEN
    assert outcome(votes, FOUR_PEOPLE) is (Outcome.FAILED if able - no < needed else expected)


def test_whoever_may_not_vote_is_told_that_and_not_how_many_are_missing():
    """At a table of two a stranger has no seat, and nobody votes about their own."""
    two = table_of(GAME, chairs=(Human(ANN), Human(BEA), ROBOT, ROBOT))
    with pytest.raises(NotOneOfUsError):
        call(Kick(Seat(1), BEA), EVE, two)
    with pytest.raises(OwnSeatVoteError):
        call(Kick(Seat(0), ANN), ANN, two)
