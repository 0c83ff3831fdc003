"""Events as JSON bodies, and back: what a store keeps of a table.

Cards stand in notation, rulesets with the keys of rules.md 3. Who acted, when, and by which
interaction stands beside a body, never in it. A body never changes its meaning: a new one gets a
higher version, and `_LIFTS` says how an older one becomes it when it is read.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, assert_never

from bot.rules import events as game
from bot.rules import ruleset_io
from bot.rules.cards import Card, Rank, Seat, Suit, parse_cards, write_cards
from bot.rules.commands import PlayedBy
from bot.rules.dimensions import MoonPayoff
from bot.rules.errors import HeartsError
from bot.rules.sentence import Sentence
from bot.rules.state import Moon, Score, ScoreLine
from bot.table import agreements, plans, sealing
from bot.table import events as table
from bot.table.events import TableEvent
from bot.table.ids import ChannelId, GuildId, Human, Occupant, Robot, TableId, UserId

Body = Mapping[str, Any]
"""What JSON can hold, by key."""

Lift = Callable[[Body], Body]
"""Makes a body of one version a body of the next."""

_VERSION = 1
"""Of every body that is written now."""

PLANS_MADE = "plans_made"
"""The kind of `bot.table.events.PlansMade`, of which nobody else may know."""

_LIFTS: Mapping[tuple[str, int], Lift] = {}
"""By kind and version of an older body. None is older yet."""


class UnreadableEventError(HeartsError):
    """A stored event that this program cannot read. The message never quotes its cards."""

    sentence = Sentence(
        "This table was saved in a way that I cannot read. Please tell whoever runs this bot."
    )

    def __init__(self, kind: str, version: int, fault: str) -> None:
        super().__init__(f"event {kind!r} of version {version}: {fault}")


@dataclass(frozen=True, slots=True)
class EncodedEvent:
    """An event as it is stored."""

    kind: str
    """Name of the event's type, free of the name of its class."""
    version: int
    """Of the body, counted from 1 for each kind."""
    body: Body


def encode(event: TableEvent) -> EncodedEvent:
    """Write an event as plain JSON values."""
    kind, body = _encode_table_event(event)
    return EncodedEvent(kind, _VERSION, body)


def decode(encoded: EncodedEvent, *, lifts: Mapping[tuple[str, int], Lift] = _LIFTS) -> TableEvent:
    """Read an event, lifting a body of an older version first.

    Raises:
        UnreadableEventError: kind or version is unknown, or the body is not as it has to be.
    """
    kind, version, body = encoded.kind, encoded.version, encoded.body
    while lift := lifts.get((kind, version)):
        body, version = lift(body), version + 1
    newest = max([_VERSION, *(known + 1 for name, known in lifts if name == kind)])
    if kind not in _DECODERS:
        raise UnreadableEventError(kind, version, "unknown kind")
    if version != newest:
        raise UnreadableEventError(kind, version, "unknown version")
    try:
        return _DECODERS[kind](body)
    except (KeyError, TypeError, ValueError, AttributeError, HeartsError) as cause:
        # Without what led to it: that would carry the cards of a hand into the log.
        raise UnreadableEventError(kind, version, type(cause).__name__) from None


_Seating = (
    table.SeatTaken
    | table.SeatLeft
    | table.SeatHandedOver
    | table.SubstituteSat
    | table.PersonRemoved
    | table.PersonInvited
    | table.HostChanged
)
"""Who sits where, and who is host."""
_Course = (
    table.BankDrawn
    | table.PlansMade
    | table.TableMoved
    | table.PostSurfaced
    | table.TablePaused
    | table.TableResumed
    | table.TableClosed
)
"""What happens to a table as a whole."""


def _encode_table_event(event: TableEvent) -> tuple[str, Body]:
    if isinstance(event, game.Event):
        return _encode_game_event(event)
    if isinstance(event, _Seating):
        return _encode_seating(event)
    if isinstance(event, agreements.Agreement | sealing.Fair):
        return _encode_apart(event)
    if isinstance(event, _Course):
        return _encode_course(event)
    match event:
        case table.TableOpened():
            return "table_opened", _table_opened(event)
        case table.GameStarted():
            return "game_started", _game_started(event)
        case table.RulesChosen(ruleset):
            return "rules_chosen", {"ruleset": ruleset_io.to_dict(ruleset)}
        case _:
            assert_never(event)


def _encode_apart(event: agreements.Agreement | sealing.Fair) -> tuple[str, Body]:
    if isinstance(event, sealing.Fair):
        return sealing.encode(event)
    return agreements.encode(event)


