"""Rulesets as plain tables, in the spelling of presets, records and the store."""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar, assert_never

from bot.rules import reading
from bot.rules.cards import Card, pack
from bot.rules.errors import RulesetError
from bot.rules.presets import BASE, names, written
from bot.rules.reading import Reader, fault, member, quoted
from bot.rules.ruleset import (
    SEATS,
    BonusScore,
    DealCount,
    End,
    FirstLead,
    FirstTrickExempt,
    HeartsLead,
    Hold,
    LeadExempt,
    MoonPayoff,
    MoonRules,
    PassStep,
    PassTo,
    Ruleset,
    Scatter,
    Single,
    Target,
    Tie,
)
from bot.rules.selectors import Selector

Value = TypeVar("Value")
Plain = dict[str, Any]
"""What JSON and TOML can say: texts, numbers, truths, lists and tables of them."""


def from_dict(mapping: Mapping[str, object]) -> Ruleset:
    """Read rules; what *mapping* leaves out is as in the preset that ``extends`` names, or in BASE.

    Nested tables are merged key by key; lists, plain values and ``end`` are replaced whole; 0
    takes a card out of ``points`` (rules.md 3).

    Raises:
        RulesetError: an unknown key, a value of the wrong kind, or a combination that cannot be
            played; with the paths of all faults of the first of these that occurs.
    """
    over = dict(reading.table("rules", mapping))
    under = _written_under(over.pop("extends", None))
    merged = _merged(under, over)
    _choose_default_players(merged, over)
    _spread_over_seats(merged)
    ruleset = Ruleset(**reading.fields("", merged, _READERS))
    if faults := ruleset.problems():
        raise RulesetError(faults)
    return ruleset


def to_dict(ruleset: Ruleset) -> Plain:
    """All keys of *ruleset*, so that it can be read back whatever becomes of the presets."""
    return {
        "id": ruleset.id,
        "title": ruleset.title,
        "source": ruleset.source,
        "players": list(ruleset.players),
        "default_players": ruleset.default_players,
        "remove": {str(n): [str(card) for card in out] for n, out in ruleset.remove.items()},
        "pass_cycle": {
            str(n): [_step_to_plain(step) for step in cycle]
            for n, cycle in ruleset.pass_cycle.items()
        },
        "first_lead": ruleset.first_lead.value,
        "first_trick_ban": [selector.text for selector in ruleset.first_trick_ban],
        "first_trick_exempt": ruleset.first_trick_exempt.value,
        "hearts_lead": ruleset.hearts_lead.value,
        "breakers": [selector.text for selector in ruleset.breakers],
        "break_on_lead": ruleset.break_on_lead,
        "lead_exempt": ruleset.lead_exempt.value,
        "points": _points_to_plain(ruleset),
        "moon": _moon_to_plain(ruleset.moon),
        "end": _end_to_plain(ruleset.end),
        "exact": {str(hit): becomes for hit, becomes in ruleset.exact.items()},
        "tie": ruleset.tie.value,
    }


def _written_under(extends: object) -> Plain:
    """The tables below the ones that are read."""
    if extends is None:
        return dict(written(BASE))
    if extends not in names():
        raise fault("extends", f"no preset is called {quoted(extends)}")
    over = dict(written(str(extends)))
    return _merged(_written_under(over.pop("extends", None)), over)


def _merged(under: Mapping[str, object], over: Mapping[str, object]) -> Plain:
    merged = {**under, **over}
    for key in under.keys() & over.keys() - {"end"}:
        below, above = under[key], over[key]
        if isinstance(below, Mapping) and isinstance(above, Mapping):
            merged[key] = _merged(below, above)
    return merged


def _choose_default_players(merged: Plain, over: Mapping[str, object]) -> None:
    """Who narrows ``players`` need not name a default."""
    players = merged["players"]
    if "default_players" in over or not isinstance(players, list | tuple) or not players:
        return
    if merged["default_players"] not in players:
        merged["default_players"] = players[0]


def _spread_over_seats(merged: Plain) -> None:
    """One list for every number of seats becomes a table by that number."""
    players = merged["players"] if isinstance(merged["players"], list | tuple) else ()
    for key in ("remove", "pass_cycle"):
        if isinstance(merged[key], list | tuple):
            merged[key] = {str(n): merged[key] for n in SEATS if n in players}


def _by_seats(read: Callable[[str, object, int], Value]) -> Reader[dict[int, Value]]:
    def read_table(path: str, value: object) -> dict[int, Value]:
        found: dict[int, Value] = {}
        for key, each in reading.table(path, value).items():
            inner = f"{path}.{key}"[:80]
            seats = reading.number_key(inner, key)
            found[seats] = read(inner, each, seats)
        return dict(sorted(found.items()))

    return read_table


def _cards(path: str, value: object, _: int) -> tuple[Card, ...]:
    return reading.sequence(path, value, reading.card)


def _cycle(path: str, value: object, seats: int) -> tuple[PassStep, ...]:
    def read(inner: str, step: object) -> PassStep:
        return _step(inner, step, seats)

    return reading.sequence(path, value, read)


