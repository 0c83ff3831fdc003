"""What a card is likely to cost if it is played now."""

from collections.abc import Mapping
from functools import cached_property

from bot.ai.danger import card_danger
from bot.ai.knowledge import Knowledge
from bot.ai.weights import POISON, Weights
from bot.rules.cards import Card, Seat, Suit
from bot.rules.state import Play
from bot.rules.tricks import after

_THREAT_PART = 0.3


class Estimate:
    """Weighs the cards of a seat that is to play."""

    def __init__(self, known: Knowledge, weights: Weights) -> None:
        self.known = known
        self.weights = weights

    def cost(self, card: Card) -> float:
        """Points that playing *card* is likely to cost, future tricks included. Lower is better."""
        wins = self._chance_to_win(card)
        points = self.known.worth[card]
        in_trick = self._points_in_trick + points
        taken = wins * (in_trick + self._expected_to_fall(card) + self.weights.lead)
        given = (1.0 - wins) * self.weights.give * points
        spared = self.weights.keep * card_danger(self.known, self.weights, card)
        return taken - given - spared + self._flush(card) + self._moon(card, wins)

    @cached_property
    def _plays(self) -> tuple[Play, ...]:
        trick = self.known.view.public.trick
        return trick.plays if trick else ()

    @cached_property
    def _best(self) -> Play | None:
        """The play that takes the trick so far."""
        if not self._plays:
            return None
        led = self._plays[0].card.suit
        following = (play for play in self._plays if play.card.suit is led)
        return max(following, key=lambda play: play.card.rank)

    @cached_property
    def _points_in_trick(self) -> int:
        return sum(self.known.worth[play.card] for play in self._plays)

    @cached_property
    def _later(self) -> tuple[Seat, ...]:
        """The seats that play to this trick after us."""
        seats = self.known.view.public.seats
        left = seats - len(self._plays) - 1
        return tuple(after(self.known.view.seat, seats, place) for place in range(1, left + 1))

    def _chance_to_win(self, card: Card) -> float:
        best = self._best
        if best is not None and (card.suit is not best.card.suit or card.rank < best.card.rank):
            return 0.0
        chance = 1.0
        for seat in self._later:
            chance *= 1.0 - self._chance_to_beat(seat, card)
        return chance

    def _chance_to_beat(self, seat: Seat, card: Card) -> float:
        """Others duck when they can: a seat beats *card* with nothing lower of the suit in hand."""
        known = self.known
        no_lower = known.chance_of_none(seat, card.suit, known.unseen_below(card))
        no_higher = known.chance_of_none(seat, card.suit, known.unseen_above(card))
        return no_lower * (1.0 - no_higher)

    def _expected_to_fall(self, card: Card) -> float:
        """Points that later seats are likely to put on *card* if it wins."""
        led = self._plays[0].card.suit if self._plays else card.suit
        return self._from_following(card) + self._from_void[led]

    def _from_following(self, card: Card) -> float:
        """A poison below the winning card falls surely; of other penalty cards one a seat."""
        known = self.known
        lower = [other for other in known.unseen_in[card.suit] if other.rank < card.rank]
        expected = 0.0
        mild = max((known.worth[other] for other in lower), default=0)
        for seat in self._later:
            expected += sum(
                known.worth[other] * known.chance_to_hold(seat, other)
                for other in lower
                if known.worth[other] >= POISON
            )
            if 0 < mild < POISON:
                expected += mild * (1.0 - known.chance_of_none(seat, card.suit, len(lower)))
        return expected

    @cached_property
    def _from_void(self) -> Mapping[Suit | None, float]:
        """By suit led: points that later seats are likely to throw because they cannot follow."""
        known = self.known
        return {
            led: sum(
                known.chance_of_none(seat, led, len(in_suit)) * self._thrown(seat, led)
                for seat in self._later
            )
            for led, in_suit in known.unseen_in.items()
        }

    def _thrown(self, seat: Seat, led: Suit | None) -> float:
        """What a seat without the suit led is likely to throw, the worst it holds."""
        expected, not_yet = 0.0, 1.0
        for card in self._throwable:
            if card.suit is not led:
                chance = self.known.chance_to_hold(seat, card)
                expected += not_yet * chance * self.known.worth[card]
                not_yet *= 1.0 - chance
        return expected

    @cached_property
    def _throwable(self) -> tuple[Card, ...]:
        """Unseen penalty cards that may fall on another suit in this trick, the worst first."""
        known = self.known
        found = (card for card in known.unseen if known.worth[card] > 0 and known.may_fall(card))
        return tuple(sorted(found, key=lambda card: (-known.worth[card], card.order)))

    def _flush(self, card: Card) -> float:
        """Leading below a poison of the others brings it out; leading from one's own bares it."""
        if self._plays:
            return 0.0
        known, hand = self.known, self.known.view.hand
        mine = [other for other in hand if other.suit is card.suit]
        if any(known.worth[other] >= POISON for other in mine):
            return self.weights.flush
        poisons = [c for c in known.unseen_in[card.suit] if known.worth[c] >= POISON]
        if not poisons or any(other.rank > poisons[0].rank for other in mine):
            return 0.0
        return -self.weights.flush

    def _moon(self, card: Card, wins: float) -> float:
        """What *card* changes for a seat that may be shooting the moon."""
        threat = self._threat
        if threat is None:
            return 0.0
        at_stake = self.known.costs([*(play.card for play in self._plays), card])
        if not at_stake:
            return 0.0
        price = self.weights.stop * self.known.costs_in_all * self._progress(threat)
        lost = 1.0 - wins
        feeds = self._best is None or self._best.seat == threat
        return price * (0.5 * lost if feeds else -lost) - price * wins

    def _progress(self, seat: Seat) -> float:
        return self.known.costs_taken[seat] / max(1, self.known.costs_in_all)

    @cached_property
    def _threat(self) -> Seat | None:
        """Another seat that holds all penalties taken so far, and a good part of all there are."""
        if not self.known.view.public.ruleset.moon.on:
            return None
        takers = [seat for seat, costs in enumerate(self.known.costs_taken) if costs]
        if len(takers) != 1 or takers[0] == self.known.view.seat:
            return None
        return Seat(takers[0]) if self._progress(Seat(takers[0])) >= _THREAT_PART else None
