"""Deals whose rest is certain end when the table wants it, or by themselves."""

from dataclasses import replace
from datetime import timedelta

import pytest

from bot.rules.cards import Seat
from bot.rules.claims import Certainty, Claim, certain_rest, known_rest
from bot.rules.commands import PlayedBy
from bot.rules.dimensions import WidowRules, WidowTake
from bot.rules.events import CardPlayed, DealBegan, DealScored
from bot.table import commands, dealing, posts, viewing
from bot.table.ballots import EndDeal
from bot.table.errors import RobotSitsInError, StaleVoteError
from bot.table.events import VoteCast, VoteSettled
from bot.table.history import evolve
from bot.table.ids import Human, Robot
from bot.table.manager import OpenTable
from bot.table.posting import SheetPost
from bot.table.state import Status
from bot.table.storing import PersonSettings
from bot.table.table import decide
from tests.support.deals import cards, deal_in_play, played
from tests.support.rooms import STORES, room_on
from tests.support.showing import FOUR_PEOPLE, post_of, table_of
from tests.support.tables import ANN, BEA, CHANNEL, CYD, DAN, GUILD, STANDARD, Room

NOTHING_LEFT = ("2C 3D", "4C 5D", "6C 7D", "8C 9D")
A_HEART_LEFT = ("2C 3H", "4C 5D", "6C 7D", "8C 9D")
BANKS = (timedelta(hours=1),) * 4


def certain(**changes):
    return table_of(deal_in_play(*NOTHING_LEFT), banks=BANKS, **changes)


def asked_by(*people, table):
    """The table after these have pressed, and what the last press brought about."""
    events = ()
    for person in people:
        events = decide(table, commands.CallVote(person, EndDeal(1)))
        for event in events:
            table = evolve(table, event, person)
    return table, events


def view_of(table):
    return viewing.table_view(table, version=1, timers=(), names={}, newest_message=None)


def test_one_press_each_ends_the_deal():
    table, events = asked_by(ANN, BEA, CYD, table=certain())
    assert table.game.scores == ()
    assert isinstance(events[0], VoteCast)
    table, events = asked_by(DAN, table=table)
    assert [type(event) for event in events[:2]] == [VoteCast, VoteSettled]
    claimed = [event for event in events if isinstance(event, CardPlayed)]
    assert {event.by for event in claimed} == {PlayedBy.CLAIM}
    assert len(table.game.scores) == 1


def test_among_robots_one_person_is_enough():
    robots = (Human(ANN), *(Robot("steady") for _ in range(3)))
    table, _ = asked_by(ANN, table=certain(chairs=robots))
    assert len(table.game.scores) == 1


def test_who_has_left_the_seat_to_a_robot_has_no_word_in_it():
    kept = (Human(ANN), Robot("steady", BEA), *FOUR_PEOPLE[2:])
    with pytest.raises(RobotSitsInError):
        decide(certain(chairs=kept), commands.CallVote(BEA, EndDeal(1)))


@pytest.mark.parametrize(
    "table",
    [
        table_of(deal_in_play(*A_HEART_LEFT)),
        certain(agreed_pause=True),
        certain(status=Status.PAUSED),
    ],
    ids=["a heart is left", "pause", "no place"],
)
def test_what_is_not_certain_now_cannot_be_ended(table):
    with pytest.raises(StaleVoteError):
        decide(table, commands.CallVote(ANN, EndDeal(1)))
    assert view_of(table).claim is None


def test_a_press_for_a_deal_that_is_over_ends_nothing():
    with pytest.raises(StaleVoteError):
        decide(certain(), commands.CallVote(ANN, EndDeal(2)))


def test_everybody_sees_that_a_deal_can_be_ended_and_why():
    assert view_of(certain()).claim == Claim(Certainty.NOTHING_LEFT)


LEADER_TAKES = ("AC AD", "4C 5H", "6C 7D", "8C 9D")


def test_that_one_takes_all_the_rest_is_known_to_that_one_alone_until_it_says_so():
    """Nobody learns from a button what only the cards of others tell (house.md 4.4)."""
    table = table_of(deal_in_play(*LEADER_TAKES), banks=BANKS)
    assert view_of(table).claim is None
    hands = {
        person: viewing.hand_view(table, view_of(table), person, PersonSettings()).claim
        for person in (ANN, BEA, CYD, DAN)
    }
    claim = Claim(Certainty.ONE_TAKES_ALL, Seat(0))
    assert hands == {ANN: claim, BEA: None, CYD: None, DAN: None}
    with pytest.raises(StaleVoteError):
        decide(table, commands.CallVote(BEA, EndDeal(1)))
    after, _ = asked_by(ANN, BEA, CYD, DAN, table=table)
    assert after.game.scores[0].points == (0, 26, 26, 26), "the one heart there is was a moon"


