"""What every store promises about posts: level-triggered (reliability.md 0.3, 4.6)."""

from dataclasses import replace
from datetime import timedelta

from bot.rules.cards import Seat
from bot.table.events import PlansMade, TableClosed
from bot.table.ids import ChannelId, MessageId, TableId
from bot.table.plans import AllForced
from bot.table.state import Status
from bot.table.storing import At, PendingPost, PostedState, Timer, TimerKind
from tests.support.store import CHANNEL, START, Stores, cause, go_on, lobby, put

MUCH = 1_000
TABLE = lobby().id


async def behind(stores: Stores, limit: int = MUCH) -> list[str]:
    return [post.slot for post in await stores.work.posts_behind(limit)]


async def show(stores: Stores, post: PendingPost, *, message: int, version: int) -> None:
    await stores.work.posted(
        PostedState(
            table_id=post.table_id,
            slot=post.slot,
            channel_id=post.channel_id,
            message_id=MessageId(message),
            sent_at=START,
            digest="look",
            sends=post.sends + 1,
            before=post.shown,
            version=version,
        )
    )


async def show_all(stores: Stores, at: At) -> None:
    for number, post in enumerate(await stores.work.posts_behind(MUCH), 100):
        await show(stores, post, message=number, version=at.version)


class PostContract:
    async def test_a_new_post_waits_to_be_sent(self, stores: Stores):
        at = await put(stores, lobby())
        assert await stores.work.posts_behind(MUCH) == [
            PendingPost(
                table_id=lobby().id,
                slot="lobby",
                channel_id=CHANNEL,
                message_id=None,
                sent_at=None,
                digest=None,
                sends=0,
                attempted_at=None,
                shown=0,
                version=at.version,
                since=START,
            )
        ]

    async def test_a_post_that_shows_the_newest_state_is_left_alone(self, stores: Stores):
        at = await put(stores, lobby())
        await show_all(stores, at)
        assert await behind(stores) == []

    async def test_every_event_puts_open_posts_behind(self, stores: Stores):
        at = await put(stores, lobby())
        await show_all(stores, at)
        await go_on(stores, at, lobby())
        (post,) = await stores.work.posts_behind(MUCH)
        assert (post.message_id, post.digest, post.sends) == (100, "look", 1)
        assert (post.sent_at, post.version) == (START, at.version + 1)

    async def test_a_post_waits_since_the_first_change_that_it_does_not_show(self, stores: Stores):
        at = await put(stores, lobby())
        await show_all(stores, at)
        at = await go_on(stores, at, lobby(), why=cause(5))
        await go_on(stores, at, lobby(), why=cause(9))
        (post,) = await stores.work.posts_behind(MUCH)
        assert post.since == cause(5).at

    async def test_a_plan_puts_no_post_behind(self, stores: Stores):
        """Nobody may tell it; a post drawn anew for it could show what the time has changed."""
        at = await put(stores, lobby())
        await show_all(stores, at)
        planned = await go_on(stores, at, lobby(), PlansMade(Seat(0), (AllForced(),)))
        assert await behind(stores) == []
        await go_on(stores, planned, lobby())
        assert await behind(stores) == ["lobby"]

    async def test_a_post_that_is_behind_stays_so_while_somebody_plans(self, stores: Stores):
        at = await put(stores, lobby())
        planned = await go_on(stores, at, lobby(), PlansMade(Seat(0), (AllForced(),)))
        (post,) = await stores.work.posts_behind(MUCH)
        await show(stores, post, message=100, version=planned.version)
        assert await behind(stores) == []

    async def test_an_outage_that_moves_a_deadline_puts_the_posts_behind_that_may_name_it(
        self, stores: Stores
    ):
        other = lobby("bbbb2222", channel_id=ChannelId(5))
        deadline = Timer(
            table_id=TABLE, seat=Seat(0), kind=TimerKind.DEADLINE, moment=1, due_at=START
        )
        slots = ("lobby", "deal:1", "trick:1")
        at = await put(
            stores, lobby(), timers=(deadline,), slots=slots, closed_slots=("lobby", "deal:1")
        )
        await put(
            stores, other, timers=(replace(deadline, table_id=other.id, kind=TimerKind.ROBOT),)
        )
        await show_all(stores, at)
        await stores.work.credit(timedelta(hours=5), START)
        (post,) = await stores.work.posts_behind(MUCH)
        assert (post.table_id, post.slot, post.version) == (TABLE, "trick:1", at.version)
        assert post.message_id is not None
        await show(stores, post, message=post.message_id, version=at.version)
        assert await behind(stores) == []

    async def test_a_post_that_shows_an_old_state_stays_behind(self, stores: Stores):
        """The table moved on while the post was being sent."""
        at = await put(stores, lobby())
        (post,) = await stores.work.posts_behind(MUCH)
        await go_on(stores, at, lobby())
        await show(stores, post, message=100, version=at.version)
        assert await behind(stores) == ["lobby"]

    async def test_a_closed_post_is_shown_a_last_time(self, stores: Stores):
        at = await put(stores, lobby())
        await show_all(stores, at)
        at = await go_on(stores, at, lobby(), slots=("lobby", "deal:1"), closed_slots=("lobby",))
        assert await behind(stores) == ["lobby", "deal:1"]
        await show_all(stores, at)
        await go_on(stores, at, lobby(), slots=("lobby", "deal:1"), closed_slots=("lobby",))
        assert await behind(stores) == ["deal:1"]

    async def test_a_post_that_is_new_and_closed_is_shown_once(self, stores: Stores):
        """Robots finish a trick in the commit that begins it."""
        slots, closed = ("lobby", "trick:1", "trick:2"), ("trick:1",)
        at = await put(stores, lobby(), slots=slots, closed_slots=closed)
        assert await behind(stores) == list(slots)
        await show_all(stores, at)
        await go_on(stores, at, lobby(), slots=slots, closed_slots=closed)
        assert await behind(stores) == ["lobby", "trick:2"]

    async def test_a_closed_post_that_showed_less_than_its_end_stays_behind(self, stores: Stores):
        at = await put(stores, lobby())
        (post,) = await stores.work.posts_behind(MUCH)
        at_end = await go_on(stores, at, lobby(), closed_slots=("lobby",))
        await show(stores, post, message=100, version=at.version)
        (post,) = await stores.work.posts_behind(MUCH)
        await show(stores, post, message=100, version=at_end.version)
        assert await behind(stores) == []

    async def test_posts_of_a_table_come_in_order(self, stores: Stores):
        """Also when the oldest fell behind last; slots are not sorted by their names."""
        slots = ("lobby", "deal:1", *(f"trick:{n}" for n in range(1, 13)), "sheet:1")
        at = await put(stores, lobby(), slots=("lobby",))
        at = await go_on(stores, at, lobby(), why=cause(1), slots=slots)
        (first, *_) = await stores.work.posts_behind(MUCH)
        await show(stores, first, message=100, version=at.version)
        await go_on(stores, at, lobby(), why=cause(2), slots=slots)
        assert await behind(stores) == list(slots)
        assert await behind(stores, 3) == list(slots[:3])

    async def test_the_table_that_waits_longest_comes_first(self, stores: Stores):
        for n in (3, 1, 2):
            await put(stores, lobby(f"table{n:03}", channel_id=ChannelId(n)), cause(n))
        waiting = await stores.work.posts_behind(2)
        assert [post.table_id for post in waiting] == ["table001", "table002"]

    async def test_posts_of_a_paused_table_rest(self, stores: Stores):
        at = await put(stores, lobby())
        at = await go_on(stores, at, lobby(status=Status.PAUSED))
        assert await behind(stores) == []
        await go_on(stores, at, lobby())
        assert await behind(stores) == ["lobby"]

    async def test_in_a_server_that_was_left_nothing_is_shown(self, stores: Stores):
        at = await put(stores, lobby())
        await show_all(stores, at)
        left = lobby(status=Status.CLOSED, closed_because="left_server")
        slots = ("lobby", "result")
        await go_on(stores, at, left, TableClosed("left_server"), slots=slots, closed_slots=slots)
        assert await behind(stores) == []

    async def test_a_table_that_was_ended_by_its_host_shows_its_end(self, stores: Stores):
        at = await put(stores, lobby())
        await show_all(stores, at)
        ended = lobby(status=Status.CLOSED, closed_because="host")
        await go_on(stores, at, ended, TableClosed("host"), closed_slots=("lobby",))
        assert await behind(stores) == ["lobby"]

    async def test_a_begun_send_is_remembered_until_its_outcome_is_known(self, stores: Stores):
        at = await put(stores, lobby())
        (post,) = await stores.work.posts_behind(MUCH)
        await stores.work.attempt(post, START + timedelta(seconds=3))
        (post,) = await stores.work.posts_behind(MUCH)
        assert (post.attempted_at, post.message_id) == (START + timedelta(seconds=3), None)
        await show(stores, post, message=100, version=at.version - 1)
        (post,) = await stores.work.posts_behind(MUCH)
        assert (post.attempted_at, post.message_id) == (None, 100)

    async def test_a_lost_post_is_sent_again(self, stores: Stores):
        at = await put(stores, lobby(), slots=("lobby", "deal:1"), closed_slots=("lobby",))
        await show_all(stores, at)
        await stores.work.lost(lobby().id, "lobby")
        (post,) = await stores.work.posts_behind(MUCH)
        assert (post.slot, post.message_id, post.digest, post.sends) == ("lobby", None, None, 1)

    async def test_an_open_post_that_somebody_deleted_is_sent_again(self, stores: Stores):
        at = await put(stores, lobby())
        await show_all(stores, at)
        assert await stores.work.lost_message(lobby().id, MessageId(100))
        assert await behind(stores) == ["lobby"]

    async def test_a_closed_post_that_somebody_deleted_stays_deleted(self, stores: Stores):
        at = await put(stores, lobby(), closed_slots=("lobby",))
        await show_all(stores, at)
        assert not await stores.work.lost_message(lobby().id, MessageId(100))
        assert await behind(stores) == []

    async def test_a_message_that_is_no_post_is_nobodys_loss(self, stores: Stores):
        at = await put(stores, lobby())
        await show_all(stores, at)
        assert not await stores.work.lost_message(lobby().id, MessageId(99))
        assert not await stores.work.lost_message(TableId("nowhere0"), MessageId(100))

    async def test_an_end_that_no_channel_takes_is_given_up_after_a_month(self, stores: Stores):
        """Else channels that nobody can post in would fill the publisher's reading for ever."""
        at = await put(stores, lobby())
        ended = lobby(status=Status.CLOSED, closed_because="host")
        await go_on(stores, at, ended, TableClosed("host"), closed_slots=("lobby",))
        await stores.work.beat(START + timedelta(days=29))
        assert await behind(stores) == ["lobby"]
        await stores.work.beat(START + timedelta(days=31))
        assert await behind(stores) == []

    async def test_a_live_table_never_gives_up(self, stores: Stores):
        await put(stores, replace(lobby(), status=Status.PLAYING))
        await stores.work.beat(START + timedelta(days=400))
        assert await behind(stores) == ["lobby"]
