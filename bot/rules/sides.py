"""Who plays together: a side is a seat or a partnership (rules.md 3.1)."""

from collections.abc import Sequence
from typing import assert_never

from bot.rules.cards import Seat
from bot.rules.dimensions import Sides, SideScore
from bot.rules.ruleset import Ruleset


def has_partners(ruleset: Ruleset, seats: int) -> bool:
    """Whether two seats each play together."""
    match ruleset.sides:
        case Sides.SOLO:
            return False
        case Sides.OPPOSITE:
            return True
        case Sides.OPPOSITE_IF_EVEN:
            return seats % 2 == 0
        case _:
            assert_never(ruleset.sides)


def partner(ruleset: Ruleset, seat: Seat, seats: int) -> Seat | None:
    """Who plays together with *seat*: the seat across; ``None`` where everybody plays alone."""
    return Seat((seat + seats // 2) % seats) if has_partners(ruleset, seats) else None


def side_of(ruleset: Ruleset, seat: Seat, seats: int) -> tuple[Seat, ...]:
    """All seats of the side of *seat*, in order of seats."""
    other = partner(ruleset, seat, seats)
    if other is None:
        return (seat,)
    return (min(seat, other), max(seat, other))


def sides(ruleset: Ruleset, seats: int) -> tuple[tuple[Seat, ...], ...]:
    """All sides, in order of their lowest seats."""
    return tuple(dict.fromkeys(side_of(ruleset, Seat(seat), seats) for seat in range(seats)))


def is_pooled(ruleset: Ruleset, seats: int) -> bool:
    """Whether partners share one total."""
    return has_partners(ruleset, seats) and ruleset.side_score is SideScore.POOLED


def pooled(ruleset: Ruleset, by_seat: Sequence[int]) -> tuple[int, ...]:
    """By seat: what counts for it, the sum of both partners where they share a total."""
    seats = len(by_seat)
    if not is_pooled(ruleset, seats):
        return tuple(by_seat)
    return tuple(
        sum(by_seat[other] for other in side_of(ruleset, Seat(seat), seats))
        for seat in range(seats)
    )


def side_points(ruleset: Ruleset, totals: Sequence[int]) -> tuple[int, ...]:
    """By seat: the number that its place depends on, the sum of both where totals are apart."""
    seats = len(totals)
    if not has_partners(ruleset, seats) or is_pooled(ruleset, seats):
        return tuple(totals)
    return tuple(
        sum(totals[other] for other in side_of(ruleset, Seat(seat), seats)) for seat in range(seats)
    )
