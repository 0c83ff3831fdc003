"""The tables of the simulated month: which games, whose, at what pace."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from random import Random

from bot.cli.month_people import Person
from bot.rules import variants
from bot.rules.dimensions import DealCount
from bot.rules.ruleset import Ruleset
from bot.table.clocks import move_clock
from bot.table.ids import ChannelId, GuildId
from bot.table.opening import OpenTable
from bot.table.seating import STAND_IN_LEVEL

_GAMES = (
    "standard",
    "standard",
    "omnibus_pagat",
    "pagat_3",
    "draw7_2",
    "two_player_2",
    "cancellation_6",
    "black_maria",
    "partnership_pooled",
    "joker_hearts_5",
    "super_hearts",
    "killer_6",
    "standard_6",
    "microsoft",
)
"""Presets, some with a number of seats: with and without passes, moons to settle, two cards a
trick, partners, jokers, cancelled cards."""
_CLOCKS = ("24h", "8h", "1h", "24h", "72h", "7d", "off", "24h", "8h", "72h", "1h", "live")
_LENGTHS = (None, 1, 2, 4, None)
"""Deals of a game; ``None``: as the preset ends it."""
_TABLES_A_SERVER = 25
_ALL_OPEN = timedelta(days=3)
"""How long after its beginning the last table of the month opens."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A table to be opened."""

    opens_at: datetime
    host: Person
    guests: tuple[Person, ...]
    wish: OpenTable


def planned(
    number: int, people: Sequence[Person], begins: datetime, dice: Random
) -> tuple[Plan, ...]:
    """So many tables, at which all people sit about as often."""
    turns = _Turns(people, dice)
    return tuple(_plan(place, turns, begins, dice) for place in range(number))


def _plan(place: int, turns: "_Turns", begins: datetime, dice: Random) -> Plan:
    ruleset, seats = _game(place, dice)
    together = turns.next(min(seats, dice.choice((1, 2, 2, 3, 4))))
    host, *guests = together
    wish = OpenTable(
        guild_id=GuildId(1 + place // _TABLES_A_SERVER),
        channel_id=ChannelId(10_000 + place),
        ruleset=ruleset,
        seats=seats,
        clock=move_clock(_CLOCKS[place % len(_CLOCKS)]),
        robots=(STAND_IN_LEVEL,) * (seats - len(together)),
        invited=tuple(guest.user_id for guest in guests),
    )
    opens_at = host.awake_from(begins + _ALL_OPEN * dice.random(), dice)
    return Plan(opens_at=opens_at, host=host, guests=tuple(guests), wish=wish)


def _game(place: int, dice: Random) -> tuple[Ruleset, int]:
    ruleset, seats = variants.with_seats(_GAMES[place % len(_GAMES)])
    length = dice.choice(_LENGTHS)
    if length is not None and seats != 2:
        ruleset = replace(ruleset, end=DealCount(length))
    return ruleset, seats or ruleset.default_players


class _Turns:
    """Gives out people so that nobody comes again before all others came."""

    def __init__(self, people: Sequence[Person], dice: Random) -> None:
        self._people = people
        self._dice = dice
        self._left: list[Person] = []

    def next(self, number: int) -> list[Person]:
        """So many different people."""
        if len(self._left) < number:
            first = list(self._people)
            self._dice.shuffle(first)
            # Whoever is left of the last turn comes first, and not once more at the same table.
            self._left += [person for person in first if person not in self._left]
        given, self._left = self._left[:number], self._left[number:]
        return given
