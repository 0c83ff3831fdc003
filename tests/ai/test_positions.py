"""What a good player does without hesitation, one sentence each (robots.md).

Nearly every position has another beside it that looks alike and asks for something else, so that no
habit passes for judgement.
"""

from random import Random

import pytest

from bot.ai import LEVELS
from bot.arena.at_random import AtRandom
from bot.arena.levels import player
from bot.rules.legal import choice, to_move
from bot.rules.view import seat_view
from tests.support.deals import cards
from tests.support.positions import Position, UnreachableError, game_of
from tests.support.variant_positions import OF_VARIANTS

pytestmark = pytest.mark.thorough

TRIED = ("steady", "sharp", "expert")
PLAYERS = {
    level: player(level, moves=moves) for level, moves in zip(TRIED, (None, 200, 300), strict=True)
}
SHOWN = "2: 2C 5C AC 6C, 0: AS 5S 2S 6S, 0: KS 7S 3S 8S"
QUEEN_TAKEN = f"{SHOWN}, 0: QS 9S 4S TS, 0: KC 7C 3C 8C, 0: QC 9C 4C TC"
SHOOTING = (
    f"{SHOWN}, 0: QS 9S 4S TS, 0: KC 4H 3C 5H, 0: QC 6H 4C 7H, 0: JC 8H 7C 9H, "
    "0: TH 2D 3H 3D, 0: TC 4D 8C 5D"
)
"""Seat 0 has all points, and by what the others lack it holds 9C AH QH JH."""

IN_STANDARD = [
    Position(
        says="it keeps a stopper against a moon, and the low heart that guards it",
        tricks=f"{SHOOTING}, 0: 9C 6D",
        hand="KH 2H 8D 9D",
        wants="8D 9D",
    ),
    Position(
        says="it throws the same stopper once no moon is near",
        tricks=f"{QUEEN_TAKEN}, 0: AD 2D 5D 3D, 0: QD KD 6D 4D, 1: JD 7D 3H TD, 1: JC",
        hand="KH 2H 9D 8D",
        wants="KH",
    ),
    Position(
        says="it bleeds spades when it has none above the jack",
        tricks="3: 2C AC 5C TC, 0:",
        hand="4S 7S JS KD QD 8D 3D 9C KC 3H 7H JH",
        wants="4S 7S JS",
    ),
    Position(
        says="it leaves spades alone while it holds the king",
        tricks="3: 2C AC 5C TC, 0:",
        hand="4S KS KD QD 8D 3D 6D 9C KC 3H 7H JH",
        wants="KD QD 8D 3D 6D 9C KC",
    ),
    Position(
        says="it does not eat the queen when it is last and can duck",
        tricks="0: 2C 5C AC 9C, 2: TC JC QS",
        hand="8C KC 3D 7D QD 4S 6S 9S 2H 5H 9H KH",
        wants="8C",
    ),
    Position(
        says="it takes a free trick in last seat with its highest card",
        tricks="0: 2C 5C AC 9C, 2: TC JC 3C",
        hand="4C KC 3D 7D QD 4S 6S 9S 2H 5H 9H KH",
        wants="KC",
    ),
    Position(
        says="it shoots a moon that is certain",
        tricks=f"{QUEEN_TAKEN}, 0: JC 4H 5H 6H, 0: AD 2D 3D 5D, 0: JH 7H 8H TH, 0: KH 2H 9H 3H, 0:",
        hand="AH 4D 6D",
        wants="AH",
    ),
    Position(
        says="it shoots nothing once another has a heart",
        tricks=f"{QUEEN_TAKEN}, 0: JC 4H 5H 6H, 0: 3D 2D 5D AD, 3: TH 2H 7H 8H, 3: 9H KH 3H JH, 0:",
        hand="AH 4D 6D",
        wants="4D 6D",
    ),
    Position(
        says="it runs its hearts for a moon before its one loser",
        tricks=f"{QUEEN_TAKEN}, 0:",
        hand="AH KH QH JH TH 9H 2D",
        wants="AH KH QH JH TH 9H",
        needs="sharp",
    ),
    Position(
        says="it gets off lead by the same loser where another has the queen",
        tricks=f"{SHOWN}, 0: JS QS 4S TS, 1: 7C 3C 8C KC, 0: QC 9C 4C TC, 0:",
        hand="AH KH QH JH TH 9H 2D",
        wants="2D",
    ),
    Position(
        says="it stops a moon with its one high heart",
        tricks=f"{SHOOTING}, 0: QH 6D",
        hand="KH 2H 8D 9D",
        wants="KH",
    ),
    Position(
        says="it ducks the same heart trick when the queen lies elsewhere",
        tricks=f"{SHOWN}, 0: JS QS 4S TS, 1: 7C 3C 8C KC, 0: QC 9C 4C TC, 0: JH 4H 5H",
        hand="QH 3H 7D 8D 9D JD 2D",
        wants="3H",
    ),
    Position(
        says="it ducks a spade in second seat while the queen is out",
        tricks="0: 2C 5C AC 9C, 2: 8S",
        hand="5S KS 3D 7D QD 6C JC 4H 8H JH TD 2D",
        wants="5S",
    ),
    Position(
        says="it gets rid of the king of spades in last seat when no queen came",
        tricks="1: 2C 5C 9C AC, 0: 8S 3S 9S",
        hand="5S KS 3D 7D QD 6C JC 4H 8H JH TD 2D",
        wants="KS",
    ),
    Position(
        says="it plays the king of spades once the seat that it gave the queen has played",
        gave="QS QH JH",
        tricks="2: 2C 5C AC 9C, 0: 5D 6D QD 4D, 2: 5S 9S",
        hand="KS 4S 3D 7D JD 6C JC 4H 8H TD 2D",
        wants="KS",
    ),
    Position(
        says="it ducks a spade while the seat that it gave the queen has yet to play",
        gave="QS QH JH",
        tricks="2: 2C 5C AC 9C, 0: 5D 6D JD QD, 3: 5S",
        hand="KS 4S 3D 7D KD 6C JC 4H 8H TD 2D",
        wants="4S",
    ),
    Position(
        says="it takes trick one with its highest club when that is free",
        tricks="0: 2C 5C 9C",
        hand="AC 4C 8C 3D 7D QD KD 2S 6S 9S 4H 8H JH",
        wants="AC",
        needs="expert",
    ),
    Position(
        says="it keeps the ace of clubs down once a heart lies on the trick",
        tricks="0: 2C 5C KC 9C, 2: TC QC 3H",
        hand="AC 4C 8C 3D 7D QD 2S 6S 9S 4H 8H JH",
        wants="4C 8C",
    ),
    Position(
        says="it plays the queen under a king",
        tricks="1: 2C 5C 9C AC, 0: KS 3S",
        hand="QS 4S 3D 7D QD 2D TD 6C JC 4H 8H JH",
        wants="QS",
    ),
    Position(
        says="it keeps the queen from a trick that she would take",
        tricks="1: 2C 5C 9C AC, 0: JS 3S",
        hand="QS 4S 3D 7D QD 2D TD 6C JC 4H 8H JH",
        wants="4S",
        needs="expert",
    ),
    Position(
        says="it throws the queen as soon as it cannot follow",
        tricks="1: 2C 5C 9C AC, 0: KC 3C",
        hand="QS 4S 6S AS KD 3D 7D 2D AH KH 8H 2H",
        wants="QS",
    ),
    Position(
        says="it plays its highest card where it has to take the trick",
        tricks="1: 2C 5C 9C AC, 0: KC 3C 2H 7C, 0: 3H 4H 5H",
        hand="6H 9H KH 3D 7D QD 8D TD 2S 6S 4S",
        wants="KH",
    ),
    Position(
        says="it plays the highest card that still ducks",
        tricks="1: 2C 5C 9C AC, 0: KC 3C 2H 7C, 0: 3H 4H TH",
        hand="6H 9H KH 3D 7D QD 8D TD 2S 6S 4S",
        wants="9H",
    ),
    Position(
        says="it does not lead the last card of a suit while the queen is out",
        tricks="2: 2C 5C AC 6C, 0: KC 7C 4C 8C, 0: QC 9C JC TC, 0:",
        hand="3C 2D 4D 9D 6D 3S 5S JS 4H 8H",
        wants="2D 4D 6D 9D 3S 5S JS",
    ),
]
POSITIONS = [*IN_STANDARD, *OF_VARIANTS]


