"""How long to leave alone what failed: a little longer after each failure."""

from collections.abc import Hashable
from datetime import datetime, timedelta


class Patience:
    """Counts failures by key. Kept in memory only: a new start is a new try.

    Args:
        first: the wait after the first failure; each further one doubles it.
        longest: where the doubling ends.
    """

    def __init__(self, first: timedelta, longest: timedelta) -> None:
        self._first = first
        self._longest = longest
        self._failures: dict[Hashable, int] = {}
        self._until: dict[Hashable, datetime] = {}

    def fail(self, key: Hashable, now: datetime) -> datetime:
        """Count a failure and say until when *key* is to be left alone."""
        before = self._failures.get(key, 0)
        self._failures[key] = before + 1
        doublings = min(before, 30)  # a timedelta does not bear many more
        self._until[key] = now + min(self._longest, self._first * 2**doublings)
        return self._until[key]

    def failures(self, key: Hashable) -> int:
        """How often *key* failed since it last succeeded."""
        return self._failures.get(key, 0)

    def wait(self, key: Hashable, now: datetime) -> float:
        """Seconds until *key* may be tried again; 0: now."""
        return max(0.0, (self._until.get(key, now) - now).total_seconds())

    def retry(self, key: Hashable) -> None:
        """Let *key* be tried at once: something about it changed. Its failures still count."""
        self._until.pop(key, None)

    def succeed(self, key: Hashable) -> None:
        """Forget the failures of *key*."""
        self._until.pop(key, None)
        self._failures.pop(key, None)
