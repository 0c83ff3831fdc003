"""After an outage every game is told once (cases.md B91; reliability.md 4, Timers)."""

from dataclasses import replace
from datetime import time, timedelta

from bot.rules.sentence import Sentence
from bot.table.away import QuietHours
from bot.table.storing import TimerKind
from bot.table.timekeeper import Timekeeper
from cogs.words import say
from tests.support.showing import ShownRoom
from tests.support.tables import ANN, BEA

HOUR = 3_600


async def outage(room: ShownRoom, seconds: float) -> None:
    """Nobody is alive for so long; then a new process starts."""
    await room.timekeeper.credit_outage()
    room.clock.move(seconds)
    room.tables = room.another_manager()
    room.publisher = room.another_publisher()
    room.timekeeper = Timekeeper(room.memory, room.tables, room.clock)
    await room.timekeeper.credit_outage()


async def carry_on(room: ShownRoom) -> None:
    await room.timekeeper.fire_due()
    await room.publisher.flush()


def said(room: ShownRoom) -> list[str]:
    contents = (message.content for message in room.poster.messages.values())
    return [say(content) for content in contents if isinstance(content, Sentence)]


async def test_b91_a_game_is_told_how_long_nobody_was_there_and_whom_it_waits_for():
    room = ShownRoom()
    await room.started(ANN, BEA, clock="24h")
    room.clock.move(1)
    await room.fire_due()
    await outage(room, 5 * HOUR)
    await carry_on(room)
    people = f"<@{ANN}> and <@{BEA}>"
    late = "I was not there for 5 hours, so every deadline is that much later."
    assert said(room) == [f"{late} The game waits for {people}."]


async def test_b91_it_is_said_once_whatever_happens_at_the_table_before_and_after():
    room = ShownRoom()
    view = await room.started(ANN, BEA, clock="24h")
    await outage(room, HOUR)
    await room.tables.surface(room.by(BEA), view.id)
    await carry_on(room)
    await room.tables.surface(room.by(BEA), view.id)
    await carry_on(room)
    assert len(said(room)) == 1


async def test_two_outages_in_a_row_are_told_as_one():
    room = ShownRoom()
    await room.started(ANN, clock="24h")
    await outage(room, HOUR)
    await outage(room, HOUR)
    await carry_on(room)
    (sentence,) = said(room)
    assert sentence.startswith("I was not there for 2 hours,")


async def test_a_game_without_a_clock_is_told_that_nothing_is_lost():
    room = ShownRoom()
    await room.started(ANN, clock="off")
    await outage(room, 3 * 60)
    await carry_on(room)
    (sentence,) = said(room)
    assert sentence.startswith("I was not there for 3 minutes, and nothing is lost.")
    assert f"<@{ANN}>" in sentence


async def test_a_game_that_waits_for_robots_alone_goes_on():
    room = ShownRoom()
    view = await room.started(ANN, clock="24h")
    (hand,) = await room.waited_for(view.id)
    await room.move(hand)
    await outage(room, HOUR)
    (timer,) = [each for each in await room.timers(view.id) if each.kind is TimerKind.OUTAGE]
    await room.tables.fire(timer)
    await room.publisher.flush()
    assert said(room)[0].endswith("The game goes on.")


async def test_nobody_is_told_of_a_restart_or_in_a_lobby():
    room = ShownRoom()
    await room.open(ANN)
    await outage(room, HOUR)
    await carry_on(room)
    room = ShownRoom()
    await room.started(ANN)
    await outage(room, 60)
    await carry_on(room)
    assert said(room) == []


async def test_an_outage_makes_no_live_clock_a_slow_one():
    """It gives back the time that was lost, and no night beside."""
    room = ShownRoom()
    noon_till_eight = QuietHours("UTC", time(12), time(20))
    await room.persons.change(ANN, lambda chosen: replace(chosen, quiet=noon_till_eight))
    table_id = (await room.started(ANN, clock="live", with_banks=True)).id
    (before,) = (await room.tables.view(table_id)).deadlines.values()
    await outage(room, HOUR)
    await carry_on(room)
    (after,) = (await room.tables.view(table_id)).deadlines.values()
    assert after == before + timedelta(seconds=HOUR)
