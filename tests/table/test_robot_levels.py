"""Each robot at a table has a level of its own, which it keeps."""

import pytest

from bot.table import commands
from bot.table.ids import Human, Robot
from bot.table.robots import LEVEL_NAMES
from tests.support.histories import Story
from tests.support.tables import ANN, BEA, Room


@pytest.mark.parametrize("level", LEVEL_NAMES)
async def test_a_host_adds_a_robot_of_any_level(level):
    room = Room()
    view = await room.open()
    view = await room.tables.add_robot(room.by(ANN), view.id, level)
    assert view.chairs == (Human(ANN), Robot(level), None, None)


def test_a_robot_of_no_level_named_is_like_the_last_one_and_the_first_one_is_steady():
    story = Story(ANN)
    story.ask(commands.AddRobot(ANN))
    story.ask(commands.AddRobot(ANN, "expert"))
    story.ask(commands.AddRobot(ANN))
    assert story.table.chairs[1:] == (Robot("steady"), Robot("expert"), Robot("expert"))


async def test_robots_of_the_level_asked_for_sit_down_as_far_as_there_are_chairs():
    room = Room()
    view = await room.open(robots=9, invited=(BEA,), level="sharp")
    assert view.chairs == (Human(ANN), Robot("sharp"), Robot("sharp"), None)


async def test_a_rematch_has_robots_of_the_same_levels_and_none_for_people_whose_seat_one_kept():
    room = Room()
    view = await room.open(invited=(BEA,))
    await room.tables.join(room.by(BEA), view.id)
    for level in ("expert", "sharp"):
        view = await room.tables.add_robot(room.by(ANN), view.id, level)
    robots = view.chairs[2:]
    await room.tables.start(room.by(ANN), view.id)
    await room.tables.leave(room.by(BEA), view.id)
    await room.tables.end(room.by(ANN), view.id, moderator=False)
    again = await room.tables.rematch(room.by(ANN), view.id, view.channel_id)
    assert again.chairs == (Human(ANN), *robots, None)


async def test_the_robot_that_sits_in_for_a_person_is_steady_whatever_the_others_are():
    room = Room()
    view = await room.started(ANN, BEA, level="expert")
    view = await room.tables.leave(room.by(BEA), view.id)
    kept = Robot("steady", keeps_for=BEA)
    assert view.chairs == (Human(ANN), Robot("expert"), Robot("expert"), kept)
