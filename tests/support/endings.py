"""Ends of deals, and all that can still come of them: every legal card is tried."""

import os
from collections.abc import Iterator
from math import factorial, prod
from random import Random

from bot.rules.commands import PlayedBy
from bot.rules.dimensions import MoonPayoff
from bot.rules.events import CardPlayed
from bot.rules.evolve import evolve
from bot.rules.legal import choice, to_move
from bot.rules.moon import shooter
from bot.rules.ruleset import Ruleset
from bot.rules.scoring import score
from bot.rules.state import Game, Phase, Score
from tests.support.seeded import course

Outcome = tuple[int | None, tuple[Score, ...]]
"""Who has to choose how a moon is paid, if anybody, and the score for each choice."""

MOST_WAYS = 1_296 if os.environ.get("HYPOTHESIS_PROFILE") == "nightly" else 300
"""Orders of play up to which an ending is tried whole: 300 lets three seats have three cards each,
and eight seats two; 1,296 lets four seats have three."""


def outcomes(game: Game) -> Iterator[Outcome]:
    """How the deal under way ends, for every order of legal plays. The same may come again."""
    if game.phase is Phase.PLAYING and to_move(game):
        (seat,) = to_move(game)
        for card in choice(game).cards:
            yield from outcomes(evolve(game, CardPlayed(seat, card, PlayedBy.HAND)))
    elif game.phase is Phase.MOON_CHOICE:
        payoffs = (MoonPayoff.ADD_OTHERS, MoonPayoff.SUBTRACT_SELF)
        yield shooter(game), tuple(score(game, payoff) for payoff in payoffs)
    else:
        yield None, (score(game, None),)


def is_certain(game: Game) -> bool:
    """Whether the deal under way ends in the same way, whatever is played."""
    each = outcomes(game)
    first = next(each)
    return all(outcome == first for outcome in each)


def endings(ruleset: Ruleset, seats: int, dice: Random, *, deals: int) -> Iterator[Game]:
    """Turns near the end of random deals that can be tried whole, from the earliest on."""
    for game, _ in course(ruleset, seats, dice, deals=deals):
        if game.phase is Phase.PLAYING and to_move(game) and ways(game) <= MOST_WAYS:
            yield game


def ways(game: Game) -> int:
    """How many orders of play there are at most; with a stock, without end."""
    assert game.deal is not None
    if game.deal.stock:
        return MOST_WAYS + 1
    return prod(factorial(len(hand)) for hand in game.deal.hands)
