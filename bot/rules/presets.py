"""The preset files as they are written: plain tables, not yet read as rules."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

BASE = "_base"
"""The file of what holds where a preset says nothing (rules.md 4.0). Not a preset itself."""

_ENDING = ".toml"


@cache
def names() -> tuple[str, ...]:
    """Ids of all presets, sorted, as in the first column of rules.md 4.1."""
    found = (file.name for file in _folder().iterdir())
    return tuple(
        sorted(
            name.removesuffix(_ENDING)
            for name in found
            if name.endswith(_ENDING) and not name.startswith("_")
        )
    )


@cache
def written(name: str) -> Mapping[str, Any]:
    """The keys of one file. *name* is one of `names` or `BASE`; nobody changes what comes back."""
    return tomllib.loads(_folder().joinpath(name + _ENDING).read_text("utf-8"))


def _folder() -> Traversable:
    return files("bot.rules") / "variants"
