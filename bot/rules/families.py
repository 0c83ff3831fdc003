"""The presets in families, for lists and menus: data beside what a preset says of itself."""

from collections.abc import Iterator
from dataclasses import dataclass

from bot.rules import variants
from bot.rules.sentence import Sentence

UNKNOWN_TITLES = ("Two Blind Bitches", "Valentine Hearts")
"""Games of which nothing but the title is known (rules.md 0). There is no preset for them."""


@dataclass(frozen=True, slots=True)
class Family:
    """Presets that have something in common."""

    id: str
    title: Sentence
    presets: tuple[str, ...]
    """Ids, those first that most people look for."""


_NAMED = (
    Family(
        "standard",
        Sentence("Standard Hearts"),
        ("standard", "pagat", "bicycle", "microsoft", "bicycle_old"),
    ),
    Family(
        "spades",
        Sentence("Black Lady and Black Maria"),
        (
            "black_lady",
            "black_maria",
            "plain",
            "black_maria_a",
            "black_maria_b",
            "black_maria_c",
            "queens",
            "small",
        ),
    ),
    Family(
        "bonus",
        Sentence("With a bonus card"),
        ("omnibus", "red_jack", "omnibus_pagat", "omnibus_bicycle"),
    ),
    Family(
        "spot",
        Sentence("Spot Hearts"),
        ("spot", "spot_omnibus", "spot_red_jack", "spot_plain", "spot_pagat", "spot_alt"),
    ),
    Family(
        "two",
        Sentence("For two"),
        (
            "two_player",
            "two_player_omnibus",
            "two_player_spot_hi",
            "two_player_spot_lo",
            "two_player_gamerules",
            "draw7",
        ),
    ),
    Family(
        "many",
        Sentence("For many"),
        ("killer", "killer_ancestor_jokers", "joker_hearts", "cancellation"),
    ),
    Family(
        "partners",
        Sentence("With partners"),
        (
            "partnership_pooled",
            "partnership_individual",
            "reverse",
            "killer_ancestor_partners",
        ),
    ),
    Family("money", Sentence("With a settlement"), ("wilson", "super_hearts")),
)


def families() -> tuple[Family, ...]:
    """All families; every preset is in exactly one of them."""
    return tuple(_families())


def _families() -> Iterator[Family]:
    known = variants.names()
    for family in _NAMED:
        yield Family(family.id, family.title, tuple(p for p in family.presets if p in known))
    named = {preset for family in _NAMED for preset in family.presets}
    if others := tuple(preset for preset in known if preset not in named):
        yield Family("others", Sentence("Others"), others)


def find(typed: str) -> str | None:
    """The id of the preset that goes by what was *typed*: its id, its title or an alias."""
    wanted = typed.strip().casefold()
    for preset in variants.names():
        if wanted in {name.casefold() for name in names_of(preset)}:
            return preset
    return None


def names_of(preset: str) -> tuple[str, ...]:
    """All names of a preset, its title first and its id last."""
    ruleset = variants.load(preset)
    return (ruleset.title, *ruleset.aliases, preset)
