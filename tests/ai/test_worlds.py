"""Imagined deals agree with all that a seat knows, and are as random as the rest allows."""

from collections import Counter
from random import Random

import pytest

from bot.ai.compiled import compiled
from bot.ai.evidence import Evidence
from bot.ai.worlds import Worlds
from bot.rules import variants
from bot.rules.dimensions import Draw, PassTo, Scatter
from bot.rules.legal import to_move
from bot.rules.passing import receivers
from bot.rules.state import Phase
from bot.rules.view import seat_view
from tests.support.deals import STANDARD, based_on, deal_in_play, house_rules, played
from tests.support.pairwise import Refusal, arrangement, rules_of
from tests.support.rulesets import EVERY_TABLE
from tests.support.seeded import course

LOOKS = 6
"""Turns of a deal at which worlds are drawn."""
DRAWN = 2

HOLDER = house_rules(first_lead="holder_any_club")
SHED = house_rules(void_play="qs_when_safe", first_trick_exempt="qs_first")
SCATTER = house_rules(pass_cycle={"4": [{"scatter": 2}], "6": [{"scatter": 1}]})
PASSED = based_on("killer", pass_cycle=[{"to": 2, "n": 4}])


def turns(ruleset, seats, seed):
    """Some turns of one deal in which a seat is to play."""
    steps = [game for game, _ in course(ruleset, seats, Random(seed), deals=1)]
    games = [game for game in steps if game.phase is Phase.PLAYING]
    return Random(seed).sample(games, min(LOOKS, len(games)))


def check_worlds(game, dice):
    rules = compiled(game.ruleset, game.seats)
    view = seat_view(game, to_move(game)[0])
    worlds = Worlds(rules, view)
    for at in [worlds.draw(dice) for _ in range(DRAWN)]:
        check_cards(rules, view, at, worlds.evidence.played)
        if game.ruleset.draw is Draw.NONE:
            check_course(rules, view, at, worlds.evidence.played)
    check_truth(rules, game, view, worlds)


def check_cards(rules, view, at, played_cards):
    """Each card lies in one place, and each place holds as many as everybody sees."""
    public = view.public
    places = [*at.hands, at.widow, *at.stock, *played_cards]
    assert sum(places) == rules.every
    assert sum(place.bit_count() for place in places) == len(rules.deck)
    assert tuple(hand.bit_count() for hand in at.hands) == public.hand_sizes
    assert at.hands[view.seat] == rules.set_of(view.hand)
    assert len(at.stock) == public.stock
    assert at.widow.bit_count() == public.widow
    assert not view.widow or at.widow == rules.set_of(view.widow)
    never = {card.face for card in rules.ruleset.widow.never}
    assert never.isdisjoint(card.face for card in rules.cards_of(at.widow))
    for seat, (hand, fallen) in enumerate(zip(at.hands, played_cards, strict=True)):
        if seat != view.seat:
            check_given(rules, view, seat, hand | fallen)


def check_given(rules, view, seat, ever_held):
    """What was passed lies where it was passed to, or was played from there."""
    given = rules.set_of(view.given)
    step = view.public.step
    if isinstance(step, PassTo):
        takes = seat in receivers(step, view.seat, rules.seats)
        assert ever_held & given == (given if takes else 0)
    if isinstance(step, Scatter):
        assert (ever_held & given).bit_count() == step.count


def check_course(rules, view, at, played_cards):
    """From these hands the deal could have been opened and played as it was."""
    public = view.public
    hands = [hand | fallen for hand, fallen in zip(at.hands, played_cards, strict=True)]
    again = rules.begin(hands, public.dealer)
    again.widow = at.widow
    for trick in (*public.tricks, public.trick):
        assert again.leader == trick.leader
        for play in trick.plays:
            card = rules.bit[play.card]
            assert again.turn == play.seat
            assert rules.legal(again) & card
            rules.play(again, card)
    for name in ("turn", "laid", "led", "live", "broken", "is_first", "piles", "tabled", "hands"):
        assert getattr(again, name) == getattr(at, name)
    assert again.widow_taker == at.widow_taker
    assert again.last_taker == at.last_taker


def check_truth(rules, game, view, worlds):
    """The deal as it is counts among the worlds."""
    deal = game.deal
    truth = [*deal.hands, deal.widow, frozenset(deal.stock)]
    for place, cards in enumerate(truth):
        if place != view.seat:
            hidden = rules.set_of(cards) & worlds.unseen
            assert worlds._allowed[place] & hidden == hidden


