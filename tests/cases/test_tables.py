"""Known faults of other bots, as far as seats, lobbies, clicks and leaving go.

On the fake and on the real store alike.
"""

import asyncio

import pytest

from bot.rules import variants
from bot.rules.cards import sorted_cards
from bot.rules.errors import IllegalMoveError
from bot.rules.state import Phase
from bot.table.errors import (
    AlreadySeatedError,
    ChannelBusyError,
    NotSeatedError,
    StaleClickError,
    WrongPhaseError,
)
from bot.table.ids import Human, Robot
from bot.table.posting import LobbyPost, TrickPost
from bot.table.state import Status
from bot.table.storing import Cause
from tests.support.deals import house_rules
from tests.support.rooms import STORES, room_on
from tests.support.tables import ANN, BEA, CYD, DAN, EVE, FOUR, chair_of, seat_of

HOUR = 3600


@pytest.fixture(params=STORES)
async def room(request, tmp_path):
    async with room_on(request.param, tmp_path) as built:
        yield built


async def lead_wanted(room):
    """A game of four in its first trick, after the lead; the hand of the next to play."""
    view = await room.started(*FOUR)
    await room.everybody_passes(view.id)
    await room.move((await room.waited_for(view.id))[0])
    (hand,) = await room.waited_for(view.id)
    return hand


def kinds(answers):
    return [type(answer) for answer in answers if isinstance(answer, Exception)]


def sitting(view):
    return [chair.user_id for chair in view.chairs if isinstance(chair, Human)]


@pytest.mark.case("B04")
async def test_b04_a_click_in_one_game_never_changes_the_other(room):
    one = await room.started(*FOUR)
    other = await room.started(*FOUR, channel_id=12)
    before = await room.store.load(other.id)
    await room.everybody_passes(one.id)
    assert await room.store.load(other.id) == before


@pytest.mark.case("B12")
@pytest.mark.parametrize("same", [True, False], ids=["same card", "two cards"])
async def test_b12_a_fast_double_press_plays_one_card(room, same):
    hand = await lead_wanted(room)
    first, second, *_ = sorted_cards(seat_of(hand).choice.cards)
    answers = await asyncio.gather(
        room.lay(hand, first), room.lay(hand, first if same else second), return_exceptions=True
    )
    assert kinds(answers) == [IllegalMoveError]
    after = await room.tables.hand(hand.table.id, hand.user_id)
    assert len(seat_of(after).hand) == len(seat_of(hand).hand) - 1


@pytest.mark.case("B13")
async def test_b13_two_people_who_press_start_at_once_start_one_game(room):
    view = await room.open(robots=2)
    await room.tables.join(room.by(BEA), view.id)
    answers = await asyncio.gather(
        room.tables.start(room.by(ANN), view.id),
        room.tables.start(room.by(BEA), view.id),
        return_exceptions=True,
    )
    assert kinds(answers) == [WrongPhaseError]
    events = [type(entry.event).__name__ for entry in await room.store.load(view.id)]
    assert (events.count("GameStarted"), events.count("DealBegan")) == (1, 1)


@pytest.mark.case("B13")
async def test_b13_two_people_who_press_rematch_at_once_get_one_lobby(room):
    view = await room.started(*FOUR)
    await room.tables.end(room.by(ANN), view.id, moderator=False)
    answers = await asyncio.gather(
        room.tables.rematch(room.by(BEA), view.id), room.tables.rematch(room.by(CYD), view.id)
    )
    assert len({answer.id for answer in answers}) == 1
    after = await room.tables.view(answers[0].id)
    assert sorted(sitting(after)) == [BEA, CYD]


@pytest.mark.case("B13")
async def test_b13_adding_robots_twice_at_once_adds_two_and_no_more_than_fit(room):
    view = await room.open(robots=2)
    answers = await asyncio.gather(
        *(room.tables.add_robot(room.by(ANN), view.id) for _ in range(2)), return_exceptions=True
    )
    assert len(kinds(answers)) == 1
    assert (await room.tables.view(view.id)).chairs[1:] == (Robot("steady"),) * 3


