"""Deals that are played out by rule, under every preset (robots.md)."""

from random import Random

import pytest

from bot.ai.playout import Playout, playout
from bot.ai.position import NOBODY
from bot.rules import variants
from bot.rules.sides import is_pooled, sides
from tests.support.compiled import dealt
from tests.support.rulesets import EVERY_TABLE

DEALS = 6
STANDARD = playout(variants.load("standard"), 4)


def tables():
    for name, seats in EVERY_TABLE:
        yield playout(variants.load(name), seats), Random(f"{name} {seats}")


def played_step_by_step(at, table):
    suspects = 0
    while not at.is_over:
        suspects = suspects if at.laid else table.policy.suspects(at)
        legal = table.rules.legal(at)
        card = table.policy.choose(at, legal, suspects)
        assert card
        assert card & (card - 1) == 0
        assert card & legal == card
        table.rules.play(at, card)
    return at


def sum_of_sides(table, points):
    if not is_pooled(table.rules.ruleset, table.rules.seats):
        return sum(points)
    return sum(points[side[0]] for side in sides(table.rules.ruleset, table.rules.seats))


def check_sum(table, at):
    """Without a moon, points sum to what all captured cards are worth."""
    reckoning, rules = table.reckoning, table.rules
    piles = list(at.piles)
    lost = at.tabled
    if at.widow_taker == NOBODY:
        lost |= at.widow
    else:
        piles[at.widow_taker] |= at.widow
    if reckoning.shooters(at, piles) or rules.ruleset.no_trick_bonus.points:
        return
    whole = reckoning.worth(rules.every & ~lost)
    assert sum_of_sides(table, reckoning.points(at)) == whole


def test_every_chosen_card_is_one_card_that_may_be_played():
    for table, dice in tables():
        for _ in range(2):
            check_sum(table, played_step_by_step(dealt(table.rules, dice), table))


def test_points_of_a_deal_sum_to_the_points_of_its_cards_under_every_preset():
    for table, dice in tables():
        for _ in range(DEALS):
            check_sum(table, table.run(dealt(table.rules, dice)))


def test_points_of_a_standard_deal_sum_to_26_or_to_the_78_of_a_moon():
    dice = Random(1)
    found = [
        STANDARD.reckoning.points(STANDARD.run(dealt(STANDARD.rules, dice))) for _ in range(400)
    ]
    assert {sum(points) for points in found} == {26, 78}
    assert all(sorted(points) == [0, 26, 26, 26] for points in found if sum(points) == 78)


def test_whole_tricks_at_once_fall_as_they_do_card_by_card():
    plain = 0
    for table, dice in tables():
        if not table.is_plain:
            continue
        plain += 1
        slow = Playout(table.rules.ruleset, table.rules.seats)
        slow.is_plain = False
        for _ in range(DEALS):
            at = dealt(table.rules, dice)
            fast, steps = table.run(at.copy()), slow.run(at)
            assert fast.piles == steps.piles
    assert plain > 30


def test_the_control_a_lost_card_would_be_noticed():
    at = STANDARD.run(dealt(STANDARD.rules, Random(1)))
    taker = next(seat for seat, pile in enumerate(at.piles) if pile & STANDARD.rules.hearts)
    at.piles[taker] &= ~STANDARD.rules.hearts
    with pytest.raises(AssertionError):
        check_sum(STANDARD, at)


def test_a_lone_deuce_is_led():
    """A policy that takes the best of several suits from a start value of -1 returned none."""
    rules, policy = STANDARD.rules, STANDARD.policy
    for card in rules.cards_of(rules.every):
        bit = rules.bit[card]
        assert policy.lead(bit, bit, 0) == bit
