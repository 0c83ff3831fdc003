"""Rulesets as plain tables, in the spelling of presets, records and the store."""

from collections.abc import Mapping
from typing import Any

from bot.rules import reading
from bot.rules import ruleset_parts as parts
from bot.rules.dimensions import (
    SEATS,
    Draw,
    Duplicates,
    FirstTrickExempt,
    GoodScore,
    HeartScale,
    HeartsLead,
    LeadExempt,
    NoWinnerLast,
    Settle,
    Sides,
    SideScore,
    Tie,
    VoidPlay,
)
from bot.rules.errors import RulesetError
from bot.rules.presets import BASE, names, written
from bot.rules.reading import Reader, fault, member, quoted
from bot.rules.ruleset import Ruleset
from bot.rules.ruleset_faults import problems
from bot.rules.ruleset_parts import Plain


def from_dict(mapping: Mapping[str, object]) -> Ruleset:
    """Read rules; what *mapping* leaves out is as in the preset that ``extends`` names, or in BASE.

    Nested tables are merged key by key; lists, plain values, ``end`` and ``sun`` are replaced
    whole; 0 takes a card out of ``points`` (rules.md 3).

    Raises:
        RulesetError: an unknown key, a value of the wrong kind, or a combination that cannot be
            played; with the paths of all faults of the first of these that occurs.
    """
    over = dict(reading.table("rules", mapping))
    under = _written_under(over.pop("extends", None))
    merged = merge(under, over)
    _choose_default_players(merged, over)
    _spread_over_seats(merged)
    ruleset = Ruleset(**reading.fields("", merged, _READERS))
    if faults := problems(ruleset):
        raise RulesetError(faults)
    return ruleset


def to_dict(ruleset: Ruleset) -> Plain:
    """All keys of *ruleset*, so that it can be read back whatever becomes of the presets."""
    return {
        "id": ruleset.id,
        "title": ruleset.title,
        "source": ruleset.source,
        "aliases": list(ruleset.aliases),
        "text": ruleset.text,
        "players": list(ruleset.players),
        "default_players": ruleset.default_players,
        **{key: getattr(ruleset, key).value for key in _WORDS},
        **_cards_to_plain(ruleset),
        "first_trick_ban": [selector.text for selector in ruleset.first_trick_ban],
        "breakers": [selector.text for selector in ruleset.breakers],
        "break_on_lead": ruleset.break_on_lead,
        "cards_per_player": ruleset.cards_per_player,
        "points": parts.points_to_plain(ruleset),
        "no_trick_bonus": parts.no_trick_bonus_to_plain(ruleset.no_trick_bonus),
        "moon": parts.moon_to_plain(ruleset.moon),
        "sun": parts.sun_to_plain(ruleset.sun),
        "end": parts.end_to_plain(ruleset.end),
        "exact": {str(hit): becomes for hit, becomes in ruleset.exact.items()},
        "tiebreak_moon": ruleset.tiebreak_moon,
    }


def merge(under: Mapping[str, object], over: Mapping[str, object]) -> Plain:
    """*under* with all that *over* says: tables key by key, all else, ``end`` and ``sun`` whole."""
    merged = {**under, **over}
    for key in under.keys() & over.keys() - _REPLACED_WHOLE:
        below, above = under[key], over[key]
        if isinstance(below, Mapping) and isinstance(above, Mapping):
            merged[key] = merge(below, above)
    return merged


def _cards_to_plain(ruleset: Ruleset) -> Plain:
    """What stands by number of seats is written for each of them, lest BASE shines through."""
    seats = ruleset.players
    return {
        "packs": ruleset.packs,
        "ranks": parts.ranks_to_plain(ruleset),
        "jokers": {str(n): ruleset.jokers.get(n, 0) for n in seats},
        "remove": {str(n): [str(card) for card in out] for n, out in ruleset.remove.items()},
        "add": {str(n): [str(card) for card in ruleset.add.get(n, ())] for n in seats},
        "hand": {str(n): size for n, size in ruleset.hand.items()} or "even",
        "rest": {str(n): rest.value for n, rest in ruleset.rest.items()} or "none",
        "widow": parts.widow_to_plain(ruleset.widow),
        "pass_cycle": {
            str(n): [parts.step_to_plain(step) for step in cycle]
            for n, cycle in ruleset.pass_cycle.items()
        },
    }


