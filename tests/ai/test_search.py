"""Robots that search (robots.md): they play every preset, and see what search can see."""

from collections import Counter
from random import Random

import pytest

from bot.ai import halving
from bot.ai.compiled import compiled
from bot.ai.playout import playout
from bot.ai.search import Searcher, distinct, shots
from bot.ai.utility import Utility
from bot.ai.worlds import Worlds
from bot.arena import match
from bot.arena.at_random import AtRandom
from bot.rules import variants
from bot.rules.cards import Seat
from bot.rules.legal import to_move
from bot.rules.money import super_hearts
from bot.rules.sides import side_of
from bot.rules.view import seat_view
from tests.support.compiled import dealt
from tests.support.deals import begun, deal_in_play, house_rules, played
from tests.support.rulesets import EVERY_TABLE

QUICK = Searcher(2)
CAREFUL = Searcher(400)
JACK = house_rules(points={"JD": -10})


def named(table):
    return f"{table[0]}_{table[1]}"


@pytest.mark.thorough
def test_a_robot_that_searches_plays_every_preset_by_its_rules():
    """A card or a pass against the rules would raise `IllegalMoveError`."""
    for name, seats in EVERY_TABLE:
        players = [QUICK, *[AtRandom()] * (seats - 1)]
        game = match.play_game(variants.load(name), players, Random(seats), deals=1)
        assert len(game.scores) == 1


def test_the_same_dice_give_the_same_decisions():
    players = [Searcher(20)] * 4
    first, second = (match.play_game(JACK, players, Random(5), deals=1) for _ in range(2))
    assert first == second


def answer(game, searcher=CAREFUL):
    return str(searcher.choose_card(seat_view(game, to_move(game)[0]), Random(1)))


def test_a_free_jack_is_taken():
    game = deal_in_play("JD 2C 2S", "5D 3C 3S", "6D 4C 4S", "3D KD 5C", ruleset=JACK)
    assert answer(played(game, "JD 5D 6D")) == "KD"


def test_a_jack_that_comes_with_the_queen_is_left_alone():
    game = deal_in_play("JD 2C 2S", "QS 3C 3S", "6D 4C 4S", "3D KD 5C", ruleset=JACK)
    assert answer(played(game, "JD QS 6D")) == "3D"


def test_the_queen_is_not_taken_by_the_last_seat_that_can_duck():
    game = deal_in_play("9C 2H 2D", "QS 3H 3D", "TC 4H 4D", "8C JC 5H")
    assert answer(played(game, "9C QS TC")) == "8C"


def test_partners_give_each_other_the_good_cards_where_points_are_good():
    game = deal_in_play("AC 2D", "3C 3D", "QS 4D", "4C 5D", ruleset=variants.load("reverse"))
    assert answer(played(game, "AC 3C")) == "QS"


def test_cards_that_touch_are_tried_once():
    game = deal_in_play("2C 3C 5C 9H TH", "6C 2D 3D 4D 5D", "7C 2S 3S 4S 5S", "8C 6D 7D 8D 9D")
    game = played(game, "2C 6C 7C 8C")
    table = playout(game.ruleset, 4)
    leader = to_move(game)[0]
    view = seat_view(game, leader)
    found = distinct(table, Worlds(table.rules, view), view)
    assert [str(card) for bit in found for card in table.rules.cards_of(bit)] == ["6D"]


def test_of_the_touching_cards_none_is_left_out_that_counts_otherwise():
    game = deal_in_play("JS QS KS", "2C 3C 4C", "2D 3D 4D", "5D 6D 7D")
    table = playout(game.ruleset, 4)
    view = seat_view(game, Seat(0))
    found = distinct(table, Worlds(table.rules, view), view)
    assert [str(card) for bit in found for card in table.rules.cards_of(bit)] == ["JS", "QS", "KS"]


def margin(points, own):
    others = [points[seat] for seat in range(len(points)) if seat not in own]
    return sum(others) / len(others) - sum(points[seat] for seat in own) / len(own)


@pytest.mark.parametrize(("name", "seats"), EVERY_TABLE)
def test_a_deal_is_worth_what_the_own_side_is_ahead_by(name, seats):
    """In points by side; in money where each deal is settled by itself."""
    ruleset = variants.load(name)
    at = playout(ruleset, seats)
    over = at.run(dealt(at.rules, Random(f"{name} {seats}")))
    points = at.reckoning.points(over, totals=(0,) * seats)
    own = side_of(ruleset, Seat(1), seats)
    wanted = margin(points, own)
    if ruleset.settle.value == "super":
        wanted = -margin(list(map(float, super_hearts(points))), own)
    if ruleset.good_score.value == "high":
        wanted = -wanted
    scale = len(own) if ruleset.side_score.value != "pooled" else 1
    view = seat_view(begun(ruleset.deck(seats), ruleset, seats), Seat(1))
    found = Utility(at, view).of(over)
    assert found == pytest.approx(scale * wanted)


