"""Known cases of “Hearts rules and scoring”: points, moons, totals, words."""

import pytest

from bot.rules.cards import Card
from bot.rules.describe import at_a_glance, describe
from bot.rules.dimensions import MoonPayoff
from bot.rules.moon import shooter
from bot.rules.scoring import safe_payoff, score
from bot.rules.sentence import Sentence
from bot.rules.settlement import standing_after
from bot.rules.state import Game
from tests.support.deals import STANDARD, house_rules
from tests.support.taken import ALL_HEARTS, deal_taken

ADD, SUBTRACT = MoonPayoff.ADD_OTHERS, MoonPayoff.SUBTRACT_SELF
JACK = house_rules(points={"JD": -10})
JACK_NEEDED = house_rules(points={"JD": -10}, moon={"bonus": True})


@pytest.mark.case("B107")
def test_b107_the_opening_card_says_whether_the_queen_breaks_hearts():
    def says_so(ruleset, sentences) -> bool:
        breaking = next(line for line in sentences(ruleset, 4) if "broken once" in str(line))
        return "QS" in str(breaking)

    without = house_rules(breakers=["H*"])
    for sentences in (at_a_glance, describe):
        assert says_so(STANDARD, sentences)
        assert not says_so(without, sentences)


@pytest.mark.case("B113")
@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_b113_points_of_a_deal_match_the_variant_at_every_table_size(seats: int):
    nobody_else = ("",) * (seats - 2)
    game = deal_taken("QS 2H", f"JD {ALL_HEARTS[3:]}", *nobody_else, ruleset=JACK)
    assert sum(score(game, None).points) == 16
    assert len(JACK.deck(seats)) == seats * JACK.hand_size(seats)


@pytest.mark.case("B114")
@pytest.mark.parametrize("ruleset", [STANDARD, JACK, JACK_NEEDED], ids=["plain", "jack", "needed"])
def test_b114_all_points_but_one_heart_are_never_a_moon(ruleset):
    game = deal_taken(f"QS JD {ALL_HEARTS[3:]}", "2H", "", "", ruleset=ruleset)
    assert shooter(game) is None
    assert score(game, None).moon is None


@pytest.mark.case("B114")
def test_b114_sixteen_points_are_no_moon_because_a_bonus_is_somewhere():
    """Queen and three hearts make 16 as well as a moon less the jack does."""
    game = deal_taken("QS 2H 3H 4H", "5H 6H 7H 8H 9H TH JH QH KH AH", "JD", "", ruleset=JACK)
    assert score(game, None).points[0] == 16
    assert shooter(game) is None


@pytest.mark.case("B114")
@pytest.mark.parametrize(
    ("ruleset", "is_moon"), [(STANDARD, True), (JACK, True), (JACK_NEEDED, False)]
)
def test_b114_all_points_with_the_jack_elsewhere_are_a_moon_unless_it_is_needed(ruleset, is_moon):
    game = deal_taken(f"QS {ALL_HEARTS}", "JD", "", "", ruleset=ruleset)
    assert (shooter(game) == 0) is is_moon


def shooter_at_90(payoff: str, others: tuple[int, int, int] = (10, 20, 30)) -> Game:
    rules = house_rules(moon={"payoff": payoff})
    return deal_taken(f"QS {ALL_HEARTS}", "", "", "", ruleset=rules, totals=(90, *others))


@pytest.mark.case("B115")
@pytest.mark.parametrize(
    ("payoff", "chosen", "totals"),
    [
        ("add_others", None, (90, 36, 46, 56)),
        ("subtract_self", None, (64, 10, 20, 30)),
        ("shooter_choice", ADD, (90, 36, 46, 56)),
        ("shooter_choice", SUBTRACT, (64, 10, 20, 30)),
        ("add_unless_shooter_then_loses", None, (90, 36, 46, 56)),
    ],
)
def test_b115_a_moon_at_90_is_paid_as_the_rules_say(payoff, chosen, totals):
    assert score(shooter_at_90(payoff), chosen).totals == totals


@pytest.mark.case("B115")
@pytest.mark.parametrize(
    ("payoff", "totals", "over"),
    [
        ("add_others", (90, 36, 46, 101), True),
        ("add_unless_shooter_then_loses", (64, 10, 20, 75), False),
    ],
)
def test_b115_protection_keeps_a_moon_from_losing_the_game(payoff, totals, over):
    game = shooter_at_90(payoff, (10, 20, 75))
    result = score(game, None)
    assert result.totals == totals
    assert standing_after(game, result).is_end() is over


@pytest.mark.case("B115")
@pytest.mark.parametrize("others", [(10, 20, 30), (10, 20, 75)])
def test_b115_a_choice_that_is_not_made_in_time_does_not_lose_the_game(others):
    game = shooter_at_90("shooter_choice", others)
    assert safe_payoff(game) is SUBTRACT


@pytest.mark.case("B118")
@pytest.mark.parametrize(
    ("target", "total", "over"),
    [
        (100, 99, False),
        (100, 100, True),
        (100, 101, True),
        (101, 99, False),
        (101, 100, False),
        (101, 101, True),
    ],
)
def test_b118_a_target_is_reached_and_above_100_is_a_target_of_101(target, total, over):
    rules = house_rules(end={"target": target})
    game = deal_taken("QS", ALL_HEARTS, "", "", ruleset=rules, totals=(total - 13, 0, 1, 2))
    assert standing_after(game, score(game, None)).is_end() is over


@pytest.mark.case("B118")
@pytest.mark.parametrize(("number", "over"), [(3, False), (4, True)])
def test_b118_a_fixed_number_of_deals_ends_the_game_whatever_the_totals(number, over):
    rules = house_rules(end={"hands": 4})
    totals = (200, 3, 4, 5)
    game = deal_taken("QS", ALL_HEARTS, "", "", ruleset=rules, totals=totals, number=number)
    assert standing_after(game, score(game, None)).is_end() is over


@pytest.mark.case("B129")
@pytest.mark.parametrize(
    ("count", "words"), [(0, "0 points"), (1, "1 point"), (2, "2 points"), (-1, "-1 point")]
)
def test_b129_one_point_is_singular(count: int, words: str):
    assert str(Sentence("{count} point", {"count": count}, "{count} points")) == words


@pytest.mark.case("B129")
@pytest.mark.parametrize(("worth", "words"), [(1, "1 point."), (2, "2 points.")])
def test_b129_described_rules_count_correctly(worth: int, words: str):
    rules = house_rules(points={"QS": worth})
    sentences = [line for line in describe(rules, 4) if Card.parse("QS") in _cards_in(line)]
    assert any(str(line).endswith(words) for line in sentences)


def _cards_in(sentence: Sentence) -> list[object]:
    facts = list(sentence.facts.values())
    inner = [card for fact in facts if isinstance(fact, Sentence) for card in _cards_in(fact)]
    return [fact for fact in facts if isinstance(fact, Card)] + inner
