"""The result of a deal, as lines that say where each point came from (rules.md 3.6, 3.7)."""

from collections import defaultdict
from typing import assert_never

from bot.rules import money, moon
from bot.rules.cards import Card, Hand, Seat, Suit
from bot.rules.dimensions import MoonPayoff
from bot.rules.piles import captured
from bot.rules.ruleset import Ruleset
from bot.rules.settlement import standing_with, totals_after
from bot.rules.sides import pooled
from bot.rules.state import Deal, Game, Moon, Score, ScoreLine

HEARTS = "hearts"
"""`ScoreLine.what` of all hearts that a seat captured."""
MOON = "moon"
"""`ScoreLine.what` of what a moon changed: for the shooter its own penalties are taken back
(and the value, when it is subtracted), for the others the value is added."""
SUN = "sun"
"""As `MOON`, for whoever took every trick, where that is worth something of its own."""
NO_TRICK = "no_trick"
"""`ScoreLine.what` of what a seat without a trick gets."""


def score(game: Game, payoff: MoonPayoff | None) -> Score:
    """The result of the deal whose last trick has just been taken.

    Args:
        game: all tricks of its deal are done; its totals are those before this deal.
        payoff: the shooter's choice, where the rules give it one; `MoonPayoff.ADD_OTHERS` or
            `MoonPayoff.SUBTRACT_SELF`. ``None`` elsewhere.

    Raises:
        ValueError: no deal has begun, or the shooter has still to choose.
    """
    if game.deal is None:
        raise ValueError("no deal has begun")
    paid = _moon(game, payoff)
    lines = _all_lines(game, game.deal, paid)
    points = _points(game, lines)
    return Score(
        deal=game.deal.number,
        points=points,
        lines=tuple(sorted(lines, key=lambda line: line.seat)),
        moon=paid,
        totals=totals_after(game, points),
        money=money.for_deal(game.ruleset, points),
    )


def safe_payoff(game: Game) -> MoonPayoff:
    """What to choose for a shooter who does not choose (rules.md 4.2, design note 1).

    Adding, if that ends the game with the shooter in first place, else subtracting.

    Raises:
        ValueError: nobody shot the moon in the deal under way.
    """
    return MoonPayoff.ADD_OTHERS if _place_if_added(game) == 1 else MoonPayoff.SUBTRACT_SELF


def _payoff(game: Game, chosen: MoonPayoff | None) -> MoonPayoff:
    """How the moon of the deal under way is paid, which *chosen* says where the rules ask."""
    match game.ruleset.moon.payoff:
        case MoonPayoff.SHOOTER_CHOICE:
            if chosen is None:
                raise ValueError("the shooter has still to choose how the moon is paid")
            return chosen
        case MoonPayoff.ADD_UNLESS_SHOOTER_THEN_LOSES:
            # A tie for the lowest adds (rules.md 2.4.11).
            loses = (_place_if_added(game) or 1) > 1
            return MoonPayoff.SUBTRACT_SELF if loses else MoonPayoff.ADD_OTHERS
        case MoonPayoff.ADD_OTHERS | MoonPayoff.SUBTRACT_SELF | MoonPayoff.LOSE_VALUE as fixed:
            return fixed
        case _:
            assert_never(game.ruleset.moon.payoff)


def _place_if_added(game: Game) -> int | None:
    """The shooter's place if adding to the others ends the game; ``None``: it goes on."""
    shot = moon.shot(game)
    if shot is None or game.deal is None:
        raise ValueError("nobody shot the moon in this deal")
    lines = _all_lines(game, game.deal, Moon(shot.seats, MoonPayoff.ADD_OTHERS))
    then = standing_with(game, game.deal.number, _points(game, lines))
    return then.places()[shot.seats[0]] if then.is_end() else None


def _all_lines(game: Game, deal: Deal, paid: Moon | None) -> list[ScoreLine]:
    lines = _card_lines(game.ruleset, captured(game.ruleset, deal))
    lines += _moon_lines(game, paid)
    if paid is None or game.ruleset.no_trick_bonus.if_moon:
        lines += _no_trick_lines(game, deal, lines)
    return lines


def _moon(game: Game, payoff: MoonPayoff | None) -> Moon | None:
    shot = moon.shot(game)
    if shot is None:
        return None
    return Moon(seats=shot.seats, payoff=_payoff(game, payoff))


def _points(game: Game, lines: list[ScoreLine]) -> tuple[int, ...]:
    """By seat: what *lines* add to its total."""
    own = [sum(line.points for line in lines if line.seat == seat) for seat in range(game.seats)]
    return pooled(game.ruleset, own)


def _card_lines(ruleset: Ruleset, piles: tuple[Hand, ...]) -> list[ScoreLine]:
    return [
        line for seat, pile in enumerate(piles) for line in _lines_of(ruleset, Seat(seat), pile)
    ]


def _lines_of(ruleset: Ruleset, seat: Seat, pile: Hand) -> list[ScoreLine]:
    """The dearest card first, bonus cards last."""
    groups: dict[str, list[int]] = defaultdict(list)
    for card in pile:
        if points := ruleset.points_of(card):
            groups[_name(card)].append(points)
    lines = [
        ScoreLine(seat, what, points=sum(each), count=len(each)) for what, each in groups.items()
    ]
    return sorted(lines, key=lambda line: (-line.points / line.count, line.what))


def _name(card: Card) -> str:
    return HEARTS if card.suit is Suit.HEARTS else card.face


def _moon_lines(game: Game, paid: Moon | None) -> list[ScoreLine]:
    shot = moon.shot(game)
    if paid is None or shot is None:
        return []
    payments = moon.payments(game, paid.payoff)
    what = SUN if shot.is_sun else MOON
    return [ScoreLine(Seat(seat), what, points) for seat, points in enumerate(payments) if points]


def _no_trick_lines(game: Game, deal: Deal, so_far: list[ScoreLine]) -> list[ScoreLine]:
    bonus = game.ruleset.no_trick_bonus
    lines: list[ScoreLine] = []
    for seat, pile in enumerate(captured(game.ruleset, deal)):
        saved = bonus.points
        if bonus.floor_zero:
            # Of two partners without a trick, the second finds the total that the first has left.
            points = _points(game, [*so_far, *lines])[seat]
            saved = max(saved, min(0, -(game.totals[seat] + points)))
        if saved and not pile:
            lines.append(ScoreLine(Seat(seat), NO_TRICK, saved))
    return lines
