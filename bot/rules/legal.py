"""What may be played, and the rule that keeps back the rest."""

from dataclasses import dataclass

from bot.rules.cards import Hand
from bot.rules.errors import Reason


@dataclass(frozen=True, slots=True)
class Choice:
    """The playable cards of the seat to move; never empty while the deal runs."""

    cards: Hand
    because: Reason | None = None
    """The rule that left out the rest of the hand; ``None`` if nothing was left out."""
