"""What is passed from plain hands, by robots that search (robots.md)."""

from random import Random

import pytest

from bot.arena.at_random import AtRandom
from bot.arena.levels import player
from bot.rules.cards import Seat
from bot.rules.dimensions import PassTo
from bot.rules.variants import load
from bot.rules.view import seat_view
from tests.support.deals import STANDARD, cards, deal_to_pass, house_rules

pytestmark = pytest.mark.thorough

PLAYERS = {"sharp": player("sharp", moves=200), "expert": player("expert", moves=300)}
BARE_QUEEN = "2C 5C 9C JC 2D 4D 7D 8D 3H 4H 6H 3S QS"
GUARDED_QUEEN = "KC JC QC KD QD 9D 8H TH 2S 3S 5S 7S QS"
BARE_KINGS = "2C 5C 9C TC 2D 4D 7D 8D 3H 4H 6H KS AS"
MOON = "AC KC QC JC TC AH KH QH JH AS KS 2D 3D"
LOW_SPADES = "2C 3C 5C 2D 3D KD AD 2H 4H AH 2S 3S 4S"


def packets(passer, hand, rules=STANDARD, to=1, dice=2):
    """What is passed from *hand* so many seats on, with other dice each time."""
    rest = sorted(frozenset(rules.deck(4)) - cards(hand), key=lambda card: card.order)
    others = [" ".join(map(str, rest[first::3])) for first in range(3)]
    game = deal_to_pass(hand, *others, step=PassTo(to, 3), ruleset=rules)
    view = seat_view(game, Seat(0))
    return [passer.choose_pass(view, Random(number)) for number in range(dice)]


@pytest.mark.parametrize("level", PLAYERS)
@pytest.mark.parametrize(
    ("hand", "goes"), [(BARE_QUEEN, "QS"), (BARE_KINGS, "KS AS")], ids=["queen", "king and ace"]
)
def test_what_is_bare_in_spades_is_passed(level, hand, goes):
    assert all(cards(goes) <= packet for packet in packets(PLAYERS[level], hand))


@pytest.mark.parametrize("level", PLAYERS)
@pytest.mark.parametrize(
    ("hand", "stays"),
    [(GUARDED_QUEEN, "QS 2S 3S 5S 7S"), (LOW_SPADES, "2S 3S 4S"), (BARE_QUEEN, "3S")],
    ids=["a queen with four guards", "low spades", "the guard of a queen"],
)
def test_what_is_safe_in_spades_is_kept(level, hand, stays):
    assert not any(cards(stays) & packet for packet in packets(PLAYERS[level], hand))


@pytest.mark.parametrize("level", PLAYERS)
def test_the_queen_of_25_is_passed_to_the_right_with_one_guard(level):
    hand = "2C 5C 9C TC 2D 4D 7D 8D 3H 4H AH 5S QS"
    passed = packets(PLAYERS[level], hand, load("black_maria_c"), to=-1)
    assert all(cards("QS AH") <= packet for packet in passed)


@pytest.mark.parametrize("level", PLAYERS)
def test_a_hand_that_may_shoot_the_moon_keeps_its_tricks_and_passes_its_losers(level):
    assert all(cards("2D 3D") <= packet for packet in packets(PLAYERS[level], MOON))


@pytest.mark.parametrize("level", PLAYERS)
def test_the_same_hand_is_passed_to_pieces_where_there_is_no_moon(level):
    passed = packets(PLAYERS[level], MOON, house_rules(moon={"on": False}))
    assert not any(cards("2D 3D") <= packet for packet in passed)


def test_the_control_a_player_at_random_passes_something_else():
    assert not all(cards("KS AS") <= packet for packet in packets(AtRandom(), BARE_KINGS))
    assert any(cards("QS 2S 3S 5S 7S") & packet for packet in packets(AtRandom(), GUARDED_QUEEN))
