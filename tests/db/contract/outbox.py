"""What every store promises about pings, notices and deletions (reliability.md 4.6)."""

from datetime import datetime, timedelta

from bot.rules.cards import Card, Rank, Suit
from bot.rules.sentence import Sentence
from bot.table.events import TableClosed
from bot.table.ids import ChannelId, MessageId, TableId, UserId
from bot.table.posting import Ping
from bot.table.state import Status
from bot.table.storing import Outgoing, OutgoingKind
from tests.support.store import CHANNEL, HOST, START, Stores, cause, go_on, lobby, put

MUCH = 1_000
TABLE = lobby().id


def after(seconds: float) -> datetime:
    return START + timedelta(seconds=seconds)


def ping(
    user: int = HOST,
    moment: int = 1,
    *,
    table_id: TableId = TABLE,
    channel_id: ChannelId = CHANNEL,
) -> Ping:
    return Ping(
        table_id=table_id,
        channel_id=channel_id,
        user_id=UserId(user),
        kind="turn",
        moment=moment,
    )


async def due(stores: Stores, seconds: float = 0) -> list[Outgoing]:
    return list(await stores.work.due_outbox(after(seconds), MUCH))


async def kinds(stores: Stores, seconds: float = 0) -> list[OutgoingKind]:
    return [row.kind for row in await due(stores, seconds)]


