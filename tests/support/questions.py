"""Questions to robots in other programs, as record.md writes them."""

import json
from random import Random
from typing import Any

from bot.arena import question
from bot.rules.legal import to_move
from bot.rules.state import Phase
from bot.rules.view import seat_view
from tests.support.seeded import course

DECIDING = {Phase.PASSING, Phase.PLAYING, Phase.MOON_CHOICE}

PLAY: dict[str, Any] = {
    "rules": {"extends": "standard", "pass_cycle": {"4": ["hold"]}},
    "seats": 4,
    "seat": 2,
    "deal": 0,
    "dealer": 3,
    "ask": "play",
    "dealt": "3C 4C 5C 2D 3D 4D 2S 3S 4S QS 2H 3H 4H",
    "hand": "3C 4C 5C 2D 3D 4D 2S 3S 4S QS 2H 3H 4H",
    "plays": ["2C", "KC"],
    "totals": [0, 0, 0, 0],
}
"""Seat 2 has to follow clubs, in a deal without passing."""


def decisions(ruleset, seats, *, deals, seed=0):
    """Every view of a seat that has something to decide, in one game."""
    dice = Random(f"{ruleset.id} {seats} {seed}")
    for game, _ in course(ruleset, seats, dice, deals=deals):
        if game.phase in DECIDING:
            yield from (seat_view(game, seat) for seat in to_move(game))


def asked(view):
    """The question as the other program reads it."""
    return json.loads(json.dumps(question.of_view(view)))
