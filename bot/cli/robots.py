"""The commands of robots: selfplay, robot."""

import argparse
import json
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from math import sqrt
from random import Random
from statistics import mean, stdev

from bot import OperatorError
from bot.ai import LEVELS, Player
from bot.arena import answer, engine, levels, match, question
from bot.arena.engine import EngineError
from bot.arena.imagining import view_of
from bot.arena.question import QuestionError
from bot.arena.seeded import Seeded
from bot.cli import Arguments, at_least_one, whole
from bot.cli.naming import listed, table_of
from bot.rules import record

_ENGINE = "engine"
"""What stands among the levels for a program."""


def selfplay(argv: Sequence[str]) -> int:
    """Let robots play games among themselves and print what each seat paid a deal.

    With --json standard output holds the games alone, one record a line, as `replay` reads them.
    A program of your own takes seat 0, or the seats that --levels calls engine.
    """
    options = _arguments().parse_args(argv)
    named = _levels(options.levels, options.seats, has_engine=options.engine is not None)
    several = len(named) if len(named) > 1 else None
    ruleset, seats = table_of(options.variant, options.seats or several)
    by_seat = _seated(named, seats, has_engine=options.engine is not None)
    try:
        with _players(by_seat, options) as players:
            dice = Random(options.seed)  # noqa: S311  a repeatable game is wanted
            games = match.play(ruleset, players, dice, deals=options.deals)
            return _play(games, by_seat, as_json=options.json)
    except EngineError as error:
        raise OperatorError(str(error)) from error


def robot(argv: Sequence[str]) -> int:
    """Answer the questions on standard input, one JSON object a line, until it closes.

    A question that cannot be answered gets an answer with the key error, and the next is read.
    """
    parser = Arguments(prog="robot", description=robot.__doc__)
    parser.add_argument("--level", default="steady", metavar="LEVEL", help=listed(LEVELS))
    parser.add_argument("--seed", type=whole, default=1, metavar="N", help="default %(default)s")
    budget = parser.add_mutually_exclusive_group()
    budget.add_argument(
        "--budget-ms", type=at_least_one, metavar="N", help="a decision, if the level searches"
    )
    budget.add_argument(
        "--budget-moves", type=at_least_one, metavar="N", help="the same, so that answers repeat"
    )
    options = parser.parse_args(argv)
    _check_levels([options.level], LEVELS)
    chosen = levels.player(options.level, moves=options.budget_moves)
    if options.budget_ms and isinstance(chosen, levels.Searching):
        chosen = levels.Paced(chosen, options.budget_ms / 1000, time.perf_counter)
    player = Seeded(chosen, options.seed)
    if sys.stdin is None:
        raise OperatorError("There is no standard input to read questions from.")
    for line in sys.stdin.buffer:
        print(json.dumps(_answer(player, line)), flush=True)
    return 0


def _answer(player: Player, line: bytes) -> Mapping[str, object]:
    try:
        plain = json.loads(line)
    except (ValueError, RecursionError) as error:
        return {"error": f"not JSON: {error}"}
    try:
        view = view_of(question.from_dict(plain))
    except QuestionError as error:
        return {"error": str(error)}
    return answer.of_player(player, view, Random(0))  # noqa: S311  it has its own dice


def _arguments() -> Arguments:
    parser = Arguments(prog="selfplay", description=selfplay.__doc__)
    add = parser.add_argument
    add(
        "--variant",
        default="standard",
        metavar="NAME",
        help="killer_10 is killer with ten seats; default %(default)s",
    )
    add("--seats", type=at_least_one, metavar="N", help="default: as many as levels")
    add("--deals", type=at_least_one, default=100, metavar="N", help="default %(default)s")
    add("--seed", type=whole, default=1, metavar="S", help="default %(default)s")
    add(
        "--levels",
        default="steady",
        metavar="A,B,C,D",
        help="by seat, or one for all; default %(default)s",
    )
    add("--engine", metavar="CMD", help="a program that plays; docs/robots.md says how")
    add(
        "--engine-seconds",
        type=at_least_one,
        default=engine.USUAL_SECONDS,
        metavar="N",
        help="its limit for a decision; default %(default)g",
    )
    add("--json", action="store_true", help="print the games as records")
    return parser


@contextmanager
def _players(by_seat: Sequence[str], options: argparse.Namespace) -> Iterator[Sequence[Player]]:
    """The players by seat; a program is started once, whatever number of seats it takes."""

    def own(level: str) -> Player:
        return Seeded(levels.player(level), options.seed)

    if options.engine is None:
        yield [own(level) for level in by_seat]
        return
    with engine.started(options.engine, seconds=options.engine_seconds) as program:
        yield [program if level == _ENGINE else own(level) for level in by_seat]


def _play(games: Iterator[match.PlayedGame], by_seat: Sequence[str], *, as_json: bool) -> int:
    points: list[tuple[int, ...]] = []
    began = time.perf_counter()
    for game in games:
        points += [score.points for score in game.scores]
        if as_json:
            print(json.dumps(record.from_events(game.ruleset, game.seats, game.events)))
    seconds = time.perf_counter() - began
    for line in _summary(by_seat, points, seconds):
        print(line, file=sys.stderr if as_json else sys.stdout)
    return 0


def _summary(
    by_seat: Sequence[str], points: Sequence[tuple[int, ...]], seconds: float
) -> Iterable[str]:
    yield "seat  level     points a deal"
    for seat, level in enumerate(by_seat):
        mine = [deal[seat] for deal in points]
        error = stdev(mine) / sqrt(len(mine)) if len(mine) > 1 else 0.0
        yield f"{seat:>4}  {level:<8}  {mean(mine):6.2f} ± {error:.2f}"
    yield f"{len(points)} deals in {seconds:.1f} s, {len(points) / seconds:.0f} deals a second"


def _levels(text: str, seats: int | None, *, has_engine: bool) -> Sequence[str]:
    """The levels as named: one a seat, or a single one for everybody."""
    named = [level.strip() for level in text.split(",")]
    _check_levels(named, (*LEVELS, _ENGINE))
    if _ENGINE in named and not has_engine:
        raise OperatorError("--levels speaks of an engine; name its command with --engine.")
    if len(named) > 1 and seats not in {None, len(named)}:
        raise OperatorError(f"--levels names {len(named)} robots for {seats} seats.")
    return named


def _seated(named: Sequence[str], seats: int, *, has_engine: bool) -> Sequence[str]:
    by_seat = named if len(named) > 1 else [*named] * seats
    return by_seat if not has_engine or _ENGINE in by_seat else [_ENGINE, *by_seat[1:]]


def _check_levels(named: Iterable[str], known: Iterable[str]) -> None:
    for level in named:
        if level not in known:
            raise OperatorError(f"There is no level {level!r}; there are {listed(LEVELS)}.")
