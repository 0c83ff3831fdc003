"""Moon and sun in plain words (rules.md 3.7)."""

from typing import assert_never

from bot.rules.cards import Card
from bot.rules.describe_cards import has_widow
from bot.rules.describe_play import can_be_all_jokers, can_cancel
from bot.rules.dimensions import (
    BonusScore,
    GoodScore,
    MissingOk,
    MoonPayoff,
    MoonScope,
    NoWinnerLast,
    WidowTake,
)
from bot.rules.phrases import Topic, faces, points_word, the_cards
from bot.rules.piles import penalties, points_in
from bot.rules.ruleset import Ruleset
from bot.rules.sentence import Sentence
from bot.rules.sides import has_partners, is_pooled, sides


def moon(ruleset: Ruleset, seats: int) -> Topic:
    """Who shoots it with which cards, and what it brings."""
    if not ruleset.moon.on:
        return (moon_paid(ruleset, seats),)
    return (
        _shot(ruleset, seats),
        *_not_needed(ruleset, seats),
        moon_paid(ruleset, seats),
        *_bonus_cards(ruleset, seats),
        *_sun(ruleset),
    )


def moon_paid(ruleset: Ruleset, seats: int) -> Sentence:
    """What a moon brings, or that there is none."""
    if not ruleset.moon.on:
        return Sentence("There is no moon: if you take every card, you score every point.")
    value = {"value": _value(ruleset, seats)}
    together = _is_together(ruleset, seats)
    match ruleset.moon.payoff:
        case MoonPayoff.ADD_OTHERS:
            text = "A moon costs you nothing, and {others} gets {value}."
            return Sentence(text, {"others": _others(ruleset, seats), **value})
        case MoonPayoff.SUBTRACT_SELF:
            text = "A moon costs you nothing, and {total} goes down by {value}."
            return Sentence(text, {"total": _own_total(ruleset, seats), **value})
        case MoonPayoff.SHOOTER_CHOICE:
            facts = {"others": _others(ruleset, seats), "total": _own_total(ruleset, seats)}
            return Sentence(_CHOICES[together], {**facts, **value})
        case MoonPayoff.ADD_UNLESS_SHOOTER_THEN_LOSES:
            text = (
                "A moon costs you nothing, and {others} gets {value}; if the game would end by "
                "that with somebody ahead of you, {total} goes down by as much instead."
            )
            facts = {"others": _others(ruleset, seats), "total": _own_total(ruleset, seats)}
            return Sentence(text, {**facts, **value})
        case MoonPayoff.LOSE_VALUE:
            text = "A moon brings you nothing for those cards, and {total} goes down by {value}."
            return Sentence(text, {"total": _own_total(ruleset, seats), **value})
        case _:
            assert_never(ruleset.moon.payoff)


_CHOICES = {
    False: (
        "A moon costs you nothing, and you choose: {others} gets {value}, or {total} goes down by "
        "as much."
    ),
    True: (
        "A moon costs you nothing, and whichever of you took more chooses: {others} gets {value}, "
        "or {total} goes down by as much."
    ),
}
"""By whether partners shoot the moon together."""


def _shot(ruleset: Ruleset, seats: int) -> Sentence:
    high = ruleset.good_score is GoodScore.HIGH
    who = "alone"
    if has_partners(ruleset, seats):
        who = "together" if ruleset.moon.scope is MoonScope.SIDE else "without partner"
    cards = the_cards(bonus) if (bonus := _bonuses(ruleset, seats)) else Sentence("")
    if ruleset.moon.bonus:
        return Sentence(_SHOTS_WITH_BONUS[who, high], {"cards": cards})
    return Sentence(_SHOTS[who, high])


_SHOTS = {
    ("alone", False): "You shoot the moon by taking every card that costs points.",
    ("alone", True): "You shoot the moon by taking every card that brings points.",
    ("together", False): (
        "You and your partner shoot the moon by taking, between you, every card that costs points."
    ),
    ("together", True): (
        "You and your partner shoot the moon by taking, between you, every card that brings points."
    ),
    ("without partner", False): (
        "You shoot the moon by taking every card that costs points yourself; cards that your "
        "partner takes do not help."
    ),
    ("without partner", True): (
        "You shoot the moon by taking every card that brings points yourself; cards that your "
        "partner takes do not help."
    ),
}
_SHOTS_WITH_BONUS = {
    ("alone", False): (
        "You shoot the moon by taking every card that costs points, and {cards} as well."
    ),
    ("alone", True): (
        "You shoot the moon by taking every card that brings points, and {cards} as well."
    ),
    ("together", False): (
        "You and your partner shoot the moon by taking, between you, every card that costs points, "
        "and {cards} as well."
    ),
    ("together", True): (
        "You and your partner shoot the moon by taking, between you, every card that brings "
        "points, and {cards} as well."
    ),
    ("without partner", False): (
        "You shoot the moon by taking every card that costs points, and {cards} as well, yourself; "
        "cards that your partner takes do not help."
    ),
    ("without partner", True): (
        "You shoot the moon by taking every card that brings points, and {cards} as well, "
        "yourself; cards that your partner takes do not help."
    ),
}
"""By who shoots, and whether points are good."""


