"""How cautiously somebody plays: in whose manner a rule of thumb stands in for a person.

Each temper is the level steady, weighed a little otherwise, and none is worse than it by more than
can be measured.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from bot.ai.estimate import Estimate
from bot.ai.knowledge import Knowledge
from bot.ai.weights import Weights
from bot.rules.cards import Card
from bot.rules.view import SeatView

_CLEAR = 3
"""How many more of a person's cards a temper has to agree with than the usual one does. People are
taken to play the card that suits them best three times as often as another: 27 to 1."""
_AS_GOOD = 1e-6
"""Points by which two costs may differ for want of exactness alone."""


@dataclass(frozen=True, slots=True)
class Temper:
    """A manner of playing by rules of thumb."""

    name: str
    weights: Weights


USUAL = Temper("usual", Weights())
CAUTIOUS = Temper("cautious", Weights(keep=0.6, moon=0.06))
"""Ducks where it can, keeps what is dangerous for later, and stops moons before they are near."""
BOLD = Temper("bold", Weights(keep=1.25, lead=0.0, shoot=0.012))
"""Gets rid of what is dangerous at once, does not mind the lead, and goes on with a moon of its own
a little longer. Much longer costs it dearly where three queens have to be taken for one."""
TEMPERS = (USUAL, CAUTIOUS, BOLD)


class Tally:
    """Counts which tempers would have played the cards that a person did.

    Costs themselves are not compared: a temper that weighs everything more gently would seem to
    forgive more.
    """

    def __init__(self) -> None:
        self._agreed = dict.fromkeys(TEMPERS, 0)

    def count(self, view: SeatView, card: Card) -> None:
        """Look at one decision, which takes about as long as one by rule of thumb."""
        for temper in _in_agreement(view, card):
            self._agreed[temper] += 1

    @property
    def temper(self) -> Temper:
        """The one that agrees most often, but the usual one unless that is clear."""
        best = max(TEMPERS, key=self._agreed.__getitem__)
        return best if self._agreed[best] - self._agreed[USUAL] >= _CLEAR else USUAL


def _in_agreement(view: SeatView, card: Card) -> Iterator[Temper]:
    """All tempers that would have played *card*."""
    estimate = Estimate(Knowledge(view), USUAL.weights)
    cards = view.choice.cards if view.choice else frozenset({card})
    for temper in TEMPERS:
        cost = estimate.by(temper.weights).cost
        costs = {other: cost(other) for other in cards}
        if costs[card] <= min(costs.values()) + _AS_GOOD:
            yield temper
