"""Every preset is played in Discord, by a person's clicks and robots, from the lobby to a score.

A whole deal of each is part of every run. Whole games take minutes: they are marked ``whole``,
and `make test` leaves them to `make test-whole`.
"""

from contextlib import closing

import pytest

from bot.rules import variants
from bot.rules.options import with_value
from bot.rules.ruleset_io import to_dict
from bot.rules.variants import load
from bot.table.ids import GuildId
from bot.table.views import TableView
from tests.support.discord import World, discord_world
from tests.support.games import Watch, deals_done, is_over, play, sit_down
from tests.support.histories import replayed
from tests.support.house import server_playing
from tests.support.truth import Ledger

pytestmark = [pytest.mark.slow, pytest.mark.thorough]

TABLES = [(name, load(name).default_players) for name in variants.names()]
TABLES += [("killer", 7), ("killer", 10), ("joker_hearts", 9), ("cancellation", 10)]


async def open_table(world: World, name: str, seats: int):
    person = world.person("Ann")
    return await sit_down(world, [person], robots=seats - 1, seats=seats, variant=name, clock="off")


def agree(world: World, view: TableView) -> None:
    """What is shown is what is stored, and what the rules make of the moves alone."""
    assert view.game is not None
    with closing(Ledger(world.file)) as ledger:
        game = replayed(ledger.events(view.id, 0)).game
    assert game is not None
    assert game.totals == view.game.totals


@pytest.mark.parametrize(("name", "seats"), TABLES)
async def test_a_deal_of_every_preset_is_played_in_discord(name: str, seats: int):
    async with discord_world() as world:
        players = await open_table(world, name, seats)
        watch = Watch(world, players[0].table)
        view = await play(players, watch, until=deals_done(1))
        assert view.game is not None
        assert len(view.game.scores) >= 1
        await world.show()
        await watch.look()
        assert watch.leaks == []
        agree(world, view)


async def test_a_deal_with_two_packs_and_jokers_is_played_in_discord():
    """rules.md 1.9: 104 cards and a joker for five, as a server chose it for its house rules."""
    two_packs = to_dict(with_value(load("joker_hearts"), "packs", "two"))
    async with discord_world() as world:
        save = world.app.bot.services.settings.save_server
        await save(GuildId(world.guild.id), server_playing(two_packs))
        players = await sit_down(world, [world.person("Ann")], robots=4, clock="off")
        watch = Watch(world, players[0].table)
        view = await play(players, watch, until=deals_done(1))
        assert view.game is not None
        assert len(view.game.ruleset.deck(5)) == 105
        assert len(view.game.scores) == 1
        await world.show()
        await watch.look()
        assert watch.leaks == []
        agree(world, view)


@pytest.mark.whole
@pytest.mark.parametrize(("name", "seats"), TABLES)
async def test_a_game_of_every_preset_is_played_to_its_result(name: str, seats: int):
    async with discord_world() as world:
        players = await open_table(world, name, seats)
        watch = Watch(world, players[0].table)
        view = await play(players, watch, until=is_over)
        await world.show()
        await watch.look()
        assert view.game is not None
        assert min(view.game.places) == 1
        assert watch.leaks == []
        agree(world, view)
