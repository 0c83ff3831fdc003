"""`python -m bot arena`: how much better one robot plays than another, on the same cards."""

import argparse
import os
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from itertools import repeat
from multiprocessing import get_context
from pathlib import Path

from bot import OperatorError
from bot.arena import duplicate, engine, levels, measure, runs
from bot.arena.duplicate import Contestant, PlayedDeal, Setup
from bot.arena.engine import EngineError
from bot.arena.measure import Estimate, Summary, Thinking
from bot.arena.runs import Run, RunError
from bot.arena.seeded import Seeded
from bot.cli import Arguments, at_least_one, whole
from bot.cli.naming import listed, table_of
from bot.rules.dimensions import Settle
from bot.table.processes import end_with_parent

_SECONDS_BETWEEN_SIGNS = 5.0


def arena(argv: Sequence[str]) -> int:
    """Play duplicate deals, one robot (A) against others (B), and print how A did.

    Every deal is played with A in each seat in turn, or in every two seats; with partners A takes
    whole sides. The margin is what B's seats took more than A's, on average (where a high score
    is good, less; where money decides, what A won more). A file of deals goes on where it stopped.
    """
    options = _arguments().parse_args(argv)
    if options.compare:
        return _compare(*map(Path, options.compare))
    run = _run(options)
    try:
        deals = _played(run, options)
    except (EngineError, RunError) as error:
        raise OperatorError(str(error)) from error
    for line in _report(run, deals):
        print(line)
    return 0


def _arguments() -> argparse.ArgumentParser:
    parser = Arguments(prog="arena", description=arena.__doc__)
    add = parser.add_argument
    names = listed(levels.NAMES)
    add("--a", default="steady", metavar="LEVEL", help=f"{names}; default %(default)s")
    add("--b", default="steady", metavar="LEVEL", help="likewise")
    add("--engine-a", "--engine", metavar="CMD", help="another program in the place of --a")
    add("--engine-b", metavar="CMD", help="another program in the place of --b")
    add(
        "--engine-seconds",
        type=at_least_one,
        default=engine.USUAL_SECONDS,
        metavar="N",
        help="a program's limit for a decision; default %(default)g",
    )
    add("--variant", default="standard", metavar="NAME", help="killer_10 has ten seats")
    add("--seats", type=at_least_one, metavar="N", help="default: the variant's usual number")
    add("--seats-of-a", type=int, choices=(1, 2), default=1, help="seats, or sides, that A takes")
    add("--deals", type=at_least_one, default=100, metavar="N", help="default %(default)s")
    add("--seed", type=whole, default=1, metavar="S", help="default %(default)s")
    add("--budget-moves", type=at_least_one, metavar="N", help="a decision, of those who search")
    add("--budget-moves-b", type=at_least_one, metavar="N", help="of B, if it is another")
    add("--jobs", type=at_least_one, default=1, metavar="N", help="processes, at most one a core")
    add("--json", type=Path, metavar="FILE", help="keep each deal; goes on with what is there")
    add("--compare", nargs=2, metavar=("FILE", "FILE"), help="hold two such files together")
    return parser


def _run(options: argparse.Namespace) -> Run:
    ruleset, seats = table_of(options.variant, options.seats)
    setup = Setup(ruleset=ruleset, seats=seats, seed=options.seed, sides_of_a=options.seats_of_a)
    try:
        _ = setup.seatings
    except ValueError as error:
        raise OperatorError(f"--seats-of-a {options.seats_of_a}: {error}.") from error
    _check_players(options)
    run = Run(
        setup=setup,
        a=options.engine_a or options.a,
        b=options.engine_b or options.b,
        moves_of_a=options.budget_moves,
        moves_of_b=options.budget_moves_b or options.budget_moves,
    )
    try:
        return runs.open_for(options.json, run) if options.json else run
    except RunError as error:
        raise OperatorError(str(error)) from error


def _check_players(options: argparse.Namespace) -> None:
    for level in (options.a, options.b):
        if level not in levels.NAMES:
            raise OperatorError(f"There is no level {level!r}; there are {listed(levels.NAMES)}.")
    programs = [command for command in (options.engine_a, options.engine_b) if command]
    own = [options.a] * (not options.engine_a) + [options.b] * (not options.engine_b)
    has_budget = options.budget_moves or options.budget_moves_b
    if has_budget and not any(map(levels.searches, own)):
        raise OperatorError("Nobody here searches, so a budget of moves would change nothing.")
    cores = os.cpu_count() or 1
    if options.jobs > cores:
        raise OperatorError(f"--jobs {options.jobs} is more than one a core; there are {cores}.")
    if options.jobs > 1 and programs:
        raise OperatorError("A program is asked by one process; leave out --jobs.")


def _played(run: Run, options: argparse.Namespace) -> Sequence[PlayedDeal]:
    """All the deals: those that a file had, and the others as they are played."""
    deals = {deal.number: deal for deal in run.deals if deal.number < options.deals}
    wanted = [number for number in range(options.deals) if number not in deals]
    signs = _Signs(run.setup, len(wanted))
    try:
        for deal in _anew(run, wanted, options) if wanted else ():
            deals[deal.number] = deal
            if options.json:
                runs.append(options.json, run.setup, deal)
            signs.show(list(deals.values()))
    except KeyboardInterrupt:
        kept = "the same command goes on" if options.json else "with --json they would be kept"
        print(f"stopped after {len(deals)} deals; {kept}", file=sys.stderr)
        raise
    return [deals[number] for number in range(options.deals)]


