"""Sentences put into words of a reader's language, at the edge."""

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import discord
from babel.core import Locale, UnknownLocaleError
from babel.lists import format_list
from babel.numbers import format_decimal
from babel.support import NullTranslations, Translations

from bot.rules.cards import Card, Rank, Suit, sorted_cards
from bot.rules.sentence import Sentence
from cogs.names import Markup, escape, one_line

CATALOGUES = Path(__file__).parent / "locales"
"""One folder a language, as gettext wants it. Without a catalogue the words are English."""
SEAT_FACTS = frozenset({"whom", "seat", "seats"})
"""Gaps that are filled with one seat or several, counted from 0."""
FORMER_PLAYER = "former player"
"""How somebody is called in a list who is forgotten, of whom `bot.table.ids.is_former` knows."""
A_FORMER_PLAYER = "a former player"
"""The same inside a sentence that cannot tell in which seat it was."""
_LONGEST_FACT = 300
"""Characters of a fact that is text: one that was typed could be longer than any message."""
_FORMER = re.compile(r"<@\\?-\d+>")
"""As it is written, the dash escaped or not."""
_ENGLISH = Locale("en")
_SUITS = {
    Suit.CLUBS: "clubs",
    Suit.DIAMONDS: "diamonds",
    Suit.SPADES: "spades",
    Suit.HEARTS: "hearts",
}
_COURTS = {Rank.JACK: "jack", Rank.QUEEN: "queen", Rank.KING: "king", Rank.ACE: "ace"}


def say(
    sentence: Sentence,
    locale: discord.Locale | None = None,
    seat_names: Sequence[Markup] = (),
) -> Markup:
    """Put *sentence* into words.

    Args:
        sentence: text among its facts is escaped and put into one line, unless it is `Markup`.
        locale: the reader's; ``None`` is English.
        seat_names: how the people on the seats are called, by seat. Left out, seats are called
            by their number, counted from 1.
    """
    return _Tongue(language(locale), tuple(seat_names)).say(sentence)


def card_words(card: Card, locale: discord.Locale | None = None) -> Markup:
    """A card in words, without its article: "queen of spades"."""
    return _Tongue(language(locale)).card(card)


def capital(text: str) -> Markup:
    """The same text with its first letter large."""
    return Markup(text[:1].upper() + text[1:])


@cache
def language(locale: discord.Locale | None) -> Locale:
    """The language for one of Discord's locales; English where babel knows none."""
    if locale is None:
        return _ENGLISH
    try:
        return Locale.parse(locale.value, sep="-")
    except (UnknownLocaleError, ValueError):
        return _ENGLISH


@dataclass(frozen=True, slots=True)
class Voice:
    """Says sentences to one reader about the people of one table.

    >>> Voice()("You took {count} point.", "You took {count} points.", count=2)
    'You took 2 points.'
    """

    locale: discord.Locale | None = None
    seat_names: tuple[Markup, ...] = ()

    def __call__(self, text: str, plural: str | None = None, /, **facts: object) -> Markup:
        """As `say`, for a sentence made on the spot."""
        return self.say(Sentence(text, facts, plural))

    def say(self, sentence: Sentence) -> Markup:
        """Put *sentence* into words of this reader."""
        return say(sentence, self.locale, self.seat_names)


@dataclass(frozen=True, slots=True)
class _Tongue:
    """One language, and what the seats are called in it."""

    locale: Locale
    seat_names: tuple[Markup, ...] = ()

    def say(self, sentence: Sentence) -> Markup:
        template = self._template(sentence)
        facts = {name: self._fact(name, fact) for name, fact in sentence.facts.items()}
        said = _opened(template, sentence.facts, facts).format_map(facts)
        return Markup(_FORMER.sub(self._former, said) if "<@" in said else said)

    def _former(self, mention: re.Match[str]) -> str:
        """What is said instead of a mention of somebody who is forgotten."""
        words = self.phrase(A_FORMER_PLAYER)
        return words if mention.start() else capital(words)

    def _template(self, sentence: Sentence) -> str:
        catalogue = _catalogue(self.locale)
        if sentence.plural is None:
            return str(catalogue.ugettext(sentence.text))
        count = sentence.facts["count"]
        if not isinstance(count, int):
            raise TypeError(f"count of {sentence.text!r} is {count!r}")
        return str(catalogue.ungettext(sentence.text, sentence.plural, abs(count)))

    def phrase(self, text: str) -> Markup:
        return Markup(_catalogue(self.locale).ugettext(text))

    def card(self, card: Card) -> Markup:
        """Each card is one phrase of the catalogue: languages order and bend them differently."""
        if card.suit is None:
            return self.phrase("joker")
        rank = _COURTS.get(card.rank, str(card.rank.value))
        return self.phrase(f"{rank} of {_SUITS[card.suit]}")

    def _fact(self, name: str, fact: object) -> str:
        if name in SEAT_FACTS:
            return self._seats(fact)
        match fact:
            case Markup():
                return fact
            case Card():
                return self.card(fact)
            case Suit():
                return self.phrase(_SUITS[fact])
            case Sentence():
                return self.say(fact)
            case int() | float():
                return self._number(fact)
            case frozenset() | tuple() | list():
                return self._several(fact)
            case _:
                return escape(one_line(str(fact), _LONGEST_FACT))

    def _seats(self, fact: object) -> str:
        if isinstance(fact, tuple | list | frozenset):
            return self._listed([self._seats(seat) for seat in fact])
        if not isinstance(fact, int):
            return self._fact("", fact)
        if fact < len(self.seat_names):
            return self.seat_names[fact]
        return self.say(Sentence("seat {number}", {"number": fact + 1}))

    def _several(self, facts: Collection[Any]) -> str:
        if all(isinstance(fact, Card) for fact in facts):
            return self._listed(self._cards(sorted_cards(tuple(facts))))
        return self._listed([self._fact("", fact) for fact in facts])

    def _cards(self, cards: Sequence[Card]) -> list[str]:
        """Equal cards are said once: "queen of spades ×2"."""
        copies = Counter(self.card(card) for card in cards)
        return [card if count == 1 else f"{card} ×{count}" for card, count in copies.items()]

    def _listed(self, words: list[str]) -> str:
        return format_list(words, locale=self.locale)

    def _number(self, number: float) -> str:
        """Whole numbers bare, others with two places; a true minus sign."""
        if isinstance(number, int):
            return str(number).replace("-", "−")
        return str(format_decimal(number, format="0.00", locale=self.locale)).replace("-", "−")


def _opened(template: str, facts: Mapping[str, object], words: dict[str, str]) -> str:
    """A sentence that opens with a card or a suit opens with a large letter."""
    name, closed, rest = template.removeprefix("{").partition("}")
    if template.startswith("{") and closed and isinstance(facts.get(name), Card | Suit):
        return capital(words[name]).replace("{", "{{").replace("}", "}}") + rest
    return template


@cache
def _catalogue(locale: Locale) -> NullTranslations:
    return Translations.load(CATALOGUES, [str(locale), locale.language])
