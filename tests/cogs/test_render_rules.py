"""The rules of a table as people read them in Discord."""

from dataclasses import replace

import pytest

from bot.rules import variants
from bot.rules.describe import describe
from cogs.ui import rules as rules_page
from cogs.ui.rules import MOST_LETTERS, render_rules
from cogs.words import say
from tests.rules.test_describe_complete import rows
from tests.support.deals import STANDARD, house_rules
from tests.support.looks import parts, texts
from tests.support.pairwise import rules_of
from tests.support.rulesets import EVERY_TABLE


@pytest.mark.parametrize(("name", "seats"), EVERY_TABLE)
def test_all_rules_of_every_preset_fit_into_one_message(name: str, seats: int):
    rules = variants.load(name)
    told = texts(render_rules(rules, seats))
    assert len(told) <= MOST_LETTERS
    for sentence in describe(rules, seats):
        assert say(sentence) in told


@pytest.mark.thorough
def test_all_rules_of_every_combination_fit_into_one_message():
    for row in rows():
        rules = rules_of(row)
        told = texts(render_rules(rules, row["players"]))
        assert len(told) <= MOST_LETTERS
        assert say(describe(rules, row["players"])[-1]) in told


def test_a_preset_is_introduced_above_its_rules():
    told = texts(render_rules(variants.load("killer"), 6))
    assert told.index("three queens of spades") < told.index("Special at this table")


def test_rules_that_are_too_long_are_cut_where_they_are_the_usual_ones(monkeypatch):
    """discord.md 2.2: 4,000 letters a message. Here as if there were fewer."""
    rules = variants.load("omnibus")
    whole = texts(render_rules(rules, 4))
    monkeypatch.setattr(rules_page, "MOST_LETTERS", len(whole) - 1)
    told = texts(render_rules(rules, 4))
    assert len(told) <= len(whole) - 1
    assert "The other rules are those of standard Hearts" in told
    assert "10 of diamonds saves you 10 points" in told
    assert "The other rules" not in whole


def test_a_title_of_any_length_leaves_room_for_what_is_special():
    rules = replace(house_rules(points={"JD": -10}), title="x" * 100)
    told = texts(render_rules(rules, 4))
    assert "jack of diamonds saves you 10" in told
    assert all(part["content"] for part in parts(render_rules(STANDARD, 4)) if part["type"] == 10)
