"""Which posts a table has and what stands in them (house.md 4.5, discord.md 3)."""

from dataclasses import replace
from datetime import timedelta

import pytest

from bot.rules.cards import Seat, parse_cards, sorted_cards
from bot.rules.commands import BeginDeal, PassCards
from bot.rules.dimensions import PassTo
from bot.rules.state import Phase
from bot.rules.variants import load
from bot.table import posts
from bot.table.ids import Human, Robot
from bot.table.posting import DealPost, LobbyPost, ResultPost, SheetPost, TrickPost
from bot.table.state import Status
from bot.table.storing import Timer, TimerKind
from cogs.words import say
from tests.support.clock import NOON
from tests.support.deals import (
    STANDARD,
    after,
    cards,
    deal_in_play,
    deal_opening,
    deal_played_out,
    deal_to_pass,
    played,
)
from tests.support.showing import FOUR_PEOPLE, post_of, seats, table_of
from tests.support.tables import ANN, BEA, CYD, DAN

TWO_EACH = ("2C 3H", "3C 4H", "4C 5H", "5C 6H")


def first(ordered, count):
    return ordered[:count]


def test_a_lobby_has_one_post():
    assert posts.slots(table_of(None)) == ("lobby",)


def test_a_trick_has_its_post_from_its_lead_on():
    game = deal_opening(*TWO_EACH)
    assert posts.slots(table_of(game)) == ("lobby", "deal:1")
    assert posts.slots(table_of(played(game, "2C"))) == ("lobby", "deal:1", "trick:1")
    full = played(game, "2C 3C 4C 5C")
    assert posts.slots(table_of(full)) == ("lobby", "deal:1", "trick:1")


def test_posts_follow_the_game_in_order_and_tricks_count_on_through_the_deals():
    game, _ = deal_played_out(deal_opening(*TWO_EACH), first)
    over = after(game, BeginDeal(STANDARD.deck(4)))
    slots = posts.slots(table_of(over))
    assert slots == ("lobby", "deal:1", "trick:1", "trick:2", "sheet:1", "deal:2")
    passes = [PassCards(Seat(seat), lowest_three(over, seat)) for seat in range(4)]
    led = played(after(over, *passes), "2C")
    assert posts.slots(table_of(led)) == (*slots, "trick:3")


def lowest_three(game, seat):
    return frozenset(sorted_cards(game.deal.hands[seat])[:3])


def test_only_the_newest_post_is_live_and_all_others_are_closed():
    table = table_of(played(deal_opening(*TWO_EACH), "2C 3C 4C 5C 6H"))
    slots = posts.slots(table)
    assert [post_of(table, slot).live for slot in slots] == [False, False, False, True]
    assert posts.closed_slots(table) == slots[:-1]


@pytest.mark.parametrize("status", [Status.OVER, Status.CLOSED])
def test_an_ended_game_has_a_result_and_nothing_in_it_changes_any_more(status):
    table = table_of(played(deal_opening(*TWO_EACH), "2C"), status=status)
    assert posts.slots(table)[-1] == "result"
    assert posts.closed_slots(table) == posts.slots(table)


def test_a_lobby_that_was_closed_has_no_result_and_no_buttons():
    table = table_of(None, status=Status.CLOSED, closed_because="idle")
    assert posts.closed_slots(table) == ("lobby",)
    post = post_of(table, "lobby")
    assert isinstance(post, LobbyPost)
    assert not post.live


def test_the_result_says_why_a_game_ended_before_its_end():
    table = table_of(deal_opening(*TWO_EACH), status=Status.CLOSED, closed_because="host")
    post = post_of(table, "result")
    assert isinstance(post, ResultPost)
    assert (post.closed_because, post.live) == ("host", True)


def test_a_deal_says_where_cards_go_and_who_has_still_to_pass():
    game = deal_to_pass("2C 3C 4C", "2D 3D 4D", "2S 3S 4S", "2H 3H 4H", step=PassTo(1, 3))
    game = after(game, PassCards(Seat(1), cards("2D 3D 4D")))
    post = post_of(table_of(game), "deal:1")
    assert isinstance(post, DealPost)
    assert "left" in str(post.direction)
    assert (post.waiting, post.dealer, post.live) == (seats(0, 2, 3), 3, True)


