"""What a seat is told about the rest of a deal follows from what it can see (`bot.rules.claims`).

Non-interference (reliability.md 5): where the cards that it cannot see lay otherwise, it would be
told the same, so an offer to end the deal, or a missing one, tells nothing.
"""

from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest

from bot.rules import variants
from bot.rules.cards import Seat
from bot.rules.claims import Certainty, Claim, certain_rest, known_rest
from bot.rules.decide import new_game
from bot.rules.dimensions import WidowRules, WidowTake
from bot.rules.state import Game, Phase
from tests.support.deals import STANDARD, cards, deal_in_play
from tests.support.hidden import otherwise
from tests.support.rulesets import EVERY_TABLE
from tests.support.seeded import course

Known = Callable[[Game, Seat | None], Claim | None]
FEW = 3
"""Cards in each hand at most: before, hardly anything is certain."""


def test_before_the_first_deal_nothing_is_known_of_one():
    game = new_game(variants.load("standard"), 4, Seat(0))
    assert known_rest(game, None) is known_rest(game, Seat(1)) is None


def differences(known: Known, name: str, seats: int) -> int:
    """How often *known* says something else where hidden cards lie otherwise."""
    dice, found = Random(5), 0
    for game, _ in course(variants.load(name), seats, Random(11), deals=6):
        if game.phase is Phase.PLAYING and max(map(len, _deal(game).hands)) <= FEW:
            for viewer in (None, *map(Seat, range(seats))):
                found += known(game, viewer) != known(otherwise(game, viewer, dice), viewer)
    return found


def _deal(game: Game):
    assert game.deal is not None
    return game.deal


@pytest.mark.parametrize(("name", "seats"), EVERY_TABLE)
def test_what_is_known_depends_on_nothing_that_is_hidden(name: str, seats: int):
    assert differences(known_rest, name, seats) == 0


def test_control_what_is_certain_depends_on_it():
    assert differences(lambda game, _: certain_rest(game), "two_player", 2) > 0


@pytest.mark.parametrize(("widow", "other"), [("2H 3H", "3S 4S"), ("3S 4S", "2H 3H")])
def test_who_takes_all_is_told_so_wherever_the_points_lie(widow: str, other: str):
    """Else the offer, or none, would say whether hearts are still in a hand."""
    rules = replace(STANDARD, widow=WidowRules(size=2, take=WidowTake.DEAD))
    game = deal_in_play("AS AC", other, "6C 7D", "8C 9D", ruleset=rules)
    game = replace(game, deal=replace(_deal(game), widow=cards(widow)))
    assert known_rest(game, Seat(0)) == Claim(Certainty.ONE_TAKES_ALL, Seat(0))
    assert known_rest(game, Seat(1)) is None
