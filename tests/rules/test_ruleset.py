import pickle
from dataclasses import replace

import pytest

from bot.rules.cards import Card, Rank, parse_cards
from bot.rules.dimensions import (
    DealCount,
    Draw,
    Duplicates,
    GoodScore,
    HeartScale,
    Hold,
    Minutes,
    MoonPayoff,
    MoonRules,
    NoTrickBonus,
    PassTo,
    Rest,
    Scatter,
    Settle,
    Sides,
    SideScore,
    Single,
    Target,
    WidowPositions,
    WidowRules,
)
from bot.rules.ruleset_faults import problems
from bot.rules.selectors import Selector
from tests.support.deals import STANDARD


def test_standard_has_no_problems():
    assert problems(STANDARD) == []


@pytest.mark.parametrize(
    ("seats", "out", "hand"),
    [(3, "2D", 17), (4, "", 13), (5, "2C 2D", 10), (6, "2C 3C 2D 2S", 8)],
)
def test_the_pack_is_stripped_so_that_hands_are_even(seats, out, hand):
    """rules.md 3.9: strips by number of seats, and the hands they give."""
    deck = STANDARD.deck(seats)
    assert len(set(deck)) == 52 - len(out.split())
    assert not set(parse_cards(out)) & set(deck)
    assert STANDARD.hand_size(seats) == hand
    assert hand * seats == len(deck)


LEFT, RIGHT, ACROSS = PassTo(1, 3), PassTo(-1, 3), PassTo(2, 3)


@pytest.mark.parametrize(
    ("seats", "cycle"),
    [
        (3, [LEFT, RIGHT, Hold()]),
        (4, [LEFT, RIGHT, ACROSS, Hold()]),
        (5, [LEFT, RIGHT, PassTo(2, 3), PassTo(-2, 3), Hold()]),
        (6, [LEFT, RIGHT, PassTo(2, 3), PassTo(-2, 3), PassTo(3, 3), Hold()]),
    ],
)
def test_passing_goes_once_to_all_seats_then_holds_and_repeats(seats, cycle):
    """rules.md 3.9, pass cycle "all seats"; 1.1 for four."""
    assert [STANDARD.step(seats, deal) for deal in range(1, 2 * len(cycle) + 1)] == cycle * 2


def test_hearts_cost_one_and_the_queen_of_spades_thirteen():
    """rules.md 1.1: 26 a deal."""
    assert STANDARD.points_of(Card.parse("QS")) == 13
    assert STANDARD.points_of(Card.parse("AH")) == 1
    assert STANDARD.points_of(Card.parse("AS")) == 0
    assert sum(map(STANDARD.points_of, STANDARD.deck(4))) == 26


def test_the_narrowest_selector_counts_wherever_it_stands():
    """rules.md 3.6: most specific first."""
    rules = replace(
        STANDARD, points=((Selector("H*"), 1), (Selector("rank:Q"), 13), (Selector("QD"), -10))
    )
    worth = {text: rules.points_of(Card.parse(text)) for text in ("QH", "QD", "QS", "KH", "KD")}
    assert worth == {"QH": 13, "QD": -10, "QS": 13, "KH": 1, "KD": 0}


def test_nought_excepts_a_card_from_a_wider_entry_and_else_is_no_entry():
    """rules.md 3: `0` takes a card out of `points`."""
    rules = replace(
        STANDARD, points=((Selector("H*"), 1), (Selector("QH"), 0), (Selector("JD"), 0))
    )
    assert rules.points_of(Card.parse("QH")) == 0
    assert [selector.text for selector, _ in rules.points] == ["QH", "H*"]


def test_rules_are_values_that_can_be_hashed_and_sent_to_another_process():
    assert pickle.loads(pickle.dumps(STANDARD)) == STANDARD
    assert len({STANDARD, replace(STANDARD), replace(STANDARD, end=Single())}) == 2


def test_tables_of_a_ruleset_cannot_be_changed_from_outside():
    cycle = {4: (Hold(),)}
    rules = replace(STANDARD, pass_cycle=cycle)
    cycle[4] = ()
    assert rules.pass_cycle == {4: (Hold(),)}