def _encode_seating(event: _Seating) -> tuple[str, Body]:
    match event:
        case table.SeatTaken(seat, occupant):
            return "seat_taken", {"seat": seat, "occupant": _occupant(occupant)}
        case table.SeatLeft(seat):
            return "seat_left", {"seat": seat}
        case table.SeatHandedOver(seat, occupant):
            return "seat_handed_over", {"seat": seat, "occupant": _occupant(occupant)}
        case table.SubstituteSat(seat, user_id, instead_of):
            return "substitute_sat", {"seat": seat, "user": user_id, "instead_of": instead_of}
        case table.PersonRemoved(seat, user_id):
            return "person_removed", {"seat": seat, "user": user_id}
        case table.PersonInvited(user_id):
            return "person_invited", {"user": user_id}
        case table.HostChanged(host):
            return "host_changed", {"host": host}
        case _:
            assert_never(event)


def _encode_course(event: _Course) -> tuple[str, Body]:
    match event:
        case table.BankDrawn(seat, milliseconds):
            return "bank_drawn", {"seat": seat, "milliseconds": milliseconds}
        case table.PlansMade(seat, planned):
            return PLANS_MADE, {"seat": seat, "plans": list(map(plans.encode, planned))}
        case table.TableMoved(channel_id, left):
            return "table_moved", {"channel_id": channel_id, "left": left}
        case table.PostSurfaced():
            return "post_surfaced", {}
        case table.TablePaused(reason):
            return "table_paused", {"reason": reason}
        case table.TableResumed():
            return "table_resumed", {}
        case table.TableClosed(reason):
            return "table_closed", {"reason": reason}
        case _:
            assert_never(event)


def _encode_game_event(event: game.Event) -> tuple[str, Body]:
    match event:
        case game.DealBegan(number, dealer, order):
            cards = " ".join(str(card) for card in order)
            return "deal_began", {"number": number, "dealer": dealer, "order": cards}
        case game.CardsPassed(seat, cards, packet):
            in_order = {"packet": " ".join(map(str, packet))} if packet else {}
            return "cards_passed", {"seat": seat, "cards": write_cards(cards), **in_order}
        case game.CardPlayed(seat, card, by):
            return "card_played", {"seat": seat, "card": str(card), "by": by.value}
        case game.MoonSettled(seat, payoff):
            return "moon_settled", {"seat": seat, "payoff": payoff.value}
        case game.LastDealCalled():
            return "last_deal_called", {}
        case game.DealScored(score):
            return "deal_scored", _score(score)
        case game.GameEnded(places, totals, settlement):
            money = {"settlement": list(map(str, settlement))} if settlement else {}
            return "game_ended", {"places": list(places), "totals": list(totals), **money}
        case _:
            assert_never(event)


def _table_opened(event: table.TableOpened) -> Body:
    return {
        "table": event.table,
        "guild_id": event.guild_id,
        "channel_id": event.channel_id,
        "host": event.host,
        "ruleset": ruleset_io.to_dict(event.ruleset),
        "seats": event.seats,
        "clock": agreements.encode_clock(event.clock),
        "invited": list(event.invited),
        **({"claims_itself": True} if event.claims_itself else {}),
        **({"seal": event.seal} if event.seal else {}),
    }


def _game_started(event: table.GameStarted) -> Body:
    return {
        "ruleset": ruleset_io.to_dict(event.ruleset),
        "chairs": [_occupant(occupant) for occupant in event.chairs],
        "first_dealer": event.first_dealer,
    }


def _occupant(occupant: Occupant) -> Body:
    match occupant:
        case Human(user_id):
            return {"human": user_id}
        case Robot(level, keeps_for):
            return {"robot": level, "keeps_for": keeps_for}
        case _:
            assert_never(occupant)


def _score(score: Score) -> Body:
    return {
        "deal": score.deal,
        "points": list(score.points),
        "lines": [[line.seat, line.what, line.points, line.count] for line in score.lines],
        "moon": score.moon and {"seats": list(score.moon.seats), "payoff": score.moon.payoff.value},
        "totals": list(score.totals),
        **({"money": list(map(str, score.money))} if score.money else {}),
    }


def _decode_table_opened(body: Body) -> table.TableOpened:
    return table.TableOpened(
        table=TableId(body["table"]),
        guild_id=GuildId(body["guild_id"]),
        channel_id=ChannelId(body["channel_id"]),
        host=UserId(body["host"]),
        ruleset=ruleset_io.from_dict(body["ruleset"]),
        seats=body["seats"],
        clock=agreements.decode_clock(body["clock"]),
        invited=tuple(UserId(user_id) for user_id in body["invited"]),
        claims_itself=body.get("claims_itself", False),
        seal=body.get("seal"),
    )


def _decode_game_started(body: Body) -> table.GameStarted:
    return table.GameStarted(
        ruleset_io.from_dict(body["ruleset"]),
        tuple(_decode_occupant(occupant) for occupant in body["chairs"]),
        Seat(body["first_dealer"]),
    )


def _decode_occupant(body: Body) -> Occupant:
    if "human" in body:
        return Human(UserId(body["human"]))
    kept_for = body["keeps_for"]
    return Robot(body["robot"], None if kept_for is None else UserId(kept_for))


