"""The panel of settings: what is pressed is stored, and what is shown is what is stored."""

from typing import Any

import discord
import pytest

from bot.table.ids import GuildId
from bot.table.storing import ServerSettings
from cogs.ui import ids, rule_ids, server_ids
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
        (server_ids.ChooseClock(), ["7d"], {"clock": "7d"}),
        (server_ids.ChooseVacation(), ["30"], {"vacation_days": 30}),
        (server_ids.ChooseVacation(), ["0"], {"vacation_days": 0}),
        (server_ids.ChooseThreads(), ["thread"], {"threads": True}),
        (server_ids.ChooseThreads(), ["channel"], {"threads": False}),
        (server_ids.ChooseClaims(), ["itself"], {"claims": "itself"}),
        (server_ids.ChooseClaims(), ["ask"], {"claims": "ask"}),
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
        after = await world.choose(boss, panel, server_ids.ChooseChannels(), [world.channel])
        assert (await stored(world)).channels == (world.channel.id,)
        assert ticked(after.response, server_ids.ChooseChannels()) == {str(world.channel.id)}
        await world.choose(boss, panel, server_ids.ChooseChannels(), [])
        assert (await stored(world)).channels == ()


async def test_reset_brings_back_the_defaults_and_forgets_neither_greeting_nor_house_rules():
    async with discord_world() as world:
        boss = a_manager(world)
        ours = (house(),)
        await keep(
            world,
            ServerSettings(house_rules=ours, default_house="7", threads=True, greeted=True),
        )
        panel = (await world.slash(boss, "settings")).response
        await world.press(boss, panel, server_ids.ResetSettings())
        assert await stored(world) == ServerSettings(house_rules=ours, greeted=True)


@pytest.mark.parametrize(
    ("action", "values"),
    [
        (server_ids.ChooseClock(), ["forever"]),
        (server_ids.ChooseClock(), []),
        (server_ids.ChooseClock(), ["1h", "8h"]),
        (server_ids.ChooseVacation(), ["365"]),
        (server_ids.ChooseThreads(), ["True"]),
        (server_ids.ChooseClaims(), ["never"]),
        (rule_ids.ChooseUsual(1), ["../standard"]),
        (server_ids.ChooseChannels(), ["everywhere"]),
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