def _anew(run: Run, numbers: Sequence[int], options: argparse.Namespace) -> Iterator[PlayedDeal]:
    if options.jobs == 1:
        with _players(options, run) as (a, b):
            for number in numbers:
                yield duplicate.play_deal(run.setup, number, a, b)
        return
    bare = replace(run, deals=())
    with ProcessPoolExecutor(options.jobs, get_context("spawn"), _settle_down) as pool:
        yield from pool.map(_play_alone, repeat(bare), numbers)


@contextmanager
def _players(options: argparse.Namespace, run: Run) -> Iterator[tuple[Contestant, Contestant]]:
    """Both players. A program's thinking is measured by the clock on the wall."""
    with ExitStack() as stack:

        def sit(command: str | None, level: str, moves: int | None) -> Contestant:
            if command is None:
                return _own(level, moves, run.setup.seed)
            program = engine.started(command, seconds=options.engine_seconds)
            return Contestant(stack.enter_context(program), time.perf_counter)

        yield (
            sit(options.engine_a, options.a, run.moves_of_a),
            sit(options.engine_b, options.b, run.moves_of_b),
        )


def _own(level: str, moves: int | None, seed: int) -> Contestant:
    return Contestant(Seeded(levels.player(level, moves=moves), seed), time.process_time)


def _play_alone(run: Run, number: int) -> PlayedDeal:
    """One deal in a process of its own, by robots of ours."""
    seed = run.setup.seed
    a, b = _own(run.a, run.moves_of_a, seed), _own(run.b, run.moves_of_b, seed)
    return duplicate.play_deal(run.setup, number, a, b)


def _settle_down() -> None:
    """Prepare this process, which plays deals for the one that was started from the keyboard."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # that one is to be stopped from there
    end_with_parent()


class _Signs:
    """Signs of life on standard error."""

    def __init__(self, setup: Setup, wanted: int) -> None:
        self._setup = setup
        self._wanted = wanted
        self._done = 0
        self._began = self._shown = time.monotonic()

    def show(self, deals: Sequence[PlayedDeal]) -> None:
        """Say how far it is, now and then and at the end."""
        self._done += 1
        now = time.monotonic()
        if now - self._shown < _SECONDS_BETWEEN_SIGNS and self._done < self._wanted:
            return
        self._shown = now
        so_far = measure.estimate(measure.margin(self._setup, deal) for deal in deals)
        left = (now - self._began) / self._done * (self._wanted - self._done)
        said = f"{len(deals)} deals, margin {_signed(so_far)}, {left:.0f} s to go"
        print(said, file=sys.stderr, flush=True)


def _compare(first: Path, second: Path) -> int:
    try:
        one, other = runs.read(first), runs.read(second)
        if one.setup != other.setup:
            raise OperatorError(f"{first} and {second} were not played with the same cards.")
        count, difference = measure.difference(one.setup, one.deals, other.deals)
    except RunError as error:
        raise OperatorError(str(error)) from error
    except ValueError as error:
        raise OperatorError(f"{first} and {second} cannot be compared: {error}.") from error
    for path, run in ((first, one), (second, other)):
        a, b = _names(run)
        margin = _signed(measure.summary(run.setup, run.deals).margin)
        print(f"{path}: {a} against {b}, {len(run.deals)} deals, margin {margin}")
    found = f"{_signed(difference)}, {_far(difference)}"
    print(f"difference over {count} deals that both have: {found}")
    return 0


def _report(run: Run, deals: Sequence[PlayedDeal]) -> Iterator[str]:
    setup, said = run.setup, measure.summary(run.setup, deals)
    unit = "won" if setup.ruleset.settle is Settle.SUPER else "points"
    a, b = _names(run)
    yield f"{a} (A) against {b} (B), {setup.ruleset.title}, {setup.seats} seats"
    yield f"{said.deals} deals of seed {setup.seed}, each in {len(setup.seatings)} seatings"
    yield f"margin          {_signed(said.margin)} {unit} a deal, {_far(said.margin)}"
    yield f"own points      {said.own.mean:.2f} ± {said.own.error:.2f}"
    yield f"moons shot      {_share(said.moons_shot)}"
    yield f"moons suffered  {_share(said.moons_suffered)}"
    yield from _times(said)


def _names(run: Run) -> tuple[str, ...]:
    """What A and B are called, with a budget that is not their level's own."""
    both = ((run.a, run.moves_of_a), (run.b, run.moves_of_b))
    return tuple(_name(*each) for each in both)


def _name(player: str, moves: int | None) -> str:
    has_budget = moves and player in levels.NAMES and levels.searches(player)
    return f"{player} with {moves} moves" if has_budget else player


def _times(said: Summary) -> Iterator[str]:
    for name, thinking in (("A", said.a), ("B", said.b)):
        yield f"{name} a decision    {_time(thinking)}"


def _time(thinking: Thinking) -> str:
    mean, slowest = (
        f"{1000 * each.mean:.2f} ± {1000 * each.error:.2f} ms"
        for each in (thinking.mean, thinking.slowest)
    )
    return f"mean {mean}, 99 % within {slowest}, of {thinking.decisions} decisions with a choice"


def _signed(value: Estimate) -> str:
    return f"{value.mean:+.2f} ± {value.error:.2f}"


def _far(value: Estimate) -> str:
    return f"{value.in_errors:+.1f} standard errors"


def _share(value: Estimate) -> str:
    return f"{100 * value.mean:.1f} ± {100 * value.error:.1f} %"
