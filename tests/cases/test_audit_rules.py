"""Hearts at a table and in the hand: rows B115, B125 and B126 of the known cases."""

import random

import pytest

from bot.rules.cards import Card, Suit, sorted_cards
from bot.rules.dimensions import MoonPayoff
from bot.rules.errors import IllegalMoveError
from bot.rules.state import Phase
from bot.table.posting import SheetPost
from bot.table.robots import Robots
from cogs.ui import ids
from cogs.ui.hand import render_hand
from tests.support.deals import house_rules
from tests.support.fakes import CountedSeeds
from tests.support.looks import buttons, hand_of, states
from tests.support.rooms import STORES, room_on
from tests.support.tables import ANN, FOUR, first_move, seat_of


@pytest.fixture(params=STORES)
async def room(request, tmp_path):
    async with room_on(request.param, tmp_path) as built:
        yield built


@pytest.mark.case("B115")
@pytest.mark.parametrize(
    ("target", "payoff", "own", "others"),
    [(100, MoonPayoff.SUBTRACT_SELF, -26, 0), (26, MoonPayoff.ADD_OTHERS, 0, 26)],
    ids=["goes on", "wins at once"],
)
async def test_b115_a_choice_that_times_out_never_loses_and_stands_in_the_sheet(
    room, target, payoff, own, others
):
    """Made by those who really sit in for the late."""
    rules = house_rules(
        points={"QS": 13, "H*": 0}, moon={"payoff": "shooter_choice"}, end={"target": target}
    )
    room.robots = Robots(CountedSeeds())
    room.tables = room.another_manager()
    view = await room.started(*FOUR, ruleset=rules, clock="1h")
    while (game := (await room.tables.view(view.id)).game).phase is not Phase.MOON_CHOICE:
        for hand in await room.waited_for(view.id):
            await room.move(hand)
    [shooter] = game.waiting
    room.clock.move(3_600)
    await room.fire_due()
    post, _ = await room.tables.post(view.id, "sheet:1")
    assert isinstance(post, SheetPost)
    assert (post.score.moon.seats, post.score.moon.payoff) == ((shooter,), payoff)
    assert post.score.totals == tuple(own if seat == shooter else others for seat in range(4))


@pytest.mark.case("B126")
async def test_b126_a_pass_may_be_changed_until_all_have_chosen_and_the_last_choice_counts(room):
    view = await room.started(*FOUR)
    hand = await room.tables.hand(view.id, ANN)
    held = sorted_cards(seat_of(hand).hand)
    for cards in (held[:3], held[3:6], held[6:9]):
        after = await room.give(hand, frozenset(cards))
        assert seat_of(after).given == frozenset(cards)
        assert seat_of(after).hand == frozenset(held)
    for other in (await room.waited_for(view.id))[:3]:
        await room.move(other)
    after = seat_of(await room.tables.hand(view.id, ANN))
    assert after.hand == frozenset(held) - frozenset(held[6:9]) | after.received
    assert len(after.received) == 3
    with pytest.raises(IllegalMoveError):
        await room.give(hand, frozenset(held[:3]))


@pytest.mark.case("B126")
async def test_b126_received_cards_are_known_until_the_first_play_also_after_a_restart(room):
    view = await room.started(*FOUR)
    passed = {}
    for hand in await room.waited_for(view.id):
        passed[hand.seat] = first_move(seat_of(hand)).cards
        await room.move(hand)
    room.tables = room.another_manager()
    for person in FOUR:
        hand = await room.tables.hand(view.id, person)
        assert seat_of(hand).received == passed[(hand.seat - 1) % 4]


def cards_in(view) -> list[Card]:
    """The cards on the buttons, in the order in which they stand."""
    actions = [ids.parse(button["custom_id"]) for button in buttons(view)]
    return [action.card for action in actions if isinstance(action, ids.PlayCard)]


@pytest.mark.case("B125")
@pytest.mark.parametrize("seed", range(3))
def test_b125_cards_keep_their_order_while_the_hand_gets_smaller(seed):
    before: dict[int, list[Card]] = {}
    compared = 0
    for game in states(random.Random(seed)):
        if game.scores:
            break
        if game.phase is not Phase.PLAYING:
            continue
        for seat in range(4):
            now = cards_in(render_hand(hand_of(game, seat)))
            if known := before.get(seat):
                assert now == [card for card in known if card in now]
                compared += 1
            before[seat] = now
    assert compared > 150


@pytest.mark.case("B125")
@pytest.mark.parametrize("seed", range(3))
def test_b125_suits_stand_in_colours_that_take_turns_and_ranks_rise(seed):
    game = next(each for each in states(random.Random(seed)) if each.phase is Phase.PLAYING)
    cards = cards_in(render_hand(hand_of(game)))
    suits = list(dict.fromkeys(card.suit for card in cards))
    order = [Suit.CLUBS, Suit.DIAMONDS, Suit.SPADES, Suit.HEARTS]
    assert suits == [suit for suit in order if suit in suits]
    for suit in suits:
        ranks = [card.rank for card in cards if card.suit is suit]
        assert ranks == sorted(ranks)
