"""Every preset with every number of seats, drawn at many moments of a deal (discord.md 2.2)."""

from dataclasses import replace
from random import Random

import pytest

from bot.rules import variants
from bot.rules.cards import sorted_cards
from bot.rules.passing import pass_count
from bot.rules.sentence import Sentence
from bot.rules.state import Phase
from bot.table.ids import UserId
from cogs.ui.hand import render_hand
from cogs.ui.parts import text
from cogs.ui.post import render_post
from cogs.ui.score_sheet import render_scores
from tests.support.looks import (
    all_posts,
    beyond_limits,
    everybody_at,
    hand_of,
    table,
    view_of,
)
from tests.support.rulesets import EVERY_TABLE
from tests.support.seeded import course

pytestmark = pytest.mark.thorough

LONG_NAMES = {UserId(number): "*" * 32 for number in range(1, 12)}
LOUD = Sentence("{text}", {"text": "x" * 200})
DRAWN = 0.12
"""How many of the moments of a deal are drawn."""


def _hands(game, seat, dice):
    """All that the person on *seat* may be shown now."""
    view = hand_of(game, seat, table=everybody_at(game), names=LONG_NAMES, notice=LOUD)
    yield render_hand(view, server="*" * 100)
    if game.phase is Phase.PASSING:
        count = pass_count(game.deal.step, game.seats)
        picked = frozenset(dice.sample(sorted_cards(view.hand.hand), count))
        yield render_hand(view, picked=picked)
        yield render_hand(view, choosing=True)
    if game.phase is Phase.PLAYING and view.hand.choice:
        yield render_hand(view, asking=sorted_cards(view.hand.choice.cards)[0])


def _drawn(game, dice):
    """All that anybody may be shown of *game* now."""
    at = everybody_at(game)
    yield from map(render_post, all_posts(at, names=LONG_NAMES)[-2:])
    waiting = [seat for seat in range(game.seats) if not game.deal.hands[seat]] or [0]
    for seat in {dice.randrange(game.seats), waiting[0]}:
        yield from _hands(game, seat, dice)


@pytest.mark.parametrize("at", EVERY_TABLE, ids=lambda at: f"{at[0]}_{at[1]}")
def test_all_that_a_preset_shows_is_within_discords_limits(at):
    name, seats = at
    dice = Random(f"{name} {seats}")
    for game, _ in course(variants.load(name), seats, dice, deals=2):
        if dice.random() < DRAWN or game.phase is not Phase.PLAYING:
            for view in _drawn(game, dice):
                assert beyond_limits(view) == []
    scored = view_of(everybody_at(game), names=LONG_NAMES)
    assert beyond_limits(render_scores(scored)) == []


@pytest.mark.parametrize("at", [("killer", 10), ("killer", 9), ("spot", 4), ("wilson", 6)])
def test_the_scores_of_a_long_game_are_within_the_limits(at):
    name, seats = at
    *_, (game, _) = course(variants.load(name), seats, Random(7), deals=3)
    scores = tuple(replace(game.scores[n % 3], deal=n + 1) for n in range(60))
    view = view_of(everybody_at(replace(game, scores=scores)), names=LONG_NAMES)
    assert beyond_limits(render_scores(view)) == []


def test_control_what_is_beyond_the_limits_is_found():
    view = render_hand(hand_of(None))
    view.add_item(text("x" * 4_001))
    assert beyond_limits(view) == [f"{view.content_length()} characters"]
    twice = render_hand(hand_of(None))
    for item in render_hand(hand_of(None)).children:
        twice.add_item(item)
    assert "two equal custom ids" in beyond_limits(twice)


@pytest.mark.parametrize("seats", [6, 10])
def test_a_lobby_of_many_seats_is_within_the_limits(seats):
    at = everybody_at(next(iter(course(variants.load("killer"), seats, Random(1), deals=1)))[0])
    lobby = table(chairs=at.chairs, ruleset=at.ruleset)
    [post] = all_posts(lobby, names=LONG_NAMES)
    assert beyond_limits(render_post(post)) == []
