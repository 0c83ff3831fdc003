"""Each switch of the rules changes what may be played, or what is paid, at a position of its own.

The positions stand in `tests/support/switch_table.py`.
"""

from collections import defaultdict
from dataclasses import fields, is_dataclass
from enum import Enum

import pytest

from tests.support.deals import STANDARD
from tests.support.switch_table import SWITCHES

NO_SWITCHES = {"id", "title", "source", "aliases", "text", "default_players"}
"""Fields that say what rules are called, or what is offered first."""


@pytest.mark.parametrize("switch", SWITCHES, ids=lambda switch: switch.key)
def test_a_switch_changes_what_is_seen_at_one_position(switch):
    for value, seen in switch.seen:
        assert switch.shown(value) == seen


@pytest.mark.parametrize("switch", SWITCHES, ids=lambda switch: switch.key)
def test_every_value_of_a_switch_is_seen_to_differ_from_the_first(switch):
    first, *others = (seen for _, seen in switch.seen)
    assert others
    assert all(seen != first for seen in others)


def leaves(rules):
    """Dotted path of every key, with its value under *rules*."""
    for each in fields(rules):
        value = getattr(rules, each.name)
        if is_dataclass(value) and each.name != "end":
            for inner in fields(value):
                yield f"{each.name}.{inner.name}", getattr(value, inner.name)
        elif each.name not in NO_SWITCHES and not each.name.startswith("_"):
            yield each.name, value


def test_every_key_of_the_rules_has_its_position():
    assert {switch.key for switch in SWITCHES} == {key for key, _ in leaves(STANDARD)}


def test_every_word_that_a_key_may_say_has_its_position():
    said = defaultdict(set)
    for switch in SWITCHES:
        said[switch.key] |= {str(value) for value, _ in switch.seen}
    words = {key: type(value) for key, value in leaves(STANDARD) if isinstance(value, Enum)}
    words.pop("widow.positions")  # one of its words is a list
    unsaid = {key: {each.value for each in kind} - said[key] for key, kind in words.items()}
    assert {key: left for key, left in unsaid.items() if left} == {}
