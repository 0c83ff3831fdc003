"""How far robots are ahead of players without skill."""

from math import sqrt
from random import Random
from statistics import mean, stdev

from bot.ai import Player
from bot.arena import match
from bot.arena.at_random import AtRandom
from bot.rules.cards import Seat
from bot.rules.dimensions import GoodScore, Settle
from bot.rules.ruleset import Ruleset
from bot.rules.sides import is_pooled, side_of, sides
from bot.rules.state import Score


def margins(
    ruleset: Ruleset, seats: int, player: Player, dice: Random, *, deals: int
) -> list[float]:
    """By deal: how much better *player* did than players at random did on average.

    It sits in every seat in turn; where there are partners, its partner is of its kind. Points are
    counted by side and in the sense of the rules; where money decides, the money is.
    """
    found: list[float] = []
    for deal in range(deals):
        seat = Seat(deal % seats)
        own = side_of(ruleset, seat, seats)
        players = [player if Seat(n) in own else AtRandom() for n in range(seats)]
        game = match.play_game(ruleset, players, dice, deals=1)
        found.append(_margin(ruleset, game.scores[0], own))
    return found


def in_standard_errors(of_deals: list[float]) -> float:
    """The mean, counted in its own standard errors."""
    return mean(of_deals) * sqrt(len(of_deals)) / stdev(of_deals)


def _margin(ruleset: Ruleset, score: Score, own: tuple[Seat, ...]) -> float:
    seats = len(score.points)
    if ruleset.settle is Settle.SUPER:
        results = [float(part) for part in score.money]
    else:
        sign = 1 if ruleset.good_score is GoodScore.HIGH else -1
        results = [float(sign * points) for points in score.points]
    shown = 1 if is_pooled(ruleset, seats) else len(own)
    by_side = {side: sum(results[seat] for seat in side[:shown]) for side in sides(ruleset, seats)}
    return by_side.pop(own) - mean(by_side.values())