@pytest.mark.case("B15")
async def test_b15_a_card_button_of_an_earlier_deal_plays_nothing(room):
    view = await room.started(ANN)
    await room.play_until(view.id, deals=1)
    await room.everybody_passes(view.id)
    (hand,) = await room.waited_for(view.id)
    card = sorted_cards(seat_of(hand).choice.cards)[0]
    with pytest.raises(StaleClickError):
        await room.tables.play(room.by(ANN), view.id, card, seen_turn=13)


@pytest.mark.case("B15")
async def test_b15_a_button_of_a_finished_game_says_so_and_plays_nothing(room):
    hand = await lead_wanted(room)
    await room.tables.end(room.by(ANN), hand.table.id, moderator=False)
    version = (await room.tables.view(hand.table.id)).version
    with pytest.raises(WrongPhaseError):
        await room.move(hand)
    assert (await room.tables.view(hand.table.id)).version == version


@pytest.mark.case("B15")
async def test_b15_somebody_elses_button_plays_nothing(room):
    hand = await lead_wanted(room)
    table_id, card = hand.table.id, sorted_cards(seat_of(hand).choice.cards)[0]
    neighbour = next(person for person in FOUR if person != hand.user_id)
    with pytest.raises(IllegalMoveError):
        await room.tables.play(room.by(neighbour), table_id, card, seen_turn=1)
    with pytest.raises(NotSeatedError):
        await room.tables.play(room.by(EVE), table_id, card, seen_turn=1)


@pytest.mark.case("B34")
async def test_b34_nobody_ever_has_two_seats(room):
    view = await room.open()
    answers = await asyncio.gather(
        *(room.tables.join(room.by(BEA), view.id) for _ in range(3)), return_exceptions=True
    )
    assert kinds(answers) == [AlreadySeatedError] * 2
    await room.tables.leave(room.by(BEA), view.id)
    await room.tables.join(room.by(BEA), view.id)
    assert sitting(await room.tables.view(view.id)) == [ANN, BEA]


@pytest.mark.case("B35")
async def test_b35_a_second_table_in_a_channel_is_refused_and_names_the_first(room):
    first = await room.started(*FOUR)
    before = await room.store.load(first.id)
    with pytest.raises(ChannelBusyError) as refused:
        await room.open(EVE)
    assert refused.value.table_id == first.id
    assert await room.store.load(first.id) == before
    assert [line.id for line in await room.tables.tables_in(first.guild_id)] == [first.id]


@pytest.mark.case("B35")
async def test_b35_two_who_open_a_table_at_once_get_one(room):
    answers = await asyncio.gather(room.open(ANN), room.open(BEA), return_exceptions=True)
    assert kinds(answers) == [ChannelBusyError]


@pytest.mark.case("B37")
async def test_b37_an_idle_lobby_closes_and_frees_its_channel(room):
    view = await room.open()
    room.clock.move(2 * HOUR)
    await room.fire_due()
    assert (await room.tables.view(view.id)).status is Status.CLOSED
    post, _ = await room.tables.post(view.id, "lobby")
    assert isinstance(post, LobbyPost)
    assert not post.live
    await room.open(BEA)


@pytest.mark.case("B37")
async def test_b37_a_join_gives_a_lobby_its_whole_time_again(room):
    view = await room.open()
    room.clock.move(2 * HOUR - 60)
    await room.tables.join(room.by(BEA), view.id)
    room.clock.move(2 * HOUR - 60)
    assert await room.fire_due() == []
    room.clock.move(60)
    await room.fire_due()
    assert (await room.tables.view(view.id)).status is Status.CLOSED


