"""How well each robot plays is chosen with the command, and in the lobby seat by seat."""

import pytest

from bot.table.ids import Human, Robot, UserId
from bot.table.robots import LEVEL_NAMES
from cogs.ui import ids
from cogs.ui.post import render_post
from tests.support.discord import discord_world, text_of
from tests.support.looks import beyond_limits, menus, post_of, table, texts


def _lobby(*chairs):
    return render_post(post_of(table(chairs=(Human(UserId(1)), *chairs)), "lobby"))


def _menu(view):
    assert beyond_limits(view) == []
    return next(iter(menus(view)), None)


def test_a_lobby_offers_robots_of_every_level_with_a_word_on_each_as_long_as_a_chair_is_free():
    with_room = _menu(_lobby(None, None, None))
    assert [option["value"] for option in with_room["options"]] == list(LEVEL_NAMES)
    assert all(option["description"] for option in with_room["options"])
    assert _menu(_lobby(Robot("steady"), Robot("steady"), Robot("steady"))) is None


def test_a_second_robot_of_a_level_may_be_chosen_right_after_the_first():
    """A client sends nothing if what it shows as chosen in a menu is chosen again."""
    first = _menu(_lobby(None, None, None))
    second = _menu(_lobby(Robot("expert"), None, None))
    assert first["custom_id"] == second["custom_id"]
    assert first["id"] != second["id"]


@pytest.mark.parametrize("level", LEVEL_NAMES)
def test_a_lobby_says_how_well_each_robot_plays(level):
    assert f"**Robot 2** · {level}" in texts(_lobby(Robot(level), None, None))


def test_a_level_that_no_robot_has_any_more_keeps_its_name():
    assert "**Robot 2** · ancient" in texts(_lobby(Robot("ancient"), None, None))


async def test_robots_of_a_level_sit_down_with_the_command_and_others_are_added_one_by_one():
    async with discord_world() as world:
        ann = world.person("Ann")
        await world.slash(ann, "hearts start", seats=5, robots=1, level="casual")
        table = await world.table_id()
        chosen = ids.ChooseRobot(table)
        await world.choose(ann, world.newest_with(chosen), chosen, ["expert"])
        await world.press(ann, world.newest_with(ids.AddRobot(table)), ids.AddRobot(table))
        await world.choose(ann, world.newest_with(chosen), chosen, ["steady"])
        view = await world.app.tables.view(table)
        robots = [Robot(level) for level in ("casual", "expert", "expert", "steady")]
        assert view.chairs == (Human(UserId(ann.id)), *robots)
        assert "**Robot 3** · expert" in text_of(world.posts()[-1])


async def test_robots_are_steady_unless_somebody_wants_others():
    async with discord_world() as world:
        await world.slash(world.person("Ann"), "hearts start", seats=4, robots=3)
        view = await world.app.tables.view(await world.table_id())
        assert view.chairs[1:] == (Robot("steady"),) * 3


async def test_a_level_without_robots_opens_no_table_and_says_what_to_do():
    async with discord_world() as world:
        ann = world.person("Ann")
        told = await world.slash(ann, "hearts start", level="expert")
        assert "Say with `robots` how many" in text_of(told.response)
        assert world.posts() == []


async def test_a_level_that_was_not_offered_adds_nobody():
    async with discord_world() as world:
        ann = world.person("Ann")
        await world.slash(ann, "hearts start", seats=4)
        table = await world.table_id()
        lobby, chosen = world.newest_with(ids.ChooseRobot(table)), ids.ChooseRobot(table)
        forged = await world.forge(
            ann, lobby, ids.write(chosen), component_type=3, values=["random"]
        )
        assert forged.ephemeral
        view = await world.app.tables.view(table)
        assert view.chairs == (Human(UserId(ann.id)), None, None, None)


async def test_only_the_host_chooses_robots():
    async with discord_world() as world:
        await world.slash(world.person("Ann"), "hearts start", seats=4)
        table = await world.table_id()
        chosen = ids.ChooseRobot(table)
        refused = await world.choose(
            world.person("Bea"), world.newest_with(chosen), chosen, ["expert"]
        )
        assert "host" in text_of(refused.response)
        assert (await world.app.tables.view(table)).chairs.count(None) == 3
