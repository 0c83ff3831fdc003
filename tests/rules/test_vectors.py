"""The golden vectors of rules.md 5, by number; each number is a sentence of the catalogue."""

from dataclasses import replace
from fractions import Fraction

import pytest

from bot.rules import money
from bot.rules.cards import Seat, parse_cards
from bot.rules.commands import BeginDeal, PlayCard
from bot.rules.dealing import Dealt, order_of
from bot.rules.decide import decide, new_game
from bot.rules.dimensions import HEART_POINTS, HeartScale
from bot.rules.errors import RulesetError
from bot.rules.evolve import replay
from bot.rules.legal import choice, to_move
from bot.rules.piles import captured, penalties, points_in
from bot.rules.ruleset import Ruleset
from bot.rules.scoring import score
from bot.rules.settlement import standing_after
from bot.rules.state import Game, Play, Trick
from bot.rules.tricks import winner
from bot.rules.variants import load
from tests.support.deals import (
    STANDARD,
    based_on,
    cards,
    deal_in_play,
    deal_opening,
    house_rules,
    played,
    standing,
)
from tests.support.taken import ALL_HEARTS, deal_taken

KILLER = load("killer")
TWO = load("two_player")


def trick(text: str, seats: int = 6, leader: int = 0) -> Trick:
    plays = [Play(Seat((leader + n) % seats), card) for n, card in enumerate(parse_cards(text))]
    return Trick(Seat(leader), tuple(plays))


def deck_points(rules: Ruleset, seats: int) -> int:
    return sum(map(rules.points_of, rules.deck(seats)))


def dear_points(rules: Ruleset, seats: int) -> int:
    return points_in(rules, penalties(rules, frozenset(rules.deck(seats))))


def test_vector_1_the_worked_example_of_s3():
    """62/48/71/90 and (15, 4, 0, 7), then Ben's moon in either form."""
    deal = deal_taken(
        "QS 2H 3H", "4H 5H 6H 7H", "", "8H 9H TH JH QH KH AH", totals=(62, 48, 71, 90)
    )
    assert score(deal, None).totals == (77, 52, 71, 97)
    moon = deal_taken("", f"QS {ALL_HEARTS}", "", "", totals=(77, 52, 71, 97))
    added = score(moon, None)
    assert added.totals == (103, 52, 97, 123)
    assert standing_after(moon, added).is_end()
    assert standing_after(moon, added).places()[1] == 1
    off = replace(moon, ruleset=house_rules(moon={"payoff": "subtract_self"}))
    assert score(off, None).totals == (77, 26, 71, 97)
    assert not standing_after(off, score(off, None)).is_end()


def test_vector_2_a_deal_of_omnibus_adds_up_to_16():
    for rules in (load("omnibus"), load("red_jack"), house_rules(points={"JD": -10})):
        assert deck_points(rules, 4) == 26 - 10


def test_vector_3_the_pair_with_the_smaller_sum_wins():
    """105 + 34 = 139 against 78 + 69 = 147."""
    end = standing(load("partnership_individual"), (105, 78, 34, 69))
    assert end.is_end()
    assert end.places() == (1, 2, 1, 2)


def test_vector_4_two_players_tie_before_the_last_deal():
    """49/49, then 8 and 5 with a heart in the widow: 57/54, and 54 wins."""
    game = deal_taken(
        "QS 2H", "4H 6H 8H TH QH", ruleset=TWO, totals=(49, 49), widow="AH 2C", number=3
    )
    result = score(game, None)
    assert result.points == (8, 5)
    assert result.totals == (57, 54)
    assert standing_after(game, result).is_end()
    assert standing_after(game, result).places() == (2, 1)


@pytest.mark.parametrize(
    ("preset", "over", "total", "moon"),
    [
        ("two_player", {}, 14, 14),
        ("two_player_spot_hi", {}, 35, 35),
        ("two_player_spot_lo", {}, 35, 35),
        ("two_player_spot_hi", {"points": {"QS": 13}, "moon": {"value": 41}}, 41, 41),
        ("two_player_omnibus", {"moon": {"bonus": True, "value": 19}}, 14, 19),
        (
            "two_player_spot_hi",
            {"points": {"TD": -5}, "moon": {"bonus": True, "value": 40}},
            35,
            40,
        ),
        (
            "two_player_spot_lo",
            {"points": {"TD": -5, "QS": 13}, "moon": {"bonus": True, "value": 46}},
            41,
            46,
        ),
    ],
)
@pytest.mark.parametrize("payoff", ["add_others", "subtract_self"])
def test_vector_5_what_a_deal_for_two_adds_up_to(
    preset: str, over: dict[str, dict[str, object]], total: int, moon: int, payoff: str
):
    """14 / 28 + 7 = 35 / 28 + 13 = 41, and with a required bonus 19, 40, 46 (2.1.3c-l)."""
    words = {**over.get("moon", {}), "payoff": payoff, "bonus_score": "absorbed"}
    rules = based_on(preset, **{**over, "moon": words})
    assert dear_points(rules, 2) == total
    all_seven = "2H 4H 6H 8H TH QH AH"
    game = deal_taken(f"QS TD {all_seven}", "", ruleset=rules, widow="2C 4C", totals=(20, 20))
    assert score(game, None).points == ((0, moon) if payoff == "add_others" else (-moon, 0))


