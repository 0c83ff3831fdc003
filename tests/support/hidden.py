"""The same game, had the cards that somebody cannot see lain otherwise."""

from collections.abc import Iterable
from dataclasses import replace
from random import Random
from typing import Any

from bot.rules.cards import Card, Seat, Suit, sorted_cards
from bot.rules.state import Game, Phase
from bot.rules.view import seat_view


def hidden_from(game: Game, viewer: Seat | None) -> list[Card]:
    """All cards of which *viewer*, or whoever only looks on, cannot know where they lie; sorted."""
    deal = game.deal
    assert deal is not None
    fallen = {play.card for trick in deal.tricks for play in trick.plays}
    fallen |= {play.card for play in deal.trick.plays} if deal.trick else set()
    lying = frozenset().union(*deal.hands, deal.widow, deal.stock) - fallen
    if viewer is None:
        return [*sorted_cards(lying)]
    own = seat_view(game, viewer)
    lying -= own.hand | own.given | own.received | own.widow
    is_opening = deal.trick is not None and not deal.tricks and not deal.trick.plays
    if game.phase is Phase.PLAYING and is_opening:
        # Everybody sees who leads, and so who holds the lowest club.
        return [card for card in sorted_cards(lying) if card.suit is not Suit.CLUBS]
    return [*sorted_cards(lying)]


def otherwise(game: Game, viewer: Seat | None, dice: Random) -> Game:
    """The same game for *viewer*; ``None``: for whoever only looks on.

    Past deals stay as they are: all of them is open once they are over.
    """
    deal = game.deal
    assert deal is not None
    hidden = hidden_from(game, viewer)
    moved = dict(zip(hidden, dice.sample(hidden, len(hidden)), strict=True))

    def swapped(cards: Any) -> Any:
        return cards and type(cards)(moved.get(card, card) for card in cards)

    def of_others(by_seat: Iterable[Any]) -> tuple[Any, ...]:
        return tuple(held if seat == viewer else swapped(held) for seat, held in enumerate(by_seat))

    names = ("dealt", "hands", "passes", "packets", "received")
    drawn = tuple(
        moved.get(card, card) if card and seat != viewer else card
        for seat, card in enumerate(deal.drawn)
    )
    changed: dict[str, Any] = {name: of_others(getattr(deal, name)) for name in names}
    changed |= {"drawn": drawn, "widow": swapped(deal.widow), "stock": swapped(deal.stock)}
    return replace(game, deal=replace(deal, **changed))
