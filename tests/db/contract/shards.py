"""What both databases promise to processes that divide the servers (reliability.md 4)."""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from bot.rules.cards import Seat
from bot.table.ids import ChannelId, GuildId, MessageId, TableId, UserId
from bot.table.posting import Ping, Sent
from bot.table.shards import Lease, Shards, shard_of, working_under
from bot.table.state import Status
from bot.table.storing import At, OutgoingKind, PostedState, Timer, TimerKind
from db.event_store import SqlEventStore
from db.leases import SqlLeases
from tests.support.store import CHANNEL, GUILD, HOST, START, Stores, go_on, lobby, put

MUCH = 1_000
LONG = timedelta(hours=1)
ALL = Shards(2, (0, 1))
TABLE = lobby().id


def after(seconds: float) -> datetime:
    return START + timedelta(seconds=seconds)


async def one_table_in_each_shard(stores: Stores) -> dict[int, TableId]:
    """Games in two servers, each with a post to send, a call to make and a timer to fire."""
    tables = {}
    for number in range(2):
        guild = GuildId(GUILD + (number << 22))
        table = lobby(
            f"aaaa111{number}",
            guild_id=guild,
            channel_id=ChannelId(CHANNEL + number),
            status=Status.PLAYING,
        )
        call = Ping(
            table_id=table.id,
            channel_id=table.channel_id,
            user_id=UserId(HOST),
            kind="turn",
            moment=1,
        )
        timer = Timer(
            table_id=table.id,
            seat=Seat(0),
            kind=TimerKind.DEADLINE,
            moment=1,
            due_at=after(60),
            begun_at=START,
        )
        await put(stores, table, timers=(timer,), pings=(call,))
        tables[shard_of(guild, 2)] = table.id
    return tables


async def lease(stores: Stores, shard: int, shards: Shards = ALL) -> Lease:
    return await SqlLeases(stores.database).take(shard, shards, "a", LONG)


def state(message: int, **changes: Any) -> PostedState:
    """The lobby's post, as it was shown by a process that had the lease once."""
    known = PostedState(
        table_id=TABLE,
        slot="lobby",
        channel_id=CHANNEL,
        message_id=MessageId(message),
        sent_at=START,
        digest="look",
        sends=1,
        before=0,
        version=1,
    )
    return replace(known, **changes)