def asked(positions):
    """Each position with each level that should see it."""
    return [
        pytest.param(position, level, id=f"{level}: {position.says}")
        for position in positions
        for level in TRIED[TRIED.index(position.needs) :]
    ]


def answers(player, position, dice):
    """All cards that a player plays there, with other dice each time."""
    game = game_of(position)
    view = seat_view(game, to_move(game)[0])
    return {player.choose_card(view, Random(number)) for number in range(dice)}


@pytest.mark.parametrize(("position", "level"), asked(POSITIONS))
def test_in_a_plain_position(position, level):
    assert answers(PLAYERS[level], position, dice=3) <= cards(position.wants)


@pytest.mark.parametrize("position", POSITIONS, ids=lambda position: position.says)
def test_in_a_plain_position_with_all_its_time(position):
    assert answers(LEVELS["expert"], position, dice=1) <= cards(position.wants)


@pytest.mark.parametrize("position", POSITIONS, ids=lambda position: position.says)
def test_the_control_a_player_at_random_does_otherwise(position):
    assert cards(position.wants) < choice(game_of(position)).cards
    assert not answers(AtRandom(), position, dice=60) <= cards(position.wants)


def test_a_position_that_no_game_comes_to_is_refused():
    revoke = Position(
        says="it follows suit",
        tricks="0: 2C 5C AC 9C, 2: 3D",
        hand=f"4C {POSITIONS[0].hand}",
        wants="4C",
    )
    with pytest.raises(UnreachableError):
        game_of(revoke)