def test_a_card_that_may_lie_in_a_hidden_widow_is_not_known_to_be_gone():
    """A dead widow is seen by nobody: a heart in it may as well be in a hand (rules.md 3.3)."""
    rules = replace(STANDARD, widow=WidowRules(size=1, take=WidowTake.DEAD))
    game = deal_in_play(*NOTHING_LEFT, ruleset=rules)
    harmless = replace(game, deal=replace(game.deal, widow=cards("2D")))
    costly = replace(game, deal=replace(game.deal, widow=cards("2H")))
    assert certain_rest(costly) == certain_rest(harmless) == Claim(Certainty.NOTHING_LEFT)
    assert known_rest(harmless, None) == Claim(Certainty.NOTHING_LEFT)
    assert known_rest(costly, None) is None
    assert known_rest(costly, Seat(0)) is None


def test_nobody_is_late_by_a_claim_and_nobody_is_paid_for_it():
    """A card that nobody chose costs no time and gives none."""
    before = replace(certain(), missed=frozenset({1}), last_actor=BEA)
    table, _ = asked_by(ANN, BEA, CYD, DAN, table=before)
    assert (table.banks, table.missed) == (BANKS, frozenset({1}))
    assert table.last_actor == DAN, "whoever agreed last is here, and need not be called"


def test_at_a_table_where_such_deals_end_by_themselves_no_card_of_the_rest_is_played():
    table = certain(claims_itself=True)
    rest = dealing.rest(table)
    assert sum(isinstance(event, CardPlayed) for event in rest) == 8
    assert any(isinstance(event, DealScored) for event in rest)
    assert dealing.rest(certain()) == ()
    assert dealing.rest(replace(table, agreed_pause=True)) == ()
    assert dealing.rest(table_of(deal_in_play(*A_HEART_LEFT), claims_itself=True)) == ()


def test_tricks_that_nobody_played_are_not_posted_one_by_one_and_the_sheet_counts_them():
    """The sheet says so; a trick that somebody led is shown to its end."""
    led = table_of(played(deal_in_play(*NOTHING_LEFT), "2C"), banks=BANKS)
    table, _ = asked_by(ANN, BEA, CYD, DAN, table=led)
    assert posts.slots(table)[:5] == ("lobby", "deal:1", "trick:1", "trick:2", "sheet:1")
    sheet = post_of(table, "sheet:1")
    assert isinstance(sheet, SheetPost)
    assert sheet.claimed == 1
    whole, _ = asked_by(ANN, BEA, CYD, DAN, table=certain())
    assert post_of(whole, "sheet:1").claimed == 2


@pytest.mark.parametrize("store", STORES)
@pytest.mark.thorough
async def test_a_deal_ends_by_itself_in_the_same_breath_as_the_card_before(store, tmp_path):
    """Stored with the move that made it certain, then the next deal; a restart finds the same."""
    async with room_on(store, tmp_path) as room:
        view = await open_by_itself(room)
        await room.play_until(view.id, 5)
        stored = [entry.event for entry in await room.store.load(view.id)]
        claims = [e for e in stored if isinstance(e, CardPlayed) and e.by is PlayedBy.CLAIM]
        assert claims, "no deal became certain before its last card"
        assert sum(isinstance(event, DealBegan) for event in stored) >= 5
        again = room.another_manager()
        assert (await again.view(view.id)).game == (await room.tables.view(view.id)).game


@pytest.mark.parametrize("status", [each for each in Status if each is not Status.PLAYING])
def test_no_card_falls_by_itself_at_a_table_where_nothing_is_played(status):
    assert dealing.rest(certain(claims_itself=True))
    assert dealing.rest(certain(claims_itself=True, status=status)) == ()


async def open_by_itself(room: Room):
    wish = OpenTable(
        guild_id=GUILD,
        channel_id=CHANNEL,
        ruleset=STANDARD,
        seats=4,
        clock=(await Room().open()).clock,
        robots=("steady",) * 3,
        invited=(),
        claims_itself=True,
    )
    view = await room.tables.open(room.by(ANN), wish)
    return await room.tables.start(room.by(ANN), view.id)
