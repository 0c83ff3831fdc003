"""What every store promises about changes without an event: reminders, moved deadlines."""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from bot.rules.cards import Seat
from bot.rules.sentence import Sentence
from bot.table.errors import VersionConflictError
from bot.table.ids import ChannelId, MessageId, UserId
from bot.table.posting import Ping
from bot.table.storing import Adjustment, OutgoingKind, Timer, TimerKind
from tests.db.contract.posts import show, show_all
from tests.support.store import CHANNEL, HOST, START, Stores, cause, go_on, lobby, put

MUCH = 1_000
TABLE = lobby().id
PRIVATE = ChannelId(77)
CALL = Ping(table_id=TABLE, channel_id=CHANNEL, user_id=UserId(HOST), kind="turn", moment=1)
REMINDER = replace(CALL, reminder=1)
DEADLINE = Timer(
    table_id=TABLE,
    seat=Seat(0),
    kind=TimerKind.DEADLINE,
    moment=1,
    due_at=START + timedelta(hours=1),
    begun_at=START,
)


def after(seconds: float) -> datetime:
    return START + timedelta(seconds=seconds)


def adjustment(seconds: float = 1, **changes: Any) -> Adjustment:
    values: dict[str, Any] = {"table": lobby(), "at": after(seconds), "timers": ()}
    return Adjustment(**values | changes)


async def due(stores: Stores, seconds: float = 1) -> list[tuple[OutgoingKind, object]]:
    rows = await stores.work.due_outbox(after(seconds), MUCH)
    return [(row.kind, row.ping or row.message_id or row.notice) for row in rows]


async def sent(stores: Stores, message: int) -> None:
    (row,) = await stores.work.due_outbox(after(1), MUCH)
    await stores.work.ping_sent(row.id, CHANNEL, MessageId(message))


