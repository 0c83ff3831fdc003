"""Several processes divide posts and timers by leases (reliability.md 4, "Several processes")."""

import asyncio
from datetime import timedelta

import pytest

from bot.table.ids import GuildId, MessageId
from bot.table.leases import LENGTH, Leases
from bot.table.publisher import Publisher
from bot.table.reach import Reach
from bot.table.shards import LeaseLostError, Shards, present_lease, shard_of, working_under
from bot.table.timekeeper import Timekeeper
from db.engine import StoreBusyError
from tests.support.clock import HandClock
from tests.support.leases import Holding, MemoryLeases
from tests.support.showing import ShownRoom
from tests.support.tables import ANN, BEA, GUILD

LONG = LENGTH.total_seconds()
HOUR = 3_600


class Processes:
    """Some that look at the same leases."""

    def __init__(self) -> None:
        self.clock = HandClock()
        self.store = MemoryLeases(self.clock)

    def another(self, owner: str, shards: Shards | None = None) -> Leases:
        return Leases(self.store, shards or Shards(), owner, self.clock)


@pytest.fixture
def processes() -> Processes:
    return Processes()


def shards_of(leases: Leases) -> list[int]:
    return [lease.shard for lease in leases.held()]


async def test_a_second_process_waits_and_says_so_once(processes, caplog):
    first, second = processes.another("first"), processes.another("second")
    for _ in range(3):
        await first.step()
        await second.step()
    assert (shards_of(first), shards_of(second)) == ([0], [])
    (line,) = [each.message for each in caplog.records if each.levelname == "WARNING"]
    assert "another process (first, of 1) posts and fires timers" in line


async def test_what_is_released_is_taken_at_the_next_look(processes):
    first, second = processes.another("first"), processes.another("second")
    await first.step()
    await first.release()
    await second.step()
    assert (shards_of(first), shards_of(second)) == ([], [0])


async def test_a_lease_is_renewed_three_times_in_its_length_and_so_lasts(processes):
    first, second = processes.another("first"), processes.another("second")
    await first.step()
    loops = [asyncio.create_task(each.run()) for each in (first, second)]
    await processes.clock.pass_time(10 * LONG)
    assert (shards_of(first), shards_of(second)) == ([0], [])
    loops[0].cancel()
    await processes.clock.pass_time(LONG + 2)
    assert (shards_of(first), shards_of(second)) == ([], [0])
    loops[1].cancel()


async def test_a_process_that_was_stopped_trusts_its_lease_no_more(processes, caplog):
    """It looks at its own clock first; the store would refuse what it writes in any case."""
    first, second = processes.another("first"), processes.another("second")
    await first.step()
    processes.clock.move(LONG)
    assert shards_of(first) == []
    await second.step()
    await first.step()
    assert (shards_of(first), shards_of(second)) == ([], [0])
    assert "has taken it over" in caplog.text


async def test_a_lease_that_nobody_took_over_meanwhile_goes_on(processes):
    first = processes.another("first")
    await first.step()
    processes.clock.move(10 * LONG)
    await first.step()
    assert [lease.epoch for lease in first.held()] == [1]


async def test_a_store_that_fails_is_asked_again(processes, caplog):
    first = processes.another("first")
    processes.store.failures.append(OSError("away"))
    await first.step()
    assert shards_of(first) == []
    await first.step()
    assert shards_of(first) == [0]
    processes.clock.move(LONG / 2)
    processes.store.failures.append(OSError("away"))
    await first.step()
    assert shards_of(first) == [0]
    assert caplog.text.count("could not be kept") == 2
    assert caplog.text.count("Traceback") == 2


async def test_a_store_that_is_busy_is_told_in_one_line(processes, caplog):
    """A disk that stays full is told each time, and a trace would bury what it says."""
    first = processes.another("first")
    processes.store.failures.append(StoreBusyError("disk is full"))
    await first.step()
    assert "could not be kept: disk is full" in caplog.text
    assert "Traceback" not in caplog.text


async def test_no_shard_always_comes_last(processes):
    leases = processes.another("first", Shards(4, (1, 2, 3)))
    await leases.step()
    assert [shards_of(leases)[0] for _ in range(6)] == [1, 2, 3, 1, 2, 3]
    assert leases.share == 0.75


def test_servers_are_divided_as_discord_does_it():
    """discord.md 2.8."""
    assert [shard_of(GuildId((n << 22) + 5), 3) for n in range(4)] == [0, 1, 2, 0]


async def test_what_is_begun_under_a_lease_is_its_work_and_nothing_else_is():
    lease = Holding.lease(1, 1)
    with working_under(lease):
        inside = asyncio.create_task(asyncio.sleep(0, present_lease()))
        with working_under(None):
            assert present_lease() is None
    assert present_lease() is None
    assert await inside == lease


