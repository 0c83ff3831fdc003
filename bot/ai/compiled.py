"""The rules of play of one ruleset at one table, compiled to integers, for search.

`bot.rules` is the truth of the rules and says some hundred deals a second; this says the same some
thousand times a second, and a test holds every card against it. Cards are bits, ordered by rank,
then suit, then copy, jokers lowest: so of any cards of one suit the higher number is the higher
card, and of any cards at all the highest bit is a highest card.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import assert_never

from bot.ai.position import NOBODY, CardSet, Position
from bot.rules.cards import Card, Rank, Suit, is_queen_of_spades
from bot.rules.dimensions import (
    Duplicates,
    FirstLead,
    FirstTrickExempt,
    HeartsLead,
    LeadExempt,
    NoWinnerLast,
    VoidPlay,
    WidowTake,
)
from bot.rules.ruleset import Ruleset
from bot.rules.selectors import Selector, fits_any

_WITHOUT_RANK = -1


class CompiledRules:
    """What may be played, and who takes it, at a table of so many *seats*.

    Attributes:
        ruleset: what was compiled.
        seats: number of seats.
        deck: all cards, by the place of their bits.
        bit: by card, its bit.
        every: all cards.
        suits: by suit, its cards; under ``None`` the jokers.
        suit_of: by bit of a card, all cards of its suit; 0 for a joker.
        group: by bit of a card, all cards that look the same.
        in_trick: cards of a full trick.
        costly: cards whose points are above 0, which a moon needs.
    """

    def __init__(self, ruleset: Ruleset, seats: int) -> None:
        self.ruleset = ruleset
        self.seats = seats
        self.deck = tuple(sorted(ruleset.deck(seats), key=_place))
        self.bit: Mapping[Card, CardSet] = {card: 1 << i for i, card in enumerate(self.deck)}
        self.every: CardSet = (1 << len(self.deck)) - 1
        of = {suit: [card for card in self.deck if card.suit is suit] for suit in (*Suit, None)}
        self.suits = {suit: self.set_of(cards) for suit, cards in of.items()}
        self.suit_of = {self.bit[card]: self._suit_of(card) for card in self.deck}
        self.group = {self.bit[card]: self._like(card) for card in self.deck}
        self.in_trick = seats * ruleset.cards_per_player
        self.costly = self.set_of(card for card in self.deck if ruleset.points_of(card) > 0)
        self.next_seat = [(seat + 1) % seats for seat in range(seats)]
        self._compile_leads(ruleset)
        self._compile_duties(ruleset)
        self._compile_tricks(ruleset)

    def _compile_leads(self, ruleset: Ruleset) -> None:
        """What keeps back hearts, and what breaks them."""
        self.hearts = self.suits[Suit.HEARTS]
        self.queens = self.set_of(filter(is_queen_of_spades, self.deck))
        self.breakers = self._named(ruleset.breakers)
        self.breaks_on_lead = ruleset.break_on_lead
        self.waits_for_hearts = ruleset.hearts_lead is HeartsLead.AFTER_BROKEN
        self.exempt_queens = self.queens * (ruleset.lead_exempt is LeadExempt.HEARTS_OR_QS)

    def _compile_duties(self, ruleset: Ruleset) -> None:
        """What may not fall on the first trick, and when a queen has to fall."""
        self.jokers = self.suits[None]
        self.banned_first = self._named(ruleset.first_trick_ban)
        self.queens_first = self.queens * (ruleset.first_trick_exempt is FirstTrickExempt.QS_FIRST)
        self.sheds = ruleset.void_play is not VoidPlay.ANY
        over = [card for card in self.deck if card.suit is Suit.SPADES and card.rank > Rank.QUEEN]
        self.over_queen = self.set_of(over) * (ruleset.void_play is VoidPlay.QS_WHEN_SAFE)

    def _compile_tricks(self, ruleset: Ruleset) -> None:
        """What takes a trick."""
        self.pairs_cancel = ruleset.duplicates is Duplicates.CANCEL_PAIRS
        self.bar = {0: 1, **{bit: self._bar(bit) for bit in self.group}}

    def set_of(self, cards: Iterable[Card]) -> CardSet:
        """The bits of *cards*."""
        return sum(self.bit[card] for card in frozenset(cards))

    def cards_of(self, cards: CardSet) -> tuple[Card, ...]:
        """The cards whose bits these are, the lowest bit first."""
        return tuple(card for card in self.deck if self.bit[card] & cards)

    def begin(self, hands: Sequence[CardSet], dealer: int) -> Position:
        """The position before the first lead, once cards have been passed (rules.md 3.4)."""
        left = self.next_seat[dealer]
        clubs = sum(hands) & self.suits[Suit.CLUBS]
        first_lead = self.ruleset.first_lead
        if first_lead is FirstLead.LEFT_OF_DEALER or not clubs:
            return Position(hands, left)
        lowest = self.group[clubs & -clubs]
        leader = left
        while not hands[leader] & lowest:
            leader = self.next_seat[leader]
        at = Position(hands, leader)
        is_forced = first_lead is FirstLead.LOWEST_CLUB
        at.opening = lowest if is_forced else self.suits[Suit.CLUBS]
        return at

    def legal(self, at: Position) -> CardSet:
        """What the seat to move may play, by every rule that leaves it a card (rules.md 3.9)."""
        cards = at.hands[at.turn]
        if at.led:
            follow = cards & at.led
            if follow:
                cards = follow | cards & self.jokers
        if at.is_first:
            cards = self._allowed_first(at, cards)
        if not at.led:
            if self.waits_for_hearts and not at.broken:
                cards = self.allowed_unbroken(cards)
        elif self.sheds:
            cards = self._shed(at, cards)
        return cards

    def play(self, at: Position, card: CardSet) -> None:
        """Lay down *card* for the seat to move, which may play it; it draws, and a full trick ends.

        Nothing is checked.
        """
        seat = at.turn
        at.hands[seat] ^= card
        if card & self.breakers and (at.led or self.breaks_on_lead):
            at.broken = True
        if not at.led:
            at.led = self.suit_of[card]
        at.laid.append(card)
        if card & at.led:
            self._contest(at, seat, card)
        if at.stock:
            at.hands[seat] |= at.stock.pop()
        if len(at.laid) == self.in_trick:
            self._end_trick(at)
        else:
            at.turn = self.next_seat[seat]

    def top(self, at: Position) -> CardSet:
        """The card that takes the trick under way as it lies; 0 while none does."""
        return 1 << at.live.bit_length() >> 1

    def winner(self, at: Position) -> int:
        """The seat that takes the trick under way as it lies; `NOBODY` while none does."""
        if not self.pairs_cancel or not at.live:
            return at.ahead
        return (at.leader + at.laid.index(self.top(at))) % self.seats

    def _contest(self, at: Position, seat: int, card: CardSet) -> None:
        if self.pairs_cancel:
            pair = at.live & self.group[card]
            at.live ^= pair or card
        elif card >= self.bar[at.live]:
            at.live = card
            at.ahead = seat

    def _end_trick(self, at: Position) -> None:
        cards = sum(at.laid)
        is_last = not any(at.hands)
        if at.widow and not at.widow_goes:
            at.widow_goes = self._brings_widow(at, cards, is_last=is_last)
        at.tabled |= cards
        winner = taker = self.winner(at)
        if winner == NOBODY and is_last:
            taker = self._heir(at)
        if taker != NOBODY:
            self._take(at, taker)
        if winner != NOBODY:
            # Where nobody wins, the same seat leads again (rules.md 3.5, `carry_same_leader`).
            at.leader = winner
        at.turn = at.leader
        at.laid = []
        at.led = at.live = at.opening = 0
        at.ahead = NOBODY
        at.is_first = False

    def _take(self, at: Position, taker: int) -> None:
        at.piles[taker] |= at.tabled
        at.tabled = 0
        at.last_taker = taker
        if at.widow_goes and at.widow_taker == NOBODY:
            at.widow_taker = taker

    def _heir(self, at: Position) -> int:
        """Who gets the last trick if nobody wins it."""
        match self.ruleset.no_winner_last:
            case NoWinnerLast.DEAD:
                return NOBODY
            case NoWinnerLast.PREVIOUS_WINNER:
                return at.last_taker
            case NoWinnerLast.LEADER:
                return at.leader
            case _:
                assert_never(self.ruleset.no_winner_last)

    def _brings_widow(self, at: Position, cards: CardSet, *, is_last: bool) -> bool:
        match self.ruleset.widow.take:
            case WidowTake.DEAD:
                return False
            case WidowTake.FIRST_TRICK:
                return at.is_first
            case WidowTake.FIRST_PENALTY:
                return bool(cards & self.costly)
            case WidowTake.LAST_TRICK:
                return is_last
            case _:
                assert_never(self.ruleset.widow.take)

    def _allowed_first(self, at: Position, cards: CardSet) -> CardSet:
        if not at.laid:
            cards = cards & at.opening or cards
        harmless = cards & ~self.banned_first
        return harmless or cards & self.queens_first or cards

    def allowed_unbroken(self, cards: CardSet) -> CardSet:
        others = cards & ~self.hearts
        if not others & ~self.exempt_queens:
            return cards
        return others

    def _shed(self, at: Position, cards: CardSet) -> CardSet:
        """The queen of spades has to go when its holder is void, or when it is beaten anyway."""
        must = not cards & at.led
        if not must and self.over_queen & at.led:
            must = any(card & self.over_queen for card in at.laid)
        return (cards & self.queens if must else 0) or cards

    def _named(self, selectors: tuple[Selector, ...]) -> CardSet:
        return self.set_of(card for card in self.deck if fits_any(selectors, card))

    def _suit_of(self, card: Card) -> CardSet:
        return self.suits[card.suit] if card.suit else 0

    def _like(self, card: Card) -> CardSet:
        return self.set_of(other for other in self.deck if other.face == card.face)

    def _bar(self, bit: CardSet) -> CardSet:
        """The least number that beats a card of the suit led; an equal one is above it or not."""
        like = self.group[bit]
        if self.ruleset.duplicates is Duplicates.LATER_WINS:
            return like & -like
        return 1 << like.bit_length()


@lru_cache(maxsize=64)
def compiled(ruleset: Ruleset, seats: int) -> CompiledRules:
    """The compiled rules of a table; remembered, as every decision at it asks for them."""
    return CompiledRules(ruleset, seats)


def _place(card: Card) -> tuple[int, int, int]:
    suit, _, copy = card.order
    return (_WITHOUT_RANK if card.suit is None else card.rank, suit, copy)