class AdjustmentContract:
    async def test_the_timers_are_replaced_and_no_event_is_added(self, stores: Stores):
        at = await put(stores, lobby(), timers=(DEADLINE,))
        before = await stores.events.load(TABLE)
        later = replace(DEADLINE, due_at=after(7_200))
        await stores.events.adjust(at, adjustment(timers=(later,)))
        assert await stores.events.timers_of(TABLE) == [later]
        assert await stores.events.load(TABLE) == before
        await go_on(stores, at, lobby())

    async def test_a_table_that_has_moved_on_is_left_alone(self, stores: Stores):
        at = await put(stores, lobby(), timers=(DEADLINE,), pings=(CALL,))
        await go_on(stores, at, lobby(), timers=(DEADLINE,), pings=(CALL,))
        with pytest.raises(VersionConflictError):
            await stores.events.adjust(at, adjustment(reminders=(REMINDER,)))
        assert await stores.events.timers_of(TABLE) == [DEADLINE]
        assert await due(stores) == [(OutgoingKind.PING, CALL)]

    async def test_of_two_adjustments_of_one_state_the_second_is_refused(self, stores: Stores):
        """Else whoever comes second would put back the timers that the first has changed."""
        before = await put(stores, lobby(), timers=(DEADLINE,))
        at = await stores.events.at(TABLE)
        assert (at.version, at.adjusted) == (before.version, 0)
        later = replace(DEADLINE, due_at=after(7_200))
        await stores.events.adjust(at, adjustment(timers=(later,)))
        with pytest.raises(VersionConflictError):
            await stores.events.adjust(at, adjustment(timers=(DEADLINE,)))
        with pytest.raises(VersionConflictError):
            await go_on(stores, at, lobby(), timers=(DEADLINE,))
        assert await stores.events.timers_of(TABLE) == [later]
        await go_on(stores, await stores.events.at(TABLE), lobby(), timers=(later,))

    async def test_a_reminder_takes_the_place_of_the_call_in_the_channel(self, stores: Stores):
        at = await put(stores, lobby(), pings=(CALL,))
        await sent(stores, 50)
        await stores.events.adjust(at, adjustment(reminders=(REMINDER,)))
        assert await due(stores) == [
            (OutgoingKind.PING, REMINDER),
            (OutgoingKind.DELETE, MessageId(50)),
        ]

    async def test_a_reminder_takes_the_place_of_a_call_that_was_not_sent(self, stores: Stores):
        at = await put(stores, lobby(), pings=(CALL,))
        await stores.events.adjust(at, adjustment(reminders=(REMINDER,)))
        assert await due(stores) == [(OutgoingKind.PING, REMINDER)]

    async def test_a_reminder_stays_as_long_as_the_move_is_awaited(self, stores: Stores):
        at = await put(stores, lobby(), pings=(CALL,))
        await stores.events.adjust(at, adjustment(reminders=(REMINDER,)))
        await sent(stores, 60)
        at = await go_on(stores, at, lobby(), pings=(CALL,))
        assert await due(stores, 9) == []
        await go_on(stores, at, lobby(), why=cause(2))
        assert await due(stores, 2) == [(OutgoingKind.DELETE, MessageId(60))]

    async def test_reminders_that_are_wrong_go_and_calls_come_anew(self, stores: Stores):
        at = await put(stores, lobby(), pings=(CALL,))
        await stores.events.adjust(at, adjustment(reminders=(REMINDER,)))
        await sent(stores, 60)
        await go_on(stores, at, lobby(), pings=(CALL,), reminders_are_wrong=True)
        assert await due(stores, 9) == [
            (OutgoingKind.PING, CALL),
            (OutgoingKind.DELETE, MessageId(60)),
        ]

    async def test_who_was_not_called_for_being_here_keeps_a_reminder(self, stores: Stores):
        at = await put(stores, lobby(), standing=(CALL,))
        assert await due(stores) == []
        await stores.events.adjust(at, adjustment(reminders=(REMINDER,)))
        await sent(stores, 60)
        await go_on(stores, at, lobby(), standing=(CALL,))
        assert await due(stores, 9) == []

    async def test_a_call_that_is_none_is_taken_back_from_who_is_here(self, stores: Stores):
        """The control: the same without a reminder."""
        at = await put(stores, lobby(), pings=(CALL,))
        await sent(stores, 50)
        await go_on(stores, at, lobby(), standing=(CALL,))
        assert await due(stores) == [(OutgoingKind.DELETE, MessageId(50))]

    async def test_two_people_can_be_reminded_twice_each_at_one_version(self, stores: Stores):
        at = await put(stores, lobby())
        other = replace(REMINDER, user_id=UserId(5))
        for number in (1, 2):
            for call in (REMINDER, other):
                again = (replace(call, reminder=number),)
                await stores.events.adjust(at, adjustment(reminders=again))
        rows = await stores.work.due_outbox(after(1), MUCH)
        assert [row.ping for row in rows] == [
            replace(REMINDER, reminder=2),
            replace(other, reminder=2),
        ]
        assert all(len(row.nonce) <= 25 for row in rows)

    async def test_a_direct_message_is_deleted_where_it_stands(self, stores: Stores):
        at = await put(stores, lobby(), pings=(CALL,))
        (row,) = await stores.work.due_outbox(after(1), MUCH)
        await stores.work.ping_sent(row.id, PRIVATE, MessageId(50))
        await go_on(stores, at, lobby())
        (row,) = await stores.work.due_outbox(after(1), MUCH)
        assert (row.kind, row.channel_id, row.message_id) == (OutgoingKind.DELETE, PRIVATE, 50)

    async def test_a_direct_message_withdrawn_on_its_way_is_deleted_there(self, stores: Stores):
        at = await put(stores, lobby(), pings=(CALL,))
        (row,) = await stores.work.due_outbox(after(1), MUCH)
        await go_on(stores, at, lobby())
        await stores.work.ping_sent(row.id, PRIVATE, MessageId(50))
        (row,) = await stores.work.due_outbox(after(1), MUCH)
        assert (row.kind, row.channel_id, row.message_id) == (OutgoingKind.DELETE, PRIVATE, 50)

    async def test_a_sentence_is_said_once(self, stores: Stores):
        at = await put(stores, lobby())
        await stores.events.adjust(at, adjustment(1, notices=(Sentence("One."),)))
        await stores.events.adjust(at, adjustment(2, notices=(Sentence("Two."),)))
        said = [(OutgoingKind.NOTICE, Sentence(text)) for text in ("One.", "Two.")]
        assert await due(stores, 2) == said

    @pytest.mark.parametrize("anew", [True, False])
    async def test_posts_are_shown_anew_where_they_may_name_what_changed(
        self, stores: Stores, *, anew: bool
    ):
        at = await put(stores, lobby())
        await show_all(stores, at)
        await stores.events.adjust(at, adjustment(shown_anew=anew))
        assert bool(await stores.work.posts_behind(MUCH)) is anew

    async def test_what_was_on_its_way_when_posts_had_to_be_shown_anew_does_not_count(
        self, stores: Stores
    ):
        """It was drawn before the change, at the same version."""
        at = await put(stores, lobby())
        (post,) = await stores.work.posts_behind(MUCH)
        await stores.events.adjust(at, adjustment(shown_anew=True))
        await show(stores, post, message=9, version=at.version)
        (post,) = await stores.work.posts_behind(MUCH)
        assert post.message_id == MessageId(9)
        await show(stores, post, message=9, version=at.version)
        assert await stores.work.posts_behind(MUCH) == []
