"""A game whose end is left to the players, or to the clock, as people meet it (rules.md 3.8)."""

from bot.table.ids import GuildId
from bot.table.state import Status
from cogs.ui import ids
from tests.support.discord import World, custom_ids, discord_world, text_of
from tests.support.games import Player, Watch, is_over, play, sit_down
from tests.support.house import server_playing

MINUTE = 60


async def seated(world: World, **end: object) -> list[Player]:
    """Two people and two robots, by house rules that end like that."""
    settings = server_playing({"end": end, "tie": "share"})
    await world.app.bot.services.settings.save_server(GuildId(world.guild.id), settings)
    people = [world.person("Ann"), world.person("Bea")]
    return await sit_down(world, people, robots=2, clock="off")


def said(world: World, words: str) -> int:
    """How often the channel says that."""
    return sum(words in text_of(message) for message in world.posts())


async def test_the_host_calls_the_last_deal_from_the_question_about_the_end():
    async with discord_world() as world:
        ann, bea = await seated(world, hands="open")
        call = ids.CallLastDeal(ann.table, 1)
        asked = await world.slash(ann.member, "hearts end")
        done = await world.press(ann.member, asked.response, call)
        assert "You called the last deal" in text_of(done.response)
        await world.show()
        assert said(world, "called the last deal: this one ends the game.") == 1
        again = await world.forge(ann.member, asked.response, ids.write(call))
        assert "has been called already" in text_of(again.response)
        view = await play([ann, bea], Watch(world, ann.table), until=is_over)
        assert view.game is not None
        assert (view.status, len(view.game.scores)) == (Status.OVER, 1)


async def test_somebody_else_is_neither_asked_nor_obeyed():
    async with discord_world() as world:
        ann, bea = await seated(world, hands="open")
        call = ids.write(ids.CallLastDeal(ann.table, 1))
        asked = await world.slash(ann.member, "hearts end")
        assert call in custom_ids(asked.response), "the control"
        forged = await world.forge(bea.member, asked.response, call)
        assert "Only the host" in text_of(forged.response)
        view = await world.app.tables.view(ann.table)
        assert view.game is not None
        assert not view.game.last_deal


async def test_the_clock_calls_the_last_deal_in_public():
    async with discord_world() as world:
        ann, bea = await seated(world, minutes=30)
        assert said(world, "Time is up") == 0
        await world.pass_time(30 * MINUTE + 1)
        await world.show()
        assert said(world, "Time is up: this is the last deal.") == 1
        view = await play([ann, bea], Watch(world, ann.table), until=is_over)
        assert view.game is not None
        assert (view.status, len(view.game.scores)) == (Status.OVER, 1)
