"""No public post holds, or depends on, a card that was not played (discord.md 3; B22, B130)."""

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.rules.cards import Card
from bot.rules.state import Game
from bot.table import posts
from cogs.ui.hand import render_hand
from cogs.ui.post import render_post
from tests.support.looks import (
    all_posts,
    hand_of,
    named_in,
    payload,
    post_of,
    states,
    table,
    unplayed,
)
from tests.support.rulesets import HAND_SIZES

SEEDS = st.integers(0, 2**32)


def _of_this_deal(game: Game) -> list[str]:
    """Posts of the deal under way: what is played is in them, what is not must not be."""
    found = posts.slots(table(game))
    opening = max(place for place, slot in enumerate(found) if slot.startswith("deal:"))
    return [slot for slot in found[opening:] if not slot.startswith(("sheet:", "result"))]


def _swapped(game: Game, rng: random.Random) -> Game:
    """The same game with its unplayed cards dealt out anew in secret."""
    if game.deal is None:
        return game
    cards = sorted(unplayed(game), key=str)
    rng.shuffle(cards)
    hands = []
    for hand in game.deal.hands:
        hands.append(frozenset(cards[: len(hand)]))
        cards = cards[len(hand) :]
    return replace(game, deal=replace(game.deal, hands=tuple(hands)))


@settings(max_examples=3)
@given(SEEDS, st.sampled_from(sorted(HAND_SIZES)))
def test_b22_no_post_of_a_whole_game_names_an_unplayed_card(seed, seats):
    for game in states(random.Random(seed), seats=seats):
        if game.deal is None or not unplayed(game):
            continue
        at = table(game)
        for slot in _of_this_deal(game)[-2:]:
            assert not named_in(payload(render_post(post_of(at, slot))), unplayed(game))


@settings(max_examples=3)
@given(SEEDS, st.sampled_from(sorted(HAND_SIZES)))
def test_b130_no_post_depends_on_who_holds_which_card(seed, seats):
    rng = random.Random(seed)
    for game in states(rng, seats=seats):
        if rng.random() > 0.05:
            continue
        other = _swapped(game, rng)
        shown = [payload(render_post(post)) for post in all_posts(table(game))]
        assert shown == [payload(render_post(post)) for post in all_posts(table(other))]


@pytest.mark.parametrize("seats", sorted(HAND_SIZES))
def test_b22_control_the_same_looks_find_the_cards_in_a_private_hand(seats):
    game = next(game for game in states(random.Random(1), seats=seats) if unplayed(game))
    shown = payload(render_hand(hand_of(game)))
    assert game.deal is not None
    assert named_in(shown, unplayed(game)) == game.deal.hands[0]


@pytest.mark.parametrize(
    "planted", ["h1:x:QS", "Q\u2007♠\ufe0e", "`Q♠\ufe0e`", "the Queen of spades"]
)
def test_b22_control_each_way_of_naming_a_card_is_found(planted):
    assert named_in(f'"{planted}"', [Card.parse("QS"), Card.parse("KS")]) == {Card.parse("QS")}
