"""What a search tries: something to do, and what it is good for."""

from dataclasses import dataclass

from bot.ai.position import CardSet

DOUBT = 20.0
"""What speaks against a plan to shoot before it is tried: points of the standard game, of all tried
deals together. A few lucky ones are not to make anybody daring."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What a seat may do now, and what it is after."""

    cards: CardSet
    """The card to play, or all that are passed."""
    shooters: int = 0
    """Seats that go on to shoot the moon, as bits; 0: the seat plays on by rule."""
