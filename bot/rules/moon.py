"""The moon: who shot it, and how it is paid (rules.md 3.7).

It is judged by cards, never by sums: a bonus card can make any sum of points look like another.
"""

from typing import assert_never

from bot.rules.cards import Hand, Seat
from bot.rules.piles import bonuses, captured, penalties, points_in
from bot.rules.ruleset import BonusScore, MoonPayoff, Ruleset
from bot.rules.settlement import ends, places, totals_after
from bot.rules.state import Deal, Game


def shooter(game: Game) -> Seat | None:
    """The seat that captured every card which costs points, if there is one.

    Every bonus card is needed as well where the rules say so. Before the first deal nobody shot.
    """
    if game.deal is None or not game.ruleset.moon.on:
        return None
    needed = _needed(game.ruleset, game.deal)
    if not needed:
        return None
    piles = captured(game.deal)
    return next((Seat(seat) for seat, pile in enumerate(piles) if needed <= pile), None)


def needs_choice(game: Game) -> bool:
    """Whether a moon was shot whose shooter says how it is paid."""
    return game.ruleset.moon.payoff is MoonPayoff.SHOOTER_CHOICE and shooter(game) is not None


def safe_payoff(game: Game) -> MoonPayoff:
    """What to choose for a shooter who does not choose (rules.md 4.2, design note 1).

    Adding, if that ends the game with the shooter in first place, else subtracting. *game* has a
    shooter.
    """
    deal, seat, _ = _shot(game)
    totals = _totals_if_added(game, deal)
    if ends(game.ruleset, deal.number, totals) and places(totals)[seat] == 1:
        return MoonPayoff.ADD_OTHERS
    return MoonPayoff.SUBTRACT_SELF


def payoff_applied(game: Game, chosen: MoonPayoff | None) -> MoonPayoff:
    """`MoonPayoff.ADD_OTHERS` or `MoonPayoff.SUBTRACT_SELF`: how the moon in *game* is paid.

    Args:
        game: has a shooter.
        chosen: the shooter's word where the rules give it one; elsewhere it is not asked for.

    Raises:
        ValueError: the shooter has still to choose.
    """
    match game.ruleset.moon.payoff:
        case MoonPayoff.SHOOTER_CHOICE:
            if chosen is None:
                raise ValueError("the shooter has still to choose how the moon is paid")
            return chosen
        case MoonPayoff.ADD_UNLESS_SHOOTER_THEN_LOSES:
            return _protected_payoff(game)
        case MoonPayoff.ADD_OTHERS | MoonPayoff.SUBTRACT_SELF as fixed:
            return fixed
        case _:
            assert_never(game.ruleset.moon.payoff)


def payments(game: Game, payoff: MoonPayoff) -> tuple[int, ...]:
    """By seat: what the moon in *game* adds to the points of the captured cards.

    The shooter's own penalties are taken back, and its bonus too where that is absorbed. Then
    the value changes hands as *payoff* says.
    """
    _, seat, pile = _shot(game)
    back = -points_in(game.ruleset, _taken_back(game.ruleset, pile))
    value = game.ruleset.moon.value
    if value is None:
        value = points_in(game.ruleset, penalties(game.ruleset, pile))
    if payoff is MoonPayoff.SUBTRACT_SELF:
        return tuple(back - value if other == seat else 0 for other in range(game.seats))
    return tuple(back if other == seat else value for other in range(game.seats))


def _needed(ruleset: Ruleset, deal: Deal) -> Hand:
    cards: Hand = frozenset().union(*deal.dealt)
    needed = penalties(ruleset, cards)
    if needed and ruleset.moon.bonus:
        return needed | bonuses(ruleset, cards)
    return needed


def _protected_payoff(game: Game) -> MoonPayoff:
    """Add unless the game would then end with a total below the shooter's (rules.md 2.4.11).

    A tie for the lowest adds.
    """
    deal, seat, _ = _shot(game)
    totals = _totals_if_added(game, deal)
    if ends(game.ruleset, deal.number, totals) and min(totals) < totals[seat]:
        return MoonPayoff.SUBTRACT_SELF
    return MoonPayoff.ADD_OTHERS


def _totals_if_added(game: Game, deal: Deal) -> tuple[int, ...]:
    paid = payments(game, MoonPayoff.ADD_OTHERS)
    taken = [points_in(game.ruleset, pile) for pile in captured(deal)]
    return totals_after(game, [a + b for a, b in zip(taken, paid, strict=True)])


def _taken_back(ruleset: Ruleset, pile: Hand) -> Hand:
    if ruleset.moon.bonus_score is BonusScore.ABSORBED:
        return pile
    return penalties(ruleset, pile)


def _shot(game: Game) -> tuple[Deal, Seat, Hand]:
    """The deal, its shooter and what the shooter captured."""
    seat = shooter(game)
    if game.deal is None or seat is None:
        raise ValueError("nobody shot the moon in this deal")
    return game.deal, seat, captured(game.deal)[seat]
