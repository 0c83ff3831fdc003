"""Deals that are played out, from the cards each seat has taken."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain

from bot.rules.cards import Card, Seat, parse_cards
from bot.rules.decide import new_game
from bot.rules.dimensions import Hold
from bot.rules.ruleset import Ruleset
from bot.rules.state import Deal, Game, Phase, Play, Trick
from tests.support.deals import STANDARD

ALL_HEARTS = "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH"


def deal_taken(
    *piles: str,
    ruleset: Ruleset = STANDARD,
    totals: Sequence[int] = (),
    number: int = 1,
    widow: str = "",
    dead: str = "",
) -> Game:
    """A game whose deal lacks only its score: *piles* say what counts, by seat.

    Cards that nobody names are harmless company. *totals* are those before this deal, 0 if not
    said; *number* is the deal's, counted from 1. *widow* names cards that nobody was dealt, and
    *dead* cards of a last trick that nobody won.
    """
    seats = len(piles)
    named = [parse_cards(pile) for pile in piles]
    deck = ruleset.deck(seats)
    aside = frozenset(parse_cards(widow))
    lost = parse_cards(dead)
    taken = {*chain.from_iterable(named), *aside, *lost}
    company = [card for card in deck if card not in taken]
    last = [*lost, *(company.pop() for _ in range(-len(lost) % seats))]
    tricks = tuple(_tricks(named, company))
    if lost:
        tricks = (*tricks, replace(_trick(Seat(0), last), winner=None))
    game = new_game(ruleset, seats, Seat(seats - 1))
    deal = replace(_deal(tricks, seats, number), widow=aside)
    return replace(game, phase=Phase.PLAYING, deal=deal, totals=tuple(totals) or (0,) * seats)


def _tricks(piles: Sequence[Sequence[Card]], company: list[Card]) -> Iterator[Trick]:
    seats = len(piles)
    for seat, pile in enumerate(piles):
        for first in range(0, len(pile), seats):
            cards = list(pile[first : first + seats])
            while len(cards) < seats:
                cards.append(company.pop())
            yield _trick(Seat(seat), cards)
    while company:
        yield _trick(Seat(0), [company.pop() for _ in piles])


def _trick(taker: Seat, cards: Sequence[Card]) -> Trick:
    plays = tuple(Play(Seat((taker + n) % len(cards)), card) for n, card in enumerate(cards))
    return Trick(taker, plays, taker)


def _deal(tricks: tuple[Trick, ...], seats: int, number: int) -> Deal:
    plays = [play for trick in tricks for play in trick.plays]
    return Deal(
        number=number,
        dealer=Seat(seats - 1),
        dealt=tuple(
            frozenset(play.card for play in plays if play.seat == seat) for seat in range(seats)
        ),
        step=Hold(),
        hands=(frozenset(),) * seats,
        passes=(None,) * seats,
        packets=((),) * seats,
        received=(frozenset(),) * seats,
        tricks=tricks,
    )