def _step(path: str, value: object, seats: int) -> PassStep:
    if value == "hold":
        return Hold()
    match value:
        case {"to": "across", "n": n, **more} if not more:
            if seats % 2:
                raise fault(path, f"nobody sits across from a seat of {seats}")
            return PassTo(seats // 2, reading.integer(f"{path}.n", n))
        case {"to": to, "n": n, **more} if not more:
            return PassTo(reading.integer(f"{path}.to", to), reading.integer(f"{path}.n", n))
        case {"scatter": n, **more} if not more:
            return Scatter(reading.integer(f"{path}.scatter", n))
    raise fault(path, f"{quoted(value)} is not a way to pass")


def _step_to_plain(step: PassStep) -> str | Plain:
    match step:
        case Hold():
            return "hold"
        case PassTo(to, count):
            return {"to": to, "n": count}
        case Scatter(count):
            return {"scatter": count}
        case _:
            assert_never(step)


def _points(path: str, value: object) -> tuple[tuple[Selector, int], ...]:
    return tuple(
        (reading.selector(f"{path}.{key}"[:80], key), reading.integer(f"{path}.{key}"[:80], each))
        for key, each in reading.table(path, value).items()
    )


def _points_to_plain(ruleset: Ruleset) -> Plain:
    """All entries; those of BASE too, lest reading puts back what *ruleset* does without."""
    base = map(Selector, written(BASE)["points"])
    return {
        **{selector.text: _worth_without_entry(ruleset, selector) for selector in base},
        **{selector.text: points for selector, points in ruleset.points},
    }


def _worth_without_entry(ruleset: Ruleset, selector: Selector) -> int:
    card = next(filter(selector.fits, pack()))
    wider = (entry for entry in ruleset.points if entry[0].precision < selector.precision)
    return next((points for other, points in wider if other.fits(card)), 0)


def _moon(path: str, value: object) -> MoonRules:
    return MoonRules(**reading.fields(path, value, _MOON_READERS))


def _moon_value(path: str, value: object) -> int | None:
    return None if value == "sum" else reading.integer(path, value)


def _moon_to_plain(moon: MoonRules) -> Plain:
    return {
        "on": moon.on,
        "bonus": moon.bonus,
        "bonus_score": moon.bonus_score.value,
        "payoff": moon.payoff.value,
        "value": "sum" if moon.value is None else moon.value,
    }


def _end(path: str, value: object) -> End:
    if value == "single":
        return Single()
    match value:
        case {"target": points, **more} if not more:
            return Target(reading.integer(f"{path}.target", points))
        case {"hands": deals, **more} if not more:
            return DealCount(reading.integer(f"{path}.hands", deals))
    raise fault(path, f"{quoted(value)} is not a way to end")


def _end_to_plain(end: End) -> str | Plain:
    match end:
        case Target(points):
            return {"target": points}
        case DealCount(deals):
            return {"hands": deals}
        case Single():
            return "single"
        case _:
            assert_never(end)


def _exact(path: str, value: object) -> dict[int, int]:
    return {
        reading.number_key(f"{path}.{key}"[:80], key): reading.integer(f"{path}.{key}"[:80], each)
        for key, each in reading.table(path, value).items()
    }


def _first_lead(path: str, value: object) -> FirstLead:
    if value == "lowest_club_in_hands":
        return FirstLead.LOWEST_CLUB
    return member(FirstLead)(path, value)


def _selectors(path: str, value: object) -> tuple[Selector, ...]:
    return reading.sequence(path, value, reading.selector)


def _integers(path: str, value: object) -> tuple[int, ...]:
    return reading.sequence(path, value, reading.integer)


_MOON_READERS: Mapping[str, Reader[Any]] = {
    "on": reading.truth,
    "bonus": reading.truth,
    "bonus_score": member(BonusScore),
    "payoff": member(MoonPayoff),
    "value": _moon_value,
    "required": reading.only("all_positive"),
    "scope": reading.only("player"),
}

_READERS: Mapping[str, Reader[Any]] = {
    "id": reading.text,
    "title": reading.text,
    "source": reading.text,
    "players": _integers,
    "default_players": reading.integer,
    "remove": _by_seats(_cards),
    "pass_cycle": _by_seats(_cycle),
    "first_lead": _first_lead,
    "first_trick_ban": _selectors,
    "first_trick_exempt": member(FirstTrickExempt),
    "hearts_lead": member(HeartsLead),
    "breakers": _selectors,
    "break_on_lead": reading.truth,
    "lead_exempt": member(LeadExempt),
    "points": _points,
    "moon": _moon,
    "end": _end,
    "exact": _exact,
    "tie": member(Tie),
    "rotation": reading.only("cw"),
    "sides": reading.only("solo"),
    "good_score": reading.only("low"),
    "dealer_next": reading.only("left"),
    "packs": reading.only(1),
    "hand": reading.only("even"),
    "rest": reading.only("none"),
    "draw": reading.only("none"),
    "follow": reading.only("suit"),
    "void_play": reading.only("any"),
    "cards_per_player": reading.only(1),
    "duplicates": reading.only("none"),
    "heart_scale": reading.only("ones"),
    "sun": reading.only("off"),
    "settle": reading.only("none"),
}
