"""What every database promises about leases and what is written under them (reliability.md 4)."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import insert, select, update

from bot.table.ids import GuildId
from bot.table.leases import LeaseHeldError
from bot.table.shards import Lease, LeaseLostError, Shards, shard_of, working_under
from db import fences
from db.columns import moment
from db.leases import SqlLeases
from db.models import LEASES, MEMBERS, RUNTIME
from tests.support.store import HOST, Stores

LONG = timedelta(hours=1)
TWO = Shards(2, (0, 1))


async def run_out(stores: Stores) -> None:
    """Time goes by in the database, where no clock of a test counts."""
    await stores.database.write(
        lambda session: session.connection().execute(update(LEASES).values(until=moment(1)))
    )


async def write_down(stores: Stores, key: str) -> None:
    row = insert(RUNTIME).values(key=key, value="")
    await stores.database.write(lambda session: session.connection().execute(row))


async def written_down(stores: Stores) -> list[str]:
    keys = select(RUNTIME.c.key).order_by(RUNTIME.c.key)
    return list(await stores.database.read(lambda s: s.connection().execute(keys).scalars().all()))


class LeaseContract:
    @pytest.fixture
    def leases(self, stores: Stores) -> SqlLeases:
        return SqlLeases(stores.database, is_gone=lambda owner: owner.startswith("dead"))

    async def test_one_process_alone_gets_a_lease(self, leases: SqlLeases):
        first = await leases.take(1, TWO, "a", LONG)
        assert first == Lease(shard=1, count=2, owner="a", epoch=1)
        with pytest.raises(LeaseHeldError, match="held by a, of 2"):
            await leases.take(1, TWO, "b", LONG)
        assert (await leases.take(0, TWO, "b", LONG)).shard == 0

    async def test_of_many_that_ask_at_once_one_gets_it(self, leases: SqlLeases):
        asked = (leases.take(0, Shards(), f"process {n}", LONG) for n in range(6))
        got = await asyncio.gather(*asked, return_exceptions=True)
        assert sum(isinstance(each, Lease) for each in got) == 1
        assert sum(isinstance(each, LeaseHeldError) for each in got) == 5

    async def test_after_its_time_another_takes_it_over_under_the_next_epoch(
        self, stores: Stores, leases: SqlLeases
    ):
        first = await leases.take(0, Shards(), "a", LONG)
        await run_out(stores)
        second = await leases.take(0, Shards(), "b", LONG)
        assert second.epoch == first.epoch + 1
        assert not await leases.renew(first, LONG)
        await leases.release(first)
        with pytest.raises(LeaseHeldError):
            await leases.take(0, Shards(), "c", LONG)

    async def test_one_that_ran_out_unnoticed_goes_on(self, stores: Stores, leases: SqlLeases):
        first = await leases.take(0, Shards(), "a", LONG)
        await run_out(stores)
        assert await leases.renew(first, LONG)
        with pytest.raises(LeaseHeldError):
            await leases.take(0, Shards(), "b", LONG)

    async def test_a_released_lease_is_free_at_once(self, leases: SqlLeases):
        await leases.release(await leases.take(0, Shards(), "a", LONG))
        assert (await leases.take(0, Shards(), "b", LONG)).epoch == 2

    async def test_nobody_waits_for_a_process_that_surely_ended(self, leases: SqlLeases):
        await leases.take(0, Shards(), "dead 7", LONG)
        assert (await leases.take(0, Shards(), "b", LONG)).epoch == 2

    async def test_its_own_lease_stands_in_nobodys_way(self, leases: SqlLeases):
        first = await leases.take(0, Shards(), "a", LONG)
        assert await leases.take(0, Shards(), "a", LONG) == replace(first, epoch=2)

    async def test_another_division_of_the_servers_waits_for_the_end_of_the_old_one(
        self, stores: Stores, leases: SqlLeases
    ):
        """Shard 1 of 2 and shard 2 of 3 have servers in common (discord.md 2.8)."""
        old = await leases.take(1, TWO, "a", LONG)
        with pytest.raises(LeaseHeldError, match="held by a, of 2"):
            await leases.take(2, Shards(3, (2,)), "b", LONG)
        await run_out(stores)
        await leases.take(2, Shards(3, (2,)), "b", LONG)
        # It is over for good: its holder, had it only slept, may not go on beside the others.
        assert not await leases.renew(old, LONG)
        with pytest.raises(LeaseHeldError):
            await leases.take(1, TWO, "a", LONG)

    async def test_no_epoch_ever_comes_back(self, leases: SqlLeases):
        epochs = []
        for shards in (Shards(), TWO, Shards(), Shards(3, (0,))):
            lease = await leases.take(0, shards, "a", LONG)
            epochs.append(lease.epoch)
            await leases.release(lease)
        assert epochs == sorted(set(epochs))

    async def test_what_is_written_under_a_lease_that_is_gone_changes_nothing(
        self, stores: Stores, leases: SqlLeases
    ):
        first = await leases.take(0, Shards(), "a", LONG)
        with working_under(first):
            await write_down(stores, "1 held")
        await run_out(stores)
        with working_under(first):
            await write_down(stores, "2 not taken over")
        second = await leases.take(0, Shards(), "b", LONG)
        with working_under(first), pytest.raises(LeaseLostError):
            await write_down(stores, "3 too late")
        with working_under(second):
            await write_down(stores, "4 by the next")
        assert await written_down(stores) == ["1 held", "2 not taken over", "4 by the next"]

    async def test_without_the_look_at_the_epoch_it_would_be_written(
        self, stores: Stores, leases: SqlLeases, monkeypatch: pytest.MonkeyPatch
    ):
        """The control of the test above."""
        monkeypatch.setattr(fences, "_check", lambda _session, _lease: None)
        first = await leases.take(0, Shards(), "a", LONG)
        await run_out(stores)
        await leases.take(0, Shards(), "b", LONG)
        with working_under(first):
            await write_down(stores, "3 too late")
        assert await written_down(stores) == ["3 too late"]

    async def test_the_database_divides_servers_as_discord_does(self, stores: Stores):
        """``(guild_id >> 22) % shards`` (discord.md 2.8)."""
        guilds = [GuildId(1_100_000_000_000_000_001 + (n << 22)) for n in range(7)]
        for guild in guilds:
            await stores.settings.remember_name(guild, HOST, "x")
        for shard in range(3):
            own = [guild for guild in guilds if shard_of(guild, 3) == shard]
            assert sorted(await self.guilds_of(stores, shard)) == own

    async def guilds_of(self, stores: Stores, shard: int) -> list[int]:
        these = select(MEMBERS.c.guild_id).where(fences.in_shard(MEMBERS.c.guild_id))
        wanted = {"shard": shard, "shards": 3}
        return list(
            await stores.database.read(
                lambda session: session.connection().execute(these, wanted).scalars().all()
            )
        )
