"""The plain rule bot, a yardstick of the arena: what its few rules say (docs/robots.md)."""

from random import Random

import pytest

from bot.rules.cards import parse_cards, write_cards
from bot.rules.legal import to_move
from bot.rules.view import seat_view
from tests.support.deals import STANDARD, begun
from tests.support.plain_rules import PlainRules
from tests.support.positions import Position, game_of


@pytest.mark.parametrize(
    ("says", "tricks", "hand", "wants"),
    [
        (
            "it leads what is lowest",
            "3: 2C AC 5C TC, 0:",
            "4S KD 3D 9C 7H 8H JC 8D 6D 7D 9D TD",
            "3D",
        ),
        (
            "it ducks as high as it can",
            "3: 2C AC 5C TC, 0: 9D",
            "TD 8D 4D 5S 6S 7S 8S 9S 4H 5H 6H 7H",
            "8D",
        ),
        (
            "it gives the queen away",
            "3: 2C AC 5C TC, 0: 9D",
            "QS AS KC 9C 8C 7C 6C 4C 4H 5H 6H AH",
            "QS",
        ),
    ],
)
def test_its_few_rules(says: str, tricks: str, hand: str, wants: str):
    game = game_of(Position(says=says, tricks=tricks, hand=hand, wants=wants))
    seat = to_move(game)[0]
    assert str(PlainRules().choose_card(seat_view(game, seat), Random(1))) == wants


def test_it_passes_high_spades_without_guards_first():
    held = parse_cards("QS KS 2S 2C 3C 4C 5C AD KD 2H 3H 4H 5H")
    rest = [card for card in STANDARD.deck(4) if card not in held]
    deck = [
        card for four in zip(held, rest[:13], rest[13:26], rest[26:], strict=True) for card in four
    ]
    game = begun(tuple(deck), STANDARD)
    view = next(
        seat_view(game, seat) for seat in range(4) if "QS" in map(str, game.deal.hands[seat])
    )
    assert write_cards(PlainRules().choose_pass(view, Random(1))) == "AD QS KS"
