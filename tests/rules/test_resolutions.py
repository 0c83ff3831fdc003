"""Resolutions of rules.md 2 that no numbered vector states."""

from random import Random

from bot.rules.cards import Card, Seat
from bot.rules.commands import BeginDeal
from bot.rules.decide import decide, new_game
from bot.rules.dimensions import MoonPayoff
from bot.rules.evolve import replay
from bot.rules.scoring import score
from bot.rules.variants import load
from tests.support.deals import based_on, standing
from tests.support.taken import ALL_HEARTS, deal_taken

KILLER = load("killer")


def test_the_slam_of_reverse_hearts_costs_26_instead_of_bringing_them():
    """rules.md 2.1.4b: -26 instead of +26, and the jack's -10 still counts."""
    rules = based_on("reverse", moon={"on": True})
    game = deal_taken(f"QS {ALL_HEARTS}", "JD", "", "", ruleset=rules)
    result = score(game, None)
    assert result.points == (-26, -10, -26, -10)
    assert result.moon is not None
    assert result.moon.payoff is MoonPayoff.LOSE_VALUE


def test_both_sides_past_the_target_in_reverse_the_higher_wins():
    """rules.md 2.1.4a; a tie is played on."""
    rules = load("reverse")
    assert standing(rules, (103, 101, 103, 101)).places() == (1, 2, 1, 2)
    assert standing(rules, (103, 101, 103, 101)).is_end()
    assert not standing(rules, (103, 103, 103, 103)).is_end()


def test_a_card_that_may_not_lie_in_the_blind_is_exchanged():
    """rules.md 2.3.5: the only 2C is always in a hand, wherever the shuffle puts it."""
    two_of_clubs = Card.parse("2C")
    deck = list(KILLER.deck(6))
    where = set()
    for seed in range(60):
        Random(seed).shuffle(deck)
        deck.remove(two_of_clubs)
        deck.append(two_of_clubs)
        game = new_game(KILLER, 6, Seat(5))
        game = replay(game, decide(game, BeginDeal(tuple(deck))))
        assert game.deal is not None
        assert two_of_clubs not in game.deal.widow
        assert len(game.deal.widow) == 2
        where |= {seat for seat, hand in enumerate(game.deal.hands) if two_of_clubs in hand}
    assert where == set(range(6))
