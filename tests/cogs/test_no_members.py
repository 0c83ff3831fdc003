"""Commands about people who are no members of the server: they left it, or never were there."""

import discord
import pytest

from bot.table.ids import Human
from cogs.ui import vote_ids
from tests.support.discord import World, discord_world, text_of
from tests.support.games import Player, sit_down
from tests.support.seated import ended_game


async def three_of_whom_one_left(world: World) -> list[Player]:
    """A game of three and a robot; the third has left the server since."""
    people = [world.person(name) for name in ("Ann", "Bea", "Cyd")]
    players = await sit_down(world, people, robots=1, clock="24h")
    world.guild.remove_member(people[2])
    return players


def somebody_gone(world: World):
    """A user who has left the server."""
    eve = world.person("Eve")
    world.guild.remove_member(eve)
    return eve.user


@pytest.mark.case("B40")
@pytest.mark.parametrize("by", ["vote", "moderator"])
async def test_b40_a_seat_is_taken_from_somebody_who_has_left_the_server(by):
    async with discord_world() as world:
        ann, bea, cyd = await three_of_whom_one_left(world)
        rights = discord.Permissions(manage_messages=True)
        roles = [world.guild.create_role("mod", permissions=rights)]
        asking = ann.member if by == "vote" else world.person("Mod", roles=roles)
        await world.slash(asking, "hearts kick", member=cyd.member.user)
        if by == "vote":
            action = vote_ids.CastVote(ann.table, 1, is_for=True)
            await world.press(bea.member, world.newest_with(action), action)
        view = await world.app.tables.view(ann.table)
        assert Human(cyd.member.id) not in view.chairs


@pytest.mark.parametrize("where", ["server", "direct"])
async def test_who_is_no_member_is_invited_to_no_seat(where):
    async with discord_world() as world:
        ann, *_ = await three_of_whom_one_left(world)
        gone = somebody_gone(world)
        if where == "server":
            refused = await world.slash(ann.member, "hearts substitute", member=gone)
        else:
            refused = await ann.member.user.slash("hearts substitute", member=gone)
        assert "Only members of the table's server" in text_of(refused.response)
        assert not any("invites you" in text_of(post) for post in world.posts())


async def test_the_host_names_another_in_a_direct_message_too():
    async with discord_world() as world:
        ann, bea, _ = await three_of_whom_one_left(world)
        done = await ann.member.user.slash("hearts host", member=bea.member.user)
        assert "is the host of this table now" in text_of(done.response)
        assert (await world.app.tables.view(ann.table)).host == bea.member.id


async def test_start_keeps_no_seat_for_who_is_no_member():
    async with discord_world() as world:
        ann, gone = world.person("Ann"), somebody_gone(world)
        refused = await world.slash(ann, "hearts start", member1=gone)
        assert "Eve is no member of this server" in text_of(refused.response)
        assert not await world.tables()
        direct = await ann.user.slash("hearts start", member1=gone)
        assert "in a channel of a server" in text_of(direct.response)


@pytest.mark.thorough
async def test_the_results_of_somebody_who_left_are_still_told():
    async with discord_world() as world:
        ann, bea = world.person("Ann"), world.person("Bea")
        await ended_game(world, [ann, bea])
        there = await world.slash(ann, "stats", member=bea)
        world.guild.remove_member(bea)
        left = await world.slash(ann, "stats", member=bea.user)
        assert text_of(left.response) == text_of(there.response)
