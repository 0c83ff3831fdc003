"""Many tables at which nothing happens: what they cost while the bot looks for what is due."""

import asyncio
import tempfile
import time
from pathlib import Path

from bot.promises import load
from bot.promises.channels import Channels
from bot.promises.crowd import seat
from bot.promises.ledger import Ledger
from bot.promises.promise import Verdict
from bot.promises.wellbeing import memory
from db.engine import open_database

TABLES = 10_000
_SECONDS = 300.0
_MOST_CORES = 0.1
_MEGABYTE = 1 << 20


def measure(tables: int = TABLES, seconds: float = _SECONDS) -> Verdict:
    """Let the bot's loops run over so many tables for so long."""
    return asyncio.run(_measured(tables, seconds))


async def _measured(tables: int, seconds: float) -> Verdict:
    with tempfile.TemporaryDirectory(prefix="hearts-idle-") as folder:
        url = f"sqlite+aiosqlite:///{Path(folder) / 'idle.db'}"
        await seat(url, tables, fresh=True)
        database, ledger = open_database(url), Ledger()
        try:
            async with load.loops(
                database, ledger, load.manager(database, ledger), Channels(ledger)
            ):
                begun, cpu = time.monotonic(), time.process_time()
                await asyncio.sleep(seconds)
                cores = (time.process_time() - cpu) / (time.monotonic() - begun)
        finally:
            await database.close()
    return Verdict(
        figure=f"{tables:,} tables idle for {seconds:,.0f} s: {cores:.3f} cores, "
        f"{memory() / _MEGABYTE:,.0f} MB",
        kept=cores <= _MOST_CORES,
    )
