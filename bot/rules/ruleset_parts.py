"""The parts of a ruleset as plain values, and back: steps of passing, points, moon, end.

Each part has a reader, which trusts nothing, and a function that writes it for JSON and TOML.
"""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar, assert_never

from bot.rules import reading
from bot.rules.cards import RANK_CODES, RANKS, Card, Rank, pack
from bot.rules.dimensions import (
    BonusScore,
    DealCount,
    End,
    FirstLead,
    HeartScale,
    Hold,
    Minutes,
    MissingOk,
    MoonPayoff,
    MoonRules,
    MoonScope,
    NoTrickBonus,
    OpenCount,
    PassStep,
    PassTo,
    Rest,
    Scatter,
    Single,
    Target,
    WidowPositions,
    WidowRules,
    WidowSeen,
    WidowTake,
)
from bot.rules.presets import BASE, written
from bot.rules.reading import Reader, fault, member, quoted
from bot.rules.ruleset import ALL_HEARTS, Ruleset
from bot.rules.selectors import Selector

Value = TypeVar("Value")
Plain = dict[str, Any]
"""What JSON and TOML can say: texts, numbers, truths, lists and tables of them."""


def by_seats(read: Callable[[str, object, int], Value]) -> Reader[dict[int, Value]]:
    """A reader of a table by number of seats; *read* also takes that number."""

    def read_table(path: str, value: object) -> dict[int, Value]:
        found: dict[int, Value] = {}
        for key, each in reading.table(path, value).items():
            inner = f"{path}.{key}"[:80]
            seats = reading.number_key(inner, key)
            found[seats] = read(inner, each, seats)
        return dict(sorted(found.items()))

    return read_table


def cards(path: str, value: object, _: int = 0) -> tuple[Card, ...]:
    """A list of cards; which copy of a card is never said."""
    found = reading.sequence(path, value, reading.card)
    for card in found:
        if card.copy > 1 or card.suit is None:
            raise fault(path, f"{card} is not a card of a suit without its copy")
    return found


def number(path: str, value: object, _: int = 0) -> int:
    """A whole number, whatever the number of seats."""
    return reading.integer(path, value)


def rest(path: str, value: object, _: int = 0) -> Rest:
    """What becomes of cards left over."""
    return member(Rest)(path, value)


def ranks(path: str, value: object) -> tuple[Rank, ...]:
    """Ranks from low to high, as ``2468TQA``."""
    text = reading.text(path, value)
    for letter in text:
        if letter not in RANKS:
            raise fault(path, f"{quoted(letter)} is not a rank")
    return tuple(RANKS[letter] for letter in text)


def ranks_to_plain(ruleset: Ruleset) -> str:
    """The reverse of `ranks`."""
    return "".join(RANK_CODES[rank] for rank in ruleset.ranks)


def cycle(path: str, value: object, seats: int) -> tuple[PassStep, ...]:
    """The steps of passing at a table of so many seats."""

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


def step_to_plain(step: PassStep) -> str | Plain:
    """Write one step of passing."""
    match step:
        case Hold():
            return "hold"
        case PassTo(to, count):
            return {"to": to, "n": count}
        case Scatter(count):
            return {"scatter": count}
        case _:
            assert_never(step)


def points(path: str, value: object) -> tuple[tuple[Selector, int], ...]:
    """What cards cost, by selector."""
    return tuple(
        (reading.selector(f"{path}.{key}"[:80], key), reading.integer(f"{path}.{key}"[:80], each))
        for key, each in reading.table(path, value).items()
    )


def points_to_plain(ruleset: Ruleset) -> Plain:
    """All entries; those of BASE too, lest reading puts back what *ruleset* does without."""
    base = map(Selector, written(BASE)["points"])
    return {
        **{selector.text: _worth_without_entry(ruleset, selector) for selector in base},
        **{selector.text: worth for selector, worth in ruleset.points},
    }


def _worth_without_entry(ruleset: Ruleset, selector: Selector) -> int:
    if selector == ALL_HEARTS and ruleset.heart_scale is not HeartScale.ONES:
        return 0
    card = next(filter(selector.fits, pack()))
    wider = (entry for entry in ruleset.points if entry[0].precision < selector.precision)
    return next((worth for other, worth in wider if other.fits(card)), 0)


def moon(path: str, value: object) -> MoonRules:
    """The table of the slam."""
    return MoonRules(**reading.fields(path, value, _MOON_READERS))


def _moon_value(path: str, value: object) -> int | None:
    return None if value == "sum" else reading.integer(path, value)