class ShardContract:
    async def test_what_is_due_is_found_by_the_shard_of_its_server(self, stores: Stores):
        tables = await one_table_in_each_shard(stores)
        for shard, table in tables.items():
            with working_under(await lease(stores, shard)):
                posts = await stores.work.posts_behind(MUCH)
                rows = await stores.work.due_outbox(after(60), MUCH)
                timers = await stores.work.due_timers(after(60), MUCH)
                assert [each.table_id for each in posts] == [table]
                assert [each.table_id for each in rows] == [table]
                assert [each.table_id for each in timers] == [table]
                assert await stores.work.next_timer() == after(60)

    @pytest.mark.parametrize("shards", [Shards(), None])
    async def test_where_nothing_is_divided_all_of_it_is_found(
        self, stores: Stores, shards: Shards | None
    ):
        await one_table_in_each_shard(stores)
        with working_under(None if shards is None else await lease(stores, 0, shards)):
            assert len(await stores.work.posts_behind(MUCH)) == 2
            assert len(await stores.work.due_outbox(after(60), MUCH)) == 2
            assert len(await stores.work.due_timers(after(60), MUCH)) == 2

    async def test_an_outage_of_one_shard_is_given_back_there_alone(self, stores: Stores):
        tables = await one_table_in_each_shard(stores)
        with working_under(await lease(stores, 1)):
            await stores.work.credit(timedelta(minutes=3), after(30))
            assert await stores.work.last_alive() == after(30)
        moved = {
            shard: [(each.kind, each.due_at) for each in await stores.events.timers_of(table)]
            for shard, table in tables.items()
        }
        assert moved[0] == [(TimerKind.DEADLINE, after(60))]
        assert moved[1] == [
            (TimerKind.OUTAGE, after(30)),
            (TimerKind.DEADLINE, after(240)),
        ]

    async def test_what_an_outage_moved_is_not_what_a_process_remembers(self, stores: Stores):
        await one_table_in_each_shard(stores)
        events = SqlEventStore(stores.database, shared=True)
        at = await events.at(TableId("aaaa1110"))
        await stores.work.credit(timedelta(minutes=3), after(30))
        assert not await events.is_current(at)

    async def test_each_shard_has_a_heart_of_its_own(self, stores: Stores):
        """Else the process that lives would hide the outage of the one that does not."""
        for shard in range(2):
            with working_under(await lease(stores, shard)):
                assert await stores.work.last_alive() is None
                await stores.work.beat(after(100 * shard))
                assert await stores.work.last_alive() == after(100 * shard)
        with working_under(await lease(stores, 0)):
            assert await stores.work.last_alive() == after(0)

    async def test_after_a_new_division_the_last_beat_of_the_old_one_counts(self, stores: Stores):
        with working_under(await lease(stores, 0)):
            await stores.work.beat(after(0))
        await stores.work.beat(after(500))
        with working_under(await lease(stores, 0)):
            assert await stores.work.last_alive() == after(500)
            await stores.work.beat(after(600))
        assert await stores.work.last_alive() == after(600)

    async def test_a_post_that_was_shown_too_late_is_shown_anew(self, stores: Stores):
        at = await put(stores, lobby())
        await stores.work.posted(state(100, version=at.version))
        assert await stores.work.posts_behind(MUCH) == []
        await stores.work.shown_late(state(100, digest="an old look"))
        (post,) = await stores.work.posts_behind(MUCH)
        assert (post.message_id, post.digest, post.shown) == (100, None, at.version - 1)

    async def test_a_post_that_was_sent_too_late_beside_another_is_deleted(self, stores: Stores):
        at = await put(stores, lobby())
        await stores.work.posted(state(100, version=at.version))
        await stores.work.shown_late(state(99))
        (row,) = await stores.work.due_outbox(START, MUCH)
        assert (row.kind, row.message_id) == (OutgoingKind.DELETE, 99)
        assert await stores.work.posts_behind(MUCH) == []

    async def test_a_post_sent_too_late_is_met_again_by_its_nonce(self, stores: Stores):
        await put(stores, lobby())
        await stores.work.shown_late(state(100))
        assert await stores.work.due_outbox(START, MUCH) == []
        (post,) = await stores.work.posts_behind(MUCH)
        assert post.message_id is None

    async def test_a_call_that_was_made_too_late_goes_unless_it_is_wanted(self, stores: Stores):
        call = Ping(table_id=TABLE, channel_id=CHANNEL, user_id=UserId(HOST), kind="turn", moment=1)
        at = await put(stores, lobby(), pings=(call,))
        (row,) = await stores.work.due_outbox(after(1), MUCH)
        sent = Sent(CHANNEL, MessageId(50))
        await stores.work.called_late(row, sent)
        assert await self.deletions(stores) == []
        await stores.work.ping_sent(row.id, CHANNEL, MessageId(50))
        await stores.work.called_late(row, sent)
        assert await self.deletions(stores) == []
        await stores.work.called_late(row, Sent(CHANNEL, MessageId(49)))
        assert await self.deletions(stores) == [49]
        await go_on(stores, at, lobby())
        await stores.work.called_late(row, Sent(CHANNEL, MessageId(48)))
        assert set(await self.deletions(stores)) == {48, 49, 50}

    async def deletions(self, stores: Stores) -> list[int | None]:
        rows = await stores.work.due_outbox(START, MUCH)
        return [row.message_id for row in rows if row.kind is OutgoingKind.DELETE]

    async def test_a_table_stands_where_it_was_until_somebody_writes(self, stores: Stores):
        events = SqlEventStore(stores.database, shared=True)
        await put(stores, lobby())
        at = await events.at(TABLE)
        assert await events.is_current(at)
        await go_on(stores, at, lobby())
        assert not await events.is_current(at)
        assert await events.at(TableId("nothing1")) == At(TableId("nothing1"), 0, 0)
