"""`/hearts rules` for a variant at a number of players."""

from tests.support.discord import discord_world, text_of


async def test_rules_are_told_for_as_many_players_as_are_asked_for():
    async with discord_world() as world:
        ann = world.person("Ann")
        told = await world.slash(ann, "hearts rules", variant="killer", seats=10)
        assert "11 to each of you" in text_of(told.response)
        told = await world.slash(ann, "hearts rules", variant="killer", seats=4)
        assert "can be played with 6, 7, 8, 9, and 10 seats" in text_of(told.response)
