"""Players whose every decision can be repeated: the dice follow from a seed and what is seen."""

from hashlib import sha256
from random import Random

from bot.ai import Player
from bot.arena import question
from bot.rules.cards import Card, Hand
from bot.rules.dimensions import MoonPayoff
from bot.rules.view import SeatView


class Seeded:
    """Plays as *player* does, with dice of its own; those that are handed in are left alone.

    It decides alike whatever was asked before, and in another process too.
    """

    def __init__(self, player: Player, seed: int) -> None:
        self._player = player
        self._seed = seed

    def choose_pass(self, view: SeatView, rng: Random) -> Hand:  # noqa: ARG002  dice of its own
        return self._player.choose_pass(view, self._dice(view))

    def choose_card(self, view: SeatView, rng: Random) -> Card:  # noqa: ARG002  as above
        return self._player.choose_card(view, self._dice(view))

    def choose_moon(self, view: SeatView, rng: Random) -> MoonPayoff:  # noqa: ARG002  as above
        return self._player.choose_moon(view, self._dice(view))

    def _dice(self, view: SeatView) -> Random:
        """Dice that nobody can know who does not see the hand."""
        public = view.public
        plays = sum(len(trick.plays) for trick in question.tricks(view))
        moment = f"{view.seat}|{public.deal}|{public.phase.value}|{plays}"
        told = f"hearts-arena-v1|{self._seed}|{question.faces(view.dealt)}|{moment}"
        return Random(sha256(told.encode()).digest())