def _decode_score(body: Body) -> Score:
    moon = body["moon"]
    return Score(
        deal=body["deal"],
        points=tuple(body["points"]),
        lines=tuple(
            ScoreLine(Seat(seat), what, points, count)
            for seat, what, points, count in body["lines"]
        ),
        moon=moon and Moon(tuple(map(Seat, moon["seats"])), MoonPayoff(moon["payoff"])),
        totals=tuple(body["totals"]),
        money=_fractions(body.get("money", ())),
    )


def _fractions(written: Sequence[str]) -> tuple[Fraction, ...]:
    return tuple(map(Fraction, written))


_DECODERS: Mapping[str, Callable[[Body], TableEvent]] = {
    "table_opened": _decode_table_opened,
    "seat_taken": lambda b: table.SeatTaken(Seat(b["seat"]), _decode_occupant(b["occupant"])),
    "seat_left": lambda b: table.SeatLeft(Seat(b["seat"])),
    "host_changed": lambda b: table.HostChanged(UserId(b["host"])),
    "rules_chosen": lambda b: table.RulesChosen(ruleset_io.from_dict(b["ruleset"])),
    "game_started": _decode_game_started,
    "seat_handed_over": lambda b: table.SeatHandedOver(
        Seat(b["seat"]), _decode_occupant(b["occupant"])
    ),
    "substitute_sat": lambda b: table.SubstituteSat(
        Seat(b["seat"]),
        UserId(b["user"]),
        None if b["instead_of"] is None else UserId(b["instead_of"]),
    ),
    "person_removed": lambda b: table.PersonRemoved(Seat(b["seat"]), UserId(b["user"])),
    "person_invited": lambda b: table.PersonInvited(UserId(b["user"])),
    **agreements.DECODERS,
    **sealing.DECODERS,
    "bank_drawn": lambda b: table.BankDrawn(Seat(b["seat"]), b["milliseconds"]),
    PLANS_MADE: lambda b: table.PlansMade(Seat(b["seat"]), tuple(map(plans.decode, b["plans"]))),
    "table_moved": lambda b: table.TableMoved(ChannelId(b["channel_id"]), ChannelId(b["left"])),
    "post_surfaced": lambda _: table.PostSurfaced(),
    "table_paused": lambda b: table.TablePaused(b["reason"]),
    "table_resumed": lambda _: table.TableResumed(),
    "table_closed": lambda b: table.TableClosed(b["reason"]),
    "deal_began": lambda b: game.DealBegan(b["number"], Seat(b["dealer"]), parse_cards(b["order"])),
    "cards_passed": lambda b: game.CardsPassed(
        Seat(b["seat"]), frozenset(parse_cards(b["cards"])), parse_cards(b.get("packet", ""))
    ),
    "card_played": lambda b: game.CardPlayed(
        Seat(b["seat"]), Card.parse(b["card"]), PlayedBy(b["by"])
    ),
    "moon_settled": lambda b: game.MoonSettled(Seat(b["seat"]), MoonPayoff(b["payoff"])),
    "deal_scored": lambda b: game.DealScored(_decode_score(b)),
    "last_deal_called": lambda _: game.LastDealCalled(),
    "game_ended": lambda b: game.GameEnded(
        tuple(b["places"]), tuple(b["totals"]), _fractions(b.get("settlement", ()))
    ),
}


def encode_sentence(sentence: Sentence) -> Body:
    """Write a sentence with all that fills its gaps.

    Raises:
        TypeError: a fact is none of: number, text, card, suit, rank, sentence, or a row of these.
    """
    return {
        "text": sentence.text,
        "facts": {name: _fact(fact) for name, fact in sentence.facts.items()},
        "plural": sentence.plural,
    }


def decode_sentence(body: Body) -> Sentence:
    """Read what `encode_sentence` wrote."""
    facts = {name: _decode_fact(fact) for name, fact in body["facts"].items()}
    return Sentence(body["text"], facts, body["plural"])


def _fact(fact: object) -> object:
    match fact:
        case Rank():
            return {"rank": fact.value}
        case None | bool() | int() | float() | str():
            return fact
        case Card():
            return {"card": str(fact)}
        case Suit():
            return {"suit": fact.value}
        case Sentence():
            return {"sentence": encode_sentence(fact)}
        case tuple():
            return [_fact(part) for part in fact]
        case _:
            raise TypeError(f"a sentence cannot carry {type(fact).__name__} to the store")


def _decode_fact(fact: Any) -> object:  # noqa: ANN401  whatever JSON held
    if isinstance(fact, list):
        return tuple(_decode_fact(part) for part in fact)
    match fact:
        case {"card": text}:
            return Card.parse(text)
        case {"suit": letter}:
            return Suit(letter)
        case {"rank": strength}:
            return Rank(strength)
        case {"sentence": body}:
            return decode_sentence(body)
        case _:
            return fact
