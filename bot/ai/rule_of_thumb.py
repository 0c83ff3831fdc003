"""Robots by rules of thumb: duck, dump, guard the queen, spot the moon. No search."""

from collections.abc import Callable, Iterable
from random import Random

from bot.ai.danger import pass_danger
from bot.ai.estimate import Estimate
from bot.ai.knowledge import Knowledge
from bot.ai.weights import Weights
from bot.rules.cards import Card, Hand, sorted_cards
from bot.rules.dimensions import MoonPayoff
from bot.rules.passing import pass_count
from bot.rules.view import SeatView

_USUAL = Weights()


class RuleOfThumb:
    """Weighs each card by what it is likely to cost now and what it may cost if kept.

    Args:
        weights: how those are weighed against each other.
    """

    def __init__(self, weights: Weights = _USUAL) -> None:
        self._weights = weights

    def choose_pass(self, view: SeatView, rng: Random) -> Hand:
        """The most dangerous cards; each is judged as if those before it were gone."""
        step = view.public.step
        kept = view.hand
        for _ in range(pass_count(step, view.public.seats) if step is not None else 0):
            dangers = {card: -pass_danger(view, kept, card) for card in kept}
            kept -= {least(kept, dangers.__getitem__, rng)}
        return view.hand - kept

    def choose_card(self, view: SeatView, rng: Random) -> Card:
        """The playable card with the lowest expected cost.

        Raises:
            ValueError: it is not this seat's turn to play.
        """
        if view.choice is None:
            raise ValueError(f"seat {view.seat} is not to play")
        estimate = Estimate(Knowledge(view), self._weights)
        return least(view.choice.cards, estimate.cost, rng)

    def choose_moon(self, view: SeatView, rng: Random) -> MoonPayoff:  # noqa: ARG002  nothing to draw
        """Add to the others where that wins the game, else subtract (rules.md 4.2, note 1).

        Raises:
            ValueError: this seat has no moon to choose for.
        """
        if view.safe_payoff is None:
            raise ValueError(f"seat {view.seat} has no moon to choose for")
        return view.safe_payoff


def least(cards: Iterable[Card], cost: Callable[[Card], float], rng: Random) -> Card:
    """The card of least cost; the dice choose among equals, in an order that a seed repeats."""
    costs = {card: cost(card) for card in sorted_cards(frozenset(cards))}
    least = min(costs.values())
    return rng.choice([card for card, mine in costs.items() if mine == least])
