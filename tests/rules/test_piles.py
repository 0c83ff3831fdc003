"""What seats have captured in a deal."""

from dataclasses import replace

import pytest

from bot.rules.cards import Hand, Seat
from bot.rules.piles import bonuses, captured, penalties, piles, points_in
from bot.rules.state import Trick
from tests.support.deals import STANDARD, cards, house_rules
from tests.support.taken import deal_taken

JACK = house_rules(points={"JD": -10})


def test_a_trick_that_nobody_wins_waits_for_the_winner_of_the_next():
    """rules.md 1.14, tabled trick; `Trick.winner` is None for one that is set aside."""
    deal = deal_taken("QS", "2H", "", "").deal
    assert deal is not None
    first, second, *others = deal.tricks
    tabled = replace(deal, tricks=(replace(first, winner=None),), hands=(cards("2C"),) * 4)
    assert piles(STANDARD, tabled).waiting == {play.card for play in first.plays}
    assert not any(captured(STANDARD, tabled))
    after = replace(deal, tricks=(replace(first, winner=None), second, *others))
    assert second.winner == 1
    assert cards("QS 2H") <= captured(STANDARD, after)[1]


@pytest.mark.parametrize(("rule", "taker"), [("dead", None), ("previous_winner", 1), ("leader", 2)])
def test_whose_the_last_trick_is_if_nobody_wins_it(rule: str, taker: int | None):
    """rules.md 1.22 and 2.6: the table's choice."""
    rules = house_rules(no_winner_last=rule)
    deal = deal_taken("QS", "2H", "", "").deal
    assert deal is not None
    last = replace(deal.tricks[0], leader=Seat(2), winner=None)
    lie = piles(rules, replace(deal, tricks=(*deal.tricks[2:], deal.tricks[1], last)))
    assert [cards("QS") <= pile for pile in lie.by_seat] == [seat == taker for seat in range(4)]
    assert (cards("QS") <= lie.dead) is (taker is None)
    assert not lie.waiting


@pytest.mark.parametrize(
    ("take", "trick"), [("first_trick", 1), ("first_penalty", 2), ("dead", None)]
)
def test_the_widow_goes_with_one_trick(take: str, trick: int | None):
    """rules.md 3.2 `widow.take`."""
    rules = house_rules(widow={"take": take})
    deal = deal_taken("", "2H QS", "", "").deal
    assert deal is not None
    harmless = [each for each in deal.tricks if not penalties(STANDARD, _cards(each))]
    costly = [each for each in deal.tricks if each not in harmless]
    under_way = replace(
        deal, tricks=(harmless[0], *costly), hands=(cards("2C"),) * 4, widow=cards("2D")
    )
    lie = piles(rules, under_way)
    assert lie.widow_trick == trick
    assert (lie.widow_taker is None) is (trick is None)


def _cards(trick: Trick) -> Hand:
    return frozenset(play.card for play in trick.plays)


def test_a_pile_costs_what_its_cards_cost_less_its_bonus():
    pile = cards("QS JD 2H 3C")
    assert points_in(JACK, pile) == 4
    assert penalties(JACK, pile) == cards("QS 2H")
    assert bonuses(JACK, pile) == cards("JD")
