"""Whole deals through commands and clicks."""

from tests.support.discord import discord_world
from tests.support.games import Watch, deals_done, play, sit_down


async def test_four_people_play_a_deal_by_clicks_alone():
    async with discord_world() as world:
        people = [world.person(name) for name in ("Ann", "Bea", "Cyd", "Dan")]
        players = await sit_down(world, people)
        watch = Watch(world, await world.table_id())
        view = await play(players, watch, until=deals_done(1))
        assert watch.leaks == []
        assert sum(view.game.totals) in {26, 78}
