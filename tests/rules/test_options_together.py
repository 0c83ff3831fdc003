"""Rules that people set and that meet: whatever the order, they come to the same (rules.md 3)."""

from itertools import permutations

import pytest

from bot.rules import variants
from bot.rules.cards import Card, Rank, Suit
from bot.rules.dimensions import Hold, PassTo, Settle
from bot.rules.options import ClashError, offered, with_value

_NEEDED = "bonus_of_two=ten moon_bonus_of_two=needed_spot"
_SPOTS_OF_TWO = ("two_player_spot_hi", "two_player_spot_lo")


def worth_of_two(ruleset):
    """What a moon brings by rules.md 1.10 and 2.1.3c and l; golden test vector 5."""
    spot = ruleset.id in _SPOTS_OF_TWO
    dear = spot and ruleset.points_of(Card(Rank.QUEEN, Suit.SPADES)) == 13
    return (35 if spot else 14) + 6 * dear + 5 * ruleset.moon.bonus


@pytest.mark.parametrize(
    ("preset", "choices"),
    [
        *[
            (
                preset,
                {
                    "queen_of_two": ("7", "13"),
                    "bonus_of_two": ("ten", "queen"),
                    "moon_bonus_of_two": ("apart_spot", "needed_spot"),
                },
            )
            for preset in _SPOTS_OF_TWO
        ],
        *[
            (preset, {"bonus_of_two": ("ten",), "moon_bonus_of_two": ("apart", "needed")})
            for preset in ("two_player", "two_player_omnibus")
        ],
    ],
)
@pytest.mark.thorough
def test_a_moon_for_two_is_worth_the_same_in_whatever_order_its_rules_are_chosen(preset, choices):
    """rules.md 2.1.3l: 5 more if the bonus is needed, 6 more in Spot with the queen at 13."""
    taken = set()
    steps = [(option_id, value_id) for option_id, ids in choices.items() for value_id in ids]
    for order in permutations(steps):
        ruleset = variants.load(preset)
        for option_id, value_id in order:
            try:
                ruleset = with_value(ruleset, option_id, value_id)
            except ClashError:
                assert value_id.startswith("needed")
                assert not any(ruleset.points_of(card) < 0 for card in ruleset.deck(2))
            assert ruleset.moon.value == worth_of_two(ruleset), order
        taken.add(ruleset.moon.value)
    assert taken == ({35, 40, 41, 46} if preset in _SPOTS_OF_TWO else {14, 19})


@pytest.mark.parametrize(
    ("preset", "steps", "worth"),
    [
        ("two_player_omnibus", "moon_bonus_of_two=needed", 19),
        ("two_player_spot_hi", "queen_of_two=13", 41),
        ("two_player_spot_hi", _NEEDED, 40),
        ("two_player_spot_lo", f"queen_of_two=13 {_NEEDED}", 46),
        ("two_player_spot_lo", f"{_NEEDED} queen_of_two=13", 46),
        ("two_player_spot_hi", f"queen_of_two=13 {_NEEDED} moon_bonus_of_two=apart_spot", 41),
        ("two_player_spot_hi", f"{_NEEDED} queen_of_two=13 queen_of_two=7", 40),
    ],
)
def test_what_a_moon_for_two_is_worth(preset, steps, worth):
    """rules.md 1.10 and vector 5: 14 becomes 19, 35 becomes 40, and 41 becomes 46."""
    ruleset = variants.load(preset)
    for step in steps.split():
        ruleset = with_value(ruleset, *step.split("="))
    assert ruleset.moon.value == worth


def without_a_total(ruleset):
    return ruleset.settle is Settle.SUPER


@pytest.mark.parametrize("preset", variants.names())
def test_wilson_is_offered_by_every_preset_that_ends_with_a_total(preset):
    """rules.md 4.2: any preset and Wilson go together if the game ends with a total."""
    ruleset = variants.load(preset)
    offers = {value.id for each in offered(ruleset) if each.id == "settle" for value in each.values}
    if without_a_total(ruleset):
        assert offers == set()
        return
    assert {"none", "wilson"} <= offers
    assert with_value(ruleset, "settle", "wilson").settle is Settle.WILSON


def test_only_super_hearts_has_no_total():
    assert [name for name in variants.names() if without_a_total(variants.load(name))] == [
        "super_hearts"
    ]


def worth_of_a_moon(ruleset):
    """The most that a moon can bring by these rules."""
    sums = [
        sum(max(ruleset.points_of(card), 0) for card in ruleset.deck(seats))
        for seats in ruleset.players
    ]
    return ruleset.moon.value or max(sums)


def suns(ruleset):
    return [
        value.id
        for each in offered(ruleset)
        if each.id == "sun"
        for value in each.values
        if value.id != "off"
    ]


