"""The panel of settings: what is pressed is stored, and what is shown is what is stored."""

from typing import Any

import discord
import pytest

from bot.table.ids import GuildId
from bot.table.storing import ServerSettings
from cogs.ui import ids, rule_ids
from tests.support.discord import World, components_of, discord_world, text_of, walk
from tests.support.house import house


def a_manager(world: World) -> Any:
    role = world.guild.create_role("manager", permissions=discord.Permissions(manage_guild=True))
    return world.person("Boss", roles=[role])


async def keep(world: World, settings: ServerSettings) -> None:
    await world.app.bot.services.settings.save_server(GuildId(world.guild.id), settings)


async def stored(world: World) -> ServerSettings:
    return await world.app.bot.services.settings.server(GuildId(world.guild.id))


def ticked(message: Any, action: ids.Action) -> set[str]:
    """The values that a menu of the panel shows as chosen."""
    for part in walk(components_of(message)):
        if part.get("custom_id") == ids.write(action):
            options = {each["value"] for each in part.get("options", []) if each.get("default")}
            return options | {str(each["id"]) for each in part.get("default_values") or []}
    raise AssertionError(action)


@pytest.mark.parametrize(
    ("action", "values", "expected"),
    [
        (ids.ChooseClock(), ["7d"], {"clock": "7d"}),
        (ids.ChooseVacation(), ["30"], {"vacation_days": 30}),
        (ids.ChooseVacation(), ["0"], {"vacation_days": 0}),
        (rule_ids.ChooseUsual(1), ["spot"], {"variant": "spot", "default_house": None}),
        (rule_ids.ChooseUsual(2), ["killer"], {"variant": "killer", "default_house": None}),
        (rule_ids.ChooseUsualHouse(), ["7"], {"default_house": "7"}),
    ],
)
async def test_each_menu_is_saved_at_once_and_shows_what_is_stored(action, values, expected):
    async with discord_world() as world:
        boss = a_manager(world)
        await keep(world, ServerSettings(house_rules=(house(),)))
        panel = (await world.slash(boss, "settings")).response
        after = await world.choose(boss, panel, action, values)
        settings = await stored(world)
        for name, value in expected.items():
            assert getattr(settings, name) == value
        assert ticked(after.response, action) == set(values)
        again = await world.slash(boss, "settings")
        assert ticked(again.response, action) == set(values)
        assert again.response.ephemeral


async def test_channels_are_chosen_and_none_means_everywhere():
    async with discord_world() as world:
        boss = a_manager(world)
        panel = (await world.slash(boss, "settings")).response
        after = await world.choose(boss, panel, ids.ChooseChannels(), [world.channel])
        assert (await stored(world)).channels == (world.channel.id,)
        assert ticked(after.response, ids.ChooseChannels()) == {str(world.channel.id)}
        await world.choose(boss, panel, ids.ChooseChannels(), [])
        assert (await stored(world)).channels == ()


async def test_reset_brings_back_the_defaults_and_forgets_neither_greeting_nor_house_rules():
    async with discord_world() as world:
        boss = a_manager(world)
        ours = (house(),)
        await keep(
            world,
            ServerSettings(house_rules=ours, default_house="7", clock="1h", greeted=True),
        )
        panel = (await world.slash(boss, "settings")).response
        await world.press(boss, panel, ids.ResetSettings())
        assert await stored(world) == ServerSettings(house_rules=ours, greeted=True)


@pytest.mark.parametrize(
    ("action", "values"),
    [
        (ids.ChooseClock(), ["forever"]),
        (ids.ChooseClock(), []),
        (ids.ChooseClock(), ["1h", "8h"]),
        (ids.ChooseVacation(), ["365"]),
        (rule_ids.ChooseUsual(1), ["../standard"]),
        (ids.ChooseChannels(), ["everywhere"]),
    ],
)
async def test_a_value_that_was_never_offered_changes_nothing(action, values):
    async with discord_world() as world:
        boss = a_manager(world)
        panel = (await world.slash(boss, "settings")).response
        before = await stored(world)
        result = await world.forge(boss, panel, ids.write(action), component_type=3, values=values)
        assert "do not know that choice" in text_of(result.response)
        assert await stored(world) == before
