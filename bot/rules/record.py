"""The text record of a game: one plain table to be written as JSON, and back (record.md).

A record says how cards were dealt and what was played. Who won follows when it is played
through the rules, which `bot.rules.playback` does.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar, assert_never

from bot.rules.cards import Card, Hand, Seat, parse_cards, sorted_cards, write_cards
from bot.rules.errors import NotationError, RecordError, RulesetError
from bot.rules.events import (
    CardPlayed,
    CardsPassed,
    DealBegan,
    DealScored,
    Event,
    GameEnded,
    MoonSettled,
)
from bot.rules.reading import quoted
from bot.rules.ruleset import MoonPayoff, Ruleset
from bot.rules.ruleset_io import from_dict as read_ruleset
from bot.rules.ruleset_io import to_dict as write_ruleset
from bot.rules.tricks import after

Value = TypeVar("Value")
Plain = dict[str, Any]

VERSION = 1
"""Of the format; the value of the key ``hearts``."""

_MOON_WORDS = {"add": MoonPayoff.ADD_OTHERS, "subtract": MoonPayoff.SUBTRACT_SELF}
_MOON_CHOICES = {payoff: word for word, payoff in _MOON_WORDS.items()}
_KEYS = {"hearts", "rules", "seats", "deals", "meta"}
_NEEDED_KEYS = {"hearts", "rules", "seats", "deals"}
_DEAL_KEYS = {"dealer", "hands", "widow", "stock", "passes", "plays", "moon"}


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedDeal:
    """One deal of a record. What its rules say of it is not checked yet, save its hands."""

    dealer: Seat | None
    """``None``: the next one by the rules."""
    hands: tuple[Hand, ...]
    """By seat, as dealt, before passing. Together they are the deck."""
    passes: tuple[tuple[Card, ...], ...]
    """By seat: what it gives away, in the order of the receivers; empty for a seat that has not
    chosen. No seats at all in a hold deal."""
    plays: tuple[Card, ...]
    """In the order played."""
    moon: MoonPayoff | None
    """The shooter's choice."""

    def order(self, dealer: Seat) -> tuple[Card, ...]:
        """A deck order that gives these hands when *dealer* deals one card at a time."""
        seats = len(self.hands)
        left = after(dealer, seats)
        in_turn = [sorted_cards(self.hands[after(left, seats, place)]) for place in range(seats)]
        return tuple(card for cards in zip(*in_turn, strict=True) for card in cards)


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """A game as text: it may stop anywhere, and may break the rules in its passes and plays."""

    ruleset: Ruleset
    seats: int
    deals: tuple[RecordedDeal, ...]
    meta: Mapping[str, object] = field(default_factory=dict)
    """For people; no rule reads it."""


def from_dict(plain: object) -> Record:
    """Read a record from what JSON says.

    Raises:
        RecordError: it is none; with the path of the first fault.
    """
    table = _table("record", plain, known=_KEYS, needed=_NEEDED_KEYS)
    version = table["hearts"]
    if type(version) is not int or version != VERSION:
        raise RecordError("hearts", f"{quoted(version)} is not {VERSION}, the format's version")
    ruleset = _rules(table["rules"])
    seats = table["seats"]
    if type(seats) is not int or seats not in ruleset.players:
        raise RecordError("seats", f"{quoted(seats)} is not among {list(ruleset.players)}")

    def read_deal(path: str, value: object) -> RecordedDeal:
        return _deal(path, value, ruleset, seats)

    return Record(
        ruleset=ruleset,
        seats=seats,
        deals=_sequence("deals", table["deals"], read_deal),
        meta=_table("meta", table.get("meta", {})),
    )


def to_dict(record: Record) -> Plain:
    """Write a record for JSON, with all its rules, whatever becomes of the presets."""
    plain: Plain = {
        "hearts": VERSION,
        "rules": write_ruleset(record.ruleset),
        "seats": record.seats,
        "deals": [_deal_to_plain(deal) for deal in record.deals],
    }
    return plain | ({"meta": dict(record.meta)} if record.meta else {})


def from_events(ruleset: Ruleset, seats: int, events: Iterable[Event]) -> Plain:
    """The record of a game of which all *events* are known, from its first deal on."""
    deals: list[_Gathered] = []
    for event in events:
        match event:
            case DealBegan():
                deals.append(_Gathered(event, seats))
            case CardsPassed(seat, cards, packet):
                deals[-1].passes[seat] = packet or sorted_cards(cards)
            case CardPlayed(_, card):
                deals[-1].plays.append(card)
            case MoonSettled(_, payoff):
                deals[-1].moon = payoff
            case DealScored() | GameEnded():
                pass  # follows from the others
            case _:
                assert_never(event)
    recorded = tuple(deal.recorded() for deal in deals)
    return to_dict(Record(ruleset=ruleset, seats=seats, deals=recorded))


