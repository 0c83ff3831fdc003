"""The choice of one who shot the moon."""

from bot.rules.ruleset import BonusScore, MoonPayoff
from bot.rules.settlement import ends, places
from bot.rules.view import SeatView


def safe_payoff(view: SeatView) -> MoonPayoff:
    """Add to the others if that ends the game with the shooter first, else subtract.

    The same as `bot.rules.moon.safe_payoff`, from what the shooter may know (rules.md 4.2, 1).
    """
    public = view.public
    totals = _totals_if_added(view)
    wins = ends(public.ruleset, public.deal, totals) and places(totals)[view.seat] == 1
    return MoonPayoff.ADD_OTHERS if wins else MoonPayoff.SUBTRACT_SELF


def _totals_if_added(view: SeatView) -> tuple[int, ...]:
    public = view.public
    rules = public.ruleset
    captured = (play.card for trick in public.tricks for play in trick.plays)
    costs = sum(max(0, rules.points_of(card)) for card in captured)
    value = costs if rules.moon.value is None else rules.moon.value
    totals = []
    for seat, (total, taken) in enumerate(zip(public.totals, public.taken, strict=True)):
        if seat != view.seat:
            points = taken + value
        elif rules.moon.bonus_score is BonusScore.ABSORBED:
            points = 0
        else:
            points = taken - costs
        totals.append(rules.exact.get(total + points, total + points))
    return tuple(totals)
