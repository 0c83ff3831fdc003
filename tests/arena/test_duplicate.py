"""Duplicate deals: the same cards, the players seated otherwise (robots.md, How to measure)."""

from fractions import Fraction
from itertools import count

import pytest

from bot.ai import LEVELS
from bot.arena import duplicate, measure
from bot.arena.at_random import AtRandom
from bot.arena.duplicate import Contestant, PlayedDeal, Setup, Sitting
from bot.arena.seeded import Seeded
from bot.rules import variants
from bot.rules.dimensions import Hold, PassTo


def setup(name="standard", seats=None, *, of_a=1, seed=1):
    ruleset = variants.load(name)
    return Setup(
        ruleset=ruleset, seats=seats or ruleset.default_players, seed=seed, sides_of_a=of_a
    )


def contestant(player=None, seed=1):
    """A player whose every decision takes one second by its clock."""
    return Contestant(Seeded(player or LEVELS["steady"], seed), count().__next__)


def played(setup, numbers, a=None, b=None):
    one, other = contestant(a), contestant(b)
    return [duplicate.play_deal(setup, number, one, other) for number in numbers]


def deal_of(*sittings, number=0, seconds_of_a=()):
    return PlayedDeal(number=number, sittings=sittings, seconds_of_a=seconds_of_a, seconds_of_b=())


def test_a_deal_is_fixed_by_seed_and_number():
    hands = duplicate.begun(setup(), 7).deal.dealt
    assert duplicate.begun(setup(), 7).deal.dealt == hands
    assert duplicate.begun(setup(), 8).deal.dealt != hands
    assert duplicate.begun(setup(seed=2), 7).deal.dealt != hands


@pytest.mark.parametrize(("name", "seats"), [("standard", 4), ("standard", 3), ("killer", 9)])
def test_the_direction_of_passing_goes_round_with_the_number(name, seats):
    ruleset = variants.load(name)
    steps = [duplicate.begun(setup(name, seats), number).deal.step for number in range(20)]
    cycle = ruleset.pass_cycle[seats]
    assert steps == [cycle[number % len(cycle)] for number in range(20)]
    assert isinstance(steps[0], PassTo)
    assert Hold() in steps


def test_dealers_differ_from_deal_to_deal():
    assert {duplicate.begun(setup(), number).dealer for number in range(40)} == set(range(4))


@pytest.mark.parametrize(
    ("name", "seats", "of_a", "seatings"),
    [
        ("standard", 4, 1, [(0,), (1,), (2,), (3,)]),
        ("standard", 4, 2, [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]),
        ("standard", 5, 1, [(0,), (1,), (2,), (3,), (4,)]),
        ("two_player", 2, 1, [(0,), (1,)]),
        ("partnership_pooled", 4, 1, [(0, 2), (1, 3)]),
        ("killer", 6, 1, [(0, 3), (1, 4), (2, 5)]),
        ("killer", 6, 2, [(0, 1, 3, 4), (0, 2, 3, 5), (1, 2, 4, 5)]),
        ("killer", 7, 1, [(n,) for n in range(7)]),
    ],
)
def test_a_sits_everywhere_once_and_partners_are_of_a_kind(name, seats, of_a, seatings):
    assert list(setup(name, seats, of_a=of_a).seatings) == seatings


@pytest.mark.parametrize(("name", "of_a"), [("two_player", 2), ("reverse", 2), ("standard", 0)])
def test_somebody_has_to_sit_against_a(name, of_a):
    with pytest.raises(ValueError, match="leave B no seat"):
        _ = setup(name, of_a=of_a).seatings


@pytest.mark.parametrize(
    ("name", "seats", "of_a"),
    [("standard", 4, 1), ("standard", 4, 2), ("killer", 6, 1), ("reverse", 4, 1), ("draw7", 2, 1)],
)
def test_a_robot_against_its_like_is_exactly_level_in_every_deal(name, seats, of_a):
    """robots.md, Sanity: rule against rule is exactly 0."""
    table = setup(name, seats, of_a=of_a)
    margins = [measure.margin(table, deal) for deal in played(table, range(3))]
    assert margins == [0, 0, 0]


