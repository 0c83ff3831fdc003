"""Games that end by minutes, and by a word of their players (rules.md 3.8, `end`)."""

from dataclasses import replace
from datetime import timedelta

import pytest

from bot.rules.events import DealBegan, LastDealCalled
from bot.rules.state import Phase
from bot.table import commands, timers
from bot.table.errors import (
    CallHostError,
    LastDealCalledError,
    NoCallError,
    StaleClickError,
    TablePausedError,
    WrongPhaseError,
)
from bot.table.ids import InteractionId, Robot
from bot.table.notices import notices
from bot.table.state import Status
from bot.table.storing import NO_SEAT, Cause, Timer, TimerKind
from bot.table.timekeeper import Timekeeper
from tests.support.clock import NOON
from tests.support.deals import deal_in_play, house_rules
from tests.support.histories import started
from tests.support.rooms import STORES, room_on
from tests.support.showing import FOUR_PEOPLE, table_of
from tests.support.tables import ANN, BEA, Room

BY_TIME = house_rules(end={"minutes": 30})
BY_WORD = house_rules(end={"hands": "open"})
SHARED = house_rules(end={"hands": "open"}, tie="share")
MINUTE = 60
HANDS = ("2C 3C", "4C 5C", "6C 7C", "8C 9C")


def game_time(of):
    """The one timer of a game's time, if there is one."""
    found = [timer for timer in of if timer.kind is TimerKind.GAME_TIME]
    assert len(found) <= 1
    return found[0] if found else None


async def stored_time(room, table_id):
    return game_time(await room.store.timers_of(table_id))


async def said(room):
    rows = await room.work.due_outbox(room.clock.now(), 100)
    return [str(row.notice) for row in rows if row.notice is not None]


async def begun_deals(room, table_id):
    events = [entry.event for entry in await room.store.load(table_id)]
    return sum(isinstance(event, DealBegan) for event in events)


async def calls(room, table_id):
    events = [entry.event for entry in await room.store.load(table_id)]
    return sum(isinstance(event, LastDealCalled) for event in events)


# By minutes


def wanted(table, now=NOON, current=()):
    return timers.wanted(table, now=now, current=current, delays=timers.Delays(1.0, 2.0), aways={})


def by_time(**changes):
    return table_of(deal_in_play(*HANDS, ruleset=BY_TIME), ruleset=BY_TIME, **changes)


@pytest.mark.parametrize("store", STORES)
async def test_the_time_of_a_game_runs_from_its_first_deal(store, tmp_path):
    async with room_on(store, tmp_path) as room:
        view = await room.open(robots=3, ruleset=BY_TIME)
        assert await stored_time(room, view.id) is None
        room.clock.move(7 * MINUTE)
        view = await room.tables.start(room.by(ANN), view.id)
        timer = await stored_time(room, view.id)
        assert (timer.seat, timer.moment) == (NO_SEAT, 0)
        assert timer.due_at == view.time_up == room.clock.now() + timedelta(minutes=30)


def test_moves_and_further_deals_change_nothing_about_the_time():
    first = game_time(wanted(by_time()))
    later = NOON + timedelta(minutes=12)
    assert game_time(wanted(by_time(), later, (first,))) == first


def test_a_game_that_ends_otherwise_has_no_time():
    assert game_time(wanted(table_of(deal_in_play(*HANDS)))) is None
    by_word = table_of(deal_in_play(*HANDS, ruleset=BY_WORD), ruleset=BY_WORD)
    assert game_time(wanted(by_word)) is None


def test_the_time_runs_on_when_robots_keep_all_seats():
    robots = tuple(Robot("steady", person.user_id) for person in FOUR_PEOPLE)
    assert game_time(wanted(by_time(chairs=robots))) is not None


