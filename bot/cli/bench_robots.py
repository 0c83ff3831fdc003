"""`python -m bot bench robots`: how long robots think, beside OpenSpiel's in the same run.

Time is that of the processor, so other work on the machine counts as little as it can. Every level
is asked the same questions, taken from deals that `steady` plays: cards where there is a choice,
and as many passes as come with them.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from random import Random
from statistics import mean

from bot.ai import LEVELS, Player
from bot.ai.playout import playout
from bot.ai.worlds import Worlds
from bot.arena import match
from bot.cli import bench_lateness, openspiel
from bot.cli.naming import table_of
from bot.rules.cards import Card, Hand
from bot.rules.dimensions import MoonPayoff
from bot.rules.ruleset import Ruleset
from bot.rules.view import SeatView

GAMES = ("standard", "omnibus", "killer_10")
"""What is measured if nothing is named."""
_SHORT_GAMES = ("standard",)
_MORE = 3
"""So many times as many cards are played as are asked about."""

_SLOWEST = "expert"
_WAKINGS = 1_000

Table = tuple[Ruleset, int]
"""What is played, and by how many."""
_Clock = Callable[[], float]
_Asked = Mapping[tuple[str, str], "Times"]
"""By game and level."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """How much is measured."""

    cards: int
    """Of each game, asked of each level."""
    playouts: int


LONG = Size(cards=200, playouts=2_000)
SHORT = Size(cards=3, playouts=20)


@dataclass(frozen=True, slots=True, kw_only=True)
class Promise:
    """What a level keeps to in a game, cards and passes together, in seconds of CPU."""

    game: str
    level: str
    mean: float
    slowest: float | None = None
    """The 99th percentile; ``None``: nothing is promised."""


PROMISES = (
    Promise(game="standard", level="expert", mean=0.150, slowest=1.0),
    Promise(game="killer_10", level="expert", mean=0.400),
)


@dataclass(frozen=True, slots=True)
class Times:
    """How long some decisions took, in seconds of CPU; at least one of them."""

    cards: Sequence[float]
    passes: Sequence[float]

    @property
    def mean(self) -> float:
        """Of cards and passes together."""
        return mean([*self.cards, *self.passes])

    @property
    def slowest(self) -> float:
        """What 99 of 100 do not exceed, cards and passes together."""
        return percentile([*self.cards, *self.passes], 99)


@dataclass(frozen=True, slots=True)
class Questions:
    """Views of seats that have something to decide."""

    cards: Sequence[SeatView]
    passes: Sequence[SeatView]


class _Listener:
    """Plays as *player* does and keeps what it is asked."""

    def __init__(self, player: Player) -> None:
        self._player = player
        self.cards: list[SeatView] = []
        self.passes: list[SeatView] = []

    def choose_pass(self, view: SeatView, rng: Random) -> Hand:
        self.passes.append(view)
        return self._player.choose_pass(view, rng)

    def choose_card(self, view: SeatView, rng: Random) -> Card:
        if view.choice and len(view.choice.cards) > 1:
            self.cards.append(view)
        return self._player.choose_card(view, rng)

    def choose_moon(self, view: SeatView, rng: Random) -> MoonPayoff:
        return self._player.choose_moon(view, rng)


def run(games: Sequence[str], seed: int, *, short: bool) -> int:
    """Print how long each level thinks in each game, and whether the bot itself feels it.

    The exit code is 1 if a promise is broken.

    Args:
        games: names as for `table_of`; empty: the usual ones.
        seed: of the deals, and of all dice.
        short: ask a few questions only, and judge nothing by them.

    Raises:
        OperatorError: there is no such game.
    """
    tables = {name: table_of(name, None) for name in games or (_SHORT_GAMES if short else GAMES)}
    size = SHORT if short else LONG
    asked: dict[tuple[str, str], Times] = {}
    for line in _lines(tables, size, seed, asked):
        print(line, flush=True)
    if short:
        return 0
    verdicts = [*judged(asked), _felt(tables, seed)]
    for said, _ in verdicts:
        print(said)
    return 0 if all(is_kept for _, is_kept in verdicts) else 1


def _lines(
    tables: Mapping[str, Table],
    size: Size,
    seed: int,
    asked: dict[tuple[str, str], Times],
) -> Iterator[str]:
    """The table, line by line, as it is measured; *asked* is filled on the way."""
    dice = Random(seed)  # noqa: S311  a repeatable bench is wanted
    rates: list[tuple[str, float]] = []
    yield "CPU milliseconds a decision"
    yield _row("game", "who", "what", "asked", ("mean", "50 %", "99 %", "most"))
    for name, (ruleset, seats) in tables.items():
        questions = collected(ruleset, seats, size, dice)
        for level, player in LEVELS.items():
            asked[name, level] = answered(player, questions, seed, time.process_time)
            yield from _rows(name, level, asked[name, level])
        rates.append((name, _playouts_a_second(questions, size.playouts, dice)))
    yield from _openspiel(size, seed, dice)
    yield from (f"{rate:,.0f} deals played out a CPU second, {name}" for name, rate in rates)


def _openspiel(size: Size, seed: int, dice: Random) -> Iterator[str]:
    try:
        bots = openspiel.bots(seed)
    except ModuleNotFoundError as missing:
        if missing.name != "pyspiel":
            raise
        yield "OpenSpiel is not installed; `make test` brings it."
        return
    for name, make in bots.items():
        thought = openspiel.seconds_of(make, dice, cards=size.cards, passes=ceil(size.cards / 10))
        yield from _rows("OpenSpiel", name, Times(*thought))


def collected(ruleset: Ruleset, seats: int, size: Size, dice: Random) -> Questions:
    """Questions from games that `steady` plays with itself."""
    listener = _Listener(LEVELS["steady"])
    while len(listener.cards) < _MORE * size.cards:
        deals = len(ruleset.pass_cycle[seats])
        match.play_game(ruleset, [listener] * seats, dice, deals=deals)
    passes = ceil(size.cards * len(listener.passes) / len(listener.cards))
    return Questions(
        cards=dice.sample(listener.cards, size.cards), passes=dice.sample(listener.passes, passes)
    )


def answered(player: Player, questions: Questions, seed: int, clock: _Clock) -> Times:
    """How long *player* thinks about each question, by *clock*."""
    dice = Random(seed)  # noqa: S311  as above

    def timed(decide: Callable[[SeatView, Random], object], view: SeatView) -> float:
        start = clock()
        decide(view, dice)
        return clock() - start

    return Times(
        cards=[timed(player.choose_card, view) for view in questions.cards],
        passes=[timed(player.choose_pass, view) for view in questions.passes],
    )


def judged(asked: _Asked) -> Iterator[tuple[str, bool]]:
    """A sentence for every promise of which something was measured, and whether it is kept."""
    for promise in PROMISES:
        times = asked.get((promise.game, promise.level))
        if times is None:
            continue
        said = f"{promise.level} in {promise.game}: {_ms(times.mean)} of {_ms(promise.mean)} ms"
        is_kept = times.mean <= promise.mean
        if promise.slowest is not None:
            said += f", 99 % within {_ms(times.slowest)} of {_ms(promise.slowest)} ms"
            is_kept &= times.slowest <= promise.slowest
        yield f"{said}: {_verdict(is_kept=is_kept)}", is_kept


def _felt(tables: Mapping[str, Table], seed: int) -> tuple[str, bool]:
    """How much later the event loop wakes up while a robot thinks, and whether that is in order."""
    ruleset, seats = next(iter(tables.values()))
    dice = Random(seed)  # noqa: S311  as above
    view = _earliest(collected(ruleset, seats, SHORT, dice))
    found = bench_lateness.lateness(_SLOWEST, view, _WAKINGS)
    alone, beside = (
        tuple(percentile(seconds, percent) for percent in (50, 99, 100))
        for seconds in (found.alone, found.beside)
    )
    is_kept = beside[1] - alone[1] <= bench_lateness.PROMISED
    said = "the event loop wakes up late by, in ms, 50 %, 99 % and most: alone "
    said += f"{', '.join(map(_exactly, alone))}; while {_SLOWEST} thinks beside it "
    said += f"{', '.join(map(_exactly, beside))}; 99 % at most "
    return f"{said}{_ms(bench_lateness.PROMISED)} ms later: {_verdict(is_kept=is_kept)}", is_kept


def percentile(values: Sequence[float], percent: int) -> float:
    """The smallest of *values*, at least one, that so many of a hundred do not exceed."""
    return sorted(values)[ceil(len(values) * percent / 100) - 1]


def _rows(game: str, who: str, times: Times) -> Iterator[str]:
    for what, seconds in (("card", times.cards), ("pass", times.passes)):
        if seconds:
            shown = (mean(seconds), percentile(seconds, 50), percentile(seconds, 99), max(seconds))
            yield _row(game, who, what, str(len(seconds)), [*map(_exactly, shown)])


def _row(game: str, who: str, what: str, asked: str, columns: Sequence[str]) -> str:
    return f"{game:<12}{who:<14}{what:<6}{asked:>5}" + "".join(f"{each:>9}" for each in columns)


def _playouts_a_second(questions: Questions, number: int, dice: Random) -> float:
    """How many deals are played by rule to their end a CPU second, from the first trick on."""
    view = _earliest(questions)
    table = playout(view.public.ruleset, view.public.seats)
    worlds = Worlds(table.rules, view)
    drawn = [worlds.draw(dice) for _ in range(number)]
    start = time.process_time()
    for at in drawn:
        table.run(at)
    return number / (time.process_time() - start)


def _earliest(questions: Questions) -> SeatView:
    """The one for a card with the most cards in hand."""
    return max(questions.cards, key=lambda view: len(view.hand))


def _verdict(*, is_kept: bool) -> str:
    return "kept" if is_kept else "broken"


def _ms(seconds: float) -> str:
    return f"{1000 * seconds:.0f}"


def _exactly(seconds: float) -> str:
    return f"{1000 * seconds:.2f}"
