"""Locks by key, first come first served, that exist only while somebody holds or wants one."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Hashable
from contextlib import asynccontextmanager


class KeyedLocks:
    """One lock a key."""

    def __init__(self) -> None:
        self._locks: dict[Hashable, asyncio.Lock] = {}
        self._interested: Counter[Hashable] = Counter()

    @asynccontextmanager
    async def holding(self, key: Hashable) -> AsyncIterator[None]:
        """Hold the lock of *key*."""
        lock = self._locks.setdefault(key, asyncio.Lock())
        self._interested[key] += 1
        try:
            async with lock:
                yield
        finally:
            self._interested[key] -= 1
            if not self._interested[key]:
                del self._interested[key], self._locks[key]
