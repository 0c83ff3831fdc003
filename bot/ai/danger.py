"""How dangerous it is to keep a card: before passing, and in play."""

from bot.ai.knowledge import Knowledge
from bot.ai.values import Values, values
from bot.ai.weights import Weights
from bot.rules.cards import Card, Hand, Rank
from bot.rules.dimensions import PassTo
from bot.rules.passing import receivers
from bot.rules.view import SeatView

_DEAR_TRICK = 4.0
_JOKER_KEPT = -9.0
_BONUS_KEPT = -5.0
_GUARD_KEPT = -6.0


def pass_danger(view: SeatView, hand: Hand, card: Card) -> float:
    """How glad a seat is to give *card* away from what it would keep, *hand*."""
    known = values(view.public.ruleset, view.public.seats)
    if card.suit is None:
        return _JOKER_KEPT
    mates = [other for other in hand if other.suit is card.suit]
    if not known.is_greedy and _catches_bonus(known, card):
        return _BONUS_KEPT
    poisons = [other for other in known.poisons if other.suit is card.suit]
    if poisons and not _is_to_partner(view):
        lowest = min(poisons, key=lambda other: other.order)
        return _danger_near_poison(known, card, mates, lowest)
    below = sum(other.rank < card.rank for other in mates)
    height = (card.rank - Rank.TWO) * 10 / (Rank.ACE - Rank.TWO)
    if known.is_greedy:
        return 3.0 * known.worth[card] - height
    high = height - 2.0 * below
    if known.worth[card] > 0:
        return 1.3 * high
    return high + max(0.0, 4.0 - len(mates)) * 1.5


def _catches_bonus(known: Values, card: Card) -> bool:
    """Whether *card* is a card that one wants, or as high as one of its suit."""
    wanted = (o.rank for o, cost in known.worth.items() if cost < 0 and o.suit is card.suit)
    return card.rank >= min(wanted, default=Rank.JOKER)


def _is_to_partner(view: SeatView) -> bool:
    step = view.public.step
    if not isinstance(step, PassTo):
        return False
    return receivers(step, view.seat, view.public.seats) == (view.partner,)


def _danger_near_poison(known: Values, card: Card, mates: list[Card], poison: Card) -> float:
    """In the queen's suit the low cards are guards, and all from the queen on need them."""
    guards = sum(other.rank < poison.rank for other in mates)
    if card.rank < poison.rank:
        return _GUARD_KEPT
    if card in known.poisons:
        return 2.3 * known.worth[card] - 7.0 * guards
    return 24.0 - 6.0 * guards


def card_danger(known: Knowledge, weights: Weights, card: Card) -> float:
    """Points that *card* is likely to cost if it is kept for later; below 0: to save."""
    points = known.worth[card]
    if card.suit is None:
        return -weights.joker if len(known.view.hand) > 1 else 0.0
    guard = 1.0 / (1.0 + weights.guard * known.held_below(card))
    if card in known.values.poisons:
        return weights.poison * points * guard
    below, above = known.unseen_below(card), known.unseen_above(card)
    wins = (below + 0.5) / (below + above + 1.0)
    if known.values.is_greedy:
        return wins * weights.wanted * _mean_trick(known)
    if points < 0:
        return 0.0
    caught = sum(
        known.worth[other]
        for other in known.unseen_in[card.suit]
        if other in known.values.poisons and other.rank < card.rank
    )
    stake = weights.exposed * _mean_trick(known) + points
    return guard * (wins * stake + weights.catch * caught)


def _mean_trick(known: Knowledge) -> float:
    """What a trick still to come costs on average, within reason."""
    mean = known.costs_left / max(1, len(known.view.hand))
    return max(-_DEAR_TRICK, min(_DEAR_TRICK, mean))
