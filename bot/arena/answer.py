"""What a robot answers to a question: one plain table, written and read (record.md).

The answer is ``{"cards": ["QS"]}``, or ``{"moon": "add"}`` where a shooter chooses.
"""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from bot.ai import Player
from bot.rules.cards import Card, Hand, sorted_cards
from bot.rules.dimensions import MoonPayoff
from bot.rules.errors import HeartsError
from bot.rules.passing import pass_count
from bot.rules.reading import quoted
from bot.rules.record import MOON_WORDS
from bot.rules.sentence import Sentence
from bot.rules.state import Phase
from bot.rules.view import SeatView

Plain = dict[str, Any]


class AnswerError(HeartsError):
    """An answer that is none, or that the rules forbid."""

    def __init__(self, fault: str) -> None:
        self.sentence = Sentence("{fault}", {"fault": fault})
        super().__init__(fault)


def of_player(player: Player, view: SeatView, dice: Random) -> Plain:
    """What *player* does in the seat of *view*, which has something to decide."""
    match view.public.phase:
        case Phase.PASSING:
            return _cards(player.choose_pass(view, dice))
        case Phase.MOON_CHOICE:
            payoff = player.choose_moon(view, dice)
            return {"moon": next(word for word, each in MOON_WORDS.items() if each is payoff)}
        case _:
            return _cards(frozenset({player.choose_card(view, dice)}))


def read_pass(view: SeatView, plain: object) -> Hand:
    """The cards to give away.

    Raises:
        AnswerError: the answer names others than so many cards of the hand.
    """
    step = view.public.step
    count = pass_count(step, view.public.seats) if step else 0
    named = _faces(plain)
    if len(named) != count:
        raise AnswerError(f"passes {len(named)} cards, where {count} are passed")
    return frozenset(_copies(named, view.hand, "which it does not hold so often"))


def read_card(view: SeatView, plain: object) -> Card:
    """The card to play.

    Raises:
        AnswerError: the answer names none that may be played.
    """
    named = _faces(plain)
    if len(named) != 1:
        raise AnswerError(f"plays {len(named)} cards at once")
    legal = view.choice.cards if view.choice else frozenset()
    allowed = " ".join(dict.fromkeys(card.face for card in sorted_cards(legal)))
    (card,) = _copies(named, legal, f"where it may play {allowed}")
    return card


def read_moon(_: SeatView, plain: object) -> MoonPayoff:
    """How the moon is paid.

    Raises:
        AnswerError: the answer is neither of the two words.
    """
    word = _only("moon", plain)
    if not isinstance(word, str) or word not in MOON_WORDS:
        raise AnswerError(f"says {quoted(word)}, where a moon is paid by {' or '.join(MOON_WORDS)}")
    return MOON_WORDS[word]


def _cards(cards: Hand) -> Plain:
    return {"cards": [card.face for card in sorted_cards(cards)]}


def _faces(plain: object) -> Sequence[str]:
    cards = _only("cards", plain)
    if not isinstance(cards, list) or not all(isinstance(each, str) for each in cards):
        raise AnswerError(f"says {quoted(cards)}, where a list of cards is wanted")
    return cards


def _only(key: str, plain: object) -> object:
    if not isinstance(plain, Mapping):
        raise AnswerError(f"answers {quoted(plain)}, which is no JSON object")
    if "error" in plain:
        raise AnswerError(f"answers with the error {quoted(plain['error'])}")
    if set(plain) != {key}:
        raise AnswerError(f"answers {quoted(dict(plain))}, where only {key!r} is wanted")
    return plain[key]


def _copies(named: Sequence[str], cards: Hand, otherwise: str) -> tuple[Card, ...]:
    """Which of *cards* the faces stand for."""
    left = list(sorted_cards(cards))
    found = []
    for face in named:
        card = next((each for each in left if each.face == face), None)
        if card is None:
            raise AnswerError(f"names {quoted(face)}, {otherwise}")
        left.remove(card)
        found.append(card)
    return tuple(found)
