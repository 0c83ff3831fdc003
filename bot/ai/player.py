"""What a robot is asked."""

from random import Random
from typing import Protocol, runtime_checkable

from bot.rules.cards import Card, Hand
from bot.rules.dimensions import MoonPayoff
from bot.rules.view import SeatView


class Player(Protocol):
    """Decides for one seat, from what that seat may know; the dice are handed in."""

    def choose_pass(self, view: SeatView, rng: Random) -> Hand:
        """The cards to give away, as many as the deal's step takes."""
        ...

    def choose_card(self, view: SeatView, rng: Random) -> Card:
        """One of the cards of ``view.choice``."""
        ...

    def choose_moon(self, view: SeatView, rng: Random) -> MoonPayoff:
        """Add to the others or subtract from oneself, after shooting the moon."""
        ...


@runtime_checkable
class Searching(Player, Protocol):
    """A player that thinks so long that nobody should wait for it; the others answer at once."""

    def hurried(self, part: float) -> Player:
        """The same player, with *part* of its budget, above 0 and at most 1."""
        ...
