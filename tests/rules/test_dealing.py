"""From the order of the deck to hands, widow and stock (rules.md 3.2)."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.rules.cards import Seat, parse_cards
from bot.rules.dealing import deal_out, order_of, places_aside
from bot.rules.variants import load
from tests.support.deals import STANDARD, cards, house_rules
from tests.support.rulesets import EVERY_TABLE


def shuffled(rules, seats, seed):
    deck = list(rules.deck(seats))
    Random(seed).shuffle(deck)
    return tuple(deck)


def test_cards_go_out_one_at_a_time_from_the_seat_after_the_dealer():
    """rules.md 1.1."""
    dealt = deal_out(STANDARD, 4, Seat(1), STANDARD.deck(4))
    assert STANDARD.deck(4)[:4] == parse_cards("2C 3C 4C 5C")
    for seat, text in ((2, "2C"), (3, "3C"), (0, "4C"), (1, "5C")):
        assert cards(text) <= dealt.hands[seat]


@pytest.mark.parametrize(
    ("positions", "places"),
    [("last", (51, 50, 49, 48)), ("middle", (24, 25, 26, 27))],
)
def test_where_the_widow_comes_from(positions: str, places: tuple[int, ...]):
    """rules.md 3.2, `widow.positions`; a kitty comes from the middle of the deal (1.18)."""
    rules = house_rules(players=[4], hand=12, rest="widow", widow={"positions": positions})
    order = shuffled(rules, 4, 1)
    assert deal_out(rules, 4, Seat(0), order).widow == {order[place] for place in places}


def test_the_widow_for_two_is_the_first_card_and_the_last():
    """rules.md 1.10."""
    rules = load("two_player")
    order = shuffled(rules, 2, 1)
    dealt = deal_out(rules, 2, Seat(0), order)
    assert dealt.widow == {order[0], order[-1]}
    assert order[1] in dealt.hands[1]


def test_the_stock_is_drawn_in_the_order_it_was_dealt():
    """rules.md 1.13: seven cards each, the rest face down."""
    rules = load("draw7")
    order = shuffled(rules, 2, 1)
    dealt = deal_out(rules, 2, Seat(0), order)
    assert dealt.stock == order[14:]
    assert [len(hand) for hand in dealt.hands] == [7, 7]


@pytest.mark.parametrize(
    ("name", "seats", "places"),
    [("two_player", 2, (0, 27)), ("draw7", 2, tuple(range(14, 52))), ("standard", 4, ())],
)
def test_whoever_checks_a_deal_is_told_which_places_go_to_nobody(
    name: str, seats: int, places: tuple[int, ...]
):
    """A widow as in rules.md 1.10, a stock as in 1.13, and a deal of all cards."""
    assert places_aside(load(name), seats) == places


@given(game=st.sampled_from(EVERY_TABLE), seed=st.integers(0, 2**32), dealer=st.integers(0, 10))
def test_every_card_is_dealt_once_and_an_order_is_found_again(
    game: tuple[str, int], seed: int, dealer: int
):
    name, seats = game
    rules, dealer = load(name), Seat(dealer % seats)
    dealt = deal_out(rules, seats, dealer, shuffled(rules, seats, seed))
    everything = [card for hand in dealt.hands for card in hand]
    everything += [*dealt.widow, *dealt.stock]
    assert sorted(map(str, everything)) == sorted(map(str, rules.deck(seats)))
    assert {len(hand) for hand in dealt.hands} == {rules.hand_size(seats)}
    assert not {card.face for card in dealt.widow} & {card.face for card in rules.widow.never}
    assert deal_out(rules, seats, dealer, order_of(rules, dealer, dealt)) == dealt


@pytest.mark.parametrize(
    ("preset", "seats", "size"),
    [
        ("joker_hearts", 3, 54),
        ("joker_hearts", 4, 56),
        ("joker_hearts", 9, 54),
        ("killer_ancestor_jokers", 7, 105),
        ("cancellation", 7, 104),
        ("small", 4, 32),
        ("two_player", 2, 28),
    ],
)
def test_the_decks_of_the_catalogue(preset: str, seats: int, size: int):
    """rules.md 1.9, 1.10, 1.22, 2.3.18."""
    assert len(set(load(preset).deck(seats))) == size


def test_one_copy_an_entry_is_taken_out_or_put_in():
    """rules.md 3.2: the copies that stay have the lowest numbers, added ones the next."""
    deck = load("killer").deck(6)
    assert set(parse_cards("2C QS QS.2 QS.3")) <= set(deck)
    assert "2C.2" not in set(map(str, deck))
