"""Who plays in the arena: the robots by level, and one without any skill for scale."""

from collections.abc import Callable
from random import Random
from typing import Protocol, TypeVar, runtime_checkable

from bot.ai import LEVELS, Player
from bot.arena.at_random import AtRandom
from bot.rules.cards import Card, Hand
from bot.rules.dimensions import MoonPayoff
from bot.rules.view import SeatView

Value = TypeVar("Value")

RANDOM = "random"
"""Plays whatever the dice say. No table offers it."""

NAMES = (*LEVELS, RANDOM)

_CAREFUL = 500
"""Cards that are tried for the first decision, before it is known how fast the machine is."""
_FASTER = 1.5
"""By how much more at the next decision at most."""


@runtime_checkable
class Searching(Player, Protocol):
    """A player that thinks as long as it is told to; one by rules of thumb is no such player."""

    def with_budget(self, moves: int) -> Player:
        """The same player, with so many moves to try a decision."""
        ...


def player(level: str, *, moves: int | None = None) -> Player:
    """The player of a level.

    Args:
        level: one of `NAMES`.
        moves: how many moves it may try in its head for a decision, if it searches; ``None``: as
            many as its level usually does.

    Raises:
        KeyError: there is no such level.
    """
    chosen = AtRandom() if level == RANDOM else LEVELS[level]
    if moves is not None and isinstance(chosen, Searching):
        return chosen.with_budget(moves)
    return chosen


def searches(level: str) -> bool:
    """Whether a budget means anything to the player of a level, one of `NAMES`."""
    return isinstance(player(level), Searching)


class Paced:
    """Gives a searching player so many moves that a decision takes about so long.

    Its answers depend on how fast the machine is, so they do not repeat.

    Args:
        player: who searches.
        seconds: for one decision.
        clock: seconds since whenever.
    """

    def __init__(self, player: Searching, seconds: float, clock: Callable[[], float]) -> None:
        self._player = player
        self._seconds = seconds
        self._clock = clock
        self._cards_a_second = _CAREFUL / seconds
        """A move is played to the end of the deal, so it costs as much as there are cards."""

    def choose_pass(self, view: SeatView, rng: Random) -> Hand:
        return self._in_time(view, lambda player: player.choose_pass(view, rng))

    def choose_card(self, view: SeatView, rng: Random) -> Card:
        if view.choice and len(view.choice.cards) == 1:
            return self._player.choose_card(view, rng)  # tells nothing about how long others take
        return self._in_time(view, lambda player: player.choose_card(view, rng))

    def choose_moon(self, view: SeatView, rng: Random) -> MoonPayoff:
        return self._player.choose_moon(view, rng)

    def _in_time(self, view: SeatView, decide: Callable[[Player], Value]) -> Value:
        cards = len(view.hand)
        moves = max(1, int(self._cards_a_second * self._seconds / cards))
        start = self._clock()
        decision = decide(self._player.with_budget(moves))
        taken = self._clock() - start
        faster = _FASTER * self._cards_a_second
        self._cards_a_second = min(moves * cards / taken, faster) if taken else faster
        return decision
