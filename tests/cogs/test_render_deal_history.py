"""A deal that is over, as anybody may look at it again: every variant, with the longest names."""

import pytest

from bot.rules import variants
from bot.table import history
from bot.table.looking_back import past_deal
from cogs.ui.deal_history import render_past_deal
from cogs.ui.parts import MOST_CHARACTERS, MOST_COMPONENTS
from tests.support.looks import texts
from tests.support.tables import FOUR, Room


@pytest.mark.parametrize(
    ("name", "seats"), [("standard", 4), ("draw7", 2), ("killer", 6), ("cancellation", 10)]
)
async def test_it_fits_into_one_message_with_every_name_at_its_longest(name, seats):
    room = Room()
    people = (*FOUR, *range(900, 906))[:seats]
    view = await room.started(*people, seats=seats, ruleset=variants.load(name))
    await room.play_until(view.id, deals=1)
    for person in people:
        room.memory.members[1, person] = "_" * 32
    deal = past_deal(history.replay(await room.store.load(view.id)).table, 1)
    drawn = render_past_deal(await room.tables.view(view.id), deal)
    assert drawn.content_length() <= MOST_CHARACTERS
    assert drawn.total_children_count <= MOST_COMPONENTS
    assert "Tricks" in texts(drawn)
