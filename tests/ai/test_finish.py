"""Near the end robots play for the game, not for the deal (robots.md “What to build”)."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest

from bot.ai.finish import Finish, may_end
from bot.ai.playout import playout
from bot.ai.position import Position
from bot.ai.search import Searcher
from bot.ai.utility import Utility
from bot.rules import variants
from bot.rules.cards import Seat
from bot.rules.legal import to_move
from bot.rules.ruleset import Ruleset
from bot.rules.settlement import Standing
from bot.rules.sides import is_pooled, pooled, side_of
from bot.rules.state import Game
from bot.rules.view import SeatView, seat_view
from tests.support.compiled import dealt
from tests.support.deals import STANDARD, based_on, begun, house_rules
from tests.support.positions import Position as Told
from tests.support.positions import game_of
from tests.support.rulesets import EVERY_TABLE

CAREFUL = Searcher(300)


ALL_BUT_SPADES = (
    "0: 2C 3C 4C 5C, 3: 6C 7C 8C 9C, 2: TC JC QC KC, 1: 2D 3D 4D 5D, 0: 6D 7D 8D 9D, "
    "3: TD JD QD KD, 2: AD 2H 3H AC, 2: 4H 5H 6H 7H, 1: 8H 9H TH JH, 0: QH KH AH 2S, "
    "2: 3S 4S 5S 6S"
)


def new_deal(ruleset: Ruleset, seats: int, totals: tuple[int, ...], number: int = 1) -> Game:
    game = begun(ruleset.deck(seats), ruleset, seats)
    assert game.deal is not None
    return replace(game, totals=totals, deal=replace(game.deal, number=number))


def view_of(ruleset: Ruleset, totals: tuple[int, ...], seat: int = 0, number: int = 1) -> SeatView:
    return seat_view(new_deal(ruleset, len(totals), totals, number), Seat(seat))


def finish(ruleset: Ruleset, totals: tuple[int, ...], seat: int = 0) -> Finish:
    return Finish(playout(ruleset, len(totals)), view_of(ruleset, totals, seat))


def ends(ruleset: Ruleset, totals: tuple[int, ...], number: int = 1) -> bool:
    return may_end(playout(ruleset, len(totals)), view_of(ruleset, totals, 0, number))


def answers(tricks: str, hand: str, totals: tuple[int, ...]) -> set[str]:
    """All cards that a searching robot plays there, over some dice."""
    at = Told(says="plays", tricks=tricks, hand=hand, wants=hand)
    game = replace(game_of(at), totals=totals)
    view = seat_view(game, to_move(game)[0])
    return {str(CAREFUL.choose_card(view, Random(dice))) for dice in range(3)}


def test_a_deal_may_end_the_game_once_a_total_can_reach_the_target_in_it():
    assert not ends(STANDARD, (73, 10, 20, 30))
    assert ends(STANDARD, (74, 10, 20, 30))


def test_a_deal_may_end_the_game_if_it_is_the_last_of_so_many():
    eight = house_rules(end={"hands": 8})
    assert not ends(eight, (99, 10, 20, 30), 7)
    assert ends(eight, (9, 10, 20, 30), 8)


def test_a_deal_may_end_the_game_once_it_is_called_the_last():
    game = new_deal(house_rules(end={"minutes": 30}), 4, (99, 10, 20, 30))
    table = playout(game.ruleset, 4)
    assert not may_end(table, seat_view(game, Seat(0)))
    assert may_end(table, seat_view(replace(game, last_deal=True), Seat(0)))


def test_where_money_changes_hands_every_point_counts_to_the_last():
    assert not ends(variants.load("wilson"), (99, 10, 20, 30))
    assert not ends(variants.load("super_hearts"), (0, 0, 0, 0), 4)


@pytest.mark.parametrize(("name", "seats"), EVERY_TABLE)
def test_far_from_the_end_a_deal_is_worth_its_margin(name, seats):
    """So nothing that the arena measures depends on how a game ends: its totals are 0."""
    ruleset = variants.load(name)
    assert not ends(ruleset, (0,) * seats)


def test_near_the_end_the_margin_is_not_what_a_deal_is_worth():
    """The control: the same deal, at other totals."""
    table = playout(STANDARD, 4)
    over = table.run(dealt(table.rules, Random(3)))
    far = Utility(table, view_of(STANDARD, (0, 0, 0, 0))).of(over)
    near = Utility(table, view_of(STANDARD, (95, 60, 60, 60))).of(over)
    assert near != pytest.approx(far)


LAST_SPADES = f"{ALL_BUT_SPADES}, 1: 9S KS 8S"
"""Seat 0 may give the queen to seat 2 now; if it does not, whoever has the ace gets her, most
likely seat 1 or 3. So far the seats have 4, 4, 5 and 0 points."""


def test_the_leader_ends_the_game_with_the_queen_for_the_seat_that_is_near_the_target():
    assert answers(LAST_SPADES, "QS 7S", (60, 70, 85, 75)) == {"QS"}


def test_the_leader_would_rather_have_the_queen_where_she_ends_the_game_and_the_next_would_not():
    """Seat 1 is near the target, seat 2 is not; the margin of the deal is the same."""
    ending, going_on = (4, 17, 5, 0), (4, 4, 18, 0)
    leader, last = (finish(STANDARD, (62, 88, 70, 70), seat) for seat in (0, 3))
    assert leader.value(ending) > leader.value(going_on) + 1
    assert last.value(ending) < last.value(going_on) - 1


def test_a_seat_that_is_behind_does_not_end_the_game_if_it_need_not():
    assert answers(LAST_SPADES, "QS 7S", (75, 60, 85, 60)) == {"7S"}


def test_the_control_it_gives_the_queen_away_where_the_game_ends_or_goes_on_anyway():
    assert answers(LAST_SPADES, "QS 7S", (75, 60, 95, 60)) == {"QS"}
    assert answers(LAST_SPADES, "QS 7S", (0, 0, 0, 0)) == {"QS"}


STRONG = "9H TH QH KH AH 3H JS QS KS AS 5S 4S"
"""To lead the second trick; its ace of spades begins a moon."""


def test_a_moon_is_not_shot_that_ends_the_game_with_another_in_front():
    assert answers("3: 2C AC 5C TC, 0:", STRONG, (72, 44, 75, 60)) <= {"JS", "4S"}


def test_the_same_moon_is_shot_where_it_wins_the_game_or_the_end_is_far():
    assert answers("3: 2C AC 5C TC, 0:", STRONG, (40, 60, 75, 66)) == {"AS"}
    assert answers("3: 2C AC 5C TC, 0:", STRONG, (0, 0, 0, 0)) == {"AS"}


@pytest.mark.parametrize(
    ("totals", "points"),
    [((40, 60, 85, 66), (0, 26, 26, 26)), ((75, 44, 80, 60), (-26, 0, 0, 0))],
)
def test_a_shooter_who_may_choose_adds_only_where_that_wins_the_game(totals, points):
    """As `bot.rules.scoring.safe_payoff` chooses for whoever does not (rules.md 4.2, note 1)."""
    ruleset = variants.load("pagat")
    table = playout(ruleset, 4)
    at = Position([0] * 4, 0)
    at.piles[0] = table.rules.every
    assert tuple(finish(ruleset, totals).points(at)) == points


@pytest.mark.parametrize("tie", ["share", "extra_hands"])
@pytest.mark.parametrize("name", ["standard", "reverse", "partnership_individual", "two_player"])
def test_a_game_is_over_and_won_as_the_rules_have_it(name, tie):
    """Held against `Standing`, the rules themselves, for random totals."""
    ruleset = based_on(name, tie=tie, exact={"80": 40})
    seats, dice, target = ruleset.default_players, Random(4), ruleset.end.points
    seen = Counter()
    for _ in range(200):
        totals = some_points(ruleset, dice, range(target // 4, target * 4 // 5))
        points = some_points(ruleset, dice, (0, 5, target // 5, target // 2))
        after = map(int.__add__, totals, points)
        standing = Standing(
            ruleset=ruleset, deal=5, totals=tuple(ruleset.exact.get(each, each) for each in after)
        )
        chances = [chance_of(ruleset, totals, seat, points) for seat in range(seats)]
        firsts = [place == 1 for place in standing.places()]
        if standing.is_end():
            winners = firsts.count(True) // mates(ruleset)
            assert chances == pytest.approx([is_first / winners for is_first in firsts])
        else:
            assert all(0 < chance < 1 for chance in chances)
        seen[standing.is_end()] += 1
    assert min(seen[True], seen[False]) > 20


def mates(ruleset: Ruleset) -> int:
    return len(side_of(ruleset, Seat(0), ruleset.default_players))


def some_points(ruleset: Ruleset, dice: Random, among: Sequence[int]) -> tuple[int, ...]:
    size = ruleset.default_players
    shared = mates(ruleset) if is_pooled(ruleset, size) else 1
    return pooled(ruleset, [dice.choice(among) // shared for _ in range(size)])


def chance_of(ruleset: Ruleset, totals: tuple[int, ...], seat: int, points: Sequence[int]) -> float:
    """The value of a deal as the chance to win it is counted from: as a share of a win."""
    of_seat = finish(ruleset, totals, seat)
    parties = len(totals) // mates(ruleset)
    return of_seat.value(points) / of_seat.prize + 1 / parties


def test_the_chances_of_all_sides_sum_to_one():
    """What is good for one is as bad for the others."""
    for points in ((0, 5, 8, 13), (13, 13, 0, 0), (26, 0, 0, 0), (0, 0, 0, 26)):
        chances = [chance_of(STANDARD, (80, 70, 60, 60), seat, points) for seat in range(4)]
        assert sum(chances) == pytest.approx(1)


@pytest.mark.parametrize("totals", [(86, 86, 86, 86), (75, 80, 70, 90)])
def test_around_an_even_deal_a_point_less_is_worth_about_a_point(totals):
    """So what the rules of thumb say of a card counts as much as it does elsewhere."""
    here = finish(STANDARD, totals)
    gain = here.value((5, 7, 7, 7)) - here.value((8, 6, 6, 6))
    assert 2 < gain < 6
