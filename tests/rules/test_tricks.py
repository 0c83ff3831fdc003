import pytest

from bot.rules.cards import Seat, parse_cards
from bot.rules.dimensions import FirstLead
from bot.rules.state import Play, Trick
from bot.rules.tricks import after, cancelled, lowest_club, next_to_play, opening_seat, winner
from bot.rules.variants import load
from tests.support.deals import STANDARD, cards, house_rules


def trick(text, leader=0, seats=4):
    plays = tuple(
        Play(Seat((leader + place) % seats), card) for place, card in enumerate(parse_cards(text))
    )
    return Trick(Seat(leader), plays)


@pytest.mark.parametrize(
    ("text", "leader", "seat"),
    [
        ("2C KC 3C QC", 0, 1),
        ("2C KC 3C QC", 3, 0),
        ("5D AS AC AH", 2, 2),
        ("9H TH JH 2S", 1, 3),
        ("QS KS AS 2C", 0, 2),
    ],
)
def test_the_highest_card_of_the_suit_led_takes_the_trick(text, leader, seat):
    """rules.md 1.1."""
    assert winner(STANDARD, trick(text, leader)) == seat


def test_play_goes_to_the_left():
    """rules.md 1.1: clockwise."""
    assert next_to_play(trick("2C KC", leader=3), 4) == 1
    assert after(Seat(3), 4) == 0
    assert after(Seat(0), 4, -1) == 3


def test_the_lowest_club_counts_in_any_hand():
    assert str(lowest_club((cards("5C 2D"), cards("4C AC")))) == "4C"
    assert lowest_club((cards("2D"), cards("2S"))) is None


@pytest.mark.parametrize(
    ("first_lead", "seat"),
    [("lowest_club", 2), ("holder_any_club", 2), ("left_of_dealer", 1)],
)
def test_who_leads_first(first_lead, seat):
    """rules.md 3.4."""
    hands = tuple(map(cards, ("5C", "2D", "3C", "4C")))
    rules = house_rules(first_lead=first_lead)
    assert rules.first_lead is FirstLead(first_lead)
    assert opening_seat(rules, hands, Seat(0)) == seat


@pytest.mark.parametrize(
    ("text", "dead"),
    [
        ("2S AS AS.2 KS", "AS AS.2"),
        ("2S QS QS.2 QS.3", "QS QS.2"),
        ("2S AH AH.2 KS", ""),
        ("2S JK JK.2 KS", ""),
    ],
)
def test_two_equal_cards_of_the_suit_led_cancel_each_other(text, dead):
    """rules.md 1.14 and 2.3.8: the third copy is live, other suits and jokers change nothing."""
    assert cancelled(load("killer"), trick(text)) == cards(dead)
    assert cancelled(load("joker_hearts"), trick(text)) == frozenset()
