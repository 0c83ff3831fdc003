"""From the points of a deal to totals, the end of the game, and places (rules.md 3.8)."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import assert_never

from bot.rules.dimensions import (
    DealCount,
    GoodScore,
    Minutes,
    OpenCount,
    Settle,
    Single,
    Target,
    Tie,
)
from bot.rules.money import by_sides, for_deal
from bot.rules.ruleset import Ruleset
from bot.rules.sides import has_partners, side_points
from bot.rules.state import Game, Score

Key = int | Fraction


def totals_after(game: Game, points: Sequence[int]) -> tuple[int, ...]:
    """By seat: the totals once *points* are added and exact totals are reset."""
    added = (total + more for total, more in zip(game.totals, points, strict=True))
    return tuple(game.ruleset.exact.get(total, total) for total in added)


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How a game stands after a deal: who is ahead, and whether it is over."""

    ruleset: Ruleset
    deal: int
    """The deal just finished, counted from 1."""
    totals: tuple[int, ...]
    """By seat."""
    money: tuple[Fraction, ...] = ()
    """By seat: what changed hands in all deals; empty where deals are not settled one by one."""
    last_deal: bool = False
    """Whether the deal was called the last."""

    def is_end(self) -> bool:
        """Whether the game is over.

        A tie for the best place puts the end off where the rules want further deals; each of
        those is asked anew, so that totals which fall below the target again simply play on
        (rules.md 2.4.9).
        """
        return self.is_end_reached() and not (self._is_tied() and self.ruleset.tie is not Tie.SHARE)

    def is_end_reached(self) -> bool:
        """Whether the game would be over but for a tie."""
        match self.ruleset.end:
            case Target(points):
                return max(self.totals) >= points
            case DealCount(deals):
                return self.deal >= deals
            case OpenCount() | Minutes():
                return self.last_deal
            case Single():
                return True
            case _:
                assert_never(self.ruleset.end)

    def places(self) -> tuple[int, ...]:
        """By seat, counted from 1: the best is first, partners and ties share the better place."""
        keys = self._keys()
        size = self._side_size()
        return tuple(1 + sum(other < key for other in keys) // size for key in keys)

    def settlement(self) -> tuple[Fraction, ...]:
        """By seat: what changes hands at the end; empty where nothing does."""
        if self.ruleset.settle is Settle.SUPER:
            return self.money
        return by_sides(self.ruleset, self.totals)

    def _is_tied(self) -> bool:
        keys = self._keys()
        return keys.count(min(keys)) > self._side_size()

    def _side_size(self) -> int:
        return 2 if has_partners(self.ruleset, len(self.totals)) else 1

    def _keys(self) -> list[Key]:
        """By seat: what decides its place; the lowest is the best."""
        if self.ruleset.settle is Settle.SUPER:
            return [-paid for paid in self.money]
        sign = -1 if self.ruleset.good_score is GoodScore.HIGH else 1
        return [sign * points for points in side_points(self.ruleset, self.totals)]


def standing_after(game: Game, score: Score) -> Standing:
    """How *game* stands with the deal that *score* is the result of."""
    paid = (*(each.money for each in game.scores), score.money)
    return _standing(game, score.deal, score.totals, paid)


def standing_with(game: Game, deal: int, points: Sequence[int]) -> Standing:
    """How *game* would stand if the deal under way, number *deal*, brought these *points*."""
    paid = (*(score.money for score in game.scores), for_deal(game.ruleset, points))
    return _standing(game, deal, totals_after(game, points), paid)


def standing_now(game: Game) -> Standing:
    """How *game* stands between two deals."""
    paid = tuple(score.money for score in game.scores)
    return _standing(game, len(game.scores), game.totals, paid)


def ends_by_call(ruleset: Ruleset) -> bool:
    """Whether somebody has to call the last deal: the players, or the clock."""
    return isinstance(ruleset.end, OpenCount | Minutes)


def is_tiebreak(game: Game) -> bool:
    """Whether the deal that begins now decides a tie in which nothing is passed."""
    if game.ruleset.tie is not Tie.TIEBREAK_NO_PASS or not game.scores:
        return False
    return standing_now(game).is_end_reached()


def _standing(
    game: Game, deal: int, totals: tuple[int, ...], paid: tuple[tuple[Fraction, ...], ...]
) -> Standing:
    return Standing(
        ruleset=game.ruleset,
        deal=deal,
        totals=totals,
        money=tuple(sum(each, Fraction()) for each in zip(*paid, strict=True)),
        last_deal=game.last_deal,
    )
