"""A player without any skill, to compare robots with and to fill tables for a bench."""

from random import Random

from bot.rules.cards import Card, Hand, sorted_cards
from bot.rules.dimensions import MoonPayoff
from bot.rules.passing import pass_count
from bot.rules.view import SeatView


class AtRandom:
    """Passes and plays whatever the dice say; a moon is paid as for whoever does not choose."""

    def choose_pass(self, view: SeatView, rng: Random) -> Hand:
        step = view.public.step
        if step is None:
            raise ValueError(f"seat {view.seat} is not to pass")
        count = pass_count(step, view.public.seats)
        return frozenset(rng.sample(sorted_cards(view.hand), count))

    def choose_card(self, view: SeatView, rng: Random) -> Card:
        if view.choice is None:
            raise ValueError(f"seat {view.seat} is not to play")
        return rng.choice(sorted_cards(view.choice.cards))

    def choose_moon(self, view: SeatView, rng: Random) -> MoonPayoff:  # noqa: ARG002  no choice, no dice
        if view.safe_payoff is None:
            raise ValueError(f"seat {view.seat} has no moon to choose for")
        return view.safe_payoff
