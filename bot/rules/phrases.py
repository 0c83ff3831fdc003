"""Parts of sentences about cards, numbers and passing, for `bot.rules.describe` and its files."""

from collections.abc import Sequence
from enum import Enum
from typing import assert_never

from bot.rules.cards import Card, Rank, Suit
from bot.rules.dimensions import Hold, PassStep, PassTo, Scatter
from bot.rules.selectors import Selector, fits_any
from bot.rules.sentence import Sentence

Topic = tuple[Sentence, ...]
"""A sentence or a few that need each other; none where a table has nothing of the kind."""

QUEEN = Card(Rank.QUEEN, Suit.SPADES)

_ONE_OF = {
    Suit.CLUBS: "a club",
    Suit.DIAMONDS: "a diamond",
    Suit.SPADES: "a spade",
    Suit.HEARTS: "a heart",
}
_COURTS = {Rank.JACK: "jack", Rank.QUEEN: "queen", Rank.KING: "king", Rank.ACE: "ace"}


def and_list(items: Sequence[Sentence]) -> Sentence:
    """“a, b and c”; *items* are not empty."""
    return _listed(items, "{first} and {last}")


def or_list(items: Sequence[Sentence]) -> Sentence:
    """“a, b or c”; *items* are not empty."""
    return _listed(items, "{first} or {last}")


def chained(items: Sequence[Sentence]) -> Sentence:
    """“a, b, c”; *items* are not empty."""
    *before, text = items
    for item in reversed(before):
        text = Sentence("{first}, {rest}", {"first": item, "rest": text})
    return text


def the_cards(cards: Sequence[Card]) -> Sentence:
    """“the 2♣ and the 2♦”."""
    return and_list([the_card(card) for card in cards])


def the_card(card: Card) -> Sentence:
    return Sentence("the {card}", {"card": card})


def rank_name(rank: Rank) -> Sentence:
    """“7” or “queen”."""
    if rank in _COURTS:
        return Sentence(_COURTS[rank])
    return Sentence("{number}", {"number": rank.value})


def points_word(count: int) -> Sentence:
    """“1 point”, “26 points”."""
    return Sentence("{count} point", {"count": count}, "{count} points")


def faces(cards: Sequence[Card]) -> tuple[Card, ...]:
    """One card of every face among *cards*, in their order: as one may be spoken of."""
    return tuple({card.face: Card(card.rank, card.suit) for card in cards}.values())


def named(selectors: Sequence[Selector], deck: Sequence[Card]) -> tuple[Card, ...]:
    """One card of every face in *deck* that *selectors* name."""
    return faces([card for card in deck if fits_any(tuple(selectors), card)])


def one_of(selectors: Sequence[Selector], deck: Sequence[Card]) -> Sentence:
    """“a heart or the Q♠”: what *selectors* name in *deck*, which is at least one card."""
    return or_list([phrase for selector in selectors for phrase in _words(selector, deck)])


def order_to_pass(step: PassStep, seats: int) -> Sentence:
    """What to pass in this deal, as in “Pass 3 cards to the left”."""
    match step:
        case Hold():
            return Sentence("Nothing is passed in this deal.")
        case PassTo(to, count):
            way, places = _way(to, seats)
            return _counted(*_ORDERS[way], count=count, places=places)
        case Scatter(count):
            return _counted(*_SCATTERS[seats == 2], count=count)
        case _:
            assert_never(step)


def whole_steps(cycle: Sequence[PassStep], seats: int) -> Sentence:
    """“1 card to the left, 2 cards to the left, nothing”: the steps of any cycle."""
    return chained([_what_to_pass(step, seats) for step in cycle])


def way_to_pass(step: PassStep, seats: int) -> Sentence:
    """“left”, “across”, “none”: where a step goes, without how many cards."""
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


def _words(selector: Selector, deck: Sequence[Card]) -> list[Sentence]:
    fitting = named([selector], deck)
    for suit, phrase in _ONE_OF.items():
        if fitting and selector == Selector(f"{suit.value}*"):
            return [Sentence(phrase)]
    return [the_card(card) for card in fitting]


def _listed(items: Sequence[Sentence], pair: str) -> Sentence:
    *before, last = items
    if not before:
        return last
    return chained([*before[:-1], Sentence(pair, {"first": before[-1], "last": last})])


def _what_to_pass(step: PassStep, seats: int) -> Sentence:
    match step:
        case Hold():
            return Sentence("nothing")
        case PassTo(to, count):
            way, places = _way(to, seats)
            return _counted(*_SHARES[way], count=count, places=places)
        case Scatter(count):
            return _counted(*_SCATTERED[seats == 2], count=count)
        case _:
            assert_never(step)


class _Way(Enum):
    OPPONENT = "opponent"
    LEFT = "left"
    RIGHT = "right"
    ACROSS = "across"
    FAR_LEFT = "far left"
    FAR_RIGHT = "far right"


_ORDERS = {
    _Way.OPPONENT: (
        "Pass {count} card to your opponent.",
        "Pass {count} cards to your opponent.",
    ),
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
_SCATTERS = {
    True: _ORDERS[_Way.OPPONENT],
    False: (
        "Pass {count} card to every other player.",
        "Pass {count} cards to every other player.",
    ),
}
"""By whether there is only one other player."""
_SHARES = {
    _Way.OPPONENT: ("{count} card to your opponent", "{count} cards to your opponent"),
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
_SCATTERED = {
    True: _SHARES[_Way.OPPONENT],
    False: ("{count} card to every other player", "{count} cards to every other player"),
}
_WAYS = {
    _Way.OPPONENT: "to your opponent",
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
    if seats == 2:
        return _Way.OPPONENT, left
    if left == right:
        return _Way.ACROSS, left
    if left < right:
        return (_Way.LEFT if left == 1 else _Way.FAR_LEFT), left
    return (_Way.RIGHT if right == 1 else _Way.FAR_RIGHT), right


def _counted(one: str, many: str, **facts: int) -> Sentence:
    return Sentence(one, facts, many)
