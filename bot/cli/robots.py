"""The commands of robots: selfplay."""

import json
import sys
import time
from collections.abc import Iterable, Sequence
from math import sqrt
from random import Random
from statistics import mean, stdev

from bot import OperatorError
from bot.ai import LEVELS
from bot.arena import match
from bot.cli import Arguments, at_least_one
from bot.cli.naming import listed, variant
from bot.rules import record
from bot.rules.ruleset import Ruleset


def selfplay(argv: Sequence[str]) -> int:
    """Let robots play games among themselves and print what each seat paid a deal.

    With --json standard output holds the games alone, one record a line, as `replay` reads them.
    """
    options = _arguments().parse_args(argv)
    ruleset, named = variant(options.variant)
    if named is not None and options.seats not in {None, named}:
        raise OperatorError(f"{options.variant} is played by {named}, not by {options.seats}.")
    levels = _levels(options.levels, options.seats or named, ruleset.default_players)
    if len(levels) not in ruleset.players:
        raise OperatorError(
            f"{ruleset.title} is played by {listed(ruleset.players)}, not by {len(levels)}."
        )
    return _play(ruleset, levels, Random(options.seed), options.deals, as_json=options.json)  # noqa: S311  a repeatable game is wanted


def _arguments() -> Arguments:
    parser = Arguments(prog="selfplay", description=selfplay.__doc__)
    parser.add_argument(
        "--variant",
        default="standard",
        metavar="NAME",
        help="killer_10 is killer with ten seats; default %(default)s",
    )
    parser.add_argument(
        "--seats", type=at_least_one, metavar="N", help="default: as many as levels"
    )
    parser.add_argument(
        "--deals", type=at_least_one, default=100, metavar="N", help="default %(default)s"
    )
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="default %(default)s")
    parser.add_argument(
        "--levels",
        default="steady",
        metavar="A,B,C,D",
        help="by seat, or one for all; default %(default)s",
    )
    parser.add_argument("--json", action="store_true", help="print the games as records")
    return parser


def _play(
    ruleset: Ruleset, levels: Sequence[str], dice: Random, deals: int, *, as_json: bool
) -> int:
    players = [LEVELS[level] for level in levels]
    points: list[tuple[int, ...]] = []
    began = time.perf_counter()
    for game in match.play(ruleset, players, dice, deals=deals):
        points += [score.points for score in game.scores]
        if as_json:
            print(json.dumps(record.from_events(game.ruleset, game.seats, game.events)))
    seconds = time.perf_counter() - began
    for line in _summary(levels, points, seconds):
        print(line, file=sys.stderr if as_json else sys.stdout)
    return 0


def _summary(
    levels: Sequence[str], points: Sequence[tuple[int, ...]], seconds: float
) -> Iterable[str]:
    yield "seat  level     points a deal"
    for seat, level in enumerate(levels):
        mine = [deal[seat] for deal in points]
        error = stdev(mine) / sqrt(len(mine)) if len(mine) > 1 else 0.0
        yield f"{seat:>4}  {level:<8}  {mean(mine):6.2f} ± {error:.2f}"
    yield f"{len(points)} deals in {seconds:.1f} s, {len(points) / seconds:.0f} deals a second"


def _levels(text: str, seats: int | None, usual: int) -> Sequence[str]:
    """One level a seat; a single one is everybody's, at *usual* seats if none are said."""
    levels = text.split(",")
    for level in levels:
        if level not in LEVELS:
            raise OperatorError(f"There is no level {level!r}; there are {listed(LEVELS)}.")
    if len(levels) == 1:
        return levels * (seats or usual)
    if seats not in {None, len(levels)}:
        raise OperatorError(f"--levels names {len(levels)} robots for {seats} seats.")
    return levels
