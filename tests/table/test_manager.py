"""A table from its lobby to its result, as the edges see it."""

from bot.rules.state import Phase
from bot.table.state import Status
from tests.support.tables import ANN, BEA, Room


async def test_four_people_play_a_whole_deal_and_the_next_one_is_dealt():
    room = Room()
    view = await room.started()
    after = await room.play_until(view.id, deals=1)
    assert after.game is not None
    assert sum(after.game.totals) in (26, 78)
    assert (after.game.phase, after.game.deal) == (Phase.PASSING, 2)
    assert [secret.deal for secret in room.memory.shelves[view.id].secrets] == [1, 2]


async def test_a_game_ends_with_places_and_results_of_all_seats():
    room = Room()
    view = await room.started(ANN, BEA)
    after = await room.play_until(view.id, deals=99)
    assert after.status is Status.OVER
    results = room.memory.shelves[view.id].results
    assert [result.user_id for result in results] == [ANN, None, None, BEA]
    assert all(result.rated for result in results)
    assert max(result.points for result in results) >= 100
