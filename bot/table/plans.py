"""Plans for a move that has not come yet, and what they do when it has. Pure.

A plan is one person's secret. It knows no more than that person: it decides from the view of the
seat alone. Whoever carries it out lets it wait as long as any other move, so that its speed tells
nothing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, assert_never

from bot.rules.cards import Card, Hand, Seat, is_queen_of_spades
from bot.rules.errors import HeartsError
from bot.rules.sentence import Sentence
from bot.rules.state import Play, Trick
from bot.rules.tricks import led_suit, winner
from bot.rules.view import SeatView
from bot.table.away import SLOW
from bot.table.clocks import MoveClock


@dataclass(frozen=True, slots=True)
class OneCard:
    """This card, as soon as it may be played. Its ``repr`` does not show it."""

    card: Card = field(repr=False)


@dataclass(frozen=True, slots=True)
class LowestOfSuitLed:
    """The lowest card of the suit led; waits while the seat leads or cannot follow."""


@dataclass(frozen=True, slots=True)
class QueenWhenPossible:
    """The queen of spades, as soon as she would lie on a trick that another side is taking.

    As a discard, that is, or under a higher spade. She is led, or played where she takes the
    trick or where nobody takes it, only when nothing else may be played.
    """


@dataclass(frozen=True, slots=True)
class AllForced:
    """Whatever card is the only one that may be played; waits while there is a choice."""


Plan = OneCard | LowestOfSuitLed | QueenWhenPossible | AllForced


class UnreadablePlanError(HeartsError):
    """A stored plan that this program cannot read. The message never quotes its card."""

    sentence = Sentence("I cannot read the plan that you made. Please make it again.")


def card_now(plan: Plan, view: SeatView) -> Card | None:
    """The card that *plan* plays now: one that is legal.

    ``None``: it is not this seat's turn to play, or the plan waits, or it is void (`is_void`).
    """
    if view.choice is None:
        return None
    legal = view.choice.cards
    match plan:
        case OneCard(card):
            return card if card in legal else None
        case LowestOfSuitLed():
            return _lowest_of_suit_led(legal, view.public.trick)
        case QueenWhenPossible():
            return _queen(legal, view)
        case AllForced():
            return _only(legal)
        case _:
            assert_never(plan)


def with_plan(before: Sequence[Plan], plan: Plan) -> tuple[Plan, ...]:
    """*before* with *plan*, of each kind at most one, in the order in which they are asked.

    A single card comes first, for it is the most exact wish; forced cards last.
    """
    others = [each for each in before if type(each) is not type(plan)]
    return tuple(sorted((*others, plan), key=lambda each: _ORDER.index(type(each))))


def next_card(planned: Sequence[Plan], view: SeatView) -> Card | None:
    """The card of the first plan that has one for the turn of *view*."""
    cards = (card_now(plan, view) for plan in planned)
    return next((card for card in cards if card is not None), None)


def natural_delay(clock: MoveClock, fraction: float) -> float:
    """How many seconds a planned card waits once its turn has come.

    As long as a person who is there might think: seconds at a live clock, up to some minutes at a
    slow one, and never by what is planned, so that the time tells nothing of a hand.

    Args:
        clock: the table's.
        fraction: chance, from 0 up to 1.
    """
    shortest, longest = _bounds(clock)
    return shortest * float((longest / shortest) ** fraction)


def longest_delay(clock: MoveClock) -> timedelta:
    """What `natural_delay` never exceeds at a table of this clock."""
    return timedelta(seconds=_bounds(clock)[1])


LONGEST_DELAY = timedelta(minutes=4)
"""The longest `natural_delay` of all."""


def is_void(plan: Plan, view: SeatView) -> bool:
    """Whether *plan* can do nothing any more in the deal under way: its cards are gone."""
    match plan:
        case OneCard(card):
            return card not in view.hand
        case QueenWhenPossible():
            return not any(map(is_queen_of_spades, view.hand))
        case LowestOfSuitLed() | AllForced():
            return not view.hand
        case _:
            assert_never(plan)


def encode(plan: Plan) -> Mapping[str, Any]:
    """Write a plan as plain JSON values; the card stands in notation."""
    match plan:
        case OneCard(card):
            return {"plan": _ONE_CARD, "card": str(card)}
        case LowestOfSuitLed() | QueenWhenPossible() | AllForced():
            return {"plan": _NAMES[type(plan)]}
        case _:
            assert_never(plan)


def decode(body: Mapping[str, Any]) -> Plan:
    """The reverse of `encode`.

    Raises:
        UnreadablePlanError: *body* is no plan.
    """
    try:
        if body["plan"] == _ONE_CARD:
            return OneCard(Card.parse(body["card"]))
        return _PLANS[body["plan"]]
    except (KeyError, TypeError, AttributeError, HeartsError):
        # Without what led to it: that would carry a card of a hand into the log.
        raise UnreadablePlanError from None


_LIVE_DELAY = (1.5, 6.0)
_SLOW_DELAY = (20.0, LONGEST_DELAY.total_seconds())
_ORDER = (OneCard, QueenWhenPossible, LowestOfSuitLed, AllForced)
_ONE_CARD = "one_card"
_PLANS: Mapping[str, Plan] = {
    "lowest_of_suit_led": LowestOfSuitLed(),
    "queen_when_possible": QueenWhenPossible(),
    "all_forced": AllForced(),
}
_NAMES = {type(plan): name for name, plan in _PLANS.items()}


def _bounds(clock: MoveClock) -> tuple[float, float]:
    is_live = clock.seconds is not None and clock.seconds < SLOW
    return _LIVE_DELAY if is_live else _SLOW_DELAY


def _lowest_of_suit_led(legal: Hand, trick: Trick | None) -> Card | None:
    led = None if trick is None else led_suit(trick)
    following = [card for card in legal if led is not None and card.suit is led]
    return min(following, key=lambda card: card.order, default=None)


def _queen(legal: Hand, view: SeatView) -> Card | None:
    queens = [card for card in legal if is_queen_of_spades(card)]
    queen = min(queens, key=lambda card: card.order, default=None)
    is_forced = len(queens) == len(legal)
    return queen if queen and (is_forced or _goes_to_another(queen, view)) else None


def _goes_to_another(card: Card, view: SeatView) -> bool:
    """Whether another side takes the trick as it lies with *card* on it.

    After jokers alone no suit has been led: whoever plays next leads in effect.
    """
    trick = view.public.trick
    if trick is None or led_suit(trick) is None:
        return False
    lies = Trick(trick.leader, (*trick.plays, Play(view.seat, card)))
    taker: Seat | None = winner(view.public.ruleset, lies)
    return taker is not None and taker not in {view.seat, view.partner}


def _only(legal: Hand) -> Card | None:
    (first, *others) = legal
    return None if others else first
