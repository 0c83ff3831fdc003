"""What every store promises about commits (reliability.md 4, one move)."""

import asyncio
from dataclasses import replace

import pytest

from bot.rules.cards import Card, Seat
from bot.rules.commands import PlayedBy
from bot.rules.events import CardPlayed
from bot.table.errors import (
    ChannelBusyError,
    RepeatedClickError,
    UnknownTableError,
    VersionConflictError,
)
from bot.table.events import PostSurfaced, SeatLeft, SeatTaken, TableClosed
from bot.table.ids import ChannelId, Human, InteractionId, Robot, TableId, UserId
from bot.table.state import Status
from bot.table.storing import At, GameResult, SecretDeal
from tests.support.store import (
    CHANNEL,
    GUILD,
    HOST,
    START,
    Stores,
    cause,
    counts,
    followings,
    go_on,
    lobby,
    opening,
    put,
)

ANN, BEA = UserId(2**62 + 1), UserId(2**62 + 2)


class CommitContract:
    async def test_what_was_committed_is_loaded_as_it_was(self, stores: Stores):
        table = lobby()
        at = await put(stores, table, cause(iid=2**63 - 1))
        await go_on(stores, at, table, SeatTaken(Seat(1), Human(ANN)), why=cause(1, user_id=ANN))

        loaded = await stores.events.load(table.id)

        assert [entry.seq for entry in loaded] == [1, 2, 3]
        assert [entry.event for entry in loaded] == [
            *opening(table),
            SeatTaken(Seat(1), Human(ANN)),
        ]
        assert loaded[-1].cause == cause(1, user_id=ANN)

    async def test_of_several_events_the_first_has_the_interaction(self, stores: Stores):
        await put(stores, lobby(), cause(iid=7))
        loaded = await stores.events.load(lobby().id)
        assert [entry.cause.interaction_id for entry in loaded] == [7, None]

    async def test_a_table_that_nobody_opened_is_unknown(self, stores: Stores):
        with pytest.raises(UnknownTableError):
            await stores.events.load(TableId("nowhere0"))

    async def test_nothing_happened_is_no_commit(self, stores: Stores):
        with pytest.raises(ValueError, match="without events"):
            await stores.events.commit(At(lobby().id, 0), (), cause(), followings(lobby()))

    async def test_a_repeated_click_stores_nothing(self, stores: Stores):
        at = await put(stores, lobby(), cause(iid=7))
        before = await counts(stores)
        with pytest.raises(RepeatedClickError):
            await go_on(stores, at, lobby(), SeatLeft(Seat(0)), why=cause(1, iid=7))
        assert await counts(stores) == before

    async def test_a_click_repeated_at_an_old_version_is_a_repeat_and_no_conflict(
        self, stores: Stores
    ):
        at = await put(stores, lobby())
        await go_on(stores, at, lobby(), why=cause(1, iid=7))
        with pytest.raises(RepeatedClickError):
            await go_on(stores, at, lobby(), why=cause(1, iid=7))

    async def test_a_click_counts_once_among_all_tables(self, stores: Stores):
        await put(stores, lobby(), cause(iid=7))
        other = lobby("bbbb2222", channel_id=ChannelId(5))
        with pytest.raises(RepeatedClickError):
            await put(stores, other, cause(1, iid=7))

    async def test_a_known_interaction_is_known(self, stores: Stores):
        await put(stores, lobby(), cause(iid=7))
        assert await stores.events.is_known(InteractionId(7))
        assert not await stores.events.is_known(InteractionId(8))

    async def test_who_decided_on_an_old_version_stores_nothing(self, stores: Stores):
        at = await put(stores, lobby())
        await go_on(stores, at, lobby())
        before = await counts(stores)
        with pytest.raises(VersionConflictError):
            await go_on(stores, at, lobby(), notices=(), slots=("lobby", "deal:1"))
        assert await counts(stores) == before

    async def test_who_decided_on_a_version_that_is_not_there_stores_nothing(self, stores: Stores):
        at = await put(stores, lobby())
        with pytest.raises(VersionConflictError):
            await go_on(stores, replace(at, version=at.version + 1), lobby())
        with pytest.raises(VersionConflictError):
            await go_on(stores, At(TableId("nowhere0"), 3), lobby("nowhere0"))

    async def test_a_table_is_opened_once(self, stores: Stores):
        await put(stores, lobby())
        with pytest.raises(VersionConflictError):
            await put(stores, lobby(), cause(1))

    async def test_of_rival_moves_one_wins(self, stores: Stores):
        at = await put(stores, lobby())
        rivals = [go_on(stores, at, lobby(), why=cause(1, iid=n)) for n in range(20)]
        outcomes = await asyncio.gather(*rivals, return_exceptions=True)
        lost = [outcome for outcome in outcomes if isinstance(outcome, BaseException)]
        assert {type(error) for error in lost} == {VersionConflictError}
        assert len(lost) == 19
        assert len(await stores.events.load(at.table_id)) == at.version + 1

    async def test_the_same_click_in_twenty_processes_counts_once(self, stores: Stores):
        at = await put(stores, lobby())
        rivals = [go_on(stores, at, lobby(), why=cause(1, iid=9)) for _ in range(20)]
        outcomes = await asyncio.gather(*rivals, return_exceptions=True)
        lost = [outcome for outcome in outcomes if isinstance(outcome, BaseException)]
        assert {type(error) for error in lost} == {RepeatedClickError}
        assert len(lost) == 19

    async def test_a_channel_has_one_live_table(self, stores: Stores):
        await put(stores, lobby())
        with pytest.raises(ChannelBusyError) as refused:
            await put(stores, lobby("bbbb2222"))
        assert (refused.value.table_id, refused.value.channel_id) == ("aaaa1111", CHANNEL)
        with pytest.raises(UnknownTableError):
            await stores.events.load(TableId("bbbb2222"))

    async def test_of_tables_opened_in_one_channel_at_once_one_wins(self, stores: Stores):
        rivals = [put(stores, lobby(f"table{n:03}"), cause(iid=n)) for n in range(10)]
        outcomes = await asyncio.gather(*rivals, return_exceptions=True)
        lost = [outcome for outcome in outcomes if isinstance(outcome, BaseException)]
        assert {type(error) for error in lost} == {ChannelBusyError}
        assert len(lost) == 9

    @pytest.mark.parametrize("ended", [Status.OVER, Status.CLOSED])
    async def test_a_table_that_ended_frees_its_channel(self, stores: Stores, ended: Status):
        at = await put(stores, lobby())
        await go_on(stores, at, lobby(status=ended), TableClosed("host"))
        await put(stores, lobby("bbbb2222"), cause(1))

    async def test_a_paused_table_keeps_its_channel(self, stores: Stores):
        at = await put(stores, lobby())
        await go_on(stores, at, lobby(status=Status.PAUSED))
        with pytest.raises(ChannelBusyError):
            await put(stores, lobby("bbbb2222"), cause(1))

    async def test_a_person_has_one_seat_at_a_table(self, stores: Stores):
        """B34: the database itself refuses the second one, and all that came with it."""
        at = await put(stores, lobby())
        before = await counts(stores)
        twice = lobby(chairs=(Human(HOST), Human(HOST), None, None))
        with pytest.raises(Exception, match="seats"):
            await go_on(stores, at, twice, SeatTaken(Seat(1), Human(HOST)))
        assert await counts(stores) == before

    async def test_two_people_can_change_places(self, stores: Stores):
        there = lobby(chairs=(Human(ANN), Human(BEA), None, None))
        at = await put(stores, there)
        back = lobby(chairs=(Human(BEA), Human(ANN), None, None))
        await go_on(stores, at, back, SeatTaken(Seat(0), Human(BEA)))
        assert len(await stores.events.tables_of(ANN)) == 1

    async def test_robots_are_no_persons(self, stores: Stores):
        robots = lobby(chairs=(Human(HOST), Robot("steady"), Robot("steady"), Robot("steady")))
        await put(stores, robots)
        assert [row.table_id for row in await stores.events.tables_of(HOST)] == [robots.id]

    async def test_a_name_comes_with_the_click(self, stores: Stores):
        at = await put(stores, lobby(), cause(name="Ann"))
        await go_on(stores, at, lobby(), why=cause(1, name="Ann the Bold"))
        assert await stores.events.names(GUILD, [HOST, BEA]) == {HOST: "Ann the Bold"}

    async def test_seeds_and_results_come_with_their_events(self, stores: Stores):
        at = await put(stores, lobby())
        secret = SecretDeal(deal=1, seed=bytes(range(32)), commitment="c" * 64)
        results = tuple(
            GameResult(
                seat=Seat(seat),
                user_id=ANN if seat == 0 else None,
                family="standard",
                place=seat + 1,
                points=10 * seat,
                deals=4,
                moons=0,
                rated=False,
                low_wins=True,
            )
            for seat in range(4)
        )
        await go_on(stores, at, lobby(), secret_deals=(secret,), results=results)
        rows = await counts(stores)
        assert (rows["deals"], rows["results"]) == (1, 4)

    async def test_what_cannot_be_stored_whole_is_not_stored_at_all(self, stores: Stores):
        """The last thing to be written fails: everything before it is undone."""
        at = await put(stores, lobby())
        before = await counts(stores)
        twice = SecretDeal(deal=1, seed=bytes(32), commitment="c" * 64)
        with pytest.raises(Exception, match="deals"):
            await go_on(stores, at, lobby(), secret_deals=(twice, twice), slots=("lobby", "deal:1"))
        assert await counts(stores) == before

    async def test_a_cancelled_caller_leaves_a_whole_store(self, stores: Stores):
        """Each commit is stored whole or not at all, and the next one finds a free store."""
        at = await put(stores, lobby())
        moved = CardPlayed(Seat(0), Card.parse("QS"), PlayedBy.HAND)
        for turn in range(40):
            commit = asyncio.create_task(
                go_on(stores, at, lobby(), moved, PostSurfaced(), why=cause(1, iid=turn))
            )
            for _ in range(turn % 5):
                await asyncio.sleep(0)
            commit.cancel()
            await asyncio.gather(commit, return_exceptions=True)
            at = At(at.table_id, len(await stores.events.load(at.table_id)))
        # Wait for what cancelled callers left behind: as tasks, or in line before this heartbeat.
        left = asyncio.all_tasks() - {asyncio.current_task()}
        await asyncio.gather(*left, return_exceptions=True)
        await stores.work.beat(START)

        loaded = await stores.events.load(at.table_id)
        assert (await counts(stores))["versions"] == len(loaded)
        pairs = [entry.event for entry in loaded[2:]]
        assert pairs == [moved, PostSurfaced()] * (len(pairs) // 2)
