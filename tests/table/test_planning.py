"""Cards and short plans that people set aside for a turn that has not come yet."""

from dataclasses import replace
from datetime import timedelta

import pytest

from bot.rules import variants
from bot.rules.cards import Card, Seat, sorted_cards
from bot.rules.commands import PlayedBy
from bot.rules.errors import IllegalMoveError
from bot.rules.events import CardPlayed
from bot.rules.legal import choice, to_move
from bot.table import adjusting, commands, posts, timers, viewing
from bot.table.away import Away
from bot.table.clocks import MOVE_CLOCKS, move_clock
from bot.table.errors import RobotSitsInError, StaleClickError, TablePausedError
from bot.table.events import PlansMade, SeatHandedOver
from bot.table.history import evolve
from bot.table.ids import Human, InteractionId, Robot
from bot.table.plans import (
    LONGEST_DELAY,
    AllForced,
    LowestOfSuitLed,
    OneCard,
    QueenWhenPossible,
    natural_delay,
)
from bot.table.seat_errors import PausedError
from bot.table.session import Belief
from bot.table.state import Status
from bot.table.storing import Cause, PersonSettings, TimerKind
from bot.table.table import decide
from tests.support.clock import NOON
from tests.support.deals import begun, deal_in_play, deal_to_pass, played
from tests.support.rooms import STORES, room_on
from tests.support.showing import FOUR_PEOPLE, ShownRoom, table_of
from tests.support.tables import ANN, BEA, FOUR, Room, seat_of

HANDS = ("2C 3C 3H", "4C 5C 4H", "6C 7C 6H", "8C 9C 8H")
DELAYS = timers.Delays(1.5, 20.0)


def card(text: str) -> Card:
    return Card.parse(text)


def plan_of(user_id, plan, deal=1):
    return commands.MakePlan(user_id, plan, deal)


def follow(table, *commands_):
    """The table after what these commands bring about."""
    for command in commands_:
        for event in decide(table, command):
            table = evolve(table, event, getattr(command, "user_id", None))
    return table


def wanted(table, aways=None, current=(), now=NOON):
    found = timers.wanted(table, now=now, current=current, delays=DELAYS, aways=aways or {})
    return {timer.kind: timer for timer in found if timer.kind not in timers.REMINDERS}


BANKS = (timedelta(),) * 4
IN_PLAY = table_of(deal_in_play(*HANDS), banks=BANKS)
LED = table_of(played(deal_in_play(*HANDS), "2C"), banks=BANKS)


def test_a_plan_is_kept_until_it_can_do_nothing_more():
    table = follow(IN_PLAY, plan_of(BEA, OneCard(card("5C"))))
    assert table.plans == {Seat(1): (OneCard(card("5C")),)}
    led = replace(table, game=played(deal_in_play(*HANDS), "2C"))
    after = follow(led, commands.CarryOutPlan(Seat(1), 2))
    assert after.plans == {}


def test_a_second_card_takes_the_place_of_the_first_and_other_plans_stay():
    table = follow(
        IN_PLAY,
        plan_of(BEA, LowestOfSuitLed()),
        plan_of(BEA, OneCard(card("5C"))),
        plan_of(BEA, OneCard(card("4H"))),
    )
    assert table.plans[Seat(1)] == (OneCard(card("4H")), LowestOfSuitLed())


def test_to_plan_the_same_twice_or_to_drop_what_is_gone_changes_nothing():
    """A repeated press counts once."""
    table = follow(IN_PLAY, plan_of(BEA, AllForced()))
    assert decide(table, plan_of(BEA, AllForced())) == ()
    dropped = follow(table, commands.DropPlan(BEA, AllForced(), 1))
    assert dropped.plans == {}
    assert decide(dropped, commands.DropPlan(BEA, AllForced(), 1)) == ()


