"""From the order of the deck to hands, widow and stock, and back (rules.md 3.2)."""

from dataclasses import dataclass, field
from typing import assert_never

from bot.rules.cards import Card, Hand, Seat, sorted_cards
from bot.rules.dimensions import Rest, WidowPositions
from bot.rules.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class Dealt:
    """What lies where once all cards are dealt. Its ``repr`` shows no card."""

    hands: tuple[Hand, ...] = field(repr=False)
    """By seat."""
    widow: Hand = field(default=frozenset(), repr=False)
    stock: tuple[Card, ...] = field(default=(), repr=False)
    """In the order in which it is drawn."""


def deal_out(ruleset: Ruleset, seats: int, dealer: Seat, order: tuple[Card, ...]) -> Dealt:
    """Deal *order*, one card at a time, to the seat after *dealer* first.

    A card that may not lie in the widow is exchanged for another (rules.md 2.3.5).
    """
    left = len(order) - seats * ruleset.hand_size(seats)
    if ruleset.rest.get(seats) is not Rest.WIDOW or not left:
        whole = len(order) - left
        return Dealt(_hands(order[:whole], seats, dealer), stock=order[whole:])
    places = _widow_places(ruleset.widow.positions, left, len(order))
    order = _without_never(ruleset, order, places)
    dealt = tuple(card for place, card in enumerate(order) if place not in places)
    widow = frozenset(order[place] for place in places)
    return Dealt(_hands(dealt, seats, dealer), widow)


def places_aside(ruleset: Ruleset, seats: int) -> tuple[int, ...]:
    """The places in the order of the deck whose cards no seat is dealt, counted from 0."""
    cards, left = len(ruleset.deck(seats)), ruleset.rest_size(seats)
    if ruleset.rest.get(seats) is Rest.WIDOW:
        return tuple(sorted(_widow_places(ruleset.widow.positions, left, cards)))
    return tuple(range(cards - left, cards))


def order_of(ruleset: Ruleset, dealer: Seat, dealt: Dealt) -> tuple[Card, ...]:
    """An order of the deck that `deal_out` deals as *dealt*."""
    seats = len(dealt.hands)
    in_turn = [sorted_cards(dealt.hands[(dealer + 1 + place) % seats]) for place in range(seats)]
    cards = [card for row in zip(*in_turn, strict=True) for card in row]
    length = len(cards) + len(dealt.widow)
    widow = sorted_cards(dealt.widow)
    for place, card in zip(
        sorted(_widow_places(ruleset.widow.positions, len(widow), length)), widow, strict=True
    ):
        cards.insert(place, card)
    return (*cards, *dealt.stock)


def _hands(order: tuple[Card, ...], seats: int, dealer: Seat) -> tuple[Hand, ...]:
    return tuple(frozenset(order[(seat - dealer - 1) % seats :: seats]) for seat in range(seats))


def _widow_places(positions: WidowPositions, size: int, cards: int) -> frozenset[int]:
    if not size:
        return frozenset()
    match positions:
        case WidowPositions.LAST:
            return frozenset(range(cards - size, cards))
        case WidowPositions.MIDDLE:
            first = (cards - size) // 2
            return frozenset(range(first, first + size))
        case WidowPositions.FIRST_LAST:
            return frozenset({0, cards - 1})
        case _:
            assert_never(positions)


def _without_never(
    ruleset: Ruleset, order: tuple[Card, ...], places: frozenset[int]
) -> tuple[Card, ...]:
    """Exchange each card that may not lie in the widow for a card of the hands.

    Which one has to be chance: the shuffled cards that stay decide it, so that a replay agrees.
    """
    never = {card.face for card in ruleset.widow.never}
    outside = [place for place in range(len(order)) if place not in places]
    dealt = list(order)
    for place in sorted(places):
        if dealt[place].face in never:
            allowed = [other for other in outside if dealt[other].face not in never]
            chance = _number(order[allowed[0]]) % len(allowed)
            other = allowed[chance]
            dealt[place], dealt[other] = dealt[other], dealt[place]
    return tuple(dealt)


def _number(card: Card) -> int:
    """A number that tells a card from every other of two packs."""
    suit, rank, copy = card.order
    return (suit * 16 + rank) * 4 + copy
