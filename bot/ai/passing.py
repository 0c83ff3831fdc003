"""What to pass, by searching: the cards that leave the best deals behind (robots.md)."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from math import comb
from random import Random

from bot.ai import halving
from bot.ai.danger import pass_danger
from bot.ai.plan import DOUBT, Plan
from bot.ai.playout import Playout
from bot.ai.position import CardSet, Position
from bot.ai.utility import Utility
from bot.ai.worlds import Worlds
from bot.rules.cards import Hand
from bot.rules.dimensions import Hold, PassTo, Scatter
from bot.rules.passing import pass_count
from bot.rules.view import SeatView

_AS_MANY = 4
"""Imagined deals for a pass, by those for a card."""
_THIRD = 1 / 3
_MOST = 300
"""Passes that are weighed by rule before any is searched; of more, so many at random."""
_FEWEST, _DEALS_EACH = 6, 40
_DARING = 10
"""Passes that are tried in the hope of a moon."""
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

        def trial(plans: Sequence[Plan]) -> Sequence[float]:
            world = worlds.draw(rng)
            given = [self.by_rule(hand) for hand in world.hands]
            outcomes = []
            for plan in plans:
                given[seat] = plan.cards
                at = self._after(world, given)
                outcomes.append(utility.of(self._table.run(at, plan.shooters)))
            return outcomes

        packets = self._packets(rng)
        plans = self._cautious(packets, max(_FEWEST, budget // _DEALS_EACH))
        if self._table.policy.is_wary and worlds.evidence.at.moon_counts:
            plans += self._daring(packets)
        prior = [-DOUBT * self._table.unit * bool(plan.shooters) for plan in plans]
        best = halving.best(plans, trial, budget, kept=_THIRD, prior=prior)
        return frozenset(self._rules.cards_of(best.cards))

    def _packets(self, rng: Random) -> Sequence[CardSet]:
        """All passes, or so many of them if there are too many; the one by rule is the first."""
        hand, count = self._rules.set_of(self._view.hand), self._count
        bits = self._bits(hand)
        found = [self.by_rule(hand)]
        if comb(len(bits), count) <= _MOST:
            found += map(sum, combinations(bits, count))
        else:
            found += [sum(rng.sample(bits, count)) for _ in range(_MOST)]
        return [*dict.fromkeys(found)]

    def _cautious(self, packets: Sequence[CardSet], most: int) -> list[Plan]:
        """So many passes of the cards that are most dangerous to keep."""
        view, rules = self._view, self._rules
        dangers = {rules.bit[card]: pass_danger(view, view.hand, card) for card in view.hand}
        return [Plan(cards) for cards in self._best(packets, dangers, most)]

    def _daring(self, packets: Sequence[CardSet]) -> list[Plan]:
        """Some passes of the cards that are hardest to take a trick with, to shoot the moon."""
        rules = self._rules
        hand = rules.set_of(self._view.hand)
        others = rules.every & ~hand
        beaten = {
            card: (rules.suit_of[card] & others & -card).bit_count() for card in self._bits(hand)
        }
        shooters = self._table.policy.party_of(self._view.seat)
        return [Plan(cards, shooters) for cards in self._best(packets, beaten, _DARING)]

    def _best(
        self, packets: Sequence[CardSet], worth: Mapping[CardSet, float], most: int
    ) -> Sequence[CardSet]:
        """So many of the *packets*, those first whose cards are worth most to be rid of."""
        sums = {
            packet: sum(each for card, each in worth.items() if card & packet) for packet in packets
        }
        return sorted(packets, key=lambda packet: -sums[packet])[:most]

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
