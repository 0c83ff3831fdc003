"""What duplicate deals say about two players: means with standard errors over deals."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, sqrt
from statistics import mean, stdev

from bot.arena.duplicate import PlayedDeal, Setup, Sitting
from bot.rules.cards import Seat
from bot.rules.dimensions import GoodScore, Settle
from bot.rules.sides import is_pooled, sides

_BATCHES = 10
"""Parts of a run whose percentiles are compared, to tell how sure that of the whole is."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean and its standard error; 0 if there is but one value."""

    mean: float
    error: float

    @property
    def in_errors(self) -> float:
        """How many standard errors the mean is away from 0."""
        return self.mean / self.error if self.error else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Thinking:
    """How long a player takes for a decision in which it has a choice, in seconds."""

    decisions: int
    mean: Estimate
    slowest: Estimate
    """The 99th percentile."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """What some deals say about A."""

    deals: int
    margin: Estimate
    """How much better A's sides did than B's, a deal: see `margin`."""
    own: Estimate
    """Points of a side of A, a deal, as the score has them."""
    moons_shot: Estimate
    """Share of sittings in which A shot the moon."""
    moons_suffered: Estimate
    """Share of sittings in which B did."""
    a: Thinking
    b: Thinking


def estimate(values: Iterable[float | Fraction]) -> Estimate:
    """The mean of *values*, at least one, and its standard error."""
    found = [float(value) for value in values]
    error = stdev(found) / sqrt(len(found)) if len(found) > 1 else 0.0
    return Estimate(mean(found), error)


def margin(setup: Setup, deal: PlayedDeal) -> Fraction:
    """How much better A's sides did than B's on average, over all sittings of a deal.

    In points that the others took more, or that A won more where a high score is good; where
    money decides the game, in money.
    """
    return _mean(_margin(setup, sitting) for sitting in deal.sittings)


def summary(setup: Setup, deals: Sequence[PlayedDeal]) -> Summary:
    """All that *deals*, at least one, say."""

    def share(wanted: Callable[[Sitting], bool]) -> Estimate:
        return estimate(mean(map(wanted, deal.sittings)) for deal in deals)

    return Summary(
        deals=len(deals),
        margin=estimate(margin(setup, deal) for deal in deals),
        own=estimate(_own_points(setup, deal) for deal in deals),
        moons_shot=share(_shot_by_a),
        moons_suffered=share(lambda sitting: bool(sitting.shooters) and not _shot_by_a(sitting)),
        a=_thinking([deal.seconds_of_a for deal in deals]),
        b=_thinking([deal.seconds_of_b for deal in deals]),
    )


def difference(
    setup: Setup, first: Sequence[PlayedDeal], second: Sequence[PlayedDeal]
) -> tuple[int, Estimate]:
    """By how much the margin is higher in *first*, deal by deal, and how many deals both have.

    Raises:
        ValueError: they have none in common.
    """
    others = {deal.number: deal for deal in second}
    pairs = [(deal, others[deal.number]) for deal in first if deal.number in others]
    if not pairs:
        raise ValueError("no deal was played in both runs")
    found = [margin(setup, one) - margin(setup, other) for one, other in pairs]
    return len(found), estimate(found)


def _margin(setup: Setup, sitting: Sitting) -> Fraction:
    if setup.ruleset.settle is Settle.SUPER:
        results: Sequence[Fraction | int] = sitting.money
    else:
        sign = 1 if setup.ruleset.good_score is GoodScore.HIGH else -1
        results = [sign * points for points in sitting.points]
    own, others = _by_side(setup, sitting, results)
    return _mean(own) - _mean(others)


def _own_points(setup: Setup, deal: PlayedDeal) -> Fraction:
    return _mean(_mean(_by_side(setup, each, each.points)[0]) for each in deal.sittings)


def _by_side(
    setup: Setup, sitting: Sitting, results: Sequence[Fraction | int]
) -> tuple[list[Fraction], list[Fraction]]:
    """The results of A's sides and of B's; of partners with one total each shows it whole."""
    pooled = is_pooled(setup.ruleset, setup.seats)
    found: tuple[list[Fraction], list[Fraction]] = ([], [])
    for side in sides(setup.ruleset, setup.seats):
        shown: Sequence[Seat] = side[:1] if pooled else side
        total = sum((Fraction(results[seat]) for seat in shown), Fraction())
        found[side[0] not in sitting.seats_of_a].append(total)
    return found


def _shot_by_a(sitting: Sitting) -> bool:
    return any(seat in sitting.seats_of_a for seat in sitting.shooters)


def _thinking(by_deal: Sequence[Sequence[float]]) -> Thinking:
    thought = [seconds for seconds in by_deal if seconds]
    together = [each for seconds in thought for each in seconds]
    batches = [thought[start::_BATCHES] for start in range(min(_BATCHES, len(thought)))]
    spread = estimate(_percentile([s for deal in batch for s in deal]) for batch in batches or [[]])
    return Thinking(
        decisions=len(together),
        mean=estimate(map(mean, thought or [[0.0]])),
        slowest=Estimate(_percentile(together), spread.error),
    )


def _percentile(values: Sequence[float]) -> float:
    """The value that 99 of 100 do not exceed; 0 of none."""
    return sorted(values)[ceil(len(values) * 0.99) - 1] if values else 0.0


def _mean(values: Iterable[Fraction]) -> Fraction:
    found = list(values)
    return sum(found, Fraction()) / len(found)