def cycle_of_four(*steps):
    return {"players": (4,), "pass_cycle": {4: steps}}


def kitty(widow):
    return {"players": (4,), "hand": {4: 12}, "rest": {4: Rest.WIDOW}, "widow": widow}


@pytest.mark.parametrize(
    ("change", "keys"),
    [
        ({"players": ()}, ["players", "default_players"]),
        ({"players": (4, 12)}, ["players"]),
        ({"players": (3, 5)}, ["default_players"]),
        ({"players": (4,), "remove": {4: parse_cards("2D")}}, ["remove.4"]),
        ({"players": (4,), "remove": {4: parse_cards("QS 2H 3H 4H")}}, ["remove.4"] * 4),
        ({"players": (4,), "remove": {4: parse_cards("2C 2C 3C 4C 5C")}}, ["remove.4"]),
        ({"players": (4,), "remove": {4: parse_cards("JK")}}, ["remove.4"]),
        ({"players": (4,), "pass_cycle": {}}, ["pass_cycle.4"]),
        (cycle_of_four(), ["pass_cycle.4"]),
        (cycle_of_four(Hold(), PassTo(4, 3)), ["pass_cycle.4.1"]),
        (cycle_of_four(PassTo(0, 3)), ["pass_cycle.4.0"]),
        (cycle_of_four(PassTo(5, 3)), ["pass_cycle.4.0"]),
        (cycle_of_four(PassTo(1, 14)), ["pass_cycle.4.0"]),
        (cycle_of_four(PassTo(1, 0)), ["pass_cycle.4.0"]),
        (cycle_of_four(Scatter(5)), ["pass_cycle.4.0"]),
        (cycle_of_four(Scatter(-1)), ["pass_cycle.4.0"]),
        ({"points": ()}, ["points", "end.target"]),
        ({"points": (), "end": Single()}, ["points"]),
        ({"points": ((Selector("H*"), 1), (Selector("JK"), 5))}, ["points.JK"]),
        ({"points": ((Selector("H*"), 1), (Selector("JD"), -13))}, ["end.target"]),
        ({"moon": MoonRules(bonus=True)}, ["moon.bonus"]),
        ({"moon": MoonRules(value=0)}, ["moon.value"]),
        ({"end": Target(0)}, ["end.target"]),
        ({"end": DealCount(0)}, ["end.hands"]),
        ({"end": Minutes(0)}, ["end.minutes"]),
        ({"sides": Sides.OPPOSITE}, ["sides", "sides"]),
        ({"side_score": SideScore.INDIVIDUAL_SUM_AT_END}, ["side_score"]),
        ({"packs": 3, "duplicates": Duplicates.CANCEL_PAIRS}, ["packs"]),
        ({"packs": 2}, ["duplicates"]),
        ({"ranks": ()}, ["ranks", "points.QS", "points.H*", "points", "end.target"]),
        ({"ranks": (Rank.ACE, Rank.QUEEN)}, ["ranks"]),
        ({"cards_per_player": 3}, ["cards_per_player"]),
        ({"jokers": {4: -1}}, ["jokers"]),
        ({"no_trick_bonus": NoTrickBonus(points=5)}, ["no_trick_bonus.points"]),
        ({"sun": 0}, ["sun.value"]),
        ({"sun": 52, "moon": MoonRules(on=False)}, ["sun"]),
        ({"sun": 26, "players": (3, 4)}, ["sun.value"] * 2),
        ({"good_score": GoodScore.HIGH}, ["moon.payoff"]),
        ({"moon": MoonRules(payoff=MoonPayoff.LOSE_VALUE)}, ["moon.payoff"]),
        ({"settle": Settle.SUPER}, ["settle"]),
        ({"players": (4,), "add": {4: parse_cards("JK")}}, ["duplicates"]),
        (
            {
                "players": (4,),
                "duplicates": Duplicates.LATER_WINS,
                "add": {4: parse_cards("JK JK JK JK")},
            },
            ["add.4"] * 4,
        ),
        ({"players": (4,), "hand": {4: 14}}, ["hand.4"]),
        ({"players": (4,), "hand": {4: 12}}, ["hand.4"]),
        ({"players": (4,), "jokers": {4: 1}}, ["remove.4"]),
        ({"players": (4,), "draw": Draw.AFTER_EACH_CARD}, ["draw"]),
        ({"players": (4,), "hand": {4: 12}, "rest": {4: Rest.STOCK}}, ["draw"]),
        (
            {
                "players": (3,),
                "default_players": 3,
                "remove": {},
                "hand": {3: 17},
                "rest": {3: Rest.STOCK},
                "draw": Draw.AFTER_EACH_CARD,
            },
            ["rest.3"],
        ),
        ({"players": (4,), "cards_per_player": 2}, ["cards_per_player"]),
        (kitty(WidowRules(size=3)), ["widow.size"]),
        (kitty(WidowRules(positions=WidowPositions.FIRST_LAST)), ["widow.positions"]),
    ],
)
def test_every_fault_is_named_with_the_path_of_its_key(change, keys):
    faults = problems(replace(STANDARD, **change))
    assert [fault.partition(":")[0] for fault in faults] == keys


