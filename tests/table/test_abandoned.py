"""Tables that end by themselves, and how people hear of it before (cases.md B38, B54)."""

from datetime import timedelta

import pytest

from bot.rules.sentence import Sentence
from bot.table import commands
from bot.table.ballots import Pause
from bot.table.ids import ChannelId, TableId, UserId
from bot.table.posting import DESERTED, Ping
from bot.table.state import Status
from bot.table.storing import PersonSettings, Reminders
from bot.table.timekeeper import Timekeeper
from cogs.words import say
from tests.support.showing import ShownRoom
from tests.support.tables import ANN, BEA, CHANNEL, EVE, FOUR

HOUR, DAY = 3_600, 86_400


@pytest.fixture
async def room() -> ShownRoom:
    return ShownRoom()


async def left_to_robots(room: ShownRoom) -> TableId:
    """Everybody is late twice, so that robots keep all the seats."""
    table_id = (await room.started(*FOUR, clock="1h")).id
    while await room.waited_for(table_id):
        room.clock.move(HOUR)
        await room.fire_due()
        await room.publisher.flush()
    return table_id


async def live(room: ShownRoom, seconds: float) -> None:
    """Let time pass from hour to hour."""
    for _ in range(round(seconds / HOUR)):
        room.clock.move(HOUR)
        await room.timekeeper.fire_due()
        await room.publisher.flush()


async def restart(room: ShownRoom) -> None:
    """Another process takes over at once."""
    await room.work.beat(room.clock.now())
    room.tables = room.another_manager()
    room.publisher = room.another_publisher()
    room.timekeeper = Timekeeper(room.memory, room.tables, room.clock)
    await room.timekeeper.credit_outage()


def warnings(room: ShownRoom) -> list[str]:
    contents = (message.content for message in room.poster.messages.values())
    said = [say(content) for content in contents if isinstance(content, Sentence)]
    return [words for words in said if "Only robots are left" in words]


def deserted(room: ShownRoom) -> list[UserId]:
    """Whom the warning calls, in the order of the calls that came through."""
    sent = [content for name, content in room.poster.calls if name == "send"]
    return [c.user_id for c in sent if isinstance(c, Ping) and c.kind == DESERTED]


def standing(room: ShownRoom) -> set[UserId]:
    """Whose call by the warning still stands."""
    shown = [message.content for message in room.poster.messages.values()]
    return {c.user_id for c in shown if isinstance(c, Ping) and c.kind == DESERTED}


async def status(room: ShownRoom, table_id: TableId) -> Status:
    return (await room.tables.view(table_id)).status


async def test_b38_a_game_left_to_robots_is_warned_a_day_before_it_ends(room):
    table_id = await left_to_robots(room)
    ends = room.clock.now() + timedelta(days=3)
    await live(room, 47 * HOUR)
    assert warnings(room) == []
    await live(room, HOUR)
    seconds = round(ends.timestamp())
    [warning] = warnings(room)
    assert warning == (
        "Only robots are left at this table, so the game stands still, and it ends "
        f"<t:{seconds}:f> (<t:{seconds}:R>). It is kept if somebody takes a seat back with "
        "`/hearts hand` before then, or takes one over with `/hearts substitute`."
    )
    await live(room, 23 * HOUR)
    assert await status(room, table_id) is Status.PLAYING
    await live(room, HOUR)
    assert await status(room, table_id) is Status.CLOSED


async def test_b38_the_warning_is_said_once_across_restarts_and_presses(room):
    table_id = await left_to_robots(room)
    for _ in range(71):
        await live(room, HOUR)
        await restart(room)
        await room.tables.surface(room.by(EVE), table_id)
    assert len(warnings(room)) == 1
    await live(room, HOUR)
    assert await status(room, table_id) is Status.CLOSED


async def test_b38_whoever_can_take_a_seat_back_is_called_once_with_the_warning(room):
    """Each in the chosen manner; the notice itself names nobody (cases.md B59)."""
    await room.settings.change_person(BEA, lambda _: PersonSettings(reminders=Reminders.OFF))
    await left_to_robots(room)
    await live(room, 47 * HOUR)
    assert deserted(room) == []
    await live(room, 20 * HOUR)
    [warning] = warnings(room)
    assert "@" not in warning
    assert deserted(room) == [person for person in FOUR if person != BEA]


async def test_b38_the_call_is_taken_away_when_somebody_comes_back(room):
    table_id = await left_to_robots(room)
    await live(room, 50 * HOUR)
    assert standing(room) == set(FOUR)
    await room.tables.take_seat_back(room.by(BEA), table_id)
    await live(room, HOUR)
    assert standing(room) == set()


async def test_b38_there_is_no_warning_when_somebody_came_back(room):
    table_id = await left_to_robots(room)
    await live(room, 47 * HOUR)
    await room.tables.take_seat_back(room.by(BEA), table_id)
    await live(room, 40 * HOUR)
    assert warnings(room) == []
    assert await status(room, table_id) is Status.PLAYING


async def test_b38_a_warned_game_that_somebody_came_back_to_goes_on(room):
    table_id = await left_to_robots(room)
    await live(room, 60 * HOUR)
    await room.tables.take_seat_back(room.by(BEA), table_id)
    await live(room, 30 * HOUR)
    assert await status(room, table_id) is Status.PLAYING


async def test_b38_a_table_that_lost_its_place_ends_after_two_weeks(room):
    view = await room.started(*FOUR)
    await room.tables.pause(view.id, "channel_gone", lost=CHANNEL)
    ends = room.clock.now() + timedelta(days=14)
    assert (await room.tables.hand(view.id, ANN)).table.ends_at == ends
    await live(room, 14 * DAY - HOUR)
    assert await status(room, view.id) is Status.PAUSED
    await live(room, HOUR)
    assert await status(room, view.id) is Status.CLOSED


async def test_b38_a_table_that_was_moved_in_time_is_not_ended(room):
    view = await room.started(*FOUR, clock="off")
    await room.tables.pause(view.id, "channel_gone", lost=CHANNEL)
    await live(room, 13 * DAY)
    await room.tables.ask(
        room.by(ANN), view.id, commands.MoveTable(ANN, ChannelId(77), moderator=False)
    )
    await live(room, 3 * DAY)
    moved = await room.tables.view(view.id)
    assert (moved.status, moved.ends_at) == (Status.PLAYING, None)


async def test_b54_without_a_clock_nothing_happens_for_30_days_and_the_game_is_playable(room):
    view = await room.started(*FOUR, clock="off")
    await live(room, HOUR)  # in which three of them are called
    sent = dict(room.poster.messages)
    await live(room, 30 * DAY)
    assert room.poster.messages == sent
    assert (await room.tables.view(view.id)).version == view.version
    assert [line.id for line in await room.tables.tables_of(BEA)] == [view.id]
    for hand in await room.waited_for(view.id):
        await room.move(hand)
    assert (await room.tables.view(view.id)).game.trick is not None


async def test_b38_a_pause_that_nobody_ends_is_never_ended_for_them(room):
    view = await room.started(ANN, BEA, clock="1h")
    view = await room.tables.ask(room.by(ANN), view.id, commands.CallVote(ANN, Pause()))
    number = view.votes[0].number
    await room.tables.ask(room.by(BEA), view.id, commands.CastVote(BEA, number, is_for=True))
    await live(room, 30 * DAY)
    view = await room.tables.view(view.id)
    assert (view.status, view.agreed_pause) == (Status.PLAYING, True)
