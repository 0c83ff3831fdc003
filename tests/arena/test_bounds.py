"""Every game comes to its end: within a stated number of deals, whatever is played.

A game can be drawn out without end by slams that take points off, so the bounds are measured: the
longest of some dozen games of random and of `steady` players, and more than half of it again. With
`HYPOTHESIS_PROFILE=nightly` more games are played. Robots at other than the usual number of seats
are marked ``whole``.
"""

import os
from random import Random

import pytest

from bot.ai import LEVELS
from bot.arena import match
from bot.rules import variants
from bot.rules.events import GameEnded
from bot.rules.ruleset_io import from_dict
from bot.rules.state import Phase
from tests.support.seeded import course

pytestmark = pytest.mark.thorough

MOST_DEALS = {
    "bicycle": {3: 20, 4: 30, 5: 30},
    "bicycle_old": {3: 8, 4: 8, 5: 8, 6: 8, 7: 8},
    "black_lady": {4: 25},
    "black_maria": {4: 15},
    "black_maria_a": {3: 20, 4: 25},
    "black_maria_b": {3: 15, 4: 15},
    "black_maria_c": {3: 20, 4: 25},
    "cancellation": {6: 20, 7: 20, 8: 20, 9: 25, 10: 25},
    "draw7": {2: 1},
    "joker_hearts": {3: 20, 4: 30, 5: 30, 6: 35, 7: 40, 8: 40, 9: 40},
    "killer": {6: 15, 7: 30, 8: 20, 9: 40, 10: 30},
    "killer_ancestor_jokers": {6: 25, 7: 30, 8: 25, 9: 30, 10: 30},
    "killer_ancestor_partners": {4: 25},
    "microsoft": {4: 25},
    "omnibus": {4: 35},
    "omnibus_bicycle": {4: 40, 5: 40, 6: 50},
    "omnibus_pagat": {3: 30, 4: 35, 5: 50, 6: 50},
    "pagat": {3: 20, 4: 25, 5: 30, 6: 40},
    "partnership_individual": {4: 25},
    "partnership_pooled": {4: 20},
    "plain": {4: 50},
    "queens": {4: 10},
    "red_jack": {4: 35},
    "reverse": {4: 20},
    "small": {4: 55},
    "spot": {4: 25},
    "spot_alt": {3: 20, 4: 25, 5: 35, 6: 35},
    "spot_omnibus": {4: 20},
    "spot_pagat": {3: 20, 4: 25, 5: 30, 6: 35},
    "spot_plain": {4: 30},
    "spot_red_jack": {4: 25},
    "standard": {3: 20, 4: 30, 5: 30, 6: 35},
    "super_hearts": {3: 4, 4: 4, 5: 4, 6: 4},
    "two_player": {2: 15},
    "two_player_gamerules": {2: 10},
    "two_player_omnibus": {2: 25},
    "two_player_spot_hi": {2: 25},
    "two_player_spot_lo": {2: 25},
    "wilson": {3: 20, 4: 25, 5: 30, 6: 40},
}
"""By preset and number of seats: deals within which a game is over."""

LONG = os.environ.get("HYPOTHESIS_PROFILE") == "nightly"
SEEDS = range(20 if LONG else 1)
TABLES = [(name, seats) for name, bounds in MOST_DEALS.items() for seats in bounds]
ROBOTS_AT = [
    pytest.param(
        (name, seats),
        marks=[] if seats == variants.load(name).default_players else [pytest.mark.whole],
    )
    for name, seats in TABLES
]


def named(table):
    return f"{table[0]}_{table[1]}"


def test_a_bound_is_stated_for_every_preset_and_number_of_seats():
    loaded = {name: variants.load(name).players for name in variants.names()}
    assert {name: tuple(bounds) for name, bounds in MOST_DEALS.items()} == loaded


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("table", TABLES, ids=named)
def test_a_game_of_any_legal_cards_ends_within_its_bound(table, seed):
    name, seats = table
    bound = MOST_DEALS[name][seats]
    *_, (game, _) = course(variants.load(name), seats, Random(seed), deals=bound)
    assert game.phase is Phase.OVER


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("table", ROBOTS_AT, ids=named)
def test_a_game_of_robots_ends_within_its_bound(table, seed):
    name, seats = table
    bound = MOST_DEALS[name][seats]
    players = [LEVELS["steady"]] * seats
    game = match.play_game(variants.load(name), players, Random(seed), deals=bound)
    assert isinstance(game.events[-1], GameEnded)


@pytest.mark.parametrize(
    "rules",
    [
        {"extends": "killer", "end": {"minutes": 60}},
        {"extends": "super_hearts", "end": {"hands": "open"}},
        {"extends": "killer", "end": {"hands": 1}},
    ],
)
def test_a_game_that_ends_by_deals_word_or_clock_ends_too(rules):
    """rules.md 2.3.14, 1.15: a tie may add some deals."""
    ruleset = from_dict(rules)
    players = [LEVELS["steady"]] * ruleset.default_players
    game = match.play_game(ruleset, players, Random(1), deals=match.CALLED_AFTER + 4)
    assert isinstance(game.events[-1], GameEnded)


def test_a_game_that_does_not_end_would_be_noticed():
    """The control: a target that no game reaches within the bound of another."""
    endless = from_dict({"extends": "standard", "end": {"target": 10_000}})
    *_, (game, _) = course(endless, 4, Random(1), deals=MOST_DEALS["standard"][4])
    assert game.phase is not Phase.OVER
