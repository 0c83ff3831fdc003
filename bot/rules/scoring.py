"""The result of a deal, as lines that say where each point came from (rules.md 3.6, 3.7)."""

from collections import defaultdict

from bot.rules import money, moon
from bot.rules.cards import Card, Hand, Seat, Suit
from bot.rules.dimensions import MoonPayoff
from bot.rules.piles import captured
from bot.rules.ruleset import Ruleset
from bot.rules.settlement import totals_after
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
    lines = _card_lines(game.ruleset, captured(game.ruleset, game.deal))
    lines += _moon_lines(game, paid)
    if paid is None or game.ruleset.no_trick_bonus.if_moon:
        lines += _no_trick_lines(game, game.deal, lines)
    points = _points(game, lines)
    return Score(
        deal=game.deal.number,
        points=points,
        lines=tuple(sorted(lines, key=lambda line: line.seat)),
        moon=paid,
        totals=totals_after(game, points),
        money=money.for_deal(game.ruleset, points),
    )


def _moon(game: Game, payoff: MoonPayoff | None) -> Moon | None:
    shot = moon.shot(game)
    if shot is None:
        return None
    return Moon(seats=shot.seats, payoff=moon.payoff_applied(game, payoff))


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
