"""Promise 18: whether playing on and on leaves the program as it was."""

from collections.abc import Sequence
from statistics import median

from bot.promises import load
from bot.promises.figures import percentile
from bot.promises.promise import Verdict

MOST_GROWTH = 0.10
MOST_LOG = 64 << 20
"""Bytes of the database's log."""
MOST_LATE = 0.100
"""Seconds by which the loop may wake up too late, 99 times of a hundred."""
_LOOKS = 5
"""So many looks are put together, since memory goes up and down."""
_MEGABYTE = 1 << 20


def measure(*, short: bool) -> Verdict:
    """See `bot.promises`."""
    found = load.found(short=short)
    feels = found.feels
    before, after = median(feels.memory[:_LOOKS]), median(feels.memory[-_LOOKS:])
    growth = after / before - 1 if before else 0.0
    late, new_files = percentile(feels.lags, 99), _more(feels.files)
    errors = f" ({feels.errors[0]})" if feels.errors else ""
    moves = sum(stage.noted.moves for stage in found.stages.values())
    return Verdict(
        figure=f"{moves:,} moves in {len(feels.memory):,} s: memory {before / _MEGABYTE:.0f} to "
        f"{after / _MEGABYTE:.0f} MB ({growth:+.1%}), {new_files:+d} open files, log at most "
        f"{feels.largest_log / _MEGABYTE:.1f} MB, event loop late by at most {1_000 * late:.0f} ms "
        f"(99 %), {len(feels.errors)} errors{errors}",
        kept=growth < MOST_GROWTH
        and new_files <= 0
        and feels.largest_log < MOST_LOG
        and late < MOST_LATE
        and not feels.errors,
    )


def _more(files: Sequence[int]) -> int:
    """How many more files are open at the end than ever in the first half."""
    half = len(files) // 2
    return max(files[-_LOOKS:], default=0) - max(files[:half], default=0)
