"""What a seat can work out from its view: where unseen cards may be, and who shows out."""

from collections.abc import Iterable, Mapping
from functools import cached_property, lru_cache
from types import MappingProxyType

from bot.rules.cards import Card, Hand, Seat, Suit
from bot.rules.dimensions import PassTo
from bot.rules.passing import receivers
from bot.rules.ruleset import Ruleset
from bot.rules.selectors import fits_any
from bot.rules.state import Trick
from bot.rules.view import SeatView


class Knowledge:
    """The deal under way as one seat knows it. Chances are estimates of a careful player's."""

    def __init__(self, view: SeatView) -> None:
        self.view = view

    @cached_property
    def tricks(self) -> tuple[Trick, ...]:
        """All tricks of the deal that hold a card, the one under way included."""
        public = self.view.public
        under_way = public.trick
        return (*public.tricks, under_way) if under_way and under_way.plays else public.tricks

    @cached_property
    def unseen(self) -> Hand:
        """The cards that the other seats hold."""
        played = {play.card for trick in self.tricks for play in trick.plays}
        return frozenset(self.worth.keys() - played - self.view.hand)

    @cached_property
    def worth(self) -> Mapping[Card, int]:
        """What each card of the deck costs its taker; negative for a bonus card."""
        return _worths(self.view.public.ruleset, self.view.public.seats)

    @cached_property
    def voids(self) -> tuple[frozenset[Suit | None], ...]:
        """By seat: suits in which it did not follow."""
        found: list[set[Suit | None]] = [set() for _ in range(self.view.public.seats)]
        for trick in self.tricks:
            led = trick.plays[0].card.suit
            for play in trick.plays:
                if play.card.suit is not led:
                    found[play.seat].add(led)
        return tuple(map(frozenset, found))

    @cached_property
    def costs_taken(self) -> tuple[int, ...]:
        """By seat: what the penalty cards cost that it captured; bonus cards aside."""
        taken = [0] * self.view.public.seats
        for trick in self.view.public.tricks:
            if trick.winner is not None:
                taken[trick.winner] += self.costs(play.card for play in trick.plays)
        return tuple(taken)

    @cached_property
    def costs_in_all(self) -> int:
        """What all penalty cards of the deck cost together."""
        return self.costs(self.worth)

    def costs(self, cards: Iterable[Card]) -> int:
        """The sum of what *cards* cost; bonus cards aside."""
        return sum(max(0, self.worth[card]) for card in cards)

    @cached_property
    def unseen_in(self) -> Mapping[Suit | None, tuple[Card, ...]]:
        """By suit: its unseen cards, from low to high."""
        found: dict[Suit | None, list[Card]] = {suit: [] for suit in (*Suit, None)}
        for card in sorted(self.unseen, key=lambda card: card.rank):
            found[card.suit].append(card)
        return {suit: tuple(cards) for suit, cards in found.items()}

    def unseen_below(self, card: Card) -> int:
        """How many unseen cards of its suit *card* would beat."""
        return sum(other.rank < card.rank for other in self.unseen_in[card.suit])

    def unseen_above(self, card: Card) -> int:
        """How many unseen cards of its suit would beat *card*."""
        return sum(other.rank > card.rank for other in self.unseen_in[card.suit])

    def held_below(self, card: Card) -> int:
        """How many lower cards of its suit the seat itself holds."""
        return sum(other.suit is card.suit and other.rank < card.rank for other in self.view.hand)

    def chance_of_none(self, seat: Seat, suit: Suit | None, cards: int) -> float:
        """The chance that a seat holds none of so many unseen cards of one suit."""
        if suit in self.voids[seat]:
            return 1.0
        return (1.0 - self._share(seat, suit)) ** cards

    def chance_to_hold(self, seat: Seat, card: Card) -> float:
        """The chance that a seat holds one unseen card."""
        keeper = self._keeper(card)
        if keeper is not None:
            return float(keeper == seat)
        return 1.0 - self.chance_of_none(seat, card.suit, 1)

    def may_fall(self, card: Card) -> bool:
        """Whether a seat that cannot follow may throw *card* into the trick under way."""
        public = self.view.public
        return bool(public.tricks) or not fits_any(public.ruleset.first_trick_ban, card)

    def _share(self, seat: Seat, suit: Suit | None) -> float:
        """The part of a suit's unseen cards that a seat is expected to hold."""
        sizes = self.view.public.hand_sizes
        places = sum(
            size
            for other, size in enumerate(sizes)
            if other != self.view.seat and suit not in self.voids[other]
        )
        return sizes[seat] / places if places else 0.0

    def _keeper(self, card: Card) -> Seat | None:
        """The seat we passed an unseen card to, where we passed to one seat."""
        public = self.view.public
        if card not in self.view.given or not isinstance(public.step, PassTo):
            return None
        return receivers(public.step, self.view.seat, public.seats)[0]


@lru_cache(maxsize=64)
def _worths(ruleset: Ruleset, seats: int) -> Mapping[Card, int]:
    return MappingProxyType({card: ruleset.points_of(card) for card in ruleset.deck(seats)})
