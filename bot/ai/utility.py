"""What the points of a deal are worth to one seat: how far its side comes out ahead."""

from collections.abc import Sequence

from bot.ai.finish import Finish, may_end
from bot.ai.playout import Playout
from bot.ai.position import Position
from bot.rules.dimensions import GoodScore, Settle
from bot.rules.sides import is_pooled, sides
from bot.rules.view import SeatView

_LITTLE = 0.2
"""What a point of margin is worth where the chance to win the game counts."""


class Utility:
    """Values deals that are played out, for the seat of one view.

    It is the margin: the own side's result less the mean of the other sides, in points, or in
    counters where deals are settled one by one; above 0 is good, whichever score the rules call
    good. A margin shoots moons where own points alone would only fear them.

    In a deal that may end the game it is the chance to win that game, and the margin counts only
    between deals that leave the same chance.

    Args:
        table: what is compiled for the table.
        view: of the seat whose side is ahead or behind.
    """

    def __init__(self, table: Playout, view: SeatView) -> None:
        ruleset, seats = table.rules.ruleset, table.rules.seats
        self._reckoning = table.reckoning
        self._totals = view.public.totals
        self._finish = Finish(table, view) if may_end(table, view) else None
        self._pays_each_deal = ruleset.settle is Settle.SUPER
        is_good = self._pays_each_deal or ruleset.good_score is GoodScore.HIGH
        self._weights = [0.0] * seats
        parties = sides(ruleset, seats)
        shown = 1 if is_pooled(ruleset, seats) else None
        for side in parties:
            weight = 1.0 if view.seat in side else -1.0 / (len(parties) - 1)
            for mate in side[:shown]:
                self._weights[mate] = weight if is_good else -weight

    def of(self, at: Position) -> float:
        """What the deal that is played out in *at* is worth."""
        if self._finish is not None:
            points = self._finish.points(at)
            return self._finish.value(points) + _LITTLE * self._margin(points)
        results: Sequence[float] = self._reckoning.points(at, totals=self._totals)
        return self._margin(_settled(results) if self._pays_each_deal else results)

    def _margin(self, results: Sequence[float]) -> float:
        return sum(map(float.__mul__, self._weights, map(float, results)))


def _settled(points: Sequence[float]) -> Sequence[float]:
    """The smallest score above 0 is paid the differences by the others above it (rules.md 2.7)."""
    positive = [score for score in points if score > 0]
    if not positive:
        return [0.0] * len(points)
    best = min(positive)
    share = (sum(positive) - best * len(positive)) / positive.count(best)
    return [0.0 if score <= 0 else share if score == best else best - score for score in points]