@pytest.mark.parametrize("store", STORES)
async def test_the_deal_under_way_when_time_is_up_is_the_last(store, tmp_path):
    async with room_on(store, tmp_path) as room:
        view = await room.started(ANN, ruleset=BY_TIME, clock="off")
        await room.play_until(view.id, deals=1)
        room.clock.move(30 * MINUTE)
        room.tables = room.another_manager()
        await room.fire_due()
        view = await room.tables.view(view.id)
        assert (view.game.last_deal, view.game.deal, view.time_up) == (True, 2, None)
        assert view.status is Status.PLAYING
        assert await stored_time(room, view.id) is None
        view = await room.play_until(view.id, deals=2)
        assert len(view.game.scores) == 2
        tied = view.game.totals.count(min(view.game.totals)) > 1
        assert (view.status is Status.OVER) is not tied


async def test_that_time_is_up_is_said_once():
    room = Room()
    view = await room.started(ANN, ruleset=BY_TIME, clock="off")
    room.clock.move(30 * MINUTE)
    due = [timer for timer in await room.fire_due() if timer.kind is TimerKind.GAME_TIME]
    for timer in due:
        await room.tables.fire(timer)
    assert [text for text in await said(room) if "Time is up" in text] == [
        "Time is up: this is the last deal, unless it leaves a tie."
    ]
    assert await calls(room, view.id) == 1


def test_time_that_is_not_up_yet_calls_nothing():
    timer = game_time(wanted(by_time()))
    assert timer.due_at > NOON + timedelta(minutes=29, seconds=59)


async def test_a_tie_after_the_last_deal_is_played_on_without_a_new_time():
    tie = deal_in_play(*HANDS, ruleset=BY_TIME)
    called = replace(tie, last_deal=True)
    assert game_time(wanted(table_of(called, ruleset=BY_TIME))) is None


@pytest.mark.parametrize("store", STORES)
async def test_a_pause_stops_the_time_and_what_is_left_runs_on_after_it(store, tmp_path):
    async with room_on(store, tmp_path) as room:
        view = await room.started(ANN, BEA, ruleset=BY_TIME, clock="off")
        room.clock.move(10 * MINUTE)
        await room.tables.pause(view.id, "forbidden")
        assert (await room.tables.view(view.id)).time_up is None
        room.clock.move(300 * MINUTE)
        assert await room.work.due_timers(room.clock.now(), 10) == []
        await room.tables.leave(room.by(ANN), view.id)
        await room.tables.take_seat_back(room.by(ANN), view.id)
        room.tables = room.another_manager()
        await room.tables.resume(view.id)
        view = await room.tables.view(view.id)
        assert view.time_up == room.clock.now() + timedelta(minutes=20)


@pytest.mark.parametrize("store", STORES)
async def test_an_outage_is_given_back_to_a_running_game_alone(store, tmp_path):
    async with room_on(store, tmp_path) as room:
        keeper = Timekeeper(room.work, room.tables, room.clock)
        running = await room.started(ANN, ruleset=BY_TIME, clock="off")
        paused = await room.started(BEA, ruleset=BY_TIME, clock="off", channel_id=12)
        due = running.time_up
        await room.tables.pause(paused.id, "forbidden")
        await keeper.credit_outage()
        room.clock.move(60 * MINUTE)
        room.tables = room.another_manager()
        await Timekeeper(room.work, room.tables, room.clock).credit_outage()
        running = await room.tables.view(running.id)
        assert running.time_up == due + timedelta(minutes=60)
        await room.tables.resume(paused.id)
        paused = await room.tables.view(paused.id)
        assert paused.time_up == room.clock.now() + timedelta(minutes=30)


def test_time_that_was_up_when_the_table_paused_is_up_when_it_goes_on():
    timer = Timer(
        table_id="TABLE234", seat=NO_SEAT, kind=TimerKind.GAME_TIME, moment=0, due_at=NOON
    )
    late = NOON + timedelta(seconds=5)
    kept = game_time(wanted(by_time(status=Status.PAUSED), late, (timer,)))
    back = game_time(wanted(by_time(), late, (kept,)))
    assert back.due_at == late + timedelta(seconds=1)


# By a word of the players


