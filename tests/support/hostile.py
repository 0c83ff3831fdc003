"""What somebody sends who means harm: seeded ids, menu values, forms, typed text, names, records.

Half of it is valid things, changed a little; the other half never was valid.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields
from random import Random
from typing import Any, cast, get_args

from bot.rules import variants
from bot.rules.cards import Card, pack
from bot.rules.dimensions import MoonPayoff
from bot.table.plans import AllForced, LowestOfSuitLed, QueenWhenPossible
from cogs.ui import ids
from tests.support.records import RECORD, moon_record

TABLE = "K7Q2M9XA"
CARDS = (*pack(), *pack(copy=2), Card.parse("JK"))
ACTIONS: tuple[type[ids.Action], ...] = get_args(ids.Action)
_ALPHABET = (
    *"abcXYZ059:;.,-_=+ \t\n\r\0\\/\"'`*~|<>@#&()[]{}%$",
    *"é٣५²Ⅷ🂡♠\u200b\u200d\u202e\u2066\ufeff\ud7ff\U0010ffff\u0301",
)
_NUMBERS = ("-1", "0", "00", "+1", "1e9", "1_0", "٣", "²", "9" * 20, "9" * 90, "9" * 5_000, "0x1")

MENTIONS = (
    "@everyone",
    "@here",
    "<@1>",
    "<@!1>",
    "<@&1>",
    "<#1>",
    "</hearts end:1>",
    "<t:1>",
    "<t:1:R>",
    "<id:customize>",
    "<:queen:123456789012345678>",
    "<a:queen:123456789012345678>",
)
MARKUP = (
    "**bold**",
    "__under__",
    "_it_",
    "~~gone~~",
    "||spoiler||",
    "`code`",
    "```\nfence\n```",
    "# big",
    "-# small",
    "> quote",
    ">>> quote",
    "- item",
    "1. item",
    "12) item",
    "+ item",
    "[click](https://example.com)",
    "<https://example.com>",
    "https://example.com",
    "discord.gg/hearts",
    "a\\",
    "\\",
    "---",
    "===",
    "| a | b |",
)
DIRECTIONS = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c"
INVISIBLE = "\u200b\u200c\u200d\u2060\ufeff\u00ad\u3164\u115f\u1160\u2800\0\x07\x1b\x7f\x85"
_ZALGO = "".join(map(chr, range(0x300, 0x36F)))


def custom_ids(dice: Random) -> Iterator[str]:
    """Ids of buttons, menus and forms, without end."""
    while True:
        valid = ids.write(action(dice.choice(ACTIONS), dice))
        yield dice.choice([garbled, _other_part, lambda text, _: text, _noise])(valid, dice)


def action(kind: type[ids.Action], dice: Random, table: str = TABLE) -> ids.Action:
    """A valid action of one kind; what it is about is made up."""
    given = {field.name: _FIELDS[field.name](dice) for field in fields(cast(Any, kind))}
    if "table" in given:
        given["table"] = table
    return kind(**given)


_FIELDS: Mapping[str, Callable[[Random], Any]] = {
    "table": lambda dice: dice.choice([TABLE, "AAAA1111"]),
    "keeper": lambda dice: dice.choice([TABLE, "BBBB2222"]),
    "turn": lambda dice: dice.randrange(60),
    "deal": lambda dice: dice.randrange(4),
    "number": lambda dice: dice.randrange(4),
    "version": lambda dice: dice.randrange(9),
    "card": lambda dice: dice.choice(CARDS),
    "cards": lambda dice: frozenset(dice.sample(CARDS, dice.randint(1, 5))),
    "payoff": lambda dice: dice.choice([*MoonPayoff]),
    "plan": lambda dice: dice.choice([AllForced(), LowestOfSuitLed(), QueenWhenPossible()]),
    "on": lambda dice: dice.random() < 0.5,
    "is_for": lambda dice: dice.random() < 0.5,
    "period": lambda dice: dice.choice([*ids.Period]),
    "page": lambda dice: dice.choice([1, 2, 0, -1, 10**9, 10**40]),
    "draft": lambda dice: tuple(dice.choices(["0", "13", "-1", "x"], k=dice.randint(1, 9))),
    "house": lambda dice: str(dice.choice([1, 2**63, 10**30])),
    "option": lambda dice: dice.choice(["passing", "moon", "no_such", "end"]),
    "preset": lambda dice: dice.choice([*variants.names(), "no_such"]),
    "shelf": lambda dice: dice.choice([1, 2, 0, -1, 10**30]),
    "shooter": lambda dice: dice.choice([0, 3, -1, 99, 10**30]),
    "seat": lambda dice: dice.choice([0, 3, -1, -4, 10, 10**30]),
    "to": lambda dice: dice.choice([1, 101, 0, -1, 2**63, 10**40]),
}
"""How each field of an action is made up; an action with another field needs another line."""


def garbled(text: str, dice: Random) -> str:
    """A few characters taken out, doubled, exchanged or put in."""
    for _ in range(dice.randint(1, 3)):
        place = dice.randrange(len(text) + 1)
        cut = place + dice.choice([0, 0, 1, 1, 4])
        text = text[:place] + dice.choice(["", *dice.choices(_ALPHABET, k=3)]) + text[cut:]
    return text


def _other_part(valid: str, dice: Random) -> str:
    """One part replaced by something that might be a number, a table, a card or nothing."""
    parts = valid.split(":")
    place = dice.randrange(len(parts))
    parts[place] = dice.choice([*_NUMBERS, "", "-", "h1", "QS", "QS.99", "AAAA1111", *MENTIONS])
    return ":".join(parts)


def _noise(_valid: str, dice: Random) -> str:
    return "".join(dice.choices(_ALPHABET, k=dice.choice([0, 1, 5, 30, 100, 400])))


def texts(dice: Random) -> Iterator[str]:
    """What may be typed into a form or an option, without end."""
    while True:
        yield dice.choice([_number, _typed, _name])(dice)


def _number(dice: Random) -> str:
    return dice.choice([*_NUMBERS, "26", "-26", "−13", "13.5", "NaN", "inf", "1,3", "", " "])


def _typed(dice: Random) -> str:
    valid = (
        "QS",
        "Europe/Berlin",
        "7.30 pm",
        "2026-07-01",
        "Ana, Ben, Cy",
        "standard",
        "13 0 0 13",
    )
    return garbled(dice.choice(valid), dice)


def values(dice: Random, offered: Sequence[str] = ()) -> list[str]:
    """What a menu may be said to have been given."""
    if offered and dice.random() < 0.3:
        return dice.choices([*offered], k=dice.choice([0, 2, 3, 30]))
    many = texts(dice)
    return [next(many) for _ in range(dice.choice([0, 1, 1, 1, 2, 5, 26]))]


def form(dice: Random, names: Sequence[str]) -> dict[str, Any]:
    """The data of a form: fields that are missing, doubled, of another kind, or filled oddly."""
    many, parts = texts(dice), []
    for name in (*names, "no_such"):
        kind = dice.randrange(5)
        if kind == 0:
            continue
        field: dict[str, Any] = {"type": 4, "custom_id": name, "value": next(many)}
        if kind == 1:
            field = {"type": 3, "custom_id": name, "values": values(dice)}
        if kind == 2:
            del field["custom_id"]
        parts.append({"type": 18, "component": field} if kind != 3 else {"type": 10})
    return {"components": parts}


def names(dice: Random) -> Iterator[str]:
    """What people may call themselves, and much that Discord would not let them, without end."""
    while True:
        yield _name(dice)


def _name(dice: Random) -> str:
    pieces = [
        *MENTIONS,
        *MARKUP,
        "Maya",
        "名前",
        "مرحبا",
        "🂡",
        "",
        " ",
        "\n",
        "\r\n",
        "\u2028",
        "\u2029",
    ]
    pieces += [*DIRECTIONS, *INVISIBLE, "e" + _ZALGO, "a" * dice.choice([1, 40, 10_000])]
    made = "".join(dice.choices(pieces, k=dice.choice([0, 1, 1, 2, 3, 6])))
    return garbled(made, dice) if dice.random() < 0.3 else made


def record_texts(dice: Random) -> Iterator[str]:
    """What may be given as the file of a record, without end."""
    while True:
        plain = dice.choice([RECORD, moon_record()])
        kind = dice.randrange(4)
        if kind == 0:
            yield garbled(json.dumps(plain), dice)
        elif kind == 1:
            yield json.dumps(plain)[: dice.randrange(400)]
        elif kind == 2:
            yield _name(dice)
        else:
            yield json.dumps(_bent(plain, dice))


def _bent(plain: Any, dice: Random) -> Any:
    """One value somewhere in it is another, of any kind."""
    if isinstance(plain, dict) and plain and dice.random() < 0.8:
        key = dice.choice([*plain])
        return {**plain, key: _bent(plain[key], dice)}
    if isinstance(plain, list) and plain and dice.random() < 0.8:
        place = dice.randrange(len(plain))
        return [*plain[:place], _bent(plain[place], dice), *plain[place + 1 :]]
    odd: list[Any] = [None, True, -1, 0, 10**30, 1.5, "", "QS", "QS QS", [], {}, [[]], _name(dice)]
    return dice.choice(odd)
