"""What may be played, and the rule that keeps back the rest."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import assert_never

from bot.rules.cards import Card, Hand, Rank, Seat, Suit
from bot.rules.errors import Reason
from bot.rules.moon import shooter
from bot.rules.ruleset import FirstLead, FirstTrickExempt, HeartsLead, LeadExempt, Ruleset
from bot.rules.selectors import fits_any
from bot.rules.state import Deal, Game, Phase, Trick
from bot.rules.tricks import lowest_club, next_to_play


@dataclass(frozen=True, slots=True)
class Choice:
    """The playable cards of the seat to move; never empty while the deal runs."""

    cards: Hand = field(repr=False)
    because: Reason | None = None
    """The rule that left out the rest of the hand; ``None`` if nothing was left out. Where several
    rules bite, the first of them."""


def to_move(game: Game) -> tuple[Seat, ...]:
    """All seats the game waits for, in order of seats.

    Several while cards are passed; one in play and for the choice after a moon; none between deals
    and after the end.
    """
    deal = game.deal
    if deal is None:
        return ()
    match game.phase:
        case Phase.PASSING:
            return tuple(Seat(i) for i, cards in enumerate(deal.passes) if cards is None)
        case Phase.PLAYING:
            return () if deal.trick is None else (next_to_play(deal.trick, game.seats),)
        case Phase.MOON_CHOICE:
            seat = shooter(game)
            return () if seat is None else (seat,)
        case Phase.DEALING | Phase.OVER:
            return ()
        case _:
            assert_never(game.phase)


def choice(game: Game) -> Choice:
    """Narrow the hand of the seat to move by every rule that leaves it a card (rules.md 3.9).

    Only while a trick is under way: `Phase.PLAYING`, between the first lead and the last card.
    """
    deal, trick = _under_way(game)
    cards = deal.hands[next_to_play(trick, game.seats)]
    because = None
    for fewer, reason in _narrowings(game.ruleset, deal, trick, cards):
        if fewer != cards:
            cards, because = fewer, because or reason
    return Choice(cards, because)


def refusal(game: Game, card: Card) -> Reason | None:
    """The rule that keeps back *card*, which the seat to move holds; ``None``: it may be played."""
    deal, trick = _under_way(game)
    hand = deal.hands[next_to_play(trick, game.seats)]
    narrowings = _narrowings(game.ruleset, deal, trick, hand)
    return next((reason for cards, reason in narrowings if card not in cards), None)


def _under_way(game: Game) -> tuple[Deal, Trick]:
    if game.deal is None or game.deal.trick is None:
        raise ValueError("no trick is under way")
    return game.deal, game.deal.trick


_Filter = Iterator[tuple[Hand, Reason]]


def _narrowings(rules: Ruleset, deal: Deal, trick: Trick, hand: Hand) -> _Filter:
    """Yield what every rule leaves of the cards that the rules before it left."""
    cards = hand
    for step in (_opening, _following, _first_trick, _hearts_lead):
        for fewer, reason in step(rules, deal, trick, cards):
            if fewer:
                yield fewer, reason
                cards = fewer


def _opening(rules: Ruleset, deal: Deal, trick: Trick, cards: Hand) -> _Filter:
    if deal.tricks or trick.plays:
        return
    match rules.first_lead:
        case FirstLead.LOWEST_CLUB:
            yield cards & {lowest_club(deal.hands)}, Reason.OPENING_CARD
        case FirstLead.HOLDER_ANY_CLUB:
            clubs = frozenset(card for card in cards if card.suit is Suit.CLUBS)
            yield clubs, Reason.OPENING_CLUB
        case FirstLead.LEFT_OF_DEALER:
            return
        case _:
            assert_never(rules.first_lead)


def _following(_: Ruleset, __: Deal, trick: Trick, cards: Hand) -> _Filter:
    if trick.plays:
        led = trick.plays[0].card.suit
        yield frozenset(card for card in cards if card.suit is led), Reason.MUST_FOLLOW


def _first_trick(rules: Ruleset, deal: Deal, _: Trick, cards: Hand) -> _Filter:
    if deal.tricks:
        return
    harmless = frozenset(card for card in cards if not fits_any(rules.first_trick_ban, card))
    yield harmless, Reason.FIRST_TRICK_BAN
    if not harmless and rules.first_trick_exempt is FirstTrickExempt.QS_FIRST:
        yield frozenset(filter(_is_queen_of_spades, cards)), Reason.QUEEN_FIRST


def _hearts_lead(rules: Ruleset, deal: Deal, trick: Trick, cards: Hand) -> _Filter:
    if trick.plays or deal.hearts_broken or rules.hearts_lead is HeartsLead.FREE:
        return
    others = frozenset(card for card in cards if card.suit is not Suit.HEARTS)
    exempt = rules.lead_exempt is LeadExempt.HEARTS_OR_QS
    if not (exempt and all(map(_is_queen_of_spades, others))):
        yield others, Reason.HEARTS_UNBROKEN


def _is_queen_of_spades(card: Card) -> bool:
    return card.rank is Rank.QUEEN and card.suit is Suit.SPADES
