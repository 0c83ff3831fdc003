"""The score of a game with real cards (rules.md 1.1, 2.4.9 to 2.4.12, 3.8 and vector 1 of 5)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.rules.scorekeeper import (
    LARGEST,
    GameOverError,
    KeptDeal,
    KeptRules,
    MoonForm,
    NoSuchPlayerError,
    NothingToUndoError,
    PlayersError,
    ScoreSheet,
    TooLargeError,
    WrongCountError,
    WrongSumError,
    enter,
    enter_without_jack,
    lacks_jack,
    shoot,
    undo,
    with_jack,
    with_rules,
)

FOUR = ("Ana", "Ben", "Cy", "Dee")
SUBTRACT = KeptRules(moon=MoonForm.SUBTRACT_SELF)


def standing(*totals: int, rules: KeptRules | None = None) -> ScoreSheet:
    """A game in which somebody has typed one deal that led to these totals."""
    names = tuple("ABCDEFGHIJ"[: len(totals)]) if len(totals) != 4 else FOUR
    return ScoreSheet(names, rules or KeptRules(), (KeptDeal(totals),))


def test_vector_1_a_deal_is_added_to_the_totals():
    """Section 5, vector 1, and the worked example of 1.1."""
    after = enter(standing(62, 48, 71, 90), (15, 4, 0, 7))
    assert after.totals == (77, 52, 71, 97)
    assert not after.over


def test_vector_1_a_moon_that_is_added_ends_the_game():
    after = shoot(standing(77, 52, 71, 97), shooter=1)
    assert after.totals == (103, 52, 97, 123)
    assert after.over
    assert after.places == (3, 1, 2, 4)


def test_vector_1_a_moon_that_is_subtracted_lets_it_go_on():
    after = shoot(standing(77, 52, 71, 97, rules=SUBTRACT), shooter=1)
    assert after.totals == (77, 26, 71, 97)
    assert not after.over


@pytest.mark.parametrize(
    ("rules", "points", "total"),
    [(KeptRules(), (26, 0, 26, 26), 78), (SUBTRACT, (0, -26, 0, 0), -26)],
)
def test_a_moon_fills_in_every_entry_and_is_not_held_against_the_total(rules, points, total):
    """2.4.12: its sum is 78 or −26 at four."""
    [deal] = shoot(ScoreSheet(FOUR, rules), shooter=1).deals
    assert deal == KeptDeal(points, shooter=1)
    assert sum(deal.points) == total


@pytest.mark.parametrize(
    ("jack", "points"),
    [(None, (26, 0, 26, 26)), (1, (26, -10, 26, 26)), (3, (26, 0, 26, 16))],
)
def test_the_jack_counts_for_whoever_took_it_beside_a_moon(jack, points):
    """2.4.7: it is scored separately and is not required."""
    sheet = ScoreSheet(FOUR, KeptRules(total=16, jack=True))
    assert shoot(sheet, shooter=1, jack=jack).deals[-1].points == points


def test_without_the_rule_a_jack_changes_nothing():
    assert shoot(ScoreSheet(FOUR), shooter=1, jack=0).totals == (26, 0, 26, 26)


@pytest.mark.parametrize("points", [(15, 4, 0, 6), (0, 26, 26, 26), (0, 0, 0, 0), (-26, 0, 0, 0)])
def test_points_that_do_not_add_up_are_refused_with_both_sums(points):
    with pytest.raises(WrongSumError) as refused:
        enter(ScoreSheet(FOUR), points)
    assert f"add up to {sum(points)}, and a deal has to add up to 26" in str(refused.value.sentence)


def test_single_entries_may_be_negative_where_the_jack_counts():
    """1.1: with the jack a deal adds up to 16."""
    sheet = ScoreSheet(FOUR, KeptRules(total=16, jack=True))
    assert enter(sheet, (-10, 13, 13, 0)).totals == (-10, 13, 13, 0)
    with pytest.raises(WrongSumError):
        enter(sheet, (0, 13, 13, 0))


@pytest.mark.parametrize(("jack", "points"), [(0, (3, 13, 0, 0)), (None, (13, 13, 0, 0))])
def test_a_deal_typed_without_the_jack_gets_it_from_whoever_took_it(jack, points):
    """2.4.12: the tool asks who took it."""
    sheet = ScoreSheet(FOUR, KeptRules(total=16, jack=True))
    typed = (13, 13, 0, 0)
    assert lacks_jack(sheet, typed)
    assert not lacks_jack(sheet, (3, 13, 0, 0))
    assert not lacks_jack(ScoreSheet(FOUR, KeptRules(total=16)), typed)
    assert enter_without_jack(sheet, typed, jack).deals == (KeptDeal(points),)


def test_a_deal_without_the_jack_has_to_add_up_too():
    sheet = ScoreSheet(FOUR, KeptRules(total=16, jack=True))
    with pytest.raises(WrongSumError):
        enter_without_jack(sheet, (13, 12, 0, 0), 0)
    with pytest.raises(NoSuchPlayerError):
        enter_without_jack(sheet, (13, 13, 0, 0), 4)


def test_the_jack_begins_and_ceases_to_count_with_the_total():
    """1.1: 26, and 16 with the jack."""
    with_it = with_jack(KeptRules(), counts=True)
    assert with_it == KeptRules(total=16, jack=True)
    assert with_jack(with_it, counts=True) == with_it
    assert with_jack(with_it, counts=False) == KeptRules()


def test_the_total_of_a_deal_may_be_set():
    sheet = with_rules(ScoreSheet(FOUR), KeptRules(total=43))
    assert enter(sheet, (20, 23, 0, 0)).totals == (20, 23, 0, 0)


@pytest.mark.parametrize("points", [(26, 0, 0), (26, 0, 0, 0, 0), ()])
def test_every_player_has_one_number(points):
    with pytest.raises(WrongCountError):
        enter(ScoreSheet(FOUR), points)


def test_a_number_that_no_deal_has_is_refused():
    with pytest.raises(TooLargeError):
        enter(ScoreSheet(FOUR), (LARGEST + 1, -LARGEST, 25, 0))


@pytest.mark.parametrize(
    "change", [{"target": 0}, {"target": LARGEST + 1}, {"moon_value": 0}, {"total": -LARGEST - 1}]
)
def test_rules_that_make_no_sense_are_refused(change):
    with pytest.raises(TooLargeError):
        KeptRules(**change)


@pytest.mark.parametrize("others", [(99, 99, 98), (99, 99, 99)])
def test_the_game_ends_when_somebody_reaches_the_target(others):
    """1.1: the end of the first deal with somebody at 100 or more."""
    assert not standing(0, *others).over
    assert standing(0, *others[:2], 100).over


def test_the_target_may_be_set():
    assert standing(0, 10, 20, 50, rules=KeptRules(target=50)).over
    assert not standing(0, 10, 20, 149, rules=KeptRules(target=150)).over


def test_a_shared_lowest_total_asks_for_an_extra_deal():
    """2.4.9: extra deals until one is ahead; the rest of the order plays no part."""
    tied = standing(20, 20, 90, 104)
    assert tied.extra_deal
    assert not tied.over
    ahead = enter(tied, (0, 1, 25, 0))
    assert ahead.over
    assert ahead.places == (1, 2, 4, 3)
    assert standing(20, 30, 104, 104).over


def test_an_extra_deal_that_leaves_the_tie_asks_for_another():
    again = enter(standing(20, 20, 90, 104), (0, 0, 13, 13))
    assert again.extra_deal


def test_a_subtracting_moon_may_bring_everybody_below_the_target_again():
    """2.4.9: then the game simply goes on."""
    tied = standing(20, 20, 90, 104, rules=SUBTRACT)
    below = shoot(tied, shooter=3)
    assert below.totals == (20, 20, 90, 78)
    assert not below.target_reached
    assert not below.extra_deal
    assert not below.over


def test_after_the_end_nothing_more_is_entered():
    over = standing(0, 10, 20, 100)
    with pytest.raises(GameOverError):
        enter(over, (26, 0, 0, 0))
    with pytest.raises(GameOverError):
        shoot(over, shooter=0)


def test_undo_takes_back_the_newest_deal_also_the_one_that_ended_the_game():
    before = standing(77, 52, 71, 97)
    over = shoot(before, shooter=1)
    assert undo(over) == before
    assert undo(undo(over)).totals == (0, 0, 0, 0)
    with pytest.raises(NothingToUndoError):
        undo(undo(undo(over)))


def test_a_higher_target_lets_a_game_go_on_and_keeps_its_deals():
    over = standing(0, 10, 20, 100)
    longer = with_rules(over, KeptRules(target=150, moon=MoonForm.SUBTRACT_SELF))
    assert not longer.over
    assert longer.totals == over.totals


@pytest.mark.parametrize("seats", [3, 6, 10])
def test_three_to_ten_may_play(seats):
    """2.4.12: more than six is an extension of ours."""
    sheet = ScoreSheet(tuple("ABCDEFGHIJ"[:seats]))
    points = (26, *[0] * (seats - 1))
    assert enter(sheet, points).totals == points
    assert sum(shoot(sheet, shooter=0).totals) == 26 * (seats - 1)


@pytest.mark.parametrize(
    "names", [(), ("A", "B"), tuple("ABCDEFGHIJK"), ("Ana", "ben", "Ben"), ("A", "A", "A")]
)
def test_other_numbers_of_players_and_equal_names_are_refused(names):
    with pytest.raises(PlayersError):
        ScoreSheet(names)


@pytest.mark.parametrize(("shooter", "jack"), [(4, None), (-1, None), (0, 4), (0, -1)])
def test_nobody_shoots_who_does_not_play(shooter, jack):
    with pytest.raises(NoSuchPlayerError):
        shoot(ScoreSheet(FOUR, KeptRules(jack=True)), shooter, jack)


def test_before_the_first_deal_nothing_is_over():
    assert not ScoreSheet(FOUR, KeptRules(target=1)).over


@given(st.data())
def test_totals_are_the_sums_of_all_that_was_kept(data):
    """And undoing every deal leads back to where the game began."""
    rules = KeptRules(target=LARGEST)
    sheet = start = ScoreSheet(FOUR, rules)
    added = [0, 0, 0, 0]
    for _ in range(data.draw(st.integers(0, 8))):
        if data.draw(st.booleans()):
            sheet = shoot(sheet, data.draw(st.integers(0, 3)))
        else:
            parts = data.draw(st.lists(st.integers(-50, 50), min_size=3, max_size=3))
            sheet = enter(sheet, (*parts, 26 - sum(parts)))
        added = [sum(pair) for pair in zip(added, sheet.deals[-1].points, strict=True)]
    assert sheet.totals == tuple(added)
    for _ in sheet.deals:
        sheet = undo(sheet)
    assert sheet == start