class OutboxContract:
    async def test_a_ping_is_due_when_it_may_be_said(self, stores: Stores):
        await put(stores, lobby(), pings=(ping(),), ping_not_before=after(3))
        assert await due(stores, 2.999) == []
        (row,) = await due(stores, 3)
        assert (row.kind, row.ping, row.channel_id) == (OutgoingKind.PING, ping(), CHANNEL)
        assert (row.table_id, row.message_id, row.notice, row.attempts) == (
            lobby().id,
            None,
            None,
            0,
        )

    async def test_a_ping_that_is_still_wanted_is_not_said_twice(self, stores: Stores):
        at = await put(stores, lobby(), pings=(ping(),))
        (row,) = await due(stores)
        await stores.work.ping_sent(row.id, CHANNEL, MessageId(50))
        await go_on(stores, at, lobby(), pings=(ping(), ping(5)), ping_not_before=after(1))
        assert [row.ping for row in await due(stores, 99)] == [ping(5)]

    async def test_a_ping_that_still_waits_keeps_its_time_and_nonce(self, stores: Stores):
        at = await put(stores, lobby(), pings=(ping(),), ping_not_before=after(3))
        (before,) = await due(stores, 3)
        await go_on(stores, at, lobby(), pings=(ping(),), ping_not_before=after(60))
        assert await due(stores, 3) == [before]

    async def test_a_ping_that_came_too_late_is_never_said(self, stores: Stores):
        at = await put(stores, lobby(), pings=(ping(),), ping_not_before=after(3))
        await go_on(stores, at, lobby(), pings=(ping(5, 2),), ping_not_before=after(9))
        assert [row.ping for row in await due(stores, 99)] == [ping(5, 2)]

    async def test_a_ping_in_the_channel_is_deleted_when_it_has_served(self, stores: Stores):
        at = await put(stores, lobby(), pings=(ping(),))
        (row,) = await due(stores)
        await stores.work.ping_sent(row.id, CHANNEL, MessageId(50))
        await go_on(stores, at, lobby(), why=cause(5))
        (deletion,) = await due(stores, 5)
        assert (deletion.kind, deletion.message_id) == (OutgoingKind.DELETE, 50)
        assert deletion.ping is None
        await stores.work.done(deletion.id)
        assert await due(stores, 99) == []

    async def test_a_ping_withdrawn_while_it_was_being_sent_is_deleted(self, stores: Stores):
        at = await put(stores, lobby(), pings=(ping(),))
        (row,) = await due(stores)
        await go_on(stores, at, lobby(), why=cause(5))
        assert await due(stores, 5) == []
        await stores.work.ping_sent(row.id, CHANNEL, MessageId(50))
        (deletion,) = await due(stores, 5)
        assert (deletion.kind, deletion.message_id) == (OutgoingKind.DELETE, 50)

    async def test_a_ping_wanted_again_is_a_new_ping(self, stores: Stores):
        at = await put(stores, lobby(), pings=(ping(),))
        (first,) = await due(stores)
        at = await go_on(stores, at, lobby())
        await go_on(stores, at, lobby(), pings=(ping(),))
        (second,) = await due(stores)
        assert second.ping == ping()
        assert second.nonce != first.nonce
        await stores.work.ping_sent(first.id, CHANNEL, MessageId(50))
        assert await kinds(stores) == [OutgoingKind.PING, OutgoingKind.DELETE]

    async def test_a_ping_that_can_never_be_said_is_not_made_anew(self, stores: Stores):
        """Its channel refused it, and the move is still awaited after somebody else's."""
        at = await put(stores, lobby(), pings=(ping(),))
        (row,) = await due(stores)
        await stores.work.done(row.id)
        await go_on(stores, at, lobby(), pings=(ping(),))
        assert await due(stores, 99) == []

    async def test_withdrawn_pings_are_forgotten_in_the_end(self, stores: Stores):
        at = await put(stores, lobby(), pings=(ping(),))
        (row,) = await due(stores)
        await go_on(stores, at, lobby())
        await stores.work.beat(after(3_700))
        await stores.work.ping_sent(row.id, CHANNEL, MessageId(50))
        assert await due(stores, 9_999) == []

    async def test_the_number_of_a_forgotten_row_never_comes_back(self, stores: Stores):
        """A publisher may still hold it, and would mark somebody else's row."""
        at = await put(stores, lobby(), notices=(Sentence("One."),))
        (first,) = await due(stores)
        await stores.work.done(first.id)
        await go_on(stores, at, lobby(), notices=(Sentence("Two."),))
        (second,) = await due(stores)
        assert second.id != first.id

    async def test_a_notice_is_said_once_with_all_its_facts(self, stores: Stores):
        facts = {"card": Card.parse("QS.2"), "suit": Suit.HEARTS, "rank": Rank.ACE, "count": 2}
        inner = Sentence("{suit} were led.", facts)
        notice = Sentence("{inner} {count}", {"inner": inner, "count": 2}, "{inner} many")
        await put(stores, lobby(), notices=(notice,))
        (row,) = await due(stores)
        assert (row.kind, row.notice, row.ping) == (OutgoingKind.NOTICE, notice, None)
        await stores.work.done(row.id)
        assert await due(stores, 99) == []

    async def test_pings_come_first_and_deletions_last(self, stores: Stores):
        await stores.work.beat(START)
        at = await put(stores, lobby())
        await stores.work.ask_deletion(at.table_id, CHANNEL, MessageId(7))
        await go_on(stores, at, lobby(), pings=(ping(),), notices=(Sentence("Now."),))
        assert await kinds(stores) == [
            OutgoingKind.PING,
            OutgoingKind.NOTICE,
            OutgoingKind.DELETE,
        ]
        first = await stores.work.due_outbox(after(0), 1)
        assert [row.kind for row in first] == [OutgoingKind.PING]
        words = await stores.work.due_outbox(after(0), MUCH, deletions=False)
        assert [row.kind for row in words] == [OutgoingKind.PING, OutgoingKind.NOTICE]

    async def test_a_row_tells_since_when_it_is_due(self, stores: Stores):
        await put(stores, lobby(), pings=(ping(),), ping_not_before=after(3))
        assert [row.due_at for row in await due(stores, 9)] == [after(3)]

    async def test_a_message_is_deleted_once_however_often_that_is_asked(self, stores: Stores):
        at = await put(stores, lobby())
        for _ in range(2):
            await stores.work.ask_deletion(at.table_id, ChannelId(2**62), MessageId(2**62))
        (row,) = await due(stores)
        assert (row.kind, row.channel_id, row.message_id) == (
            OutgoingKind.DELETE,
            2**62,
            2**62,
        )

    async def test_a_row_is_put_off_and_its_tries_are_counted(self, stores: Stores):
        await put(stores, lobby(), notices=(Sentence("Now."),))
        (row,) = await due(stores)
        await stores.work.put_off(row.id, after(10))
        assert await due(stores, 9) == []
        assert [row.attempts for row in await due(stores, 10)] == [1]

    async def test_a_withdrawn_ping_is_not_put_off_into_being_said(self, stores: Stores):
        at = await put(stores, lobby(), pings=(ping(),))
        (row,) = await due(stores)
        await go_on(stores, at, lobby())
        await stores.work.put_off(row.id, after(10))
        assert await due(stores, 99) == []

    async def test_a_paused_table_says_nothing_but_tidies_up(self, stores: Stores):
        at = await put(stores, lobby(), notices=(Sentence("Now."),))
        await stores.work.ask_deletion(at.table_id, CHANNEL, MessageId(7))
        at = await go_on(stores, at, lobby(status=Status.PAUSED))
        assert await kinds(stores) == [OutgoingKind.DELETE]
        await go_on(stores, at, lobby())
        assert await kinds(stores) == [OutgoingKind.NOTICE, OutgoingKind.DELETE]

    async def test_in_a_server_that_was_left_nothing_is_said(self, stores: Stores):
        at = await put(stores, lobby(), pings=(ping(), ping(5)), notices=(Sentence("Now."),))
        sent, under_way, _ = await due(stores)
        await stores.work.ping_sent(sent.id, CHANNEL, MessageId(50))
        left = lobby(status=Status.CLOSED, closed_because="left_server")
        await go_on(stores, at, left, TableClosed("left_server"))
        await stores.work.ping_sent(under_way.id, CHANNEL, MessageId(51))
        assert await due(stores, 99) == []

    async def test_what_an_ended_table_could_never_say_is_given_up_after_a_month(
        self, stores: Stores
    ):
        at = await put(stores, lobby(), notices=(Sentence("Now."),))
        await go_on(stores, at, lobby(status=Status.CLOSED), TableClosed("host"))
        days = timedelta(days=1)
        await stores.work.beat(START + 29 * days)
        assert await kinds(stores) == [OutgoingKind.NOTICE]
        await stores.work.beat(START + 31 * days)
        assert await kinds(stores) == []

    async def test_nonces_differ_and_fit_discord(self, stores: Stores):
        """At most 25 characters, and no two alike (reliability.md 4.6)."""
        at = await put(stores, lobby(), pings=(ping(), ping(5)), notices=(Sentence("Now."),) * 2)
        other = lobby("bbbb2222", channel_id=ChannelId(5))
        await put(stores, other, pings=(ping(table_id=other.id),))
        await stores.work.ask_deletion(at.table_id, CHANNEL, MessageId(2**63 - 1))
        for turn in range(20):
            at = await go_on(stores, at, lobby(), pings=(ping(moment=turn), ping(5, turn)))
        nonces = [row.nonce for row in await due(stores, 99)]
        assert len(nonces) == len(set(nonces)) == 6
        assert max(map(len, nonces)) <= 25