def test_every_world_agrees_with_all_that_a_seat_knows_under_every_preset():
    for name, seats in EVERY_TABLE:
        for game in turns(variants.load(name), seats, f"{name} {seats}"):
            check_worlds(game, Random(1))


def test_a_world_is_found_even_where_chance_finds_none(monkeypatch):
    monkeypatch.setattr("bot.ai.worlds._TRIES", 0)
    for name, seats in EVERY_TABLE[::5]:
        for game in turns(variants.load(name), seats, f"{name} {seats}"):
            check_worlds(game, Random(1))


@pytest.mark.thorough
def test_every_world_agrees_under_every_combination_of_rules():
    rows = [row for row in arrangement(Random(3)) if not isinstance(row, Refusal)]
    for number, row in enumerate(rows):
        for seed in range(5):
            for game in turns(rules_of(row), row["players"], f"{number} {seed}"):
                check_worlds(game, Random(seed))


def test_the_control_a_world_that_forgets_who_showed_out_would_be_noticed(monkeypatch):
    monkeypatch.setattr(Evidence, "_told_by", lambda self, card: 0)
    games = turns(STANDARD, 4, "7")
    with pytest.raises(AssertionError):
        [check_worlds(game, Random(1)) for game in games]


@pytest.mark.parametrize(
    ("ruleset", "seats"),
    [(HOLDER, 4), (HOLDER, 6), (SHED, 3), (SHED, 5), (SCATTER, 4), (SCATTER, 6), (PASSED, 8)],
)
def test_every_world_agrees_under_rules_that_tell_more_of_a_hand(ruleset, seats):
    for seed in range(6):
        for game in turns(ruleset, seats, f"{seats} {seed}"):
            check_worlds(game, Random(seed))


def test_a_seat_that_showed_out_of_a_suit_gets_none_of_it():
    game = played(deal_in_play("2C 3C 4C", "2D 3D 4D", "5C 6C 7C", "8C 9C TC"), "2C 2D")
    rules = compiled(STANDARD, 4)
    clubs = rules.set_of(card for card in rules.deck if card.suit and card.suit.value == "C")
    worlds = Worlds(rules, seat_view(game, 2))
    assert not any(worlds.draw(Random(n)).hands[1] & clubs for n in range(20))


def chi_square(found, expected):
    return sum((found[cell] - wanted) ** 2 / wanted for cell, wanted in expected.items())


def places_of_two_cards(draw, times):
    """How often two unseen cards lie where: with whom the first, with whom the second."""
    found = Counter()
    for _ in range(times):
        hands, (one, two) = draw()
        cell = [next(n for n, hand in enumerate(hands) if hand & card) for card in (one, two)]
        found[tuple(cell)] += 1
    return found


def expected_of_two_cards(times):
    """13 cards of 39 unseen ones in each of three hands."""
    same, apart = 13 / 39 * 12 / 38, 13 / 39 * 13 / 38
    others = (1, 2, 3)
    return {(a, b): times * (same if a == b else apart) for a in others for b in others}


def unknown_deal(seed):
    game = next(game for game, _ in course(STANDARD, 4, Random(seed), deals=1))
    return Worlds(compiled(STANDARD, 4), seat_view(game, 0))


TIMES = 4_000
LIMIT = 26.1
"""Chi-square of 8 degrees of freedom, exceeded once in a thousand fair trials."""


def test_where_nothing_is_known_all_deals_are_equally_likely():
    worlds, dice = unknown_deal(1), Random(3)
    low = worlds.unseen & -worlds.unseen
    high = 1 << worlds.unseen.bit_length() >> 1
    found = places_of_two_cards(lambda: (worlds.draw(dice).hands, (low, high)), TIMES)
    assert chi_square(found, expected_of_two_cards(TIMES)) < LIMIT


def test_the_control_a_lopsided_deal_would_be_noticed():
    worlds, dice = unknown_deal(1), Random(3)
    low = worlds.unseen & -worlds.unseen
    high = 1 << worlds.unseen.bit_length() >> 1

    def lopsided():
        return min((worlds.draw(dice).hands for _ in range(2)), key=lambda hands: hands[1]), (
            low,
            high,
        )

    found = places_of_two_cards(lopsided, TIMES)
    assert chi_square(found, expected_of_two_cards(TIMES)) > LIMIT
