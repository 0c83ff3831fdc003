"""The benches: how fast the parts of the bot are, and how long they keep their promises."""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from bot.ai import Player
from bot.arena import match
from bot.arena.at_random import AtRandom
from bot.cli import Arguments, at_least_one, bench_robots, openspiel, whole
from bot.cli.naming import listed, variant
from bot.rules.cards import Seat
from bot.rules.commands import PlayCard
from bot.rules.decide import decide, new_game
from bot.rules.events import CardPlayed, DealBegan
from bot.rules.evolve import evolve
from bot.rules.legal import choice
from bot.rules.ruleset import Ruleset

_GAMES = ("standard", "killer_10")
"""What is measured if nothing is named."""

_Named = tuple[Ruleset, int | None]
"""A ruleset, and the number of seats if its name says one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Speed:
    """How long the cards of some deals took."""

    name: str
    seats: int
    steps: int
    """Cards played."""
    seconds: float

    def __str__(self) -> str:
        rate = self.steps / self.seconds
        return f"{self.name:<10}  {self.seats:>5}  {self.steps:>7}  {rate:>14,.0f}"


def bench(argv: Sequence[str]) -> int:
    """Put a part of the bot to the test.

    rules: how many cards a second they play, and OpenSpiel where it is installed. A step is one
    card: all legal cards are listed, then one of them is judged and applied; the last of a deal
    brings its score. Cards are picked at random, dealt and passed beforehand.

    robots: how long every level thinks, and OpenSpiel's bots where it is installed; 1 if a level
    thinks longer than is promised.

    month: a simulated month of play by post with restarts, an outage, quiet hours and vacations;
    1 if a deadline, a reminder, a move or a table went wrong.

    promises: all that the bot promises, a row each; 1 if a promise is broken.
    """
    options = _arguments().parse_args(argv)
    if options.part == "promises":
        from bot.cli import promises  # noqa: PLC0415  as below

        return promises.run(options.only or (), options.json, short=options.short)
    if options.part == "month":
        from bot.cli import month  # noqa: PLC0415  the rules are measured without a database

        return month.run(month.SHORT if options.short else month.LONG, options.seed)
    if options.part == "robots":
        return bench_robots.run(options.variant or (), options.seed, short=options.short)
    games = {name: variant(name) for name in options.variant or _GAMES}
    print("game        seats    steps  steps a second", flush=True)
    for line in _lines(games, options.deals, options.seed):
        print(line, flush=True)
    return 0


def _arguments() -> Arguments:
    parser = Arguments(prog="bench", description=bench.__doc__)
    parser.add_argument(
        "part", choices=["rules", "robots", "month", "promises"], help="what to put to the test"
    )
    parser.add_argument(
        "--deals",
        type=at_least_one,
        default=100,
        metavar="N",
        help="of each game, for its rules; default %(default)s",
    )
    parser.add_argument(
        "--short",
        action="store_true",
        help="of the month: fewer tables; of robots: a look; of promises: as every day",
    )
    parser.add_argument("--seed", type=whole, default=1, metavar="S", help="default %(default)s")
    parser.add_argument(
        "--variant",
        action="append",
        metavar="NAME",
        help="a game, as killer_10 for killer with ten seats; may be said again; "
        f"default {listed(_GAMES)}, of robots {listed(bench_robots.GAMES)}",
    )
    _add_arguments_of_promises(parser)
    return parser


def _add_arguments_of_promises(parser: Arguments) -> None:
    parser.add_argument(
        "--only", type=at_least_one, nargs="+", metavar="N", help="of promises: their numbers"
    )
    parser.add_argument(
        "--json", type=Path, metavar="FILE", help="of promises: where to write them as JSON, too"
    )


def _lines(games: Mapping[str, _Named], deals: int, seed: int) -> Iterator[str]:
    for name, named in games.items():
        yield str(_rules(name, named, deals, Random(seed)))  # noqa: S311  a repeatable bench is wanted
    try:
        yield str(_openspiel(deals, Random(seed)))  # noqa: S311  as above
    except ModuleNotFoundError as missing:
        if missing.name != "pyspiel":
            raise
        yield "OpenSpiel is not installed; `make test` brings it."


def _rules(name: str, named: _Named, deals: int, dice: Random) -> Speed:
    """Play the deals once to have their cards, and once more against the clock."""
    ruleset, said = named
    seats = said or ruleset.default_players
    players: Sequence[Player] = [AtRandom()] * seats
    games = match.play(ruleset, players, dice, deals=deals)
    timed = [_seconds_a_card(game) for game in games]
    return Speed(name=name, seats=seats, steps=sum(map(len, timed)), seconds=sum(map(sum, timed)))


def _seconds_a_card(played: match.PlayedGame) -> list[float]:
    began = next(event for event in played.events if isinstance(event, DealBegan))
    game = new_game(played.ruleset, played.seats, Seat(began.dealer))
    seconds: list[float] = []
    for event in played.events:
        start = time.perf_counter()
        if isinstance(event, CardPlayed):
            choice(game)
            decide(game, PlayCard(event.seat, event.card, event.by))
        game = evolve(game, event)
        if isinstance(event, CardPlayed):
            seconds.append(time.perf_counter() - start)
    return seconds


def _openspiel(deals: int, dice: Random) -> Speed:
    """Do the same with OpenSpiel's hearts and its own defaults.

    Raises:
        ModuleNotFoundError: it is not installed.
    """
    steps, seconds = openspiel.cards_played(deals, dice)
    return Speed(name="OpenSpiel", seats=4, steps=steps, seconds=seconds)
