"""What a table says once when its people change (house.md 4.5: a stand-in sits in visibly)."""

from bot.rules.cards import Seat
from bot.table.events import HostChanged, SeatHandedOver, TableClosed, TableResumed
from bot.table.ids import Human, Robot
from bot.table.notices import notices
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
    assert "ran out of time" in late
    assert all(f"<@{BEA}>" in sentence for sentence in (left, late))


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
