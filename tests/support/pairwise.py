"""Rules in which every value of every switch meets every value of every other one.

A switch is a key of a ruleset with its dotted path, in the spelling of records. A row sets all of
them at one table, so it is a ruleset for one number of seats. What cannot stand in one row, because
validation refuses the pair wherever it is put, is told apart from what merely did not fit.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from random import Random
from typing import Any

from bot.rules.errors import RulesetError
from bot.rules.ruleset import Ruleset
from bot.rules.ruleset_io import from_dict, to_dict
from bot.rules.variants import load

Row = dict[str, Any]
"""Dotted path to value: every key of `SWITCHES`."""
Setting = tuple[str, str]
"""A switch, and its value as JSON."""
Pair = frozenset[Setting]

LEFT = {"to": 1, "n": 3}
HEARTS_AND_QUEEN = {"H*": 1, "QS": 13}

SWITCHES: Mapping[str, Sequence[object]] = {
    "players": range(2, 12),
    "sides": ("solo", "opposite", "opposite_if_even"),
    "side_score": ("pooled", "individual_sum_at_end"),
    "good_score": ("low", "high"),
    "packs": (1, 2),
    "ranks": ("23456789TJQKA", "789TJQKA", "2468TQA"),
    "jokers": (0, 1, 4),
    "remove": ([], ["2D"], ["2C"]),
    "add": ([], ["QS"]),
    "hand": ("even", 6),
    "rest": ("none", "widow", "stock"),
    "widow.positions": ("last", "middle", ["first", "last"]),
    "widow.take": ("dead", "first_trick", "first_penalty", "last_trick"),
    "widow.seen": ("none", "taker", "side", "all_at_end"),
    "widow.never": ([], ["2C"]),
    "draw": ("none", "after_each_card"),
    "pass_cycle": (["hold"], [LEFT], [{"scatter": 1}, {"to": -1, "n": 1}]),
    "first_lead": ("lowest_club", "holder_any_club", "left_of_dealer"),
    "void_play": ("any", "qs_first_chance", "qs_when_safe"),
    "first_trick_ban": ([], ["H*", "QS"]),
    "first_trick_exempt": ("any", "qs_first"),
    "hearts_lead": ("free", "after_broken"),
    "breakers": (["H*"], ["H*", "QS"]),
    "break_on_lead": (True, False),
    "lead_exempt": ("only_hearts", "hearts_or_qs"),
    "cards_per_player": (1, 2),
    "duplicates": ("none", "cancel_pairs", "later_wins", "earlier_wins"),
    "no_winner_last": ("dead", "previous_winner", "leader"),
    "points": (
        HEARTS_AND_QUEEN,
        HEARTS_AND_QUEEN | {"TD": -10},
        HEARTS_AND_QUEEN | {"KS": 10, "AS": 7},
        {"H*": 1, "QS": 0, "rank:Q": 13},
    ),
    "heart_scale": ("ones", "pip14", "greek", "low", "half_hi", "half_lo"),
    "no_trick_bonus.points": (0, -5),
    "no_trick_bonus.if_moon": (False, True),
    "no_trick_bonus.floor_zero": (False, True),
    "moon.on": (True, False),
    "moon.bonus": (False, True),
    "moon.bonus_score": ("separate", "absorbed"),
    "moon.scope": ("player", "side"),
    "moon.missing_ok": ("none", "dead_tricks"),
    "moon.widow_points_void": (True, False),
    "moon.payoff": (
        "add_others",
        "subtract_self",
        "shooter_choice",
        "add_unless_shooter_then_loses",
        "lose_value",
    ),
    "moon.value": ("sum", 26),
    "sun": ("off", {"value": 52}),
    "end": ({"target": 100}, {"hands": 3}, {"hands": "open"}, {"minutes": 9}, "single"),
    "exact": ({}, {"100": 50}),
    "tie": ("extra_hands", "share", "tiebreak_no_pass"),
    "tiebreak_moon": (True, False),
    "settle": ("none", "wilson", "super", "diff_from_mean", "howell"),
}
"""What is combined. `players` is the number of seats at the table."""

_BY_SEATS = ("jokers", "remove", "add", "hand", "rest", "pass_cycle")
_ELSEWHERE = {"hand": "even", "rest": "none"}
"""What a table by number of seats means where it does not name the number."""

_HOSTS = (
    ("standard", (3, 4, 5, 6)),
    ("bicycle_old", (3, 4, 5, 6, 7)),
    ("joker_hearts", (8, 9)),
    ("small", (4,)),
    ("two_player", (2,)),
    ("draw7", (2,)),
    ("reverse", (4,)),
    ("partnership_individual", (4,)),
    ("super_hearts", (3, 4, 6)),
    ("omnibus", (4,)),
    ("cancellation", (6, 8, 10)),
    ("killer", (7, 9, 10)),
)
"""Rules under which a pair is tried: presets, and numbers of seats."""


_TWO_PACKS: Row = {"packs": 2, "duplicates": "later_wins"}
_GOOD: Row = {"good_score": "high", "moon.payoff": "lose_value", "no_trick_bonus.points": 0}
_ALONE: Row = {"settle": "super", "sides": "solo", "side_score": "pooled", "end": {"hands": 3}}
_COMPANIONS: Sequence[tuple[str, object, Row]] = (
    ("packs", 2, _TWO_PACKS),
    ("add", ["QS"], {"duplicates": "later_wins"}),
    ("good_score", "high", _GOOD),
    ("moon.payoff", "lose_value", _GOOD),
    ("moon.bonus", True, {"points": HEARTS_AND_QUEEN | {"TD": -10}}),
    ("settle", "super", _ALONE),
    ("side_score", "individual_sum_at_end", {"sides": "opposite_if_even"}),
)
"""Settings that need others beside them, whatever the host."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """A pair that no host can have, and what validation says of it under the mildest one."""

    pair: Pair
    faults: tuple[str, ...]


def setting(key: str, value: object) -> Setting:
    return key, json.dumps(value, sort_keys=True)


def rules_of(row: Row) -> Ruleset:
    """The ruleset of a row.

    Raises:
        RulesetError: validation refuses it.
    """
    plain: dict[str, Any] = {}
    for key, value in row.items():
        outer, _, inner = key.partition(".")
        if inner:
            plain.setdefault(outer, {})[inner] = value
        else:
            plain[outer] = [value] if key == "players" else value
    return from_dict(plain)


def row_of(ruleset: Ruleset, seats: int) -> Row:
    """The reverse of `rules_of`, of rules for any numbers of seats."""
    plain = to_dict(ruleset)
    row: Row = {"players": seats}
    for key in SWITCHES:
        outer, _, inner = key.partition(".")
        value = plain[outer][inner] if inner else plain[outer]
        if key in _BY_SEATS and isinstance(value, dict):
            value = value.get(str(seats), _ELSEWHERE.get(key))
        row[key] = seats if key == "players" else value
    return row


@cache
def hosts() -> tuple[Row, ...]:
    """Rules under which a pair is tried; the last ones draw from a stock."""
    rows = [row_of(load(name), seats) for name, table in _HOSTS for seats in table]
    eleven = row_of(load("cancellation"), 10) | {"players": 11, "pass_cycle": ["hold"]}
    even = row_of(load("killer"), 7) | {"jokers": 0, "remove": [], "hand": "even"}
    drawing = row_of(load("draw7"), 2) | {"hand": 6, "cards_per_player": 1, **_TWO_PACKS}
    stocks = [drawing | {"players": n, "jokers": -104 % n} for n in range(3, 12)]
    # With one card more or less than divides by seven, for pairs that add or remove one.
    sevens = [drawing | {"players": 7, "jokers": jokers} for jokers in (0, 2)]
    return (*rows, eleven, eleven | {"rest": "none", "jokers": 6}, even, *stocks, *sevens)


def arrangement(dice: Random) -> Iterator[Row | Refusal]:
    """Rows until every pair of settings has been in one or has been refused."""
    uncovered = all_pairs()
    for pair in sorted(uncovered, key=sorted):
        if pair not in uncovered:
            continue
        start = _with_pair(pair)
        if isinstance(start, Refusal):
            yield start
            uncovered.discard(pair)
            continue
        row = _filled(start, pair, uncovered, dice)
        uncovered -= pairs_in(row)
        yield row


def all_pairs() -> set[Pair]:
    return {
        frozenset({setting(one, a), setting(two, b)})
        for one, two in combinations(SWITCHES, 2)
        for a in SWITCHES[one]
        for b in SWITCHES[two]
    }


def pairs_in(row: Row) -> set[Pair]:
    """All pairs of the settings of *row*, listed in `SWITCHES` or not."""
    return set(map(frozenset, combinations([setting(*item) for item in row.items()], 2)))


def _with_pair(pair: Pair) -> Row | Refusal:
    """The first host that can have both settings."""
    over = {key: json.loads(text) for key, text in pair}
    beside: Row = {}
    for key, value, companions in _COMPANIONS:
        if over.get(key) == value:
            beside |= companions
    mildest: tuple[str, ...] = ()
    for host in hosts():
        row = host | beside | over
        faults = faults_of(row)
        if not faults:
            return row
        if not mildest or len(faults) < len(mildest):
            mildest = faults
    return Refusal(pair, mildest)


def faults_of(row: Row) -> tuple[str, ...]:
    try:
        rules_of(row)
    except RulesetError as error:
        return tuple(error.faults)
    return ()


def _filled(row: Row, pair: Pair, uncovered: set[Pair], dice: Random) -> Row:
    """*row* with other values wherever they cover more pairs and validation accepts them."""
    fixed = {key for key, _ in pair}
    for key in dice.sample([*SWITCHES], len(SWITCHES)):
        if key in fixed:
            continue
        others = [setting(*item) for item in row.items() if item[0] != key]
        gains = {
            place: sum(frozenset({setting(key, value), other}) in uncovered for other in others)
            for place, value in enumerate((row[key], *SWITCHES[key]))
        }
        values = (row[key], *SWITCHES[key])
        for place in sorted(gains, key=lambda each: (-gains[each], each)):
            if gains[place] <= gains[0]:
                break
            if not faults_of(row | {key: values[place]}):
                row = row | {key: values[place]}
                break
    return row
