"""Promise 8: what Discord is asked, while many tables are played and some lose their places."""

from bot.promises import load
from bot.promises.channels import DISCORDS_LIMIT
from bot.promises.promise import Verdict

MOST_INVALID = 100
"""In ten minutes; Discord shuts a bot out at 10,000."""
_TEN_MINUTES = 600.0
_A_TABLE_SECONDS = 0.9
"""Two edits of a table are a second apart when they set out; the way to Discord takes some time."""


def measure(*, short: bool) -> Verdict:
    """See `bot.promises`."""
    found = load.found(short=short)
    counts = found.counts
    seconds = found.seconds
    invalid = counts.invalid / max(1.0, seconds / _TEN_MINUTES)
    return Verdict(
        figure=f"{counts.calls:,} requests, {counts.calls / seconds:.0f} a second and at most "
        f"{counts.most_in_a_second} in any; edits of a table at least {counts.soonest_edit:.2f} s "
        f"apart; {counts.invalid} invalid in {seconds:.0f} s, "
        f"{found.lost} tables having lost their places",
        kept=counts.most_in_a_second <= DISCORDS_LIMIT
        and counts.soonest_edit >= _A_TABLE_SECONDS
        and invalid < MOST_INVALID,
    )
