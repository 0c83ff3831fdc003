"""What a card is likely to cost if it is played now."""

from functools import cached_property

from bot.ai.danger import card_danger
from bot.ai.falls import Falls
from bot.ai.knowledge import Knowledge
from bot.ai.moonwatch import MoonWatch
from bot.ai.takers import Chances, Takers
from bot.ai.weights import Weights
from bot.rules.cards import Card
from bot.rules.dimensions import Settle

_HALF_A_POINT, _A_LITTLE = 0.5, 2.5


class Estimate:
    """Weighs the cards of a seat that is to play.

    Args:
        known: what that seat knows.
        weights: how things are weighed against each other.
        falls: what is likely to fall, where it has been worked out for other weights; it does not
            depend on them.
    """

    def __init__(self, known: Knowledge, weights: Weights, falls: Falls | None = None) -> None:
        self.known = known
        self.weights = weights
        self._falls = falls or Falls(known, Takers(known))
        self._moon = MoonWatch(known, weights)

    def by(self, weights: Weights) -> "Estimate":
        """The same cards, weighed by other *weights*."""
        return Estimate(self.known, weights, self._falls)

    def cost(self, card: Card) -> float:
        """Points that playing *card* is likely to cost, future tricks included. Lower is better.

        They are points of the standard game; what others pay is so much gained.
        """
        outlook = self._falls.takers.outlook(card)
        pile = self._falls.lying + self.known.worth[card]
        if outlook.top is not None:
            pile += self._falls.expected(outlook.top)
        taken = self._taken(pile, outlook.chances) - self._first_point(pile, outlook.chances)
        spared = self.weights.keep * card_danger(self.known, self.weights, card)
        return taken - spared + self._flush(card) + self._moon.cost(card, outlook.chances)

    def _taken(self, pile: float, chances: Chances) -> float:
        """What a trick costs our side, less our gain by what it costs others."""
        ours = theirs = 0.0
        for seat, chance in chances.items():
            if self.known.is_friend(seat, self.known.seat):
                ours += chance
            elif seat is not None:
                theirs += chance
        lead = self.weights.lead * chances.get(self.known.seat, 0.0)
        return (ours - self._gain * theirs) * pile + self._tilt * lead

    def _first_point(self, pile: float, chances: Chances) -> float:
        """What it is worth to pay a little where nobody wins who pays nothing (rules.md 2.7)."""
        is_little = _HALF_A_POINT <= pile * self.known.values.unit <= _A_LITTLE
        if not is_little or not self._wants_a_point:
            return 0.0
        return self.weights.first_point * chances.get(self.known.seat, 0.0)

    @cached_property
    def _wants_a_point(self) -> bool:
        known = self.known
        is_super = known.rules.settle is Settle.SUPER
        return is_super and not known.captured[known.seat] & known.values.counting

    @cached_property
    def _gain(self) -> float:
        """What a point is worth to us that another side takes."""
        return self.weights.give / max(1, len(self.known.view.public.sides) - 1)

    @cached_property
    def _tilt(self) -> int:
        return -1 if self.known.values.is_greedy else 1

    def _flush(self, card: Card) -> float:
        """Leading below a poison of the others brings it out; leading from one's own bares it."""
        if self.known.plays:
            return 0.0
        known, poisons = self.known, self.known.values.poisons
        mine = [other for other in known.view.hand if other.suit is card.suit]
        if any(other in poisons for other in mine):
            return self.weights.flush
        theirs = [other for other in known.unseen_in[card.suit] if other in poisons]
        if not theirs or any(other.rank > theirs[0].rank for other in mine):
            return 0.0
        return -self.weights.flush