@pytest.mark.parametrize(
    ("table", "plan", "deal", "error"),
    [
        (IN_PLAY, OneCard(Card.parse("2C")), 1, IllegalMoveError),
        (IN_PLAY, AllForced(), 2, StaleClickError),
        (table_of(deal_to_pass(*HANDS)), AllForced(), 1, IllegalMoveError),
        (replace(IN_PLAY, agreed_pause=True), AllForced(), 1, PausedError),
        (replace(IN_PLAY, status=Status.PAUSED), AllForced(), 1, TablePausedError),
        (
            replace(IN_PLAY, chairs=(FOUR_PEOPLE[0], Robot("steady", BEA), *FOUR_PEOPLE[2:])),
            AllForced(),
            1,
            RobotSitsInError,
        ),
    ],
    ids=["not held", "another deal", "passing", "pause", "no place", "a robot sits in"],
)
def test_what_cannot_be_planned_is_refused_and_nothing_is_kept(table, plan, deal, error):
    with pytest.raises(error):
        decide(table, plan_of(BEA, plan, deal))


def test_a_planned_card_falls_after_a_natural_delay_and_the_deadline_runs_beside_it():
    table = replace(LED, plans={Seat(1): (LowestOfSuitLed(),)})
    found = wanted(table)
    assert set(found) == {TimerKind.PLAN, TimerKind.DEADLINE}
    assert found[TimerKind.PLAN].due_at == NOON + timedelta(seconds=20)
    (played_card,) = decide(table, commands.CarryOutPlan(Seat(1), 2))
    assert played_card == CardPlayed(Seat(1), card("4C"), PlayedBy.PLAN)


def test_a_plan_that_waits_sets_no_timer():
    table = replace(LED, plans={Seat(1): (AllForced(), OneCard(card("4H")))})
    assert set(wanted(table)) == {TimerKind.DEADLINE}


def test_a_plan_that_is_dropped_takes_its_timer_along_and_another_one_keeps_the_time():
    """Cancelled until it falls; what is planned instead does not begin to wait anew."""
    table = replace(LED, plans={Seat(1): (LowestOfSuitLed(),)})
    current = tuple(wanted(table).values())
    later = NOON + timedelta(seconds=10)
    assert TimerKind.PLAN not in wanted(replace(table, plans={}), current=current, now=later)
    other = replace(table, plans={Seat(1): (OneCard(card("5C")),)})
    assert wanted(other, current=current, now=later)[TimerKind.PLAN].due_at == NOON + timedelta(
        seconds=20
    )


def test_only_forced_cards_are_played_for_those_who_asked_for_that():
    """The only club has to follow; whoever has two of them, or did not ask, is waited for."""
    forced = table_of(played(deal_in_play("2C 3C", "4C 5H", "6C 7C", "8C 9C"), "2C"))
    asked = {BEA: Away(plays_forced=True)}
    assert TimerKind.PLAN in wanted(forced, asked)
    assert TimerKind.PLAN not in wanted(forced)
    assert TimerKind.PLAN not in wanted(LED, asked)
    (played_card,) = decide(forced, commands.CarryOutPlan(Seat(1), 2))
    assert (played_card.card, played_card.by) == (card("4C"), PlayedBy.PLAN)


def test_who_does_not_want_forced_cards_played_any_more_is_waited_for_again():
    forced = table_of(played(deal_in_play("2C 3C", "4C 5H", "6C 7C", "8C 9C"), "2C"))
    current = tuple(wanted(forced, {BEA: Away(plays_forced=True)}).values())
    after = adjusting.redrawn(
        Belief(forced, 9, current), {BEA: Away()}, NOON, delays=lambda _clock: DELAYS
    )
    assert [timer.kind for timer in after.timers] == [TimerKind.DEADLINE]


def test_who_asks_for_forced_cards_in_a_turn_gets_that_turn_played_too():
    """Else the person is told that it happens, waits, and is late."""
    forced = table_of(played(deal_in_play("2C 3C", "4C 5H", "6C 7C", "8C 9C"), "2C"))
    current = tuple(wanted(forced).values())
    asked = {BEA: Away(plays_forced=True)}
    belief = Belief(forced, 9, current)
    after = adjusting.redrawn(belief, asked, NOON, delays=lambda _clock: DELAYS).timers
    assert {timer.kind for timer in after} == {TimerKind.DEADLINE, TimerKind.PLAN}
    (planned,) = [timer for timer in after if timer.kind is TimerKind.PLAN]
    assert planned.due_at == NOON + timedelta(seconds=DELAYS.plan)
    later = adjusting.redrawn(
        Belief(forced, 9, after), asked, NOON + timedelta(seconds=9), delays=lambda _clock: DELAYS
    )
    assert planned in later.timers, "another choice does not make the card wait anew"
    paused = Belief(replace(forced, agreed_pause=True), 9, ())
    assert adjusting.redrawn(paused, asked, NOON, delays=lambda _clock: DELAYS).timers == ()


