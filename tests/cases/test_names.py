"""Names and mentions: rows B86 and B88 of the known cases."""

from collections.abc import Iterator
from typing import Any

import discord
import pytest

from cogs.ui import ids
from tests.support.discord import World, discord_world, walk
from tests.support.games import Watch, deals_done, play, sit_down

HOSTILE = ("@everyone", "@here", "<@&123456789012345678>", "<@123456789012345678>")


def messages(world: World) -> Iterator[dict[str, Any]]:
    """The body of every request that says something to somebody."""
    for method, path, body in world.wire.payloads:
        if method in {"POST", "PATCH"} and isinstance(body, dict) and "commands" not in path:
            said = body.get("data") or body
            if said.get("content") or said.get("components"):
                yield said


def words(body: dict[str, Any]) -> str:
    parts = walk(body.get("components") or [])
    return "\n".join([body.get("content") or "", *(part.get("content", "") for part in parts)])


def pinged(body: dict[str, Any]) -> set[int]:
    return {int(user) for user in body["allowed_mentions"].get("users", [])}


@pytest.mark.thorough
async def test_b86_players_named_like_mentions_ping_nobody_but_the_one_to_move():
    async with discord_world() as world:
        people = [world.person(name) for name in HOSTILE]
        players = await sit_down(world, people)
        watch = Watch(world, players[0].table)
        await play(players[:1], watch, until=lambda view: view.game.passed[0])
        await world.pass_time(4)
        await play(players, watch, until=deals_done(1))
        said = list(messages(world))
        assert {tuple(body["allowed_mentions"]["parse"]) for body in said} == {()}
        called = [body for body in said if pinged(body)]
        assert {user for body in called for user in pinged(body)} <= {each.id for each in people}
        for body in called:
            [user] = pinged(body)
            assert body["content"].startswith(f"<@{user}> ")
        for body in said:
            text = words(body)
            assert "@everyone" not in text
            assert "@here" not in text
            assert "<@&" not in text
            assert "<@123" not in text


async def test_b86_the_host_of_an_invitation_named_like_a_mention_calls_the_guest_alone():
    async with discord_world() as world:
        host, guest = world.person("@everyone"), world.person("Bea")
        result = await world.slash(host, "hearts start", member1=guest)
        [called] = [body for body in messages(world) if pinged(body)]
        assert pinged(called) == {guest.id}
        assert "@everyone" not in words(called)
        assert not result.followups[0].ephemeral


@pytest.mark.thorough
async def test_b88_every_message_says_itself_whom_it_may_ping():
    async with discord_world() as world:
        assert world.app.bot.allowed_mentions.to_dict() == discord.AllowedMentions.none().to_dict()
        people = [world.person(name) for name in ("Ann", "Bea")]
        players = await sit_down(world, people, robots=2)
        await play(players, Watch(world, players[0].table), until=deals_done(1))
        await world.slash(people[0], "hearts help")
        await world.slash(people[0], "hearts games")
        asked = await world.slash(people[0], "hearts leave")
        await world.press(people[0], asked.response, ids.ConfirmLeave(players[0].table))
        said = list(messages(world))
        assert len(said) > 50
        assert [body for body in said if "allowed_mentions" not in body] == []


@pytest.mark.parametrize("name", HOSTILE)
async def test_b86_such_a_name_in_an_error_pings_nobody(name):
    async with discord_world() as world:
        ann = world.person("Ann")
        robot = world.guild.add_member(world.env.create_user(name, bot=True))
        await world.slash(ann, "hearts start", member1=robot)
        [body] = messages(world)
        assert body["allowed_mentions"]["parse"] == []
        assert name not in words(body)
