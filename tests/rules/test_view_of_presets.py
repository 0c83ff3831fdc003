"""No view of a seat depends on what others hide: every preset, number of seats and ply.

house.md 5.2, non-interference; reliability.md 5, leak test 1.
"""

from random import Random

import pytest

from bot.rules import variants
from bot.rules.cards import Seat
from bot.rules.view import public_view, seat_view
from tests.support.hidden import otherwise
from tests.support.rulesets import EVERY_TABLE
from tests.support.seeded import course

pytestmark = pytest.mark.thorough

WRITTEN = 8
"""One ply in so many is also compared as text."""


def plies_that_differ(view, name, seats, *, deals=1):
    """Numbers of the plies at which *view* of some seat shows what others hide."""
    dice, found = Random(f"{name} {seats}"), []
    for ply, (game, _) in enumerate(course(variants.load(name), seats, dice, deals=deals)):
        for viewer in map(Seat, range(seats)):
            seen, other = (view(g, viewer) for g in (game, otherwise(game, viewer, dice)))
            if seen != other or (not ply % WRITTEN and repr(seen) != repr(other)):
                found.append(ply)
    return found


@pytest.mark.parametrize("table", EVERY_TABLE, ids=lambda table: f"{table[0]}_{table[1]}")
def test_no_view_of_a_seat_changes_when_hidden_cards_lie_otherwise(table):
    assert plies_that_differ(seat_view, *table) == []


def test_the_view_of_a_bystander_changes_neither():
    assert plies_that_differ(lambda game, _: public_view(game), "killer", 6, deals=2) == []


def _neighbours_hand(game, seat):
    return game.deal.hands[(seat + 1) % game.seats]


def _who_holds_the_queen(game, seat):
    return [any(card.face == "QS" for card in hand) for hand in game.deal.hands]


def _a_pass(game, seat):
    return game.deal.passes


def _the_widow(game, seat):
    return game.deal.widow


def _the_next_card(game, seat):
    return game.deal.stock[:1]


def _what_the_neighbour_drew(game, seat):
    return game.deal.drawn[(seat + 1) % game.seats]


@pytest.mark.parametrize(
    ("leak", "name", "seats"),
    [
        (_neighbours_hand, "standard", 4),
        (_who_holds_the_queen, "joker_hearts", 9),
        (_a_pass, "spot", 4),
        (_the_widow, "two_player", 2),
        (_the_widow, "killer", 6),
        (_the_next_card, "draw7", 2),
        (_what_the_neighbour_drew, "draw7", 2),
    ],
)
def test_a_planted_leak_is_found(leak, name, seats):
    """The control of the law above: a view with one field more."""

    def leaky(game, seat):
        return seat_view(game, seat), leak(game, seat)

    assert plies_that_differ(leaky, name, seats)


def test_a_leak_in_the_text_alone_is_found():
    """The control of comparing texts."""

    class Told(tuple):
        __slots__ = ()

        def __eq__(self, other):
            return True

        __hash__ = tuple.__hash__

    assert plies_that_differ(lambda game, seat: Told(_neighbours_hand(game, seat)), "spot", 4)
