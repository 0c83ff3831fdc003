"""Successive halving: the same trials for all that are left, and the worse ones go."""

from collections.abc import Callable, Sequence
from math import ceil, log
from typing import TypeVar

Choice = TypeVar("Choice")
Trial = Callable[[Sequence[Choice]], Sequence[float]]
"""Tries every choice once under the same luck and says what each brought."""


def best(
    choices: Sequence[Choice],
    trial: Trial[Choice],
    budget: int,
    *,
    kept: float,
    prior: Sequence[float] = (),
) -> Choice:
    """The choice with the best outcomes; of equals the first.

    Args:
        choices: at least one.
        trial: is asked for the choices that are left.
        budget: how many outcomes are looked at in all, about; every choice is tried at least once
            a round.
        kept: part of the choices that stays after each round, below 1.
        prior: by choice, what outcomes that are not tried sum up to; left empty, nothing.
    """
    left = [*choices]
    sums = [*prior] or [0.0] * len(left)
    rounds = max(1, ceil(log(len(left)) / -log(kept)))
    while len(left) > 1:
        for _ in range(max(1, budget // rounds // len(left))):
            sums = [so_far + more for so_far, more in zip(sums, trial(left), strict=True)]
        order = sorted(range(len(left)), key=lambda place: -sums[place])
        stay = order[: min(len(left) - 1, ceil(len(left) * kept))]
        left, sums = [left[place] for place in stay], [sums[place] for place in stay]
    return left[0]
