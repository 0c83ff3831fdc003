"""Parts of sentences about cards and passing, for `bot.rules.describe`."""

from collections.abc import Sequence
from enum import Enum
from typing import assert_never

from bot.rules.cards import Card, Suit, pack
from bot.rules.dimensions import Hold, PassStep, PassTo, Scatter
from bot.rules.selectors import Selector
from bot.rules.sentence import Sentence

_ANY_OF = {
    Suit.CLUBS: "any club",
    Suit.DIAMONDS: "any diamond",
    Suit.SPADES: "any spade",
    Suit.HEARTS: "any heart",
}


def and_list(items: Sequence[Sentence]) -> Sentence:
    """“a, b and c”; *items* are not empty."""
    return _listed(items, "{first} and {last}")


def or_list(items: Sequence[Sentence]) -> Sentence:
    """“a, b or c”; *items* are not empty."""
    return _listed(items, "{first} or {last}")


def the_cards(cards: Sequence[Card]) -> Sentence:
    """“the 2♣ and the 2♦”."""
    return and_list([the_card(card) for card in cards])


def the_card(card: Card) -> Sentence:
    return Sentence("the {card}", {"card": card})


def any_of(selectors: Sequence[Selector]) -> Sentence:
    """“any heart or the Q♠”: the cards that *selectors*, which are not empty, name."""
    return or_list([phrase for selector in selectors for phrase in _named(selector)])


def order_to_pass(step: PassStep, seats: int) -> Sentence:
    """What to pass in this deal, as in “Pass 3 cards to the left”."""
    match step:
        case Hold():
            return Sentence("Nothing is passed in this deal.")
        case PassTo(to, count):
            way, places = _way(to, seats)
            return _counted(*_ORDERS[way], count=count, places=places)
        case Scatter(count):
            return _counted(
                "Pass {count} card to every other player.",
                "Pass {count} cards to every other player.",
                count=count,
            )
        case _:
            assert_never(step)


def ways_to_pass(cycle: Sequence[PassStep], seats: int) -> Sentence:
    """“left, right, across, none”: the steps of a cycle that passes equally many cards."""
    return _chained([_way_to_pass(step, seats) for step in cycle])


def whole_steps(cycle: Sequence[PassStep], seats: int) -> Sentence:
    """“1 card to the left, 2 cards to the left, nothing”: the steps of any cycle."""
    return _chained([_what_to_pass(step, seats) for step in cycle])


def _what_to_pass(step: PassStep, seats: int) -> Sentence:
    match step:
        case Hold():
            return Sentence("nothing")
        case PassTo(to, count):
            way, places = _way(to, seats)
            return _counted(*_SHARES[way], count=count, places=places)
        case Scatter(count):
            return _counted(
                "{count} card to every other player",
                "{count} cards to every other player",
                count=count,
            )
        case _:
            assert_never(step)


def _way_to_pass(step: PassStep, seats: int) -> Sentence:
    match step:
        case Hold():
            return Sentence("none")
        case PassTo(to, _):
            way, places = _way(to, seats)
            return Sentence(_WAYS[way], {"places": places})
        case Scatter():
            return Sentence("to every other player")
        case _:
            assert_never(step)


class _Way(Enum):
    LEFT = "left"
    RIGHT = "right"
    ACROSS = "across"
    FAR_LEFT = "far left"
    FAR_RIGHT = "far right"


_ORDERS = {
    _Way.LEFT: ("Pass {count} card to the left.", "Pass {count} cards to the left."),
    _Way.RIGHT: ("Pass {count} card to the right.", "Pass {count} cards to the right."),
    _Way.ACROSS: ("Pass {count} card across.", "Pass {count} cards across."),
    _Way.FAR_LEFT: (
        "Pass {count} card to the player {places} seats to your left.",
        "Pass {count} cards to the player {places} seats to your left.",
    ),
    _Way.FAR_RIGHT: (
        "Pass {count} card to the player {places} seats to your right.",
        "Pass {count} cards to the player {places} seats to your right.",
    ),
}
_SHARES = {
    _Way.LEFT: ("{count} card to the left", "{count} cards to the left"),
    _Way.RIGHT: ("{count} card to the right", "{count} cards to the right"),
    _Way.ACROSS: ("{count} card across", "{count} cards across"),
    _Way.FAR_LEFT: (
        "{count} card {places} seats to the left",
        "{count} cards {places} seats to the left",
    ),
    _Way.FAR_RIGHT: (
        "{count} card {places} seats to the right",
        "{count} cards {places} seats to the right",
    ),
}
_WAYS = {
    _Way.LEFT: "left",
    _Way.RIGHT: "right",
    _Way.ACROSS: "across",
    _Way.FAR_LEFT: "{places} seats left",
    _Way.FAR_RIGHT: "{places} seats right",
}


def _way(to: int, seats: int) -> tuple[_Way, int]:
    """The way and how many seats it goes; at an even table the middle is across."""
    left = to % seats
    right = seats - left
    if left == right:
        return _Way.ACROSS, left
    if left < right:
        return (_Way.LEFT if left == 1 else _Way.FAR_LEFT), left
    return (_Way.RIGHT if right == 1 else _Way.FAR_RIGHT), right


def _named(selector: Selector) -> list[Sentence]:
    for suit, phrase in _ANY_OF.items():
        if selector == Selector(f"{suit.value}*"):
            return [Sentence(phrase)]
    return [the_card(card) for card in pack() if selector.fits(card)]


def _counted(one: str, many: str, **facts: int) -> Sentence:
    return Sentence(one, facts, many)


def _listed(items: Sequence[Sentence], pair: str) -> Sentence:
    *before, last = items
    if not before:
        return last
    return _chained([*before[:-1], Sentence(pair, {"first": before[-1], "last": last})])


def _chained(items: Sequence[Sentence]) -> Sentence:
    *before, text = items
    for item in reversed(before):
        text = Sentence("{first}, {rest}", {"first": item, "rest": text})
    return text
