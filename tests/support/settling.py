"""Lets simcord wait for the database as well.

It looks into tasks and executors, and takes a task that waits for anything else for idle. The
driver of SQLite has a thread of its own and a server is far away: either may take longer than
that look.
"""

import asyncio
from collections.abc import Callable
from functools import wraps
from typing import Any

import simcord

from db.engine import Database, FileDatabase

_PATIENCE_SECONDS = 5.0
"""A unit that takes longer is held up by the test itself."""
_IDLE_SECONDS = 0.0005
"""Simcord waits 50 ms after every action for work that it cannot see; all of ours can be seen."""
_under_way: set[asyncio.Future[None]] = set()


def see_the_database() -> None:
    """Have simcord settle no sooner than units of a database that are under way. Once."""
    settle = simcord.Env._settle_internal
    settle.__kwdefaults__["idle"] = _IDLE_SECONDS  # type: ignore[index]  # a private default

    @wraps(settle)
    async def settled(self: simcord.Env, **options: Any) -> None:
        await settle(self, **options)
        loop = asyncio.get_running_loop()
        while units := [unit for unit in _under_way if unit.get_loop() is loop]:
            done, _ = await asyncio.wait(units, timeout=_PATIENCE_SECONDS)
            if not done:
                return
            await settle(self, **options)

    simcord.Env._settle_internal = settled  # type: ignore[method-assign]  # waits longer
    for kind, name in ((Database, "write"), (Database, "read"), (FileDatabase, "read")):
        setattr(kind, name, _seen(getattr(kind, name)))


def _seen(work: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(work)
    async def seen(self: Database, *args: Any, **options: Any) -> Any:
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        _under_way.add(done)
        try:
            return await work(self, *args, **options)
        finally:
            _under_way.discard(done)
            if not done.done():
                done.set_result(None)

    return seen
