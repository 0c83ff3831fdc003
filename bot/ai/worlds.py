"""Deals out the hidden cards at random, as they may lie for all that one seat knows."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from random import Random

from bot.ai.compiled import CompiledRules
from bot.ai.evidence import Evidence
from bot.ai.position import CardSet, Position
from bot.rules.dimensions import FirstLead, PassTo, Scatter
from bot.rules.passing import receivers
from bot.rules.state import Phase
from bot.rules.view import SeatView

_TRIES = 50

_Group = tuple[Sequence[int], Sequence[CardSet]]
"""Places, and the cards that may lie in each of them and nowhere else."""


class Worlds:
    """All that may be hidden from the seat of *view*: other hands, the widow, the stock.

    Places are numbered by seat; after the seats come the widow and the stock.

    Attributes:
        unseen: all cards whose place is not known.
        evidence: what the course of the deal tells.
    """

    def __init__(self, rules: CompiledRules, view: SeatView) -> None:
        self._rules = rules
        self._view = view
        public = view.public
        self.evidence = Evidence(rules, view)
        self._own = rules.set_of(view.hand)
        self._widow = rules.set_of(view.widow | public.widow_cards)
        self.unseen = rules.every & ~self._own & ~self._widow & ~sum(self.evidence.played)
        hidden_widow = 0 if self._widow else public.widow
        self._sizes = [*public.hand_sizes, hidden_widow, public.stock]
        self._sizes[view.seat] = 0
        self._is_checked = self._is_subtle()
        self._allowed = self._by_place()
        self._packet = self._scattered()
        given = rules.set_of(view.given) & self.unseen if self._packet else 0
        self._given = [1 << place for place in _bits(given)]
        self._groups = self._by_places(self.unseen & ~given)

    def draw(self, dice: Random) -> Position:
        """A position that agrees with all that the seat knows, every hidden card somewhere."""
        places = self._deal(dice)
        at = self.evidence.at.copy()
        at.hands = [*places[: self._rules.seats]]
        at.hands[self._view.seat] = self._own
        at.widow = self._widow | places[-2]
        at.stock = [1 << place for place in _bits(places[-1])]
        dice.shuffle(at.stock)
        return at

    def _deal(self, dice: Random) -> Sequence[CardSet]:
        """By place: what lies there."""
        for _ in range(_TRIES):
            places = self._try(dice)
            if places and self._agrees(places):
                return places
        return self._surely(dice)

    def _try(self, dice: Random) -> Sequence[CardSet]:
        """Deal the cards with the fewest places first; nothing if some card found none."""
        free = self._sizes[:]
        places = [0] * len(free)
        for place, card in zip(
            dice.sample(self._packet, len(self._packet)), self._given, strict=True
        ):
            if not free[place] or not card & self._allowed[place]:
                return ()
            places[place] |= card
            free[place] -= 1
        for group in self._groups[:-1]:
            if not _scatter(group, places, free, dice):
                return ()
        allowed, cards = self._groups[-1] if self._groups else ((), ())
        if sum(free[place] for place in allowed) != len(cards):
            return ()
        order = iter(dice.sample(cards, len(cards)))
        for place in allowed:
            places[place] |= sum(next(order) for _ in range(free[place]))
        return places

    def _surely(self, dice: Random) -> Sequence[CardSet]:
        """Deal by moving cards on from full places: finds a way if there is one."""
        held: list[list[tuple[CardSet, Sequence[int]]]] = [[] for _ in self._sizes]
        for place in dice.sample([*_bits(self.unseen)], self.unseen.bit_count()):
            self._make_room(1 << place, self._places_of(1 << place), held, set())
        return [sum(card for card, _ in place) for place in held]

    def _make_room(
        self,
        card: CardSet,
        allowed: Sequence[int],
        held: list[list[tuple[CardSet, Sequence[int]]]],
        tried: set[int],
    ) -> bool:
        for place in allowed:
            if place in tried:
                continue
            tried.add(place)
            if len(held[place]) < self._sizes[place]:
                held[place].append((card, allowed))
                return True
            for number, (other, its_places) in enumerate(held[place]):
                if self._make_room(other, its_places, held, tried):
                    held[place][number] = (card, allowed)
                    return True
        return False

    def _by_place(self) -> list[CardSet]:
        """By place: the unseen cards that may lie there."""
        rules = self._rules
        never = {card.face for card in rules.ruleset.widow.never}
        out = rules.set_of(card for card in rules.deck if card.face in never)
        allowed = [self.unseen & ~lacks for lacks in self.evidence.lacks]
        allowed += [self.unseen & ~out, self.unseen]
        for holder, cards in self._fixed().items():
            for place in range(len(allowed)):
                if place != holder:
                    allowed[place] &= ~cards
        return [cards * bool(size) for cards, size in zip(allowed, self._sizes, strict=True)]

    def _fixed(self) -> Mapping[int, CardSet]:
        """By seat: the unseen cards that this seat has passed to it and nobody else."""
        view, step = self._view, self._view.public.step
        if view.public.phase is Phase.PASSING or not isinstance(step, PassTo):
            return {}
        (taker,) = receivers(step, view.seat, self._rules.seats)
        return {taker: self._rules.set_of(view.given) & self.unseen}

    def _scattered(self) -> Sequence[int]:
        """For each unseen card of a scattered packet a seat that may have it, in no order.

        The view does not tell who got which card of a packet, only that each got so many.
        """
        view, step = self._view, self._view.public.step
        if view.public.phase is Phase.PASSING or not isinstance(step, Scatter):
            return ()
        given, played = self._rules.set_of(view.given), self.evidence.played
        takers = map(int, receivers(step, view.seat, self._rules.seats))
        left = {seat: step.count - (given & played[seat]).bit_count() for seat in takers}
        return [seat for seat, count in left.items() for _ in range(count)]

    def _by_places(self, cards: CardSet) -> list[_Group]:
        """Cards that may lie in the same places, the fewest places first."""
        groups: dict[Sequence[int], list[CardSet]] = defaultdict(list)
        for place in _bits(cards):
            card = 1 << place
            groups[self._places_of(card)].append(card)
        return sorted(
            groups.items(), key=lambda group: (sum(self._sizes[i] for i in group[0]), group[0])
        )

    def _places_of(self, card: CardSet) -> tuple[int, ...]:
        return tuple(place for place, cards in enumerate(self._allowed) if cards & card)

    def _is_subtle(self) -> bool:
        """Whether what was played tells more than which cards a seat lacks.

        The holder of the lowest club led another one, or a joker fell where a queen might have had
        to.
        """
        rules = self._rules
        is_any_club = rules.ruleset.first_lead is FirstLead.HOLDER_ANY_CLUB
        return not self.evidence.is_drawn_to and (is_any_club or bool(rules.sheds and rules.jokers))

    def _agrees(self, places: Sequence[CardSet]) -> bool:
        """Whether the deal can have been played as it was, if all lay as in *places*."""
        rules, public = self._rules, self._view.public
        if not self._is_checked or not public.trick:
            return True
        hands = [hand | more for hand, more in zip(places, self.evidence.played, strict=False)]
        hands[self._view.seat] |= self._own
        at = rules.begin(hands, public.dealer)
        for trick in (*public.tricks, public.trick):
            if at.leader != trick.leader:
                return False
            for play in trick.plays:
                card = rules.bit[play.card]
                if not rules.legal(at) & card:
                    return False
                rules.play(at, card)
        return True


def _scatter(group: _Group, places: list[CardSet], free: list[int], dice: Random) -> bool:
    """Put each card of *group* into a place, the likelier the more is free there."""
    allowed, cards = group
    for card in dice.sample(cards, len(cards)):
        room = [free[place] for place in allowed]
        if not any(room):
            return False
        (place,) = dice.choices(allowed, room)
        places[place] |= card
        free[place] -= 1
    return True


def _bits(cards: CardSet) -> Iterator[int]:
    """The places of the bits of *cards*, the lowest first."""
    while cards:
        low = cards & -cards
        yield low.bit_length() - 1
        cards ^= low
