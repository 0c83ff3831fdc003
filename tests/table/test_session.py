"""One turn at a time: decide, store, believe, show (house.md 4.4, reliability.md 4)."""

import asyncio
import logging
from dataclasses import replace

import pytest

from bot.rules.errors import IllegalMoveError
from bot.table import commands
from bot.table.errors import (
    AlreadySeatedError,
    ChannelBusyError,
    StaleClickError,
    VersionConflictError,
    WrongPhaseError,
)
from bot.table.session import is_set
from bot.table.state import Status
from bot.table.storing import Cause, TimerKind
from tests.support.clock import breathe
from tests.support.tables import ANN, BEA, CYD, DAN, FOUR, Room, first_move, seat_of


@pytest.fixture
def room():
    return Room()


async def lobby(room):
    return (await room.open()).id


def stored(room, table_id):
    return [type(entry.event).__name__ for entry in room.memory.shelves[table_id].events]


async def test_a_change_is_on_disk_before_anybody_hears_of_it(room):
    table_id = await lobby(room)
    heard = []
    room.tables.listen(lambda told: heard.append((told, len(room.memory.shelves[told].events))))
    await room.tables.join(room.by(BEA), table_id)
    assert heard == [(table_id, 3)]


async def test_a_refusal_stores_nothing_and_tells_nobody(room):
    table_id = await lobby(room)
    room.changed.clear()
    with pytest.raises(AlreadySeatedError):
        await room.tables.join(room.by(ANN), table_id)
    assert (room.memory.commits, room.changed) == (1, [])


async def test_a_listener_that_fails_disturbs_neither_the_move_nor_the_others(room, caplog):
    table_id = await lobby(room)

    def fails(_):
        raise RuntimeError

    room.tables.listen(fails)
    room.tables.listen(room.changed.append)
    room.changed.clear()
    view = await room.tables.join(room.by(BEA), table_id)
    assert view.version == 3
    assert room.changed == [table_id, table_id]
    assert "could not be told" in caplog.text


async def test_turns_are_taken_in_the_order_in_which_they_came(room):
    table_id = await lobby(room)
    people = (BEA, CYD, DAN)
    await asyncio.gather(*(room.tables.join(room.by(person), table_id) for person in people))
    view = await room.tables.view(table_id)
    assert [chair.user_id for chair in view.chairs] == [ANN, *people]


async def test_a_caller_that_gives_up_does_not_free_the_turnstile(room):
    table_id = await lobby(room)
    room.memory.gate.clear()
    gives_up = asyncio.create_task(room.tables.join(room.by(BEA), table_id))
    await breathe()
    gives_up.cancel()
    comes_next = asyncio.create_task(room.tables.join(room.by(CYD), table_id))
    await breathe()
    assert stored(room, table_id) == ["TableOpened", "SeatTaken"]
    room.memory.gate.set()
    view = await comes_next
    assert [chair and chair.user_id for chair in view.chairs] == [ANN, BEA, CYD, None]


async def test_a_caller_that_times_out_has_moved_all_the_same(room):
    table_id = await lobby(room)
    room.memory.gate.clear()
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(room.tables.join(room.by(BEA), table_id), timeout=0.001)
    room.memory.gate.set()
    await breathe()
    assert stored(room, table_id)[-1] == "SeatTaken"
    assert (await room.tables.view(table_id)).version == 3


async def test_the_same_click_twice_is_answered_with_the_present_state(room):
    table_id = await lobby(room)
    click = room.by(BEA)
    first = await room.tables.join(click, table_id)
    again = await room.tables.join(click, table_id)
    assert again == first
    assert room.memory.commits == 2


async def test_the_same_click_at_the_same_moment_counts_once(room):
    table_id = await lobby(room)
    click = room.by(ANN)
    views = await asyncio.gather(
        room.tables.add_robot(click, table_id), room.tables.add_robot(click, table_id)
    )
    assert [view.version for view in views] == [3, 3]


async def test_a_repeated_card_is_no_fault_though_the_hand_no_longer_holds_it(room):
    view = await room.started(*FOUR)
    await room.everybody_passes(view.id)
    (hand,) = await room.waited_for(view.id)
    card = first_move(seat_of(hand)).card
    click = room.by(hand.user_id)
    first = await room.tables.play(click, view.id, card, seen_turn=1)
    again = await room.tables.play(click, view.id, card, seen_turn=1)
    assert again == first


async def test_a_known_click_of_another_process_shows_what_that_process_stored(room):
    table_id = await lobby(room)
    other = room.another_manager()
    await other.view(table_id)
    click = room.by(BEA)
    await room.tables.join(click, table_id)
    assert (await other.join(click, table_id)).version == 3


async def test_who_comes_second_to_the_store_reads_it_and_decides_once_more(room):
    table_id = await lobby(room)
    other = room.another_manager()
    await other.view(table_id)
    await room.tables.join(room.by(BEA), table_id)
    view = await other.join(room.by(CYD), table_id)
    assert [chair and chair.user_id for chair in view.chairs] == [ANN, BEA, CYD, None]


async def test_what_is_no_longer_allowed_after_reading_again_is_refused(room):
    table_id = await lobby(room)
    other = room.another_manager()
    await other.view(table_id)
    await room.tables.join(room.by(BEA), table_id)
    with pytest.raises(AlreadySeatedError):
        await other.join(room.by(BEA), table_id)


async def test_what_another_process_did_is_seen_at_the_next_look(room):
    """A click in a direct message reaches another process than the table's (discord.md 2.8)."""
    table_id = await lobby(room)
    other = room.another_manager()
    told = []
    other.listen(told.append)
    await other.view(table_id)
    await room.tables.join(room.by(BEA), table_id)
    assert (await other.view(table_id)).chairs[1].user_id == BEA
    assert told == [table_id]


