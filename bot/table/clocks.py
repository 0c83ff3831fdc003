"""How long a seat may think."""

from dataclasses import dataclass


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


def move_clock(clock_id: str) -> MoveClock:
    """Find a clock by its id.

    Raises:
        KeyError: there is none of that name; the edges offer closed lists only.
    """
    return {clock.id: clock for clock in MOVE_CLOCKS}[clock_id]
