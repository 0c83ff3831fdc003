"""Composition of what several processes share: who this one is, and the leases of its shards."""

import os
import platform
from collections.abc import Sequence
from pathlib import Path
from secrets import token_hex

from bot.counting import Pulses
from bot.settings import Settings
from bot.table.leases import Held, Leases
from bot.table.ports import Clock
from bot.table.shards import Lease, Shards
from db.engine import Database
from db.leases import SqlLeases

_BOOT = Path("/proc/sys/kernel/random/boot_id")
_SPACE = Path("/proc/self/ns/pid")
_UNKNOWN = "-"


def shards_of(settings: Settings) -> Shards:
    """What this process serves: all shards, unless the operator names some of them."""
    ids = settings.shard_ids
    return Shards(settings.shard_count, tuple(range(settings.shard_count)) if ids is None else ids)


def leases_of(settings: Settings, database: Database, clock: Clock) -> Leases:
    """The leases of this process, none of which is taken yet."""
    return Leases(
        SqlLeases(database, is_gone=is_gone), shards_of(settings), own_name(os.getpid()), clock
    )


def own_name(pid: int) -> str:
    """A name that no other process has or ever had: machine, process, where ids mean that, chance.

    Args:
        pid: of the process, as it sees itself.
    """
    return f"{platform.node() or _UNKNOWN} {pid} {_machine()} {token_hex(4)}"


def is_gone(owner: str) -> bool:
    """Whether the process of a name surely lives no more, so that nobody need wait for its leases.

    Known only of processes of this machine since its last start; a container is one of its own.
    """
    _, pid, machine, _ = owner.rsplit(" ", 3) if owner.count(" ") > 2 else ("", "0", "", "")
    if machine in {"", _UNKNOWN} or machine != _machine():
        return False
    if int(pid) == os.getpid():
        return True  # one before us had the number that is ours now
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    except OSError:
        return False
    return False


def _machine() -> str:
    """Names a space in which a process id means one process at a time."""
    try:
        return f"{_BOOT.read_text(encoding='ascii').strip()}/{_SPACE.readlink()}".replace(" ", "")
    except OSError:
        return _UNKNOWN


class WatchedLeases:
    """`bot.table.leases.Held` whose loops count as alive also while others do their work.

    Where nobody holds a lease, as with a full disk, nobody posts: that shall be seen.
    """

    def __init__(self, leases: Held, pulses: Pulses) -> None:
        self._leases = leases
        self._pulses = pulses

    @property
    def share(self) -> float:
        """See `Held.share`."""
        return self._leases.share

    @property
    def waits(self) -> bool:
        """See `Held.waits`."""
        return self._leases.waits

    def held(self) -> Sequence[Lease | None]:
        """See `Held.held`."""
        leases = self._leases.held()
        if not leases and self._leases.waits:
            self._pulses.feel("publisher")
            self._pulses.feel("timekeeper")
        return leases

    def lose(self, lease: Lease | None) -> None:
        """See `Held.lose`."""
        self._leases.lose(lease)
