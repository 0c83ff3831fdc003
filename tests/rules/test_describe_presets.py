"""What the presets say of themselves, against the numbers that the sources give."""

import re

import pytest

from bot.rules import variants
from bot.rules.describe import at_a_glance, describe, differences, introduction
from bot.rules.ruleset import Ruleset
from bot.rules.ruleset_io import from_dict
from tests.rules.test_describe import assert_gaps_are_filled
from tests.rules.test_variants import POINTS_OF_A_DEAL
from tests.support.deals import STANDARD, house_rules
from tests.support.rulesets import EVERY_TABLE

STRIPPED = {3: (51, 17), 4: (52, 13), 5: (50, 10), 6: (48, 8)}
CARDS: dict[str, dict[int, tuple[int, int]]] = {
    "bicycle_old": {3: (52, 17), 4: (52, 13), 5: (52, 10), 6: (52, 8), 7: (52, 7)},
    "small": {4: (32, 8)},
    "joker_hearts": {
        3: (54, 18),
        4: (56, 14),
        5: (55, 11),
        6: (54, 9),
        7: (56, 8),
        8: (56, 7),
        9: (54, 6),
    },
    "killer": {6: (104, 17), 7: (105, 15), 8: (104, 13), 9: (108, 12), 10: (110, 11)},
    "killer_ancestor_jokers": {
        6: (108, 18),
        7: (105, 15),
        8: (104, 13),
        9: (108, 12),
        10: (110, 11),
    },
    "cancellation": {6: (104, 17), 7: (104, 14), 8: (104, 13), 9: (104, 11), 10: (104, 10)},
    "draw7": {2: (52, 7)},
}
"""By preset and seats: cards in the deck, and in a hand (rules.md 1.9–1.14, 1.22, 2.3.18)."""
MOONS = {
    "spot": "150 points",
    "spot_omnibus": "150 points",
    "spot_red_jack": "150 points",
    "spot_pagat": "129 points",
    "spot_alt": "124 points",
    "cancellation": "52 points",
    "killer": "as many points as the cards you took for it cost",
    "killer_ancestor_jokers": "52 points",
    "small": "14 points",
    "two_player": "14 points",
    "two_player_omnibus": "14 points",
    "two_player_gamerules": "20 points",
    "two_player_spot_hi": "35 points",
    "two_player_spot_lo": "35 points",
}
"""By preset: what a moon is worth (rules.md 4.1); elsewhere 26 points."""
WITHOUT_MOON = {
    "bicycle_old",
    "black_maria_a",
    "black_maria_b",
    "black_maria_c",
    "plain",
    "queens",
    "reverse",
    "spot_plain",
    "super_hearts",
}


def lines(name: str, seats: int) -> list[str]:
    return list(map(str, describe(variants.load(name), seats)))


def cards_of(name: str, seats: int) -> tuple[int, int]:
    if name.startswith("two_player"):
        return 28, 13
    return CARDS.get(name, STRIPPED)[seats]


@pytest.mark.parametrize(("name", "seats"), EVERY_TABLE)
def test_deck_and_hands_are_told_as_the_sources_count_them(name: str, seats: int):
    cards, hand = cards_of(name, seats)
    told = lines(name, seats)
    if cards == seats * hand:
        assert f"All {cards} cards are dealt: {hand} to each of you." in told
    else:
        assert f"Of the {cards} cards each of you gets {hand}." in told


@pytest.mark.parametrize(("name", "seats"), EVERY_TABLE)
def test_the_points_of_a_deal_are_told_as_the_sources_add_them_up(name: str, seats: int):
    usual = 16 if "omnibus" in name else 26
    points = POINTS_OF_A_DEAL.get(name, usual)
    assert f"In all, that makes {points} points in a deal." in lines(name, seats)


@pytest.mark.parametrize(("name", "seats"), EVERY_TABLE)
def test_the_worth_of_a_moon_is_told_as_the_sources_have_it(name: str, seats: int):
    paid = [line for line in lines(name, seats) if line.startswith("A moon costs you nothing")]
    if name in WITHOUT_MOON:
        assert paid == []
        assert "There is no moon: if you take every card, you score every point." in lines(
            name, seats
        )
    else:
        [line] = paid
        assert MOONS.get(name, "26 points") in line


@pytest.mark.parametrize(("name", "seats"), EVERY_TABLE)
def test_presets_are_told_in_whole_sentences(name: str, seats: int):
    rules = variants.load(name)
    told = (introduction(rules), *describe(rules, seats), *at_a_glance(rules, seats))
    for sentence in told:
        words = str(sentence)
        assert words[0].isupper(), words
        assert words.endswith("."), words
        assert not re.search(r"[{}!]|  |\bNone\b", words), words
        assert_gaps_are_filled(sentence)
    assert len(set(map(str, describe(rules, seats)))) == len(describe(rules, seats))


