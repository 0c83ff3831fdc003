"""No public post holds, or depends on, a card that was not played (discord.md 3; B22, B130)."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import strategies as st

from bot.rules import variants
from bot.rules.cards import Card, Hand, Seat
from bot.rules.state import Game, Phase, Play, Trick
from bot.rules.view import seat_view
from bot.table import posts
from bot.table.catching_up import Taken
from bot.table.posting import Post
from bot.table.views import HandView
from cogs.ui import ids
from cogs.ui.hand import render_hand
from cogs.ui.post import render_post
from tests.support.hidden import otherwise
from tests.support.looks import (
    actions,
    all_posts,
    everybody_at,
    hand_of,
    named_in,
    payload,
    post_of,
    states,
    unplayed,
)
from tests.support.rulesets import EVERY_TABLE, HAND_SIZES
from tests.support.seeded import course

pytestmark = pytest.mark.thorough

SEEDS = st.integers(0, 2**32)
LOOKED_AT = 0.5
"""How many of the moments of a deal are looked at, …"""
COMPARED = 0.1
"""… and how many of those are drawn with the hidden cards lying otherwise, too."""

Draw = Callable[[Game, Post], str]
"""What everybody is sent of a post."""


def _drawn(_: Game, post: Post) -> str:
    return payload(render_post(post))


def _of_this_deal(game: Game) -> list[str]:
    """Posts of the deal under way: what is played is in them, what is not must not be."""
    found = posts.slots(everybody_at(game))
    opening = max(place for place, slot in enumerate(found) if slot.startswith("deal:"))
    return [slot for slot in found[opening:] if not slot.startswith(("sheet:", "result"))]


def leaks(name: str, seats: int, draw: Draw = _drawn) -> Iterator[str]:
    """What looks at a deal of a preset find: cards that are named, and what hangs on secrets."""
    dice = Random(f"{name} {seats}")
    for game, _ in course(variants.load(name), seats, dice, deals=1):
        if game.deal is None or not any(game.deal.hands) or dice.random() > LOOKED_AT:
            continue
        slot = _of_this_deal(game)[-1]
        shown = draw(game, post_of(everybody_at(game), slot))
        yield from (f"{slot}: {card}" for card in named_in(shown, unplayed(game)))
        if dice.random() < COMPARED and game.phase is Phase.PLAYING:
            first, again = (
                [draw(each, post) for post in all_posts(everybody_at(each))]
                for each in (game, otherwise(game, None, dice))
            )
            if first != again:
                yield "hidden cards make a difference"


@pytest.mark.parametrize("at", EVERY_TABLE, ids=lambda at: f"{at[0]}_{at[1]}")
def test_b22_b130_no_post_of_any_preset_names_or_depends_on_an_unplayed_card(at):
    assert list(leaks(*at)) == []


def _the_leaders_lowest(game: Game) -> Card:
    assert game.deal is not None
    return min(next(hand for hand in game.deal.hands if hand), key=lambda card: card.order)


def _from_the_widow(game: Game) -> Card:
    assert game.deal is not None
    return min(game.deal.widow, key=lambda card: card.order)


def _the_next_to_draw(game: Game) -> Card:
    assert game.deal is not None
    return game.deal.stock[0] if game.deal.stock else _the_leaders_lowest(game)


@pytest.mark.parametrize(
    ("name", "seats", "secret"),
    [
        ("killer", 10, _the_leaders_lowest),
        ("joker_hearts", 9, _the_leaders_lowest),
        ("killer", 6, _from_the_widow),
        ("two_player", 2, _from_the_widow),
        ("draw7", 2, _the_next_to_draw),
    ],
)
@pytest.mark.parametrize("told", ["named", "hinted at"])
def test_b22_control_a_card_that_a_post_tells_is_found(name, seats, secret, told):
    def telling(game: Game, post: Post) -> str:
        card = secret(game)
        hint = str(card.suit is None or card.order[0] % 2)
        return _drawn(game, post) + (f"`{card.face}`" if told == "named" else hint)

    assert next(leaks(name, seats, telling), None)


@pytest.mark.parametrize("at", [("standard", 4), ("killer", 6), ("draw7", 2)])
def test_b22_no_button_of_a_post_carries_a_card(at):
    name, seats = at
    for game, _ in course(variants.load(name), seats, Random(name), deals=1):
        newest = all_posts(everybody_at(game))[-1]
        assert not any(map(_carries_a_card, actions(render_post(newest))))


def _carries_a_card(action: ids.Action) -> bool:
    return hasattr(action, "card") or hasattr(action, "cards")


DrawHand = Callable[[Game, HandView], str]
"""What one person is sent of a hand."""


def _drawn_hand(_: Game, view: HandView) -> str:
    return payload(render_hand(view))


def hand_leaks(name: str, seats: int, draw: DrawHand = _drawn_hand) -> Iterator[str]:
    """What looks at hands of people who missed all of a deal find: as `leaks`, for one seat."""
    dice = Random(f"{name} {seats}")
    for game, _ in course(variants.load(name), seats, dice, deals=1):
        if not unplayed(game) or dice.random() > COMPARED:
            continue
        seat = Seat(dice.randrange(seats))
        own = seat_view(game, seat)
        known = {card.face for card in own.hand | own.given | own.received | own.widow}
        hidden = {card for card in unplayed(game) if card.face not in known}
        first, again = (
            draw(each, hand_of(each, seat, table=everybody_at(each)))
            for each in (game, otherwise(game, seat, dice))
        )
        yield from map(str, named_in(first, hidden))
        if game.phase is Phase.PLAYING and first != again:
            yield "hidden cards make a difference"


@pytest.mark.parametrize("at", EVERY_TABLE, ids=lambda at: f"{at[0]}_{at[1]}")
def test_b22_no_hand_names_or_depends_on_a_card_that_its_owner_may_not_see(at):
    assert list(hand_leaks(*at)) == []


def _checksum(cards: Hand) -> int:
    return sum(sum(card.order) for card in cards) % 5


@pytest.mark.parametrize("at", [("standard", 4), ("killer", 6), ("two_player", 2), ("draw7", 2)])
@pytest.mark.parametrize("told", ["as played for the reader", "as a trick", "hinted at"])
def test_b22_control_a_hidden_card_among_what_was_missed_is_found(at, told):
    def telling(game: Game, view: HandView) -> str:
        missed, deal = view.missed, game.deal
        assert missed is not None
        assert deal is not None
        others = [hand for seat, hand in enumerate(deal.hands) if seat != view.seat and hand]
        card = min(others[0], key=lambda card: card.order)
        trick = Trick(Seat(0), (Play(Seat(0), card),), Seat(0))
        planted: dict[str, dict[str, Any]] = {
            "as played for the reader": {"own": (*missed.own, card)},
            "as a trick": {
                "last": Taken(deal=deal.number, number=1, trick=trick, taker=Seat(0), points=0)
            },
            "hinted at": {"own": sorted(deal.dealt[view.seat], key=str)[: _checksum(others[0])]},
        }
        return _drawn_hand(game, replace(view, missed=replace(missed, **planted[told])))

    assert next(hand_leaks(*at, telling), None)


@pytest.mark.parametrize("seats", sorted(HAND_SIZES))
def test_b22_control_the_same_looks_find_the_cards_in_a_private_hand(seats):
    game = next(game for game in states(Random(1), seats=seats) if unplayed(game))
    shown = payload(render_hand(hand_of(game)))
    assert game.deal is not None
    assert named_in(shown, unplayed(game)) == game.deal.hands[0]


@pytest.mark.parametrize(
    "planted", ["h1:x:QS", "Q\u2007♠\ufe0e", "`Q♠\ufe0e`", "the Queen of spades"]
)
def test_b22_control_each_way_of_naming_a_card_is_found(planted):
    assert named_in(f'"{planted}"', [Card.parse("QS"), Card.parse("KS")]) == {Card.parse("QS")}


@pytest.mark.parametrize("planted", ["h1:x:JK.2", "`JK🃏`", "a Joker", "🃏 2 jokers"])
def test_b22_control_each_way_of_naming_a_joker_is_found(planted):
    assert named_in(f'"{planted}"', [Card.parse("JK")]) == {Card.parse("JK")}
