"""A table from its lobby to its result, as the edges see it."""

from datetime import timedelta

import pytest

from bot.rules.errors import HeartsError, RulesetError
from bot.rules.state import Phase
from bot.table.away import Vacation
from bot.table.errors import (
    NotOneOfUsError,
    NotSeatedError,
    TableFullError,
    TooManyInvitedError,
    UnknownTableError,
)
from bot.table.ids import Human, Robot, TableId
from bot.table.posting import LobbyPost, ResultPost
from bot.table.state import Status
from bot.table.storing import Cause, PersonSettings
from tests.support.rooms import room_on
from tests.support.tables import ANN, BEA, CYD, DAN, EVE, FOUR, GUILD, Room, chair_of, seat_of

ROBOT = Robot("steady")


@pytest.fixture
def room():
    return Room()


async def test_four_people_play_a_whole_deal_and_the_next_one_is_dealt(room):
    view = await room.started()
    after = await room.play_until(view.id, deals=1)
    assert sum(after.game.totals) in (26, 78)
    assert (after.game.phase, after.game.deal) == (Phase.PASSING, 2)
    assert [secret.deal for secret in room.memory.shelves[view.id].secrets] == [1, 2, 3]


async def test_a_game_ends_with_places_and_results_of_all_seats(room):
    view = await room.started(ANN, BEA)
    after = await room.play_until(view.id, deals=99)
    assert after.status is Status.OVER
    results = room.memory.shelves[view.id].results
    assert [result.user_id for result in results] == [ANN, None, None, BEA]
    assert [result.rated for result in results] == [True, False, False, True]
    assert max(result.points for result in results) >= 100
    post, _ = await room.tables.post(view.id, "result")
    assert isinstance(post, ResultPost)


async def test_a_manager_that_knows_nothing_yet_continues_any_game(room):
    view = await room.started()
    for deals in (1, 2):
        room.tables = room.another_manager()
        after = await room.play_until(view.id, deals=deals)
    assert len(after.game.scores) == 2


async def test_opening_seats_the_host_and_the_robots_wished_for(room):
    view = await room.open(robots=2, invited=(BEA,))
    assert view.chairs == (Human(ANN), ROBOT, ROBOT, None)
    assert (view.host, view.status, view.invited) == (ANN, Status.LOBBY, (BEA,))


async def test_robots_leave_chairs_for_the_people_invited(room):
    view = await room.open(robots=3, invited=(BEA, CYD))
    assert view.chairs == (Human(ANN), ROBOT, None, None)
    with pytest.raises(TableFullError):
        await room.tables.join(room.by(EVE), view.id)
    await room.tables.join(room.by(CYD), view.id)


async def test_more_people_cannot_be_invited_than_can_sit(room):
    with pytest.raises(TooManyInvitedError):
        await room.open(invited=(BEA, CYD, DAN, EVE))
    assert room.memory.shelves == {}


async def test_a_table_cannot_have_seats_its_rules_do_not_know(room):
    with pytest.raises(RulesetError):
        await room.open(seats=2)


async def test_opening_by_the_same_click_twice_opens_one_table(room):
    click = room.by(ANN)
    room.by = lambda _: click
    first = await room.open()
    assert await room.open() == first
    assert list(room.memory.shelves) == [first.id]


async def test_an_unknown_table_is_refused_in_words(room):
    nowhere = TableId("NOWHERE2")
    with pytest.raises(UnknownTableError):
        await room.tables.view(nowhere)
    with pytest.raises(UnknownTableError):
        await room.tables.leave(room.by(ANN), nowhere)


async def test_who_asks_as_nobody_is_refused(room):
    view = await room.open()
    with pytest.raises(NotOneOfUsError):
        await room.tables.join(Cause(room.clock.now()), view.id)


async def test_a_hand_is_shown_to_its_person_alone(room):
    view = await room.started()
    hands = [await room.tables.hand(view.id, person) for person in FOUR]
    assert len(frozenset().union(*(seat_of(hand).hand for hand in hands))) == 52
    with pytest.raises(NotSeatedError):
        await room.tables.hand(view.id, EVE)


async def test_a_lobby_has_no_hands_yet(room):
    view = await room.open()
    hand = await room.tables.hand(view.id, ANN)
    assert (hand.hand, hand.seat, hand.robot_sits_in) == (None, 0, False)


async def test_a_person_is_asked_once_more_if_that_was_chosen(room):
    view = await room.started()
    assert not (await room.tables.hand(view.id, ANN)).confirm_cards
    await room.settings.change_person(ANN, lambda _: PersonSettings(confirm_cards=True))
    assert (await room.tables.hand(view.id, ANN)).confirm_cards


async def test_names_are_those_that_people_had_when_they_last_clicked(room):
    view = await room.open(invited=(BEA,))
    assert view.names == {ANN: f"name of {ANN}"}
    await room.tables.join(Cause(room.clock.now(), BEA, name="Beatrix"), view.id)
    assert (await room.tables.view(view.id)).names[BEA] == "Beatrix"


async def test_deadlines_are_those_of_the_people_waited_for(room):
    view = await room.started(ANN, BEA, clock="1h")
    assert set(view.deadlines) == {0, 3}
    assert {(due - room.clock.now()).total_seconds() for due in view.deadlines.values()} == {3600}


async def test_at_a_table_without_a_clock_nobody_is_ever_late(room):
    view = await room.started(*FOUR, clock="off")
    assert view.deadlines == {}
    room.clock.move(30 * 24 * 3600)
    assert await room.fire_due() == []


