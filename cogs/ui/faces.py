"""Cards as people see them on buttons, in menus and in running text."""

from collections.abc import Iterable

from bot.rules.cards import Card, Rank, Suit, sorted_cards
from cogs.names import Markup
from cogs.words import Voice

_AS_TEXT = "\ufe0e"
"""Asks for the plain sign: the coloured one is all but black on Discord's dark ground."""
_PAD = "\u2007"
"""A space as wide as a figure, so that one-figure ranks are as wide as 10."""
SUIT_SIGNS = {
    Suit.CLUBS: f"♣{_AS_TEXT}",
    Suit.DIAMONDS: f"♦{_AS_TEXT}",
    Suit.SPADES: f"♠{_AS_TEXT}",
    Suit.HEARTS: f"♥{_AS_TEXT}",
}
HEART = SUIT_SIGNS[Suit.HEARTS]
_JOKER_SIGN = "🃏"
_LETTERS = {Rank.JACK: "J", Rank.QUEEN: "Q", Rank.KING: "K", Rank.ACE: "A", Rank.JOKER: "JK"}


def rank_text(card: Card) -> str:
    """The rank as printed on a card, 10 as two figures."""
    return _LETTERS.get(card.rank, str(card.rank.value))


def sign(card: Card) -> str:
    """The sign of its suit."""
    return SUIT_SIGNS[card.suit] if card.suit else _JOKER_SIGN


def label(card: Card) -> str:
    """Three visible characters: ``10♦``, ``JK🃏`` and, with a wide space, ``Q ♠``."""
    return f"{rank_text(card):{_PAD}<2}{sign(card)}"


def chip(card: Card) -> Markup:
    """The card as a small box in running text; words stand beside it."""
    return Markup(f"`{rank_text(card)}{sign(card)}`")


def chips(cards: Iterable[Card]) -> Markup:
    """Several cards, sorted, each as a `chip`."""
    return Markup(" ".join(chip(card) for card in sorted_cards(tuple(cards))))


def by_suit(cards: Iterable[Card]) -> list[tuple[Suit | None, tuple[Card, ...]]]:
    """Sorted cards, one group a suit; suits without a card are left out, jokers come last."""
    groups: dict[Suit | None, list[Card]] = {}
    for card in sorted_cards(tuple(cards)):
        groups.setdefault(card.suit, []).append(card)
    return [(suit, tuple(group)) for suit, group in groups.items()]


def suit_line(voice: Voice, suit: Suit | None, cards: Iterable[Card]) -> Markup:
    """A suit by name and the ranks of some cards of it: "♠ Spades 2 9 Q"; or how many jokers."""
    if suit is None:
        count = len(tuple(cards))
        return Markup(f"{_JOKER_SIGN} {voice('{count} joker', '{count} jokers', count=count)}")
    ranks = " ".join(rank_text(card) for card in cards)
    return Markup(f"{SUIT_SIGNS[suit]} {voice('{suit}', suit=suit)} {ranks}")
