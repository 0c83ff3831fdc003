"""Text records for tests: one that stops in its first trick, one with a sure moon."""

import copy
from typing import Any

from bot.rules.cards import Suit, pack, sorted_cards, write_cards

DEAL: dict[str, Any] = {
    "dealer": 3,
    "hands": [
        "2C 6C TC AC 5D 9D KD 4S 8S QS 3H 7H JH",
        "3C 7C JC 2D 6D TD AD 5S 9S KS 4H 8H QH",
        "4C 8C QC 3D 7D JD 2S 6S TS AS 5H 9H KH",
        "5C 9C KC 4D 8D QD 3S 7S JS 2H 6H TH AH",
    ],
    "passes": ["QS 3H 7H", "KS 4H 8H", "AS 5H 9H", "JS 2H 6H"],
    "plays": ["2C", "3C"],
}
RECORD: dict[str, Any] = {
    "hearts": 1,
    "rules": {"extends": "standard"},
    "seats": 4,
    "deals": [DEAL],
    "meta": {"table": "ABCD2345"},
}


def planted(path: str, value: object) -> dict[str, Any]:
    """RECORD with one value replaced or added; *path* as ``deals.0.hands.1``."""
    changed = copy.deepcopy(RECORD)
    place: Any = changed
    *steps, last = [int(step) if step.isdigit() else step for step in path.split(".")]
    for step in steps:
        place = place[step]
    place[last] = value
    return changed


SUITED_HANDS = tuple(
    write_cards(frozenset(card for card in pack() if card.suit is suit))
    for suit in (Suit.HEARTS, Suit.CLUBS, Suit.DIAMONDS, Suit.SPADES)
)
"""By seat: seat 0 holds all hearts."""

RULES: dict[str, Any] = {
    "extends": "standard",
    "pass_cycle": ["hold"],
    "first_lead": "left_of_dealer",
    "first_trick_ban": [],
    "hearts_lead": "free",
}
"""No passing, and the seat after the dealer leads what it likes: hearts take every trick."""


def moon_record(payoff: str = "shooter_choice", **deal: Any) -> dict[str, Any]:
    """A record of one deal; *deal* adds to it or replaces its keys."""
    suits = [[card for card in pack() if card.suit is suit] for suit in Suit]
    clubs, diamonds, spades, hearts = (sorted_cards(tuple(cards)) for cards in suits)
    tricks = zip(hearts, clubs, diamonds, spades, strict=True)
    plays = [str(card) for trick in tricks for card in trick]
    return {
        "hearts": 1,
        "rules": RULES | {"moon": {"payoff": payoff}},
        "seats": 4,
        "deals": [{"dealer": 3, "hands": list(SUITED_HANDS), "plays": plays} | deal],
    }
