"""`/hearts nudge` as people meet it."""

from tests.support.discord import discord_world, text_of
from tests.support.games import sit_down

ASKED = "Somebody there is looking forward to your move."


async def test_who_is_waited_for_is_called_once_more_and_only_once():
    async with discord_world() as world:
        people = [world.person("Ann"), world.person("Bea")]
        ann, bea = await sit_down(world, people, robots=2, clock="24h")
        await world.pass_time(60)
        asked = await world.slash(ann.member, "hearts nudge")
        assert asked.response.ephemeral
        assert "is called once more" in text_of(asked.response)
        await world.show()
        [call] = [post for post in world.posts() if ASKED in text_of(post)]
        assert text_of(call).startswith(f"<@{bea.member.id}>")
        assert "You have time until" in text_of(call)
        again = await world.slash(ann.member, "hearts nudge")
        assert "at most every six hours" in text_of(again.response)
        await world.show()
        assert sum(ASKED in text_of(post) for post in world.posts()) == 1
