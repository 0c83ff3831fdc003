"""Votes at a table, and what they bring about (cases.md B40, B55)."""

from dataclasses import replace

import pytest

from bot.rules.cards import Seat
from bot.rules.events import LastDealCalled
from bot.table import commands, events, posts
from bot.table.ballots import ChangeClock, EndDeal, Kick, LastDeal, OpenVote, Pause
from bot.table.clocks import move_clock
from bot.table.errors import (
    NotHostError,
    NotOneOfUsError,
    OwnSeatVoteError,
    RobotSitsInError,
    StaleClickError,
    StaleVoteError,
    TooFewVotersError,
)
from bot.table.history import replay
from bot.table.ids import Human, Robot
from bot.table.notices import notices
from bot.table.posting import VOTE
from bot.table.seat_errors import (
    NoGameError,
    NotAtTableError,
    NotPausedError,
    PausedError,
    RemovedError,
    TooManyVotesError,
)
from cogs.words import say
from tests.support.deals import deal_in_play, house_rules
from tests.support.histories import Story, game_of, pass_of, stand_in, started
from tests.support.showing import table_of
from tests.support.tables import ANN, BEA, CYD, DAN, EVE, FOUR

DAY, HOUR, OFF = move_clock("24h"), move_clock("1h"), move_clock("off")
SLOWER, FASTER = ChangeClock(DAY, OFF), ChangeClock(DAY, HOUR)
KICK = Kick(Seat(3), DAN)
OPEN_END = house_rules(end={"hands": "open"})


def called(subject, by=ANN, story=None):
    """A game in which somebody has called a vote."""
    story = story or started()
    story.ask(commands.CallVote(by, subject))
    return story


def agree(story, *people, number=1):
    """Each of these people votes for it; what the last vote brought about."""
    happened = ()
    for person in people:
        happened = story.ask(commands.CastVote(person, number, is_for=True))
    return happened


def told(story, happened, by):
    return [say(sentence) for sentence in notices(story.table, happened, by)]


def paused():
    story = called(Pause())
    agree(story, BEA, CYD, DAN)
    return story


def test_whoever_calls_a_vote_is_for_it_and_the_newest_post_comes_back_to_the_end():
    story = called(SLOWER)
    (vote,) = story.table.votes
    assert (vote.number, vote.subject) == (1, SLOWER)
    assert (vote.in_favour, vote.against) == ({ANN}, frozenset())
    assert story.table.surfaced == 1


def test_a_vote_follows_from_its_events_alone():
    story = called(SLOWER)
    story.ask(commands.CastVote(BEA, 1, is_for=False))
    assert story.table.votes[0].against == {BEA}
    assert replay(story.stored).table == story.table


def test_who_votes_twice_counts_once_and_who_votes_otherwise_changes_it():
    story = called(SLOWER)
    assert story.ask(commands.CastVote(ANN, 1, is_for=True)) == ()
    story.ask(commands.CastVote(ANN, 1, is_for=False))
    (vote,) = story.table.votes
    assert (vote.in_favour, vote.against) == (frozenset(), {ANN})


def test_who_calls_a_vote_that_is_open_votes_for_it():
    story = called(SLOWER)
    story.ask(commands.CallVote(BEA, SLOWER))
    (vote,) = story.table.votes
    assert vote.in_favour == {ANN, BEA}


def test_a_pause_begins_once_all_people_at_the_table_agree():
    story = called(Pause())
    agree(story, BEA, CYD)
    assert not story.table.agreed_pause
    happened = agree(story, DAN)
    assert happened[1:] == (events.VoteSettled(1, passed=True), events.PauseAgreed())
    assert story.table.agreed_pause
    assert story.table.votes == ()
    [sentence] = told(story, happened, DAN)
    assert sentence.startswith("Everybody agreed to a pause.")


def test_one_vote_against_a_pause_is_enough():
    story = called(Pause())
    happened = story.ask(commands.CastVote(BEA, 1, is_for=False))
    assert happened[1:] == (events.VoteSettled(1, passed=False),)
    assert told(story, happened, BEA) == ["The vote did not pass: too few can still be for it."]