def test_of_two_cards_to_a_trick_each_is_a_turn_of_its_own_with_its_own_pause():
    """rules.md 1.13: two players lay two cards each, in turn. Both hold clubs of this deck."""
    rules = variants.load("draw7")
    game = lowest_card_played(begun(tuple(rules.deck(2)), rules, seats=2))
    follower = to_move(game)[0]
    table = table_of(game, banks=BANKS[:2], chairs=FOUR_PEOPLE[:2])
    table = replace(table, plans={follower: (LowestOfSuitLed(),)})
    first = wanted(table)[TimerKind.PLAN]
    table = follow(table, commands.CarryOutPlan(follower, first.moment))
    table = replace(table, game=lowest_card_played(table.game))
    later = NOON + timedelta(seconds=50)
    again = wanted(table, current=(first,), now=later)[TimerKind.PLAN]
    assert again.moment == first.moment + 1
    assert again.due_at == later + timedelta(seconds=DELAYS.plan)
    table = follow(table, commands.CarryOutPlan(follower, again.moment))
    seats = [play.seat for play in table.game.deal.tricks[0].plays]
    assert seats.count(follower) == 2


def lowest_card_played(game):
    """The game after whoever is to move has laid down the lowest card that may be."""
    return played(game, str(sorted_cards(choice(game).cards)[0]))


def test_the_delay_knows_the_clock_and_chance_and_nothing_else():
    """Speed tells nothing: seconds at a live clock, up to some minutes at a slow one."""
    for clock in MOVE_CLOCKS:
        shortest, longest = natural_delay(clock, 0.0), natural_delay(clock, 0.999_999)
        if clock.id == "live":
            assert (shortest, round(longest, 3)) == (1.5, 6.0)
        else:
            assert (shortest, round(longest, 2)) == (20.0, LONGEST_DELAY.total_seconds())


@pytest.mark.parametrize("clock", ["live", "24h"])
@pytest.mark.parametrize("plan", [LowestOfSuitLed(), OneCard(Card.parse("5C"))])
def test_how_long_a_plan_waits_does_not_depend_on_the_plan(clock, plan):
    table = replace(LED, clock=move_clock(clock), plans={Seat(1): (plan,)})
    assert wanted(table)[TimerKind.PLAN].due_at == NOON + timedelta(seconds=DELAYS.plan)


def test_plans_end_with_whoever_sat_there():
    table = replace(IN_PLAY, plans={Seat(1): (AllForced(),), Seat(2): (AllForced(),)})
    gone = evolve(table, SeatHandedOver(Seat(1), Robot("steady", BEA)), None)
    assert gone.plans == {Seat(2): (AllForced(),)}


@pytest.mark.parametrize("store", STORES)
async def test_a_card_set_aside_falls_in_its_turn_also_after_a_restart(store, tmp_path):
    """Decide, store, believe, show: a plan is on disk before it is acknowledged."""
    async with room_on(store, tmp_path) as room:
        view, table_id = await playing(room)
        waiting = (await room.waited_for(table_id))[0]
        other = follower(view, waiting)
        hand = seat_of(await room.tables.hand(table_id, other))
        plan = LowestOfSuitLed()
        await room.tables.plan(room.by(other), table_id, plan_of(other, plan))
        room.tables = room.another_manager()
        assert (await room.tables.hand(table_id, other)).plans == (plan,)
        await room.move(waiting)
        kinds = {timer.kind for timer in await room.timers(table_id)}
        suit = led(await room.tables.hand(table_id, other))
        follows = any(each.suit is suit for each in hand.hand)
        assert (TimerKind.PLAN in kinds) == follows


async def playing(room: Room):
    view = await room.started(*FOUR)
    view = await room.everybody_passes(view.id)
    return view, view.id


