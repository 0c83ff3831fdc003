"""Seats and hosts that change hands, as people meet it: commands, questions and buttons."""

import discord

from bot.table.ids import Human, Robot
from cogs.ui import ids, seat_ids
from tests.support.discord import World, custom_ids, discord_world, text_of
from tests.support.games import sit_down


async def table_of(world: World, *names: str, robots: int = 0):
    """A game of these people; the first is its host."""
    people = [world.person(name) for name in names]
    return await sit_down(world, people, robots=robots, clock="24h")


def said(world: World, words: str) -> int:
    return sum(words in text_of(message) for message in world.posts())


async def view_of(world: World, player):
    return await world.app.tables.view(player.table)


async def test_a_volunteer_chooses_a_robots_seat_and_sees_its_hand():
    async with discord_world() as world:
        ann, _ = await table_of(world, "Ann", "Bea", robots=2)
        eve = world.person("Eve")
        asked = await world.slash(eve, "hearts substitute")
        assert asked.response.ephemeral
        assert "whoever sat there before gets none" in text_of(asked.response)
        take = seat_ids.Substitute(ann.table, 2)
        shown = await world.press(eve, asked.response, take)
        assert "Choose" in text_of(shown.response)
        assert (await view_of(world, ann)).chairs[2] == Human(eve.id)
        await world.show()
        assert said(world, "takes over the seat of a robot") == 1
        late = await world.forge(world.person("Fay"), asked.response, ids.write(take))
        assert "Somebody sits there already" in text_of(late.response)


async def test_b63_who_left_cannot_come_back_once_a_volunteer_plays():
    async with discord_world() as world:
        ann, bea, *_ = await table_of(world, "Ann", "Bea", "Cyd", robots=1)
        left = await world.slash(bea.member, "hearts leave")
        await world.press(bea.member, left.response, ids.ConfirmLeave(ann.table))
        eve = world.person("Eve")
        asked = await world.slash(eve, "hearts substitute")
        await world.press(eve, asked.response, seat_ids.Substitute(ann.table, 2))
        back = ids.write(ids.TakeSeatBack(ann.table))
        refused = await world.forge(bea.member, left.response, back)
        assert "Somebody else has taken over your seat" in text_of(refused.response)
        assert (await view_of(world, ann)).chairs[2] == Human(eve.id)


async def test_who_sits_there_already_is_told_so_kindly():
    async with discord_world() as world:
        ann, _ = await table_of(world, "Ann", "Bea", robots=2)
        asked = await world.slash(ann.member, "hearts substitute")
        assert "You already sit at this table" in text_of(asked.response)


async def test_without_a_robot_there_is_no_seat_to_take():
    async with discord_world() as world:
        await table_of(world, "Ann", "Bea", "Cyd", "Dan")
        asked = await world.slash(world.person("Eve"), "hearts substitute")
        assert "No robot sits at this table" in text_of(asked.response)


async def test_a_button_of_another_server_seats_nobody():
    async with discord_world() as world:
        ann, _ = await table_of(world, "Ann", "Bea", robots=2)
        eve = world.person("Eve")
        asked = await world.slash(eve, "hearts substitute")
        direct = await world.forge(
            eve, asked.response, ids.write(seat_ids.Substitute("ABCDEFGH", 2))
        )
        assert "I do not know that table" in text_of(direct.response)
        assert (await view_of(world, ann)).chairs[2] == Robot("steady")


async def test_the_host_names_another_or_picks_one_from_the_list():
    async with discord_world() as world:
        ann, bea = await table_of(world, "Ann", "Bea", robots=2)
        done = await world.slash(ann.member, "hearts host", member=bea.member)
        assert "is the host of this table now" in text_of(done.response)
        assert (await view_of(world, ann)).host == bea.member.id
        asked = await world.slash(bea.member, "hearts host")
        choice = seat_ids.PassHost(ann.table, ann.member.id)
        assert custom_ids(asked.response) == [ids.write(choice)]
        await world.press(bea.member, asked.response, choice)
        assert (await view_of(world, ann)).host == ann.member.id
        await world.show()
        assert said(world, "is the host of this table now") == 2


async def test_somebody_else_passes_nothing_on_but_a_moderator_does():
    async with discord_world() as world:
        ann, bea = await table_of(world, "Ann", "Bea", robots=2)
        for options in ({}, {"member": bea.member}):
            refused = await world.slash(bea.member, "hearts host", **options)
            assert "Only the host" in text_of(refused.response)
        assert (await view_of(world, ann)).host == ann.member.id
        role = world.guild.create_role("mod", permissions=discord.Permissions(manage_messages=True))
        mod = world.person("Mod", roles=[role])
        await world.slash(mod, "hearts host", member=bea.member)
        assert (await view_of(world, ann)).host == bea.member.id
