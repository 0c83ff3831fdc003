"""How much of a thing a test does: a little every day, much before a release."""

import os
from typing import TypeVar

Amount = TypeVar("Amount")

LONG = "HEARTS_LONG"
"""Set to 1 for the long form; ``bench promises`` without ``--short`` does so."""


def times(short: Amount, long: Amount) -> Amount:
    """*short* every day, *long* in the long form."""
    return long if os.environ.get(LONG) == "1" else short
