"""What every store promises about lists of tables."""

from dataclasses import replace
from datetime import timedelta

from bot.rules.cards import Seat
from bot.table.events import GameStarted, PlansMade, SeatHandedOver, SeatLeft, TableClosed
from bot.table.ids import ChannelId, GuildId, Human, MessageId, Robot, TableId, UserId
from bot.table.plans import AllForced
from bot.table.state import Status
from bot.table.storing import PostedState, TableRow
from tests.support.store import CHANNEL, GUILD, HOST, START, Stores, cause, go_on, lobby, put

ANN = UserId(2**62 + 1)


async def shown(stores: Stores, slot: str, message: int) -> None:
    """Say that *slot* of the first table stands in the channel."""
    await stores.work.posted(
        PostedState(
            table_id=lobby().id,
            slot=slot,
            channel_id=CHANNEL,
            message_id=MessageId(message),
            sent_at=START,
            digest="look",
            sends=1,
            before=0,
            version=2,
        )
    )


class ListContract:
    async def test_a_line_says_what_lists_need(self, stores: Stores):
        await put(stores, lobby())
        assert await stores.events.tables_of(HOST) == [
            TableRow(
                table_id=lobby().id,
                guild_id=GUILD,
                channel_id=CHANNEL,
                status="lobby",
                title="Standard Hearts",
                opened_at=START,
                changed_at=START,
                newest_message=None,
            )
        ]

    async def test_a_line_says_when_anything_last_happened(self, stores: Stores):
        at = await put(stores, lobby())
        await go_on(stores, at, lobby(), why=cause(60))
        (row,) = await stores.events.live_tables_in(GUILD)
        assert row.opened_at == START
        assert row.changed_at == START + timedelta(seconds=60)

    async def test_that_somebody_planned_is_no_news_in_a_list(self, stores: Stores):
        """Moderators see it, who may sit at the table themselves."""
        at = await put(stores, lobby())
        plan = PlansMade(Seat(0), (AllForced(),))
        await go_on(stores, at, lobby(), plan, why=cause(60))
        (row,) = await stores.events.live_tables_in(GUILD)
        assert row.changed_at == START

    async def test_the_newest_table_comes_first(self, stores: Stores):
        for n in (1, 3, 2):
            await put(stores, lobby(f"table{n:03}", channel_id=ChannelId(n)), cause(n))
        for rows in (
            await stores.events.tables_of(HOST),
            await stores.events.live_tables_in(GUILD),
        ):
            assert [row.table_id for row in rows] == ["table003", "table002", "table001"]

    async def test_a_seat_that_a_robot_keeps_is_still_listed(self, stores: Stores):
        table = lobby(status=Status.PLAYING, chairs=(Human(ANN), *[Robot("steady")] * 3))
        at = await put(stores, table)
        kept = replace(table, chairs=(Robot("steady", keeps_for=ANN), *table.chairs[1:]))
        await go_on(stores, at, kept, SeatHandedOver(Seat(0), kept.chairs[0] or Robot("steady")))
        assert [row.table_id for row in await stores.events.tables_of(ANN)] == [table.id]

    async def test_who_left_the_lobby_is_not_listed(self, stores: Stores):
        at = await put(stores, lobby(chairs=(Human(HOST), Human(ANN), None, None)))
        await go_on(stores, at, lobby(), SeatLeft(Seat(1)))
        assert await stores.events.tables_of(ANN) == []

    async def test_who_is_seated_when_the_game_starts_is_listed(self, stores: Stores):
        at = await put(stores, lobby())
        chairs = (Human(ANN), Human(HOST), Robot("steady"), Robot("steady"))
        started = GameStarted(lobby().ruleset, chairs, Seat(0))
        await go_on(stores, at, lobby(status=Status.PLAYING, chairs=chairs), started)
        assert [row.status for row in await stores.events.tables_of(ANN)] == ["playing"]

    async def test_an_ended_table_is_not_listed(self, stores: Stores):
        at = await put(stores, lobby())
        await go_on(stores, at, lobby(status=Status.CLOSED), TableClosed("host"))
        assert await stores.events.tables_of(HOST) == []
        assert await stores.events.live_tables_in(GUILD) == []

    async def test_a_server_sees_its_own_tables_only(self, stores: Stores):
        await put(stores, lobby())
        assert await stores.events.live_tables_in(GuildId(GUILD + 1)) == []

    async def test_the_newest_message_is_that_of_the_newest_post(self, stores: Stores):
        """Also when an older post was sent again later, to stand in for a deleted one."""
        await put(stores, lobby(), slots=("lobby", "deal:1", "trick:1"))
        assert await stores.events.newest_message(lobby().id) is None
        await shown(stores, "deal:1", 50)
        await shown(stores, "lobby", 60)
        assert await stores.events.newest_message(lobby().id) == 50
        assert [row.newest_message for row in await stores.events.tables_of(HOST)] == [50]

    async def test_an_unknown_table_has_no_message_and_no_timers(self, stores: Stores):
        assert await stores.events.newest_message(TableId("nowhere0")) is None
        assert await stores.events.timers_of(TableId("nowhere0")) == []
