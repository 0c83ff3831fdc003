"""What a card changes for whoever may be shooting the moon."""

from functools import cached_property

from bot.ai.knowledge import Knowledge
from bot.ai.takers import Chances
from bot.ai.weights import Weights
from bot.rules.cards import Card, Hand, Seat
from bot.rules.dimensions import MoonPayoff
from bot.rules.moon import shooting_parties

_TWO = 2


class MoonWatch:
    """Watches the one party that has taken all that a moon needs, so far."""

    def __init__(self, known: Knowledge, weights: Weights) -> None:
        self._known = known
        self._weights = weights

    def cost(self, card: Card, chances: Chances) -> float:
        """What *card* costs for the sake of a moon; below 0: it stops one, or goes on with ours."""
        if not self._party:
            return 0.0
        at_stake = self._at_stake + (card in self._known.values.counting)
        if not at_stake:
            return self._chance(self._left) * self._price
        theirs = sum(chance for seat, chance in chances.items() if seat in self._party)
        nobodys = chances.get(None, 0.0)
        soon = theirs * self._chance(self._left - at_stake) + nobodys * self._chance(self._left)
        return soon * self._price

    @cached_property
    def _party(self) -> tuple[Seat, ...]:
        """The seats that took all so far and may take the rest; none while nobody can."""
        if not self._known.rules.moon.on:
            return ()
        if self._is_duel and not any(map(self._taken_by, self._parties)):
            return self._rivals
        taken = [party for party in self._parties if self._taken_by(party)]
        return taken[0] if len(taken) == 1 else ()

    @property
    def _is_duel(self) -> bool:
        return len(self._parties) == _TWO

    @property
    def _rivals(self) -> tuple[Seat, ...]:
        """In a duel, the other party."""
        return next(party for party in self._parties if self._known.seat not in party)

    @cached_property
    def _parties(self) -> tuple[tuple[Seat, ...], ...]:
        return shooting_parties(self._known.rules, self._known.view.public.seats)

    def _taken_by(self, party: tuple[Seat, ...]) -> Hand:
        known = self._known
        pile: Hand = frozenset().union(*(known.captured[seat] for seat in party))
        return pile & known.values.counting

    @cached_property
    def _left(self) -> int:
        """How many cards the party still needs."""
        return len(self._known.values.counting) - len(self._taken_by(self._party))

    @cached_property
    def _at_stake(self) -> int:
        known = self._known
        lying = {play.card for play in known.plays} | known.view.public.tabled
        return len(lying & known.values.counting)

    def _chance(self, left: int) -> float:
        """The chance that the party gets all of so many cards."""
        weights, is_ours = self._weights, self._known.seat in self._party
        if self._is_duel:
            from_the_start = weights.shoot_duel if is_ours else weights.duel
        else:
            from_the_start = weights.shoot if is_ours else weights.moon
        return float(from_the_start ** (left / len(self._known.values.counting)))

    @cached_property
    def _price(self) -> float:
        """What the moon would cost this seat, beyond what the cards themselves cost."""
        known = self._known
        value = known.rules.moon.value
        unit = known.values.unit
        paid = known.values.in_all if value is None else value / unit
        swing = paid + known.values.in_all / max(1, len(self._parties) - 1)
        is_ours = self._known.seat in self._party
        is_loss = known.rules.moon.payoff is MoonPayoff.LOSE_VALUE
        return swing if is_ours == is_loss else -swing
