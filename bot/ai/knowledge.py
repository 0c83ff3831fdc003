"""What a seat can work out from its view: where unseen cards may be, and who shows out."""

from collections.abc import Iterable, Mapping
from functools import cached_property

from bot.ai.values import Values, values
from bot.rules.cards import Card, Hand, Seat, Suit
from bot.rules.dimensions import Draw, PassTo
from bot.rules.passing import receivers
from bot.rules.ruleset import Ruleset
from bot.rules.state import Play, Trick
from bot.rules.tricks import led_suit
from bot.rules.view import SeatView


class Knowledge:
    """The deal under way as one seat knows it. Chances are estimates of a careful player's."""

    def __init__(self, view: SeatView) -> None:
        self.view = view
        self.seat = view.seat
        self.rules: Ruleset = view.public.ruleset
        self.values: Values = values(view.public.ruleset, view.public.seats)
        self.worth: Mapping[Card, float] = self.values.worth
        self._shares: dict[tuple[Seat, Suit | None], float] = {}

    @cached_property
    def plays(self) -> tuple[Play, ...]:
        """The cards of the trick under way, in the order played."""
        trick = self.view.public.trick
        return trick.plays if trick else ()

    @cached_property
    def tricks(self) -> tuple[Trick, ...]:
        """All tricks of the deal that hold a card, the one under way included."""
        public = self.view.public
        under_way = public.trick
        return (*public.tricks, under_way) if under_way and under_way.plays else public.tricks

    @cached_property
    def unseen(self) -> Hand:
        """The cards that others hold, or that lie in the stock or in a widow not seen."""
        return frozenset(self.worth.keys() - self.fallen - self.view.hand - self._widow)

    @cached_property
    def fallen(self) -> Hand:
        """The cards that have been played in this deal."""
        return frozenset(play.card for trick in self.tricks for play in trick.plays)

    @cached_property
    def hidden(self) -> int:
        """How many of the unseen cards nobody holds: the stock, and a widow not seen."""
        public = self.view.public
        return public.stock + (0 if self._widow else public.widow)

    @cached_property
    def voids(self) -> tuple[frozenset[Suit | None], ...]:
        """By seat: suits in which it did not follow, if it has drawn no card since."""
        return self._voids_since(0)

    def _voids_since(self, first: int) -> tuple[frozenset[Suit | None], ...]:
        """The same, of what was shown from trick *first* on, counted from 0."""
        found: list[set[Suit | None]] = [set() for _ in range(self.view.public.seats)]
        fallen = 0
        for number, trick in enumerate(self.tricks):
            led = led_suit(trick)
            for play in trick.plays:
                fallen += 1
                is_told = number >= first and fallen > self._stock_dealt
                if is_told and play.card.suit not in {led, None}:
                    found[play.seat].add(led)
        return tuple(map(frozenset, found))

    @cached_property
    def captured(self) -> tuple[Hand, ...]:
        """By seat: what it has captured, as far as this seat knows."""
        piles: list[set[Card]] = [set() for _ in range(self.view.public.seats)]
        waiting: set[Card] = set()
        for trick in self.view.public.tricks:
            waiting.update(play.card for play in trick.plays)
            if trick.winner is not None:
                piles[trick.winner] |= waiting
                waiting = set()
        taker = self.view.public.widow_taker
        if taker is not None:
            piles[taker] |= self._widow
        return tuple(map(frozenset, piles))

    @cached_property
    def costs_left(self) -> float:
        """What the cards still to be captured cost together.

        Where tricks are wanted, what they bring is counted too, so it is below 0.
        """
        left = [self.worth[card] for card in (*self.unseen, *self.view.hand)]
        return sum(left) if self.values.is_greedy else sum(cost for cost in left if cost > 0)

    def costs(self, cards: Iterable[Card]) -> float:
        """The sum of what *cards* cost and bring."""
        return sum(self.worth[card] for card in cards)

    def is_friend(self, seat: Seat | None, other: Seat) -> bool:
        """Whether two seats gain by the same points: partners, and every seat with itself."""
        if seat is None:
            return False
        return seat == other or self._side[seat] == self._side[other]

    @cached_property
    def _side(self) -> Mapping[Seat, int]:
        sides = self.view.public.sides
        return {seat: number for number, side in enumerate(sides) for seat in side}

    @cached_property
    def unseen_in(self) -> Mapping[Suit | None, tuple[Card, ...]]:
        """By suit: its unseen cards, from low to high."""
        found: dict[Suit | None, list[Card]] = {suit: [] for suit in (*Suit, None)}
        for card in sorted(self.unseen, key=lambda card: (card.rank, card.copy)):
            found[card.suit].append(card)
        return {suit: tuple(cards) for suit, cards in found.items()}

    def unseen_below(self, card: Card) -> int:
        """How many unseen cards of its suit are lower than *card*."""
        return sum(other.rank < card.rank for other in self.unseen_in[card.suit])

    def unseen_above(self, card: Card) -> int:
        """How many unseen cards of its suit are higher than *card*."""
        return sum(other.rank > card.rank for other in self.unseen_in[card.suit])

    def unseen_equal(self, card: Card) -> int:
        """How many unseen cards look the same as *card*."""
        return sum(other.rank is card.rank for other in self.unseen_in[card.suit])

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
        return bool(self.view.public.tricks) or card not in self.values.barred_first

    def _share(self, seat: Seat, suit: Suit | None) -> float:
        """The part of a suit's unseen cards that a seat is expected to hold."""
        known = self._shares.get((seat, suit))
        if known is None:
            sizes = self.view.public.hand_sizes
            places = self.hidden + sum(
                size
                for other, size in enumerate(sizes)
                if other != self.seat and suit not in self.voids[other]
            )
            known = self._shares[seat, suit] = sizes[seat] / places if places else 0.0
        return known

    def _keeper(self, card: Card) -> Seat | None:
        """The seat we passed an unseen card to, where we passed to one seat."""
        public = self.view.public
        if card not in self.view.given or not isinstance(public.step, PassTo):
            return None
        return receivers(public.step, self.seat, public.seats)[0]

    @cached_property
    def _widow(self) -> Hand:
        """The widow, as far as this seat has seen it."""
        return self.view.widow | self.view.public.widow_cards

    @cached_property
    def _stock_dealt(self) -> int:
        """How many cards the stock had when the deal began."""
        if self.rules.draw is Draw.NONE:
            return 0
        return self.rules.rest_size(self.view.public.seats)
