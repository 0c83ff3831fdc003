"""What posts and hands say of time: until when each seat has it, and who is away."""

from dataclasses import replace
from datetime import timedelta

from bot.table import posts
from bot.table.ids import UserId
from bot.table.views import Absent
from cogs.ui.hand import render_hand
from cogs.ui.post import render_post
from tests.support.deals import deal_in_play, deal_to_pass, played
from tests.support.looks import NOON, hand_of, table, texts, view_of

HOUR = timedelta(hours=1)
HANDS = ("2C 3C 4C", "2D 3D 4D", "2S 3S 4S", "2H 3H 4H")


def stamp(at) -> str:
    return f"<t:{int(at.timestamp())}:f> (<t:{int(at.timestamp())}:R>)"


def opening(**changes) -> str:
    at = table(deal_to_pass(*HANDS))
    return texts(render_post(posts.post(at, replace(view_of(at), **changes), "deal:1")))


def test_b56_a_deadline_that_holds_for_all_stands_there_once():
    told = opening()
    assert told.count("Time until") == 1
    assert stamp(NOON + 20 * HOUR) in told


def test_b56_where_people_have_different_deadlines_each_is_told():
    """Quiet hours and vacations are everybody's own."""
    told = opening(deadlines={0: NOON + HOUR, 1: NOON + HOUR, 2: NOON + 2 * HOUR, 3: NOON + HOUR})
    assert told.count("has time until") == 4
    assert told.count(stamp(NOON + HOUR)) == 3
    assert told.count(stamp(NOON + 2 * HOUR)) == 1


def test_b61_everybody_sees_who_is_away_and_until_when():
    ends = NOON + 48 * HOUR
    now = opening(away=(Absent(UserId(1), None, ends),))
    assert f"is away until {stamp(ends)}." in now
    soon = opening(away=(Absent(UserId(1), NOON + HOUR, ends),))
    assert f"is away from <t:{int((NOON + HOUR).timestamp())}:D> until {stamp(ends)}." in soon


def test_a_game_by_minutes_tells_when_its_time_is_up():
    """rules.md 3, `end`: the deal under way when time is up is the last."""
    end = NOON + HOUR / 2
    told = f"The time of this game is up {stamp(end)}. The deal under way then is the last."
    assert told in opening(time_up=end)
    assert "time of this game" not in opening()
    at = table(played(deal_in_play("2C 2H", "3C 3H", "4C 4H", "5C 5H"), "2C"))
    view = replace(view_of(at), time_up=end)
    assert told in texts(render_post(posts.post(at, view, posts.slots(at)[-1])))


def mine(bank: timedelta) -> str:
    hand = hand_of(deal_to_pass(*HANDS))
    return texts(render_hand(replace(hand, table=replace(hand.table, banks=(bank,) * 4))))


def test_the_hand_tells_what_is_in_the_bank_with_the_time_that_is_left():
    until = stamp(NOON + 20 * HOUR)
    assert f"Time until {until}, with the 24 hours in your bank." in mine(24 * HOUR)
    assert f"Time until {until}, with the 3 days in your bank." in mine(72 * HOUR)
    assert f"Time until {until}, with the 90 minutes in your bank." in mine(HOUR * 3 / 2)
    assert f"Time until {until}." in mine(timedelta(seconds=50))
