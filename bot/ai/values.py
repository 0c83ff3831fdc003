"""What the cards of a deck are worth to whoever plays for points or against them."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from statistics import median
from types import MappingProxyType

from bot.rules.cards import Card, Hand, Suit
from bot.rules.dimensions import GoodScore
from bot.rules.piles import penalties
from bot.rules.ruleset import Ruleset
from bot.rules.selectors import fits_any

_POINTS_OF_A_PACK = 26
_POISON = 3.5
_RARE = 3.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Values:
    """The points of one deck, all on the scale of the standard game: 26 a pack."""

    worth: Mapping[Card, float]
    """By card: what it costs its taker; negative for a card that one wants."""
    unit: float
    """Points of these rules that make one point of the standard game."""
    poisons: Hand
    """Cards so dear that each is worth a plan of its own: the queen of spades, in most games."""
    is_greedy: bool
    """Whether a trick is on the whole worth taking."""
    in_all: float
    """What all cards cost together that cost anything."""
    counting: Hand
    """Cards that a moon needs: all that have points above 0, whether those are good or bad."""
    barred_first: Hand
    """Cards that may not be thrown into the first trick."""


@lru_cache(maxsize=64)
def values(ruleset: Ruleset, seats: int) -> Values:
    """Weigh the cards of a game with so many seats."""
    sign = -1 if ruleset.good_score is GoodScore.HIGH else 1
    deck = ruleset.deck(seats)
    points = {card: sign * ruleset.points_of(card) for card in deck}
    costs = sum(each for each in points.values() if each > 0)
    gains = -sum(each for each in points.values() if each < 0)
    unit = max(costs, gains) / (_POINTS_OF_A_PACK * ruleset.packs) or 1.0
    worth = {card: each / unit for card, each in points.items()}
    return Values(
        worth=MappingProxyType(worth),
        unit=unit,
        poisons=_poisons(worth),
        is_greedy=gains > costs,
        in_all=costs / unit,
        counting=penalties(ruleset, frozenset(deck)),
        barred_first=frozenset(card for card in deck if fits_any(ruleset.first_trick_ban, card)),
    )


def _poisons(worth: Mapping[Card, float]) -> Hand:
    """Dear cards that stand out of their suit: no heart, where every heart is dear."""
    usual = {suit: median(_of_suit(worth, suit) or [0.0]) for suit in Suit}
    return frozenset(
        card
        for card, cost in worth.items()
        if card.suit and cost >= max(_POISON, _RARE * usual[card.suit])
    )


def _of_suit(worth: Mapping[Card, float], suit: Suit) -> list[float]:
    return [cost for card, cost in worth.items() if card.suit is suit]