async def test_lists_say_whose_turn_it_is(room):
    view = await room.started(ANN, BEA)
    lobby = await room.open(CYD, channel_id=12)
    (line,) = await room.tables.tables_of(ANN)
    assert (line.id, line.your_turn, line.deal) == (view.id, True, 1)
    await room.move(await room.tables.hand(view.id, ANN))
    (line,) = await room.tables.tables_of(ANN)
    assert not line.your_turn
    lines = {line.id: line for line in await room.tables.tables_in(GUILD)}
    assert set(lines) == {view.id, lobby.id}
    assert (lines[lobby.id].deal, lines[view.id].your_turn) == (0, False)


async def test_a_post_comes_with_the_version_that_it_shows(room):
    view = await room.open()
    post, version = await room.tables.post(view.id, "lobby")
    assert isinstance(post, LobbyPost)
    assert version == view.version == post.table.version


async def test_a_table_paused_and_resumed_gives_everybody_the_whole_time_again(room):
    view = await room.started(clock="1h")
    room.clock.move(3000)
    await room.tables.pause(view.id, "forbidden")
    assert (await room.tables.view(view.id)).deadlines == {}
    room.clock.move(9000)
    assert await room.fire_due() == []
    await room.tables.resume(view.id)
    after = await room.tables.view(view.id)
    assert {(due - room.clock.now()).total_seconds() for due in after.deadlines.values()} == {3600}


async def test_when_the_bot_leaves_a_server_its_tables_close_in_silence(room):
    here = await room.started(ANN, BEA)
    lobby = await room.open(CYD, channel_id=12)
    elsewhere = await room.open(DAN, channel_id=13, guild_id=2)
    await room.tables.servers.close(GUILD)
    closed = [room.memory.state(table_id).closed_because for table_id in (here.id, lobby.id)]
    assert closed == ["left_server", "left_server"]
    assert (await room.tables.view(elsewhere.id)).status is Status.LOBBY
    behind = await room.work.posts_behind(10)
    assert {pending.table_id for pending in behind} == {elsewhere.id}
    room.clock.move(60)
    assert await room.work.due_outbox(room.clock.now(), 10) == []


async def test_after_a_restart_on_a_real_store_everybody_sees_the_same(tmp_path):
    async with room_on("sqlite", tmp_path) as room:
        view = await room.started(ANN, BEA)
        await room.play_until(view.id, deals=1)
        again = room.another_manager()
        for person in (ANN, BEA):
            assert await again.hand(view.id, person) == await room.tables.hand(view.id, person)


async def test_pausing_a_paused_table_stores_nothing_more(room):
    view = await room.open()
    await room.tables.pause(view.id, "forbidden")
    version = (await room.tables.view(view.id)).version
    await room.tables.pause(view.id, "forbidden")
    assert (await room.tables.view(view.id)).version == version


def lose(room, table_id):
    """From now on a table cannot be read, and none is in memory."""
    load = room.memory.load

    async def unreadable(wanted):
        if wanted == table_id:
            raise HeartsError
        return await load(wanted)

    room.memory.load = unreadable
    room.tables = room.another_manager()


async def test_a_table_that_cannot_be_read_is_listed_and_left_alone(room, caplog):
    sound = await room.open()
    other = await room.open(BEA, channel_id=12)
    await room.tables.join(room.by(ANN), other.id)
    lose(room, other.id)
    lines = {line.id: line for line in await room.tables.tables_of(ANN)}
    assert (set(lines), lines[other.id].deal) == ({sound.id, other.id}, 0)
    await room.tables.servers.close(GUILD)
    assert room.memory.state(sound.id).status is Status.CLOSED
    assert room.memory.state(other.id).status is Status.LOBBY
    assert f"Table {other.id} is left as it is" in caplog.text


async def test_a_table_that_cannot_be_read_keeps_nobody_from_a_vacation_elsewhere(room, caplog):
    sound = await room.started(clock="24h")
    room.clock.move(1)
    other = await room.open(ANN, channel_id=12)
    lose(room, other.id)
    now = room.clock.now()
    vacation = Vacation(now, now + timedelta(days=3))
    room.settings.chosen[ANN] = PersonSettings(vacations=(vacation,))
    await room.tables.reckon_anew(ANN)
    after = await room.tables.view(sound.id)
    assert after.deadlines[chair_of(after, ANN)] == now + timedelta(days=4, seconds=-1)
    assert f"Table {other.id} is left as it is" in caplog.text


async def test_the_host_sends_a_robot_away_again(room):
    view = await room.open(robots=2)
    after = await room.tables.remove_robot(room.by(ANN), view.id)
    assert after.chairs == (Human(ANN), ROBOT, None, None)


async def test_names_are_read_once_for_each_version_of_a_table(room, monkeypatch):
    view = await room.started()
    asked, names = [], room.store.names

    async def counted(guild_id, user_ids):
        asked.append(guild_id)
        return await names(guild_id, user_ids)

    monkeypatch.setattr(room.store, "names", counted)
    for person in FOUR:
        await room.tables.hand(view.id, person)
    assert asked == []
    await room.move(await room.tables.hand(view.id, ANN))
    await room.tables.view(view.id)
    assert asked == [GUILD]


async def test_the_version_of_a_table_tells_that_something_happened(room):
    view = await room.started()
    assert await room.tables.version(view.id) == view.version
    await room.move(await room.tables.hand(view.id, ANN))
    assert await room.tables.version(view.id) == view.version + 1
