"""Robots that search: they imagine the hidden cards and play the deal to its end, many times.

A flat determinized Monte Carlo: every candidate card meets the same imagined deals, each played out
by rule, and the worse half of the candidates goes after each round.
"""

from collections.abc import Sequence
from random import Random

from bot.ai import halving
from bot.ai.estimate import Estimate
from bot.ai.knowledge import Knowledge
from bot.ai.passing import Passing
from bot.ai.playout import Playout, playout
from bot.ai.position import CardSet
from bot.ai.rule_of_thumb import RuleOfThumb
from bot.ai.utility import Utility
from bot.ai.values import values
from bot.ai.weights import Weights
from bot.ai.worlds import Worlds
from bot.rules.cards import Card, Hand
from bot.rules.dimensions import MoonPayoff
from bot.rules.view import SeatView

_HALF = 0.5
_TRUST = 30
_RULE = RuleOfThumb()


class Searcher:
    """Looks at so many imagined deals before each decision.

    Args:
        budget_moves: how many deals are played to their end for one card, about; a pass takes
            more of them, as it comes once a deal.
        trust: as many imagined deals the rules of thumb count for; they decide what a small budget
            cannot tell from chance.
    """

    def __init__(self, budget_moves: int, *, trust: int = _TRUST) -> None:
        self._budget = budget_moves
        self._trust = trust

    def with_budget(self, moves: int) -> "Searcher":
        """The same robot, with so many imagined deals for a card."""
        return Searcher(moves, trust=self._trust)

    def choose_pass(self, view: SeatView, rng: Random) -> Hand:
        """The cards that leave the best deals behind, if the others pass by rule."""
        table = playout(view.public.ruleset, view.public.seats)
        return Passing(table, view).choose(self._budget, rng)

    def choose_card(self, view: SeatView, rng: Random) -> Card:
        """The playable card after which the imagined deals end best.

        Raises:
            ValueError: it is not this seat's turn to play.
        """
        if view.choice is None:
            raise ValueError(f"seat {view.seat} is not to play")
        if len(view.choice.cards) == 1:
            return next(iter(view.choice.cards))
        table = playout(view.public.ruleset, view.public.seats)
        worlds = Worlds(table.rules, view)
        candidates = distinct(table, worlds, view)
        trial = _trial(table, worlds, Utility(table, view.seat, view.public.totals), rng)
        prior = self._prior(table, view, candidates)
        chosen = halving.best(candidates, trial, self._budget, kept=_HALF, prior=prior)
        return table.rules.cards_of(chosen)[0]

    def _prior(
        self, table: Playout, view: SeatView, candidates: Sequence[CardSet]
    ) -> Sequence[float]:
        """What the rules of thumb say of the candidates, as if some deals had said it."""
        estimate = Estimate(Knowledge(view), Weights())
        unit = values(view.public.ruleset, view.public.seats).unit
        cards = [table.rules.cards_of(candidate)[0] for candidate in candidates]
        return [-self._trust * unit * estimate.cost(card) for card in cards]

    def choose_moon(self, view: SeatView, rng: Random) -> MoonPayoff:
        """As by rule of thumb: all that matters is whether the game ends."""
        return _RULE.choose_moon(view, rng)


def _trial(table: Playout, worlds: Worlds, utility: Utility, rng: Random) -> halving.Trial[CardSet]:
    """Imagine a deal and play it to its end after each candidate card."""

    def trial(cards: Sequence[CardSet]) -> Sequence[float]:
        world = worlds.draw(rng)
        outcomes = []
        for card in cards:
            at = world.copy()
            table.rules.play(at, card)
            outcomes.append(utility.of(table.run(at)))
        return outcomes

    return trial


def distinct(table: Playout, worlds: Worlds, view: SeatView) -> Sequence[CardSet]:
    """The playable cards, of those that do the same only the lowest.

    Two cards of a suit do the same if nobody else can hold one between them and both are worth the
    same.
    """
    rules = table.rules
    legal = rules.set_of(view.choice.cards if view.choice else ())
    others = worlds.unseen | sum(worlds.evidence.at.laid)
    worth = {bit: rules.ruleset.points_of(card) for card, bit in rules.bit.items()}
    found: list[CardSet] = []
    for suit in rules.suits.values():
        last: CardSet = 0
        for card in _each(suit & legal):
            between = others & suit & (card - last)
            if not last or between or worth[card] != worth[last]:
                found.append(card)
            last = card
    return found


def _each(cards: CardSet) -> Sequence[CardSet]:
    found = []
    while cards:
        found.append(cards & -cards)
        cards &= cards - 1
    return found