def test_a_hold_deal_waits_for_nobody_to_pass():
    post = post_of(table_of(deal_opening(*TWO_EACH)), "deal:1")
    assert isinstance(post, DealPost)
    assert post.waiting == ()


def test_a_deal_asks_nobody_to_pass_what_is_passed():
    game = deal_to_pass("2C 3C 4C", "2D 3D 4D", "2S 3S 4S", "2H 3H 4H", step=PassTo(1, 3))
    for seat, hand in enumerate(("2C 3C 4C", "2D 3D 4D", "2S 3S 4S", "2H 3H 4H")):
        game = after(game, PassCards(Seat(seat), cards(hand)))
    post = post_of(table_of(game), "deal:1")
    assert isinstance(post, DealPost)
    assert say(post.direction) == "Passed: 3 cards to the left."


def test_a_deal_of_an_ended_game_waits_for_nobody():
    game = deal_to_pass("2C 3C 4C", "2D 3D 4D", "2S 3S 4S", "2H 3H 4H")
    post = post_of(table_of(game, status=Status.CLOSED, closed_because="host"), "deal:1")
    assert isinstance(post, DealPost)
    assert post.waiting == ()


def test_a_trick_says_whose_turn_it_is_until_when_and_what_lies_in_it():
    game = played(deal_in_play("2C 3C", "4C QS", "5H 6H", "7C 8C"), "3C 4C 6H")
    due_at = NOON + timedelta(hours=24)
    timer = Timer(
        table_id="TABLE234", seat=Seat(3), kind=TimerKind.DEADLINE, moment=2, due_at=due_at
    )
    post = post_of(table_of(game), "trick:2", (timer,))
    assert isinstance(post, TrickPost)
    assert (post.turn, post.deadline, post.points) == (3, due_at, 1)
    assert (post.number, post.deal, post.trick_of_deal) == (2, 1, 2)
    assert post.tricks_in_deal == 13
    assert [play.card for play in post.trick.plays] == list(parse_cards("3C 4C 6H"))


def test_a_full_trick_has_a_winner_and_nobodys_turn():
    game = played(deal_in_play("2C 3C", "4C QS", "5H 6H", "7C 8C"), "3C 4C 6H 8C")
    post = post_of(table_of(game), "trick:2")
    assert isinstance(post, TrickPost)
    assert (post.turn, post.deadline, post.trick.winner) == (None, None, 3)


KILLER = load("killer")
PAIRS = deal_in_play(
    "2D 3H", "3D 4H", "3D.2 5H", "2D.2 6H", "4D 7H", "4D.2 8H", ruleset=KILLER, hearts_broken=True
)


def of_killer(game, slot):
    return post_of(table_of(game, chairs=(*FOUR_PEOPLE, Robot("steady"), Robot("steady"))), slot)


def test_a_trick_without_a_winner_waits_and_goes_with_the_next():
    """rules.md 1.14: the cards stay for the winner of the next trick; points never cancel."""
    tabled = of_killer(played(PAIRS, "2D 3D 3D.2 2D.2 4D 4D.2"), "trick:2")
    assert tabled.taker is None
    assert tabled.cancelled == cards("2D 2D.2 3D 3D.2 4D 4D.2")
    after_it = of_killer(played(PAIRS, "2D 3D 3D.2 2D.2 4D 4D.2 3H 4H"), "trick:3")
    assert after_it.tabled == cards("2D 2D.2 3D 3D.2 4D 4D.2")
    assert after_it.points == 2
    assert (after_it.turn, after_it.taker, after_it.size) == (2, None, 6)