@pytest.mark.parametrize("store", STORES)
async def test_the_deal_that_the_host_calls_is_the_last(store, tmp_path):
    async with room_on(store, tmp_path) as room:
        view = await room.started(ANN, BEA, ruleset=SHARED, clock="off")
        await room.play_until(view.id, deals=1)
        view = await room.tables.ask(room.by(ANN), view.id, commands.CallLastDeal(ANN, 2))
        assert (view.game.last_deal, view.game.deal) == (True, 2)
        assert f"<@{ANN}> called the last deal: this one ends the game." in await said(room)
        view = await room.play_until(view.id, deals=9)
        assert (view.status, len(view.game.scores)) == (Status.OVER, 2)
        assert await begun_deals(room, view.id) == 2


async def test_without_a_word_such_a_game_goes_on():
    """The control: nothing else ends it."""
    room = Room()
    view = await room.started(ANN, ruleset=SHARED, clock="off")
    view = await room.play_until(view.id, deals=5)
    assert (view.status, view.game.deal) == (Status.PLAYING, 6)


async def test_only_the_host_calls_and_a_new_host_may():
    room = Room()
    view = await room.started(ANN, BEA, ruleset=BY_WORD)
    with pytest.raises(CallHostError):
        await room.tables.ask(room.by(BEA), view.id, commands.CallLastDeal(BEA, 1))
    await room.tables.leave(room.by(ANN), view.id)
    with pytest.raises(CallHostError):
        await room.tables.ask(room.by(ANN), view.id, commands.CallLastDeal(ANN, 1))
    view = await room.tables.ask(room.by(BEA), view.id, commands.CallLastDeal(BEA, 1))
    assert view.game.last_deal


@pytest.mark.parametrize("ruleset", [BY_TIME, house_rules(), house_rules(end="single")])
def test_where_the_rules_say_when_it_ends_nobody_calls(ruleset):
    story = started(ruleset=ruleset)
    with pytest.raises(NoCallError):
        story.ask(commands.CallLastDeal(ANN, 1))


def test_a_call_for_an_earlier_deal_is_stale():
    story = started(ruleset=BY_WORD)
    with pytest.raises(StaleClickError):
        story.ask(commands.CallLastDeal(ANN, 2))


def test_a_second_call_changes_nothing_and_says_so():
    story = started(ruleset=BY_WORD)
    story.ask(commands.CallLastDeal(ANN, 1))
    before = story.table
    with pytest.raises(LastDealCalledError):
        story.ask(commands.CallLastDeal(ANN, 1))
    assert story.table == before


@pytest.mark.parametrize("store", STORES)
async def test_the_same_press_delivered_twice_calls_once(store, tmp_path):
    async with room_on(store, tmp_path) as room:
        view = await room.started(ANN, ruleset=BY_WORD)
        press = Cause(room.clock.now(), ANN, InteractionId(77_777))
        await room.tables.ask(press, view.id, commands.CallLastDeal(ANN, 1))
        again = await room.tables.ask(press, view.id, commands.CallLastDeal(ANN, 1))
        assert again.game.last_deal
        assert await calls(room, view.id) == 1


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (Status.PAUSED, TablePausedError),
        (Status.OVER, WrongPhaseError),
        (Status.CLOSED, WrongPhaseError),
        (Status.LOBBY, WrongPhaseError),
    ],
)
def test_there_is_nothing_to_call_where_no_game_runs(status, error):
    story = started(ruleset=BY_WORD)
    story.table = replace(story.table, status=status)
    with pytest.raises(error):
        story.ask(commands.CallLastDeal(ANN, 1))


def test_the_last_deal_can_be_called_while_cards_are_passed():
    story = started(ruleset=BY_WORD)
    assert story.table.game.phase is Phase.PASSING
    (event,) = story.ask(commands.CallLastDeal(ANN, 1))
    assert event == LastDealCalled()
    assert story.table.game.phase is Phase.PASSING


@pytest.mark.parametrize(("tie", "words"), [("share", "the game."), ("extra_hands", "a tie.")])
def test_a_call_says_whether_a_tie_is_played_on(tie, words):
    table = started(ruleset=house_rules(end={"hands": "open"}, tie=tie)).table
    (call,) = notices(table, [LastDealCalled()], ANN)
    assert str(call).endswith(words)
