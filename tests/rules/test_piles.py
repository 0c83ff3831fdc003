"""What seats have captured in a deal."""

from dataclasses import replace

from bot.rules.piles import bonuses, captured, penalties, points_in
from tests.support.deals import cards, house_rules
from tests.support.taken import deal_taken

JACK = house_rules(points={"JD": -10})


def test_a_trick_that_nobody_takes_is_in_no_pile():
    """`Trick.winner` is None for one that is set aside."""
    deal = deal_taken("QS", "", "", "").deal
    assert deal is not None
    first, *others = deal.tricks
    aside = replace(deal, tricks=(replace(first, winner=None), *others))
    assert cards("QS") <= captured(deal)[0]
    assert not any(cards("QS") <= pile for pile in captured(aside))


def test_a_pile_costs_what_its_cards_cost_less_its_bonus():
    pile = cards("QS JD 2H 3C")
    assert points_in(JACK, pile) == 4
    assert penalties(JACK, pile) == cards("QS 2H")
    assert bonuses(JACK, pile) == cards("JD")
