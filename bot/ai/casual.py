"""A beginner: the rules of thumb, with the slips that people make who have not played for long.

It forgets what fell a while ago, sees a moon late, ducks more than it should, keeps its high cards
for too long, passes by habit, and now and then does not think of the queen.
"""

from dataclasses import replace
from functools import cached_property
from random import Random
from types import MappingProxyType

from bot.ai.estimate import Estimate
from bot.ai.knowledge import Knowledge
from bot.ai.rule_of_thumb import RuleOfThumb, least
from bot.ai.values import Values, values
from bot.ai.weights import Weights
from bot.rules.cards import Card, Hand, Rank, Suit, sorted_cards
from bot.rules.dimensions import MoonPayoff
from bot.rules.passing import pass_count
from bot.rules.view import SeatView

_REMEMBERED = 2
"""Tricks, the one under way included, of which it knows every card."""
_CARELESS = 0.2
"""How often it leads without a thought of a queen of spades, or her like, that others hold."""
_QUEEN_KEPT = 0.5
"""How often such a card is kept out of a pass, whatever guards it."""
_TIMID = Weights(keep=0.3, lead=1.5, moon=0.0003, shoot=0.0001, duel=0.04, shoot_duel=0.03)
_RULE = RuleOfThumb(_TIMID)


class FadingKnowledge(Knowledge):
    """What a player knows who remembers the latest tricks, and of the others only what stood out.

    Who has taken points is known as ever: the score shows it.

    Args:
        view: of the seat.
        is_careless: whether it does not think of the poisons that others hold.
    """

    def __init__(self, view: SeatView, *, is_careless: bool = False) -> None:
        super().__init__(view)
        if is_careless:
            self.values = _harmless(self.values, self.values.poisons - view.hand)
            self.worth = self.values.worth

    @cached_property
    def fallen(self) -> Hand:
        """Cards that it remembers to have fallen: latest ones, poisons, bonuses and jokers."""
        return frozenset(
            play.card
            for number, trick in enumerate(self.tricks)
            for play in trick.plays
            if number >= self._first or _stands_out(self.values, play.card)
        )

    @cached_property
    def voids(self) -> tuple[frozenset[Suit | None], ...]:
        """By seat: suits in which it did not follow of late."""
        return self._voids_since(self._first)

    @property
    def _first(self) -> int:
        """The first trick that it remembers whole, counted from 0."""
        return max(0, len(self.tricks) - _REMEMBERED)


class Casual:
    """Plays as a beginner does: for the trick under way more than for the deal."""

    def choose_pass(self, view: SeatView, rng: Random) -> Hand:
        """The highest cards, whatever their suits, with or without the queen."""
        step = view.public.step
        count = pass_count(step, view.public.seats) if step is not None else 0
        known = values(view.public.ruleset, view.public.seats)
        keeps_poisons = rng.random() < _QUEEN_KEPT
        hand = [*sorted_cards(view.hand)]
        rng.shuffle(hand)
        hand.sort(key=lambda card: -_eagerness(known, card, keeps_poisons=keeps_poisons))
        return frozenset(hand[:count])

    def choose_card(self, view: SeatView, rng: Random) -> Card:
        """The playable card that looks best to somebody with a short memory.

        Raises:
            ValueError: it is not this seat's turn to play.
        """
        if view.choice is None:
            raise ValueError(f"seat {view.seat} is not to play")
        is_lead = view.public.trick is not None and not view.public.trick.plays
        known = FadingKnowledge(view, is_careless=is_lead and rng.random() < _CARELESS)
        return least(view.choice.cards, Estimate(known, _TIMID).cost, rng)

    def choose_moon(self, view: SeatView, rng: Random) -> MoonPayoff:
        """As by rule of thumb: a question that is asked in words needs no experience."""
        return _RULE.choose_moon(view, rng)


def _stands_out(known: Values, card: Card) -> bool:
    return card.suit is None or card in known.poisons or known.worth[card] < 0


def _harmless(known: Values, cards: Hand) -> Values:
    """The same values, had *cards* no points."""
    worth = {card: 0.0 if card in cards else cost for card, cost in known.worth.items()}
    return replace(known, worth=MappingProxyType(worth), poisons=known.poisons - cards)


def _eagerness(known: Values, card: Card, *, keeps_poisons: bool) -> float:
    """How glad a beginner is to give *card* away: its rank, but for cards with a name."""
    if card.suit is None or (known.worth[card] < 0 and not known.is_greedy):
        return -float(Rank.JOKER)
    if card in known.poisons:
        return -float(Rank.JOKER) if keeps_poisons else float(Rank.JOKER)
    return -float(card.rank) if known.is_greedy else float(card.rank)
