"""What a closed menu shows of a rule: the label of one value, without those beside it."""

import re

import pytest

from bot.rules import variants
from bot.rules.options import CATALOGUE, offered

_LEANS_ON_ANOTHER = re.compile(r"^(The same|So)\b|\bthe two$|\bholds it\b")
"""Words that say something only next to the label of another value."""
_LABELS = sorted({str(value.label) for option in CATALOGUE for value in option.values})


@pytest.mark.parametrize("label", _LABELS)
def test_a_label_can_be_read_alone(label):
    assert not _LEANS_ON_ANOTHER.search(label), label


@pytest.mark.parametrize("label", ["The same, and more", "So, and later", "One of the two"])
def test_labels_that_lean_on_another_are_found(label):
    assert _LEANS_ON_ANOTHER.search(label)


@pytest.mark.parametrize("preset", variants.names())
def test_no_two_values_of_a_menu_look_alike(preset):
    for option in offered(variants.load(preset)):
        labels = [str(value.label) for value in option.values]
        assert len(set(labels)) == len(labels), labels


def test_a_kitty_for_four_players_names_its_cards_where_it_is_the_only_kitty():
    """rules.md 1.18: 12 cards each and four in the kitty; four players have no odd cards."""
    [kitty] = [each for each in offered(variants.load("standard"), 4) if each.id == "kitty"]
    labels = [str(value.label) for value in kitty.values]
    assert len(labels) == 2
    assert "four" in labels[1]
    assert "the first card that costs points" in labels[1]
