"""How the rules of thumb weigh things against each other, in points of the standard game."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """Found by playing them against each other, then rounded."""

    keep: float = 1.0
    """How much of a card's danger is spared by playing it."""
    give: float = 0.9
    """What a point is worth that another side takes, shared among all other sides."""
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
    wanted: float = 0.3
    """The same, where tricks are wanted."""
    flush: float = 1.0
    """What it is worth to lead below a poison that others hold."""
    joker: float = 2.0
    """What a joker is worth that is kept to duck with later."""
    moon: float = 0.02
    """The chance that a party shoots the moon, before it has taken anything."""
    duel: float = 0.08
    """The same, where there are two parties in all."""
    shoot: float = 0.007
    """As *moon*, of one's own."""
    shoot_duel: float = 0.06
    """As *duel*, of one's own."""
    first_point: float = 5.0
    """What a first point is worth where the smallest score above none wins."""
