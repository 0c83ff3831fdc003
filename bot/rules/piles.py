"""The cards that seats have captured in a deal, and what they cost."""

from bot.rules.cards import Card, Hand
from bot.rules.ruleset import Ruleset
from bot.rules.state import Deal


def captured(deal: Deal) -> tuple[Hand, ...]:
    """By seat: the cards of the tricks it has won so far. Tricks that nobody takes are in none."""
    piles: list[set[Card]] = [set() for _ in deal.dealt]
    for trick in deal.tricks:
        if trick.winner is not None:
            piles[trick.winner].update(play.card for play in trick.plays)
    return tuple(map(frozenset, piles))


def points_in(ruleset: Ruleset, pile: Hand) -> int:
    """The sum of what the cards of *pile* cost and bring, without any moon."""
    return sum(ruleset.points_of(card) for card in pile)


def penalties(ruleset: Ruleset, cards: Hand) -> Hand:
    """Those of *cards* that cost points."""
    return frozenset(card for card in cards if ruleset.points_of(card) > 0)


def bonuses(ruleset: Ruleset, cards: Hand) -> Hand:
    """Those of *cards* that take points off."""
    return frozenset(card for card in cards if ruleset.points_of(card) < 0)