@pytest.mark.parametrize("preset", variants.names())
def test_each_offered_sun_is_worth_more_than_the_moon(preset):
    """rules.md 3.7: 52 where a moon is 26, or twice the moon, as 258 for 129."""
    ruleset = variants.load(preset)
    if not ruleset.moon.on and suns(ruleset):
        ruleset = with_value(ruleset, "moon", "add")
    for value_id in suns(ruleset):
        after = with_value(ruleset, "sun", value_id)
        assert after.sun > worth_of_a_moon(after)


@pytest.mark.parametrize(
    ("preset", "usual", "sun"),
    [
        ("standard", 26, "52"),
        ("spot", 150, "300"),
        ("spot_pagat", 129, "258"),
        ("spot_alt", 124, "248"),
    ],
)
def test_the_sun_of_the_requirements_is_twice_the_moon(preset, usual, sun):
    """rules.md 3.7 and 4.1; golden test vector 15."""
    ruleset = variants.load(preset)
    assert (ruleset.moon.value, int(sun)) == (usual, 2 * usual)
    assert sun in suns(ruleset)


@pytest.mark.parametrize(
    ("preset", "other"),
    [
        ("standard", ("moon_value", "52")),
        ("standard", ("moon_value", "150")),
        ("standard", ("hearts", "face")),
        ("joker_hearts", ("packs", "two")),
    ],
)
def test_no_order_of_choices_makes_the_sun_worth_no_more_than_the_moon(preset, other):
    """A moon of 52, of 150, or the sum of two packs, beside a sun of 52."""
    for first, second in permutations([("sun", "52"), other]):
        ruleset = with_value(variants.load(preset), *first)
        with pytest.raises(ClashError) as refused:
            with_value(ruleset, *second)
        assert "“Shooting the sun: 52 points" in str(refused.value.sentence)


def test_a_dear_queen_makes_a_moon_that_pays_its_sum_dearer_than_a_sun():
    ruleset = with_value(variants.load("standard"), "moon_value", "sum")
    sunny = with_value(ruleset, "sun", "52")
    assert worth_of_a_moon(with_value(sunny, "queen", "26")) == 39
    with pytest.raises(ClashError) as refused:
        with_value(sunny, "queen", "50")
    assert "queen of spades" in str(refused.value.sentence)
    assert "“Shooting the sun: 52 points" in str(refused.value.sentence)


_FAMILY = (
    *("black_lady", "black_maria", "omnibus", "plain", "red_jack"),
    *("spot", "spot_omnibus", "spot_plain", "spot_red_jack"),
)
"""The games of rules.md 1.2 to 1.7."""


def passing(preset, seats, value_id):
    """The cycle of so many seats once *value_id* was chosen."""
    return with_value(variants.load(preset), "passing", value_id).pass_cycle[seats]


@pytest.mark.parametrize("preset", _FAMILY)
def test_the_five_ways_of_passing_are_offered_by_the_nine_games_that_have_them(preset):
    """rules.md 1.8: none, always left, right, across, or all of these in turn; always 3 cards."""
    cycles = {
        "none": (Hold(),),
        "left": (PassTo(1, 3),),
        "right": (PassTo(-1, 3),),
        "across": (PassTo(2, 3),),
        "alternating": (PassTo(1, 3), PassTo(-1, 3), PassTo(2, 3), Hold()),
    }
    assert {name: passing(preset, 4, name) for name in cycles} == cycles


@pytest.mark.parametrize(("seats", "places"), [(3, 1), (4, 2), (5, 2), (6, 3)])
def test_across_at_an_odd_table_is_to_the_seat_nearest_to_it(seats, places):
    """rules.md 4.2 has `across` for even tables; here odd ones pass as near to it as there is."""
    assert passing("standard", seats, "across") == (PassTo(places, 3),)


def test_across_is_left_out_where_it_is_the_left():
    """Of three players, the seat nearest to across is the left neighbour's."""
    offers = {
        seats: {
            value.id
            for each in offered(variants.load("standard"), seats)
            if each.id == "passing"
            for value in each.values
        }
        for seats in (3, 4, 5, 6)
    }
    assert {seats: "across" in ids for seats, ids in offers.items()} == {
        3: False,
        4: True,
        5: True,
        6: True,
    }


@pytest.mark.parametrize("seats", variants.load("killer").players)
def test_who_can_shoot_the_moon_is_asked_where_somebody_has_a_partner(seats):
    """rules.md 1.14: with seven and nine players each plays alone."""
    offers = {each.id for each in offered(variants.load("killer"), seats)}
    assert ("moon_scope" in offers) == (seats % 2 == 0)
