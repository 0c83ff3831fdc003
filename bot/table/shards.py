"""Which servers a process works for, and under which lease it does what it does now.

Discord divides servers into shards. Clicks reach the process that serves their server's shard,
those of direct messages the one that serves shard 0, and in a deploy two at once: so anybody may
change any table, and the store decides. What happens without a click, posts and timers, is done by
the one process that holds the lease of the shard.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from bot.rules.errors import HeartsError
from bot.rules.sentence import Sentence
from bot.table.ids import GuildId

_GUILD_SHIFT = 22
"""Discord's own: the bits below count ids of one millisecond."""


class LeaseLostError(HeartsError):
    """Another process does this work now. Nothing was stored."""

    sentence = Sentence("Another part of me does that already, so nothing has changed.")


@dataclass(frozen=True, slots=True)
class Shards:
    """What one process serves: some of *count* shards."""

    count: int = 1
    """Into how many shards all processes together divide the servers."""
    ids: tuple[int, ...] = (0,)
    """Each from 0 to ``count - 1``, none twice."""

    @property
    def share(self) -> float:
        """Which part of all work falls to this process, above 0 and up to 1."""
        return len(self.ids) / self.count


DIRECT_MESSAGES = 0
"""The shard with which all comes that belongs to no server."""
ALL = Shards()
"""What a process serves that is the only one."""


def shard_of(guild_id: GuildId, count: int) -> int:
    """The shard of a server, as Discord reckons it."""
    return (guild_id >> _GUILD_SHIFT) % count


@dataclass(frozen=True, slots=True, kw_only=True)
class Lease:
    """The right to post and to fire timers for one shard, until somebody takes it over."""

    shard: int
    count: int
    """`Shards.count` of its holder."""
    owner: str
    """The process that holds it; no two that ever lived have the same name."""
    epoch: int
    """How often the lease has changed hands, this time included."""


_PRESENT: ContextVar[Lease | None] = ContextVar("lease", default=None)


@contextmanager
def working_under(lease: Lease | None) -> Iterator[None]:
    """Have all that is begun inside belong to *lease*, tasks included.

    Scans of what is due find what belongs to its shard alone, and what is written is stored only
    if the lease still holds in that same transaction. ``None``: what is done is nobody's work but
    the caller's, and looks at all shards.
    """
    token = _PRESENT.set(lease)
    try:
        yield
    finally:
        _PRESENT.reset(token)


def present_lease() -> Lease | None:
    """The lease that the caller works under, if any."""
    return _PRESENT.get()
