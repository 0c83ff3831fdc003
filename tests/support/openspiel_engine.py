"""OpenSpiel's searching bot as a program of the arena: a yardstick from outside (docs/robots.md).

``python -m bot arena --engine-b "python -m tests.support.openspiel_engine"``, in standard Hearts
with four seats. It plays the cards; passes are by our rules of thumb, since asked for a pass after
another seat's it brings the process down. It is told of every deal as if it had been held, so it
does not know where the cards are that it has passed.
"""

import argparse
from collections.abc import Sequence
from random import Random
from typing import Any

import pyspiel

from bot.ai import LEVELS
from bot.ai.compiled import compiled
from bot.ai.worlds import Worlds
from bot.cli import openspiel
from bot.rules.cards import Card, Hand
from bot.rules.dimensions import MoonPayoff
from bot.rules.view import SeatView
from tests.support.openspiel import HOLD, number_of
from tests.support.programs import serve


class Ismcts:
    """A player that asks OpenSpiel which card to play."""

    def __init__(self, simulations: int) -> None:
        self._game = pyspiel.load_game("hearts")
        self._bots = openspiel.bots(1, simulations)
        *_, searching = self._bots.values()
        self._bot = searching(0)  # it plays for whoever is to move

    def choose_pass(self, view: SeatView, rng: Random) -> Hand:
        return LEVELS["steady"].choose_pass(view, rng)

    def choose_card(self, view: SeatView, rng: Random) -> Card:
        state = self._state(view, rng)
        legal = state.legal_actions()
        number = legal[0] if len(legal) == 1 else self._bot.step(state)
        return next(card for card in view.hand if number_of(card) == number)

    def choose_moon(self, view: SeatView, rng: Random) -> MoonPayoff:
        return LEVELS["steady"].choose_moon(view, rng)

    def _state(self, view: SeatView, rng: Random) -> Any:
        """The deal as OpenSpiel has it; what is hidden lies anyhow, as its search deals it anew."""
        state = self._game.new_initial_state()
        state.apply_action(HOLD)
        for cards in zip(*_hands(view, rng), strict=True):
            for card in cards:
                state.apply_action(number_of(card))
        for card in _played(view):
            state.apply_action(number_of(card))
        return state


def _hands(view: SeatView, rng: Random) -> Sequence[Sequence[Card]]:
    """Hands before the first lead that agree with what the seat of *view* knows."""
    rules = compiled(view.public.ruleset, view.public.seats)
    worlds = Worlds(rules, view)
    left = worlds.draw(rng).hands
    return [
        rules.cards_of(hand | played)
        for hand, played in zip(left, worlds.evidence.played, strict=True)
    ]


def _played(view: SeatView) -> Sequence[Card]:
    public = view.public
    tricks = (*public.tricks, public.trick) if public.trick else public.tricks
    return [play.card for trick in tricks for play in trick.plays]


def main() -> None:
    """Answer questions on standard input until it closes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--simulations", type=int, default=openspiel.SIMULATIONS)
    serve(Ismcts(parser.parse_args().simulations))


if __name__ == "__main__":
    main()
