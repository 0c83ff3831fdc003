"""The text record of a game: one plain table to be written as JSON, and back (record.md).

A record says how cards were dealt and what was played. Who won follows when it is played
through the rules, which `bot.rules.playback` does.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar, assert_never

from bot.rules.cards import Card, Seat, parse_cards, sorted_cards
from bot.rules.dealing import Dealt, deal_out, order_of
from bot.rules.dimensions import MoonPayoff, Rest
from bot.rules.errors import NotationError, RecordError, RulesetError
from bot.rules.events import (
    CardPlayed,
    CardsPassed,
    DealBegan,
    DealScored,
    Event,
    GameEnded,
    LastDealCalled,
    MoonSettled,
)
from bot.rules.reading import quoted
from bot.rules.ruleset import Ruleset
from bot.rules.ruleset_io import from_dict as read_ruleset
from bot.rules.ruleset_io import to_dict as write_ruleset

Value = TypeVar("Value")
Plain = dict[str, Any]

VERSION = 1
"""Of the format; the value of the key ``hearts``."""

MOON_WORDS = {"add": MoonPayoff.ADD_OTHERS, "subtract": MoonPayoff.SUBTRACT_SELF}
"""What is written for the shooter's choice."""
_MOON_CHOICES = {payoff: word for word, payoff in MOON_WORDS.items()}
_KEYS = {"hearts", "rules", "seats", "deals", "ended", "meta"}
_NEEDED_KEYS = {"hearts", "rules", "seats", "deals"}
_DEAL_KEYS = {"dealer", "hands", "widow", "stock", "passes", "plays", "moon"}


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedDeal:
    """One deal of a record. What its rules say of it is not checked yet, save its hands."""

    dealer: Seat | None
    """``None``: the next one by the rules."""
    dealt: Dealt
    """Hands as dealt, before passing, widow and stock. Together they are the deck."""
    passes: tuple[tuple[Card, ...], ...]
    """By seat: what it gives away, in the order of the receivers; empty for a seat that has not
    chosen. No seats at all in a hold deal. Which copy of a card is not said."""
    plays: tuple[Card, ...]
    """In the order played. Which copy of a card is not said."""
    moon: MoonPayoff | None
    """The shooter's choice."""

    def order(self, ruleset: Ruleset, dealer: Seat) -> tuple[Card, ...]:
        """A deck order that gives these hands when *dealer* deals one card at a time."""
        return order_of(ruleset, dealer, self.dealt)


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """A game as text: it may stop anywhere, and may break the rules in its passes and plays."""

    ruleset: Ruleset
    seats: int
    deals: tuple[RecordedDeal, ...]
    ended: bool = False
    """Whether the last deal was called the last: a game by minutes or by agreement."""
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
        ended=_truth("ended", table.get("ended", False)),
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
    if record.ended:
        plain["ended"] = True
    return plain | ({"meta": dict(record.meta)} if record.meta else {})


def from_events(ruleset: Ruleset, seats: int, events: Iterable[Event]) -> Plain:
    """The record of a game of which all *events* are known, from its first deal on."""
    deals: list[_Gathered] = []
    ended = False
    for event in events:
        match event:
            case DealBegan():
                deals.append(_Gathered(ruleset, event, seats))
            case CardsPassed(seat, cards, packet):
                deals[-1].passes[seat] = packet or sorted_cards(cards)
            case CardPlayed(_, card):
                deals[-1].plays.append(card)
            case MoonSettled(_, payoff):
                deals[-1].moon = payoff
            case LastDealCalled():
                ended = True
            case DealScored() | GameEnded():
                pass  # follows from the others
            case _:
                assert_never(event)
    recorded = tuple(deal.recorded() for deal in deals)
    return to_dict(Record(ruleset=ruleset, seats=seats, deals=recorded, ended=ended))


class _Gathered:
    """A deal while its events come in."""

    def __init__(self, ruleset: Ruleset, began: DealBegan, seats: int) -> None:
        self._ruleset = ruleset
        self._began = began
        self._seats = seats
        self.passes: list[tuple[Card, ...]] = [()] * seats
        self.plays: list[Card] = []
        self.moon: MoonPayoff | None = None

    def recorded(self) -> RecordedDeal:
        dealer = self._began.dealer
        return RecordedDeal(
            dealer=dealer,
            dealt=deal_out(self._ruleset, self._seats, dealer, self._began.order),
            passes=tuple(self.passes) if any(self.passes) else (),
            plays=tuple(self.plays),
            moon=self.moon,
        )


