"""What a person missed: all that happened since that person's newest move by hand. Pure.

Cards that have fallen stand in it, and scores: facts that are public, those of a finished deal
still after the next one began. What the clock or a robot played for somebody was seen by nobody,
so it is among what that person missed.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from bot.rules import events
from bot.rules.cards import Card, Seat
from bot.rules.commands import PlayedBy
from bot.rules.frozen import FrozenMap
from bot.rules.piles import points_in, taker_of
from bot.rules.ruleset import Ruleset
from bot.rules.state import Deal, Game, Score, Trick
from bot.table.ids import Human, UserId
from bot.table.moments import Mark, mark, tricks_of
from bot.table.seating import own_seat
from bot.table.state import Table

_BEFORE = Mark(0, 0)
"""Of somebody who has not moved yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """A full trick, and what came of it."""

    deal: int
    """Counted from 1."""
    number: int
    """Which of its deal's tricks it is, counted from 1."""
    trick: Trick
    taker: Seat | None
    """``None``: its cards wait for the winner of a later trick, or they are dead."""
    points: int
    """What it brings its taker, with the tricks that waited for one; 0 where nobody takes it. A
    widow is not counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Missed:
    """What happened since somebody's newest move by hand."""

    has_moved: bool
    """Whether there is such a move; if not, all of the game so far was missed."""
    scores: tuple[Score, ...]
    """Of the deals that ended since, in order."""
    tricks: tuple[Taken, ...]
    """Of the deal under way, in order: those that became full since."""
    own: tuple[Card, ...]
    """The cards of that person's seat that fell since in the deal under way, in order: somebody
    else laid them down."""
    own_pass: bool
    """Whether the pass of the deal under way was not chosen by hand. Without meaning before the
    cards have moved, and in a deal without a pass."""
    last: Taken | None
    """The newest full trick, seen or not: of the deal under way or, where it has none, of the one
    before."""


def marked(
    table: Table, event: events.Event, by: UserId | None, after: Game
) -> Mapping[UserId, Mark]:
    """The marks of *table* after *event*, which *by* caused and which made its game *after*.

    A move counts for the one who makes it in the own seat. What is played by a robot, by the
    clock, or by agreement for all at once counts for nobody.
    """
    moves = events.CardPlayed | events.CardsPassed | events.MoonSettled
    if by is None or not isinstance(event, moves) or table.chairs[event.seat] != Human(by):
        return table.marks
    if isinstance(event, events.CardPlayed) and event.by is not PlayedBy.HAND:
        return table.marks
    return FrozenMap({**table.marks, by: mark(after)})


def missed(table: Table, game: Game, user_id: UserId) -> Missed:
    """What happened in *game* since the newest move that a person made by hand.

    Raises:
        NotSeatedError: the person has no seat at *table*.
    """
    seat = own_seat(table, user_id)
    since = table.marks.get(user_id, _BEFORE)
    deal = game.deal
    number = deal.number if deal else 0
    seen = since.cards if since.deal == number else 0
    return Missed(
        has_moved=since != _BEFORE,
        scores=tuple(score for score in game.scores if score.deal >= since.deal),
        tricks=tuple(_full_since(game.ruleset, deal, seen)) if deal else (),
        own=tuple(_fallen_since(deal, seat, seen)) if deal else (),
        own_pass=since.deal < number,
        last=_last(game),
    )


def _full_since(ruleset: Ruleset, deal: Deal, seen: int) -> Iterator[Taken]:
    """The tricks whose last card was not among the first *seen* of the deal."""
    fallen = 0
    for taken in _taken(ruleset, deal):
        fallen += len(taken.trick.plays)
        if fallen > seen:
            yield taken


def _fallen_since(deal: Deal, seat: Seat, seen: int) -> Iterator[Card]:
    plays = [play for trick in tricks_of(deal) for play in trick.plays]
    return (play.card for play in plays[seen:] if play.seat == seat)


def _last(game: Game) -> Taken | None:
    for deal in (game.deal, *reversed(game.past)):
        if deal is not None and deal.tricks:
            return list(_taken(game.ruleset, deal))[-1]
    return None


def _taken(ruleset: Ruleset, deal: Deal) -> Iterator[Taken]:
    """The full tricks of a deal, in order."""
    waiting: frozenset[Card] = frozenset()
    for place, trick in enumerate(deal.tricks):
        taker = taker_of(ruleset, deal, place)
        waiting |= {play.card for play in trick.plays}
        points = 0 if taker is None else points_in(ruleset, waiting)
        yield Taken(deal=deal.number, number=place + 1, trick=trick, taker=taker, points=points)
        waiting = waiting if taker is None else frozenset()