def test_one_person_among_robots_pauses_at_once():
    story = called(Pause(), story=started(ANN))
    assert story.table.agreed_pause


def test_nobody_moves_in_a_pause_neither_person_nor_robot_nor_clock():
    story = called(Pause(), story=started(ANN))
    with pytest.raises(PausedError):
        story.ask(pass_of(story, ANN))
    for seat, late in ((1, False), (0, True)):
        with pytest.raises(StaleClickError):
            story.ask(stand_in(story, seat, late=late))


def test_anybody_at_the_table_ends_a_pause():
    story = paused()
    happened = story.ask(commands.EndPause(CYD))
    assert not story.table.agreed_pause
    assert replay(story.stored).table == story.table
    [sentence] = told(story, happened, CYD)
    assert sentence.startswith(f"<@{CYD}> ended the pause.")


def test_a_pause_is_ended_once_and_by_nobody_else():
    story = paused()
    with pytest.raises(NotOneOfUsError):
        story.ask(commands.EndPause(EVE))
    story.ask(commands.EndPause(ANN))
    with pytest.raises(NotPausedError):
        story.ask(commands.EndPause(BEA))


def test_in_a_pause_people_may_leave_come_back_and_be_substituted():
    story = paused()
    story.ask(commands.Leave(BEA))
    story.ask(commands.TakeSeatBack(BEA))
    story.ask(commands.Leave(BEA))
    story.ask(commands.Substitute(EVE, 1))
    assert story.table.agreed_pause


@pytest.mark.case("B55")
def test_b55_a_slower_clock_takes_a_majority_and_a_faster_one_everybody():
    story = called(SLOWER)
    agree(story, BEA)
    assert story.table.clock == DAY
    happened = agree(story, CYD)
    assert story.table.clock == OFF
    assert told(story, happened, CYD)[0].startswith(
        "The table agreed on another clock: no time limit."
    )
    story = called(FASTER)
    agree(story, BEA, CYD)
    assert story.table.clock == DAY
    agree(story, DAN)
    assert story.table.clock == HOUR


def test_a_vote_about_another_clock_does_not_come_back_with_the_clock_it_was_called_under():
    story = called(FASTER)
    called(SLOWER, BEA, story)
    agree(story, CYD, DAN, number=2)
    assert story.table.clock == OFF
    called(ChangeClock(OFF, DAY), story=story)
    agree(story, BEA, CYD, DAN, number=3)
    assert story.table.clock == DAY
    assert story.table.votes == ()
    with pytest.raises(StaleVoteError):
        story.ask(commands.CastVote(BEA, 1, is_for=True))
    assert replay(story.stored).table == story.table


@pytest.mark.case("B40")
def test_b40_a_majority_gives_a_seat_to_a_robot_and_its_person_cannot_come_back():
    story = called(KICK)
    agree(story, BEA)
    assert story.table.chairs[3] == Human(DAN)
    happened = agree(story, CYD)
    assert story.table.chairs[3] == Robot("steady")
    assert replay(story.stored).table == story.table
    assert told(story, happened, CYD) == [f"The table gave the seat of <@{DAN}> to a robot."]
    with pytest.raises(RemovedError):
        story.ask(commands.TakeSeatBack(DAN))
    with pytest.raises(RemovedError):
        story.ask(commands.Substitute(DAN, 3))


@pytest.mark.case("B40")
def test_b40_a_moderator_gives_a_seat_to_a_robot_at_once():
    story = started()
    happened = story.ask(commands.RemovePerson(EVE, ANN))
    assert story.table.chairs[0] == Robot("steady")
    assert story.table.host == BEA
    assert told(story, happened, EVE)[0] == f"A moderator gave the seat of <@{ANN}> to a robot."
    with pytest.raises(NotAtTableError):
        story.ask(commands.RemovePerson(EVE, ANN))