@pytest.mark.parametrize(("name", "seats"), EVERY_TABLE)
def test_what_differs_from_standard_comes_first(name: str, seats: int):
    rules = variants.load(name)
    special = differences(rules, seats)
    assert describe(rules, seats)[: len(special)] == special
    assert bool(special) is (name not in {"standard", "bicycle"})


def test_the_passing_of_many_players_does_not_differ_where_it_goes_all_around():
    """rules.md 3.9: the table for seven to ten seats, which standard Hearts is not played with."""
    special = list(map(str, differences(variants.load("joker_hearts"), 9)))
    assert not [line for line in special if "pass" in line]
    assert any("joker" in line for line in special)


@pytest.mark.parametrize(
    ("seats", "told"),
    [
        (6, "up to 5 seats; then comes a deal without passing"),
        (10, "up to 9 seats; then comes a deal without passing"),
    ],
)
def test_killer_passes_one_seat_further_each_deal(seats: int, told: str):
    """rules.md 2.3.3."""
    [line] = [line for line in lines("killer", seats) if "You pass 3 cards to your left" in line]
    assert told in line


def test_growing_counts_are_told_one_by_one():
    """rules.md 2.3.3, the alternative: one card, two, three, then none."""
    steps = [{"to": 1, "n": 1}, {"to": 1, "n": 2}, {"to": 1, "n": 3}, "hold"]
    rules = from_dict({"extends": "killer", "pass_cycle": {str(n): steps for n in range(6, 11)}})
    assert (
        "You pass, deal by deal: 1 card to the left, 2 cards to the left, 3 cards to the left, "
        "nothing, and so on."
    ) in map(str, describe(rules, 8))


@pytest.mark.parametrize("seats", [6, 8, 10])
def test_killer_tells_partners_pairs_and_what_dead_tricks_excuse(seats: int):
    """rules.md 1.14."""
    told = lines("killer", seats)
    assert told[0] == (
        f"You and the player across from you are partners, against {seats // 2 - 1} other pairs."
    )
    assert "Of three equal cards the last one played is not cancelled." in told
    assert "Tricks that still wait when the hands are empty count for nobody." in told
    assert "Cards in tricks that count for nobody are not needed." in told
    assert any("every other pair gets as many points" in line for line in told)


@pytest.mark.parametrize(
    ("settle", "pays", "receives"),
    [
        ("wilson", "pay the difference to whoever is next below", "next above you in points"),
        ("diff_from_mean", "pay a counter for each point by which your total is above", "below it"),
        ("howell", "pay a counter to everybody else for each point of your total", "of theirs"),
        ("super", "whoever has the fewest points, but at least one, is paid", "by everybody else"),
    ],
)
def test_money_is_told_with_the_direction_in_which_it_goes(settle, pays, receives):
    """rules.md 2.1.7, 2.7, 1.27: whoever has more bad points pays."""
    rules = house_rules(settle=settle, moon={"on": False}, end={"hands": 4})
    assert any(pays in line and receives in line for line in map(str, describe(rules, 4)))


def test_where_points_are_good_money_goes_the_other_way():
    """rules.md 2.1.7."""
    rules = from_dict({"extends": "reverse", "settle": "wilson"})
    assert any(
        "you pay the difference in counters to whoever is next above you" in line
        for line in map(str, describe(rules, 4))
    )


def test_each_way_to_treat_equal_cards_has_its_own_words():
    """rules.md 3.5."""
    told = set()
    for duplicates in ("later_wins", "earlier_wins", "cancel_pairs"):
        rules = from_dict({"extends": "cancellation", "duplicates": duplicates})
        [line] = [line for line in map(str, describe(rules, 8)) if " equal cards" in line]
        told.add(line)
    assert len(told) == 3
    assert not any("equal" in line for line in lines("standard", 4))


def test_a_lobby_learns_what_is_unusual_about_the_table():
    facts = "\n".join(map(str, at_a_glance(variants.load("killer"), 6)))
    for word in ("150", "lowest total", "partners", "two packs", "widow"):
        assert word in facts
    facts = "\n".join(map(str, at_a_glance(variants.load("killer"), 9)))
    assert "4 jokers" in facts
    facts = "\n".join(map(str, at_a_glance(variants.load("reverse"), 4)))
    assert "highest total" in facts
    facts = "\n".join(map(str, at_a_glance(variants.load("draw7"), 2)))
    assert "stock" in facts


def test_a_preset_introduces_itself():
    for name in variants.names():
        assert str(introduction(variants.load(name))) == variants.load(name).text


def test_rules_that_people_changed_are_not_introduced_as_the_preset():
    told = str(introduction(house_rules(end={"target": 50})))
    assert told != STANDARD.text
    assert told.startswith("Standard Hearts")


def test_rules_without_a_preset_are_introduced_by_their_own_words_or_their_title():
    def named(**over: object) -> Ruleset:
        return from_dict({"extends": "standard", "id": "ours", "title": "Ours", **over})

    assert str(introduction(named(text="With {braces}."))) == "With {braces}."
    assert "Ours" in str(introduction(named(text="")))
