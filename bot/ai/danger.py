"""How dangerous it is to keep a card: before passing, and in play."""

from bot.ai.knowledge import Knowledge
from bot.ai.weights import POISON, Weights
from bot.rules.cards import Card, Hand, Rank
from bot.rules.view import SeatView

_DEAR_TRICK = 4.0


def pass_danger(view: SeatView, hand: Hand, card: Card) -> float:
    """How glad a seat is to give *card* away from what it would keep, *hand*."""
    rules = view.public.ruleset
    mates = [other for other in hand if other.suit is card.suit]
    below = sum(other.rank < card.rank for other in mates)
    deck = rules.deck(view.public.seats)
    worths = {other: rules.points_of(other) for other in deck if other.suit is card.suit}
    poisons = [other for other, points in worths.items() if points >= POISON]
    bonuses = [other for other, points in worths.items() if points < 0]
    if bonuses and card.rank >= min(bonus.rank for bonus in bonuses):
        return -5.0
    if poisons:
        return _danger_near_poison(card, mates, min(poisons, key=lambda other: other.rank), worths)
    high = (card.rank - Rank.TWO) * 10 / (Rank.ACE - Rank.TWO) - 2.0 * below
    if worths[card] > 0:
        return 1.3 * high
    return high + max(0.0, 4.0 - len(mates)) * 1.5


def _danger_near_poison(
    card: Card, mates: list[Card], poison: Card, worths: dict[Card, int]
) -> float:
    """In the queen's suit the low cards are guards, and all from the queen on need them."""
    guards = sum(other.rank < poison.rank for other in mates)
    if card.rank < poison.rank:
        return -6.0
    if worths[card] >= POISON:
        return 2.3 * worths[card] - 7.0 * guards
    return 24.0 - 6.0 * guards


def card_danger(known: Knowledge, weights: Weights, card: Card) -> float:
    """Points that *card* is likely to cost if it is kept for later."""
    points = known.worth[card]
    if points < 0:
        return 0.0
    guard = 1.0 / (1.0 + weights.guard * known.held_below(card))
    if points >= POISON:
        return weights.poison * points * guard
    below, above = known.unseen_below(card), known.unseen_above(card)
    wins = (below + 0.5) / (below + above + 1.0)
    caught = sum(
        max(0, known.worth[other])
        for other in known.unseen_in[card.suit]
        if known.worth[other] >= POISON and other.rank < card.rank
    )
    stake = weights.exposed * _mean_trick(known) + points
    return guard * (wins * stake + weights.catch * caught)


def _mean_trick(known: Knowledge) -> float:
    """What a trick still to come costs on average, within reason."""
    left = known.costs_in_all - sum(known.costs_taken)
    return min(_DEAR_TRICK, left / max(1, len(known.view.hand)))
