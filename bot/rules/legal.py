"""What may be played, and the rule that keeps back the rest."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import assert_never

from bot.rules.cards import Card, Hand, Rank, Seat, Suit, is_queen_of_spades
from bot.rules.dimensions import FirstLead, FirstTrickExempt, HeartsLead, LeadExempt, VoidPlay
from bot.rules.errors import Reason
from bot.rules.moon import shooter
from bot.rules.ruleset import Ruleset
from bot.rules.selectors import fits_any
from bot.rules.state import Deal, Game, Phase, Trick
from bot.rules.tricks import led_suit, lowest_club, next_to_play


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
    for step in (_opening, _following, _first_trick, _forced, _hearts_lead):
        for fewer, reason in step(rules, deal, trick, cards):
            if fewer:
                yield fewer, reason
                cards = fewer


def _opening(rules: Ruleset, deal: Deal, trick: Trick, cards: Hand) -> _Filter:
    if deal.tricks or trick.plays:
        return
    match rules.first_lead:
        case FirstLead.LOWEST_CLUB:
            lowest = lowest_club(deal.hands)
            equal = frozenset(card for card in cards if lowest and card.face == lowest.face)
            yield equal, Reason.OPENING_CARD
        case FirstLead.HOLDER_ANY_CLUB:
            clubs = frozenset(card for card in cards if card.suit is Suit.CLUBS)
            yield clubs, Reason.OPENING_CLUB
        case FirstLead.LEFT_OF_DEALER:
            return
        case _:
            assert_never(rules.first_lead)


def _following(_: Ruleset, __: Deal, trick: Trick, cards: Hand) -> _Filter:
    led = led_suit(trick)
    if led is not None and any(card.suit is led for card in cards):
        # A joker may be thrown whether or not its holder could follow (rules.md 1.9).
        yield frozenset(card for card in cards if card.suit in {led, None}), Reason.MUST_FOLLOW


def _first_trick(rules: Ruleset, deal: Deal, _: Trick, cards: Hand) -> _Filter:
    if deal.tricks:
        return
    harmless = frozenset(card for card in cards if not fits_any(rules.first_trick_ban, card))
    yield harmless, Reason.FIRST_TRICK_BAN
    if not harmless and rules.first_trick_exempt is FirstTrickExempt.QS_FIRST:
        yield frozenset(filter(is_queen_of_spades, cards)), Reason.QUEEN_FIRST


def _forced(rules: Ruleset, _: Deal, trick: Trick, cards: Hand) -> _Filter:
    led = led_suit(trick)
    if rules.void_play is VoidPlay.ANY or led is None:
        return
    void = all(card.suit is not led for card in cards)
    if void or (rules.void_play is VoidPlay.QS_WHEN_SAFE and _is_queen_beaten(trick, led)):
        yield frozenset(filter(is_queen_of_spades, cards)), Reason.QUEEN_NOW


def _is_queen_beaten(trick: Trick, led: Suit) -> bool:
    spades = (play.card for play in trick.plays if play.card.suit is Suit.SPADES)
    return led is Suit.SPADES and any(card.rank > Rank.QUEEN for card in spades)


def _hearts_lead(rules: Ruleset, deal: Deal, trick: Trick, cards: Hand) -> _Filter:
    # Whoever plays after led jokers leads in effect (rules.md 2.1.2a).
    leads = led_suit(trick) is None
    if not leads or deal.hearts_broken or rules.hearts_lead is HeartsLead.FREE:
        return
    others = frozenset(card for card in cards if card.suit is not Suit.HEARTS)
    exempt = rules.lead_exempt is LeadExempt.HEARTS_OR_QS
    if not (exempt and all(map(is_queen_of_spades, others))):
        yield others, Reason.HEARTS_UNBROKEN