@pytest.mark.parametrize(
    ("totals", "paid"),
    [
        ((103, 50, 50, 10), ("-53", "13/2", "13/2", "40")),
        ((103, 70, 50, 10), ("-33", "13", "-20", "40")),
        ((100, 95, 20, 18), ("-5", "-70", "73", "2")),
        ((103, 103, 50, 10), ("-53/2", "-53/2", "13", "40")),
        ((103, 40, 40, 40), ("-63", "21", "21", "21")),
        ((100, 100, 100), ("0", "0", "0")),
    ],
)
def test_vector_6_the_wilson_settlement(totals: tuple[int, ...], paid: tuple[str, ...]):
    received = standing(load("wilson"), totals).settlement()
    assert received == tuple(map(Fraction, paid))
    assert sum(received) == 0


@pytest.mark.parametrize(
    ("points", "paid"),
    [
        ((1, 4, 15, 0), (17, -3, -14, 0)),
        ((2, 2, 16, 0), (7, 7, -14, 0)),
        ((20, 0, 0, 0), (0, 0, 0, 0)),
        ((5, 5, 5, 5), (0, 0, 0, 0)),
        ((0, 0, 0, 0), (0, 0, 0, 0)),
    ],
)
def test_vector_7_super_hearts(points: tuple[int, ...], paid: tuple[int, ...]):
    assert money.for_deal(load("super_hearts"), points) == tuple(map(Fraction, paid))


SAMPLE_HANDS = ("3H 2C 8C QC 5D 6D 9D", "3S 4S 2H 3C 9C JC TD")
SAMPLE_PLAYS = (
    "2C JC QC 9C",
    "AC 6C TC 3C",
    "9D TD 6D 4D",
    "2S 5S 4S 8S",
    "2D JD 5D AD",
    "7C 5C KS 8C",
    "4C TH AS 8H",
)
SAMPLE_STOCK = (
    "TC 2S AC 6C AH 4H 9H 7C 5S 4D 2D JD KS 8S 6S 5C 4C AD AS 8H TH JS QD 5H JH 8D KH 6H "
    "7S 9S TS QS 7H QH 3D 7D KD KC"
)


def sample_of_s1() -> Game:
    """The sample deal of S1 up to its seventh trick, with the draw A = JD (rules.md 2.2)."""
    rules = load("draw7")
    dealt = Dealt(tuple(map(cards, SAMPLE_HANDS)), stock=parse_cards(SAMPLE_STOCK))
    game = new_game(rules, 2, Seat(1))
    begin = BeginDeal(order_of(rules, Seat(1), dealt))
    game = replay(game, decide(game, begin))
    for text in SAMPLE_PLAYS:
        game = played(game, text)
    return game


def test_vector_8_the_sample_of_s1_is_legal_and_won_as_printed():
    game = sample_of_s1()
    assert game.deal is not None
    assert [each.winner for each in game.deal.tricks] == [0, 0, 1, 0, 1, 0, 0]
    piles = captured(game.ruleset, game.deal)
    assert [points_in(game.ruleset, pile) for pile in piles] == [2, 0]
    assert len(game.deal.stock) == 10
    assert game.deal.hands[0] == cards("3H 5H 9H AH JH KH JS")
    assert game.deal.hands[1] == cards("8D QD 2H 4H 6H 3S 6S")
    assert game.deal.hearts_broken


def test_vector_9_the_stock_of_s1_runs_out_in_the_tenth_trick():
    game, left = sample_of_s1(), {}
    while to_move(game):
        seat, options = to_move(game)[0], sorted(choice(game).cards, key=lambda card: card.order)
        game = replay(game, decide(game, PlayCard(seat, options[0])))
        assert game.deal is not None
        left[len(game.deal.tricks)] = len(game.deal.stock), tuple(map(len, game.deal.hands))
        if len(game.deal.tricks) == 10:
            break
    # What stood after the last card of each trick.
    assert left[9][0] <= 2
    assert left[10] == (0, (6, 6))


