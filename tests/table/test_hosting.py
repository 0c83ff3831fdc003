"""Limits, rematches and what happens when two people want the same at once."""

import asyncio
from dataclasses import replace

import pytest

from bot.rules.errors import RulesetError
from bot.table.clocks import move_clock
from bot.table.errors import (
    AlreadySeatedError,
    ChannelBusyError,
    NotOneOfUsError,
    RematchGoneError,
    TableFullError,
    TooManyTablesError,
    WrongPhaseError,
)
from bot.table.ids import ChannelId, GuildId, Human, Robot, TableId, UserId, rematch_id
from bot.table.limits import TABLES_A_PERSON, TABLES_A_SERVER
from bot.table.opening import OpenTable
from bot.table.state import Status
from tests.support.clock import breathe
from tests.support.deals import STANDARD
from tests.support.tables import ANN, BEA, CYD, DAN, EVE, FOUR, Room


@pytest.fixture
def room():
    return Room()


async def ended(room, *people):
    view = await room.started(*people)
    await room.tables.end(room.by(ANN), view.id, moderator=False)
    return view


async def fill_up(room, person, *, but=0):
    numbers = range(TABLES_A_PERSON - but)
    return [await room.open(person, channel_id=100 + number) for number in numbers]


def wish(**changes):
    plain = OpenTable(
        guild_id=GuildId(1),
        channel_id=ChannelId(7),
        ruleset=STANDARD,
        seats=4,
        clock=move_clock("24h"),
        robots=(),
        invited=(),
    )
    return replace(plain, **changes)


async def test_a_person_sits_at_ten_tables_and_no_more(room):
    await fill_up(room, ANN)
    other = await room.open(BEA, channel_id=1)
    with pytest.raises(TooManyTablesError) as refused:
        await room.tables.join(room.by(ANN), other.id)
    assert "10 tables" in str(refused.value.sentence)
    with pytest.raises(TooManyTablesError):
        await room.open(ANN, channel_id=2)


async def test_a_table_left_to_a_robot_no_longer_counts(room):
    game = await room.started(ANN, BEA, channel_id=99)
    for number in range(TABLES_A_PERSON - 1):
        await room.open(ANN, channel_id=100 + number)
    with pytest.raises(TooManyTablesError):
        await room.open(ANN, channel_id=2)
    await room.tables.leave(room.by(ANN), game.id)
    await room.open(ANN, channel_id=2)


async def test_at_the_limit_one_still_hears_that_one_sits_there_already(room):
    first, *_ = await fill_up(room, ANN)
    with pytest.raises(AlreadySeatedError):
        await room.tables.join(room.by(ANN), first.id)


async def test_a_server_has_fifty_tables_and_no_more_whoever_asks_at_once(room):
    answers = await asyncio.gather(
        *(
            room.open(UserId(1000 + number), channel_id=100 + number)
            for number in range(TABLES_A_SERVER + 2)
        ),
        return_exceptions=True,
    )
    refused = [answer for answer in answers if isinstance(answer, TooManyTablesError)]
    assert (len(refused), len(room.memory.shelves)) == (2, TABLES_A_SERVER)
    await room.open(ANN, channel_id=1, guild_id=2)


async def test_a_rematch_has_the_same_people_robots_and_rules(room):
    before = await ended(room, ANN, BEA)
    again = await room.tables.rematch(room.by(BEA), before.id)
    assert again.status is Status.LOBBY
    assert (again.host, again.invited) == (BEA, (ANN,))
    assert again.chairs == (Human(BEA), Robot("steady"), Robot("steady"), None)
    assert (again.ruleset, again.clock) == (before.ruleset, before.clock)
    await room.tables.join(room.by(ANN), again.id)
    assert (await room.tables.start(room.by(ANN), again.id)).status is Status.PLAYING


async def test_people_whose_seats_robots_kept_are_invited_again(room):
    view = await room.started(ANN, BEA)
    await room.tables.leave(room.by(BEA), view.id)
    await room.tables.end(room.by(ANN), view.id, moderator=False)
    again = await room.tables.rematch(room.by(BEA), view.id)
    assert (again.host, again.invited) == (BEA, (ANN,))


async def test_two_people_who_want_a_rematch_at_once_sit_in_the_same_one(room):
    before = await ended(room, *FOUR)
    views = await asyncio.gather(
        room.tables.rematch(room.by(CYD), before.id), room.tables.rematch(room.by(DAN), before.id)
    )
    assert {view.id for view in views} == {rematch_id(before.id)}
    after = await room.tables.view(rematch_id(before.id))
    assert after.chairs == (Human(CYD), Human(DAN), None, None)
    assert len(room.memory.shelves) == 2


