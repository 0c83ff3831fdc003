"""The cards of a deck that have not been placed yet, by their faces."""

from collections.abc import Callable, Iterable

from bot.arena.question import QuestionError
from bot.rules.cards import Card, sorted_cards


class CardsLeft:
    """Hands out each card of *deck* once; of equal ones the first copy that is left."""

    def __init__(self, deck: Iterable[Card]) -> None:
        self._left = list(sorted_cards(tuple(deck)))

    def take(self, path: str, named: Iterable[Card]) -> tuple[Card, ...]:
        """The copies that stand for the *named* cards.

        Raises:
            QuestionError: there is none of one of them any more; *path* says where it was named.
        """
        taken = []
        for card in named:
            copy = next((other for other in self._left if other.face == card.face), None)
            if copy is None:
                raise QuestionError(
                    path, f"{card.face} is there once too often, or not in the deck"
                )
            self._left.remove(copy)
            taken.append(copy)
        return tuple(taken)

    def take_first(
        self, count: int, *, may: Callable[[Card], bool] = lambda _: True
    ) -> tuple[Card, ...]:
        """The first *count* cards left that *may* be taken, clubs first, from low to high."""
        taken = tuple(card for card in self._left if may(card))[:count]
        self._left = [card for card in self._left if card not in taken]
        return taken
