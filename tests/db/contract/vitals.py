"""What a database tells of what waits, for whoever asks how the bot is."""

from datetime import timedelta

from bot.rules.cards import Seat
from bot.table.ids import UserId
from bot.table.posting import Ping
from bot.table.state import Status
from bot.table.storing import Timer, TimerKind
from bot.table.vitals import Backlog
from db.vitals import SqlVitals
from tests.db.contract.posts import show_all
from tests.support.store import CHANNEL, HOST, START, Stores, lobby, put

SECOND = timedelta(seconds=1)


async def backlog(stores: Stores, seconds: float = 0) -> Backlog:
    return await SqlVitals(stores.database).backlog(START + timedelta(seconds=seconds))


class VitalsContract:
    """Every database of the bot's."""

    async def test_where_nothing_is_stored_nothing_waits(self, stores: Stores):
        assert await backlog(stores) == Backlog(
            posts_behind=0, behind_since=None, outbox_due=0, timers_due=0
        )

    async def test_posts_count_from_the_commit_until_they_are_shown(self, stores: Stores):
        at = await put(stores, lobby())
        found = await backlog(stores)
        assert (found.posts_behind, found.behind_since) == (1, START)
        await show_all(stores, at)
        assert (await backlog(stores)).posts_behind == 0

    async def test_calls_and_timers_count_once_their_time_has_come(self, stores: Stores):
        table = lobby()
        ping = Ping(
            table_id=table.id, channel_id=CHANNEL, user_id=UserId(HOST), kind="turn", moment=1
        )
        timer = Timer(
            table_id=table.id,
            seat=Seat(0),
            kind=TimerKind.ROBOT,
            moment=1,
            due_at=START + 2 * SECOND,
        )
        await put(stores, table, pings=(ping,), ping_not_before=START + 3 * SECOND, timers=(timer,))
        early, later, last = [await backlog(stores, seconds) for seconds in (1, 2, 3)]
        assert [each.timers_due for each in (early, later, last)] == [0, 1, 1]
        assert [each.outbox_due for each in (early, later, last)] == [0, 0, 1]

    async def test_what_rests_with_a_paused_table_does_not_wait(self, stores: Stores):
        table = lobby(status=Status.PAUSED)
        timer = Timer(table_id=table.id, seat=Seat(0), kind=TimerKind.ROBOT, moment=1, due_at=START)
        await put(stores, table, timers=(timer,))
        found = await backlog(stores, 10)
        assert (found.posts_behind, found.timers_due) == (0, 0)