def follower(view, waiting):
    chair = view.chairs[(waiting.seat + 1) % 4]
    assert isinstance(chair, Human)
    return chair.user_id


def led(hand):
    trick = seat_of(hand).public.trick
    return trick.plays[0].card.suit


async def test_a_plan_that_acts_is_no_missed_move_and_looks_like_a_press():
    """Visible to nobody, also afterwards: who takes the trick by it is called as after a press."""
    room = ShownRoom()
    _, table_id = await playing(room)
    leader = (await room.waited_for(table_id))[0]
    card_led = min(seat_of(leader).choice.cards, key=str)
    person = follower(await room.tables.view(table_id), leader)
    await room.tables.plan(room.by(person), table_id, plan_of(person, LowestOfSuitLed()))
    await room.lay(leader, card_led)
    (timer,) = [t for t in await room.timers(table_id) if t.kind is TimerKind.PLAN]
    room.clock.move((timer.due_at - room.clock.now()).total_seconds())
    await room.fire_due()
    table = room.memory.state(table_id)
    assert table.missed == frozenset()
    assert table.last_actor == person
    assert len(table.game.deal.trick.plays) == 2


async def test_a_deadline_that_comes_first_plays_the_plan_and_nobody_is_late():
    room = Room()
    _, table_id = await playing(room)
    leader = (await room.waited_for(table_id))[0]
    person = follower(await room.tables.view(table_id), leader)
    await room.tables.plan(room.by(person), table_id, plan_of(person, LowestOfSuitLed()))
    await room.move(leader)
    room.clock.move(30 * 86_400)
    due = [t for t in await room.timers(table_id) if t.kind is TimerKind.DEADLINE]
    await room.tables.fire(due[0])
    table = room.memory.state(table_id)
    assert table.missed == frozenset()
    assert not table.late_cards


async def test_what_everybody_may_see_is_the_same_with_a_plan_and_without():
    """Visible to nobody: posts, calls and public facts do not change until the card lies there."""
    room = Room()
    _, table_id = await playing(room)
    leader = (await room.waited_for(table_id))[0]
    person = follower(await room.tables.view(table_id), leader)
    before = room.memory.state(table_id)
    await room.tables.plan(room.by(person), table_id, plan_of(person, LowestOfSuitLed()))
    after = room.memory.state(table_id)
    assert public(before) == public(after)
    assert after.plans != before.plans
    assert others_see(before, person) == others_see(after, person)
    told = replace(after, late_cards=frozenset({(1, Seat(0))}), channel_id=99)
    assert public(told) != public(before), "the comparison sees what changes"


def public(table):
    view = viewing.table_view(table, version=1, timers=(), names={}, newest_message=None)
    return (
        view,
        posts.calls(table),
        posts.pings(table),
        [posts.post(table, view, slot) for slot in posts.slots(table)],
    )


def others_see(table, person):
    view = viewing.table_view(table, version=1, timers=(), names={}, newest_message=None)
    return [
        viewing.hand_view(table, view, other, PersonSettings()) for other in FOUR if other != person
    ]


async def test_the_same_press_delivered_twice_plans_once():
    room = Room()
    _, table_id = await playing(room)
    cause = Cause(room.clock.now(), ANN, InteractionId(424_242))
    for _ in range(2):
        await room.tables.plan(cause, table_id, plan_of(ANN, AllForced()))
    made = [e for e in await room.store.load(table_id) if isinstance(e.event, PlansMade)]
    assert len(made) == 1


async def test_a_plan_shows_no_card_when_it_is_written_into_a_log():
    assert "FIVE" not in repr(plan_of(BEA, OneCard(card("5C"))))
    assert "FIVE" not in repr(PlansMade(Seat(1), (OneCard(card("5C")),)))
    assert "FIVE" in repr(CardPlayed(Seat(1), card("5C"), PlayedBy.PLAN)), "a played one shows"


async def test_plans_are_gone_when_the_next_deal_is_dealt():
    room = Room()
    _, table_id = await playing(room)
    await room.tables.plan(room.by(ANN), table_id, plan_of(ANN, QueenWhenPossible()))
    await room.play_until(table_id, 1)
    assert room.memory.state(table_id).plans == {}
