"""The result of a deal, as lines that say where each point came from (rules.md 3.6, 3.7)."""

from collections import defaultdict

from bot.rules import moon
from bot.rules.cards import Card, Hand, Seat, Suit
from bot.rules.piles import captured
from bot.rules.ruleset import MoonPayoff, Ruleset
from bot.rules.settlement import totals_after
from bot.rules.state import Game, Moon, Score, ScoreLine

HEARTS = "hearts"
"""`ScoreLine.what` of all hearts that a seat captured."""
MOON = "moon"
"""`ScoreLine.what` of what a moon changed: for the shooter its own penalties are taken back
(and the value, when it is subtracted), for the others the value is added."""


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
    shot = _moon(game, payoff)
    lines = _card_lines(game.ruleset, captured(game.deal)) + _moon_lines(game, shot)
    points = tuple(
        sum(line.points for line in lines if line.seat == seat) for seat in range(game.seats)
    )
    return Score(
        deal=game.deal.number,
        points=points,
        lines=tuple(sorted(lines, key=lambda line: line.seat)),
        moon=shot,
        totals=totals_after(game, points),
    )


def _moon(game: Game, payoff: MoonPayoff | None) -> Moon | None:
    seat = moon.shooter(game)
    if seat is None:
        return None
    return Moon(seats=(seat,), payoff=moon.payoff_applied(game, payoff))


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


def _moon_lines(game: Game, shot: Moon | None) -> list[ScoreLine]:
    if shot is None:
        return []
    payments = moon.payments(game, shot.payoff)
    return [ScoreLine(Seat(seat), MOON, paid) for seat, paid in enumerate(payments) if paid]
