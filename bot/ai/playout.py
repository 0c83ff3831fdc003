"""Plays deals to their end by rule: the many imagined futures of a search."""

from functools import lru_cache

from bot.ai.compiled import compiled
from bot.ai.policy import Policy
from bot.ai.position import NOBODY, CardSet, Position
from bot.ai.reckoning import Reckoning
from bot.ai.values import values
from bot.rules.dimensions import Draw
from bot.rules.ruleset import Ruleset
from bot.rules.sides import has_partners


class Playout:
    """Everything that is compiled for one table, and the way to the end of a deal there.

    Attributes:
        unit: points of these rules that make one point of the standard game.
    """

    def __init__(self, ruleset: Ruleset, seats: int) -> None:
        self.rules = rules = compiled(ruleset, seats)
        self.reckoning = Reckoning(rules)
        self.policy = Policy(rules, self.reckoning)
        self.unit = values(ruleset, seats).unit
        self._counting: CardSet = sum(cards for cards, _ in self.reckoning.worths)
        bonus = ruleset.no_trick_bonus
        self._ends_early = not bonus.points and ruleset.sun is None
        self.is_plain = self._has_plain_tricks() and not self.policy.is_greedy
        self._between = [
            [(leader + place) % seats for place in range(1, seats - 1)] for leader in range(seats)
        ]
        self._last = [(leader - 1) % seats for leader in range(seats)]

    def _has_plain_tricks(self) -> bool:
        """Whether each seat plays one card a trick for itself, and the highest takes it."""
        rules, ruleset = self.rules, self.rules.ruleset
        return (
            ruleset.cards_per_player == 1
            and ruleset.draw is Draw.NONE
            and rules.breaks_on_lead
            and not (rules.jokers or rules.pairs_cancel or rules.sheds)
            and not has_partners(ruleset, rules.seats)
        )

    def run(self, at: Position, shooters: int = 0) -> Position:
        """Play *at* on until its points are certain, and return it.

        All cards are played unless those that are left count for nothing.

        Args:
            at: the position to play on from.
            shooters: seats that try to shoot the moon as long as they can, as bits.
        """
        suspects = self.policy.suspects(at)
        while not self._is_decided(at):
            if not at.laid:
                suspects = self.policy.suspects(at)
                if shooters and self.policy.is_foiled(at, shooters):
                    shooters = 0
                if self.is_plain and not (suspects | shooters or at.is_first):
                    self._run_plain(at)
                    continue
            self._step(at, suspects, shooters)
        return at

    def _step(self, at: Position, suspects: int, shooters: int) -> None:
        legal = self.rules.legal(at)
        if legal & (legal - 1):
            legal = self.policy.choose(at, legal, suspects, shooters)
        self.rules.play(at, legal)

    def _is_decided(self, at: Position) -> bool:
        """Whether nothing is left that counts; asked between tricks only."""
        if at.laid:
            return False
        left = 0
        for hand in at.hands:
            left |= hand
        if not left:
            return True
        if at.stock or not self._ends_early:
            return False
        if at.widow_taker == NOBODY:
            left |= at.widow
        return not (left | at.tabled) & self._counting

    def _run_plain(self, at: Position) -> None:
        """Whole tricks where they are plain, until nothing is left or a moon is in the air.

        The same as step by step, only faster.
        """
        policy, rules, suspects = self.policy, self.rules, 0
        fallen = policy.fallen(at)
        while not suspects and not self._is_decided(at):
            leader, hands = at.leader, at.hands
            hand = legal = hands[leader]
            if not at.broken and rules.waits_for_hearts:
                legal = rules.allowed_unbroken(hand)
            card = policy.lead(legal, hand, fallen)
            hands[leader] = hand ^ card
            lying = self._trick(at, leader, card, fallen)
            fallen |= lying
            if lying & rules.breakers:
                at.broken = True
            if lying & rules.costly:
                suspects = policy.suspects(at)

    def _trick(self, at: Position, leader: int, top: CardSet, fallen: CardSet) -> CardSet:
        """One trick from its lead on; the cards that were played."""
        policy, hands, bars = self.policy, at.hands, self.rules.bar
        led, lying, ahead = self.rules.suit_of[top], top, leader
        bar = bars[top]
        for seat in self._between[leader]:
            hand = hands[seat]
            card = mine = hand & led
            if not mine:
                card = policy.discard(hand, hand, fallen | lying)
            elif mine & (mine - 1):
                card = policy.follow(mine, mine, bar, lying)
            hands[seat] = hand ^ card
            lying |= card
            if mine and card >= bar:
                bar, ahead = bars[card], seat
        seat = self._last[leader]
        hand = hands[seat]
        card = mine = hand & led
        if not mine:
            card = policy.discard(hand, hand, fallen | lying)
        elif mine & (mine - 1):
            card = policy.follow_last(mine, mine, bar, lying)
        hands[seat] = hand ^ card
        lying |= card
        if mine and card >= bar:
            ahead = seat
        at.leader = at.turn = at.last_taker = ahead
        at.piles[ahead] |= lying
        return lying


@lru_cache(maxsize=32)
def playout(ruleset: Ruleset, seats: int) -> Playout:
    """What is compiled for a table; remembered, as every decision at it asks for it."""
    return Playout(ruleset, seats)
