"""Robots play every preset, at every table size and by every rule that people may set."""

from random import Random

import pytest

from bot.arena import match
from bot.arena.at_random import AtRandom
from bot.rules import variants
from bot.rules.errors import RulesetError
from bot.rules.options import offered, with_value
from bot.rules.ruleset import Ruleset
from tests.support.company import in_standard_errors, margins
from tests.support.robots import ROBOTS
from tests.support.rulesets import EVERY_TABLE

pytestmark = pytest.mark.thorough

CLOSE = {
    "super_hearts": 240,
    "two_player": 120,
    "two_player_gamerules": 60,
    "two_player_omnibus": 80,
    "two_player_spot_hi": 200,
    "two_player_spot_lo": 120,
    "draw7": 60,
    "partnership_pooled": 60,
    "killer_ancestor_partners": 60,
    "cancellation": 100,
    "killer_ancestor_jokers": 30,
}
"""By preset: deals that show a difference where luck is great; elsewhere `USUAL` do."""
USUAL = 24
ENOUGH = 3.0
"""Standard errors."""


def named(table):
    return f"{table[0]}_{table[1]}"


@pytest.mark.parametrize("robot", ROBOTS)
@pytest.mark.parametrize("table", EVERY_TABLE, ids=named)
def test_robots_play_two_deals_of_every_preset_by_its_rules(table, robot):
    """A card or a pass against the rules would raise `IllegalMoveError`."""
    name, seats = table
    players = [ROBOTS[robot]] * seats
    games = match.play(variants.load(name), players, Random(seats), deals=2)
    assert sum(len(game.scores) for game in games) == 2


@pytest.mark.parametrize("robot", ROBOTS)
@pytest.mark.parametrize("table", EVERY_TABLE, ids=named)
def test_robots_play_by_the_rules_among_players_at_random(table, robot):
    name, seats = table
    dice = Random(seats)
    players = [dice.choice([ROBOTS[robot], AtRandom()]) for _ in range(seats)]
    assert len(match.play_game(variants.load(name), players, dice, deals=1).scores) == 1


def customised(ruleset: Ruleset, dice: Random) -> Ruleset:
    """The rules with a random value for each option, as far as the values go together."""
    for option in offered(ruleset):
        try:
            ruleset = with_value(ruleset, option.id, dice.choice(option.values).id)
        except RulesetError:
            continue
    return ruleset


@pytest.mark.parametrize("robot", ROBOTS)
@pytest.mark.parametrize("name", variants.names())
def test_robots_play_every_preset_with_any_rules_that_people_set(name, robot):
    for seed in range(2):
        dice = Random(f"{name} {seed}")
        ruleset = customised(variants.load(name), dice)
        seats = dice.choice(ruleset.players)
        game = match.play_game(ruleset, [ROBOTS[robot]] * seats, dice, deals=1)
        assert len(game.scores) == 1


@pytest.mark.parametrize("name", variants.names())
def test_the_same_seed_gives_the_same_deal_of_every_preset(name):
    ruleset = variants.load(name)
    players = [ROBOTS["steady"]] * ruleset.default_players
    first, second = (match.play_game(ruleset, players, Random(5), deals=1) for _ in range(2))
    assert first == second


@pytest.mark.parametrize("table", EVERY_TABLE, ids=named)
def test_a_steady_robot_beats_players_at_random(table):
    """By side, in the sense of the rules: points, or money where deals are settled one by one."""
    name, seats = table
    deals = CLOSE.get(name, USUAL)
    found = margins(variants.load(name), seats, ROBOTS["steady"], Random(7), deals=deals)
    assert in_standard_errors(found) >= ENOUGH


def test_the_control_a_player_at_random_does_not_beat_its_like():
    found = margins(variants.load("standard"), 4, AtRandom(), Random(7), deals=USUAL)
    assert in_standard_errors(found) < ENOUGH