SURE_OF_ALL = ("AC KC QC AH KH QH JH", "2C 3C 4C 2H 3H 4H 2D", "5C 6C 7C 5H 6H 7H 3D")


def test_a_seat_that_can_take_everything_goes_on_to_shoot():
    """The plan is worth what the moon pays; to keep ducking is worth less."""
    game = deal_in_play(*SURE_OF_ALL, "8C 9C TC 8H 9H TH QS", ruleset=house_rules(), leader=0)
    table = playout(game.ruleset, 4)
    view = seat_view(game, Seat(0))
    plans = shots(table, Worlds(table.rules, view), view)
    assert {str(card) for plan in plans for card in table.rules.cards_of(plan.cards)} == {"AC"}
    assert all(plan.shooters == 1 for plan in plans)


def test_nobody_means_to_shoot_once_another_seat_has_a_card_that_counts():
    game = deal_in_play(*SURE_OF_ALL, "8C 9C TC 8H 9H TH QS", hearts_broken=True)
    game = played(game, "QH 2H 5H 8H AC 2C 5C 8C")
    rules = compiled(game.ruleset, 4)
    table = playout(game.ruleset, 4)
    at = Worlds(rules, seat_view(game, Seat(0))).evidence.at
    assert not table.policy.is_foiled(at, 1)
    assert table.policy.is_foiled(at, 2)
    view = seat_view(game, Seat(0))
    assert shots(table, Worlds(rules, view), view)
    assert table.policy.suspects(at) == 0


def test_partners_shoot_the_moon_together_where_the_rules_have_it_so():
    ruleset = variants.load("partnership_pooled")
    game = deal_in_play(*SURE_OF_ALL, "8C 9C TC 8H 9H TH QS", ruleset=ruleset)
    table = playout(ruleset, 4)
    view = seat_view(game, Seat(0))
    assert {plan.shooters for plan in shots(table, Worlds(table.rules, view), view)} == {0b0101}


def test_halving_keeps_the_best_and_keeps_to_its_budget():
    tried = Counter()
    dice = Random(1)

    def trial(choices):
        tried.update(choices)
        return [choice + 3 * dice.random() for choice in choices]

    assert halving.best([*range(8)], trial, 240, kept=0.5) == 7
    assert tried.total() == 240
    assert tried[7] > tried[0]


def test_what_is_trusted_decides_where_trials_tell_nothing():
    def trial(choices):
        return [0.0] * len(choices)

    assert halving.best("abc", trial, 9, kept=0.5, prior=[0.0, 1.0, 0.5]) == "b"
    assert halving.best("abc", trial, 9, kept=0.5) == "a"


def test_a_pass_has_as_many_cards_of_the_hand_as_the_step_takes():
    for rules in (JACK, house_rules(pass_cycle={"4": [{"scatter": 1}]})):
        game = begun(tuple(Random(2).sample(rules.deck(4), 52)), rules)
        view = seat_view(game, Seat(2))
        chosen = Searcher(20).choose_pass(view, Random(1))
        assert len(chosen) == 3
        assert chosen <= view.hand


def test_in_any_haste_a_robot_imagines_fifty_deals():
    """Fewer make it worse than the rules of thumb that would answer in its place."""
    deck = tuple(Random(3).sample(JACK.deck(4), 52))
    view = seat_view(begun(deck, JACK), Seat(1))

    def passes(searcher):
        return [searcher.choose_pass(view, Random(dice)) for dice in range(5)]

    assert passes(Searcher(1_000).hurried(0.01)) == passes(Searcher(50))
    assert passes(Searcher(200).hurried(0.5)) == passes(Searcher(100))
    assert passes(Searcher(10).hurried(0.5)) == passes(Searcher(10))


def test_who_imagines_one_deal_plays_as_the_rules_of_thumb_do():
    """They count as sixty deals at least, so one deal cannot overrule a clear opinion."""
    game = deal_in_play("JD 2C 2S", "QS 3C 3S", "6D 4C 4S", "3D KD 5C", ruleset=JACK)
    game = played(game, "JD QS 6D")
    view = seat_view(game, to_move(game)[0])
    cards = {str(Searcher(1).choose_card(view, Random(dice))) for dice in range(20)}
    assert cards == {"3D"}


def test_whoever_is_not_to_play_is_not_asked():
    game = deal_in_play("2C", "3C", "4C", "5C")
    with pytest.raises(ValueError, match="not to play"):
        CAREFUL.choose_card(seat_view(game, Seat(1)), Random(1))


def test_compiled_rules_of_a_table_are_made_once():
    assert compiled(JACK, 4) is compiled(JACK, 4)
