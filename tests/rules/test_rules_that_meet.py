"""Where two rules meet, and each of them alone leaves it open what happens."""

from dataclasses import replace

import pytest

from bot.rules.cards import Seat
from bot.rules.dimensions import MoonPayoff
from bot.rules.ruleset_io import from_dict
from bot.rules.scoring import safe_payoff, score
from tests.support.taken import ALL_HEARTS, deal_taken

ONE_PACK_AND_WIDOW = {
    "players": [4],
    "hand": 12,
    "rest": "widow",
    "widow": {"take": "dead"},
}


def reasons(result):
    return {line.what for line in result.lines}


def with_last_trick_unwon(game, *, back=1, leader=None):
    """The same deal, had nobody won one of its last tricks."""
    tricks = list(game.deal.tricks)
    lead = tricks[-back].leader if leader is None else leader
    tricks[-back] = replace(tricks[-back], winner=None, leader=lead)
    return replace(game, deal=replace(game.deal, tricks=tuple(tricks)))


def all_won_by(seat, game):
    tricks = tuple(replace(trick, winner=seat) for trick in game.deal.tricks)
    return replace(game, deal=replace(game.deal, tricks=tricks))


@pytest.mark.parametrize(("excused", "moons"), [(True, 0), (False, 1)])
def test_a_dead_widow_has_a_rule_of_its_own_beside_that_of_dead_tricks(excused, moons):
    """rules.md 3.7: `missing_ok` speaks of tricks; 2.1.3f: a point in a dead widow voids."""
    moon = {"missing_ok": "dead_tricks", "widow_points_void": excused}
    rules = from_dict(ONE_PACK_AND_WIDOW | {"moon": moon})
    hearts = ALL_HEARTS.removeprefix("2H ")
    game = deal_taken(f"QS {hearts}", "", "", "", ruleset=rules, widow="2H 3C 4C 5C")
    assert [*reasons(score(game, None))].count("moon") == moons


@pytest.mark.parametrize(("missing_ok", "moons"), [("none", 0), ("dead_tricks", 1)])
def test_a_widow_that_went_with_a_dead_trick_is_excused_as_the_trick_is(missing_ok, moons):
    """rules.md 2.3.6: if that trick is dead, the widow is dead too; 2.3.9 excuses what is."""
    over = {"widow": {"take": "last_trick"}, "moon": {"missing_ok": missing_ok}}
    rules = from_dict(ONE_PACK_AND_WIDOW | {"duplicates": "cancel_pairs"} | over)
    hearts = ALL_HEARTS.removeprefix("2H 3H ")
    taken = (f"QS {hearts}", "", "", "")
    game = deal_taken(*taken, ruleset=rules, widow="2H 3C 4C 5C", dead="3H")
    assert [*reasons(score(game, None))].count("moon") == moons


def test_who_takes_all_tricks_in_the_end_takes_those_that_waited_for_a_winner_too():
    """rules.md 1.18: the sun is all tricks; 1.14: a tabled trick goes to the next winner."""
    rules = from_dict({"players": [4], "duplicates": "cancel_pairs", "sun": {"value": 52}})
    game = deal_taken(f"QS {ALL_HEARTS}", "", "", "", ruleset=rules)
    assert reasons(score(game, None)) == {"QS", "hearts", "sun"}
    assert reasons(score(with_last_trick_unwon(game, back=2), None)) == {"QS", "hearts", "sun"}
    dead = score(with_last_trick_unwon(game), None)
    assert reasons(dead) == {"QS", "hearts", "moon"}


@pytest.mark.parametrize(("rule", "paid"), [("dead", 3), ("previous_winner", 3), ("leader", 2)])
def test_who_is_given_the_last_trick_as_its_leader_has_taken_a_trick(rule, paid):
    """rules.md 1.22: the last trick goes to its leader; 1.27: −5 for whoever takes none."""
    over = {"players": [4], "duplicates": "cancel_pairs", "moon": {"on": False}}
    more = {"no_winner_last": rule, "no_trick_bonus": {"points": -5}}
    tricks = all_won_by(Seat(1), deal_taken("", "", "", "", ruleset=from_dict(over | more)))
    game = with_last_trick_unwon(tricks, leader=Seat(3))
    assert sum(line.what == "no_trick" for line in score(game, None).lines) == paid


def test_a_bonus_of_two_partners_together_stops_at_nought():
    """rules.md 1.27: a bonus may not push a total below 0; 1.19: partners have one total."""
    bonus = {"points": -5, "floor_zero": True}
    over = {"players": [4], "sides": "opposite", "moon": {"on": False}, "no_trick_bonus": bonus}
    taken = deal_taken("", "", "", "", ruleset=from_dict(over), totals=(7, 0, 7, 0))
    result = score(all_won_by(Seat(1), taken), None)
    assert result.totals[:2] == (0, 26 - 5)
    assert result.totals == result.totals[:2] * 2


def test_a_protected_moon_looks_at_the_money_where_that_decides():
    """rules.md 2.4.11: add unless another would win; 2.7: the winner is who is paid most."""
    over = {"players": [4], "settle": "super", "end": {"hands": 1}, "tie": "share"}
    moon = {"payoff": "add_unless_shooter_then_loses"}
    game = deal_taken(f"QS {ALL_HEARTS}", "", "", "", ruleset=from_dict(over | {"moon": moon}))
    paid = score(game, None)
    assert paid.moon.payoff is MoonPayoff.ADD_OTHERS
    assert paid.money == (0, 0, 0, 0)
    assert safe_payoff(game) is MoonPayoff.ADD_OTHERS


NO_TRICK_IN_A_MOON = {"points": -5, "if_moon": True}


def bonus_in_a_moon(payoff, totals):
    """Seat 0 has taken all tricks; adding 26 and 5 off brings everybody else 21."""
    moon = {"payoff": payoff, "value": 26}
    rules = from_dict({"players": [4], "no_trick_bonus": NO_TRICK_IN_A_MOON, "moon": moon})
    game = deal_taken(f"QS {ALL_HEARTS}", "", "", "", ruleset=rules, totals=totals)
    return all_won_by(Seat(0), game)


def test_a_protected_moon_reckons_with_the_bonus_for_no_trick():
    """rules.md 2.4.11: it adds unless that ends the game; 77 + 26 would, 77 + 21 does not."""
    result = score(bonus_in_a_moon("add_unless_shooter_then_loses", (78, 75, 50, 77)), None)
    assert result.moon.payoff is MoonPayoff.ADD_OTHERS
    assert result.totals == (78, 96, 71, 98)


def test_the_safe_payoff_reckons_with_the_bonus_for_no_trick():
    """rules.md 4.2, note 1: adding only if that ends the game; 77 + 21 does not."""
    assert safe_payoff(bonus_in_a_moon("shooter_choice", (60, 75, 60, 77))) is (
        MoonPayoff.SUBTRACT_SELF
    )
    assert safe_payoff(bonus_in_a_moon("shooter_choice", (60, 75, 60, 79))) is (
        MoonPayoff.ADD_OTHERS
    )
