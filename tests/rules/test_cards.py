import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.rules.cards import Card, Rank, Suit, pack, parse_cards, sorted_cards, write_cards
from bot.rules.errors import NotationError
from bot.rules.frozen import FrozenMap
from bot.rules.selectors import Selector, fits_any

ANY_CARD = st.one_of(
    st.builds(
        Card,
        st.sampled_from([rank for rank in Rank if rank is not Rank.JOKER]),
        st.sampled_from(Suit),
        st.integers(1, 3),
    ),
    st.builds(Card, st.just(Rank.JOKER), st.none(), st.integers(1, 6)),
)


@given(ANY_CARD)
def test_a_card_is_read_back_from_what_it_prints(card):
    assert Card.parse(str(card)) == card


@pytest.mark.parametrize(
    ("text", "card"),
    [
        ("TD", Card(Rank.TEN, Suit.DIAMONDS)),
        ("2C", Card(Rank.TWO, Suit.CLUBS)),
        ("QS.2", Card(Rank.QUEEN, Suit.SPADES, 2)),
        ("JK", Card(Rank.JOKER, None)),
        ("JK.4", Card(Rank.JOKER, None, 4)),
    ],
)
def test_cards_are_written_rank_then_suit(text, card):
    """record.md: `QS`, `TD`, `2C`, jokers `JK`; the second of two equal ones is `QS.2`."""
    assert Card.parse(text) == card


@pytest.mark.parametrize(
    "text",
    ["", "Q", "S", "SQ", "10D", "1C", "qs", "QS ", "QS.", "QS.0", "QS.1", "QS.02", "QS.-1", "QS.x",
     "JKS", "JK.", "15H", "QS.٢", "♠Q", "Q.2"],
)  # fmt: skip
def test_what_is_no_card_is_refused_by_quoting_it(text):
    with pytest.raises(NotationError) as refused:
        Card.parse(text)
    assert refused.value.text == text
    assert text in str(refused.value.sentence)


def test_cards_sort_by_suit_then_from_low_to_high_and_jokers_last():
    """rules.md 0 and record.md: clubs, diamonds, spades, hearts, jokers."""
    mixed = parse_cards("JK 2H AS QS.2 QS 3D AC 2C")
    assert write_cards(mixed) == "2C AC 3D QS QS.2 AS 2H JK"
    assert write_cards(frozenset(mixed)) == write_cards(mixed)


def test_a_pack_is_52_different_cards_in_order():
    assert len(set(pack())) == 52
    assert pack() == sorted_cards(pack())
    assert not set(pack()) & set(pack(copy=2))


def test_an_empty_text_is_no_cards():
    assert parse_cards("") == ()


@pytest.mark.parametrize(
    ("selector", "fitting", "others"),
    [
        ("QS", "QS QS.2", "QH KS JK"),
        ("H*", "2H AH", "2S JK"),
        ("rank:Q", "QC QS.2", "KS JK"),
        ("JK", "JK JK.2", "AH"),
        ("rank:JK", "JK", "JS"),
    ],
)
def test_a_selector_names_a_card_a_suit_or_a_rank_in_every_pack(selector, fitting, others):
    """rules.md 3.6: exact card, `rank:Q`, `H*`; an entry counts for every copy."""
    assert all(map(Selector(selector).fits, parse_cards(fitting)))
    assert not any(map(Selector(selector).fits, parse_cards(others)))


@pytest.mark.parametrize("text", ["", "X*", "*", "QS.2", "rank:", "rank:1", "rank:QS", "H", "Q*"])
def test_what_names_no_cards_is_no_selector(text):
    with pytest.raises(NotationError):
        Selector(text)


def test_an_exact_card_is_narrower_than_a_rank_and_a_rank_than_a_suit():
    assert Selector("QH").precision > Selector("rank:Q").precision > Selector("H*").precision


def test_one_fitting_selector_is_enough():
    hearts_and_queen = (Selector("H*"), Selector("QS"))
    assert fits_any(hearts_and_queen, Card.parse("QS"))
    assert not fits_any(hearts_and_queen, Card.parse("KS"))
    assert not fits_any((), Card.parse("KS"))


def test_a_frozen_map_is_a_value():
    source = {100: 50}
    frozen = FrozenMap(source)
    source[100] = 0
    assert frozen == {100: 50}
    assert hash(frozen) == hash(FrozenMap({100: 50}))
    assert pickle.loads(pickle.dumps(frozen)) == frozen
    assert (len(frozen), frozen[100], repr(frozen)) == (1, 50, "FrozenMap({100: 50})")