@pytest.mark.parametrize(
    ("change", "other"),
    [
        ({"remove": {3: parse_cards("QS")}}, "points"),
        ({"moon": MoonRules(bonus=True)}, "points"),
        ({"points": ((Selector("H*"), 1), (Selector("JD"), -13))}, "points"),
        ({"pass_cycle": {3: (Hold(),), 5: (Hold(),), 6: (Hold(),)}}, "players"),
        (cycle_of_four(PassTo(1, 14)), "13 of a hand"),
        ({"players": (3,)}, "players"),
        ({"heart_scale": HeartScale.PIP14, "points": ((Selector("KS"), 10),)}, "points.KS"),
        ({"heart_scale": HeartScale.GREEK, "points": ((Selector("AS"), 7),)}, "points.AS"),
        ({"packs": 2}, "packs"),
        ({"add": {4: parse_cards("QS")}}, "add"),
        ({"settle": Settle.SUPER}, "end.target"),
        ({"settle": Settle.SUPER, "end": DealCount(4), "sides": Sides.OPPOSITE_IF_EVEN}, "sides"),
        (
            {
                "settle": Settle.SUPER,
                "end": DealCount(4),
                "good_score": GoodScore.HIGH,
                "moon": MoonRules(on=False),
            },
            "good_score",
        ),
        ({"sun": 52, "moon": MoonRules(on=False)}, "moon.on"),
        ({"sun": 52, "moon": MoonRules(value=52)}, "moon.value"),
        ({"sun": 52, "moon": MoonRules(), "heart_scale": HeartScale.PIP14}, "moon.value"),
        (
            {
                "good_score": GoodScore.HIGH,
                "moon": MoonRules(on=False),
                "no_trick_bonus": NoTrickBonus(points=-5),
            },
            "good_score",
        ),
        ({"draw": Draw.AFTER_EACH_CARD}, "rest"),
        ({"players": (4,), "hand": {4: 12}}, "rest"),
    ],
)
def test_a_fault_of_a_pair_names_both_of_its_sides(change, other):
    faults = problems(replace(STANDARD, **change))
    assert other in faults[-1].partition(":")[2] or other in faults[0].partition(":")[2]


@pytest.mark.parametrize(
    "change",
    [
        {"players": (6,), "default_players": 6, "pass_cycle": {6: (PassTo(-5, 8),)}},
        cycle_of_four(Scatter(4)),
        {"points": ((Selector("QS"), 13),)},
        {"moon": MoonRules(on=False), "end": DealCount(1)},
        {"sun": 27, "moon": MoonRules(value=26)},
        kitty(WidowRules(size=4)),
        {"players": (4,), "sides": Sides.OPPOSITE, "settle": Settle.WILSON},
    ],
)
def test_what_can_be_played_has_no_problems(change):
    assert problems(replace(STANDARD, **change)) == []
