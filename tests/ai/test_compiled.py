"""The compiled rules say what `bot.rules` says, of every card, trick and score (robots.md).

Random deals are played both ways at once: equal choices at every turn, equal piles after every
trick, equal points at the end.
"""

from collections import Counter
from functools import cache
from random import Random

import pytest

from bot.rules import variants
from bot.rules.dimensions import Duplicates, NoWinnerLast
from bot.rules.errors import RulesetError
from bot.rules.options import UnknownOptionError, offered, with_value
from tests.support.compiled import follow
from tests.support.deals import based_on, house_rules
from tests.support.pairwise import Refusal, arrangement, rules_of
from tests.support.rulesets import EVERY_TABLE

DEALS, DEALS_IN_LONG_FORM = 3, 60


@cache
def rows():
    """Rules in which every value of every switch meets every value of every other one."""
    return [row for row in arrangement(Random(3)) if not isinstance(row, Refusal)]


def customised(name, dice):
    """A preset with a random value for each option, as far as the values go together."""
    ruleset = variants.load(name)
    for option in offered(ruleset):
        try:
            ruleset = with_value(ruleset, option.id, dice.choice(option.values).id)
        except (RulesetError, UnknownOptionError):
            continue
    return ruleset


def follow_every_table(deals):
    met = Counter()
    for name, seats in EVERY_TABLE:
        met += follow(variants.load(name), seats, Random(f"{name} {seats}"), deals=deals)
    return met


def follow_every_row(deals):
    met = Counter()
    for number, row in enumerate(rows()):
        met += follow(rules_of(row), row["players"], Random(number), deals=deals)
    return met


def follow_rules_that_people_set(times):
    for name in variants.names():
        for seed in range(times):
            dice = Random(f"{name} {seed}")
            ruleset = customised(name, dice)
            follow(ruleset, dice.choice(ruleset.players), dice, deals=1)


@pytest.mark.thorough
def test_every_preset_at_every_table_size_is_played_alike():
    assert follow_every_table(DEALS)["moons"] > 10


@pytest.mark.thorough
def test_every_value_of_every_rule_beside_every_other_is_played_alike():
    assert follow_every_row(DEALS)["moons"] > 10


@pytest.mark.thorough
def test_presets_with_any_rules_that_people_set_are_played_alike():
    follow_rules_that_people_set(1)


@pytest.mark.whole
def test_many_deals_of_every_preset_are_played_alike():
    follow_every_table(DEALS_IN_LONG_FORM)


@pytest.mark.whole
def test_many_deals_of_every_combination_of_rules_are_played_alike():
    follow_every_row(DEALS_IN_LONG_FORM)


@pytest.mark.whole
def test_many_deals_by_rules_that_people_set_are_played_alike():
    follow_rules_that_people_set(DEALS_IN_LONG_FORM)


KILLER = variants.load("killer")
LED_QUEEN = house_rules(break_on_lead=False)
SHEDDING = house_rules(void_play="qs_when_safe")
JOKERS = variants.load("joker_hearts")
LATER = house_rules(packs=2, remove=[], duplicates="later_wins", players=[4])
PARTNERS = variants.load("partnership_pooled")
LEADER_HEIR = based_on("killer", no_winner_last="leader")
NO_TRICK = house_rules(no_trick_bonus={"points": -5})


def spoil(**over):
    """Plant a fault in the compiled rules of play."""

    def plant(rules, _):
        for name, value in over.items():
            assert getattr(rules, name) != value
            setattr(rules, name, value)

    return plant


def spoil_reckoning(**over):
    """Plant a fault in the compiled rules of points."""

    def plant(_, reckoning):
        for name, value in over.items():
            assert getattr(reckoning, name) != value
            setattr(reckoning, name, value)

    return plant


def equal_cards_lose(rules, _):
    assert rules.ruleset.duplicates is Duplicates.LATER_WINS
    rules.bar = {bit: 1 << rules.group.get(bit, 0).bit_length() for bit in rules.bar}


def nobody_inherits(rules, _):
    assert rules.ruleset.no_winner_last is NoWinnerLast.LEADER
    rules._heir = lambda at: -1


def no_bonus(_, reckoning):
    reckoning._add_bonus = lambda piles, points, totals: None


@pytest.mark.parametrize(
    ("ruleset", "seats", "plant"),
    [
        pytest.param(house_rules(), 4, spoil(breakers=0), id="nothing breaks hearts"),
        pytest.param(house_rules(), 4, spoil(banned_first=0), id="no ban on the first trick"),
        pytest.param(house_rules(), 4, spoil(waits_for_hearts=False), id="hearts led at once"),
        pytest.param(house_rules(), 5, spoil(next_seat=[4, 0, 1, 2, 3]), id="the other way round"),
        pytest.param(SHEDDING, 4, spoil(sheds=False), id="the queen stays"),
        pytest.param(SHEDDING, 4, spoil(over_queen=0), id="the queen stays under the ace"),
        pytest.param(LED_QUEEN, 4, spoil(breaks_on_lead=True), id="the led queen breaks hearts"),
        pytest.param(JOKERS, 4, spoil(jokers=0), id="jokers follow no suit"),
        pytest.param(LATER, 4, equal_cards_lose, id="the first of equal cards wins"),
        pytest.param(KILLER, 10, spoil(pairs_cancel=False), id="pairs live"),
        pytest.param(LEADER_HEIR, 8, nobody_inherits, id="the last trick is dead"),
        pytest.param(house_rules(), 4, spoil_reckoning(_charged=[[]] * 4), id="a moon is free"),
        pytest.param(house_rules(), 4, spoil_reckoning(_needed=0), id="no moon"),
        pytest.param(PARTNERS, 4, spoil_reckoning(parties=[[0], [1], [2], [3]]), id="a lone moon"),
        pytest.param(PARTNERS, 4, spoil_reckoning(_is_pooled=False), id="partners score apart"),
        pytest.param(house_rules(), 4, spoil_reckoning(_taken_back=0), id="a shooter pays"),
        pytest.param(NO_TRICK, 6, no_bonus, id="no bonus for no trick"),
    ],
)
def test_a_fault_in_the_compiled_rules_would_be_noticed(ruleset, seats, plant):
    """The control of the laws above."""
    with pytest.raises(AssertionError):
        follow(ruleset, seats, Random(1), deals=100, plant=plant)
