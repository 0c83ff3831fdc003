"""What one person did at a table and was dealt there, from the events. Pure.

What an event holds is told only where it is known to be the person's own: a deal's order stands
in the name of whoever pressed last, and so does the rest of a deal that was laid down at once.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bot.rules import events as game
from bot.rules.cards import Seat, write_cards
from bot.rules.errors import HeartsError
from bot.rules.view import seat_view
from bot.table import codec, events, traces
from bot.table.history import evolve, opened
from bot.table.ids import Human, UserId
from bot.table.lobby import seat_of
from bot.table.state import Table
from bot.table.storing import StoredEvent

_OfSeat = (
    game.CardsPassed | game.CardPlayed | game.MoonSettled | events.BankDrawn | events.PlansMade
)
"""Belongs to whoever sits in the seat that it names."""
_OfPerson = (
    events.TableOpened
    | events.SeatTaken
    | events.SeatLeft
    | events.HostChanged
    | events.RulesChosen
    | events.GameStarted
    | events.SeatHandedOver
    | events.SubstituteSat
    | events.PersonRemoved
    | events.PersonInvited
    | events.VoteCalled
    | events.VoteCast
    | events.PauseEnded
    | events.TableMoved
    | events.PostSurfaced
    | events.TableClosed
    | events.DeckCut
    | game.LastDealCalled
)
"""Belongs to whoever caused it, and to whom it names. Whatever is not listed belongs to nobody."""


class _Course:
    """What is gathered while a history runs."""

    def __init__(self, user_id: UserId) -> None:
        self.user_id = user_id
        self.hands: list[tuple[int, Seat, str]] = []
        """The deal, the seat, and the cards dealt to it."""
        self.events: list[Mapping[str, Any]] = []


def own_course(stored: Sequence[StoredEvent], user_id: UserId) -> Mapping[str, Any]:
    """Hands and events of one person; of a deal under way only what that person holds now."""
    course, table = _Course(user_id), None
    for entry in stored:
        table = _one_more(course, table, entry)
    hands = [] if table is None else list(_known_hands(course, table))
    return {"hands": hands, "events": course.events}


def _one_more(course: _Course, table: Table | None, entry: StoredEvent) -> Table | None:
    if _is_own(course.user_id, table, entry):
        course.events.append(_told(course.user_id, entry))
    after = _after(table, entry)
    if isinstance(entry.event, game.DealBegan) and after is not None and after is not table:
        _take_hand(course, after)
    return after


def _after(table: Table | None, entry: StoredEvent) -> Table | None:
    if isinstance(entry.event, events.TableOpened):
        return opened(entry.event)
    try:
        return table and evolve(table, entry.event, entry.cause.user_id)
    except (HeartsError, ArithmeticError, LookupError, TypeError, ValueError):
        # A game that does not follow the rules stands still; what happened around it counts.
        return table


def _is_own(user_id: UserId, table: Table | None, entry: StoredEvent) -> bool:
    event = entry.event
    if isinstance(event, _OfSeat):
        return table is not None and table.chairs[event.seat] == Human(user_id)
    if not isinstance(event, _OfPerson):
        return False
    encoded = codec.encode(event)
    return entry.cause.user_id == user_id or user_id in traces.users_in(encoded.kind, encoded.body)


def _told(user_id: UserId, entry: StoredEvent) -> Mapping[str, Any]:
    encoded = codec.encode(entry.event)

    def own(each: UserId) -> UserId | None:
        return each if each == user_id else None

    body = traces.with_users(encoded.kind, encoded.body, own)
    cause = entry.cause
    told = {"what": encoded.kind, "at": cause.at, "by": "somebody else", **body}
    if cause.user_id is None:
        return told | {"by": "the bot"}
    if cause.user_id != user_id:
        return told
    click = {} if cause.interaction_id is None else {"click": str(cause.interaction_id)}
    return told | {"by": "you", **click}


def _take_hand(course: _Course, table: Table) -> None:
    seat = seat_of(course.user_id, table.chairs)
    if seat is not None and table.game is not None and table.game.deal is not None:
        view = seat_view(table.game, seat)
        course.hands.append((table.game.deal.number, seat, write_cards(view.hand)))


def _known_hands(course: _Course, table: Table) -> Iterator[Mapping[str, Any]]:
    """All but that of a deal under way which somebody else plays by now."""
    scored = len(table.game.scores) if table.game else 0
    for deal, seat, cards in course.hands:
        if deal <= scored or table.chairs[seat] == Human(course.user_id):
            yield {"deal": deal, "seat": seat, "cards": cards}
