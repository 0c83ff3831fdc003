"""The names of games (rules.md 4.0, 4.1)."""

import pytest

from bot.rules import variants
from bot.rules.errors import RulesetError


@pytest.mark.parametrize("name", variants.names())
def test_the_id_of_a_preset_means_the_preset_and_no_number_of_seats(name):
    assert variants.with_seats(name) == (variants.load(name), None)


def test_a_number_behind_the_id_is_that_of_the_seats():
    """rules.md 4.0: `killer_10` in lists and benches is `killer` with ten seats."""
    assert variants.with_seats("killer_10") == (variants.load("killer"), 10)
    assert variants.with_seats("black_maria_a_3") == (variants.load("black_maria_a"), 3)


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("killer_11", "killer is played by 6, 7, 8, 9, 10, not by 11"),
        ("whist", "no preset is called 'whist'"),
        ("whist_4", "no preset is called 'whist'"),
        ("killer_", "no preset is called 'killer_'"),
        ("killer_010", "no preset is called 'killer_010'"),
    ],
)
def test_what_names_no_game_is_refused_with_a_word_on_why(name, fault):
    with pytest.raises(RulesetError, match=fault):
        variants.with_seats(name)


def test_a_preset_has_a_title_for_people():
    assert variants.title("killer") == "Killer Hearts"


POINTS_OF_A_DEAL = {
    "plain": 13,
    "black_lady": 26,
    "black_maria": 43,
    "omnibus": 16,
    "red_jack": 16,
    "spot": 154,
    "spot_plain": 104,
    "spot_omnibus": 144,
    "spot_red_jack": 144,
    "spot_pagat": 129,
    "spot_alt": 124,
    "black_maria_a": 26,
    "black_maria_b": 43,
    "black_maria_c": 124,
    "queens": 64,
    "small": 15,
    "reverse": 16,
    "super_hearts": 20,
    "two_player": 14,
    "two_player_omnibus": 9,
    "two_player_spot_hi": 35,
    "two_player_spot_lo": 35,
    "two_player_gamerules": 20,
    "draw7": 26,
    "joker_hearts": 26,
    "cancellation": 52,
    "killer": 45,
    "killer_ancestor_jokers": 32,
    "killer_ancestor_partners": 16,
}
"""By preset: what all cards cost together, as the sources add it up (rules.md 1, 2)."""


@pytest.mark.parametrize("name", variants.names())
def test_the_cards_of_a_deal_cost_what_the_sources_add_up(name):
    """Those that are not listed cost 26, or 16 with a bonus card."""
    rules = variants.load(name)
    usual = 16 if "omnibus" in name else 26
    for seats in rules.players:
        worth = sum(map(rules.points_of, rules.deck(seats)))
        assert worth == POINTS_OF_A_DEAL.get(name, usual)
