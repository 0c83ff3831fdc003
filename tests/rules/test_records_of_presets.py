"""A game is what its record says, under any rules (record.md)."""

import json
from random import Random

import pytest

from bot.rules import playback, record, variants
from bot.rules.ruleset_io import from_dict
from bot.rules.state import Phase
from tests.support.seeded import course


def played_and_replayed(rules, seats, seed, *, deals):
    """A game of so many deals, and what is printed for its record."""
    steps = [*course(rules, seats, Random(seed), deals=deals)]
    happened = [event for _, events in steps for event in events]
    plain = record.from_events(rules, seats, happened)
    lines = playback.lines(record.from_dict(json.loads(json.dumps(plain))))
    return steps[-1][0], [line for line in lines if "ply" not in line and "trick" not in line]


@pytest.mark.parametrize("name", variants.names())
def test_a_game_comes_back_from_its_record(name):
    rules = variants.load(name)
    game, lines = played_and_replayed(rules, rules.players[-1], 1, deals=2)
    points = [tuple(line["points"]) for line in lines if "points" in line]
    assert points == [score.points for score in game.scores]


def test_a_tie_after_the_last_deal_was_called_comes_back_too():
    """record.md: `ended` says that the last deal was called, and a tie adds deals to it."""
    over = {"end": {"hands": "open"}, "pass_cycle": [{"to": 1, "n": 1}]}
    rules = from_dict({"extends": "two_player"} | over)
    game, lines = played_and_replayed(rules, 2, 38, deals=60)
    assert game.phase is Phase.OVER
    assert [len(game.scores), game.deal.is_tiebreak] == [6, True]
    assert tuple(lines[-1]["totals"]) == game.totals