def _deal_to_plain(deal: RecordedDeal) -> Plain:
    plain: Plain = {} if deal.dealer is None else {"dealer": deal.dealer}
    plain["hands"] = [_faces(sorted_cards(hand)) for hand in deal.dealt.hands]
    if deal.dealt.widow:
        plain["widow"] = _faces(sorted_cards(deal.dealt.widow))
    if deal.dealt.stock:
        plain["stock"] = _faces(deal.dealt.stock)
    if deal.passes:
        plain["passes"] = [_faces(packet) for packet in deal.passes]
    plain["plays"] = [card.face for card in deal.plays]
    if deal.moon is not None:
        plain["moon"] = _MOON_CHOICES[deal.moon]
    return plain


def _faces(cards: Iterable[Card]) -> str:
    """Two equal cards are written the same: which copy is meant never matters to a rule."""
    return " ".join(card.face for card in cards)


def _rules(value: object) -> Ruleset:
    try:
        return read_ruleset(_table("rules", value))
    except RulesetError as error:
        path, _, fault = error.faults[0].partition(": ")
        raise RecordError(f"rules.{path}", fault) from error


def _deal(path: str, value: object, ruleset: Ruleset, seats: int) -> RecordedDeal:
    table = _table(path, value, known=_DEAL_KEYS, needed={"hands"})
    return RecordedDeal(
        dealer=_dealer(f"{path}.dealer", table["dealer"], seats) if "dealer" in table else None,
        dealt=_dealt(path, table, ruleset, seats),
        passes=_passes(f"{path}.passes", table["passes"], seats) if "passes" in table else (),
        plays=_sequence(f"{path}.plays", table.get("plays", []), _card),
        moon=_moon(f"{path}.moon", table["moon"]) if "moon" in table else None,
    )


def _dealer(path: str, value: object, seats: int) -> Seat:
    if type(value) is not int or value not in range(seats):
        raise RecordError(path, f"{quoted(value)} is not a seat from 0 to {seats - 1}")
    return Seat(value)


def _dealt(path: str, table: Mapping[str, object], ruleset: Ruleset, seats: int) -> Dealt:
    undealt = list(ruleset.deck(seats))
    size = ruleset.hand_size(seats)
    hands = []
    for seat, cards in enumerate(_by_seat(f"{path}.hands", table["hands"], seats)):
        inner = f"{path}.hands[{seat}]"
        if len(cards) != size:
            raise RecordError(inner, f"{len(cards)} cards, where {size} are dealt")
        hands.append(frozenset(_taken_from(undealt, inner, cards)))
    left = {}
    for key, rest in (("widow", Rest.WIDOW), ("stock", Rest.STOCK)):
        cards = _cards(f"{path}.{key}", table.get(key, ""))
        needed = ruleset.rest_size(seats) if ruleset.rest.get(seats) is rest else 0
        if len(cards) != needed:
            raise RecordError(f"{path}.{key}", f"{len(cards)} cards, where {needed} are left over")
        left[rest] = _taken_from(undealt, f"{path}.{key}", cards)
    return Dealt(tuple(hands), frozenset(left[Rest.WIDOW]), left[Rest.STOCK])


def _taken_from(undealt: list[Card], path: str, cards: Iterable[Card]) -> tuple[Card, ...]:
    """Take *cards* out of *undealt*: the first copy that is left of each."""
    taken = []
    for card in cards:
        copies = [other for other in undealt if other.face == card.face]
        if not copies:
            raise RecordError(path, f"{card.face} is dealt once too often, or is not in the deck")
        undealt.remove(copies[0])
        taken.append(copies[0])
    return tuple(taken)


def _passes(path: str, value: object, seats: int) -> tuple[tuple[Card, ...], ...]:
    packets = _by_seat(path, value, seats)
    return packets if any(packets) else ()


def _by_seat(path: str, value: object, seats: int) -> tuple[tuple[Card, ...], ...]:
    found = _sequence(path, value, _cards)
    if len(found) != seats:
        raise RecordError(path, f"{len(found)} entries, where {seats} seats play")
    return found


def _moon(path: str, value: object) -> MoonPayoff:
    if not isinstance(value, str) or value not in MOON_WORDS:
        raise RecordError(path, f"{quoted(value)} is neither add nor subtract")
    return MOON_WORDS[value]


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


def _truth(path: str, value: object) -> bool:
    if not isinstance(value, bool):
        raise RecordError(path, f"{quoted(value)} is not true or false")
    return value


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