def moon_to_plain(moon: MoonRules) -> Plain:
    """Write the table of the slam."""
    return {
        "on": moon.on,
        "required": "all_positive",
        "bonus": moon.bonus,
        "bonus_score": moon.bonus_score.value,
        "scope": moon.scope.value,
        "missing_ok": moon.missing_ok.value,
        "widow_points_void": moon.widow_points_void,
        "payoff": moon.payoff.value,
        "value": "sum" if moon.value is None else moon.value,
    }


def sun(path: str, value: object) -> int | None:
    """What all tricks are worth; ``None`` for ``off``."""
    match value:
        case "off":
            return None
        case {"value": worth, **more} if not more:
            return reading.integer(f"{path}.value", worth)
    raise fault(path, f"{quoted(value)} is neither off nor a value")


def sun_to_plain(worth: int | None) -> str | Plain:
    """The reverse of `sun`."""
    return "off" if worth is None else {"value": worth}


def widow(path: str, value: object) -> WidowRules:
    """The table of the widow."""
    return WidowRules(**reading.fields(path, value, _WIDOW_READERS))


def _positions(path: str, value: object) -> WidowPositions:
    if isinstance(value, list | tuple):
        if list(value) == ["first", "last"]:
            return WidowPositions.FIRST_LAST
        raise fault(path, f"{quoted(value)} is neither last, middle nor [first, last]")
    return member(WidowPositions)(path, value)


def widow_to_plain(widow: WidowRules) -> Plain:
    """Write the table of the widow."""
    first_last = widow.positions is WidowPositions.FIRST_LAST
    plain: Plain = {} if widow.size is None else {"size": widow.size}
    return plain | {
        "positions": ["first", "last"] if first_last else widow.positions.value,
        "take": widow.take.value,
        "mode": "capture",
        "seen": widow.seen.value,
        "never": [str(card) for card in widow.never],
    }


def no_trick_bonus(path: str, value: object) -> NoTrickBonus:
    """What a seat without a trick gets; ``off``: nothing."""
    if value == "off":
        return NoTrickBonus()
    return NoTrickBonus(**reading.fields(path, value, _NO_TRICK_READERS))


def no_trick_bonus_to_plain(bonus: NoTrickBonus) -> Plain:
    """The reverse of `no_trick_bonus`."""
    return {"points": bonus.points, "if_moon": bonus.if_moon, "floor_zero": bonus.floor_zero}


def end(path: str, value: object) -> End:
    """When the game is over."""
    match value:
        case "single":
            return Single()
        case {"target": worth, **more} if not more:
            return Target(reading.integer(f"{path}.target", worth))
        case {"hands": "open", **more} if not more:
            return OpenCount()
        case {"hands": deals, **more} if not more:
            return DealCount(reading.integer(f"{path}.hands", deals))
        case {"minutes": minutes, **more} if not more:
            return Minutes(reading.integer(f"{path}.minutes", minutes))
    raise fault(path, f"{quoted(value)} is not a way to end")


def end_to_plain(end: End) -> str | Plain:
    """The reverse of `end`."""
    match end:
        case Target(worth):
            return {"target": worth}
        case DealCount(deals):
            return {"hands": deals}
        case OpenCount():
            return {"hands": "open"}
        case Minutes(minutes):
            return {"minutes": minutes}
        case Single():
            return "single"
        case _:
            assert_never(end)


def exact(path: str, value: object) -> dict[int, int]:
    """Totals that become others when they are hit."""
    return {
        reading.number_key(f"{path}.{key}"[:80], key): reading.integer(f"{path}.{key}"[:80], each)
        for key, each in reading.table(path, value).items()
    }


def first_lead(path: str, value: object) -> FirstLead:
    """Who leads first."""
    if value == "lowest_club_in_hands":
        return FirstLead.LOWEST_CLUB
    return member(FirstLead)(path, value)


_MOON_READERS: Mapping[str, Reader[Any]] = {
    "on": reading.truth,
    "required": reading.only("all_positive"),
    "bonus": reading.truth,
    "bonus_score": member(BonusScore),
    "scope": member(MoonScope),
    "missing_ok": member(MissingOk),
    "widow_points_void": reading.truth,
    "payoff": member(MoonPayoff),
    "value": _moon_value,
}
_WIDOW_READERS: Mapping[str, Reader[Any]] = {
    "size": reading.integer,
    "positions": _positions,
    "take": member(WidowTake),
    "mode": reading.only("capture"),
    "seen": member(WidowSeen),
    "never": cards,
}
_NO_TRICK_READERS: Mapping[str, Reader[Any]] = {
    "points": reading.integer,
    "if_moon": reading.truth,
    "floor_zero": reading.truth,
}
