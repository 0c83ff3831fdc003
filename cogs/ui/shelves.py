"""Menus of all presets: in the order of their families, as many as one menu takes."""

from collections.abc import Callable, Iterator
from functools import cache

import discord

from bot.rules import variants
from bot.rules.families import Family, families
from cogs.ui import ids
from cogs.ui.parts import Row, menu
from cogs.words import Voice

_MOST_OPTIONS = 25


@cache
def shelves() -> tuple[tuple[Family, ...], ...]:
    """The families in order, parted where a menu would be too long."""
    parted: list[list[Family]] = [[]]
    for family in families():
        if sum(len(each.presets) for each in (*parted[-1], family)) > _MOST_OPTIONS:
            parted.append([])
        parted[-1].append(family)
    return tuple(tuple(shelf) for shelf in parted)


def preset_menus(
    voice: Voice, action: Callable[[int], ids.Action], chosen: str | None = None
) -> Iterator[Row]:
    """One menu for each shelf; *chosen* is marked.

    Args:
        voice: of the reader.
        action: what a menu asks for, by the number of its shelf, counted from 1.
        chosen: id of a preset.
    """
    for number, shelf in enumerate(shelves(), 1):
        options = [
            discord.SelectOption(
                label=variants.title(preset),
                value=preset,
                description=voice.say(family.title),
                default=preset == chosen,
            )
            for family in shelf
            for preset in family.presets
        ]
        titles = " · ".join(voice.say(family.title) for family in shelf)
        yield menu(action(number), options, placeholder=titles)