@pytest.mark.case("B41")
async def test_b41_a_new_name_changes_nothing_but_the_name(room):
    view = await room.started(*FOUR)
    hand = await room.tables.hand(view.id, BEA)
    cards = frozenset(sorted_cards(seat_of(hand).hand)[:3])
    renamed = Cause(room.clock.now(), BEA, room.by(BEA).interaction_id, "@everyone")
    after = await room.tables.pass_cards(renamed, view.id, cards, seen_deal=1)
    assert (after.seat, seat_of(after).given) == (hand.seat, cards)
    assert after.table.chairs == view.chairs
    assert after.table.names[BEA] == "@everyone"


@pytest.mark.case("B44")
@pytest.mark.parametrize("preset", variants.names())
async def test_b44_the_game_played_is_the_preset_that_was_chosen(room, preset):
    ruleset = variants.load(preset)
    seats = ruleset.default_players
    lobby = await room.open(seats=seats, robots=seats - 1, ruleset=ruleset)
    post, _ = await room.tables.post(lobby.id, "lobby")
    await room.tables.start(room.by(ANN), lobby.id)
    running = await room.another_manager().view(lobby.id)
    assert post.table.ruleset == running.ruleset == running.game.ruleset == ruleset


@pytest.mark.case("B45")
async def test_b45_a_running_game_keeps_the_rules_it_began_with(room):
    before, after = variants.load("standard"), house_rules(end={"target": 50})
    view = await room.started(*FOUR, ruleset=before)
    other = await room.started(EVE, channel_id=12, ruleset=after)
    again = room.another_manager()
    assert (await again.view(view.id)).game.ruleset == before
    assert (await again.view(other.id)).game.ruleset == after != before


@pytest.mark.case("B48")
async def test_b48_when_all_people_vanish_the_channel_becomes_free(room):
    view = await room.started(*FOUR, clock="1h")
    for _ in range(8):
        room.clock.move(HOUR)
        await room.fire_due()
    room.clock.move(72 * HOUR)
    await room.fire_due()
    assert (await room.tables.view(view.id)).status is Status.CLOSED
    await room.open(EVE)


@pytest.mark.case("B49")
@pytest.mark.case("B50")
async def test_b49_b50_when_the_last_to_pass_leaves_a_robot_passes_and_play_begins(room):
    view = await room.started(*FOUR)
    for person in (ANN, BEA, CYD):
        await room.move(await room.tables.hand(view.id, person))
    await room.tables.leave(room.by(DAN), view.id)
    room.clock.move(1)
    await room.fire_due()
    after = await room.tables.view(view.id)
    assert after.game.phase is Phase.PLAYING


@pytest.mark.case("B54")
async def test_b54_without_a_clock_a_game_waits_for_thirty_days(room):
    view = await room.started(*FOUR, clock="off")
    room.clock.move(30 * 24 * HOUR)
    assert await room.fire_due() == []
    await room.everybody_passes(view.id)
    assert (await room.tables.view(view.id)).game.phase is Phase.PLAYING


@pytest.mark.case("B62")
async def test_b62_a_robot_moves_once_for_a_late_person_and_sits_in_after_two_moves_in_a_row(room):
    view = await room.started(*FOUR, clock="1h")
    room.clock.move(HOUR)
    await room.fire_due()
    once = await room.tables.view(view.id)
    assert all(once.game.passed)
    assert once.chairs == tuple(map(Human, FOUR))
    (hand,) = await room.waited_for(view.id)
    room.clock.move(HOUR)
    await room.fire_due()
    after = await room.tables.view(view.id)
    assert after.chairs[hand.seat] == Robot("steady", keeps_for=hand.user_id)
    post, _ = await room.tables.post(view.id, "trick:1")
    assert isinstance(post, TrickPost)
    assert post.by_clock == {play.card for play in post.trick.plays}
    assert (await room.tables.hand(view.id, hand.user_id)).robot_sits_in
    await room.tables.take_seat_back(room.by(hand.user_id), view.id)
    assert chair_of(await room.tables.view(view.id), hand.user_id) == hand.seat
