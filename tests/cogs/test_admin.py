"""`/hearts admin`: all tables of a server, for those who manage it (cases.md B47)."""

import discord
import pytest

from bot.table.state import Status
from cogs.ui import ids
from tests.support.discord import World, discord_world, text_of
from tests.support.games import sit_down

DAY = 86_400


def boss_of(world: World):
    rights = discord.Permissions(manage_guild=True)
    return world.person("Boss", roles=[world.guild.create_role("boss", permissions=rights)])


async def two_tables(world: World):
    """A game that was left alone for a day, and a lobby in another channel."""
    people = [world.person("Ann"), world.person("Bea")]
    ann, _ = await sit_down(world, people, robots=2, clock="7d")
    await world.pass_time(DAY)
    other = world.guild.create_text_channel("other")
    await world.slash(world.person("Cyd"), "hearts start", channel=other)
    return ann, other


@pytest.mark.case("B47")
async def test_b47_all_tables_are_listed_with_age_last_move_and_state_of_their_channel():
    async with discord_world() as world:
        ann, other = await two_tables(world)
        listed = await world.slash(boss_of(world), "hearts admin", channel=other)
        assert listed.response.ephemeral
        words = text_of(listed.response)
        assert words.index(ann.table) < words.index("waiting for players")
        assert words.count("opened <t:") == words.count("last move <t:") == 2
        world.env.backend.delete_channel(world.channel.id)
        await world.env.settle()
        again = await world.slash(boss_of(world), "hearts admin", channel=other)
        assert "its channel is gone" in text_of(again.response)


@pytest.mark.case("B47")
async def test_b47_a_table_is_ended_although_its_channel_is_gone():
    async with discord_world() as world:
        ann, other = await two_tables(world)
        boss = boss_of(world)
        world.env.backend.delete_channel(world.channel.id)
        await world.env.settle()
        typed = ann.table.lower()
        asked = await world.slash(boss, "hearts admin", channel=other, table=typed)
        await world.press(boss, asked.response, ids.ConfirmEnd(ann.table))
        assert (await world.app.tables.view(ann.table)).status is Status.CLOSED
        listed = await world.slash(boss, "hearts admin", channel=other)
        assert ann.table not in text_of(listed.response)


async def test_who_does_not_manage_the_server_sees_and_ends_nothing():
    async with discord_world() as world:
        ann, _ = await two_tables(world)
        eve = world.person("Eve")
        for options in ({}, {"table": ann.table}):
            refused = await world.slash(eve, "hearts admin", **options)
            assert "Only people who may manage this server" in text_of(refused.response)


async def test_in_a_direct_message_admin_says_where_it_works():
    async with discord_world() as world:
        refused = await boss_of(world).user.slash("hearts admin")
        assert "I list the tables of a server there" in text_of(refused.response)


async def test_a_table_of_another_name_is_unknown():
    async with discord_world() as world:
        await two_tables(world)
        unknown = await world.slash(boss_of(world), "hearts admin", table="nothing")
        assert "I do not know that table" in text_of(unknown.response)


async def test_without_a_table_the_list_says_so():
    async with discord_world() as world:
        listed = await world.slash(boss_of(world), "hearts admin")
        assert "There is none right now" in text_of(listed.response)


@pytest.mark.parametrize("manages", [True, False])
async def test_tables_are_offered_to_choose_from_to_those_who_manage_the_server(manages):
    async with discord_world() as world:
        await two_tables(world)
        member = boss_of(world) if manages else world.person("Eve")
        offered = await member.autocomplete(world.channel, "hearts admin", "table", "")
        assert len(offered) == (2 if manages else 0)