class Shared(ShownRoom):
    """A room in which one of several processes posts and fires timers."""

    def __init__(self) -> None:
        super().__init__()
        self.leases = Holding(0)
        self.publisher = Publisher(
            self.memory,
            self.tables,
            self.persons,
            self.poster,
            self.clock,
            self.publisher._log,
            self.leases,
        )
        self.timekeeper = Timekeeper(self.memory, self.tables, self.clock, self.leases)
        self.reach = Reach(self.tables.servers, self.timekeeper, self.clock, self.leases)

    def too_late(self, monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
        """Have these writes find that another process has taken the work over."""

        async def refuse(*_args: object, **_more: object) -> None:
            assert present_lease() is not None, "work of a lease says so"
            raise LeaseLostError

        for name in names:
            monkeypatch.setattr(self.memory, name, refuse)


async def test_without_a_lease_nothing_is_posted_and_no_timer_fires():
    room = Shared()
    await room.started(ANN, clock="1h")
    room.leases.leases.clear()
    room.clock.move(3 * HOUR)
    await room.timekeeper.fire_due()
    await room.publisher.flush()
    assert (room.slots(), room.robots.asked) == ([], [])


async def test_with_it_they_are():
    """The control of the test above."""
    room = Shared()
    await room.started(ANN, clock="1h")
    await room.timekeeper.fire_due()
    room.clock.move(60)
    await room.timekeeper.fire_due()
    await room.publisher.flush()
    assert room.slots() == ["lobby", "deal:1"]
    assert room.robots.asked


async def test_a_post_that_came_too_late_is_looked_at_by_whoever_has_the_lease(monkeypatch):
    """A process that was stopped in its call may show an old state after the newest one."""
    room = Shared()
    table_id = (await room.open()).id
    await room.publisher.flush()
    (lease,) = room.leases.leases
    await room.tables.join(room.by(BEA), table_id)
    with monkeypatch.context() as late:
        room.too_late(late, "posted")
        await room.publisher.flush()
    assert room.leases.lost == [lease]
    (post,) = await room.memory.posts_behind(9)
    assert (post.message_id, post.digest) == (MessageId(1_000), None)


async def test_a_call_that_came_too_late_is_told_of_as_well(monkeypatch):
    room = Shared()
    await room.started(ANN, BEA, clock="1h")
    room.clock.move(60)
    told = []

    async def called_late(outgoing, sent):
        assert present_lease() is None, "it is true without a lease, too"
        told.append(sent.message_id)

    monkeypatch.setattr(room.memory, "called_late", called_late)
    room.too_late(monkeypatch, "ping_sent")
    await room.publisher.flush()
    assert told
    assert room.leases.leases == []


async def test_a_timer_that_fires_too_late_changes_nothing_and_is_not_put_off(monkeypatch):
    room = Shared()
    view = await room.started(ANN, clock="1h")
    await room.timekeeper.fire_due()
    before = await room.memory.timers_of(view.id)
    (lease,) = room.leases.leases
    room.too_late(monkeypatch, "commit", "put_off_timer")
    room.clock.move(60)
    await room.timekeeper._pass()
    assert room.leases.lost == [lease]
    assert await room.memory.timers_of(view.id) == before


async def test_each_lease_that_is_taken_over_gives_back_the_outage_before_it():
    room = Shared()
    view = await room.started(ANN, BEA, clock="24h")
    await room.timekeeper.credit_outage()
    room.leases.leases.clear()
    room.clock.move(5 * HOUR)
    room.leases.leases.append(Holding.lease(0, 3))
    for _ in range(2):
        await room.timekeeper._pass()
    after = await room.tables.view(view.id)
    moved = {after.deadlines[seat] - at for seat, at in view.deadlines.items()}
    assert moved == {timedelta(hours=5)}


async def test_who_takes_over_while_the_gateway_is_away_gives_back_all_of_it_once():
    room = Shared()
    view = await room.started(ANN, BEA, clock="24h")
    await room.timekeeper.credit_outage()
    room.leases.leases.clear()
    room.reach.lose(0)
    room.clock.move(3 * HOUR)
    room.leases.leases.append(Holding.lease(0, 3))
    await room.timekeeper._pass()
    room.clock.move(2 * HOUR)
    await room.reach.regain([GUILD], 0)
    for _ in range(2):
        await room.timekeeper._pass()
    after = await room.tables.view(view.id)
    moved = {after.deadlines[seat] - at for seat, at in view.deadlines.items()}
    assert moved == {timedelta(hours=5)}


async def test_the_gateway_of_one_shard_stops_no_clock_of_another():
    room = Shared()
    room.leases.leases.append(Holding.lease(1, 1))
    await room.timekeeper.credit_outage()
    await room.started(ANN, clock="1h")
    room.clock.move(60)
    room.reach.lose(1)
    assert room.reach.lost
    await room.timekeeper.fire_due()
    assert room.robots.asked


async def test_time_is_given_back_only_by_whoever_runs_the_clocks():
    room = Shared()
    view = await room.started(ANN, BEA, clock="24h")
    room.leases.leases.clear()
    room.reach.lose(0)
    room.clock.move(5 * HOUR)
    await room.reach.regain([GUILD], 0)
    assert (await room.tables.view(view.id)).deadlines == view.deadlines
    assert not room.reach.lost