async def test_what_is_refused_by_what_is_past_is_decided_by_what_is_true(room, monkeypatch):
    table_id = await lobby(room)
    other = room.another_manager()
    await room.tables.join(room.by(BEA), table_id)
    await other.view(table_id)
    await room.tables.leave(room.by(BEA), table_id)
    looks = [True]  # the other process was faster only right after the look

    async def is_current(at):
        return looks.pop() if looks else at == await room.memory.at(table_id)

    monkeypatch.setattr(room.memory, "is_current", is_current)
    view = await other.join(room.by(BEA), table_id)
    assert view.chairs[1].user_id == BEA


async def test_who_loses_again_and_again_is_told_in_words(room):
    table_id = await lobby(room)
    room.memory.fail_before += [VersionConflictError() for _ in range(4)]
    with pytest.raises(VersionConflictError) as refused:
        await room.tables.join(room.by(BEA), table_id)
    assert "faster" in str(refused.value.sentence)
    assert (await room.tables.join(room.by(BEA), table_id)).version == 3


async def test_what_a_failing_store_stored_all_the_same_is_found_again(room, caplog):
    table_id = await lobby(room)
    room.memory.fail_after.append(OSError("the answer was lost"))
    with pytest.raises(OSError, match="lost"):
        await room.tables.join(room.by(BEA), table_id)
    view = await room.tables.view(table_id)
    assert (view.version, view.chairs[1].user_id) == (3, BEA)
    assert "a turn failed" in caplog.text


async def test_what_a_failing_store_did_not_store_is_not_believed(room, caplog):
    table_id = await lobby(room)
    room.memory.fail_before.append(OSError("no space left"))
    with pytest.raises(OSError, match="space"):
        await room.tables.join(room.by(BEA), table_id)
    assert (await room.tables.view(table_id)).version == 2
    assert (await room.tables.join(room.by(BEA), table_id)).version == 3


async def test_a_failure_whose_caller_is_gone_is_in_the_log(room, caplog):
    table_id = await lobby(room)
    room.memory.gate.clear()
    room.memory.fail_before.append(OSError("no space left"))
    gone = asyncio.create_task(room.tables.join(room.by(BEA), table_id))
    await breathe()
    gone.cancel()
    room.memory.gate.set()
    with caplog.at_level(logging.ERROR):
        await breathe()
    assert "no space left" in caplog.text


async def test_two_different_cards_of_one_person_at_once_lay_down_one(room):
    view = await room.started(*FOUR)
    await room.everybody_passes(view.id)
    await room.move((await room.waited_for(view.id))[0])
    (hand,) = await room.waited_for(view.id)
    one, other, *_ = seat_of(hand).choice.cards
    answers = await asyncio.gather(
        room.lay(hand, one), room.lay(hand, other), return_exceptions=True
    )
    refusals = [answer for answer in answers if isinstance(answer, Exception)]
    assert [type(refusal) for refusal in refusals] == [IllegalMoveError]
    after = await room.tables.view(view.id)
    assert len(after.game.trick.plays) == 2


async def test_the_last_card_of_a_deal_brings_its_score_and_the_next_deal_in_one_commit(room):
    view = await room.started(*FOUR)
    await room.play_until(view.id, deals=1)
    told = ["CardPlayed", "DealScored", "DealRevealed", "DealBegan", "DealSealed"]
    assert stored(room, view.id)[-5:] == told
    last = room.memory.shelves[view.id].events[-5:]
    assert [entry.cause.interaction_id is None for entry in last] == [False] + [True] * 4


async def test_a_channel_that_is_busy_leaves_no_trace_of_the_second_table(room):
    first = await room.open()
    with pytest.raises(ChannelBusyError) as refused:
        await room.open(BEA)
    assert refused.value.table_id == first.id
    assert list(room.memory.shelves) == [first.id]


async def test_a_timer_that_a_join_has_set_anew_closes_nothing(room):
    table_id = await lobby(room)
    (old,) = await room.store.timers_of(table_id)
    room.clock.move(60)
    await room.tables.join(room.by(BEA), table_id)
    room.clock.move(2 * 3600)
    await room.tables.fire(old)
    assert (await room.tables.view(table_id)).status is Status.LOBBY
    await room.fire_due()
    assert room.memory.state(table_id).closed_because == "idle"


async def test_a_timer_that_comes_back_from_the_store_a_little_coarser_is_still_set(room):
    table_id = await lobby(room)
    room.clock.move(0.0001234)
    await room.tables.join(room.by(BEA), table_id)
    session = await room.tables._sessions.find(table_id)
    belief = await session.believe()
    (mine,) = belief.timers
    coarse = replace(mine, due_at=mine.due_at.replace(microsecond=0))
    assert is_set(belief, coarse)
    assert not is_set(belief, replace(coarse, kind=TimerKind.ABANDONED))


async def test_a_move_that_a_timer_asks_for_is_dropped_when_the_timer_is_gone(room):
    table_id = await lobby(room)
    session = await room.tables._sessions.find(table_id)
    (timer,) = (await session.believe()).timers
    await room.tables.surface(room.by(ANN), table_id)
    earlier = replace(timer, moment=7)
    with pytest.raises(StaleClickError):
        await session.submit(commands.Close("idle"), Cause(at=room.clock.now()), timer=earlier)


async def test_two_starts_at_once_start_one_game(room):
    view = await room.open(robots=3)
    answers = await asyncio.gather(
        room.tables.start(room.by(ANN), view.id),
        room.tables.start(room.by(ANN), view.id),
        return_exceptions=True,
    )
    assert sum(isinstance(answer, WrongPhaseError) for answer in answers) == 1
    assert stored(room, view.id).count("GameStarted") == 1
