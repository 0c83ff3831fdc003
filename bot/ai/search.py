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
from bot.ai.plan import DOUBT, Plan
from bot.ai.playout import Playout, playout
from bot.ai.position import CardSet
from bot.ai.rule_of_thumb import RuleOfThumb
from bot.ai.utility import Utility
from bot.ai.weights import Weights
from bot.ai.worlds import Worlds
from bot.rules.cards import Card, Hand
from bot.rules.dimensions import MoonPayoff
from bot.rules.view import SeatView

_HALF = 0.5
_TRUST, _LEAST_TRUST = 0.3, 60.0
_HASTY = 50
"""Imagined deals that a decision gets in any haste: fewer know less than the rules of thumb."""
_USUAL = Weights()
_RULE = RuleOfThumb()


class Searcher:
    """Looks at so many imagined deals before each decision.

    Args:
        budget_moves: how many deals are played to their end for one card, about; a pass takes
            more of them, as it comes once a deal.
        trust: part of the budget that the rules of thumb count for, but at least some deals. They
            know what imagined deals do not, in which everybody plays on by one policy; and whoever
            has time for a few deals only had better not believe those. At 0 they have no say.
        weights: how those weigh things: the robot's temper.
    """

    def __init__(
        self, budget_moves: int, *, trust: float = _TRUST, weights: Weights = _USUAL
    ) -> None:
        self._budget = budget_moves
        self._trust = trust
        self._weights = weights

    def with_budget(self, moves: int) -> "Searcher":
        """The same robot, with so many imagined deals for a card."""
        return Searcher(moves, trust=self._trust, weights=self._weights)

    def hurried(self, part: float) -> "Searcher":
        """The same robot, with *part* of its budget, above 0 and at most 1, but with enough."""
        return self.with_budget(max(min(_HASTY, self._budget), round(self._budget * part)))

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
        cards = distinct(table, worlds, view)
        prior = [*self._prior(table, view, cards)]
        plans = [Plan(card) for card in cards]
        daring = shots(table, worlds, view)
        plans += daring
        # The rules of thumb have no opinion of a plan.
        prior += [max(prior) - DOUBT * table.unit] * len(daring)
        trial = _trial(table, worlds, Utility(table, view), rng)
        chosen = halving.best(plans, trial, self._budget, kept=_HALF, prior=prior)
        return table.rules.cards_of(chosen.cards)[0]

    def _prior(
        self, table: Playout, view: SeatView, candidates: Sequence[CardSet]
    ) -> Sequence[float]:
        """What the rules of thumb say of the candidates, as if some deals had said it."""
        estimate = Estimate(Knowledge(view), self._weights)
        cards = [table.rules.cards_of(candidate)[0] for candidate in candidates]
        weight = max(self._trust * self._budget, _LEAST_TRUST * bool(self._trust))
        return [-weight * table.unit * estimate.cost(card) for card in cards]

    def choose_moon(self, view: SeatView, rng: Random) -> MoonPayoff:
        """As by rule of thumb: all that matters is whether the game ends."""
        return _RULE.choose_moon(view, rng)


def _trial(table: Playout, worlds: Worlds, utility: Utility, rng: Random) -> halving.Trial[Plan]:
    """Imagine a deal and play it to its end by each plan."""

    def trial(plans: Sequence[Plan]) -> Sequence[float]:
        world = worlds.draw(rng)
        outcomes = []
        for plan in plans:
            at = world.copy()
            table.rules.play(at, plan.cards)
            outcomes.append(utility.of(table.run(at, plan.shooters)))
        return outcomes

    return trial


def shots(table: Playout, worlds: Worlds, view: SeatView) -> Sequence[Plan]:
    """Ways to shoot the moon from here, as long as nobody else has a card that it needs.

    To follow there is one; to lead one a suit, from its top.
    """
    policy, rules = table.policy, table.rules
    shooters = policy.party_of(view.seat)
    at = worlds.evidence.at.copy()
    if not policy.is_wary or not at.moon_counts or policy.is_foiled(at, shooters):
        return []
    legal = rules.set_of(view.choice.cards if view.choice else ())
    if at.led:
        at.hands[view.seat] = rules.set_of(view.hand)
        return [Plan(policy.shoot(at, legal), shooters)]
    tops = [suit & legal for suit in rules.suits.values() if suit & legal & ~rules.jokers]
    return [Plan(1 << cards.bit_length() >> 1, shooters) for cards in tops]


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
