"""The points of a deal that has been played out, from a position (rules.md 3.6, 3.7)."""

from collections.abc import Sequence

from bot.ai.compiled import CompiledRules
from bot.ai.position import NOBODY, CardSet, Position
from bot.rules.cards import Seat
from bot.rules.dimensions import BonusScore, MissingOk, MoonPayoff, WidowTake
from bot.rules.moon import shooting_parties
from bot.rules.sides import is_pooled, side_of, sides


class Reckoning:
    """What deals bring at one table, compiled as the rules of play are.

    Attributes:
        worths: sets of cards with the points that each card of them brings; none with 0.
        parties: who can shoot a moon together, in order of lowest seats.
    """

    def __init__(self, rules: CompiledRules) -> None:
        ruleset, seats = rules.ruleset, rules.seats
        self._rules = rules
        self._ruleset = ruleset
        self._moon = ruleset.moon
        by_points: dict[int, CardSet] = {}
        for card, bit in rules.bit.items():
            points = ruleset.points_of(card)
            by_points[points] = by_points.get(points, 0) | bit
        self.worths = [(cards, points) for points, cards in by_points.items() if points]
        self.parties = [list(map(int, party)) for party in shooting_parties(ruleset, seats)]
        bonuses = sum(cards for cards, points in self.worths if points < 0)
        self._needed = rules.costly | (bonuses if ruleset.moon.bonus else 0)
        is_absorbed = ruleset.moon.bonus_score is BonusScore.ABSORBED
        self._taken_back = rules.every if is_absorbed else rules.costly
        self._sides = [list(map(int, side_of(ruleset, Seat(seat), seats))) for seat in range(seats)]
        self._is_pooled = is_pooled(ruleset, seats)
        self._excuses_dead = ruleset.moon.missing_ok is MissingOk.DEAD_TRICKS
        self._goes_with_tricks = ruleset.widow.take is not WidowTake.DEAD
        self._charged = [self._charged_by(seat) for seat in range(seats)]

    def worth(self, cards: CardSet) -> int:
        """What capturing *cards* brings, without any moon."""
        return sum((cards & kind).bit_count() * points for kind, points in self.worths)

    def points(
        self,
        at: Position,
        payoff: MoonPayoff = MoonPayoff.ADD_OTHERS,
        totals: Sequence[int] = (),
    ) -> list[int]:
        """By seat: what the deal that has been played out adds to its total.

        Args:
            at: no card is left in any hand.
            payoff: how a moon is paid where the rules leave it to the shooter, or to the totals.
            totals: by seat, before this deal; only a bonus that stops at 0 asks for them. Left
                empty, nobody has any room for such a bonus but what the deal itself brings.
        """
        piles = self.taken(at)
        points = [self.worth(pile) for pile in piles]
        party = self.shooters(at, piles)
        if party:
            self._pay(at, piles, party, points, self._payoff(payoff))
        bonus = self._ruleset.no_trick_bonus
        if bonus.points and (bonus.if_moon or not party):
            self._add_bonus(piles, points, totals or (0,) * len(points))
        return self._pooled(points) if self._is_pooled else points

    def taken(self, at: Position) -> Sequence[CardSet]:
        """By seat: what it has captured, a widow included."""
        if at.widow_taker == NOBODY:
            return at.piles
        piles = at.piles[:]
        piles[at.widow_taker] |= at.widow
        return piles

    def shooters(self, at: Position, piles: Sequence[CardSet]) -> Sequence[int]:
        """All seats of the party that shot the moon with these *piles*; empty: nobody did."""
        if not self._moon.on or not at.moon_counts:
            return ()
        needed = self._needed & ~self._excused(at)
        if not needed & self._rules.costly:
            return ()
        for party in self.parties:
            if not needed & ~_union(piles, party):
                return party
        return ()

    def _excused(self, at: Position) -> CardSet:
        """Cards that a moon can do without."""
        excused = at.tabled if self._excuses_dead else 0
        if at.widow_taker != NOBODY:
            return excused
        if self._excuses_dead and self._goes_with_tricks:
            excused |= at.widow  # it goes with a trick; that one is dead (rules.md 2.3.6)
        return excused if self._moon.widow_points_void else excused | at.widow

    def _payoff(self, chosen: MoonPayoff) -> MoonPayoff:
        fixed = self._moon.payoff
        is_open = fixed in {
            MoonPayoff.SHOOTER_CHOICE,
            MoonPayoff.ADD_UNLESS_SHOOTER_THEN_LOSES,
        }
        return chosen if is_open else fixed

    def _pay(
        self,
        at: Position,
        piles: Sequence[CardSet],
        party: Sequence[int],
        points: list[int],
        payoff: MoonPayoff,
    ) -> None:
        for seat in party:
            points[seat] -= self.worth(piles[seat] & self._taken_back)
        value = self._value(at, _union(piles, party))
        if payoff is MoonPayoff.ADD_OTHERS:
            for seat in self._charged[party[0]]:
                points[seat] += value
        else:
            points[party[0]] -= value

    def _value(self, at: Position, pile: CardSet) -> int:
        sun = self._ruleset.sun
        if sun is not None and not self._rules.every & ~at.widow & ~pile:
            return sun
        if self._moon.value is not None:
            return self._moon.value
        return self.worth(pile & self._rules.costly)

    def _charged_by(self, shooter: int) -> list[int]:
        """Every opponent; of a side with one total, its lowest seat."""
        own = self._sides[shooter]
        others = [side for side in sides(self._ruleset, self._rules.seats) if side[0] not in own]
        shown = 1 if self._is_pooled else None
        return [int(seat) for side in others for seat in side[:shown]]

    def _add_bonus(
        self, piles: Sequence[CardSet], points: list[int], totals: Sequence[int]
    ) -> None:
        bonus = self._ruleset.no_trick_bonus
        for seat, pile in enumerate(piles):
            if pile:
                continue
            saved = bonus.points
            if bonus.floor_zero:
                # Of two partners without a trick, the second finds what the first has left.
                so_far = self._pooled(points) if self._is_pooled else points
                saved = max(saved, min(0, -(totals[seat] + so_far[seat])))
            points[seat] += saved

    def _pooled(self, points: Sequence[int]) -> list[int]:
        return [sum(points[seat] for seat in side) for side in self._sides]


def _union(piles: Sequence[CardSet], seats: Sequence[int]) -> CardSet:
    found = 0
    for seat in seats:
        found |= piles[seat]
    return found
