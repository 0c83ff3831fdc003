"""Who is likely to take the trick under way, after a card is laid on it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from bot.ai.knowledge import Knowledge
from bot.rules.cards import Card, Seat, Suit
from bot.rules.dimensions import Duplicates
from bot.rules.state import Play, Trick
from bot.rules.tricks import after, led_suit, winner

_PAIRS_MEANT = 0.6
_UNDECIDED = 0.5

Chances = Mapping[Seat | None, float]
"""By seat, and ``None`` for nobody: how likely it takes the trick. They sum to 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outlook:
    """How the trick under way stands once a card is laid on it."""

    top: Play | None
    """The play that takes it as it lies; ``None`` if no card has power in it."""
    chances: Chances


class Takers:
    """Judges the trick under way for the seat that is to play."""

    def __init__(self, known: Knowledge) -> None:
        self._known = known
        self._rules = known.rules
        self._outlooks: dict[Card, Outlook] = {}

    @cached_property
    def later(self) -> tuple[Seat, ...]:
        """The other seats that play to this trick after us, in turn."""
        known = self._known
        seats = known.view.public.seats
        left = seats * self._rules.cards_per_player - len(known.plays) - 1
        in_turn = (after(known.seat, seats, place) for place in range(1, left + 1))
        return tuple(seat for seat in in_turn if seat != known.seat)

    def outlook(self, card: Card) -> Outlook:
        """What is likely to become of the trick once *card* is laid on it."""
        if card not in self._outlooks:
            self._outlooks[card] = self._outlook(card)
        return self._outlooks[card]

    def _outlook(self, card: Card) -> Outlook:
        plays = (*self._known.plays, Play(self._known.seat, card))
        trick = Trick(plays[0].seat, plays)
        led = led_suit(trick)
        top = self._top(plays)
        if led is None:
            chances = _equal_chances(dict.fromkeys(self.later, 1.0), nobody=not self.later)
        elif top is None:
            chances = self._first_to_follow(led)
        else:
            chances = self._beaten_or_not(plays, top)
        return Outlook(top=top, chances=chances)

    def _top(self, plays: Sequence[Play]) -> Play | None:
        if not plays:
            return None
        trick = Trick(plays[0].seat, tuple(plays))
        taker = winner(self._rules, trick)
        if taker is None:
            return None
        led = led_suit(trick)
        mine = [play for play in plays if play.seat == taker and play.card.suit is led]
        return max(mine, key=lambda play: play.card.rank)

    def _first_to_follow(self, led: Suit) -> Chances:
        """With no card of power in the trick, whoever can still follow may take it."""
        known = self._known
        unseen = len(known.unseen_in[led])
        able = {seat: 1.0 - known.chance_of_none(seat, led, unseen) for seat in self.later}
        nobody = 1.0
        for chance in able.values():
            nobody *= 1.0 - chance
        return _equal_chances(able, nobody=nobody)

    def _beaten_or_not(self, plays: Sequence[Play], top: Play) -> Chances:
        """Whoever beats the top card takes the trick, if nobody beats that seat in its turn."""
        chances: dict[Seat | None, float] = {}
        left = 1.0
        beaten_by = self._beaters(top)
        for seat, beats in reversed(list(zip(self.later, beaten_by, strict=True))):
            chances[seat] = chances.get(seat, 0.0) + left * beats
            left *= 1.0 - beats
        paired = left * self._chance_of_a_pair(top.card)
        heir = self._heir(plays, top) if paired else None
        chances[top.seat] = chances.get(top.seat, 0.0) + left - paired
        chances[heir] = chances.get(heir, 0.0) + paired
        return chances

    def _beaters(self, top: Play) -> list[float]:
        """For each later seat: the chance that it lays a card that beats *top*."""
        known, card = self._known, top.card
        above, below = known.unseen_above(card), known.unseen_below(card)
        if self._rules.duplicates is Duplicates.LATER_WINS:
            above += known.unseen_equal(card)
        elif self._rules.duplicates is not Duplicates.NONE:
            below += known.unseen_equal(card)
        found = []
        for seat in self.later:
            able = 1.0 - known.chance_of_none(seat, card.suit, above)
            wish = self._wish(seat, top)
            must = known.chance_of_none(seat, card.suit, below)
            found.append(able * (wish + (1.0 - wish) * must))
        return found

    def _wish(self, seat: Seat, top: Play) -> float:
        """How much a seat wants this trick: others duck when they can, unless it is worth it."""
        known = self._known
        if seat != top.seat and known.is_friend(top.seat, seat):
            return 0.0
        if self._stake < 0:
            return 1.0
        return _UNDECIDED if known.values.is_greedy and self._stake == 0 else 0.0

    @cached_property
    def _stake(self) -> float:
        known = self._known
        lying = [play.card for play in known.plays]
        return known.costs([*lying, *known.view.public.tabled])

    def _chance_of_a_pair(self, card: Card) -> float:
        """The chance that a later seat cancels *card* with its like."""
        if self._rules.duplicates is not Duplicates.CANCEL_PAIRS:
            return 0.0
        known = self._known
        equal = known.unseen_equal(card)
        none = 1.0
        for seat in self.later if equal else ():
            none *= 1.0 - _PAIRS_MEANT * (1.0 - known.chance_of_none(seat, card.suit, equal))
        return 1.0 - none

    def _heir(self, plays: Sequence[Play], top: Play) -> Seat | None:
        """Who takes the trick if the top card is cancelled."""
        heir = self._top([*plays, Play(top.seat, top.card)])
        return heir.seat if heir else None


def _equal_chances(able: Mapping[Seat, float], *, nobody: float) -> Chances:
    """Share out what is left of certainty by how able each seat is."""
    whole = sum(able.values())
    shared: dict[Seat | None, float] = {
        seat: (1.0 - nobody) * part / whole for seat, part in able.items() if whole
    }
    return {**shared, None: 1.0 - sum(shared.values())}
