"""How long things are kept that nobody asks for any more."""

import logging
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

log = logging.getLogger(__name__)

LOBBIES = timedelta(days=30)
"""A table that ended before its first deal leaves nothing to look up."""
KEEPERS = timedelta(days=365)
"""A score keeper that nobody has touched for so long."""
_A_UNIT = 50
"""Tables in one transaction, so that moves do not wait long."""


@dataclass(frozen=True, slots=True)
class Kept:
    """What the operator wants."""

    games: timedelta | None = None
    """How long the course of a game is kept after its end; ``None``: for ever. Its results stay in
    any case."""


class Archive(Protocol):
    """What the store deletes."""

    async def prune_games(self, before: datetime, limit: int) -> int:
        """Delete the course of games that ended before then, but not their results.

        Returns:
            How many games; fewer than *limit*: there are no more.
        """
        ...

    async def prune_lobbies(self, before: datetime, limit: int) -> int:
        """Delete tables that ended before then without a deal; as `prune_games`."""
        ...

    async def prune_keepers(self, before: datetime) -> int:
        """Delete score keepers that nobody has changed since; how many."""
        ...


async def tidy(archive: Archive, kept: Kept, now: datetime) -> None:
    """Delete all that is kept for longer than it has to be."""
    lobbies = await _all(archive.prune_lobbies, now - LOBBIES)
    games = 0 if kept.games is None else await _all(archive.prune_games, now - kept.games)
    keepers = await archive.prune_keepers(now - KEEPERS)
    if lobbies or games or keepers:
        log.info("tidied up: %s lobbies, %s games, %s score keepers", lobbies, games, keepers)


class _Prune(Protocol):
    async def __call__(self, before: datetime, limit: int) -> int: ...


async def _all(prune: _Prune, before: datetime) -> int:
    total = 0
    while pruned := await prune(before, _A_UNIT):
        total += pruned
    return total
