"""Measured times as people read them."""

from collections.abc import Sequence
from math import ceil


def percentile(values: Sequence[float], percent: float) -> float:
    """The smallest of *values* that so many of a hundred do not exceed; 0 where there are none."""
    return sorted(values)[ceil(len(values) * percent / 100) - 1] if values else 0.0


def spread(seconds: Sequence[float]) -> str:
    """What half and 99 of a hundred do not exceed, and the most, in milliseconds."""
    found = (percentile(seconds, percent) for percent in (50, 99, 100))
    return " / ".join(f"{1_000 * each:,.0f}" for each in found) + " ms"
