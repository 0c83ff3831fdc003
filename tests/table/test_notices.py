"""What a table says once when its people change (house.md 4.5: a stand-in sits in visibly)."""

import pytest

from bot.rules.cards import Card, Seat
from bot.rules.commands import PlayedBy
from bot.rules.dimensions import MoonPayoff
from bot.rules.events import CardPlayed, CardsPassed, MoonSettled
from bot.table.clocks import move_clock
from bot.table.events import ClockChanged, HostChanged, SeatHandedOver, TableClosed, TableResumed
from bot.table.ids import Human, Robot
from bot.table.notices import notices
from cogs.words import say
from tests.support.histories import started
from tests.support.showing import ShownRoom
from tests.support.tables import ANN, BEA

STAND_IN = SeatHandedOver(Seat(1), Robot("steady", keeps_for=BEA))


def said(*events, by=None) -> list[str]:
    return [str(sentence) for sentence in notices(started().table, events, by)]


def test_a_person_who_left_and_one_who_was_late_are_told_apart():
    [left] = said(STAND_IN, by=BEA)
    [late] = said(STAND_IN, by=None)
    assert "left" in left
    assert "ran out of time twice in a row" in late
    assert all(f"<@{BEA}>" in sentence for sentence in (left, late))


QUEEN = Card.parse("QS")


def test_b56_a_card_that_the_clock_played_is_told_with_its_reason_and_whose_the_seat_is():
    [told] = words(CardPlayed(Seat(1), QUEEN, PlayedBy.CLOCK))
    assert told.startswith(f"<@{BEA}> ran out of time, so a robot played the queen of spades.")
    assert "still theirs" in told


def test_what_the_clock_passed_is_nobodys_business():
    [told] = words(CardsPassed(Seat(1), frozenset({QUEEN})))
    assert told.startswith(f"<@{BEA}> ran out of time, so a robot chose what to pass.")
    assert "queen" not in told


def test_how_the_clock_paid_a_moon_is_told():
    [told] = words(MoonSettled(Seat(1), MoonPayoff.ADD_OTHERS))
    assert told.startswith(f"<@{BEA}> ran out of time, so a robot chose how the moon is paid.")


@pytest.mark.parametrize(
    ("move", "told"),
    [
        (CardPlayed(Seat(1), QUEEN, PlayedBy.CLOCK), "played the queen of spades"),
        (CardsPassed(Seat(1), frozenset({QUEEN})), "chose what to pass"),
        (MoonSettled(Seat(1), MoonPayoff.ADD_OTHERS), "chose how the moon is paid"),
    ],
)
def test_a_second_missed_move_and_the_seat_that_it_costs_are_told_once_and_first(move, told):
    story = started()
    story._follow([STAND_IN], None)
    events = [STAND_IN, HostChanged(ANN), move]
    late, host = (say(sentence) for sentence in notices(story.table, events, None))
    assert late == (
        f"<@{BEA}> ran out of time twice in a row. A robot {told}, "
        "and plays in that seat until it is taken back."
    )
    assert "is the host" in host


def test_without_a_time_limit_no_move_has_its_whole_time():
    [hour] = words(ClockChanged(move_clock("1h")))
    [free] = words(ClockChanged(move_clock("off")))
    assert hour.endswith("The move under way has its whole time from now.")
    assert free.endswith("no time limit. Nobody runs out of time any more.")


def test_what_a_person_or_a_robot_of_the_table_does_needs_no_words():
    story = started(ANN, BEA)
    passed = CardsPassed(Seat(2), frozenset({QUEEN}))
    played = CardPlayed(Seat(2), QUEEN, PlayedBy.ROBOT)
    assert notices(story.table, [passed, played], None) == ()
    assert notices(story.table, [CardsPassed(Seat(1), frozenset({QUEEN}))], BEA) == ()


def words(*events) -> list[str]:
    """What is said when the clock caused *events*, as it reads in the channel."""
    return [say(sentence) for sentence in notices(started().table, events, None)]


def test_whoever_takes_the_seat_back_and_whoever_becomes_host_is_named():
    back, host = said(SeatHandedOver(Seat(1), Human(BEA)), HostChanged(ANN), by=BEA)
    assert f"<@{BEA}> is back" in back
    assert f"<@{ANN}> is the host" in host


def test_a_table_that_goes_on_says_so():
    [sentence] = said(TableResumed())
    assert "goes on" in sentence


def test_a_table_that_ended_says_so_in_its_last_post_only():
    story = started()
    story._follow([STAND_IN, TableClosed("empty")], BEA)
    assert notices(story.table, [STAND_IN, TableClosed("empty")], BEA) == ()


async def test_a_notice_reaches_the_channel_once():
    room = ShownRoom()
    table_id = await room.to_first_lead()
    await room.tables.leave(room.by(BEA), table_id)
    await room.publisher.flush()
    await room.publisher.flush()
    notices_shown = [name for name, content in room.poster.calls if "A robot plays" in str(content)]
    assert notices_shown == ["send"]