def test_the_last_trick_may_be_dead_and_the_sheet_says_what_lay_in_it():
    """rules.md 1.14, dead trick."""
    hands = ("2H", "3H", "3H.2", "2H.2", "4H", "4H.2")
    game = deal_in_play(*hands, ruleset=KILLER, hearts_broken=True)
    over = played(game, " ".join(hands))
    assert of_killer(over, "trick:2").taker is None
    sheet = of_killer(over, "sheet:1")
    assert (sheet.dead_tricks, sheet.dead_points) == (1, 6)


def test_where_two_cards_a_seat_make_a_trick_the_leader_plays_the_third():
    """rules.md 1.13: leader, other, leader, other; a deal of 52 cards has 13 such tricks."""
    game = deal_in_play("2C 3C 4H", "5C 6C 7H", ruleset=load("draw7"))
    post = post_of(table_of(played(game, "2C 5C"), chairs=FOUR_PEOPLE[:2]), "trick:2")
    assert (post.turn, post.size, post.tricks_in_deal) == (0, 4, 13)
    full = post_of(table_of(played(game, "2C 5C 3C 6C"), chairs=FOUR_PEOPLE[:2]), "trick:2")
    assert (full.turn, full.taker) == (None, 1)


def test_a_deal_that_decides_a_tie_says_so_instead_of_passing():
    """rules.md 3.8 `tiebreak_no_pass`."""
    game = deal_opening(*TWO_EACH)
    game = replace(game, deal=replace(game.deal, is_tiebreak=True))
    assert "decides the tie" in str(post_of(table_of(game), "deal:1").direction)


def test_a_trick_of_an_ended_game_is_nobodys_turn():
    game = played(deal_in_play("2C 3C", "4C QS", "5H 6H", "7C 8C"), "3C")
    post = post_of(table_of(game, status=Status.CLOSED, closed_because="host"), "trick:2")
    assert isinstance(post, TrickPost)
    assert post.turn is None


def test_posts_of_a_past_deal_are_the_same_once_the_next_deal_began():
    game, _ = deal_played_out(deal_opening(*TWO_EACH), first)
    before = table_of(game)
    later = table_of(after(game, BeginDeal(STANDARD.deck(4))))
    for slot in ("deal:1", "trick:1", "trick:2"):
        old, new = post_of(before, slot), post_of(later, slot)
        assert replace(new, table=old.table, live=old.live) == old
    sheet = post_of(later, "sheet:1")
    assert isinstance(sheet, SheetPost)
    assert sheet.score == game.scores[0]


def test_a_slot_that_a_table_does_not_have_is_refused():
    table = table_of(played(deal_opening(*TWO_EACH), "2C"))
    for slot in ("trick:2", "sheet:1", "deal:2"):
        with pytest.raises(LookupError):
            post_of(table, slot)
    with pytest.raises(LookupError):
        post_of(table_of(None), "deal:1")


def called(table):
    return [ping.user_id for ping in posts.pings(table)]


def test_everybody_who_has_to_pass_is_called_and_robots_never():
    game = deal_to_pass("2C 3C 4C", "2D 3D 4D", "2S 3S 4S", "2H 3H 4H")
    chairs = (*FOUR_PEOPLE[:2], Robot("steady"), Robot("steady", DAN))
    assert called(table_of(game, chairs=chairs)) == [ANN, BEA]
    passed = after(game, PassCards(Seat(0), cards("2C 3C 4C")))
    assert called(table_of(passed, last_actor=ANN)) == [BEA, CYD, DAN]


def test_the_host_is_called_when_somebody_else_took_the_last_chair():
    (ping,) = posts.pings(table_of(None, last_actor=DAN))
    assert (ping.user_id, ping.kind, ping.moment) == (ANN, "full", 0)
    assert called(table_of(None, last_actor=ANN)) == []
    assert called(table_of(None, chairs=(Human(ANN), None, None, Human(DAN)))) == []


@pytest.mark.parametrize("status", [Status.PAUSED, Status.OVER, Status.CLOSED])
def test_a_table_that_does_not_go_on_calls_nobody(status):
    game = deal_in_play("2C 3C", "4C QS", "5H 6H", "7C 8C")
    assert game.phase is Phase.PLAYING
    assert called(table_of(game, status=status)) == []