def test_who_was_sent_away_comes_back_when_the_host_invites_them_to_their_own_seat_only():
    story = called(KICK)
    agree(story, BEA, CYD)
    with pytest.raises(NotHostError):
        story.ask(commands.InvitePerson(BEA, DAN, moderator=False))
    story.ask(commands.InvitePerson(ANN, DAN, moderator=False))
    story.ask(commands.Substitute(DAN, 3))
    assert story.table.chairs[3] == Human(DAN)


def test_an_invitation_of_somebody_else_changes_nothing():
    story = started()
    assert story.ask(commands.InvitePerson(ANN, EVE, moderator=False)) == ()


def test_nobody_votes_about_their_own_seat_and_of_two_people_one_sends_nobody_away():
    story = called(KICK)
    with pytest.raises(OwnSeatVoteError):
        story.ask(commands.CastVote(DAN, 1, is_for=False))
    two = started(ANN, BEA)
    with pytest.raises(TooFewVotersError):
        two.ask(commands.CallVote(ANN, Kick(1, BEA)))


def test_a_majority_calls_the_last_deal_of_a_game_without_an_end():
    story = started(ruleset=OPEN_END)
    called(LastDeal(1), by=BEA, story=story)
    agree(story, CYD)
    happened = agree(story, DAN)
    assert isinstance(happened[2], LastDealCalled)
    assert game_of(story).last_deal
    assert told(story, happened, DAN)[0].startswith("The table agreed: this is the last deal")


def test_votes_lapse_when_the_people_at_the_table_change():
    story = called(Pause())
    story.ask(commands.Leave(BEA))
    assert story.table.votes == ()
    with pytest.raises(StaleVoteError):
        agree(story, CYD)


def test_a_bystander_and_somebody_whose_seat_a_robot_keeps_have_no_vote():
    story = started()
    story.ask(commands.Leave(BEA))
    called(SLOWER, story=story)
    with pytest.raises(NotOneOfUsError):
        agree(story, EVE)
    with pytest.raises(RobotSitsInError):
        agree(story, BEA)


@pytest.mark.parametrize("number", [0, 2])
def test_a_vote_that_is_not_open_is_stale(number):
    story = called(SLOWER)
    with pytest.raises(StaleVoteError):
        agree(story, BEA, number=number)


def test_a_vote_that_was_settled_is_stale():
    story = called(SLOWER)
    agree(story, BEA, CYD)
    with pytest.raises(StaleVoteError):
        agree(story, DAN)


def test_three_votes_are_open_at_once_and_no_more():
    story = called(SLOWER)
    called(Pause(), story=story)
    called(KICK, story=story)
    with pytest.raises(TooManyVotesError):
        called(FASTER, story=story)
    agree(story, BEA, CYD)
    called(Kick(1, BEA), story=story)


def test_in_a_lobby_there_is_nothing_to_vote_about():
    with pytest.raises(NoGameError):
        Story(*FOUR).ask(commands.CallVote(ANN, SLOWER))


def test_whoever_has_still_to_vote_is_called_once_until_the_vote_is_settled():
    """A table asks people who are not looking; who has voted is left in peace (cases.md B59)."""
    story = started(ANN, BEA, CYD)
    story.ask(commands.CallVote(ANN, Pause()))
    assert voters_called(story) == [(BEA, 1), (CYD, 1)]
    agree(story, BEA)
    assert voters_called(story) == [(CYD, 1)]
    agree(story, CYD)
    assert voters_called(story) == []


def test_nobody_is_called_to_end_a_deal_since_play_goes_on():
    game = deal_in_play("2C 3D", "4C 5D", "6C 7D", "8C 9D")
    asked = OpenVote(number=1, subject=EndDeal(1), in_favour=frozenset({ANN}), against=frozenset())
    paused = replace(asked, subject=Pause())
    kinds = [ping.kind for ping in posts.pings(table_of(game, votes=(asked,), last_actor=ANN))]
    assert VOTE not in kinds
    control = posts.pings(table_of(game, votes=(paused,), last_actor=ANN))
    assert [ping.kind for ping in control] == [VOTE] * 3


def voters_called(story):
    return [(ping.user_id, ping.moment) for ping in posts.pings(story.table) if ping.kind == VOTE]
