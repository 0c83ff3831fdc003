"""Sentences: English with gaps, and the right number."""

import pytest

from bot.rules.cards import Card, Rank, Suit
from bot.rules.sentence import Sentence


def test_cards_suits_and_ranks_are_written_plainly():
    facts = {"card": Card.parse("QS"), "suit": Suit.CLUBS, "rank": Rank.QUEEN}
    assert str(Sentence("{card}, {suit}, {rank}", facts)) == "QS, clubs, queen"


def test_a_sentence_may_hold_sentences():
    inner = Sentence("{count} card", {"count": 3}, "{count} cards")
    assert str(Sentence("Pass {what}.", {"what": inner})) == "Pass 3 cards."


def test_a_sentence_without_a_plural_has_one_wording_for_all_counts():
    assert Sentence("{count} of {all}", {"count": 2, "all": 3}).wording == "{count} of {all}"


@pytest.mark.parametrize(("count", "wording"), [(1, "one"), (-1, "one"), (0, "many"), (2, "many")])
def test_the_count_chooses_the_wording(count: int, wording: str):
    assert Sentence("one", {"count": count}, "many").wording == wording
