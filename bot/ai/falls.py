"""What later seats are likely to lay on a trick."""

from functools import cached_property

from bot.ai.knowledge import Knowledge
from bot.ai.takers import Takers
from bot.rules.cards import Card, Seat, Suit
from bot.rules.dimensions import WidowTake
from bot.rules.state import Play


class Falls:
    """Estimates the cards still to come to the trick under way, and what they cost its taker."""

    def __init__(self, known: Knowledge, takers: Takers) -> None:
        self._known = known
        self.takers = takers
        self._expected: dict[Play, float] = {}

    @cached_property
    def lying(self) -> float:
        """What the trick's taker pays for what lies there, waiting tricks and a widow included."""
        known, public = self._known, self._known.view.public
        return known.costs([*(play.card for play in known.plays), *public.tabled]) + self._widow

    def expected(self, top: Play) -> float:
        """What later seats are likely to add if *top* takes the trick."""
        if top not in self._expected:
            self._expected[top] = self._from_following(top.card) + self._from_void(top)
        return self._expected[top]

    def _from_following(self, top: Card) -> float:
        """A poison below the winning card falls surely; of other cards the dearest, one a seat."""
        known = self._known
        lower = [other for other in known.unseen_in[top.suit] if other.rank < top.rank]
        poisons = [other for other in lower if other in known.values.poisons]
        mild = max((known.worth[card] for card in lower if card not in poisons), default=0.0)
        expected = 0.0
        for seat in self.takers.later:
            for card in poisons:
                expected += known.worth[card] * known.chance_to_hold(seat, card)
            if mild:
                expected += mild * (1.0 - known.chance_of_none(seat, top.suit, len(lower)))
        return expected

    def _from_void(self, top: Play) -> float:
        """What later seats are likely to throw because they cannot follow."""
        known, led = self._known, top.card.suit
        unseen = len(known.unseen_in[led])
        expected = 0.0
        for seat in self.takers.later:
            void = known.chance_of_none(seat, led, unseen)
            if void > 0.0:
                kind = known.is_friend(top.seat, seat)
                expected += void * self._thrown(seat, led, kind=kind)
        return expected

    def _thrown(self, seat: Seat, led: Suit | None, *, kind: bool) -> float:
        """What a seat is likely to throw: its worst card, or its best on its partner's trick."""
        expected, not_yet = 0.0, 1.0
        for card in self._gifts if kind else self._burdens:
            if card.suit is not led:
                chance = self._known.chance_to_hold(seat, card)
                expected += not_yet * chance * self._known.worth[card]
                not_yet *= 1.0 - chance
        return expected

    @cached_property
    def _burdens(self) -> tuple[Card, ...]:
        """Unseen cards that cost something and may fall on another suit, the dearest first."""
        known = self._known
        found = (card for card in known.unseen if known.worth[card] > 0 and known.may_fall(card))
        return tuple(sorted(found, key=lambda card: (-known.worth[card], card.order)))

    @cached_property
    def _gifts(self) -> tuple[Card, ...]:
        """Unseen cards that bring something and may fall on another suit, the best first."""
        known = self._known
        found = (card for card in known.unseen if known.worth[card] < 0 and known.may_fall(card))
        return tuple(sorted(found, key=lambda card: (known.worth[card], card.order)))

    @cached_property
    def _widow(self) -> float:
        """What a hidden widow is likely to cost, if it goes with this trick."""
        known, public = self._known, self._known.view.public
        if not public.widow or public.widow_taker is not None or not self._brings_widow:
            return 0.0
        return public.widow * known.costs(known.unseen) / max(1, len(known.unseen))

    @property
    def _brings_widow(self) -> bool:
        known, public = self._known, self._known.view.public
        match known.rules.widow.take:
            case WidowTake.DEAD:
                return False
            case WidowTake.FIRST_TRICK:
                return not any(trick.winner is not None for trick in public.tricks)
            case WidowTake.FIRST_PENALTY:
                lying = [play.card for play in known.plays]
                return not known.values.counting.isdisjoint({*lying, *public.tabled})
            case WidowTake.LAST_TRICK:
                return len(known.view.hand) <= known.rules.cards_per_player