@pytest.mark.parametrize(
    ("name", "seats"),
    [("standard", 4), ("super_hearts", 4), ("reverse", 4), ("partnership_individual", 4)],
)
def test_skill_is_ahead_of_chance_whatever_counts(name, seats):
    """Points, money, a high score, partners with a score each."""
    table = setup(name, seats)
    deals = played(table, range(6), b=AtRandom())
    assert measure.summary(table, deals).margin.in_errors > 2


def test_deals_that_differ_in_their_dice_alone_are_not_level():
    """The control of the exact nought."""
    table = setup()
    deals = [
        duplicate.play_deal(table, number, contestant(AtRandom()), contestant(AtRandom(), seed=2))
        for number in range(3)
    ]
    assert any(measure.margin(table, deal) for deal in deals)


def test_a_margin_is_what_the_others_took_more_on_average():
    sittings = [
        Sitting(seats_of_a=(0,), points=(5, 13, 8, 0)),
        Sitting(seats_of_a=(1,), points=(26, 0, 0, 0)),
    ]
    assert (
        measure.margin(setup(), deal_of(*sittings)) == (Fraction(21, 3) - 5 + Fraction(26, 3)) / 2
    )


def test_where_a_high_score_is_good_the_sign_turns():
    """rules.md 1.26: Reverse Hearts counts for its taker."""
    sitting = Sitting(seats_of_a=(0, 2), points=(20, 6, 20, 6))
    assert measure.margin(setup("reverse"), deal_of(sitting)) == 14


def test_partners_with_scores_apart_count_together():
    sitting = Sitting(seats_of_a=(0, 2), points=(1, 10, 2, 13))
    assert measure.margin(setup("partnership_individual"), deal_of(sitting)) == 20


def test_where_money_decides_the_margin_is_money():
    money = tuple(map(Fraction, (17, -3, -14, 0)))
    sitting = Sitting(seats_of_a=(0,), points=(1, 4, 15, 0), money=money)
    assert measure.margin(setup("super_hearts"), deal_of(sitting)) == 17 + Fraction(17, 3)


def test_moons_of_ones_own_and_of_others_are_told_apart():
    nobody = Sitting(seats_of_a=(1,), points=(26, 0, 0, 0))
    own = Sitting(seats_of_a=(0,), points=(0, 26, 26, 26), shooters=(0,))
    other = Sitting(seats_of_a=(2,), points=(0, 26, 26, 26), shooters=(0,))
    said = measure.summary(setup(), [deal_of(own, other, other, nobody)])
    assert (said.moons_shot.mean, said.moons_suffered.mean) == (0.25, 0.5)
    assert said.own.mean == (0 + 26 + 26 + 0) / 4


def test_a_standard_error_is_that_of_the_mean_over_deals():
    assert measure.estimate([1, 2, 3, 6]).mean == 3
    assert measure.estimate([1, 2, 3, 6]).error == pytest.approx((14 / 3 / 4) ** 0.5)
    assert measure.estimate([5]).error == 0


def test_only_decisions_with_a_choice_are_timed():
    table = setup()
    (deal,) = played(table, [3])
    assert isinstance(duplicate.begun(table, 3).deal.step, Hold)
    assert set(deal.seconds_of_a) == {1}
    assert 0 < len(deal.seconds_of_a) < 4 * 13
    assert 0 < len(deal.seconds_of_b) < 3 * 4 * 13


def test_one_decision_in_a_hundred_may_be_slower_than_the_99th_percentile():
    sitting = Sitting(seats_of_a=(0,), points=(0, 0, 0, 26))
    deal = deal_of(sitting, seconds_of_a=tuple(range(1, 101)))
    said = measure.summary(setup(), [deal, deal]).a
    assert (said.slowest.mean, said.mean.mean, said.decisions) == (99, 50.5, 200)


def test_two_runs_are_compared_deal_by_deal():
    first, second = (
        [
            deal_of(Sitting(seats_of_a=(0,), points=(0, each, each, each)), number=number)
            for number, each in enumerate(points)
        ]
        for points in ([4, 10, 7], [2, 8])
    )
    deals, found = measure.difference(setup(), first, second)
    assert (deals, found.mean, found.error) == (2, 2, 0)


def test_runs_without_a_deal_in_common_cannot_be_compared():
    with pytest.raises(ValueError, match="no deal was played in both"):
        measure.difference(setup(), [], [])
