"""Plain values of a preset, a record or the store, read with a path for every fault.

Nothing here trusts its input: whatever comes, the answer is a value or a `RulesetError`.
"""

import re
from collections.abc import Callable, Mapping
from enum import Enum
from reprlib import repr as repr_of
from typing import Any, TypeVar

from bot.rules.cards import Card
from bot.rules.errors import NotationError, RulesetError
from bot.rules.selectors import Selector

Value = TypeVar("Value")
Member = TypeVar("Member", bound=Enum)
Reader = Callable[[str, object], Value]
"""Takes the dotted path of a value and the value; returns what it means."""

_LARGEST = 1_000_000
"""No number in a ruleset is larger, so that none outgrows a column or a screen."""
_LONGEST = 200
_LONGEST_TEXT = 1_000
_NUMBER = re.compile(r"-?[0-9]{1,7}", re.ASCII)


def fault(path: str, text: str) -> RulesetError:
    """One fault at *path*."""
    return RulesetError([f"{path}: {text}"])


def quoted(value: object) -> str:
    """*value* as it may stand in a fault: short, however long or deeply nested it is."""
    return repr_of(value)[:40]


def table(path: str, value: object) -> Mapping[str, object]:
    """A table with texts as keys."""
    if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
        raise fault(path, f"{quoted(value)} is not a table")
    return value


def sequence(path: str, value: object, read: Reader[Value]) -> tuple[Value, ...]:
    """A list of what *read* reads."""
    if not isinstance(value, list | tuple):
        raise fault(path, f"{quoted(value)} is not a list")
    return tuple(read(f"{path}.{place}", each) for place, each in enumerate(value))


def text(path: str, value: object) -> str:
    """A short text."""
    if not isinstance(value, str) or len(value) > _LONGEST:
        raise fault(path, f"{quoted(value)} is not a text of at most {_LONGEST} characters")
    return value


def long_text(path: str, value: object) -> str:
    """A text of a few sentences."""
    if not isinstance(value, str) or len(value) > _LONGEST_TEXT:
        raise fault(path, f"{quoted(value)} is not a text of at most {_LONGEST_TEXT} characters")
    return value


def truth(path: str, value: object) -> bool:
    """Yes or no, and nothing that merely looks like it."""
    if not isinstance(value, bool):
        raise fault(path, f"{quoted(value)} is not true or false")
    return value


def integer(path: str, value: object) -> int:
    """A whole number, written as one."""
    if type(value) is not int or abs(value) > _LARGEST:  # True is an int in Python, not here
        raise fault(path, f"{quoted(value)} is not a whole number up to {_LARGEST}")
    return value


def number_key(path: str, key: str) -> int:
    """A whole number that is the key of a table, and so a text."""
    if not _NUMBER.fullmatch(key) or str(int(key)) != key:  # one spelling a number
        raise fault(path, f"{quoted(key)} is not a whole number")
    return integer(path, int(key))


def member(kind: type[Member]) -> Reader[Member]:
    """A reader of one of the words that *kind* is made of."""

    def read(path: str, value: object) -> Member:
        for each in kind:
            if type(value) is str and value == each.value:
                return each
        words = ", ".join(str(each.value) for each in kind)
        raise fault(path, f"{quoted(value)} is not one of {words}")

    return read


def card(path: str, value: object) -> Card:
    """A card in notation."""
    try:
        return Card.parse(text(path, value))
    except NotationError as error:
        raise fault(path, f"{quoted(value)} is not a card") from error


def selector(path: str, value: object) -> Selector:
    """A selector, as ``H*``."""
    try:
        return Selector(text(path, value))
    except NotationError as error:
        raise fault(path, f"{quoted(value)} names no cards") from error


def only(allowed: str | int) -> Reader[None]:
    """A reader of a key that has one value; it means nothing beyond that."""

    def read(path: str, value: object) -> None:
        if type(value) is not type(allowed) or value != allowed:
            raise fault(path, f"{quoted(value)} cannot be played, only {allowed!r}")

    return read


def fields(path: str, value: object, readers: Mapping[str, Reader[Any]]) -> dict[str, Any]:
    """A table whose keys are all known, each with a reader of its own; all faults at once.

    *path* is empty for the outermost table. Absent keys stay absent, and so do those that mean
    nothing (`only`).
    """
    found: dict[str, Any] = {}
    faults: list[str] = []
    for key, each in table(path or "rules", value).items():
        inner = f"{path}.{key}" if path else key
        try:
            if key not in readers:
                raise fault(inner[:80], "no such key")
            found[key] = readers[key](inner, each)
        except RulesetError as error:
            faults += error.faults
    if faults:
        raise RulesetError(faults)
    return {key: each for key, each in found.items() if each is not None}
