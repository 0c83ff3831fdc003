import hashlib
import hmac
import math
import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.rules.cards import pack
from bot.rules.shuffle import _below, commitment, cut, shuffle

SHUFFLES = 3_000
WORST_Z = 4
"""Of a fair shuffle; the chance of more is below 1 in 10,000, and the seeds are fixed."""


def z_of_positions(shuffles):
    """How many standard deviations the places of cards are from evenly spread (chi-square)."""
    seen = Counter((card, place) for order in shuffles for place, card in enumerate(order))
    expected = len(shuffles) / 52
    chi_square = sum(
        (seen[card, place] - expected) ** 2 / expected for card in pack() for place in range(52)
    )
    freedom = 51 * 51
    return (chi_square - freedom) / math.sqrt(2 * freedom)


def test_every_card_comes_to_every_place_equally_often():
    """reliability.md 5: HMAC Fisher-Yates with rejection."""
    orders = [shuffle(pack(), n.to_bytes(32, "big"), f"T|{n}") for n in range(SHUFFLES)]
    assert abs(z_of_positions(orders)) < WORST_Z


def test_a_wrong_shuffle_is_found_out():
    """The control: exchanging every card with any other is the well-known wrong way."""
    dice = random.Random(1)
    orders = []
    for _ in range(SHUFFLES):
        order = list(pack())
        for place in range(52):
            other = dice.randrange(52)
            order[place], order[other] = order[other], order[place]
        orders.append(order)
    assert z_of_positions(orders) > 5 * WORST_Z


@pytest.mark.parametrize("label", [f"K7Q2M4XD|{deal}" for deal in range(1, 9)])
def test_the_order_follows_from_the_published_recipe(label):
    """The same recipe once more, word by word, as a doubter would write it."""
    seed = bytes(range(32))
    stream = b"".join(
        hmac.new(seed, f"hearts-deal-v1|{label}|{n}".encode(), hashlib.sha256).digest()
        for n in range(20)
    )
    order, at = list(pack()), 0
    for size in range(52, 1, -1):
        word = 2**32
        while word >= 2**32 // size * size:
            word, at = int.from_bytes(stream[at : at + 4], "big"), at + 4
        order[size - 1], order[word % size] = order[word % size], order[size - 1]
    assert shuffle(pack(), seed, label) == tuple(order)


def test_the_order_of_a_seed_never_changes():
    """A stored seed has to give the same hands for as long as anybody may check it."""
    order = shuffle(pack(), b"\x00" * 32, "A|1")
    assert " ".join(str(card) for card in order[:8]) == "KC 2S 5H 4S JS 5C 3D 9S"


@given(st.binary(min_size=32, max_size=32), st.text(max_size=12), st.integers(0, 52))
def test_shuffling_keeps_the_cards(seed, label, size):
    deck = pack()[:size]
    order = shuffle(deck, seed, label)
    assert Counter(order) == Counter(deck)
    assert shuffle(deck, seed, label) == order


def test_seed_and_label_both_matter():
    orders = {
        shuffle(pack(), seed, label) for seed in (b"a" * 32, b"b" * 32) for label in ("T|1", "T|2")
    }
    assert len(orders) == 4


@pytest.mark.parametrize(
    ("bound", "words", "number"),
    [(3, [2**32 - 1, 5], 2), (3, [2**32 - 2], 2), (2, [2**32 - 1], 1), (52, [2**32 - 40, 53], 1)],
)
def test_a_word_that_favours_some_numbers_is_skipped(bound, words, number):
    """2**32 is not divisible by 3: its last word would make 0 more likely than 1 and 2."""
    assert _below(bound, iter(words)) == number


def test_the_commitment_is_a_hash_of_label_and_seed():
    """reliability.md 5: SHA-256("hearts-commit-v1|game|hand|" followed by the seed)."""
    seed = bytes(range(32))
    expected = hashlib.sha256(b"hearts-commit-v1|K7Q2M4XD|3|" + seed).hexdigest()
    assert commitment(seed, "K7Q2M4XD|3") == expected
    assert commitment(seed, "K7Q2M4XD|4") != expected


def test_a_cut_changes_the_key_by_the_published_recipe():
    """docs/fairness.md, byte for byte: lengths in bytes of UTF-8, a colon, the bytes, a comma."""
    seed = bytes(range(32))
    written = b"hearts-cuts-v1|K7Q2M4XD|3|7:rhubarb,0:,4:\xc3\xa9\xc3\xa9,"
    expected = hmac.new(seed, written, hashlib.sha256).digest()
    assert cut(seed, "K7Q2M4XD|3", ["rhubarb", "", "éé"]) == expected


def test_the_order_of_a_seed_and_its_cuts_never_changes():
    key = cut(b"\x00" * 32, "A|1", ["", "rhubarb", "1456074443980800018", ""])
    order = shuffle(pack(), key, "A|1")
    assert " ".join(str(card) for card in order[:8]) == "QH 3C JH 9C 7D TC 2S 3S"


words = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
rows = st.lists(words | st.sampled_from(["", ",", "1:a,", "0:,"]), max_size=5)


@given(rows, rows)
def test_no_two_rows_of_cuts_make_the_same_key(one, other):
    seed = bytes(32)
    assert (cut(seed, "T|1", one) == cut(seed, "T|1", other)) is (one == other)
