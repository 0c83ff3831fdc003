"""How long a seat may think."""

from dataclasses import dataclass

from bot.rules.sentence import Sentence


@dataclass(frozen=True, slots=True)
class MoveClock:
    """Seconds a move; ``None``: nobody is ever late."""

    id: str
    seconds: int | None


MOVE_CLOCKS = (
    MoveClock("live", 60),
    MoveClock("1h", 3_600),
    MoveClock("8h", 8 * 3_600),
    MoveClock("24h", 24 * 3_600),
    MoveClock("72h", 72 * 3_600),
    MoveClock("7d", 7 * 24 * 3_600),
    MoveClock("off", None),
)
"""The clocks a table can have, fastest first."""
CLOCK_IDS = tuple(clock.id for clock in MOVE_CLOCKS)

_MINUTE, _HOUR, _DAY = 60, 3_600, 86_400
_MOST_DAYS_IN_HOURS = 3


def clock_words(clock: MoveClock) -> Sentence:
    """How long a move may take: "8 hours a move"."""
    seconds = clock.seconds
    if seconds is None:
        return Sentence("no time limit")
    if seconds % _DAY == 0 and seconds > _MOST_DAYS_IN_HOURS * _DAY:
        return Sentence("{count} day a move", {"count": seconds // _DAY}, "{count} days a move")
    if seconds % _HOUR == 0:
        return Sentence("{count} hour a move", {"count": seconds // _HOUR}, "{count} hours a move")
    minutes = seconds // _MINUTE
    return Sentence("{count} minute a move", {"count": minutes}, "{count} minutes a move")


def move_clock(clock_id: str) -> MoveClock:
    """Find a clock by its id.

    Raises:
        KeyError: there is none of that name; the edges offer closed lists only.
    """
    return {clock.id: clock for clock in MOVE_CLOCKS}[clock_id]
