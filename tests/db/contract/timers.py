"""What every store promises about timers and the heartbeat (reliability.md 4, Timers)."""

from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from bot.rules.cards import Seat
from bot.table.ids import ChannelId, TableId
from bot.table.state import Status
from bot.table.storing import NO_SEAT, Timer, TimerKind
from tests.support.store import START, Stores, go_on, lobby, put

MUCH = 1_000
TABLE = lobby().id
NOT_CREDITED = {TimerKind.ROBOT, TimerKind.PLAN, TimerKind.OUTAGE}


def timer(
    seconds: float,
    seat: int = 0,
    *,
    kind: TimerKind = TimerKind.DEADLINE,
    moment: int = 1,
    table_id: TableId = TABLE,
) -> Timer:
    return Timer(
        table_id=table_id, seat=Seat(seat), kind=kind, moment=moment, due_at=after(seconds)
    )


def after(seconds: float) -> datetime:
    return START + timedelta(seconds=seconds)


class TimerContract:
    async def test_a_table_has_the_timers_that_were_wanted(self, stores: Stores):
        wanted = (timer(60, 1), timer(90, NO_SEAT, kind=TimerKind.IDLE_LOBBY, moment=0))
        await put(stores, lobby(), timers=wanted)
        assert tuple(await stores.events.timers_of(lobby().id)) == wanted

    async def test_what_is_wanted_no_more_goes_and_what_stays_keeps_its_time(self, stores: Stores):
        at = await put(stores, lobby(), timers=(timer(60, 1), timer(60, 2)))
        wanted = (timer(60, 2), timer(70, 3))
        await go_on(stores, at, lobby(), timers=wanted)
        assert tuple(await stores.events.timers_of(lobby().id)) == wanted

    async def test_one_seat_can_have_timers_of_two_kinds(self, stores: Stores):
        wanted = (timer(1, kind=TimerKind.ROBOT), timer(60))
        await put(stores, lobby(), timers=wanted)
        assert tuple(await stores.events.timers_of(lobby().id)) == wanted

    async def test_a_timer_is_due_when_its_time_has_come(self, stores: Stores):
        await put(stores, lobby(), timers=(timer(60), timer(61, 1)))
        assert await stores.work.due_timers(after(59.999), MUCH) == []
        assert await stores.work.due_timers(after(60), MUCH) == [timer(60)]

    async def test_what_is_due_longest_comes_first(self, stores: Stores):
        await put(stores, lobby(), timers=(timer(3), timer(1, 1), timer(2, 2)))
        due = await stores.work.due_timers(after(9), 2)
        assert due == [timer(1, 1), timer(2, 2)]

    async def test_timers_of_a_paused_table_rest(self, stores: Stores):
        at = await put(stores, lobby(), timers=(timer(60),))
        await go_on(stores, at, lobby(status=Status.PAUSED), timers=(timer(60),))
        assert await stores.work.due_timers(after(99), MUCH) == []
        assert await stores.work.next_timer() is None

    async def test_the_timer_that_ends_a_paused_table_does_not_rest(self, stores: Stores):
        ends = timer(60, NO_SEAT, kind=TimerKind.PLACE_LOST, moment=0)
        await put(stores, lobby(status=Status.PAUSED), timers=(timer(50), ends))
        assert await stores.work.due_timers(after(99), MUCH) == [ends]
        assert await stores.work.next_timer() == after(60)

    async def test_the_next_timer_is_the_soonest_of_all_tables(self, stores: Stores):
        assert await stores.work.next_timer() is None
        await put(stores, lobby(), timers=(timer(60),))
        other = lobby("bbbb2222", channel_id=ChannelId(5))
        await put(stores, other, timers=(timer(30, table_id=other.id),))
        assert await stores.work.next_timer() == after(30)

    async def test_a_timer_can_be_put_off(self, stores: Stores):
        await put(stores, lobby(), timers=(timer(60), timer(60, 1)))
        await stores.work.put_off_timer(timer(60), after(90))
        assert await stores.work.due_timers(after(60), MUCH) == [timer(60, 1)]
        assert await stores.work.next_timer() == after(60)
        assert len(await stores.work.due_timers(after(90), MUCH)) == 2

    async def test_a_timer_of_another_moment_is_not_put_off(self, stores: Stores):
        """The table moved on between the failure and its being noted."""
        await put(stores, lobby(), timers=(timer(60, moment=2),))
        await stores.work.put_off_timer(timer(60, moment=1), after(90))
        assert await stores.work.next_timer() == after(60)

    @pytest.mark.parametrize("kind", sorted(set(TimerKind) - NOT_CREDITED, key=str))
    async def test_an_outage_is_credited_to_people(self, stores: Stores, kind: TimerKind):
        await put(stores, lobby(), timers=(timer(60, kind=kind),))
        await stores.work.credit(timedelta(hours=5, milliseconds=7), START)
        credit = timedelta(hours=5, milliseconds=7)
        expected = replace(timer(60 + 5 * 3600 + 0.007, kind=kind), credit=credit)
        assert await stores.events.timers_of(lobby().id) == [expected]

    @pytest.mark.parametrize("kind", [TimerKind.ROBOT, TimerKind.PLAN])
    async def test_robots_and_plans_get_no_credit(self, stores: Stores, kind: TimerKind):
        """What moves by itself has waited long enough."""
        await put(stores, lobby(), timers=(timer(1, kind=kind),))
        await stores.work.credit(timedelta(hours=5), START)
        assert await stores.work.next_timer() == after(1)

    async def test_outages_are_counted_beside_the_beginning_of_a_deadline(self, stores: Stores):
        began = replace(timer(60), begun_at=after(0))
        await put(stores, lobby(), timers=(began,))
        for hours in (5, 1):
            await stores.work.credit(timedelta(hours=hours), after(5 * 3600))
        (moved,) = await stores.events.timers_of(TABLE)
        assert moved == replace(timer(60 + 6 * 3600), begun_at=after(0), credit=timedelta(hours=6))

    async def test_every_game_is_to_be_told_of_an_outage_and_no_other_table(self, stores: Stores):
        lonely = lobby("bbbb2222", channel_id=ChannelId(5))
        await put(stores, lobby(status=Status.PLAYING), timers=(timer(60),))
        await put(stores, lonely)
        await stores.work.credit(timedelta(minutes=3), after(180))
        outage = timer(180, NO_SEAT, kind=TimerKind.OUTAGE, moment=180)
        assert await stores.work.due_timers(after(180), MUCH) == [outage]
        assert await stores.events.timers_of(lonely.id) == []

    async def test_an_outage_that_was_not_told_yet_grows_by_the_next(self, stores: Stores):
        await put(stores, lobby(status=Status.PLAYING))
        await stores.work.credit(timedelta(minutes=3), after(180))
        await stores.work.credit(timedelta(minutes=2), after(300))
        (outage,) = await stores.events.timers_of(TABLE)
        assert (outage.kind, outage.moment, outage.due_at) == (TimerKind.OUTAGE, 300, after(180))

    async def test_the_last_heartbeat_is_remembered(self, stores: Stores):
        assert await stores.work.last_alive() is None
        await stores.work.beat(after(1))
        await stores.work.beat(after(31.5))
        assert await stores.work.last_alive() == after(31.5)

    async def test_a_timer_goes_with_the_move_that_it_made(self, stores: Stores):
        """A click and a timeout cannot both win: both are commits at the same version."""
        at = await put(stores, lobby(), timers=(timer(60),))
        await go_on(stores, at, lobby(), timers=())
        assert await stores.work.due_timers(after(99), MUCH) == []

    async def test_every_table_has_its_own_timers(self, stores: Stores):
        other = lobby("bbbb2222", channel_id=ChannelId(5))
        at = await put(stores, lobby(), timers=(timer(60),))
        await put(stores, other, timers=(timer(30, table_id=other.id),))
        await go_on(stores, at, lobby(), timers=())
        assert await stores.events.timers_of(TableId("bbbb2222")) == [
            replace(timer(30), table_id=other.id)
        ]
