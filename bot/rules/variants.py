"""The presets: every game that can be chosen by name."""

from functools import cache

from bot.rules import presets
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


def title(name: str) -> str:
    """What people call the preset, as ``Standard Hearts``.

    Raises:
        RulesetError: there is none of that name.
    """
    return load(name).title
