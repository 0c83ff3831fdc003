"""What everybody is taken to do in the deals that a search imagines (robots.md, "Moon")."""

import pytest

from bot.ai.playout import playout
from bot.ai.worlds import Worlds
from bot.rules.legal import to_move
from bot.rules.view import seat_view
from tests.support.deals import deal_in_play, played


def choice(game, *, shooting):
    """What the policy plays for the seat to move, which shoots the moon or plays on by rule."""
    table = playout(game.ruleset, 4)
    seat = to_move(game)[0]
    view = seat_view(game, seat)
    at = Worlds(table.rules, view).evidence.at.copy()
    at.hands[seat] = table.rules.set_of(view.hand)
    legal = table.rules.set_of(view.choice.cards)
    (card,) = table.rules.cards_of(
        table.policy.choose(at, legal, 0, shooters=1 << seat if shooting else 0)
    )
    return str(card)


@pytest.mark.parametrize(
    ("hand", "leads"),
    [
        ("AC KC AD 2S 2D", "AC"),  # nothing beats either ace; of clubs there are two
        ("KC QC AD 3S 2D", "AD"),  # an ace of others beats the clubs
        ("QC JC 7D 3S 2D", "QC"),  # two cards beat the queen, more the rest
    ],
)
def test_whoever_shoots_leads_what_the_fewest_cards_beat(hand, leads):
    game = deal_in_play(
        hand, "2C 3C 4C 5C 6C", "4S 5S 6S 7S 8S", "2H 3H 4H 5H 6H", hearts_broken=True
    )
    assert choice(game, shooting=True) == leads


def test_the_last_seat_takes_a_trick_as_cheaply_as_it_can():
    game = deal_in_play("2C 3D", "3C 4D", "5C 5D", "6C AC", leader=0)
    game = played(game, "2C 3C 5C")
    assert choice(game, shooting=True) == "6C"


def test_an_earlier_seat_takes_it_with_its_highest():
    game = deal_in_play("2C 3D", "6C AC", "5C 5D", "9C 6D", leader=0)
    assert choice(played(game, "2C"), shooting=True) == "AC"


def test_whoever_shoots_throws_what_others_beat_and_nothing_that_counts():
    game = deal_in_play("2C 3C", "3D KS", "5C 5D", "6C 6D", leader=0)
    assert choice(played(game, "2C"), shooting=True) == "3D"
    game = deal_in_play("2C 3C", "3H 9D", "5C 5D", "6C 6D", leader=0)
    assert choice(played(game, "2C"), shooting=True) == "9D"


def test_the_control_nobody_else_does_so():
    game = deal_in_play("2C 3C", "3D KS", "5C 5D", "6C 6D", leader=0)
    assert choice(played(game, "2C"), shooting=False) == "KS"
    game = deal_in_play("2C 3D", "6C AC", "7C 5D", "9C 6D", leader=0)
    assert choice(played(game, "2C"), shooting=False) == "6C"
