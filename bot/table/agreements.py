"""What people at a table agree on, and its clock, as JSON values: a part of `bot.table.codec`."""

from collections.abc import Callable, Mapping
from typing import Any, assert_never

from bot.rules.cards import Seat
from bot.table.ballots import ChangeClock, EndDeal, Kick, LastDeal, Pause, TableSubject
from bot.table.clocks import MoveClock
from bot.table.events import (
    ClockChanged,
    PauseAgreed,
    PauseEnded,
    VoteCalled,
    VoteCast,
    VoteSettled,
)
from bot.table.ids import UserId

Body = Mapping[str, Any]
"""What JSON can hold, by key."""

Agreement = VoteCalled | VoteCast | VoteSettled | PauseAgreed | PauseEnded | ClockChanged
"""What the people of a table vote about, and bring about by it."""


def encode(event: Agreement) -> tuple[str, Body]:
    """The kind of an event, and its body."""
    match event:
        case VoteCalled(number, subject):
            return "vote_called", {"number": number, "subject": _subject(subject)}
        case VoteCast(number, in_favour):
            return "vote_cast", {"number": number, "in_favour": in_favour}
        case VoteSettled(number, passed):
            return "vote_settled", {"number": number, "passed": passed}
        case PauseAgreed():
            return "pause_agreed", {}
        case PauseEnded():
            return "pause_ended", {}
        case ClockChanged(clock):
            return "clock_changed", {"clock": encode_clock(clock)}
        case _:
            assert_never(event)


def _subject(subject: TableSubject) -> Body:
    match subject:
        case Pause():
            return {"about": "pause"}
        case ChangeClock(before, after):
            clocks = {"before": encode_clock(before), "after": encode_clock(after)}
            return {"about": "clock", **clocks}
        case Kick(seat, user_id):
            return {"about": "seat", "seat": seat, "user": user_id}
        case LastDeal(deal):
            return {"about": "last_deal", "deal": deal}
        case EndDeal(deal):
            return {"about": "end_deal", "deal": deal}
        case _:
            assert_never(subject)


def _decode_subject(body: Body) -> TableSubject:
    match body["about"]:
        case "pause":
            return Pause()
        case "clock":
            return ChangeClock(decode_clock(body["before"]), decode_clock(body["after"]))
        case "seat":
            return Kick(Seat(body["seat"]), UserId(body["user"]))
        case "last_deal":
            return LastDeal(body["deal"])
        case "end_deal":
            return EndDeal(body["deal"])
        case unknown:
            raise ValueError(unknown)


def encode_clock(clock: MoveClock) -> Body:
    """Write a table's clock, whole: a clock taken off the list still runs where it was chosen."""
    return {"id": clock.id, "seconds": clock.seconds}


def decode_clock(body: Body) -> MoveClock:
    """Read what `encode_clock` wrote."""
    return MoveClock(body["id"], body["seconds"])


DECODERS: Mapping[str, Callable[[Body], Agreement]] = {
    "vote_called": lambda b: VoteCalled(b["number"], _decode_subject(b["subject"])),
    "vote_cast": lambda b: VoteCast(b["number"], b["in_favour"]),
    "vote_settled": lambda b: VoteSettled(b["number"], b["passed"]),
    "pause_agreed": lambda _: PauseAgreed(),
    "pause_ended": lambda _: PauseEnded(),
    "clock_changed": lambda b: ClockChanged(decode_clock(b["clock"])),
}
"""By kind of event."""
