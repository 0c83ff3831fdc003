"""Duplicate deals: the same cards are played again with the players seated otherwise.

Luck of the cards is so the same for both, and what is left is skill. A deal is a game's first few
over and over: totals are 0, and who passes where goes round with its number.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from hashlib import sha256
from itertools import combinations
from random import Random

from bot.ai import Player
from bot.arena.match import command_of
from bot.rules.cards import Card, Hand, Seat
from bot.rules.decide import decide, new_game
from bot.rules.dimensions import MoonPayoff
from bot.rules.events import DealBegan
from bot.rules.evolve import evolve, replay
from bot.rules.ruleset import Ruleset
from bot.rules.shuffle import shuffle
from bot.rules.sides import sides
from bot.rules.state import Game, Score
from bot.rules.view import SeatView

Clock = Callable[[], float]
"""Seconds since whenever."""

_DICE = Random(0)
"""Handed to players where a player is owed dice; those of the arena have their own (`Seeded`)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """What is played, and who sits where."""

    ruleset: Ruleset
    seats: int
    seed: int
    sides_of_a: int = 1
    """How many sides are A's; a side is a seat or a partnership."""

    @property
    def seatings(self) -> tuple[tuple[Seat, ...], ...]:
        """The seats of A in every way to sit, each of which is played once a deal.

        Raises:
            ValueError: nobody would be left to sit for B.
        """
        parties = sides(self.ruleset, self.seats)
        if not 0 < self.sides_of_a < len(parties):
            raise ValueError(f"{self.sides_of_a} of {len(parties)} sides leave B no seat")
        chosen = combinations(parties, self.sides_of_a)
        return tuple(tuple(sorted(seat for side in each for seat in side)) for each in chosen)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sitting:
    """One deal played with A in certain seats."""

    seats_of_a: tuple[Seat, ...]
    points: tuple[int, ...]
    """By seat, as the score has it."""
    money: tuple[Fraction, ...] = ()
    """By seat; empty where deals are not settled one by one."""
    shooters: tuple[Seat, ...] = ()
    """Who shot the moon: a seat, or a side's; empty if nobody did."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedDeal:
    """One deal in all its sittings."""

    number: int
    """Counted from 0."""
    sittings: tuple[Sitting, ...]
    seconds_of_a: tuple[float, ...] = field(repr=False)
    """How long each decision of A took where there was something to choose."""
    seconds_of_b: tuple[float, ...] = field(repr=False)


class Timed:
    """Plays as *player* does, and notes how long that takes where there is a choice."""

    def __init__(self, player: Player, clock: Clock) -> None:
        self._player = player
        self._clock = clock
        self.seconds: list[float] = []

    def choose_pass(self, view: SeatView, rng: Random) -> Hand:
        start = self._clock()
        cards = self._player.choose_pass(view, rng)
        self.seconds.append(self._clock() - start)
        return cards

    def choose_card(self, view: SeatView, rng: Random) -> Card:
        start = self._clock()
        card = self._player.choose_card(view, rng)
        if view.choice and len(view.choice.cards) > 1:
            self.seconds.append(self._clock() - start)
        return card

    def choose_moon(self, view: SeatView, rng: Random) -> MoonPayoff:
        return self._player.choose_moon(view, rng)


@dataclass(frozen=True, slots=True)
class Contestant:
    """A player, and the clock by which its thinking is measured."""

    player: Player
    clock: Clock


def play_deal(setup: Setup, number: int, a: Contestant, b: Contestant) -> PlayedDeal:
    """Play deal *number*, counted from 0, in every sitting.

    The same setup and number are the same cards and the same direction of passing, whoever plays.

    Raises:
        IllegalMoveError: a player broke the rules.
    """
    timed_a, timed_b = (Timed(each.player, each.clock) for each in (a, b))
    sittings = []
    for seats_of_a in setup.seatings:
        places = range(setup.seats)
        players = [timed_a if seat in seats_of_a else timed_b for seat in places]
        score = _play_out(begun(setup, number), players)
        sittings.append(
            Sitting(
                seats_of_a=seats_of_a,
                points=score.points,
                money=score.money,
                shooters=score.moon.seats if score.moon else (),
            )
        )
    return PlayedDeal(
        number=number,
        sittings=tuple(sittings),
        seconds_of_a=tuple(timed_a.seconds),
        seconds_of_b=tuple(timed_b.seconds),
    )


def begun(setup: Setup, number: int) -> Game:
    """The game as deal *number*, counted from 0, has just been dealt."""
    ruleset, seats = setup.ruleset, setup.seats
    label = f"hearts-arena-v1|{setup.seed}|{number}"
    seed = sha256(label.encode()).digest()
    dealer = Seat(seed[0] % seats)
    order = shuffle(ruleset.deck(seats), seed, label)
    in_cycle = number % len(ruleset.pass_cycle[seats])
    return evolve(new_game(ruleset, seats, dealer), DealBegan(in_cycle + 1, dealer, order))


def _play_out(game: Game, players: list[Timed]) -> Score:
    while not game.scores:
        game = replay(game, decide(game, command_of(game, players, _DICE)))
    return game.scores[0]
