"""How the rules of thumb weigh things against each other, in points."""

from dataclasses import dataclass

POISON = 5
"""A card that costs so much is worth a plan of its own: the queen of spades, in most games."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """Found by playing them against each other, then rounded."""

    keep: float = 1.0
    """How much of a card's danger is spared by playing it."""
    give: float = 0.3
    """What a point is worth that another seat takes."""
    lead: float = 0.1
    """What it costs to be on lead."""
    catch: float = 0.5
    """Part of a poison's points that a card above it is likely to catch, unguarded."""
    poison: float = 0.7
    """Part of its points that a poison in one's own hand is likely to cost, unguarded."""
    guard: float = 0.6
    """How much each lower card of the suit protects."""
    exposed: float = 1.0
    """Part of a mean trick's points that a high card is likely to bring."""
    flush: float = 1.0
    """What it is worth to lead below a poison that others hold."""
    stop: float = 0.6
    """Part of the moon's price that one stolen penalty card is worth."""
