"""Every preset is played at a table: a deal of each, and whole games of those that differ most."""

import pytest

from bot.rules import variants
from bot.rules.options import with_value
from bot.rules.state import Phase
from bot.rules.variants import load
from bot.table.state import Status
from tests.support.playthrough import Playthrough

pytestmark = pytest.mark.thorough

TABLES = [(name, load(name).default_players) for name in variants.names()]
TABLES += [("killer", 6), ("killer", 7), ("killer", 10), ("joker_hearts", 9), ("cancellation", 10)]
TABLES = sorted(set(TABLES))
TWO_PACKS = with_value(load("joker_hearts"), "packs", "two")


@pytest.mark.parametrize(("name", "seats"), TABLES)
async def test_a_deal_of_every_preset_is_played_at_a_table(name, seats):
    game = await Playthrough.begin(load(name), seats)
    view = await game.play(deals=1)
    assert len(view.game.scores) == 1
    alone = await game.agree()
    assert alone.totals == view.game.totals
    lobby, opening, sheet, then = 1, 1, 1, 1
    assert await game.draw_all() == lobby + opening + load(name).tricks(seats) + sheet + then
    assert game.late


@pytest.mark.parametrize("seats", [5, 9])
async def test_a_deal_with_two_packs_and_jokers_is_played_at_a_table(seats):
    game = await Playthrough.begin(TWO_PACKS, seats)
    await game.play(deals=1)
    await game.agree()


QUICK = {
    ("cancellation", 6),
    ("draw7", 2),
    ("killer", 6),
    ("killer", 10),
    ("reverse", 4),
    ("super_hearts", 4),
    ("two_player", 2),
    ("wilson", 4),
}
"""The games that differ most; the others are marked ``whole``."""
GAMES = [
    pytest.param(*table, marks=[] if table in QUICK else [pytest.mark.whole]) for table in TABLES
]


def test_the_quick_games_are_among_all():
    assert set(TABLES) >= QUICK


@pytest.mark.parametrize(("name", "seats"), GAMES)
async def test_a_game_of_every_preset_is_played_to_its_result(name, seats):
    game = await Playthrough.begin(load(name), seats)
    view = await game.play(deals=60)
    assert (view.status, view.game.phase) == (Status.OVER, Phase.OVER)
    alone = await game.agree()
    results = game.room.memory.shelves[game.table_id].results
    assert [result.points for result in results] == list(alone.totals)
    assert [result.place for result in results] == list(alone.places)
    assert {result.family for result in results} == {name}
    assert min(alone.places) == 1
    assert game.restarts
    assert await game.room.store.timers_of(game.table_id) == []
    assert game.room.memory.pings() == []
