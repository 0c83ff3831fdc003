"""Promise 5: what the channels show, and when people are called, while many tables are played."""

from bot.promises import load
from bot.promises.figures import percentile, spread
from bot.promises.promise import Verdict

BOARDS_WITHIN = 2.0
"""Seconds."""
PINGS_WITHIN = 5.0
"""Seconds, the three included for which a turn has to last before anybody is called."""


def measure(*, short: bool) -> Verdict:
    """See `bot.promises`."""
    stage = load.found(short=short).stages[load.STEADY]
    noted = stage.noted
    behind, called = percentile(noted.boards, 99), percentile(noted.pings, 99)
    return Verdict(
        figure=f"{len(noted.boards):,} changes shown within {spread(noted.boards)}"
        f" (50 % / 99 % / most), {len(noted.pings):,} people called within {spread(noted.pings)};"
        f" {stage.mixture}",
        kept=behind <= BOARDS_WITHIN and called <= PINGS_WITHIN,
    )
