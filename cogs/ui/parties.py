"""Seats and partnerships in the order in which they stand, and their figures."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from bot.rules.cards import Seat
from bot.rules.dimensions import GoodScore, Settle
from bot.rules.ruleset import Ruleset
from bot.rules.sides import has_partners, is_pooled, side_points
from bot.rules.state import Score
from bot.rules.view import PublicView
from cogs.names import Markup
from cogs.ui.parts import bold, quiet
from cogs.words import Voice, capital

Figure = int | Fraction

_SIGNS = {
    Fraction(1, 2): "½",
    Fraction(1, 3): "⅓",
    Fraction(2, 3): "⅔",
    Fraction(1, 4): "¼",
    Fraction(3, 4): "¾",
}


@dataclass(frozen=True, slots=True)
class Party:
    """A seat, or the seats of a partnership, in a list of how the game stands."""

    seats: tuple[Seat, ...]
    figure: Figure
    """What its place depends on: a total, the sum of two, or what it received so far."""
    apart: tuple[int, ...] = ()
    """Totals of partners who keep their own, in order of *seats*; else empty."""


def standing(game: PublicView, deals: int | None = None) -> list[Party]:
    """All parties after so many deals, after all of them if not said; the best first."""
    scores = game.scores if deals is None else game.scores[:deals]
    totals = scores[-1].totals if scores else game.totals
    figures = _figures(game, totals, scores)
    apart = totals if totals_are_apart(game) else ()
    parties = [
        Party(side, figures[side[0]], tuple(apart[seat] for seat in side if apart))
        for side in game.sides
    ]
    high = is_settled_by_deal(game.ruleset) or game.ruleset.good_score is GoodScore.HIGH
    return sorted(parties, key=lambda party: -party.figure if high else party.figure)


def is_settled_by_deal(ruleset: Ruleset) -> bool:
    """Whether there is no running total of points, only what changed hands deal by deal."""
    return ruleset.settle is Settle.SUPER


def totals_are_apart(game: PublicView) -> bool:
    """Whether partners keep totals of their own whose sums decide."""
    return has_partners(game.ruleset, game.seats) and not is_pooled(game.ruleset, game.seats)


def party_name(voice: Voice, seats: Sequence[Seat]) -> Markup:
    """Who it is, in bold: "Maya and Priya"."""
    return bold(voice("{seats}", seats=tuple(seats)))


def figure_text(voice: Voice, figure: Figure, *, signed: bool = False) -> Markup:
    """A figure as people read it: "−26½", "5 3/7"; *signed* also has a plus."""
    whole, rest = divmod(abs(Fraction(figure)), 1)
    part = _SIGNS.get(rest, f" {rest}") if rest else ""
    number = voice("{number}", number=int(whole)) if whole or not rest else ""
    sign = "−" if figure < 0 else "+" if signed else ""
    return Markup(f"{sign}{number}{part.strip() if not number else part}")


def party_figure(voice: Voice, party: Party) -> Markup:
    """What a party has, and of which two totals it is the sum: "139 (105 + 34)"."""
    return Markup(f"{figure_text(voice, party.figure)}{apart(voice, party)}")


def apart(voice: Voice, party: Party) -> Markup:
    """The totals of partners who keep their own, in brackets; nothing for others."""
    parts = " + ".join(figure_text(voice, total) for total in party.apart)
    return Markup(f" ({parts})" if parts else "")


def plus_and_minus(voice: Voice) -> Markup:
    """What the signs of what changes hands mean."""
    return voice("A plus is received, a minus is paid.")


def columns(figures: Iterable[str]) -> list[str]:
    """Figures under each other, padded to the longest."""
    told = list(figures)
    width = max(map(len, told), default=0)
    return [f"{figure:\u2007>{width}}" for figure in told]


def taken_line(voice: Voice, game: PublicView, *, briefly: bool = False) -> Markup:
    """The points taken in the deal, in small print; nothing while nobody has any.

    Args:
        voice: of the table.
        game: whose sides are told; partners are summed up.
        briefly: leave out those who play alone and have none; partners always stand there.
    """
    taken = {side: sum(game.taken[seat] for seat in side) for side in game.sides}
    together = has_partners(game.ruleset, game.seats)
    if not any(game.taken) and not (briefly and together):
        return Markup("")
    told = [
        f"{voice('{seats}', seats=side)}: {figure_text(voice, points)}"
        for side, points in taken.items()
        if points or together or not briefly
    ]
    return quiet(capital(voice("taken in this deal")), *told)


def totals_line(voice: Voice, game: PublicView) -> Markup:
    """How everybody stands, in small print and in order of seats; nothing while all are nought."""
    parties = sorted(standing(game), key=lambda party: party.seats)
    if not any(party.figure or any(party.apart) for party in parties):
        return Markup("")
    told = [
        f"{voice('{seats}', seats=party.seats)}: {party_figure(voice, party)}" for party in parties
    ]
    title = voice("received so far") if is_settled_by_deal(game.ruleset) else voice("totals")
    return quiet(capital(title), *told)


def sides_line(voice: Voice, game: PublicView) -> Markup:
    """Who plays with whom, in small print; nothing where everybody plays alone."""
    if not has_partners(game.ruleset, game.seats):
        return Markup("")
    return quiet(voice("Partners"), *(voice("{seats}", seats=side) for side in game.sides))


def _figures(game: PublicView, totals: Sequence[int], scores: Sequence[Score]) -> Sequence[Figure]:
    """By seat; partners show the same."""
    if not is_settled_by_deal(game.ruleset):
        return side_points(game.ruleset, totals)
    paid = [score.money for score in scores]
    return [sum((each[seat] for each in paid), Fraction()) for seat in range(game.seats)]