@pytest.mark.parametrize(
    ("text", "seat", "points"),
    [
        ("2S AS AS.2 QS QS.2 JK", 0, 26),
        ("2S AS AS.2 QS QS.2 QS.3", 5, 39),
        ("2S AS AS.2 KS QS QS.2", 3, 26),
    ],
)
def test_vector_10_equal_cards_lose_their_power_and_keep_their_points(
    text: str, seat: int, points: int
):
    assert winner(KILLER, trick(text)) == seat
    assert sum(map(KILLER.points_of, parse_cards(text))) == points


HEARTS_TWICE = f"{ALL_HEARTS} " + " ".join(f"{face}.2" for face in ALL_HEARTS.split())


def test_vector_11_a_run_charges_all_others():
    """A takes 65 and one JD, B one JD: A -10, B 55, C 65 (rules.md 1.14)."""
    piles = [f"{HEARTS_TWICE} QS QS.2 QS.3 JD", "JD.2", "", "", "", "", ""]
    game = deal_taken(*piles, ruleset=KILLER)
    assert score(game, None).points[:3] == (-10, 55, 65)


@pytest.mark.parametrize(
    ("seats", "size", "hand", "blind"),
    [(6, 104, 17, 2), (7, 105, 15, 0), (8, 104, 13, 0), (9, 108, 12, 0), (10, 110, 11, 0)],
)
def test_vector_11_the_deck_of_killer_hearts(seats: int, size: int, hand: int, blind: int):
    deck = KILLER.deck(seats)
    faces = [card.face for card in deck]
    assert (len(deck), KILLER.hand_size(seats), KILLER.rest_size(seats)) == (size, hand, blind)
    assert (faces.count("2C"), faces.count("QS"), faces.count("JD")) == (1, 3, 2)
    assert dear_points(KILLER, seats) == 65


@pytest.mark.parametrize("broken", [True, False])
def test_vector_12_a_tabled_trick_is_led_again_by_the_same_seat(broken: bool):
    hands = ("4D 2H 3D", "5D 7C 2S", "4D.2 8C 3S", "5D.2 9C 4S", "TC 5C 6C", "JC 3C 4C", "QC 7S 8S")
    game = deal_in_play(*hands, ruleset=KILLER, leader=0, hearts_broken=broken)
    game = played(game, "4D 5D 4D.2 5D.2 TC JC QC")
    assert game.deal is not None
    assert game.deal.tricks[-1].winner is None
    assert to_move(game) == (0,)
    assert choice(game).cards == (cards("2H 3D") if broken else cards("3D"))
    game = played(game, "3D 7C 8C 9C 5C 3C 7S")
    assert game.deal is not None
    assert cards("4D 5D 4D.2 5D.2 3D 7S") <= captured(KILLER, game.deal)[0]


def test_vector_12_a_tabled_trick_at_the_end_is_nobodys():
    hearts = "2H 2H.2 3H 3H.2 4H 4H.2 5H"
    game = deal_taken("QS", "9H", "", "", "", "", "", ruleset=KILLER, dead=hearts)
    assert game.deal is not None
    assert all(not cards("2H 5H") & pile for pile in captured(KILLER, game.deal))
    assert sum(score(game, None).points) == 65 - 20 - 7


def test_vector_12_what_is_dead_is_excused_in_a_run():
    """rules.md 2.3.9: every captured point is a run, and only what was taken is charged."""
    hearts = "2H 2H.2 3H 3H.2 4H 4H.2 5H"
    game = deal_taken("QS", "", "", "", "", "", "", ruleset=KILLER, dead=hearts)
    assert score(game, None).points == (-20, 58, 58, 58, 58, 58, 58)


def test_vector_13_a_led_joker_leaves_the_suit_to_the_next_card():
    rules = load("joker_hearts")
    assert winner(rules, trick("JK 3D AS 9D", seats=4)) == 3
    game = deal_in_play("JK 2C", "3D AH", "4D AS", "5S 6S", ruleset=rules, leader=0)
    game = played(game, "JK")
    assert choice(game).cards == cards("3D")  # hearts are not broken, and seat 1 leads in effect
    game = played(game, "3D")
    assert choice(game).cards == cards("4D")
    for order in ("AS JK 2S 3S", "JK AS 2S 3S", "2S JK.2 AS JK"):
        taker = winner(rules, trick(order, seats=4))
        assert taker is not None
        assert "JK" not in order.split()[taker]
    assert winner(rules, trick("JK JK.2 JK.3 JK.4", seats=4)) is None


