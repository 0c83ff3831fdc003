"""Rules of thumb on bit sets: what everybody is taken to do in the deals that a search imagines.

Duck, shed what is dangerous, guard against the queen; where points are good, take them. Once one
party holds all that a moon needs so far, and a good part of it, its seats play high and the others
try to take one trick that counts (robots.md).
"""

from collections.abc import Sequence
from math import inf

from bot.ai.compiled import CompiledRules
from bot.ai.position import NOBODY, CardSet, Position
from bot.ai.reckoning import Reckoning
from bot.ai.values import values
from bot.rules.cards import Card, Seat
from bot.rules.sides import side_of

_ALARM = 8 / 26
"""Part of all points from which on somebody who has them all is taken for a shooter."""
_TRICK = 2.0
"""What a trick costs its taker on average, in points of the standard game."""
_GUARD = 0.6
"""How much each further card of the suit protects a high one."""
_GIVE = 0.3
"""What a point is worth that another seat takes."""
_MOST_OF_A_SUIT = 48
_TAKES = [
    [(below + 0.5) / (others + 1) if others else 1.0 for below in range(others + 1)]
    for others in range(_MOST_OF_A_SUIT)
]
"""How likely a card takes a trick of its suit: by other cards of it, and how many are below."""


class Policy:
    """Chooses cards at one table, from what anybody could know there.

    Attributes:
        poisons: cards so dear that each is worth a plan of its own.
        over: all cards of their suits that are no lower.
        under: all cards of their suits that are lower.
        dear: cards that cost their taker something.
        wanted: cards that their taker is glad of.
        is_greedy: whether a trick is on the whole worth taking.
    """

    def __init__(self, rules: CompiledRules, reckoning: Reckoning) -> None:
        self.rules = rules
        self.reckoning = reckoning
        known = values(rules.ruleset, rules.seats)
        self.is_greedy = known.is_greedy
        self.poisons = rules.set_of(known.poisons)
        suits = {card.suit for card in known.poisons}
        self.over = rules.set_of(card for card in rules.deck if _is_over(card, known.poisons))
        self.under = sum(rules.suits[suit] for suit in suits) & ~self.over
        self.dear = rules.set_of(card for card, cost in known.worth.items() if cost > 0)
        self.wanted = rules.set_of(card for card, cost in known.worth.items() if cost < 0)
        self.idle = rules.jokers | self.wanted
        self._cost = {rules.bit[card]: max(0.0, cost) for card, cost in known.worth.items()}
        self._suits = [cards for suit, cards in rules.suits.items() if suit]
        self._starts_free = not self.dear & ~rules.banned_first
        self._side = [
            sum(1 << int(mate) for mate in side_of(rules.ruleset, Seat(seat), rules.seats))
            for seat in range(rules.seats)
        ]
        self._parties = [(party, sum(1 << seat for seat in party)) for party in reckoning.parties]
        self._alarm = _ALARM * reckoning.worth(rules.costly)
        self.is_wary = rules.ruleset.moon.on and not self.is_greedy

    def suspects(self, at: Position) -> int:
        """Seats that may be shooting the moon, as bits; 0 while nobody is.

        One party has everything that counts so far, and enough of it.
        """
        if not self.is_wary or not at.moon_counts:
            return 0
        costly, found, seats = self.rules.costly, 0, 0
        for party, bits in self._parties:
            held = 0
            for seat in party:
                held |= at.piles[seat]
            if held & costly:
                if found:
                    return 0
                found, seats = held & costly, bits
        return seats if found and self.reckoning.worth(found) >= self._alarm else 0

    def party_of(self, seat: int) -> int:
        """All seats that can shoot the moon together with *seat*, as bits."""
        return next(bits for party, bits in self._parties if seat in party)

    def is_foiled(self, at: Position, shooters: int) -> bool:
        """Whether somebody else than *shooters*, seats as bits, has a card that a moon needs."""
        costly = self.rules.costly
        return any(pile & costly and not shooters >> seat & 1 for seat, pile in enumerate(at.piles))

    def choose(self, at: Position, legal: CardSet, suspects: int, shooters: int = 0) -> CardSet:
        """One card of *legal* for the seat to move.

        Args:
            at: the position, of which nothing is looked at that this seat could not know.
            legal: what may be played.
            suspects: seats that all can see may be shooting, as bits.
            shooters: seats that mean to, whether or not it is seen.
        """
        seat = at.turn
        if self.is_greedy:
            return self.grab(at, legal)
        if (suspects | shooters) >> seat & 1:
            return self.shoot(at, legal)
        if not at.led:
            return self.lead(legal, at.hands[seat], self.fallen(at))
        return self._answer(at, legal, suspects)

    def _answer(self, at: Position, legal: CardSet, suspects: int) -> CardSet:
        """A card on a trick that another seat has led."""
        seat, ahead, mine = at.turn, self.rules.winner(at), legal & at.led
        lying = at.tabled
        for card in at.laid:
            lying |= card
        if ahead != NOBODY and suspects >> ahead & 1:
            return self._stop(at, legal, mine, lying)
        if not mine:
            if ahead != NOBODY and self._side[seat] >> ahead & 1 and ahead != seat:
                return self._give(legal)
            return self.discard(legal, at.hands[seat], self.fallen(at))
        bar = self.rules.bar[self.rules.top(at)]
        if len(at.laid) + 1 == self.rules.in_trick or (at.is_first and self._starts_free):
            return self.follow_last(legal, mine, bar, lying)
        return self.follow(legal, mine, bar, lying)

    def fallen(self, at: Position) -> CardSet:
        """All cards that have been played."""
        fallen = at.tabled
        for pile in at.piles:
            fallen |= pile
        for card in at.laid:
            fallen |= card
        return fallen

    def lead(self, legal: CardSet, hand: CardSet, fallen: CardSet) -> CardSet:
        """Lead what is least likely to take the trick.

        While others hold a poison: below it, if nothing of one's own can catch it.
        """
        if self.poisons & ~fallen:
            if hand & self.over:
                legal = legal & ~(self.over | self.under) or legal
            elif legal & self.under:
                return _highest(legal & self.under)
        legal = legal & ~self.idle or legal
        unseen = ~(fallen | hand)
        least, chosen = inf, 0
        for suit in self._suits:
            mine = legal & suit
            if mine:
                low, others = mine & -mine, suit & unseen
                below = (others & (low - 1)).bit_count()
                risk = _TAKES[others.bit_count()][below] * (_TRICK + self._cost[low])
                if risk < least:
                    least, chosen = risk, low
        return chosen or _lowest(legal)

    def follow(self, legal: CardSet, mine: CardSet, bar: CardSet, lying: CardSet) -> CardSet:
        """Follow suit while others are still to play: as high as does not take the trick.

        Args:
            legal: what may be played, *mine* and perhaps jokers.
            mine: the playable cards of the suit led.
            bar: the least number that takes the trick.
            lying: all cards that the trick brings its taker so far.
        """
        below = mine & (bar - 1)
        if lying & self.wanted and not lying & self.poisons and mine != below:
            return _highest(mine)
        if below:
            return _highest(below & ~self.wanted or below)
        if legal != mine:
            return _lowest(legal ^ mine)
        return _lowest(mine & ~self.poisons or mine)

    def follow_last(self, legal: CardSet, mine: CardSet, bar: CardSet, lying: CardSet) -> CardSet:
        """Follow suit last: take what costs nothing with the highest card, duck what does."""
        below = mine & (bar - 1)
        if below & self.poisons:
            return _highest(below & self.poisons)
        if not lying & self.dear or (lying & self.wanted and not lying & self.poisons):
            return _highest(mine & ~self.poisons or mine)
        if below:
            return _highest(below & ~self.wanted or below)
        if legal != mine:
            return _lowest(legal ^ mine)
        return _highest(mine & ~self.poisons or mine)

    def discard(self, legal: CardSet, hand: CardSet, fallen: CardSet) -> CardSet:
        """Shed a poison, then what may catch one, then what is likeliest to take a trick later."""
        shed = legal & self.poisons
        if not shed and self.poisons & ~fallen:
            shed = legal & self.over
        if shed:
            return _highest(shed)
        legal = legal & ~self.idle or legal
        unseen = ~(fallen | hand)
        most, chosen = -inf, 0
        for suit in self._suits:
            mine = legal & suit
            if mine:
                top, others = 1 << mine.bit_length() >> 1, suit & unseen
                below = (others & (top - 1)).bit_count()
                cost, guards = self._cost[top], (hand & suit).bit_count() - 1
                danger = _TAKES[others.bit_count()][below] * (_TRICK + cost) / (1 + _GUARD * guards)
                if danger + _GIVE * cost > most:
                    most, chosen = danger + _GIVE * cost, top
        return chosen or _highest(legal)

    def _give(self, legal: CardSet) -> CardSet:
        """Throw on a partner's trick what it is glad of, else what costs nothing."""
        return _highest(legal & self.wanted or legal & ~self.dear or legal)

    def grab(self, at: Position, legal: CardSet) -> CardSet:
        """Where tricks are wanted: lead high, beat what can be beaten, else give little away."""
        if not at.led:
            return _highest(legal & ~self.rules.jokers or legal)
        if self._is_friendly(at):
            below = legal & ~self._above(at, legal)
            return self._give(below) if below else _lowest(legal)
        return self._beat(at, legal) or _lowest(legal & self.dear or legal & ~self.wanted or legal)

    def shoot(self, at: Position, legal: CardSet) -> CardSet:
        """Take all that counts: cash what is sure, beat what can be beaten, shed what is beaten."""
        hand = at.hands[at.turn]
        if not at.led:
            return self._cash(legal, ~(self.fallen(at) | hand))
        if self._is_friendly(at):
            return _lowest(legal)
        found = self._beat(at, legal)
        if found:
            return found
        spare = legal & ~self.rules.costly or legal & ~self.wanted or legal
        return _lowest(spare) if legal & at.led else self._shed(spare, ~(self.fallen(at) | hand))

    def _is_friendly(self, at: Position) -> bool:
        """Whether the trick is a partner's as it lies."""
        ahead = self.rules.winner(at)
        return ahead not in {NOBODY, at.turn} and bool(self._side[at.turn] >> ahead & 1)

    def _above(self, at: Position, legal: CardSet) -> CardSet:
        return legal & at.led & -self.rules.bar[self.rules.top(at)]

    def _beat(self, at: Position, legal: CardSet) -> CardSet:
        """The card to take the trick with, if any does: as cheap as may be for the last seat."""
        above = self._above(at, legal)
        is_last = len(at.laid) + 1 == self.rules.in_trick
        return _lowest(above) if is_last else _highest(above)

    def _cash(self, legal: CardSet, unseen: CardSet) -> CardSet:
        """The top of the suit in which the fewest cards beat it; of sure ones the longest suit."""
        chosen, least = 0, (_MOST_OF_A_SUIT, 0)
        for suit in self._suits:
            mine, others = legal & suit, suit & unseen
            if mine:
                top = _highest(mine)
                beaten = (others & -top).bit_count()
                ranked = (beaten, -(others if beaten else mine).bit_count())
                if ranked < least:
                    chosen, least = top, ranked
        return chosen or _highest(legal)

    def _shed(self, spare: CardSet, unseen: CardSet) -> CardSet:
        """The lowest card of the suit in which the most cards beat it."""
        chosen, most = 0, -1
        for suit in self._suits:
            low = _lowest(spare & suit)
            beaten = (suit & unseen & -low).bit_count()
            if low and beaten > most:
                chosen, most = low, beaten
        return chosen or _lowest(spare)

    def _stop(self, at: Position, legal: CardSet, mine: CardSet, lying: CardSet) -> CardSet:
        """Take a trick that counts from a shooter; throw nothing on it that counts."""
        costly = self.rules.costly
        above = mine & -self.rules.bar[self.rules.top(at)]
        if above and (lying | mine) & costly:
            return _highest(above)
        if not mine:
            return _highest(legal & ~costly & ~self.idle or legal & ~costly or legal)
        return _lowest(legal & ~costly or legal)


def _highest(cards: CardSet) -> CardSet:
    """The highest of *cards*; none if there are none."""
    return 1 << cards.bit_length() >> 1


def _lowest(cards: CardSet) -> CardSet:
    return cards & -cards


def _is_over(card: Card, poisons: Sequence[Card] | frozenset[Card]) -> bool:
    return any(other.suit is card.suit and card.rank >= other.rank for other in poisons)