async def test_two_processes_open_one_rematch(room):
    before = await ended(room, *FOUR)
    other = room.another_manager()
    room.memory.gate.clear()
    one = asyncio.create_task(room.tables.rematch(room.by(CYD), before.id))
    two = asyncio.create_task(other.rematch(room.by(DAN), before.id))
    await breathe()  # both have seen that there is none, and are about to open it
    room.memory.gate.set()
    assert {(await one).id, (await two).id} == {rematch_id(before.id)}
    after = await other.view(rematch_id(before.id))
    assert after.chairs == (Human(CYD), Human(DAN), None, None)
    assert len(room.memory.shelves) == 2


async def test_pressing_rematch_twice_shows_the_lobby_again(room):
    before = await ended(room, *FOUR)
    first = await room.tables.rematch(room.by(CYD), before.id)
    assert await room.tables.rematch(room.by(CYD), before.id) == first


async def test_a_rematch_that_began_or_ended_is_gone(room):
    before = await ended(room, ANN, BEA)
    again = await room.tables.rematch(room.by(BEA), before.id)
    await room.tables.end(room.by(BEA), again.id, moderator=False)
    with pytest.raises(RematchGoneError):
        await room.tables.rematch(room.by(ANN), before.id)


async def test_only_people_of_the_table_want_a_rematch(room):
    before = await ended(room, ANN, BEA)
    with pytest.raises(NotOneOfUsError):
        await room.tables.rematch(room.by(EVE), before.id)


async def test_there_is_no_rematch_before_the_end(room):
    view = await room.started()
    with pytest.raises(WrongPhaseError):
        await room.tables.rematch(room.by(ANN), view.id)


async def test_a_rematch_waits_for_a_channel_that_others_took_meanwhile(room):
    before = await ended(room, *FOUR)
    await room.open(EVE)
    with pytest.raises(ChannelBusyError):
        await room.tables.rematch(room.by(ANN), before.id)


async def test_a_rematch_of_a_rematch_is_another_table(room):
    first = TableId("TABLE234")
    chain = [first, rematch_id(first), rematch_id(rematch_id(first))]
    assert len(set(chain)) == 3
    assert all(len(table_id) == 8 and table_id.isalnum() for table_id in chain)


async def test_the_last_chair_goes_to_one_of_two_who_join_at_once(room):
    view = await room.open(robots=2)
    answers = await asyncio.gather(
        room.tables.join(room.by(BEA), view.id),
        room.tables.join(room.by(CYD), view.id),
        return_exceptions=True,
    )
    assert sum(isinstance(answer, TableFullError) for answer in answers) == 1


async def test_a_click_that_comes_again_finds_its_table_wherever_it_stands(room):
    """The first delivery opened a thread for it; the second has another place in mind."""
    click = room.by(ANN)
    first = await room.tables.open(click, wish(channel_id=7))
    again = await room.tables.open(click, wish(channel_id=8))
    assert (again.id, again.channel_id) == (first.id, 7)
    assert len(room.memory.shelves) == 1


async def test_a_click_that_comes_again_is_not_refused_for_the_table_that_it_opened(room):
    await fill_up(room, ANN, but=1)
    click = room.by(ANN)
    first = await room.tables.open(click, wish(channel_id=7))
    assert (await room.tables.open(click, wish(channel_id=8))).id == first.id


async def test_whether_a_table_would_be_opened_is_known_before(room):
    click = room.by(ANN)
    assert await room.tables.would_open(click, wish(channel_id=7))
    await room.tables.open(click, wish(channel_id=7))
    assert not await room.tables.would_open(click, wish(channel_id=8))  # the same click once more
    with pytest.raises(RulesetError):
        await room.tables.would_open(room.by(ANN), replace(wish(), seats=17))
    await fill_up(room, ANN, but=1)
    with pytest.raises(TooManyTablesError):
        await room.tables.would_open(room.by(ANN), wish(channel_id=9))


async def test_only_the_first_to_want_a_rematch_would_open_one(room):
    before = await ended(room, *FOUR)
    assert await room.tables.would_open(room.by(ANN), before.id)
    again = await room.tables.rematch(room.by(ANN), before.id, ChannelId(99))
    assert again.channel_id == 99
    assert not await room.tables.would_open(room.by(BEA), before.id)
    with pytest.raises(NotOneOfUsError):
        await room.tables.would_open(room.by(EVE), before.id)
