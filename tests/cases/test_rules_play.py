"""Known faults of other games, as far as passing and playing cards go."""

import random

import pytest

from bot.rules.cards import Seat, pack, parse_cards
from bot.rules.commands import BeginDeal, PlayCard
from bot.rules.decide import decide
from bot.rules.evolve import replay
from bot.rules.legal import choice, to_move
from bot.rules.piles import captured, points_in
from bot.rules.state import Phase
from bot.rules.view import seat_view
from tests.support.deals import (
    STANDARD,
    after,
    begun,
    cards,
    deal_in_play,
    deal_opening,
    deal_played_out,
    house_rules,
    order_of,
    played,
)


@pytest.mark.case("B102")
@pytest.mark.parametrize(("ban", "playable"), [(["H*", "QS"], "6D 9S"), ([], "QS 5H 6D 9S")])
def test_b102_no_points_on_the_first_trick_while_a_safe_card_is_held(ban, playable):
    """With the rule on and off; robots choose from the same view as people."""
    hands = ("2C 3C 4C 5C", "QS 5H 6D 9S", "6C 7C 8C 9C", "TC JC QC KC")
    game = played(deal_opening(*hands, ruleset=house_rules(first_trick_ban=ban)), "2C")
    assert choice(game).cards == cards(playable)
    assert seat_view(game, Seat(1)).choice == choice(game)


BREAK_ON_TRICK_FOUR = ("9S 8S AD 5H KC", "2S 3S 4H 6H 8H", "4S 5S 2D 9H TH", "6S 7S 3D 7H JH")


@pytest.mark.case("B105")
def test_b105_hearts_broken_by_a_discard_may_be_led_from_the_next_trick_on():
    game = deal_in_play(*BREAK_ON_TRICK_FOUR)
    for trick in ("9S 2S 4S 6S", "8S 3S 5S 7S"):
        assert choice(game).cards.isdisjoint(cards("5H"))
        game = played(game, trick)
    broken = played(game, "AD 4H 2D 3D")
    assert len(broken.deal.tricks) == 4
    assert choice(broken).cards == cards("5H KC")


@pytest.mark.case("B105")
def test_b105_the_flag_survives_a_restart_and_is_new_in_every_deal():
    """After a restart the game is what its events make of it."""
    start = game = deal_in_play(*BREAK_ON_TRICK_FOUR)
    log = []
    for card in parse_cards("9S 2S 4S 6S 8S 3S 5S 7S AD 4H"):
        events = decide(game, PlayCard(to_move(game)[0], card))
        log += events
        game = replay(game, events)
    restarted = replay(start, log)
    assert restarted.deal.hearts_broken
    over, _ = deal_played_out(restarted, random.Random(1).sample)
    assert over.deal.hearts_broken
    assert not after(over, BeginDeal(pack())).deal.hearts_broken


@pytest.mark.case("B107")
@pytest.mark.parametrize(
    ("breakers", "playable"), [(["H*", "QS"], "2H 9C"), (["H*"], "9C"), ([], "9C")]
)
def test_b107_the_queen_breaks_hearts_only_where_the_switch_is_on(breakers, playable):
    rules = house_rules(breakers=breakers)
    game = deal_in_play("AD 2H 9C", "QS 3C 4C", "3D 5C 6C", "4D 7C 8C", ruleset=rules)
    game = played(game, "AD QS 3D 4D")
    assert choice(game).cards == cards(playable)


@pytest.mark.case("B108")
@pytest.mark.parametrize(("seats", "opener"), [(3, "2C"), (4, "2C"), (5, "3C"), (6, "4C")])
def test_b108_the_lowest_club_opens_a_deal_without_passing(seats, opener):
    """Where 2C is taken out, the next lowest one (rules.md 3.9: the opener by seats)."""
    rules = house_rules(pass_cycle=["hold"])
    deck = rules.deck(seats)
    game = begun(tuple(random.Random(seats).sample(deck, len(deck))), rules, seats)
    assert game.phase is Phase.PLAYING
    assert choice(game).cards == cards(opener)
    assert cards(opener) <= game.deal.hands[to_move(game)[0]]


@pytest.mark.case("B108")
@pytest.mark.parametrize("dealer", range(4))
def test_b108_the_seat_after_the_dealer_leads_where_the_rules_say_so(dealer):
    rules = house_rules(pass_cycle=["hold"], first_lead="left_of_dealer")
    game = begun(pack(), rules, dealer=dealer)
    assert to_move(game) == ((dealer + 1) % 4,)


@pytest.mark.case("B113")
@pytest.mark.parametrize("seats", [3, 4, 5, 6])
@pytest.mark.parametrize(("points", "total"), [({}, 26), ({"JD": -10}, 16), ({"QS": 0}, 13)])
def test_b113_hands_are_equal_and_points_add_up_at_every_number_of_seats(seats, points, total):
    rules = house_rules(points=points, moon={"on": False})
    dice = random.Random(seats)
    deck = rules.deck(seats)
    game = begun(tuple(dice.sample(deck, len(deck))), rules, seats)
    assert {len(hand) for hand in game.deal.hands} == {len(deck) // seats}
    game, _ = deal_played_out(game, dice.sample)
    assert sum(game.scores[0].points) == total
    assert sum(points_in(rules, pile) for pile in captured(game.ruleset, game.deal)) == total


@pytest.mark.case("B124")
@pytest.mark.parametrize(
    ("trick", "taker"),
    [("2S 9S 4S 3S", 1), ("9S AC AD AH", 0), ("2S AC 3S AH", 2), ("KS QS AD AS", 3)],
)
def test_b124_the_highest_card_of_the_suit_led_takes_the_trick(trick, taker):
    """Aces of other suits never do."""
    spare = ("5D", "6D", "7D", "8D")
    hands = [f"{card} {other}" for card, other in zip(trick.split(), spare, strict=True)]
    rules = house_rules(hearts_lead="free")
    game = played(deal_in_play(*hands, ruleset=rules), trick)
    assert game.deal.tricks[-1].winner == taker
    assert to_move(game) == (taker,)


def test_the_deals_above_are_dealt_as_they_are_written():
    hands = [pack()[seat::4] for seat in range(4)]
    assert begun(order_of(hands, 3), STANDARD).deal.hands == tuple(map(frozenset, hands))
