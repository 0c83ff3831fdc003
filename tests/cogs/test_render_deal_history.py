"""A deal that is over, as anybody may look at it again: every variant, with the longest names."""

from dataclasses import replace

import pytest

from bot.rules import variants
from bot.table import history
from bot.table.looking_back import past_deal
from cogs.ui.deal_history import render_past_deal
from cogs.ui.parts import MOST_CHARACTERS, MOST_COMPONENTS
from cogs.ui.people import voice_of
from tests.support.looks import texts
from tests.support.tables import FOUR, Room

LONGEST = "_" * 32
"""Of which every character takes two, since it has to be escaped."""


async def played(name, seats):
    """A table of people with the longest names, and its first deal."""
    room = Room()
    people = (*FOUR, *range(900, 906))[:seats]
    view = await room.started(*people, seats=seats, ruleset=variants.load(name))
    await room.play_until(view.id, deals=1)
    deal = past_deal(history.replay(await room.store.load(view.id)).table, 1)
    view = await room.tables.view(view.id)
    return replace(view, names=dict.fromkeys(people, LONGEST)), deal


@pytest.mark.parametrize(
    ("name", "seats"), [("standard", 4), ("draw7", 2), ("killer", 6), ("cancellation", 10)]
)
async def test_it_fits_into_one_message_with_every_name_at_its_longest(name, seats):
    drawn = render_past_deal(*await played(name, seats))
    assert drawn.content_length() <= MOST_CHARACTERS
    assert drawn.total_children_count <= MOST_COMPONENTS
    assert "Tricks" in texts(drawn)


async def test_where_seats_stand_for_names_one_line_says_who_sits_there():
    view, deal = await played("killer", 10)
    drawn = render_past_deal(view, deal)
    named = enumerate(voice_of(view, None).seat_names, 1)
    assert texts(drawn).splitlines()[1] == "-# " + " · ".join(f"{at} {name}" for at, name in named)
    assert "seat 10:" in texts(drawn)
    assert drawn.content_length() <= MOST_CHARACTERS
    short = render_past_deal(replace(view, names=dict.fromkeys(view.names, "Ann")), deal)
    assert "seat 10:" not in texts(short)
    assert texts(short).splitlines()[1] == "**Dealt**"


async def test_the_line_is_left_out_where_it_would_be_too_long(monkeypatch):
    view, deal = await played("killer", 10)
    bare = 2_100
    monkeypatch.setattr("cogs.ui.deal_history.MOST_CHARACTERS", bare)
    drawn = render_past_deal(view, deal)
    assert texts(drawn).splitlines()[1] == "**Dealt**"
    assert drawn.content_length() <= bare
