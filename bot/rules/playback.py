"""Plays a text record through the rules, line by line as record.md prints it.

Deals, tricks and plays are counted from 0 here, as the format has it.
"""

from collections.abc import Generator, Iterator
from dataclasses import replace
from typing import Any

from bot.rules.cards import Card, Hand, Seat, sorted_cards
from bot.rules.commands import (
    BeginDeal,
    CallLastDeal,
    Command,
    PassCards,
    PlayCard,
    SettleMoon,
)
from bot.rules.decide import decide, new_game
from bot.rules.dimensions import Hold, Tie
from bot.rules.errors import IllegalMoveError
from bot.rules.events import DealScored, Event, GameEnded
from bot.rules.evolve import replay
from bot.rules.legal import choice, to_move
from bot.rules.record import Record, RecordedDeal
from bot.rules.state import Deal, Game, Phase, Score

Line = dict[str, Any]
"""One JSON object of the output."""


def lines(record: Record) -> Iterator[Line]:
    """Everything that happens in *record*, in order.

    A move that the rules forbid ends it: its line, the last one, has the key ``error``.
    """
    game = new_game(record.ruleset, record.seats, Seat(record.seats - 1))
    try:
        for number, deal in enumerate(record.deals):
            is_last = number == len(record.deals) - 1
            if record.ended and not game.last_deal and _decides_a_tie(game, deal):
                game, _ = _carry_out(game, CallLastDeal(), number)
            calls = record.ended and is_last and not game.last_deal
            game = yield from _play_deal(game, number, deal, calls=calls)
    except _FaultError as fault:
        yield fault.line
        return
    if game.phase is Phase.PLAYING:
        yield {"turn": to_move(game)[0], "legal": _written(choice(game).cards)}


class _FaultError(Exception):
    def __init__(self, line: Line) -> None:
        super().__init__(line["error"])
        self.line = line


def _play_deal(
    game: Game, number: int, deal: RecordedDeal, *, calls: bool
) -> Generator[Line, None, Game]:
    game = _begin(game, number, deal)
    if calls:
        game, _ = _carry_out(game, CallLastDeal(), number)
    for seat, named in enumerate(deal.passes):
        if named:
            packet = _copies(game, Seat(seat), named)
            command = PassCards(Seat(seat), frozenset(packet), packet)
            game, _ = _carry_out(game, command, number, seat=seat)
    for ply, card in enumerate(deal.plays):
        game = yield from _play(game, number, ply, card)
    if deal.moon is not None:
        shooter = next(iter(to_move(game)), Seat(0))
        game, events = _carry_out(game, SettleMoon(shooter, deal.moon), number)
        yield from _results(number, events)
    return game


def _decides_a_tie(game: Game, deal: RecordedDeal) -> bool:
    """Whether nothing is passed in *deal* because the one before it was called the last, and tied.

    A record does not say which deal was called; where its cycle holds anyway, it need not be known.
    """
    rules = game.ruleset
    passes = not isinstance(rules.step(game.seats, len(game.scores) + 1), Hold)
    is_tied = rules.tie is Tie.TIEBREAK_NO_PASS and bool(game.scores)
    return is_tied and passes and bool(deal.plays) and not deal.passes


def _begin(game: Game, number: int, deal: RecordedDeal) -> Game:
    dealer = game.dealer if deal.dealer is None else deal.dealer
    begun, _ = _carry_out(
        replace(game, dealer=dealer), BeginDeal(deal.order(game.ruleset, dealer)), number
    )
    return begun


def _play(game: Game, number: int, ply: int, card: Card) -> Generator[Line, None, Game]:
    playing = game.phase is Phase.PLAYING
    legal = _written(choice(game).cards) if playing else []
    seat = to_move(game)[0] if playing else Seat(0)
    (copy,) = _copies(game, seat, (card,))
    after, events = _carry_out(
        game, PlayCard(seat, copy), number, ply=ply, card=card.face, legal=legal
    )
    yield {"deal": number, "ply": ply, "seat": seat, "legal": legal, "card": card.face}
    if after.deal is not None and after.deal.tricks and _is_trick_end(after.deal):
        yield _trick_line(number, after.deal)
    yield from _results(number, events)
    return after


def _copies(game: Game, seat: Seat, named: tuple[Card, ...]) -> tuple[Card, ...]:
    """The copies of the *named* cards that *seat* holds; a card that it lacks stays as it is."""
    held = list(sorted_cards(game.deal.hands[seat])) if game.deal else []
    copies = []
    for card in named:
        copy = next((other for other in held if other.face == card.face), card)
        if copy in held:
            held.remove(copy)
        copies.append(copy)
    return tuple(copies)


def _is_trick_end(deal: Deal) -> bool:
    return deal.trick is None or not deal.trick.plays


def _carry_out(
    game: Game, command: Command, number: int, **where: object
) -> tuple[Game, tuple[Event, ...]]:
    try:
        events = decide(game, command)
    except IllegalMoveError as error:
        line = {"error": str(error.sentence), "reason": error.reason.name, "deal": number}
        nowhere: Line = {"ply": None, "card": None, "legal": []}
        raise _FaultError(line | nowhere | where) from error
    return replay(game, events), events


def _results(number: int, events: tuple[Event, ...]) -> Iterator[Line]:
    for event in events:
        if isinstance(event, DealScored):
            yield _score_line(number, event.score)
        if isinstance(event, GameEnded):
            yield {
                "over": True,
                "places": list(event.places),
                "totals": list(event.totals),
                "settlement": [str(part) for part in event.settlement] or None,
            }


def _trick_line(number: int, deal: Deal) -> Line:
    trick = deal.tricks[-1]
    return {
        "deal": number,
        "trick": len(deal.tricks) - 1,
        "leader": trick.leader,
        "winner": trick.winner,
        "cards": [play.card.face for play in trick.plays],
    }


def _score_line(number: int, score: Score) -> Line:
    moon = score.moon
    return {
        "deal": number,
        "points": list(score.points),
        "moon": moon and {"seats": list(moon.seats), "payoff": moon.payoff.value},
        "lines": [
            {"seat": line.seat, "what": line.what, "points": line.points} for line in score.lines
        ],
        "totals": list(score.totals),
    }


def _written(cards: Hand) -> list[str]:
    return [card.face for card in sorted_cards(cards)]
