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
