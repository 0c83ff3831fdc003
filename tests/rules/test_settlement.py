"""Totals, the end of the game, and places (rules.md 3.8, 2.4.9)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.rules.settlement import Standing
from tests.support.deals import STANDARD, house_rules


def ends(rules, deal, totals):
    return Standing(ruleset=rules, deal=deal, totals=tuple(totals)).is_end()


def places(totals, rules=STANDARD):
    return Standing(ruleset=rules, deal=1, totals=tuple(totals)).places()


TOTALS = st.lists(st.integers(-60, 160), min_size=3, max_size=6)


@pytest.mark.parametrize(
    ("totals", "over"),
    [((99, 1, 2, 3), False), ((100, 1, 2, 3), True), ((1, 2, 3, 130), True)],
)
def test_the_game_ends_when_somebody_reaches_the_target(totals: tuple[int, ...], over: bool):
    assert ends(STANDARD, 5, totals) is over


@pytest.mark.parametrize(("deal", "over"), [(3, False), (4, True), (5, True)])
def test_a_game_of_four_deals_ends_after_the_fourth(deal: int, over: bool):
    assert ends(house_rules(end={"hands": 4}), deal, (1, 2, 3, 4)) is over


def test_a_single_deal_is_a_game():
    assert ends(house_rules(end="single"), 1, (0, 0, 20, 6)) is False  # two share the lead
    assert ends(house_rules(end="single"), 1, (0, 1, 20, 5)) is True


@pytest.mark.parametrize(
    "end", [{"target": 100}, {"hands": 4}, "single"], ids=["target", "deals", "single"]
)
def test_a_tie_for_the_lowest_total_is_played_off_or_shared(end: object):
    """rules.md 2.4.9."""
    totals = (110, 40, 40, 80)
    assert not ends(house_rules(end=end, tie="extra_hands"), 4, totals)
    assert ends(house_rules(end=end, tie="share"), 4, totals)


def test_a_tie_behind_the_first_ends_the_game():
    assert ends(STANDARD, 4, (110, 40, 41, 110))


def test_a_tie_that_falls_below_the_target_again_simply_plays_on():
    """rules.md 2.4.9: the target is checked after each further deal."""
    assert not ends(STANDARD, 4, (101, 40, 40, 80))
    assert not ends(STANDARD, 5, (75, 40, 41, 80))
    assert ends(STANDARD, 6, (100, 40, 41, 81))


def test_ties_share_the_better_place():
    assert places((103, 52, 97, 52)) == (4, 1, 3, 1)
    assert places((10, 30, 30, 90)) == (1, 2, 2, 4)
    assert places((5, 5, 5)) == (1, 1, 1)


@given(totals=TOTALS)
def test_somebody_is_first_and_a_lower_total_is_never_placed_behind(totals: list[int]):
    ranked = places(totals)
    assert min(ranked) == 1
    for mine, my_place in zip(totals, ranked, strict=True):
        for other, other_place in zip(totals, ranked, strict=True):
            assert (mine < other) == (my_place < other_place)
