"""The golden games: made once from a seed, read by a person, and played again by every change.

`.venv/bin/python -m tests.support.golden play NAME` makes the game called NAME in `GAMES` from its
seed; it has to be read before it is kept. `… renew NAME` keeps the cards of a game and prints anew
what the rules make of them: for a rule that was meant to change. The difference has to be read.
Without a NAME, all games are made or renewed.
"""

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any

from bot.rules import playback, record, variants
from bot.rules.options import with_value
from bot.rules.ruleset_io import from_dict, to_dict
from bot.rules.state import Phase
from tests.support.seeded import course

FOLDER = Path(__file__).parents[1] / "rules" / "golden"
_MOST_DEALS = 60

Plain = dict[str, Any]

TWO_PACKS_OF_JOKERS = to_dict(with_value(variants.load("joker_hearts"), "packs", "two"))
SPECIAL: Mapping[str, tuple[Plain, int]] = {
    "joker_hearts-two_packs": (TWO_PACKS_OF_JOKERS, 5),
    "killer-7": ({"extends": "killer"}, 7),
    "killer-10": ({"extends": "killer"}, 10),
    "reverse-slam": ({"extends": "reverse", "moon": {"on": True}}, 4),
    "super_hearts-open": ({"extends": "super_hearts", "end": {"hands": "open"}}, 5),
    "two_player-tiebreak": ({"extends": "two_player"}, 2),
}
"""Games beside the one that each preset has at its usual number of seats."""

SEEDS: Mapping[str, int] = {
    "bicycle": 39,
    "bicycle_old": 1,
    "black_lady": 19,
    "black_maria": 39,
    "black_maria_a": 13,
    "black_maria_b": 2,
    "black_maria_c": 9,
    "cancellation": 26,
    "draw7": 34,
    "joker_hearts": 14,
    "joker_hearts-two_packs": 26,
    "killer": 31,
    "killer-10": 22,
    "killer-7": 37,
    "killer_ancestor_jokers": 6,
    "killer_ancestor_partners": 21,
    "microsoft": 16,
    "omnibus": 39,
    "omnibus_bicycle": 83,
    "omnibus_pagat": 19,
    "pagat": 39,
    "partnership_individual": 39,
    "partnership_pooled": 13,
    "plain": 23,
    "queens": 34,
    "red_jack": 8,
    "reverse": 8,
    "reverse-slam": 10,
    "small": 31,
    "spot": 39,
    "spot_alt": 19,
    "spot_omnibus": 37,
    "spot_pagat": 19,
    "spot_plain": 28,
    "spot_red_jack": 37,
    "super_hearts": 1,
    "super_hearts-open": 1,
    "two_player": 8,
    "two_player-tiebreak": 425,
    "two_player_gamerules": 18,
    "two_player_omnibus": 8,
    "two_player_spot_hi": 4,
    "two_player_spot_lo": 26,
    "wilson": 39,
}
"""By name: the seed of the game. Chosen for what happens in it; `standard` was dealt by hand."""

WITH_LEGAL_CARDS = {"draw7", "standard"}
"""Games that are also read card by card, with all that might have been played."""


def rules_of(name: str) -> tuple[Plain, int]:
    """What a record of the game called *name* says of its rules, and its number of seats."""
    if name in SPECIAL:
        return SPECIAL[name]
    return {"extends": name}, variants.load(name).default_players


def played(name: str, seed: int) -> Plain:
    """The record of a whole game."""
    rules, seats = rules_of(name)
    ruleset = from_dict(rules)
    steps = [*course(ruleset, seats, Random(seed), deals=_MOST_DEALS)]
    happened = [event for _, events in steps for event in events]
    if steps[-1][0].phase is not Phase.OVER:
        raise ValueError(f"{name} is not over after {_MOST_DEALS} deals")
    return record.from_events(ruleset, seats, happened) | {"rules": rules}


def printed(name: str, plain: Plain) -> list[Plain]:
    """What `python -m bot replay` prints for the record; without single cards, save for a few."""
    lines = playback.lines(record.from_dict(plain))
    return [line for line in lines if "ply" not in line or name in WITH_LEGAL_CARDS]


def halves(path: Path) -> tuple[Plain, list[Plain]]:
    """A golden file: its record, and what is printed for it."""
    written, _, said = path.read_text("utf-8").partition("\n\n")
    return json.loads(written), [json.loads(line) for line in said.splitlines()]


def text_of(name: str, plain: Plain) -> str:
    said = "".join(json.dumps(line) + "\n" for line in printed(name, plain))
    return "\n".join(_layout(plain)) + "\n\n" + said


def _layout(plain: Plain) -> Iterator[str]:
    """The record with a hand and a trick on a line each."""
    head = {key: plain[key] for key in ("hearts", "rules", "seats")}
    yield json.dumps(head)[:-1] + ', "deals": ['
    ruleset = from_dict(plain["rules"])
    width = plain["seats"] * ruleset.cards_per_player
    for number, deal in enumerate(plain["deals"]):
        comma = "," if number + 1 < len(plain["deals"]) else ""
        fields = [f'"{key}": {_value(key, value, width)}' for key, value in deal.items()]
        yield "  {" + ",\n   ".join(fields) + "}" + comma
    ended = ', "ended": true' if plain.get("ended") else ""
    yield f"]{ended}}}"


def _value(key: str, value: object, width: int) -> str:
    if not isinstance(value, list):
        return json.dumps(value)
    step = width if key == "plays" else 1
    rows = [json.dumps(value[at : at + step])[1:-1] for at in range(0, len(value), step)]
    return "[" + (",\n" + " " * (len(key) + 8)).join(rows) + "]"


def main(verb: str, *names: str) -> None:
    for name in names or sorted(SEEDS):
        path = FOLDER / f"{name}.txt"
        plain = played(name, SEEDS[name]) if verb == "play" else halves(path)[0]
        path.write_text(text_of(name, plain), "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