@pytest.mark.parametrize(
    ("preset", "seat"), [("cancellation", 1), ("killer", None), ("killer_ancestor_jokers", None)]
)
def test_vector_14_whose_an_unresolved_last_trick_is(preset: str, seat: int | None):
    """PG: of the previous winner; S2: dead."""
    rules = load(preset)
    lost = "2H 2H.2 3H 3H.2 4H 4H.2 5C 5C.2"
    game = deal_taken("", "QS", "", "", "", "", "", "", ruleset=rules, dead=lost)
    assert game.deal is not None
    *others, last = game.deal.tricks
    of_seat_1 = [each for each in others if each.winner == 1]
    in_order = (*[each for each in others if each.winner != 1], *of_seat_1, last)
    piles = captured(rules, replace(game.deal, tricks=in_order))
    assert [cards("2H 5C.2") <= pile for pile in piles] == [n == seat for n in range(8)]


def test_vector_15_what_a_deal_costs_in_all():
    """Black Maria 43; S4 Spot 104 + 50 but the moon 150; PG Spot 129; greek 99 + 25 = 124."""
    assert dear_points(load("black_maria"), 4) == 43
    assert dear_points(load("spot"), 4) == 104 + 50
    assert load("spot").moon.value == 150
    assert dear_points(load("spot_pagat"), 4) == 129
    assert dear_points(load("spot_alt"), 4) == 99 + 25
    assert sum(HEART_POINTS[HeartScale.PIP14].values()) == 104
    assert sum(HEART_POINTS[HeartScale.GREEK].values()) == 99


def test_vector_16_howell_and_the_average():
    """Howell 3/5/5/0: +1, -7, -7, +13; average 42/71/19/24: -3, -32, +20, +15."""
    counters = standing(house_rules(settle="howell"), (3, 5, 5, 0)).settlement()
    assert counters == tuple(map(Fraction, (1, -7, -7, 13)))
    mean = standing(house_rules(settle="diff_from_mean"), (42, 71, 19, 24)).settlement()
    assert mean == tuple(map(Fraction, (-3, -32, 20, 15)))


@pytest.mark.parametrize(
    ("rules", "key"),
    [
        ({"expose": {"cards": ["AH", "QS", "JD", "TC"]}}, "expose"),
        ({"multipliers": {"TC": 2}}, "multipliers"),
        ({"moon": {"payoff": "negate"}}, "moon.payoff"),
    ],
    ids=["charged cards", "doubling ten", "negated points"],
)
def test_vector_17_turbo_is_refused_rather_than_played_wrongly(rules: dict[str, object], key: str):
    """-(26 + 26) = -52 needs charged cards, which no game here has: each part is named."""
    with pytest.raises(RulesetError) as refused:
        house_rules(rules)
    assert refused.value.faults[0].startswith(f"{key}: ")


@pytest.mark.parametrize(
    ("rules", "key"),
    [
        ({"rotation": "ccw"}, "rotation"),
        ({"dealer_next": "taker_of:QS"}, "dealer_next"),
        ({"heart_scale": "gongzhu"}, "heart_scale"),
    ],
)
def test_vector_18_gong_zhu_is_refused_rather_than_played_wrongly(
    rules: dict[str, object], key: str
):
    """4 x -200 = -800 needs exposed cards and another direction of play, which no game has."""
    with pytest.raises(RulesetError) as refused:
        house_rules(rules)
    assert refused.value.faults[0].startswith(f"{key}: ")


@pytest.mark.parametrize("becomes", [50, 0])
def test_vector_19_exactly_100_becomes_50_or_nothing(becomes: int):
    rules = house_rules(exact={"100": becomes})
    thirteen = ("QS", "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH", "", "")
    exact = deal_taken(*thirteen, ruleset=rules, totals=(87, 20, 30, 40))
    assert score(exact, None).totals == (becomes, 33, 30, 40)
    assert not standing_after(exact, score(exact, None)).is_end()
    past = deal_taken(*thirteen, ruleset=rules, totals=(88, 20, 30, 40))
    assert score(past, None).totals[0] == 101
    assert standing_after(past, score(past, None)).is_end()


def test_vector_20_a_first_trick_without_clubs():
    """QS, hearts and one diamond: only the diamond; QS and hearts alone: all of them."""
    others = ("2C 3C 4C 5C 6C", "7C 8C 9C TC JC", "2D 3D 4D 5D 6D")
    one_diamond = deal_opening(others[0], "QS AH KH QH 7D", *others[1:], ruleset=STANDARD)
    assert choice(played(one_diamond, "2C")).cards == cards("7D")
    penalties_only = deal_opening(others[0], "QS AH KH QH JH", *others[1:], ruleset=STANDARD)
    assert choice(played(penalties_only, "2C")).cards == cards("QS AH KH QH JH")
