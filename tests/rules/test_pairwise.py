"""Every value of every rule beside every value of every other rule, played at random.

The suite plays 1,000 deals over all combinations; with
`HYPOTHESIS_PROFILE=nightly` it plays 100 of each.
"""

import os
import re
from dataclasses import replace
from functools import cache
from random import Random

import pytest

from bot.rules.legal import Choice, choice
from bot.rules.ruleset_io import to_dict
from bot.rules.state import Phase
from tests.support import second_reading
from tests.support.pairwise import (
    SWITCHES,
    Refusal,
    all_pairs,
    arrangement,
    pairs_in,
    rules_of,
)
from tests.support.second_reading import check_state
from tests.support.seeded import course

pytestmark = pytest.mark.thorough

DEALS, DEALS_IN_LONG_FORM = 1_000, 100
SHARES = 4
"""Parts into which the combinations are divided, for the machine to play at once."""

CLASHES = {
    ("add", "duplicates"),
    ("draw", "rest"),
    ("duplicates", "packs"),
    ("end", "settle"),
    ("good_score", "moon.payoff"),
    ("good_score", "no_trick_bonus.points"),
    ("good_score", "settle"),
    ("hand", "rest"),
    ("heart_scale", "points"),
    ("moon.bonus", "points"),
    ("moon.on", "sun"),
    ("players", "sides"),
    ("points", "ranks"),
    ("ranks", "remove"),
    ("settle", "sides"),
    ("side_score", "sides"),
}
"""Keys that have values which do not go together."""

CLASHES_THROUGH = {
    ("draw", "hand"): "rest",
    ("moon.payoff", "no_trick_bonus.points"): "good_score",
    ("moon.payoff", "settle"): "good_score",
    ("players", "side_score"): "sides",
    ("settle", "side_score"): "sides",
}
"""Keys that clash because one of them needs a value of a third key, which the other excludes."""


@cache
def arranged():
    """All combinations, and all that cannot be combined."""
    found = [*arrangement(Random(3))]
    refusals = [each for each in found if isinstance(each, Refusal)]
    return [each for each in found if not isinstance(each, Refusal)], refusals


def deals_of_each(rows):
    if os.environ.get("HYPOTHESIS_PROFILE") == "nightly":
        return DEALS_IN_LONG_FORM
    return -(-DEALS // len(rows))


def keys_of(pair):
    return tuple(sorted(key for key, _ in pair))


def names(fault, key):
    return re.search(rf"\b{re.escape(key)}\b", fault) is not None


def names_both_sides(refusal):
    keys = keys_of(refusal.pair)
    through = CLASHES_THROUGH.get(keys)
    wanted = [(key, through) for key in keys] if through else [keys]
    return any(names(fault, a) and names(fault, b) for fault in refusal.faults for a, b in wanted)


def test_every_pair_of_values_is_played_or_refused():
    """house.md 5.1, 15: and nothing else is refused than what is listed here."""
    rows, refusals = arranged()
    met = set().union(*map(pairs_in, rows))
    refused = {refusal.pair for refusal in refusals}
    assert all_pairs() <= met | refused
    assert not met & refused
    assert {keys_of(pair) for pair in refused} == CLASHES | CLASHES_THROUGH.keys()


def test_what_is_refused_is_refused_with_both_sides_named():
    _, refusals = arranged()
    assert [refusal for refusal in refusals if not names_both_sides(refusal)] == []


@pytest.mark.parametrize("share", range(SHARES))
def test_a_combination_plays_without_an_illegal_state_a_lost_card_or_a_wrong_total(share):
    """Each state and each result is held against a second reading of the rules."""
    rows, _ = arranged()
    wanted = deals_of_each(rows)
    for number, row in [*enumerate(rows)][share::SHARES]:
        rules, dice, played = rules_of(row), Random(number), 0
        while played < wanted:
            for game, _ in course(rules, row["players"], dice, deals=min(5, wanted - played)):
                check_state(game)
            played += len(game.scores)


@pytest.mark.parametrize(
    "plant",
    [
        lambda score: replace(score, points=(*score.points[:-1], score.points[-1] + 1)),
        lambda score: replace(score, totals=score.totals[::-1]),
        lambda score: replace(score, lines=score.lines[1:]),
    ],
)
def test_a_wrong_total_would_be_noticed(plant):
    """The control of the law above."""
    row = arranged()[0][0]
    *_, (game, _) = course(rules_of(row), row["players"], Random(0), deals=1)
    check_state(game)
    with pytest.raises(AssertionError):
        check_state(replace(game, scores=(plant(game.scores[-1]),)))


def test_a_lost_card_would_be_noticed():
    """The control of the law above."""
    row = arranged()[0][0]
    *_, (game, _) = course(rules_of(row), row["players"], Random(0), deals=1)
    tricks = game.deal.tricks[:-1]
    with pytest.raises(AssertionError):
        check_state(replace(game, deal=replace(game.deal, tricks=tricks)))


@pytest.mark.parametrize("plant", [lambda cards: cards[1:], lambda cards: cards[:1]])
def test_a_wrong_choice_would_be_noticed(monkeypatch, plant):
    """The control of the law above: a card too few, and hardly any."""
    row = arranged()[0][0]
    opened = next(
        game
        for game, _ in course(rules_of(row), row["players"], Random(0), deals=1)
        if game.phase is Phase.PLAYING and len(choice(game).cards) > 2
    )
    wrong = Choice(frozenset(plant([*choice(opened).cards])))
    monkeypatch.setattr(second_reading, "choice", lambda _: wrong)
    with pytest.raises(AssertionError):
        check_state(opened)


def test_every_switch_of_the_rules_is_combined():
    """A new key of a ruleset has to be listed, or to be told that it is no rule."""
    no_rules = {"id", "title", "source", "aliases", "text", "default_players"}
    rules = rules_of(arranged()[0][0])
    assert {key.partition(".")[0] for key in SWITCHES} == {*to_dict(rules)} - no_rules
