"""The cards that seats have captured in a deal, and what they cost."""

from dataclasses import dataclass, field
from typing import assert_never

from bot.rules.cards import Card, Hand, Seat
from bot.rules.dimensions import NoWinnerLast, WidowTake
from bot.rules.ruleset import Ruleset
from bot.rules.state import Deal


@dataclass(frozen=True, slots=True, kw_only=True)
class Piles:
    """Where the cards lie that have been played, and the widow."""

    by_seat: tuple[Hand, ...] = field(repr=False)
    """What each seat has captured, a widow that it took included."""
    waiting: Hand
    """On the table: tricks without a winner, for whoever wins the next one (rules.md 2.3.6)."""
    dead: Hand
    """Of tricks that nobody has taken in a deal that is over."""
    widow_taker: Seat | None
    """Who took the widow; ``None`` as long as nobody has, and for ever if it is dead."""
    widow_trick: int | None
    """With which trick of the deal, counted from 1; ``None`` as *widow_taker*."""


def captured(ruleset: Ruleset, deal: Deal) -> tuple[Hand, ...]:
    """By seat: the cards of the tricks it has taken so far. Tricks that nobody takes are in none.

    A widow is among the cards of its taker; who may know of it, `bot.rules.view` says.
    """
    return piles(ruleset, deal).by_seat


def piles(ruleset: Ruleset, deal: Deal) -> Piles:
    """Where all cards lie that have been played, and the widow."""
    seats: list[set[Card]] = [set() for _ in deal.dealt]
    waiting: set[Card] = set()
    widow_taker: Seat | None = None
    widow_trick: int | None = None
    widow_waits = False
    for place, trick in enumerate(deal.tricks):
        cards = {play.card for play in trick.plays}
        waiting |= cards
        widow_waits |= _brings_widow(ruleset, deal, place, cards)
        taker = taker_of(ruleset, deal, place)
        if taker is None:
            continue
        seats[taker] |= waiting
        waiting = set()
        if widow_waits and widow_taker is None:
            widow_taker, widow_trick = taker, place + 1
            seats[taker] |= deal.widow
    is_over = is_played_out(deal)
    return Piles(
        by_seat=tuple(map(frozenset, seats)),
        waiting=frozenset() if is_over else frozenset(waiting),
        dead=frozenset(waiting) if is_over else frozenset(),
        widow_taker=widow_taker,
        widow_trick=widow_trick,
    )


def taker_of(ruleset: Ruleset, deal: Deal, place: int) -> Seat | None:
    """Who takes the full trick number *place*, from 0; of the last, maybe one who did not win it.

    ``None``: its cards wait for the winner of a later trick, or they are dead.
    """
    trick = deal.tricks[place]
    if trick.winner is not None or not _is_last(deal, place):
        return trick.winner
    match ruleset.no_winner_last:
        case NoWinnerLast.DEAD:
            return None
        case NoWinnerLast.PREVIOUS_WINNER:
            winners = [each.winner for each in deal.tricks if each.winner is not None]
            return winners[-1] if winners else None
        case NoWinnerLast.LEADER:
            return trick.leader
        case _:
            assert_never(ruleset.no_winner_last)


def is_played_out(deal: Deal) -> bool:
    """Whether the last trick of the deal is full."""
    return bool(deal.tricks) and not any(deal.hands)


def points_in(ruleset: Ruleset, pile: Hand) -> int:
    """The sum of what the cards of *pile* cost and bring, without any moon."""
    return sum(ruleset.points_of(card) for card in pile)


def penalties(ruleset: Ruleset, cards: Hand) -> Hand:
    """Those of *cards* that cost points."""
    return frozenset(card for card in cards if ruleset.points_of(card) > 0)


def bonuses(ruleset: Ruleset, cards: Hand) -> Hand:
    """Those of *cards* that take points off."""
    return frozenset(card for card in cards if ruleset.points_of(card) < 0)


def _brings_widow(ruleset: Ruleset, deal: Deal, place: int, cards: set[Card]) -> bool:
    """Whether the widow goes with the pile to which the trick number *place*, from 0, belongs."""
    match ruleset.widow.take:
        case WidowTake.DEAD:
            return False
        case WidowTake.FIRST_TRICK:
            return place == 0
        case WidowTake.FIRST_PENALTY:
            return any(ruleset.points_of(card) > 0 for card in cards)
        case WidowTake.LAST_TRICK:
            return _is_last(deal, place)
        case _:
            assert_never(ruleset.widow.take)


def _is_last(deal: Deal, place: int) -> bool:
    return is_played_out(deal) and place == len(deal.tricks) - 1
