"""Tables of partners, of many people, of passes to several seats (rules.md 3.1, 3.3)."""

import pytest

from bot.rules.cards import Seat, sorted_cards
from bot.rules.commands import SettleMoon
from bot.rules.dimensions import MoonPayoff
from bot.rules.errors import IllegalMoveError, Reason
from bot.rules.state import Phase
from bot.rules.variants import load
from bot.rules.view import seat_view
from bot.table import commands, posts
from bot.table.ids import Human, Robot, UserId
from bot.table.posting import DealPost
from bot.table.robots import dice_of
from bot.table.storing import NO_SEAT, TimerKind
from bot.table.table import decide
from bot.table.timers import ABANDONED, Delays, wanted
from tests.support.clock import NOON
from tests.support.deals import deal_in_play, house_rules, played
from tests.support.showing import FOUR_PEOPLE, table_of
from tests.support.tables import ANN, BEA, CYD, DAN, Room, but_reminders, seat_of

POOLED = load("partnership_pooled")
TEN = tuple(UserId(number) for number in range(201, 211))
SCATTER = house_rules(pass_cycle={"4": [{"scatter": 1}], "3": [{"scatter": 2}]})


def side_moon(**changes):
    """Seats 0 and 2 take all that counts, seat 2 the most; there is nothing else left."""
    game = deal_in_play(
        "AH KC", "2H 2C", "QS 3C", "4H 4C", leader=0, ruleset=POOLED, hearts_broken=True
    )
    game = played(game, "KC 2C 3C 4C AH 2H QS 4H")
    return table_of(game, **changes)


def moon_of_seat_2(**changes):
    game = deal_in_play(
        "2C 3H", "3C 4D", "AS QS", "4C 6D", leader=2, ruleset=POOLED, hearts_broken=True
    )
    return table_of(played(game, "AS 4C 3H 4D QS 6D 2C 3C"), **changes)


def awaited(table):
    timers = wanted(table, now=NOON, current=(), delays=Delays(1.0, 2.0), aways={})
    return [(timer.kind, timer.seat) for timer in but_reminders(timers)]


def test_of_a_side_that_shot_the_seat_with_the_most_points_is_asked():
    first, other = side_moon(), moon_of_seat_2()
    for table, shooter in ((first, 0), (other, 2)):
        assert table.game.phase is Phase.MOON_CHOICE
        assert awaited(table) == [(TimerKind.MOON, shooter)]
        (ping,) = posts.pings(table)
        assert (ping.kind, ping.user_id) == ("moon", FOUR_PEOPLE[shooter].user_id)


def test_the_partner_of_the_shooter_does_not_choose():
    table = moon_of_seat_2()
    with pytest.raises(IllegalMoveError) as refused:
        decide(table, commands.SettleMoon(ANN, MoonPayoff.ADD_OTHERS, 1))
    assert refused.value.reason is Reason.NOT_YOUR_TURN
    assert decide(table, commands.SettleMoon(CYD, MoonPayoff.ADD_OTHERS, 1))


def test_a_robot_that_shot_chooses_by_itself_and_calls_nobody():
    chairs = (*FOUR_PEOPLE[:2], Robot("steady"), FOUR_PEOPLE[3])
    table = moon_of_seat_2(chairs=chairs)
    assert awaited(table) == [(TimerKind.ROBOT, 2)]
    assert posts.pings(table) == ()
    move = SettleMoon(Seat(2), seat_view(table.game, Seat(2)).safe_payoff)
    stand_in = commands.StandIn(seat=Seat(2), move=move, moment=-1, late=False)
    assert decide(table, stand_in)


def test_a_shooting_side_of_robots_alone_waits_for_somebody_to_come_back():
    robots = tuple(Robot("steady", person.user_id) for person in FOUR_PEOPLE)
    table = moon_of_seat_2(chairs=robots)
    ends, warns = wanted(table, now=NOON, current=(), delays=Delays(1.0, 2.0), aways={})
    assert (ends.kind, ends.seat) == (TimerKind.ABANDONED, NO_SEAT)
    assert ends.due_at == NOON + ABANDONED
    assert warns.kind is TimerKind.ABANDONED_WARNING


# Passing to several seats


@pytest.mark.parametrize("seats", [3, 4])
async def test_a_scattered_pass_gives_every_other_seat_its_share(seats):
    room = Room()
    people = (ANN, BEA, CYD, DAN)[:seats]
    view = await room.started(*people, seats=seats, ruleset=SCATTER)
    gave = {hand.seat: frozenset() for hand in await room.waited_for(view.id)}
    for hand in await room.waited_for(view.id):
        after = await room.move(hand)
        gave[hand.seat] = seat_of(after).given
    share = 2 if seats == 3 else 1
    for person in people:
        hand = seat_of(await room.tables.hand(view.id, person))
        for other, cards in gave.items():
            expected = 0 if other == hand.seat else share
            assert len(hand.received & cards) == expected
    assert (await room.tables.view(view.id)).game.phase is Phase.PLAYING


async def test_the_cards_of_a_scattered_pass_go_out_as_the_hand_shows_them():
    room = Room()
    view = await room.started(ANN, BEA, CYD, DAN, ruleset=SCATTER)
    (mine, *_) = await room.waited_for(view.id)
    cards = sorted_cards(seat_of(mine).hand)[:3]
    for hand in await room.waited_for(view.id):
        await room.move(hand)
    for place, card in enumerate(cards, 1):
        taker = (mine.seat + place) % 4
        person = (await room.tables.view(view.id)).chairs[taker].user_id
        assert card in seat_of(await room.tables.hand(view.id, person)).received


# Ten people


async def test_ten_people_pass_at_once_and_are_called_one_by_one():
    room = Room()
    view = await room.started(*TEN, seats=10, ruleset=load("killer"), clock="1h")
    assert {ping.user_id for ping in room.memory.pings()} == set(TEN[1:])
    timers = await room.timers(view.id)
    assert {(timer.kind, timer.seat) for timer in timers} == {
        (TimerKind.DEADLINE, seat) for seat in range(10)
    }
    post, _ = await room.tables.post(view.id, "deal:1")
    assert isinstance(post, DealPost)
    assert len(post.waiting) == 10


async def test_ten_people_who_are_all_late_are_all_passed_for():
    room = Room()
    view = await room.started(*TEN, seats=10, ruleset=load("killer"), clock="1h")
    room.clock.move(3_600)
    assert len(await room.fire_due()) == 10
    after = await room.tables.view(view.id)
    assert all(after.game.passed)
    assert all(isinstance(chair, Human) for chair in after.chairs)


# Robots


def test_a_robot_throws_other_dice_for_each_card_of_a_trick():
    """Of two cards that a seat lays down in one trick, each is a decision of its own."""
    game = deal_in_play("2C 3C 4C", "5C 6C 7C", ruleset=load("draw7"))
    before = dice_of(seat_view(game, Seat(0))).random()
    second = played(game, "2C 5C")
    assert second.trick_number == game.trick_number
    assert dice_of(seat_view(second, Seat(0))).random() != before
    assert dice_of(seat_view(game, Seat(0))).random() == before, "the control: it repeats"
