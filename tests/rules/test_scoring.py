"""Points of a deal and where they came from (rules.md 1.1, 3.6, 3.7)."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.rules.cards import Seat
from bot.rules.decide import new_game
from bot.rules.dimensions import MoonPayoff
from bot.rules.scoring import score
from bot.rules.settlement import standing_after
from bot.rules.state import Moon, Phase, ScoreLine
from tests.support.deals import STANDARD, deal_played_out, house_rules
from tests.support.taken import ALL_HEARTS, deal_taken

JACK = house_rules(points={"JD": -10})
ADD, SUBTRACT = MoonPayoff.ADD_OTHERS, MoonPayoff.SUBTRACT_SELF
BEFORE = (62, 48, 71, 90)


def test_the_worked_deal_of_the_source_gives_its_totals():
    """Test vector 1 [S3]: 62/48/71/90 + (15, 4, 0, 7)."""
    game = deal_taken("QS 2H 3H", "4H 5H 6H 7H", "", "8H 9H TH JH QH KH AH", totals=BEFORE)
    result = score(game, None)
    assert result.points == (15, 4, 0, 7)
    assert result.totals == (77, 52, 71, 97)
    assert not standing_after(game, result).is_end()


def test_the_worked_moon_of_the_source_ends_the_game_for_its_shooter():
    """Test vector 1 [S3], payoff add."""
    game = deal_taken("", f"QS {ALL_HEARTS}", "", "", totals=(77, 52, 71, 97))
    result = score(game, None)
    assert result.totals == (103, 52, 97, 123)
    assert result.moon == Moon((Seat(1),), ADD)
    assert standing_after(game, result).is_end()
    assert standing_after(game, result).places() == (3, 1, 2, 4)


def test_the_worked_moon_subtracted_plays_on():
    """Test vector 1 [S3], payoff subtract."""
    rules = house_rules(moon={"payoff": "subtract_self"})
    game = deal_taken("", f"QS {ALL_HEARTS}", "", "", ruleset=rules, totals=(77, 52, 71, 97))
    result = score(game, None)
    assert result.totals == (77, 26, 71, 97)
    assert result.moon == Moon((Seat(1),), SUBTRACT)
    assert not standing_after(game, result).is_end()


def test_a_deal_with_the_jack_of_diamonds_adds_up_to_16():
    """Test vector 2 [S3]: 26 - 10."""
    game = deal_taken("JD 2H 3H", "QS", "4H 5H 6H 7H 8H 9H", "TH JH QH KH AH", ruleset=JACK)
    assert score(game, None).points == (-8, 13, 6, 5)
    assert sum(score(game, None).points) == 16


def test_lines_name_the_dearest_card_first_and_sum_up_the_hearts():
    game = deal_taken("JD 2H 3H QS", "4H", "5H 6H 7H 8H 9H", "TH JH QH KH AH", ruleset=JACK)
    mine = [line for line in score(game, None).lines if line.seat == 0]
    assert mine == [
        ScoreLine(Seat(0), "QS", 13),
        ScoreLine(Seat(0), "hearts", 2, count=2),
        ScoreLine(Seat(0), "JD", -10),
    ]


def test_a_seat_that_took_nothing_that_counts_has_no_line():
    game = deal_taken("", f"QS {ALL_HEARTS[3:]}", "2H", "")
    assert {line.seat for line in score(game, None).lines} == {1, 2}


def test_hearts_of_different_worth_are_one_line_still():
    rules = house_rules(points={"AH": 5})
    game = deal_taken("AH 2H", "QS 3H 4H 5H", "6H 7H 8H 9H", "TH JH QH KH", ruleset=rules)
    assert score(game, None).lines[0] == ScoreLine(Seat(0), "hearts", 6, count=2)


def test_an_added_moon_takes_the_shooters_penalties_back_and_charges_the_others():
    result = score(deal_taken("", f"QS {ALL_HEARTS}", "", ""), None)
    assert result.points == (26, 0, 26, 26)
    assert result.lines == (
        ScoreLine(Seat(0), "moon", 26),
        ScoreLine(Seat(1), "QS", 13),
        ScoreLine(Seat(1), "hearts", 13, count=13),
        ScoreLine(Seat(1), "moon", -26),
        ScoreLine(Seat(2), "moon", 26),
        ScoreLine(Seat(3), "moon", 26),
    )


def test_a_subtracted_moon_has_no_line_for_the_others():
    rules = house_rules(moon={"payoff": "subtract_self"})
    result = score(deal_taken("", f"QS {ALL_HEARTS}", "", "", ruleset=rules), None)
    assert result.points == (0, -26, 0, 0)
    assert result.lines[-1] == ScoreLine(Seat(1), "moon", -52)
    assert {line.seat for line in result.lines} == {1}


@pytest.mark.parametrize(
    ("value", "others"), [("sum", 26), (50, 50), (26, 26)], ids=["sum", "50", "26"]
)
def test_a_moon_is_worth_the_points_taken_or_a_fixed_number(value: object, others: int):
    """rules.md 3.7 `moon.value`."""
    rules = house_rules(moon={"value": value})
    result = score(deal_taken("", f"QS {ALL_HEARTS}", "", "", ruleset=rules), None)
    assert result.points == (others, 0, others, others)


def test_the_jack_counts_beside_the_moon_whoever_has_it():
    """rules.md 2.4.7: the jack is scored separately and not required."""
    rules = house_rules(points={"JD": -10}, moon={"bonus_score": "separate"})
    own = deal_taken("", f"QS JD {ALL_HEARTS}", "", "", ruleset=rules)
    others = deal_taken("JD", f"QS {ALL_HEARTS}", "", "", ruleset=rules)
    assert score(own, None).points == (26, -10, 26, 26)
    assert score(others, None).points == (16, 0, 26, 26)


def test_an_absorbed_jack_leaves_its_shooter_at_nought():
    """rules.md 2.5.4: required and absorbed, the shooter scores exactly 0."""
    rules = house_rules(points={"JD": -10}, moon={"bonus": True, "bonus_score": "absorbed"})
    result = score(deal_taken("", f"QS JD {ALL_HEARTS}", "", "", ruleset=rules), None)
    assert result.points == (26, 0, 26, 26)
    assert result.lines[-3] == ScoreLine(Seat(1), "moon", -16)


def test_an_absorbed_jack_is_inside_the_subtracted_moon():
    """rules.md 4.1 `omnibus_bicycle`: -26 to the shooter, bonus inside."""
    moon = {"payoff": "subtract_self", "bonus": True, "bonus_score": "absorbed"}
    rules = house_rules(points={"JD": -10}, moon=moon)
    result = score(deal_taken("", f"QS JD {ALL_HEARTS}", "", "", ruleset=rules), None)
    assert result.points == (0, -26, 0, 0)


@pytest.mark.parametrize(("value", "others"), [("sum", 43), (26, 26)])
def test_where_king_and_ace_of_spades_count_a_moon_takes_all_sixteen_cards(
    value: object, others: int
):
    """Test vector 15 and rules.md 2.5.2: 43 points, paid in full or as 26."""
    rules = house_rules(points={"KS": 10, "AS": 7}, moon={"value": value})
    all_sixteen = deal_taken("", f"AS KS QS {ALL_HEARTS}", "", "", ruleset=rules)
    without_the_ace = deal_taken("AS", f"KS QS {ALL_HEARTS}", "", "", ruleset=rules)
    assert score(all_sixteen, None).points == (others, 0, others, others)
    assert score(without_the_ace, None).points == (7, 36, 0, 0)


def test_the_shooters_choice_decides_how_the_moon_is_paid():
    rules = house_rules(moon={"payoff": "shooter_choice"})
    game = deal_taken("", f"QS {ALL_HEARTS}", "", "", ruleset=rules)
    assert score(game, ADD).points == (26, 0, 26, 26)
    assert score(game, SUBTRACT).points == (0, -26, 0, 0)


def test_no_score_is_made_up_while_the_shooter_has_still_to_choose():
    rules = house_rules(moon={"payoff": "shooter_choice"})
    with pytest.raises(ValueError, match="still to choose"):
        score(deal_taken("", f"QS {ALL_HEARTS}", "", "", ruleset=rules), None)


def test_no_score_comes_before_the_first_deal():
    with pytest.raises(ValueError, match="no deal"):
        score(new_game(STANDARD, 4, Seat(0)), None)


@pytest.mark.parametrize(
    ("becomes", "total"), [(50, 50), (0, 0), (None, 100)], ids=["to 50", "to 0", "off"]
)
def test_a_total_of_exactly_100_becomes_what_the_house_says_before_the_end_is_judged(
    becomes: int | None, total: int
):
    """Test vector 19 [S3]."""
    rules = house_rules(exact={} if becomes is None else {"100": becomes})
    game = deal_taken("QS", ALL_HEARTS, "", "", ruleset=rules, totals=(87, 0, 5, 6))
    result = score(game, None)
    assert result.totals == (total, 13, 5, 6)
    assert sum(line.points for line in result.lines if line.seat == 0) == result.points[0] == 13
    assert standing_after(game, result).is_end() is (becomes is None)


def test_101_ends_the_game_although_100_would_be_reset():
    """Test vector 19 [S3]."""
    rules = house_rules(exact={"100": 50})
    game = deal_taken("QS", ALL_HEARTS, "", "", ruleset=rules, totals=(88, 0, 5, 6))
    result = score(game, None)
    assert result.totals == (101, 13, 5, 6)
    assert standing_after(game, result).is_end()


@given(
    seed=st.integers(0, 2**32),
    seats=st.integers(3, 6),
    rules=st.sampled_from(
        [STANDARD, JACK, house_rules(points={"JD": -10}, moon={"payoff": "shooter_choice"})]
    ),
)
def test_points_lines_and_totals_always_agree(seed: int, seats: int, rules):
    game = new_game(rules, seats, Seat(0))
    after, _ = deal_played_out(game, Random(seed).sample)
    result = after.scores[-1]
    by_seat = [
        sum(line.points for line in result.lines if line.seat == seat) for seat in range(seats)
    ]
    assert tuple(by_seat) == result.points
    assert result.totals == result.points == after.totals
    if result.moon is None:
        assert sum(result.points) == sum(rules.points_of(card) for card in rules.deck(seats))
    assert after.phase is Phase.DEALING
