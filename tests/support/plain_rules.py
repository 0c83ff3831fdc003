"""The plain rule bot of the literature as a program of the arena: a yardstick (docs/robots.md).

``python -m bot arena --engine-b "python -m tests.support.plain_rules"``, in standard Hearts with
four seats. It ducks, sheds what is dangerous, and gives the queen away as soon as it can. It does
not count cards, sees no moon and shoots none.
"""

from random import Random

from bot.rules.cards import Card, Hand, Rank, Suit, is_queen_of_spades
from bot.rules.dimensions import MoonPayoff, PassTo
from bot.rules.view import SeatView
from tests.support.programs import serve

_FEW_SPADES = 4
"""So many low spades guard high ones."""


class PlainRules:
    """A player by a handful of rules."""

    def choose_pass(self, view: SeatView, rng: Random) -> Hand:
        """High spades without guards, then what is highest."""
        step = view.public.step
        assert isinstance(step, PassTo)
        spades = sum(card.suit is Suit.SPADES for card in view.hand)

        def danger(card: Card) -> tuple[int, int, float]:
            if card.suit is Suit.SPADES:
                is_bare = card.rank >= Rank.QUEEN and spades <= _FEW_SPADES
                return (2 if is_bare else 0, card.rank, rng.random())
            return (1, card.rank, rng.random())

        return frozenset(sorted(view.hand, key=danger)[-step.count :])

    def choose_card(self, view: SeatView, rng: Random) -> Card:
        """Shed when void, duck while it can, else win with what is highest."""
        assert view.choice is not None
        cards = sorted(view.choice.cards, key=lambda card: (card.rank, rng.random()))
        trick = view.public.trick
        if trick is None or not trick.plays:
            low = [card for card in cards if not _is_high_spade(card)]
            return (low or cards)[0]
        led = trick.plays[0].card.suit
        if cards[0].suit is not led:
            return max(cards, key=_worth_shedding)
        best = max(play.card.rank for play in trick.plays if play.card.suit is led)
        below = [card for card in cards if card.rank < best]
        if below:
            return next((card for card in below if is_queen_of_spades(card)), below[-1])
        is_last = len(trick.plays) == view.public.seats - 1
        safe = [card for card in cards if not is_queen_of_spades(card)] or cards
        return safe[-1] if is_last else safe[0]

    def choose_moon(self, view: SeatView, rng: Random) -> MoonPayoff:
        """What is chosen for whoever says nothing."""
        assert view.safe_payoff is not None
        return view.safe_payoff


def _is_high_spade(card: Card) -> bool:
    return card.suit is Suit.SPADES and card.rank >= Rank.QUEEN


def _worth_shedding(card: Card) -> tuple[int, int]:
    if is_queen_of_spades(card):
        return (3, 0)
    if _is_high_spade(card):
        return (2, card.rank)
    return (1 if card.suit is Suit.HEARTS else 0, card.rank)


if __name__ == "__main__":
    serve(PlainRules())