class _Gathered:
    """A deal while its events come in."""

    def __init__(self, began: DealBegan, seats: int) -> None:
        self._began = began
        self._seats = seats
        self.passes: list[tuple[Card, ...]] = [()] * seats
        self.plays: list[Card] = []
        self.moon: MoonPayoff | None = None

    def recorded(self) -> RecordedDeal:
        dealer, order, seats = self._began.dealer, self._began.order, self._seats
        return RecordedDeal(
            dealer=dealer,
            hands=tuple(frozenset(order[(n - dealer - 1) % seats :: seats]) for n in range(seats)),
            passes=tuple(self.passes) if any(self.passes) else (),
            plays=tuple(self.plays),
            moon=self.moon,
        )


def _deal_to_plain(deal: RecordedDeal) -> Plain:
    plain: Plain = {} if deal.dealer is None else {"dealer": deal.dealer}
    plain["hands"] = [write_cards(hand) for hand in deal.hands]
    if deal.passes:
        plain["passes"] = [" ".join(map(str, packet)) for packet in deal.passes]
    plain["plays"] = [str(card) for card in deal.plays]
    if deal.moon is not None:
        plain["moon"] = _MOON_CHOICES[deal.moon]
    return plain


def _rules(value: object) -> Ruleset:
    try:
        return read_ruleset(_table("rules", value))
    except RulesetError as error:
        path, _, fault = error.faults[0].partition(": ")
        raise RecordError(f"rules.{path}", fault) from error


def _deal(path: str, value: object, ruleset: Ruleset, seats: int) -> RecordedDeal:
    table = _table(path, value, known=_DEAL_KEYS, needed={"hands"})
    for key in ("widow", "stock"):
        if table.get(key, ""):
            raise RecordError(f"{path}.{key}", "these rules deal out every card")
    return RecordedDeal(
        dealer=_dealer(f"{path}.dealer", table["dealer"], seats) if "dealer" in table else None,
        hands=_hands(f"{path}.hands", table["hands"], ruleset, seats),
        passes=_passes(f"{path}.passes", table["passes"], seats) if "passes" in table else (),
        plays=_sequence(f"{path}.plays", table.get("plays", []), _card),
        moon=_moon(f"{path}.moon", table["moon"]) if "moon" in table else None,
    )


def _dealer(path: str, value: object, seats: int) -> Seat:
    if type(value) is not int or value not in range(seats):
        raise RecordError(path, f"{quoted(value)} is not a seat from 0 to {seats - 1}")
    return Seat(value)


def _hands(path: str, value: object, ruleset: Ruleset, seats: int) -> tuple[Hand, ...]:
    dealt = _by_seat(path, value, seats)
    deck, size = frozenset(ruleset.deck(seats)), ruleset.hand_size(seats)
    seen: set[Card] = set()
    for seat, cards in enumerate(dealt):
        inner = f"{path}[{seat}]"
        if len(cards) != size:
            raise RecordError(inner, f"{len(cards)} cards, where {size} are dealt")
        for card in cards:
            if card not in deck:
                raise RecordError(inner, f"{card} is not in the deck")
            if card in seen:
                raise RecordError(inner, f"{card} is dealt twice")
            seen.add(card)
    return tuple(map(frozenset, dealt))


def _passes(path: str, value: object, seats: int) -> tuple[tuple[Card, ...], ...]:
    packets = _by_seat(path, value, seats)
    return packets if any(packets) else ()


def _by_seat(path: str, value: object, seats: int) -> tuple[tuple[Card, ...], ...]:
    found = _sequence(path, value, _cards)
    if len(found) != seats:
        raise RecordError(path, f"{len(found)} entries, where {seats} seats play")
    return found


def _moon(path: str, value: object) -> MoonPayoff:
    if not isinstance(value, str) or value not in _MOON_WORDS:
        raise RecordError(path, f"{quoted(value)} is neither add nor subtract")
    return _MOON_WORDS[value]


def _cards(path: str, value: object) -> tuple[Card, ...]:
    try:
        return parse_cards(_text(path, value))
    except NotationError as error:
        raise RecordError(path, f"{quoted(error.text)} is not a card") from error


def _card(path: str, value: object) -> Card:
    try:
        return Card.parse(_text(path, value))
    except NotationError as error:
        raise RecordError(path, f"{quoted(error.text)} is not a card") from error


def _text(path: str, value: object) -> str:
    if not isinstance(value, str):
        raise RecordError(path, f"{quoted(value)} is not a text")
    return value


def _sequence(path: str, value: object, read: Callable[[str, object], Value]) -> tuple[Value, ...]:
    if not isinstance(value, Sequence) or isinstance(value, str):
        raise RecordError(path, f"{quoted(value)} is not a list")
    return tuple(read(f"{path}[{place}]", each) for place, each in enumerate(value))


def _table(
    path: str,
    value: object,
    *,
    known: set[str] | None = None,
    needed: Iterable[str] = (),
) -> Mapping[str, object]:
    if not isinstance(value, Mapping):
        raise RecordError(path, f"{quoted(value)} is not a table")
    prefix = "" if path == "record" else f"{path}."
    for key in value:
        if known is not None and key not in known:
            raise RecordError(f"{prefix}{key}"[:80] or path, "no such key in these rules")
    for key in sorted(set(needed) - set(value)):
        raise RecordError(f"{prefix}{key}", "is missing")
    return value
