"""What changes hands beside points: settlements, all of them zero in sum (rules.md 3.8)."""

from collections.abc import Sequence
from fractions import Fraction
from typing import assert_never

from bot.rules.cards import Seat
from bot.rules.dimensions import GoodScore, Settle
from bot.rules.ruleset import Ruleset
from bot.rules.sides import side_of, side_points, sides


def by_sides(ruleset: Ruleset, totals: Sequence[int]) -> tuple[Fraction, ...]:
    """By seat: what it receives at the end (below 0: pays); empty where nothing is settled then.

    A side is one player, and each partner shows its result. Where points are good, the signs
    turn round (rules.md 2.1.7).
    """
    seats = len(totals)
    each = side_points(ruleset, totals)
    parties = sides(ruleset, seats)
    received = _received(ruleset.settle, [each[party[0]] for party in parties])
    if not received:
        return ()
    sign = -1 if ruleset.good_score is GoodScore.HIGH else 1
    of_party = dict(zip(parties, received, strict=True))
    return tuple(sign * of_party[side_of(ruleset, Seat(seat), seats)] for seat in range(seats))


def for_deal(ruleset: Ruleset, points: Sequence[int]) -> tuple[Fraction, ...]:
    """By seat: what it receives for one deal; empty where deals are not settled one by one."""
    return super_hearts(points) if ruleset.settle is Settle.SUPER else ()


def wilson(totals: Sequence[int]) -> tuple[Fraction, ...]:
    """The Wilson settlement: paid by the next above, paying the next below (rules.md 2.1.7).

    Equal totals are one party that pays and is paid once, and shares alike.

    >>> [str(part) for part in wilson([103, 50, 50, 10])]
    ['-53', '13/2', '13/2', '40']
    """
    steps = sorted(set(totals), reverse=True)
    received = {}
    for place, total in enumerate(steps):
        from_above = steps[place - 1] - total if place else 0
        to_below = total - steps[place + 1] if place + 1 < len(steps) else 0
        received[total] = Fraction(from_above - to_below, list(totals).count(total))
    return tuple(received[total] for total in totals)


def super_hearts(points: Sequence[int]) -> tuple[Fraction, ...]:
    """The smallest positive score is paid the differences by the other positive ones (2.7).

    >>> [str(part) for part in super_hearts([1, 4, 15, 0])]
    ['17', '-3', '-14', '0']
    """
    positive = [score for score in points if score > 0]
    if not positive:
        return (Fraction(),) * len(points)
    best = min(positive)
    pool = Fraction(sum(score - best for score in positive), positive.count(best))
    return tuple(
        Fraction() if score <= 0 else pool if score == best else Fraction(best - score)
        for score in points
    )


def from_mean(totals: Sequence[int]) -> tuple[Fraction, ...]:
    """The difference between the mean and each total (rules.md 1.27, BIC-old)."""
    mean = Fraction(sum(totals), len(totals))
    return tuple(mean - total for total in totals)


def howell(totals: Sequence[int]) -> tuple[Fraction, ...]:
    """For each own point one counter to every other player (rules.md 1.27, FOS).

    >>> [str(part) for part in howell([3, 5, 5, 0])]
    ['1', '-7', '-7', '13']
    """
    return tuple(Fraction(sum(totals) - len(totals) * total) for total in totals)


def _received(settle: Settle, totals: Sequence[int]) -> tuple[Fraction, ...]:
    match settle:
        case Settle.NONE | Settle.SUPER:
            return ()
        case Settle.WILSON:
            return wilson(totals)
        case Settle.DIFF_FROM_MEAN:
            return from_mean(totals)
        case Settle.HOWELL:
            return howell(totals)
        case _:
            assert_never(settle)