def _written_under(extends: object) -> Plain:
    """The tables below the ones that are read."""
    if extends is None:
        return dict(written(BASE))
    if extends not in names():
        raise fault("extends", f"no preset is called {quoted(extends)}")
    over = dict(written(str(extends)))
    return merge(_written_under(over.pop("extends", None)), over)


def _choose_default_players(merged: Plain, over: Mapping[str, object]) -> None:
    """Who narrows ``players`` need not name a default."""
    players = merged["players"]
    if "default_players" in over or not isinstance(players, list | tuple) or not players:
        return
    if merged["default_players"] not in players:
        merged["default_players"] = players[0]


def _spread_over_seats(merged: Plain) -> None:
    """One value for every number of seats becomes a table by that number."""
    players = merged["players"] if isinstance(merged["players"], list | tuple) else ()
    for key, plain in _BY_SEATS.items():
        value = merged[key]
        if key == "hand" and value == "even":
            merged[key] = {}
        elif isinstance(value, plain):
            merged[key] = {str(n): value for n in SEATS if n in players}


def _selectors(path: str, value: object) -> tuple[object, ...]:
    return reading.sequence(path, value, reading.selector)


def _integers(path: str, value: object) -> tuple[int, ...]:
    return reading.sequence(path, value, reading.integer)


def _texts(path: str, value: object) -> tuple[str, ...]:
    return reading.sequence(path, value, reading.text)


_REPLACED_WHOLE = {"end", "sun"}
_BY_SEATS: Mapping[str, tuple[type, ...]] = {
    "jokers": (int,),
    "remove": (list, tuple),
    "add": (list, tuple),
    "hand": (int,),
    "rest": (str,),
    "pass_cycle": (list, tuple),
}
"""Tables by number of seats, and what one value for all of them looks like."""
_WORDS: Mapping[str, Reader[Any]] = {
    "sides": member(Sides),
    "side_score": member(SideScore),
    "good_score": member(GoodScore),
    "draw": member(Draw),
    "first_lead": parts.first_lead,
    "void_play": member(VoidPlay),
    "first_trick_exempt": member(FirstTrickExempt),
    "hearts_lead": member(HeartsLead),
    "lead_exempt": member(LeadExempt),
    "duplicates": member(Duplicates),
    "no_winner_last": member(NoWinnerLast),
    "heart_scale": member(HeartScale),
    "tie": member(Tie),
    "settle": member(Settle),
}
"""Keys whose value is one word of a closed list."""

_FIXED: Mapping[str, Reader[Any]] = {
    "rotation": reading.only("cw"),
    "dealer_next": reading.only("left"),
    "follow": reading.only("suit"),
    "no_winner": reading.only("carry_same_leader"),
    "joker": lambda path, value: reading.fields(path, value, _JOKER_READERS) and None,
}
"""Keys with a single value, which the engine plays and does not store."""

_JOKER_READERS: Mapping[str, Reader[Any]] = {
    "play": reading.only("anytime"),
    "power": lambda path, value: None if value is None else reading.only("null")(path, value),
    "led": reading.only("next_card_sets_suit"),
}

_READERS: Mapping[str, Reader[Any]] = {
    "id": reading.text,
    "title": reading.text,
    "source": reading.text,
    "aliases": _texts,
    "text": reading.long_text,
    "players": _integers,
    "default_players": reading.integer,
    "packs": reading.integer,
    "ranks": parts.ranks,
    "jokers": parts.by_seats(parts.number),
    "remove": parts.by_seats(parts.cards),
    "add": parts.by_seats(parts.cards),
    "hand": parts.by_seats(parts.number),
    "rest": parts.by_seats(parts.rest),
    "widow": parts.widow,
    "pass_cycle": parts.by_seats(parts.cycle),
    "first_trick_ban": _selectors,
    "breakers": _selectors,
    "break_on_lead": reading.truth,
    "cards_per_player": reading.integer,
    "points": parts.points,
    "no_trick_bonus": parts.no_trick_bonus,
    "moon": parts.moon,
    "sun": parts.sun,
    "end": parts.end,
    "exact": parts.exact,
    "tiebreak_moon": reading.truth,
    **_WORDS,
    **_FIXED,
}
