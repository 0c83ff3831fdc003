"""What to pass, by searching: the cards that leave the best deals behind (robots.md)."""

from collections.abc import Sequence
from itertools import combinations
from math import comb
from random import Random

from bot.ai import halving
from bot.ai.danger import pass_danger
from bot.ai.playout import Playout
from bot.ai.position import CardSet, Position
from bot.ai.utility import Utility
from bot.ai.worlds import Worlds
from bot.rules.cards import Card, Hand, sorted_cards
from bot.rules.dimensions import Hold, PassTo, Scatter
from bot.rules.passing import pass_count
from bot.rules.view import SeatView

_AS_MANY = 4
"""Imagined deals for a pass, by those for a card."""
_THIRD = 1 / 3
_MOST = 300
"""Passes that are weighed by rule before any is searched; of more, so many at random."""
_FEWEST, _DEALS_EACH = 6, 40
_GUARD, _POISON, _EXPOSED = 7.0, 25.0, 24.0


class Passing:
    """The pass of the seat of *view*, which is to pass now."""

    def __init__(self, table: Playout, view: SeatView) -> None:
        self._table = table
        self._view = view
        self._rules = table.rules
        self._step = view.public.step or Hold()
        self._count = pass_count(self._step, view.public.seats)
        self._order = sorted(self._rules.deck, key=lambda card: card.order)

    def choose(self, budget_moves: int, rng: Random) -> Hand:
        """The best pass; *budget_moves* as of `Searcher`."""
        worlds = Worlds(self._rules, self._view)
        utility = Utility(self._table, self._view)
        budget = budget_moves * _AS_MANY
        seat = self._view.seat

        def trial(passes: Sequence[CardSet]) -> Sequence[float]:
            world = worlds.draw(rng)
            given = [self.by_rule(hand) for hand in world.hands]
            outcomes = []
            for cards in passes:
                given[seat] = cards
                at = self._after(world, given)
                outcomes.append(utility.of(self._table.run(at)))
            return outcomes

        candidates = self._candidates(max(_FEWEST, budget // _DEALS_EACH), rng)
        return frozenset(self._rules.cards_of(halving.best(candidates, trial, budget, kept=_THIRD)))

    def _candidates(self, most: int, rng: Random) -> Sequence[CardSet]:
        """The passes that look best by rule of thumb, that one first."""
        view, count = self._view, self._count
        hand = sorted_cards(view.hand)
        danger = {card: pass_danger(view, view.hand, card) for card in hand}
        packets: list[tuple[Card, ...]]
        if comb(len(hand), count) <= _MOST:
            packets = [*combinations(hand, count)]
        else:
            packets = [tuple(rng.sample(hand, count)) for _ in range(_MOST)]
            packets.append(tuple(sorted(hand, key=lambda card: -danger[card])[:count]))
        packets.sort(key=lambda cards: -sum(danger[card] for card in cards))
        return [*dict.fromkeys(map(self._rules.set_of, packets[:most]))]

    def by_rule(self, hand: CardSet) -> CardSet:
        """What another seat is taken to pass from its *hand*."""
        dangers = [(self._danger(hand, card), card) for card in self._bits(hand)]
        dangers.sort(reverse=True)
        return sum(card for _, card in dangers[: self._count])

    def _danger(self, hand: CardSet, card: CardSet) -> float:
        policy, rules = self._table.policy, self._rules
        height = card.bit_length() / len(rules.deck) * 10
        if policy.is_greedy:
            return 30.0 * bool(card & policy.dear) - 10.0 * bool(card & policy.wanted) - height
        if card & policy.idle:
            return -_GUARD
        suit = rules.suit_of[card]
        mates = hand & suit
        if suit & policy.poisons:
            guards = (mates & policy.under).bit_count()
            if card & policy.under:
                return -_GUARD
            return (_POISON if card & policy.poisons else _EXPOSED) - _GUARD * guards
        below = (mates & (card - 1)).bit_count()
        return height - 2.0 * below + max(0, 4 - mates.bit_count()) * 1.5

    def _after(self, world: Position, given: Sequence[CardSet]) -> Position:
        """The position before the first lead, once these cards have gone round."""
        seats = self._rules.seats
        hands = [hand ^ cards for hand, cards in zip(world.hands, given, strict=True)]
        for seat, cards in enumerate(given):
            for taker, share in self._shares(seat, cards):
                hands[taker % seats] |= share
        at = self._rules.begin(hands, self._view.public.dealer)
        at.widow, at.stock, at.moon_counts = world.widow, world.stock[:], world.moon_counts
        return at

    def _shares(self, seat: int, cards: CardSet) -> Sequence[tuple[int, CardSet]]:
        """Who gets what of the *cards* that *seat* passes, as takers beyond the last seat go on."""
        step = self._step
        if isinstance(step, PassTo):
            return [(seat + step.to, cards)]
        if not isinstance(step, Scatter):
            return []
        packet = [self._rules.bit[card] for card in self._order if self._rules.bit[card] & cards]
        size = step.count
        return [
            (seat + 1 + place, sum(packet[place * size : (place + 1) * size]))
            for place in range(self._rules.seats - 1)
        ]

    def _bits(self, cards: CardSet) -> Sequence[CardSet]:
        return [bit for bit in self._rules.group if bit & cards]
