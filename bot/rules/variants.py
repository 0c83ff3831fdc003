"""The presets: every game that can be chosen by name."""

import re
from functools import cache

from bot.rules import presets
from bot.rules.errors import RulesetError
from bot.rules.ruleset import Ruleset
from bot.rules.ruleset_io import from_dict


def names() -> tuple[str, ...]:
    """Ids of all presets, sorted."""
    return presets.names()


@cache
def load(name: str) -> Ruleset:
    """The preset called *name*.

    Raises:
        RulesetError: there is none.
    """
    return from_dict({"extends": name})


_WITH_SEATS = re.compile(r"(\w+)_([0-9]{1,2})", re.ASCII)


def with_seats(name: str) -> tuple[Ruleset, int | None]:
    """The preset that *name* means, and the number of seats that it says.

    ``killer_10`` is ``killer`` with ten seats (rules.md 4.0). A preset's own id says no number.

    Raises:
        RulesetError: there is no such preset, or it is not played with so many seats.
    """
    found = _WITH_SEATS.fullmatch(name)
    if name in names() or found is None:
        return load(name), None
    ruleset, seats = load(found[1]), int(found[2])
    if seats not in ruleset.players:
        listed = ", ".join(map(str, ruleset.players))
        raise RulesetError([f"players: {found[1]} is played by {listed}, not by {seats}"])
    return ruleset, seats


def title(name: str) -> str:
    """What people call the preset, as ``Standard Hearts``.

    Raises:
        RulesetError: there is none of that name.
    """
    return load(name).title
