"""Promise 6: how long a press waits for its answer, while many tables are played."""

from bot.promises import idle, load
from bot.promises.figures import percentile, spread
from bot.promises.promise import Verdict

ANSWERED_WITHIN = 0.5
"""Seconds, for 99 of a hundred; the move is on disk by then, and the hand drawn anew."""
ALL_WITHIN = 2.5
"""Seconds; Discord waits for three."""
_SLOWER = 0.005


def measure(*, short: bool) -> Verdict:
    """See `bot.promises`."""
    found = load.found(short=short)
    verdicts = [_of(stage) for stage in (found.stages[load.STEADY], found.stages[load.PEAK])]
    if not short:
        slow = load.found(short=False, fsync=_SLOWER)
        verdicts += [_of(stage, "fsync +5 ms, ") for stage in slow.stages.values()]
        verdicts.append(idle.measure())
    return Verdict(
        figure="; ".join([f"{found.tables:,} tables", *(each.figure for each in verdicts)]),
        kept=all(each.kept for each in verdicts),
    )


def _of(stage: load.Stage, disk: str = "") -> Verdict:
    acks, refused = stage.noted.acks, stage.noted.refused
    told = f", {refused} refused" if refused else ""
    return Verdict(
        figure=f"{disk}{stage.mixture}: {len(acks):,} presses answered within {spread(acks)}{told}",
        kept=bool(acks)
        and not refused
        and percentile(acks, 99) < ANSWERED_WITHIN
        and max(acks) < ALL_WITHIN,
    )
