"""What a robot in another program is asked: one plain table a decision, and back (record.md).

A question says what one seat may know, and nothing else. `bot.arena.imagining` makes a `SeatView`
of it again.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from functools import lru_cache
from typing import Any

from bot.rules import reading, variants
from bot.rules.cards import Card, Hand, Seat, parse_cards, sorted_cards
from bot.rules.dimensions import Settle
from bot.rules.errors import HeartsError, NotationError, RulesetError
from bot.rules.reading import Reader, fault, quoted
from bot.rules.ruleset import Ruleset
from bot.rules.ruleset_io import from_dict as read_ruleset
from bot.rules.ruleset_io import to_dict as write_ruleset
from bot.rules.sentence import Sentence
from bot.rules.state import Phase, Trick
from bot.rules.view import SeatView

Plain = dict[str, Any]


class QuestionError(HeartsError):
    """What was asked is no question, or speaks of a position that cannot be."""

    def __init__(self, path: str, fault: str) -> None:
        self.path = path
        self.sentence = Sentence("{path}: {fault}", {"path": path, "fault": fault})
        super().__init__(f"{path}: {fault}")


class Ask(Enum):
    """What is to be decided."""

    PASS = "pass"  # noqa: S105  cards, no secret
    PLAY = "play"
    MOON = "moon"


_ASKED_IN = {Phase.PASSING: Ask.PASS, Phase.PLAYING: Ask.PLAY, Phase.MOON_CHOICE: Ask.MOON}


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What one seat knows when it is asked. Which copy of a card is meant is not said."""

    ruleset: Ruleset
    seats: int
    seat: Seat
    deal: int
    """Counted from 0, as the format has it."""
    dealer: Seat
    ask: Ask
    dealt: tuple[Card, ...] = field(repr=False)
    """Its own hand as dealt, before passing."""
    passed: tuple[Card, ...] = field(default=(), repr=False)
    received: tuple[Card, ...] = field(default=(), repr=False)
    hand: tuple[Card, ...] = field(repr=False)
    """What it holds now."""
    plays: tuple[Card, ...] = ()
    """All of this deal so far, in the order played."""
    totals: tuple[int, ...]
    """By seat, after the last finished deal."""
    widow: tuple[Card, ...] = field(default=(), repr=False)
    """The widow, where this seat may see it."""
    last_deal: bool = False
    """Whether the deal was called the last."""
    money: tuple[Fraction, ...] = ()
    """By seat: what changed hands so far, where deals are settled one by one; may be left out."""


def of_view(view: SeatView) -> Plain:
    """The question that a seat is asked which has something to decide.

    Raises:
        ValueError: it has not.
    """
    public = view.public
    if public.phase not in _ASKED_IN:
        raise ValueError(f"seat {view.seat} has nothing to decide")
    plain: Plain = {
        "rules": _rules_to_plain(public.ruleset),
        "seats": public.seats,
        "seat": view.seat,
        "deal": public.deal - 1,
        "dealer": public.dealer,
        "ask": _ASKED_IN[public.phase].value,
        "dealt": faces(view.dealt),
        "passed": faces(view.given),
        "received": faces(view.received),
        "hand": faces(view.hand),
        "plays": [play.card.face for trick in tricks(view) for play in trick.plays],
        "totals": list(public.totals),
    }
    return plain | _where_rules_have_it(view)


def from_dict(plain: object) -> Question:
    """Read a question from what JSON says; whether its cards fit together is not looked at.

    Raises:
        QuestionError: it is none; with the path of the first fault.
    """
    try:
        found = reading.fields("", reading.table("question", plain), _READERS)
        for key in _NEEDED:
            if key not in found:
                raise fault(key, "is missing")
        _check_seats(found)
    except RulesetError as error:
        path, _, text = error.faults[0].partition(": ")
        raise QuestionError(path, text) from error
    return Question(ruleset=found.pop("rules"), **found)


def faces(cards: Hand) -> str:
    """Cards as a hand is written here: sorted, without saying which copy."""
    return " ".join(card.face for card in sorted_cards(cards))


def tricks(view: SeatView) -> tuple[Trick, ...]:
    """All tricks of the deal, the one under way included."""
    public = view.public
    return (*public.tricks, public.trick) if public.trick else public.tricks


def _where_rules_have_it(view: SeatView) -> Plain:
    public = view.public
    more: Plain = {}
    if view.widow:
        more["widow"] = faces(view.widow)
    if public.last_deal:
        more["last_deal"] = True
    if public.ruleset.settle is Settle.SUPER and public.scores:
        by_seat = zip(*(score.money for score in public.scores), strict=True)
        more["money"] = [str(sum(each, Fraction())) for each in by_seat]
    return more


@lru_cache(maxsize=64)
def _rules_to_plain(ruleset: Ruleset) -> Plain:
    """The name of the preset, if that is all there is to say."""
    if ruleset.id in variants.names() and variants.load(ruleset.id) == ruleset:
        return {"extends": ruleset.id}
    return write_ruleset(ruleset)


def _check_seats(found: Mapping[str, Any]) -> None:
    seats, ruleset = found["seats"], found["rules"]
    if seats not in ruleset.players:
        raise fault("seats", f"{seats} is not among {list(ruleset.players)}")
    for key in ("seat", "dealer"):
        if found[key] not in range(seats):
            raise fault(key, f"{found[key]} is not a seat from 0 to {seats - 1}")
    for key in ("totals", "money"):
        if len(found.get(key) or found["totals"]) != seats:
            raise fault(key, f"{len(found[key])} entries, where {seats} seats play")
    if found["deal"] < 0:
        raise fault("deal", f"{found['deal']} is less than 0, the first deal")


def _ruleset(path: str, value: object) -> Ruleset:
    table = reading.table(path, value)
    try:
        return _ruleset_of(json.dumps(table))
    except RulesetError as error:
        raise RulesetError([f"{path}.{each}" for each in error.faults]) from error


@lru_cache(maxsize=64)
def _ruleset_of(text: str) -> Ruleset:
    """A whole game is asked about under the same rules, which take a while to read."""
    return read_ruleset(json.loads(text))


def _hand(path: str, value: object) -> tuple[Card, ...]:
    text = reading.long_text(path, value)
    try:
        return tuple(Card(card.rank, card.suit) for card in parse_cards(text))
    except NotationError as error:
        raise fault(path, f"{quoted(error.text)} is not a card") from error


def _plays(path: str, value: object) -> tuple[Card, ...]:
    found = reading.sequence(path, value, reading.card)
    return tuple(Card(card.rank, card.suit) for card in found)


def _integers(path: str, value: object) -> tuple[int, ...]:
    return reading.sequence(path, value, reading.integer)


def _fraction(path: str, value: object) -> Fraction:
    try:
        return Fraction(reading.text(path, value))
    except (ValueError, ZeroDivisionError) as error:
        raise fault(path, f"{quoted(value)} is not a fraction, as 13/2") from error


def _fractions(path: str, value: object) -> tuple[Fraction, ...]:
    return reading.sequence(path, value, _fraction)


_NEEDED = ("rules", "seats", "seat", "deal", "dealer", "ask", "dealt", "hand", "totals")
_READERS: Mapping[str, Reader[Any]] = {
    "rules": _ruleset,
    "seats": reading.integer,
    "seat": reading.integer,
    "deal": reading.integer,
    "dealer": reading.integer,
    "ask": reading.member(Ask),
    "dealt": _hand,
    "passed": _hand,
    "received": _hand,
    "hand": _hand,
    "plays": _plays,
    "totals": _integers,
    "widow": _hand,
    "last_deal": reading.truth,
    "money": _fractions,
}
