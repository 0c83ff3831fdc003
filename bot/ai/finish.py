"""A deal that may end its game: there the chance to win counts, not the points (robots.md)."""

from collections.abc import Sequence
from math import exp, sqrt

from bot.ai.playout import Playout
from bot.ai.position import Position
from bot.rules.cards import Seat
from bot.rules.dimensions import (
    DealCount,
    GoodScore,
    Minutes,
    MoonPayoff,
    OpenCount,
    Settle,
    Single,
    Target,
    Tie,
)
from bot.rules.sides import is_pooled, sides
from bot.rules.view import SeatView

_SPREAD = 0.8
"""How much a side's points differ from deal to deal, by what it takes on average. Found by playing
some hundred games of four presets on from totals near the end, 60 times each."""
_LEAST_DOUBT = 0.04
"""A game that is as good as won or lost is taken to be no surer than this."""
_STEEPEST = 50.0
_OPEN = {MoonPayoff.SHOOTER_CHOICE, MoonPayoff.ADD_UNLESS_SHOOTER_THEN_LOSES}


def may_end(table: Playout, view: SeatView) -> bool:
    """Whether the deal under way may end a game that its totals decide.

    Where money changes hands, every point counts to the last; and in a game of one deal nobody has
    a lead to defend.
    """
    public, ruleset = view.public, view.public.ruleset
    if ruleset.settle is not Settle.NONE:
        return False
    match ruleset.end:
        case Target(points):
            return max(public.totals) + _most(table) >= points
        case DealCount(deals):
            return public.deal >= deals
        case OpenCount() | Minutes():
            return public.last_deal
        case Single():
            return False


def _most(table: Playout) -> int:
    """The most points that one deal brings a total, about."""
    ruleset = table.rules.ruleset
    in_all = table.reckoning.worth(table.rules.costly)
    return max(in_all, ruleset.moon.value or 0, ruleset.sun or 0)


class Finish:
    """How a game stands once the deal under way is over, for the seat of *view*.

    Args:
        table: what is compiled for the table.
        view: of a seat in a deal that `may_end` the game.

    Attributes:
        prize: points that a win is worth, such that in an even deal a point is worth a point.
    """

    def __init__(self, table: Playout, view: SeatView) -> None:
        ruleset, seats = table.rules.ruleset, table.rules.seats
        self._reckoning = table.reckoning
        self._totals = view.public.totals
        self._exact = ruleset.exact
        self._sign = 1 if ruleset.good_score is GoodScore.HIGH else -1
        self._sides = sides(ruleset, seats)
        self._shown = 1 if is_pooled(ruleset, seats) else seats
        self._own = self._side_of(view.seat)
        self._target = ruleset.end.points if isinstance(ruleset.end, Target) else None
        self._shares_a_win = ruleset.tie is Tie.SHARE
        self._payoff = ruleset.moon.payoff
        in_all = table.reckoning.worth(table.rules.costly)
        self._mean = max(1.0, in_all / len(self._sides))
        self._mean_total = self._mean / min(self._shown, len(self._sides[0]))
        self.prize = self._prize_here()

    def _prize_here(self) -> float:
        """As near the totals that an even deal leads to, the chance to win changes by a point."""
        totals = [total + round(self._mean_total) for total in self._totals]
        keys, scale = self._keys(totals), self._scale(totals)
        chance = self._chance(keys, scale)
        return scale / max(_LEAST_DOUBT, chance * (1.0 - chance))

    def points(self, at: Position) -> Sequence[int]:
        """What the deal that is played out in *at* adds to each total.

        Where the payoff of a moon is open, it is the one that the rules or a careful shooter take
        (`bot.rules.scoring`): nobody adds to the others and so ends a game that another wins.
        """
        added = self._reckoning.points(at, totals=self._totals)
        if self._payoff not in _OPEN:
            return added
        party = self._reckoning.shooters(at, self._reckoning.taken(at))
        if not party or self._is_well_added(added, self._side_of(Seat(party[0]))):
            return added
        return self._reckoning.points(at, MoonPayoff.SUBTRACT_SELF, self._totals)

    def value(self, points: Sequence[int]) -> float:
        """What a deal with these *points* is worth: the chance to win, above an equal share.

        It is counted in points: a point more or less in an even deal is worth about a point. Of a
        game that goes on, a side has the less of a chance the further it is behind, on a logistic
        curve that is the steeper the fewer deals are left.
        """
        totals = self._after(points)
        keys = self._keys(totals)
        equal = self.prize / len(keys)
        if not self._is_over(totals, keys):
            return self.prize * self._chance(keys, self._scale(totals)) - equal
        best = max(keys)
        if keys[self._own] < best:
            return -equal
        return self.prize / keys.count(best) - equal

    def _is_well_added(self, added: Sequence[int], side: int) -> bool:
        """Whether the *side* that shot the moon has it added to the others."""
        totals = self._after(added)
        keys = self._keys(totals)
        if self._is_over(totals, keys):
            return keys[side] == max(keys)
        return self._payoff is MoonPayoff.ADD_UNLESS_SHOOTER_THEN_LOSES

    def _side_of(self, seat: Seat) -> int:
        return next(number for number, side in enumerate(self._sides) if seat in side)

    def _after(self, points: Sequence[int]) -> Sequence[int]:
        totals = list(map(int.__add__, self._totals, points))
        return [self._exact.get(total, total) for total in totals] if self._exact else totals

    def _keys(self, totals: Sequence[int]) -> Sequence[int]:
        """By side: what decides its place; the highest is the best."""
        return [
            self._sign * sum([totals[seat] for seat in side[: self._shown]]) for side in self._sides
        ]

    def _is_over(self, totals: Sequence[int], keys: Sequence[int]) -> bool:
        """As `bot.rules.settlement.Standing.is_end`."""
        if self._target is not None and max(totals) < self._target:
            return False
        return self._shares_a_win or keys.count(max(keys)) == 1

    def _scale(self, totals: Sequence[int]) -> float:
        """Points by which a side is behind that has e times less of a chance than another.

        They grow with the deals that the game is likely to take yet, which is at least one.
        """
        deals = 1.0
        if self._target is not None:
            deals = max(deals, (self._target - max(totals)) / self._mean_total)
        return _SPREAD * self._mean * sqrt(deals)

    def _chance(self, keys: Sequence[int], scale: float) -> float:
        own = keys[self._own]
        return 1.0 / sum([exp(min(_STEEPEST, (key - own) / scale)) for key in keys])