def _not_needed(ruleset: Ruleset, seats: int) -> Topic:
    """Cards that a moon can do without, or that make it impossible."""
    excused = _is_dead_excused(ruleset, seats)
    told: list[str] = []
    if excused:
        told.append("Cards in tricks that count for nobody are not needed.")
    if has_widow(ruleset, seats):
        dead = ruleset.widow.take is WidowTake.DEAD
        if dead and ruleset.moon.widow_points_void:
            told.append("If one of those cards lies in the widow, nobody can shoot the moon.")
        elif dead:
            told.append("Cards in the widow are not needed.")
        elif _is_widow_excused(ruleset, seats) and not excused:
            told.append("If nobody gets the widow, its cards are not needed.")
    return tuple(map(Sentence, told))


def _value(ruleset: Ruleset, seats: int) -> Sentence:
    if ruleset.moon.value is not None:
        return points_word(ruleset.moon.value)
    if _is_dead_excused(ruleset, seats) or _is_widow_excused(ruleset, seats):
        high = ruleset.good_score is GoodScore.HIGH
        return Sentence(_AS_TAKEN[high])
    every = penalties(ruleset, frozenset(ruleset.deck(seats)))
    return points_word(points_in(ruleset, every))


_AS_TAKEN = {
    False: "as many points as the cards you took for it cost",
    True: "as many points as the cards you took for it bring",
}


def _others(ruleset: Ruleset, seats: int) -> Sentence:
    if is_pooled(ruleset, seats):
        pairs = len(sides(ruleset, seats))
        return Sentence("the other pair" if pairs == 2 else "every other pair")
    if has_partners(ruleset, seats):
        other = len(sides(ruleset, seats)) == 2
        return Sentence("each player of the other pair" if other else "each player of other pairs")
    return Sentence("your opponent" if seats == 2 else "everybody else")


def _own_total(ruleset: Ruleset, seats: int) -> Sentence:
    if _is_together(ruleset, seats) and not is_pooled(ruleset, seats):
        return Sentence("the total of whoever of you has the lower seat number")
    return Sentence("your total")


def _bonus_cards(ruleset: Ruleset, seats: int) -> Topic:
    bonus = _bonuses(ruleset, seats)
    if not bonus:
        return ()
    high = ruleset.good_score is GoodScore.HIGH
    absorbed = ruleset.moon.bonus_score is BonusScore.ABSORBED
    return (Sentence(_BONUS[absorbed, high], {"cards": the_cards(bonus)}),)


_BONUS = {
    (True, False): "If you shoot the moon, you save nothing more with {cards}.",
    (True, True): "If you shoot the moon, you lose nothing more by {cards}.",
    (False, False): "What you save with {cards} counts in a deal with a moon, too.",
    (False, True): "What you lose by {cards} counts in a deal with a moon, too.",
}
"""By whether the bonus is part of the moon, and whether points are good."""


def _sun(ruleset: Ruleset) -> Topic:
    if ruleset.sun is None:
        return ()
    value = {"value": points_word(ruleset.sun)}
    return (Sentence("A moon with every trick is the sun, which is worth {value} instead.", value),)


def _bonuses(ruleset: Ruleset, seats: int) -> tuple[Card, ...]:
    return faces([card for card in ruleset.deck(seats) if ruleset.points_of(card) < 0])


def _is_together(ruleset: Ruleset, seats: int) -> bool:
    return has_partners(ruleset, seats) and ruleset.moon.scope is MoonScope.SIDE


def _can_be_dead(ruleset: Ruleset, seats: int) -> bool:
    """Whether cards that cost points can be with tricks that nobody has taken at the end."""
    with_jokers = (
        can_be_all_jokers(ruleset, seats)
        and has_widow(ruleset, seats)
        and ruleset.widow.take is WidowTake.LAST_TRICK
    )
    unwon = can_cancel(ruleset, seats) or with_jokers
    return unwon and ruleset.no_winner_last is NoWinnerLast.DEAD


def _is_dead_excused(ruleset: Ruleset, seats: int) -> bool:
    return ruleset.moon.missing_ok is MissingOk.DEAD_TRICKS and _can_be_dead(ruleset, seats)


def _is_widow_excused(ruleset: Ruleset, seats: int) -> bool:
    if ruleset.moon.widow_points_void or not has_widow(ruleset, seats):
        return False
    return ruleset.widow.take is WidowTake.DEAD or _can_be_dead(ruleset, seats)
